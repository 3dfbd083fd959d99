//! Groups of blocks, as many as a vector has words.

use super::block::{QUARTETS, ROTATIONS, Threefry, injections};
use crate::bits::halves;
use crate::fill::Blocks;
use crate::simd::Simd;

/// The values that all blocks of a segment share.
pub(crate) struct Constants<V> {
    /// The second word in the first round, rotated.
    second: V,
    injections: [[V; 2]; QUARTETS],
}

/// Instructions of a group: nineteen rounds, in which rotations by 16 and 24 are one instruction, what is left
/// of the first once its sum and its rotation are known, the next sum, an addition for each word of the key,
/// and the order of the words.
pub(crate) const fn instructions<S: Simd>() -> usize {
    19 * 2 + 15 * S::ROTATION + 4 + 1 + 1 + 2 * QUARTETS + 2
}

impl Blocks for Threefry {
    type Words = [u32; 2];
    const WORDS: usize = 2;

    #[inline(always)]
    fn skip(self, blocks: u64) -> Self {
        Self::skip(self, blocks)
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        halves(self.counter)[0]
    }

    #[inline(always)]
    fn first(self) -> [u32; 2] {
        self.block(0)
    }

    type Constants<V: Copy> = Constants<V>;

    #[inline(always)]
    fn constants<S: Simd>(self, s: S) -> Constants<S::V> {
        let second = halves(self.counter)[1].wrapping_add(halves(self.key)[1]);
        let mut vectors = [[s.splat32(0); 2]; QUARTETS];
        for (vectors, [i0, i1]) in vectors.iter_mut().zip(injections(self.key)) {
            *vectors = [s.splat32(i0), s.splat32(i1)];
        }
        Constants {
            second: s.splat32(second.rotate_left(ROTATIONS[0][0])),
            injections: vectors,
        }
    }

    /// The first words after the first round's sum.
    #[inline(always)]
    fn chains<S: Simd, const GROUPS: usize>(self, s: S) -> [S::V; GROUPS] {
        let ([k0, k1], [c0, c1]) = (halves(self.key), halves(self.counter));
        let sum = k0.wrapping_add(k1).wrapping_add(c0).wrapping_add(c1);
        // `Simd::interleave` returns the first two of every four lanes first, and then the others.
        let mut words = [0_u32; 16];
        let mut block = 0;
        for half in 0..2 {
            for lane in (0..S::WORDS).filter(|lane| lane / 2 % 2 == half) {
                words[lane] = sum.wrapping_add(block);
                block += 1;
            }
        }
        let mut chains = [s.load(&words); GROUPS];
        let step = Self::step(s, 1);
        for group in 1..GROUPS {
            chains[group] = s.add32(chains[group - 1], step);
        }
        chains
    }

    #[inline(always)]
    fn step<S: Simd>(s: S, groups: usize) -> S::V {
        s.splat32(u32::try_from(groups * S::WORDS).expect("groups are few"))
    }

    #[inline(always)]
    fn next<S: Simd>(s: S, sums: S::V, step: S::V) -> S::V {
        s.add32(sums, step)
    }

    #[inline(always)]
    fn groups<S: Simd, const GROUPS: usize>(
        s: S,
        constants: &Constants<S::V>,
        sums: &[S::V; GROUPS],
    ) -> [[S::V; 2]; GROUPS] {
        let mut groups = [[constants.second; 2]; GROUPS];
        for ([x0, x1], &sum) in groups.iter_mut().zip(sums) {
            *x0 = sum;
            *x1 = s.xor(*x1, sum);
        }
        let [even, odd] = ROTATIONS;
        let [first, second, third, fourth, fifth] = constants.injections;
        mix(s, &mut groups, &even[1..], first);
        mix(s, &mut groups, &odd, second);
        mix(s, &mut groups, &even, third);
        mix(s, &mut groups, &odd, fourth);
        mix(s, &mut groups, &even, fifth);
        for words in &mut groups {
            let [x0, x1] = *words;
            *words = s.interleave(x0, x1);
        }
        groups
    }
}

/// Rounds of some groups, and what is added after them.
#[inline(always)]
pub(super) fn mix<S: Simd>(s: S, groups: &mut [[S::V; 2]], rotations: &[u32], [i0, i1]: [S::V; 2]) {
    for &by in rotations {
        for [x0, x1] in &mut *groups {
            *x0 = s.add32(*x0, *x1);
            *x1 = s.xor(s.rotate32(*x1, by), *x0);
        }
    }
    for [x0, x1] in groups {
        *x0 = s.add32(*x0, i0);
        *x1 = s.add32(*x1, i1);
    }
}

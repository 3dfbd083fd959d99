//! The counters of JAX's two orders.
//!
//! Today's order, which JAX calls partitionable, assigns a counter to each element: its number, the high half
//! first. The original order cuts the counts 0 to m - 1 in half, and block j has count j of each half: both words of
//! its counter count. All first words of the blocks come before all second ones.

use super::block::{QUARTETS, ROTATIONS, Threefry, injections};
use super::vectors::mix;
use crate::bits::{halves, join};
use crate::fill::Blocks;
use crate::level::Level;
use crate::simd::{Kernel, Simd};

/// Blocks whose counter counts in its second word. `BOTH`: in its first one as well, else that takes the carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted<const BOTH: bool> {
    pub(crate) key: u64,
    /// The first and the second word of the first block's counter.
    pub(crate) counter: [u32; 2],
}

impl<const BOTH: bool> Counted<BOTH> {
    #[inline(always)]
    fn skipped(self, blocks: u64) -> Self {
        let [first, second] = self.counter;
        let counter = if BOTH {
            // Counts are of 32 bits and wrap each by itself.
            let [by, _] = halves(blocks);
            [first.wrapping_add(by), second.wrapping_add(by)]
        } else {
            let [second, first] = halves(join(first, second).wrapping_add(blocks));
            [first, second]
        };
        Self { counter, ..self }
    }

    /// The words of the first block.
    #[inline(always)]
    pub(crate) fn block(self) -> [u32; 2] {
        let [first, second] = self.counter;
        let counter = join(second, first);
        Threefry {
            key: self.key,
            counter,
        }
        .block(0)
    }

    #[inline(always)]
    fn constants<S: Simd>(self, s: S) -> Constants<S::V> {
        let ([k0, k1], [first, second]) = (halves(self.key), self.counter);
        let first = first.wrapping_add(k0);
        // Where both words count, the first is as far from the second in every block.
        let base = if BOTH {
            first.wrapping_sub(second.wrapping_add(k1))
        } else {
            first
        };
        let mut vectors = [[s.splat32(0); 2]; QUARTETS];
        for (vectors, [i0, i1]) in vectors.iter_mut().zip(injections(self.key)) {
            *vectors = [s.splat32(i0), s.splat32(i1)];
        }
        Constants {
            base: s.splat32(base),
            injections: vectors,
        }
    }

    /// The second words of the counters of the first vectors of blocks `apart` blocks from each other, with the key's
    /// word added. Lane `lane` is block `block(lane)`.
    #[inline(always)]
    fn seconds<S: Simd, const VECTORS: usize>(
        self,
        s: S,
        apart: usize,
        block: impl Fn(usize) -> usize,
    ) -> [S::V; VECTORS] {
        let second = self.counter[1].wrapping_add(halves(self.key)[1]);
        let mut words = [0_u32; 16];
        for (lane, word) in words.iter_mut().enumerate().take(S::WORDS) {
            *word = second.wrapping_add(few(block(lane)));
        }
        let mut seconds = [s.load(&words); VECTORS];
        for vector in 1..VECTORS {
            seconds[vector] = s.add32(seconds[vector - 1], s.splat32(few(apart)));
        }
        seconds
    }
}

/// A number of blocks of some vectors.
#[inline(always)]
fn few(blocks: usize) -> u32 {
    u32::try_from(blocks).expect("vectors are few")
}

/// The values that all blocks of a segment share.
pub(crate) struct Constants<V> {
    /// What the first round adds to the second word: the first word with the key's, or that less the second.
    base: V,
    injections: [[V; 2]; QUARTETS],
}

/// The words of blocks whose counters have these second words.
#[inline(always)]
fn rounds<S: Simd, const BOTH: bool>(s: S, constants: &Constants<S::V>, words: &mut [[S::V; 2]]) {
    let [even, odd] = ROTATIONS;
    for [x0, x1] in &mut *words {
        let sum = s.add32(*x1, constants.base);
        *x0 = if BOTH { s.add32(sum, *x1) } else { sum };
        *x1 = s.xor(s.rotate32(*x1, even[0]), *x0);
    }
    let [first, second, third, fourth, fifth] = constants.injections;
    mix(s, words, &even[1..], first);
    mix(s, words, &odd, second);
    mix(s, words, &even, third);
    mix(s, words, &odd, fourth);
    mix(s, words, &even, fifth);
}

/// Both words of each block, in order.
impl<const BOTH: bool> Blocks for Counted<BOTH> {
    type Words = [u32; 2];
    const WORDS: usize = 2;

    #[inline(always)]
    fn skip(self, blocks: u64) -> Self {
        self.skipped(blocks)
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        self.counter[1]
    }

    #[inline(always)]
    fn first(self) -> [u32; 2] {
        self.block()
    }

    type Constants<V: Copy> = Constants<V>;

    #[inline(always)]
    fn constants<S: Simd>(self, s: S) -> Constants<S::V> {
        self.constants(s)
    }

    #[inline(always)]
    fn chains<S: Simd, const GROUPS: usize>(self, s: S) -> [S::V; GROUPS] {
        // `Simd::interleave` returns the first two of every four lanes first, and then the others.
        self.seconds(s, S::WORDS, |lane| {
            lane / 4 * 2 + lane % 2 + lane / 2 % 2 * (S::WORDS / 2)
        })
    }

    #[inline(always)]
    fn step<S: Simd>(s: S, groups: usize) -> S::V {
        s.splat32(few(groups * S::WORDS))
    }

    #[inline(always)]
    fn next<S: Simd>(s: S, seconds: S::V, step: S::V) -> S::V {
        s.add32(seconds, step)
    }

    #[inline(always)]
    fn groups<S: Simd, const GROUPS: usize>(
        s: S,
        constants: &Constants<S::V>,
        seconds: &[S::V; GROUPS],
    ) -> [[S::V; 2]; GROUPS] {
        let mut groups = [[constants.base; 2]; GROUPS];
        for (words, &second) in groups.iter_mut().zip(seconds) {
            words[1] = second;
        }
        rounds::<S, BOTH>(s, constants, &mut groups);
        for words in &mut groups {
            let [x0, x1] = *words;
            *words = s.interleave(x0, x1);
        }
        groups
    }
}

/// One word of each block: the exclusive or of both. An element of today's order that has up to 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixed(pub(crate) Counted<false>);

impl Blocks for Mixed {
    type Words = [u32; 1];
    const WORDS: usize = 1;

    #[inline(always)]
    fn skip(self, blocks: u64) -> Self {
        Self(self.0.skipped(blocks))
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        self.0.counter[1]
    }

    #[inline(always)]
    fn first(self) -> [u32; 1] {
        let [first, second] = self.0.block();
        [first ^ second]
    }

    type Constants<V: Copy> = Constants<V>;

    #[inline(always)]
    fn constants<S: Simd>(self, s: S) -> Constants<S::V> {
        self.0.constants(s)
    }

    /// A group is two vectors of blocks; the offset of a group is that of its first.
    #[inline(always)]
    fn chains<S: Simd, const GROUPS: usize>(self, s: S) -> [S::V; GROUPS] {
        self.0.seconds(s, 2 * S::WORDS, |lane| lane)
    }

    #[inline(always)]
    fn step<S: Simd>(s: S, groups: usize) -> S::V {
        s.splat32(few(2 * groups * S::WORDS))
    }

    #[inline(always)]
    fn next<S: Simd>(s: S, seconds: S::V, step: S::V) -> S::V {
        s.add32(seconds, step)
    }

    #[inline(always)]
    fn groups<S: Simd, const GROUPS: usize>(
        s: S,
        constants: &Constants<S::V>,
        seconds: &[S::V; GROUPS],
    ) -> [[S::V; 2]; GROUPS] {
        let mut words = [[[constants.base; 2]; 2]; GROUPS];
        for ([a, b], &second) in words.iter_mut().zip(seconds) {
            a[1] = second;
            b[1] = s.add32(second, s.splat32(few(S::WORDS)));
        }
        rounds::<S, false>(s, constants, words.as_flattened_mut());
        let mut groups = [[constants.base; 2]; GROUPS];
        for (group, [[a0, a1], [b0, b1]]) in groups.iter_mut().zip(words) {
            *group = [s.xor(a0, a1), s.xor(b0, b1)];
        }
        groups
    }
}

/// Fills `first` with the first words of blocks and `second` with the second ones, as far as each reaches, on this
/// thread. `first` is the longer.
pub(crate) fn fill_apart(level: Level, blocks: Counted<true>, first: &mut [u8], second: &mut [u8]) {
    level.run(Apart {
        blocks,
        first,
        second,
    });
}

struct Apart<'a> {
    blocks: Counted<true>,
    first: &'a mut [u8],
    second: &'a mut [u8],
}

impl Kernel for Apart<'_> {
    type Output = ();

    fn scalar(self) {
        let mut blocks = self.blocks;
        let mut seconds = self.second.chunks_mut(4);
        for first in self.first.chunks_mut(4) {
            let words = blocks.block().map(u32::to_le_bytes);
            first.copy_from_slice(&words[0][..first.len()]);
            if let Some(second) = seconds.next() {
                second.copy_from_slice(&words[1][..second.len()]);
            }
            blocks = blocks.skipped(1);
        }
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        // As many vectors as keep the level busy, for the reason that `fill` has for Threefry.
        if S::WORDS == 16 {
            self.vectors::<S, 8>(s);
        } else {
            self.vectors::<S, 7>(s);
        }
    }
}

impl Apart<'_> {
    #[inline(always)]
    fn vectors<S: Simd, const VECTORS: usize>(self, s: S) {
        let Self {
            blocks,
            first,
            second,
        } = self;
        let bytes = VECTORS * size_of::<S::V>();
        let constants = blocks.constants(s);
        let mut seconds: [_; VECTORS] = blocks.seconds(s, S::WORDS, |lane| lane);
        let step = s.splat32(few(VECTORS * S::WORDS));
        let (mut rest, mut places) = (first, second);
        while !rest.is_empty() {
            let mut words = [[constants.base; 2]; VECTORS];
            for (words, second) in words.iter_mut().zip(&mut seconds) {
                words[1] = *second;
                *second = s.add32(*second, step);
            }
            rounds::<S, true>(s, &constants, &mut words);
            let (first, second);
            (first, rest) = rest.split_at_mut(bytes.min(rest.len()));
            (second, places) = places.split_at_mut(bytes.min(places.len()));
            if first.len() == bytes && second.len() == bytes {
                let places = first
                    .chunks_exact_mut(size_of::<S::V>())
                    .zip(second.chunks_exact_mut(size_of::<S::V>()));
                for ((first, second), [x0, x1]) in places.zip(words) {
                    s.store(first, x0);
                    s.store(second, x1);
                }
                continue;
            }
            let mut all = [[0_u8; 512]; 2];
            for (vector, [x0, x1]) in words.into_iter().enumerate() {
                s.store(&mut all[0][vector * size_of::<S::V>()..], x0);
                s.store(&mut all[1][vector * size_of::<S::V>()..], x1);
            }
            first.copy_from_slice(&all[0][..first.len()]);
            second.copy_from_slice(&all[1][..second.len()]);
        }
    }
}

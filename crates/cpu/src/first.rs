//! A few early words of many seeds, which distinguish nearly all of them: one block of Philox for each seed, or the
//! part of MT19937's seeding that the words need. A search for a seed computes only these at first.

use crate::level::Level;
use crate::mt19937::{self, Mt19937};
use crate::philox::{M0, M1, Philox, ROUNDS, W0, W1};
use crate::simd::{Kernel, Simd};

/// The first two words of Philox4x32-10 under a counter, for consecutive keys from `key` on: those of each key
/// at its place in both lists.
///
/// # Panics
/// Unless both lists have the same length.
pub fn philox(level: Level, key: u64, counter: u128, words: [&mut [u32]; 2]) {
    assert_eq!(words[0].len(), words[1].len(), "each key has two words");
    let [mut first, mut second] = words;
    let mut key = key;
    // Split where the low word of the key wraps: in each part the high word is a constant of the kernel.
    while !first.is_empty() {
        let left = usize::try_from(0x1_0000_0000 - (key & 0xffff_ffff)).unwrap_or(usize::MAX);
        let run = left.min(first.len());
        let (now, later) = first.split_at_mut(run);
        let (now2, later2) = second.split_at_mut(run);
        level.run(Keys {
            key,
            counter,
            words: [now, now2],
        });
        (first, second) = (later, later2);
        key = key.wrapping_add(u64::try_from(run).expect("a length fits 64 bits"));
    }
}

/// The words of MT19937 at some places, for consecutive seeds from `seed` on: a list of words for each place. The cost is that of
/// the seeding up to the last place, so that the words at the other places are nearly free.
///
/// # Panics
/// Unless the lists have the same length, and the places are at most 40, ascending and below 200.
pub fn mt19937(level: Level, seed: u32, places: &[usize], words: &mut [Vec<u32>]) {
    assert_eq!(places.len(), words.len(), "each place has its words");
    assert!(places.len() <= mt19937::PLACES && places.is_sorted_by(|a, b| a < b));
    assert!(
        places.last().is_none_or(|&last| last < 200),
        "the words after are made of new ones"
    );
    let count = words.first().map_or(0, Vec::len);
    assert!(
        words.iter().all(|it| it.len() == count),
        "each seed has each word"
    );
    level.run(Seeds { seed, places, words });
}

/// Keys whose high words are the same.
struct Keys<'a> {
    key: u64,
    counter: u128,
    words: [&'a mut [u32]; 2],
}

impl Kernel for Keys<'_> {
    type Output = ();

    fn scalar(self) {
        let [first, second] = self.words;
        for ((first, second), key) in first.iter_mut().zip(second).zip(self.key..=u64::MAX) {
            let block = Philox {
                key,
                counter: self.counter,
            }
            .block(0);
            [*first, *second] = [block[0], block[1]];
        }
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let [first, second] = self.words;
        // Two vectors of 64-bit lanes, the even keys and the odd ones, make one of words.
        let step = S::WORDS;
        let (firsts, rest) = first.split_at_mut(first.len() / step * step);
        let (seconds, rest2) = second.split_at_mut(firsts.len());
        let keys: [[u64; 16]; 2] = std::array::from_fn(|odd| {
            let lane = |lane: usize| u64::try_from(2 * lane + odd).expect("a vector has few lanes");
            std::array::from_fn(|i| (self.key & 0xffff_ffff) + lane(i))
        });
        let [mut even, mut odd] = [s.load(&keys[0]), s.load(&keys[1])];
        let next = s.splat64(u64::try_from(step).expect("a vector has few lanes"));
        for (first, second) in firsts.chunks_exact_mut(step).zip(seconds.chunks_exact_mut(step)) {
            let [a, b] = rounds(s, [even, odd], self.key >> 32, self.counter);
            s.store(first, s.high_halves(s.shl64(a[0], 32), s.shl64(b[0], 32)));
            s.store(second, s.high_halves(s.shl64(a[1], 32), s.shl64(b[1], 32)));
            (even, odd) = (s.add64(even, next), s.add64(odd, next));
        }
        let done = u64::try_from(firsts.len()).expect("a length fits 64 bits");
        let rest = Keys {
            key: self.key.wrapping_add(done),
            counter: self.counter,
            words: [rest, rest2],
        };
        rest.scalar();
    }
}

/// The first two words of the blocks of two vectors of keys, in the low halves of the lanes.
#[inline(always)]
fn rounds<S: Simd>(s: S, keys: [S::V; 2], high: u64, counter: u128) -> [[S::V; 2]; 2] {
    let [low64, high64] = [counter, counter >> 64];
    let word = |half: u128, shift: u32| {
        s.splat64(u64::try_from(half >> shift & 0xffff_ffff).expect("it has 32 bits"))
    };
    let counter = [word(low64, 0), word(low64, 32), word(high64, 0), word(high64, 32)];
    let [m0, m1] = [M0, M1].map(|constant| s.splat64(u64::from(constant)));
    let [w0, w1] = [W0, W1].map(|constant| s.splat64(u64::from(constant)));
    let mut blocks = [counter; 2];
    let (mut low, mut high) = (keys, s.splat64(high));
    for _ in 0..ROUNDS {
        for (block, key) in blocks.iter_mut().zip(low) {
            let [c0, c1, c2, c3] = *block;
            // Whatever is in the high halves of lanes does no harm, since a product uses only low halves.
            let (p0, p1) = (s.mul(c0, m0), s.mul(c2, m1));
            *block = [
                s.xor(s.shr64(p1, 32), s.xor(c1, key)),
                p1,
                s.xor(s.shr64(p0, 32), s.xor(c3, high)),
                p0,
            ];
        }
        low = low.map(|key| s.add64(key, w0));
        high = s.add64(high, w1);
    }
    blocks.map(|[c0, c1, ..]| [c0, c1])
}

/// Seeds of MT19937.
struct Seeds<'a> {
    seed: u32,
    places: &'a [usize],
    words: &'a mut [Vec<u32>],
}

impl Seeds<'_> {
    fn one_by_one(self, from: usize) {
        let needed = self.places.last().map_or(0, |last| last + 1);
        let count = self.words.first().map_or(0, Vec::len);
        for i in from..count {
            let mut first = [0; 200];
            let offset = u32::try_from(i).expect("a step has few seeds");
            Mt19937::new(self.seed.wrapping_add(offset), needed).next(&mut first[..needed]);
            for (words, &place) in self.words.iter_mut().zip(self.places) {
                words[i] = first[place];
            }
        }
    }
}

impl Kernel for Seeds<'_> {
    type Output = ();

    fn scalar(self) {
        self.one_by_one(0);
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        // Seeding is a chain of dependent products with a latency of ten cycles each. Four chains
        // fill the time between them.
        const CHAINS: usize = 4;
        let step = CHAINS * S::WORDS;
        let count = self.words.first().map_or(0, Vec::len) / step * step;
        let mut seed = self.seed;
        for from in (0..count).step_by(step) {
            let mut seeds = [[0; 16]; CHAINS];
            for (chain, seeds) in seeds.iter_mut().enumerate() {
                for (lane, word) in seeds.iter_mut().enumerate() {
                    let place = u32::try_from(chain * S::WORDS + lane).expect("a vector has few lanes");
                    *word = seed.wrapping_add(place);
                }
            }
            let seeds = seeds.map(|seeds| s.load(&seeds));
            mt19937::at_places(s, seeds, self.places, self.words, from);
            seed = seed.wrapping_add(u32::try_from(step).expect("a vector has few lanes"));
        }
        self.one_by_one(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Vec<Level> {
        Level::detect().into_iter().chain(Level::emulated()).collect()
    }

    #[test]
    fn first_words_are_the_same_at_every_level() {
        for level in levels() {
            for (key, counter) in [
                (7, 0),
                (0xffff_fff0, 10_u128 << 64 | 5),
                (u64::MAX - 90, u128::MAX),
            ] {
                let (mut first, mut second) = (vec![0; 77], vec![0; 77]);
                philox(level, key, counter, [&mut first, &mut second]);
                for (i, words) in (0..).zip(first.iter().zip(&second)) {
                    let block = Philox {
                        key: key + i,
                        counter,
                    }
                    .block(0);
                    assert_eq!([*words.0, *words.1], block[..2], "{} {i}", level.name());
                }
            }
            for seed in [0, 5489, u32::MAX - 40] {
                let places = [0, 1, 8, 17, 199];
                let mut words = vec![vec![0; 150]; places.len()];
                mt19937(level, seed, &places, &mut words);
                for i in 0..150 {
                    let mut right = [0; 200];
                    Mt19937::new(seed.wrapping_add(i), 200).next(&mut right);
                    let i = usize::try_from(i).unwrap();
                    let made: Vec<u32> = words.iter().map(|words| words[i]).collect();
                    assert_eq!(made, places.map(|place| right[place]), "{} {i}", level.name());
                }
            }
        }
    }
}

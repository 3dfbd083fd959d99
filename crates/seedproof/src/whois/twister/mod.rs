//! MT19937 whose seeding, twist and tempering can each be another than the standard one.

pub(super) mod slips;

use std::iter;

const N: usize = 624;

/// A step of the tempering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    is_left: bool,
    is_signed: bool,
    by: u32,
    mask: u32,
    /// Whether the mask is applied before the shift.
    is_masked_first: bool,
}

/// How a word of the state is made from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seeding {
    Standard,
    IndexLeftOut,
    IndexFrom(u32),
    IndexXored,
    IndexInside,
    ShiftLeftOut,
    Precedence,
    /// In f64, as a port to JavaScript does: the product is rounded to 53 bits.
    Double,
    /// In 64 bits: the state is not cut to 32 bits from word to word.
    Uncut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parity {
    Next,
    Current,
    Joined,
    Even,
    Always,
    Never,
}

/// The generator with its steps, which are the standard ones by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mt {
    seeding: Seeding,
    multiplier: u32,
    seed_shift: u32,
    is_seed_signed: bool,
    middle: usize,
    wrap: usize,
    upper: u32,
    lower: u32,
    parity: Parity,
    twist_shift: u32,
    is_twist_signed: bool,
    from_copy: bool,
    steps: [Step; 4],
}

const fn step(is_left: bool, by: u32, mask: u32) -> Step {
    Step {
        is_left,
        is_signed: false,
        by,
        mask,
        is_masked_first: false,
    }
}

/// Twist and tempering are those of Matsumoto and Nishimura (1998). The seeding is that of their revision of 2002.
const STANDARD: Mt = Mt {
    seeding: Seeding::Standard,
    multiplier: 1_812_433_253,
    seed_shift: 30,
    is_seed_signed: false,
    middle: 397,
    wrap: N,
    upper: 0x8000_0000,
    lower: 0x7fff_ffff,
    parity: Parity::Next,
    twist_shift: 1,
    is_twist_signed: false,
    from_copy: false,
    steps: [
        step(false, 11, u32::MAX),
        step(true, 7, 0x9d2c_5680),
        step(true, 15, 0xefc6_0000),
        step(false, 18, u32::MAX),
    ],
};

impl Default for Mt {
    fn default() -> Self {
        STANDARD
    }
}

fn shifted(word: u32, by: u32, is_signed: bool) -> u32 {
    if is_signed {
        (word.cast_signed() >> by).cast_unsigned()
    } else {
        word >> by
    }
}

impl Mt {
    /// The first state of a seed, as far as `count` words of output need it.
    fn seeded(&self, seed: u32, count: usize) -> Vec<u32> {
        // Word i of the output is made of the state's words i, i + 1 and i + middle.
        let needed = (count + self.middle + 1).min(N);
        let mut state = Vec::with_capacity(N);
        state.push(seed);
        let mut wide = u64::from(seed);
        for i in (1_u32..).take(needed - 1) {
            let last = state[state.len() - 1];
            let mixed = last ^ shifted(last, self.seed_shift, self.is_seed_signed);
            let times = |word: u32| self.multiplier.wrapping_mul(word);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "these are the casts of the programs that are imitated"
            )]
            let word = match self.seeding {
                Seeding::Standard => times(mixed).wrapping_add(i),
                Seeding::IndexLeftOut => times(mixed),
                Seeding::IndexFrom(first) => times(mixed).wrapping_add(i - 1).wrapping_add(first),
                Seeding::IndexXored => times(mixed) ^ i,
                Seeding::IndexInside => times(mixed.wrapping_add(i)),
                Seeding::ShiftLeftOut => times(last).wrapping_add(i),
                Seeding::Precedence => times(last) ^ (last >> 30).wrapping_add(i),
                Seeding::Double => {
                    ((f64::from(self.multiplier) * f64::from(mixed) + f64::from(i)) % 4_294_967_296.0) as u32
                }
                Seeding::Uncut => {
                    wide = u64::from(self.multiplier)
                        .wrapping_mul(wide ^ wide >> 30)
                        .wrapping_add(u64::from(i));
                    wide as u32
                }
            };
            state.push(word);
        }
        state.resize(N, 0);
        state
    }

    /// Replaces the state by the next one, of which the first `count` words are computed.
    #[inline(always)]
    fn twist(&self, state: &mut [u32], count: usize) {
        let old = self.from_copy.then(|| state.to_vec());
        for i in 0..count.min(N) {
            let from = old.as_deref().unwrap_or(state);
            let (current, next) = (from[i], from[(i + 1) % N]);
            let far = i + self.middle;
            let middle = from[if far < N { far } else { far - self.wrap }];
            let joined = current & self.upper | next & self.lower;
            let is_odd = match self.parity {
                Parity::Next => next & 1 == 1,
                Parity::Current => current & 1 == 1,
                Parity::Joined => joined & 1 == 1,
                Parity::Even => next & 1 == 0,
                Parity::Always => true,
                Parity::Never => false,
            };
            let matrix = if is_odd { 0x9908_b0df } else { 0 };
            state[i] = middle ^ shifted(joined, self.twist_shift, self.is_twist_signed) ^ matrix;
        }
    }

    #[inline(always)]
    fn temper(&self, word: u32) -> u32 {
        self.steps.iter().fold(word, |word, step| {
            let masked = if step.is_masked_first {
                word & step.mask
            } else {
                word
            };
            let moved = if step.is_left {
                masked << step.by
            } else {
                shifted(masked, step.by, step.is_signed)
            };
            word ^ if step.is_masked_first {
                moved
            } else {
                moved & step.mask
            }
        })
    }

    /// The first words of a seed.
    pub(super) fn words(&self, seed: u32, count: usize) -> Vec<u32> {
        self.drawn(self.seeded(seed, count), count)
    }

    /// The first words of a seed that is a list: `init_by_array` of the authors.
    pub(super) fn words_of_list(&self, list: &[u32], count: usize) -> Vec<u32> {
        let mut state = self.seeded(19_650_218, N);
        let mut at = 1;
        let mut mixed = |multiplier: u32, change: &dyn Fn(u32, usize) -> u32| {
            let last = state[at - 1];
            state[at] = change(state[at] ^ (last ^ last >> 30).wrapping_mul(multiplier), at);
            at += 1;
            if at == N {
                state[0] = state[N - 1];
                at = 1;
            }
        };
        for (&word, place) in list.iter().zip(0_u32..).cycle().take(N.max(list.len())) {
            mixed(1_664_525, &|state, _| {
                state.wrapping_add(word).wrapping_add(place)
            });
        }
        for _ in 1..N {
            let less = |state: u32, at: usize| state.wrapping_sub(u32::try_from(at).unwrap_or(0));
            mixed(1_566_083_941, &less);
        }
        state[0] = 0x8000_0000;
        self.drawn(state, count)
    }

    /// The first words after R's `set.seed`, which fills the state from a congruential generator.
    ///
    /// Source: `RNG_Init` in R's `src/main/RNG.c`.
    pub(super) fn words_of_r(&self, seed: u32, count: usize) -> Vec<u32> {
        /// The numbers that are dropped: fifty to scramble the seed, and one in the place of the position.
        const DROPPED: usize = 51;
        let next = |number: &u32| Some(number.wrapping_mul(69_069).wrapping_add(1));
        let numbers = iter::successors(next(&seed), next);
        self.drawn(numbers.skip(DROPPED).take(N).collect(), count)
    }

    fn drawn(&self, state: Vec<u32>, count: usize) -> Vec<u32> {
        // A million words are drawn of the standard generator, whose steps have no branches where its fields are constants.
        if *self == STANDARD {
            return STANDARD.made(state, count);
        }
        self.made(state, count)
    }

    #[inline(always)]
    fn made(&self, mut state: Vec<u32>, count: usize) -> Vec<u32> {
        let mut words = Vec::with_capacity(count);
        while words.len() < count {
            let left = count - words.len();
            self.twist(&mut state, left);
            words.extend(state.iter().take(left).map(|&word| self.temper(word)));
        }
        words
    }

    /// The first words of a seed before they are tempered.
    fn untempered(&self, seed: u32, count: usize) -> Vec<u32> {
        let plain = Self {
            steps: [Step {
                is_left: false,
                is_signed: false,
                by: 0,
                mask: 0,
                is_masked_first: false,
            }; 4],
            ..self.clone()
        };
        plain.words(seed, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mt_gives_the_known_answers() {
        let words = Mt::default().words(5489, 10_000);
        assert_eq!((words[0], words[9_999]), (3_499_211_612, 4_123_659_995));
        assert_eq!(Mt::default().words(0, 625)[624], 341_544_762);
        // mt19937ar.out of the authors.
        let listed = Mt::default().words_of_list(&[0x123, 0x234, 0x345, 0x456], 1000);
        assert_eq!((listed[0], listed[999]), (1_067_595_299, 3_460_025_646));
    }
}

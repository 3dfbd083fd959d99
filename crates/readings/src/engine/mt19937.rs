//! The Mersenne Twister under a reading's answers, and `std::seed_seq`.

use super::mt64::Mt64;
use super::philox::split_64;
use crate::answers::{
    CallBegins, Generation, Matrix, Middle, Mt, MtSeeding, MtWidth, Temper, TemperMasks, Twist, TwistWrap,
};

const N: usize = 624;
const M: usize = 397;

#[derive(Clone, Debug)]
pub(super) struct Mt19937 {
    answers: Mt,
    /// The twister of 64 bits that it is by mistake.
    wide: Option<Box<Mt64>>,
    state: Vec<u32>,
    index: usize,
    /// The state before this generation, whose words are renewed as they are asked for: a search asks most candidates for
    /// sixteen words. `None` while the words are handed out as they were seeded.
    before: Option<Before>,
}

/// What a renewal reads of the state before it.
#[derive(Clone, Debug)]
struct Before {
    first: u32,
    /// All of it, where words are renewed from a copy.
    copy: Option<Vec<u32>>,
}

impl Mt19937 {
    /// Seeded with one word, or under [`MtSeeding::SeedSeq`] with two.
    pub(super) fn new(answers: &Mt, seed: u32, second: u32) -> Self {
        let state = match answers.seeding {
            MtSeeding::InitByArray => init_by_array(&[seed]),
            MtSeeding::SeedSeq => seed_seq(&[seed, second]),
            MtSeeding::SeedSeqOfOne => seed_seq(&[seed]),
            MtSeeding::ScrambledR => scrambled_by_r(seed),
            seeding => recursive(seed, |i, s| match seeding {
                MtSeeding::Precedence => 1812433253_u32.wrapping_mul(s) ^ (s >> 30).wrapping_add(i),
                MtSeeding::IndexForgotten => 1812433253_u32.wrapping_mul(s ^ s >> 30),
                MtSeeding::SignedShift => {
                    let shifted = (s.cast_signed() >> 30).cast_unsigned();
                    1812433253_u32.wrapping_mul(s ^ shifted).wrapping_add(i)
                }
                MtSeeding::Knuth1998 => 69069_u32.wrapping_mul(s),
                _ => genrand_step(i, s),
            }),
        };
        let index = match answers.twist {
            Twist::AfterFirst => 0,
            _ => N,
        };
        let wide = match answers.width {
            MtWidth::Narrow => None,
            MtWidth::WideLow | MtWidth::WideHigh => Some(Box::new(Mt64::new(u64::from(seed)))),
        };
        Self {
            answers: answers.clone(),
            wide,
            state,
            index,
            before: None,
        }
    }

    /// Seeded with an array of words.
    pub(super) fn of_array(answers: &Mt, key: &[u32]) -> Self {
        Self::of_state(answers, init_by_array(key), N)
    }

    /// With a state that is made elsewhere, at a place in it: 624 is past its end.
    pub(super) fn of_state(answers: &Mt, state: Vec<u32>, index: usize) -> Self {
        Self {
            answers: answers.clone(),
            wide: None,
            state,
            index,
            before: None,
        }
    }

    /// Leaves the generator where a later call takes it up.
    pub(super) fn end_call(&mut self) {
        if self.answers.call == CallBegins::Twist {
            while self.index > 0 && self.index < self.end() {
                self.next();
            }
        }
    }

    /// Skips the words of earlier calls, each of which took `words`.
    pub(super) fn skip_calls(&mut self, calls: u32, words: u64) {
        for _ in 0..calls {
            self.skip(words);
            self.end_call();
        }
    }

    /// Skips words. Those of large outputs are millions, so that whole generations are twisted at once where nothing in them is
    /// unusual.
    pub(super) fn skip(&mut self, mut words: u64) {
        const GENERATION: u64 = 624;
        let usual = Mt::default();
        let is_usual = self.wide.is_none()
            && self.answers.twist == usual.twist
            && self.answers.twist_wrap == usual.twist_wrap
            && self.answers.middle == usual.middle
            && self.answers.matrix == usual.matrix
            && self.answers.generation == usual.generation;
        while words > 0 {
            if is_usual && self.index == N && words >= GENERATION {
                self.renew_all();
                words -= GENERATION;
            } else {
                self.next();
                words -= 1;
            }
        }
    }

    /// Twists all words of a generation, as [`Self::renew`] does by default. The loops have no branch, so that they are vectorised.
    fn renew_all(&mut self) {
        let state = &mut self.state;
        let twisted = |current: u32, next: u32, middle: u32| {
            let mixed = (current & 0x8000_0000) | (next & 0x7fff_ffff);
            middle ^ mixed >> 1 ^ ((next & 1) * 0x9908_b0df)
        };
        for i in 0..N - M {
            state[i] = twisted(state[i], state[i + 1], state[i + M]);
        }
        for i in N - M..N - 1 {
            state[i] = twisted(state[i], state[i + 1], state[i + M - N]);
        }
        state[N - 1] = twisted(state[N - 1], state[0], state[M - 1]);
    }

    pub(super) fn next(&mut self) -> u32 {
        if let Some(wide) = &mut self.wide {
            let [low, high] = split_64(wide.next());
            return match self.answers.width {
                MtWidth::WideHigh => high,
                _ => low,
            };
        }
        if self.index >= self.end() {
            // The words that were not handed out are made all the same.
            for i in self.index..N {
                self.renew(i);
            }
            let is_copied = matches!(self.answers.twist, Twist::FromCopy | Twist::Steps(_));
            let copy = is_copied.then(|| self.state.clone());
            let first = self.state[0];
            self.before = Some(Before { first, copy });
            self.index = 0;
        }
        self.renew(self.index);
        let word = self.state[self.index];
        self.index += 1;
        self.temper(word)
    }

    /// The number of words of a generation that are handed out.
    const fn end(&self) -> usize {
        match self.answers.generation {
            Generation::Whole => N,
            Generation::LastLost => N - 1,
        }
    }

    /// Twists one word. Those of a generation are twisted in their order.
    fn renew(&mut self, i: usize) {
        let Some(before) = &self.before else {
            return;
        };
        let wrap = match self.answers.twist_wrap {
            TwistWrap::At624 => N,
            TwistWrap::At623 => N - 1,
            TwistWrap::At623ButLast => N - usize::from(i + 1 < N),
        };
        let ahead = match self.answers.middle {
            Middle::Ahead397 => M,
            Middle::Other(number) => usize::try_from(number).map_or(M, |number| number.min(N - 1)),
        };
        let matrix = match self.answers.matrix {
            Matrix::Usual => 0x9908_b0df,
            Matrix::Other(constant) => constant,
        };
        let copy = before.copy.as_ref();
        let from = match self.answers.twist {
            Twist::Steps(_) => &self.state,
            _ => copy.unwrap_or(&self.state),
        };
        let current = from[i];
        let next = match self.answers.twist {
            Twist::LastFromOld if i == N - 1 => before.first,
            _ => from[(i + 1) % N],
        };
        let middle = if i + ahead < N {
            from[i + ahead]
        } else {
            // Elsewhere the words in the middle lie further ahead than a step writes, or were renewed in an earlier step.
            let is_ahead = |size: u32| {
                let size = usize::try_from(size).unwrap_or(N);
                i / size == (N - ahead) / size
            };
            match (self.answers.twist, copy) {
                (Twist::Steps(size), Some(copy)) if is_ahead(size) => copy[i + ahead - wrap],
                _ => from[i + ahead - wrap],
            }
        };
        let mixed = match self.answers.twist {
            Twist::MasksExchanged => (current & 0x7fff_ffff) | (next & 0x8000_0000),
            _ => (current & 0x8000_0000) | (next & 0x7fff_ffff),
        };
        let odd = match self.answers.twist {
            Twist::ParityOfCurrent => current & 1,
            _ => next & 1,
        };
        self.state[i] = middle ^ mixed >> 1 ^ (odd * matrix);
    }

    fn temper(&self, mut y: u32) -> u32 {
        let temper = self.answers.temper;
        if temper == Temper::Omitted {
            return y;
        }
        let (first, last) = match temper {
            Temper::ShiftsExchanged => (18, 11),
            _ => (11, 18),
        };
        let (b, c) = match (self.answers.masks, temper) {
            (TemperMasks::First(constant), _) => (constant, 0xefc6_0000),
            (TemperMasks::Second(constant), _) => (0x9d2c_5680, constant),
            (TemperMasks::Usual, Temper::MasksExchanged) => (0xefc6_0000, 0x9d2c_5680),
            (TemperMasks::Usual, _) => (0x9d2c_5680, 0xefc6_0000),
        };
        let shifted = |y: u32, by: u32, one: Temper| {
            if temper == Temper::SignedShifts || temper == one {
                (y.cast_signed() >> by).cast_unsigned()
            } else {
                y >> by
            }
        };
        y ^= shifted(y, first, Temper::FirstSigned);
        y ^= (y << 7) & b;
        y ^= (y << 15) & c;
        if temper == Temper::LastOmitted {
            return y;
        }
        y ^ shifted(y, last, Temper::LastSigned)
    }
}

fn genrand_step(i: u32, s: u32) -> u32 {
    1812433253_u32.wrapping_mul(s ^ s >> 30).wrapping_add(i)
}

/// The state that `set.seed` of R fills: the seed takes fifty steps, and the first word after them is the place in the
/// state, which starts at its end.
fn scrambled_by_r(seed: u32) -> Vec<u32> {
    let step = |word: &u32| Some(69069_u32.wrapping_mul(*word).wrapping_add(1));
    std::iter::successors(Some(seed), step).skip(52).take(N).collect()
}

/// 624 words, each from its index and the word before it.
fn recursive(seed: u32, step: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let mut state = Vec::with_capacity(N);
    let mut word = seed;
    state.push(word);
    for i in (1_u32..).take(N - 1) {
        word = step(i, word);
        state.push(word);
    }
    state
}

/// `init_by_array` of mt19937ar, for a key of a word or more.
pub(super) fn init_by_array(key: &[u32]) -> Vec<u32> {
    let mut state = recursive(19650218, genrand_step);
    let mut i = 1;
    let advance = |state: &mut Vec<u32>, i: usize| {
        if i + 1 < N {
            return i + 1;
        }
        state[0] = state[N - 1];
        1
    };
    for (&word, j) in key.iter().zip(0_u32..).cycle().take(N.max(key.len())) {
        let last = state[i - 1];
        state[i] = (state[i] ^ (last ^ last >> 30).wrapping_mul(1664525))
            .wrapping_add(word)
            .wrapping_add(j);
        i = advance(&mut state, i);
    }
    for _ in 1..N {
        let last = state[i - 1];
        let index = u32::try_from(i).expect("an index below 624");
        state[i] = (state[i] ^ (last ^ last >> 30).wrapping_mul(1566083941)).wrapping_sub(index);
        i = advance(&mut state, i);
    }
    state[0] = 0x8000_0000;
    state
}

/// The output of `std::seed_seq` for 624 words (C++ [rand.util.seedseq]), and the rule of
/// `std::mersenne_twister_engine` that the state be not all zero.
fn seed_seq(seeds: &[u32]) -> Vec<u32> {
    const T: usize = 11;
    const P: usize = (N - T) / 2;
    const Q: usize = P + T;
    let scramble = |x: u32| x ^ x >> 27;
    let mut state = vec![0x8b8b_8b8b_u32; N];
    let indexed = |k: usize| u32::try_from(k % N).expect("an index below 624");
    for k in 0..N {
        let before = state[(k + N - 1) % N];
        let r1 = 1664525_u32.wrapping_mul(scramble(state[k] ^ state[(k + P) % N] ^ before));
        let r2 = r1.wrapping_add(match k {
            0 => u32::try_from(seeds.len()).unwrap_or(u32::MAX),
            k if k <= seeds.len() => indexed(k).wrapping_add(seeds[k - 1]),
            k => indexed(k),
        });
        state[(k + P) % N] = state[(k + P) % N].wrapping_add(r1);
        state[(k + Q) % N] = state[(k + Q) % N].wrapping_add(r2);
        state[k] = r2;
    }
    for k in N..2 * N {
        let (here, p, q) = (k % N, (k + P) % N, (k + Q) % N);
        let sum = state[here]
            .wrapping_add(state[p])
            .wrapping_add(state[(k - 1) % N]);
        let r3 = 1566083941_u32.wrapping_mul(scramble(sum));
        let r4 = r3.wrapping_sub(indexed(k));
        state[p] ^= r3;
        state[q] ^= r4;
        state[here] = r4;
    }
    if state[0] >> 31 == 0 && state[1..].iter().all(|&word| word == 0) {
        state[0] = 0x8000_0000;
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nth(answers: &Mt, seed: u32, n: usize) -> u32 {
        let mut generator = Mt19937::new(answers, seed, 0);
        (0..n).map(|_| generator.next()).last().unwrap()
    }

    /// C++ [rand.predef]: the 10000th word of a default `std::mt19937`.
    #[test]
    fn mt_gives_the_known_answers() {
        assert_eq!(nth(&Mt::default(), 5489, 10_000), 4123659995);
        assert_eq!(nth(&Mt::default(), 0, 1), 2357136044);
        assert_eq!(nth(&Mt::default(), 0, 625), 341544762);
    }

    /// `set.seed(42); runif(3)` and `set.seed(1); runif(3)` of R 4.
    #[test]
    fn mt_scrambled_by_r_gives_the_known_answers() {
        let answers = Mt {
            seeding: MtSeeding::ScrambledR,
            ..Mt::default()
        };
        for (seed, known) in [
            (42, ["0.914806", "0.937075", "0.286140"]),
            (1, ["0.265509", "0.372124", "0.572853"]),
        ] {
            let mut generator = Mt19937::new(&answers, seed, 0);
            let drawn = [(); 3].map(|()| f64::from(generator.next()) * 2.328_306_436_538_696_3e-10);
            assert_eq!(drawn.map(|value| format!("{value:.6}")), known);
        }
    }

    #[test]
    fn mt_skips_words_as_it_draws_them() {
        let twists = [Twist::default(), Twist::AfterFirst, Twist::FromCopy];
        for (twist, (first, skipped)) in twists.into_iter().flat_map(|it| {
            let both = [
                (0, 0),
                (0, 1),
                (0, 624),
                (3, 621),
                (3, 2000),
                (623, 1249),
                (624, 625),
            ];
            both.map(|both| (it, both))
        }) {
            let answers = Mt {
                twist,
                ..Mt::default()
            };
            let mut skips = Mt19937::new(&answers, 7, 0);
            let mut draws = skips.clone();
            for generator in [&mut skips, &mut draws] {
                (0..first).for_each(|_| _ = generator.next());
            }
            skips.skip(skipped);
            (0..skipped).for_each(|_| _ = draws.next());
            for _ in 0..700 {
                assert_eq!(skips.next(), draws.next(), "{twist:?} {first} {skipped}");
            }
        }
    }

    #[test]
    fn mt_init_by_array_gives_the_known_answers() {
        let mut generator = Mt19937::new(&Mt::default(), 0, 0);
        generator.state = init_by_array(&[0x123, 0x234, 0x345, 0x456]);
        let first: Vec<u32> = (0..5).map(|_| generator.next()).collect();
        assert_eq!(first, [1067595299, 955945823, 477289528, 4107218783, 4228976476]);
        assert_eq!((5..1000).map(|_| generator.next()).last(), Some(3460025646));
    }
}

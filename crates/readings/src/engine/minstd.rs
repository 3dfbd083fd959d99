//! C++'s `std::minstd_rand0`.

use crate::answers::{Generators, Lehmer, LehmerWord, OnnxSession};

const MODULUS: u64 = 2_147_483_647;

/// The number of words less one: what `std::generate_canonical` divides by.
pub(super) const RANGE: f64 = 2_147_483_646.0;

/// The states, which are the last words: 1 to 2^31 - 2. There is one, unless a mistake takes several generators in turn.
pub(super) struct Minstd {
    step: Lehmer,
    word: LehmerWord,
    states: Vec<u64>,
    /// The words that were drawn, and how many an element takes.
    drawn: usize,
    each: usize,
}

impl Minstd {
    /// The generator of a seed, after `skipped` words of `each` for an element. A seed that the modulus divides is taken as
    /// 1.
    pub(super) fn new(answers: &OnnxSession, seed: u32, skipped: u128, each: usize) -> Self {
        let lanes = match answers.generators {
            Generators::One => 1,
            Generators::InTurn(lanes) => lanes.max(1),
        };
        let each_wide = u128::try_from(each.max(1)).unwrap_or(1);
        let elements = skipped / each_wide;
        let state = |lane: u32| {
            let seed = (u64::from(seed) + u64::from(lane)) % MODULUS;
            let before = (elements + u128::from(lanes - 1 - lane)) / u128::from(lanes);
            let skipped = if lanes == 1 { skipped } else { before * each_wide };
            after(answers.step, if seed == 0 { 1 } else { seed }, skipped)
        };
        Self {
            step: answers.step,
            word: answers.word,
            states: (0..lanes).map(state).collect(),
            drawn: usize::try_from(skipped).unwrap_or(usize::MAX >> 1),
            each: each.max(1),
        }
    }

    pub(super) fn next(&mut self) -> u32 {
        let lane = self.drawn / self.each % self.states.len();
        self.drawn += 1;
        let before = self.states[lane];
        let state = stepped(self.step, before);
        self.states[lane] = state;
        let word = match self.word {
            LehmerWord::After => state,
            LehmerWord::Before => before,
        };
        u32::try_from(word).expect("a remainder is under 2^31")
    }
}

const fn multiplier(step: Lehmer) -> u64 {
    match step {
        Lehmer::Minstd0 | Lehmer::Cut32 => 16_807,
        Lehmer::Minstd => 48_271,
    }
}

fn stepped(step: Lehmer, state: u64) -> u64 {
    let product = state * multiplier(step);
    match step {
        Lehmer::Minstd0 | Lehmer::Minstd => product % MODULUS,
        Lehmer::Cut32 => match (product & 0xffff_ffff) % MODULUS {
            0 => 1,
            state => state,
        },
    }
}

/// The state after this number of steps.
fn after(step: Lehmer, mut state: u64, mut steps: u128) -> u64 {
    if step == Lehmer::Cut32 {
        // The cut makes the step no power of a multiplier, so that nothing is faster than every step. The bound keeps a request of a
        // late execution from taking minutes: its answer is wrong then, as a mistake is not explained by it.
        for _ in 0..steps.min(1 << 24) {
            state = stepped(step, state);
        }
        return state;
    }
    let mut square = multiplier(step);
    while steps > 0 {
        if steps & 1 == 1 {
            state = state * square % MODULUS;
        }
        square = square * square % MODULUS;
        steps >>= 1;
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(answers: &OnnxSession, seed: u32, skipped: u128) -> Minstd {
        Minstd::new(answers, seed, skipped, 1)
    }

    /// The C++ standard gives the 10,000th word of the default seed, 1.
    #[test]
    fn the_10000th_word_is_that_of_the_standard() {
        let usual = OnnxSession::default();
        assert_eq!(of(&usual, 1, 9_999).next(), 1_043_618_065);
        let mut generator = of(&usual, 0, 0);
        for _ in 0..9_999 {
            generator.next();
        }
        assert_eq!(generator.next(), 1_043_618_065);
        let other = OnnxSession {
            step: Lehmer::Minstd,
            ..usual
        };
        assert_eq!(of(&other, 1, 9_999).next(), 399_268_537);
    }

    #[test]
    fn generators_in_turn_go_on_where_they_are() {
        for step in [Lehmer::Minstd0, Lehmer::Cut32] {
            let answers = OnnxSession {
                step,
                generators: Generators::InTurn(3),
                ..OnnxSession::default()
            };
            let mut whole = of(&answers, 7, 0);
            let words: Vec<u32> = (0..20).map(|_| whole.next()).collect();
            for skipped in 0..10 {
                let mut rest = of(&answers, 7, u128::try_from(skipped).unwrap());
                assert_eq!(
                    (0..5).map(|_| rest.next()).collect::<Vec<_>>(),
                    words[skipped..][..5]
                );
            }
        }
    }
}

//! The state before and after.

use seedproof_ops::{ErrorKind, Failure, Tensor};

use crate::answers::{
    BitGenerator, Carry, DrawCarry, HighHalf, StateCarry, StateRoles, ThirdWord, ThreeFryState,
};
use crate::engine::check;
use crate::engine::stream::Counter;
use crate::reading::Reading;

/// A state taken apart.
pub(super) struct State {
    pub(super) key: u64,
    pub(super) low: u64,
    /// The counter's second word; `None` of a state of two.
    high: Option<u64>,
    /// A third word that only is handed back.
    ignored: Option<u64>,
    answers: BitGenerator,
}

impl State {
    /// The state of these words.
    ///
    /// # Errors
    /// A list of another length than the generator takes.
    pub(super) fn of(answers: &BitGenerator, state: &Tensor, three_fry: bool) -> Result<Self, Failure> {
        let words: Vec<u64> = state.scalars().map(seedproof_ops::Scalar::bits).collect();
        let three = !three_fry || answers.three_fry_state == ThreeFryState::TwoOrThree;
        let (used, ignored) = match *words {
            [first, second, third] if three && (three_fry || answers.third_word == ThirdWord::Ignored) => {
                (vec![first, second], Some(third))
            }
            _ => (words, None),
        };
        let parts = match (used.as_slice(), answers.state_roles, answers.third_word) {
            (&[low, key], StateRoles::CounterFirst, _) | (&[key, low], _, _) => Some((key, low, None)),
            (&[low, high, key], StateRoles::CounterFirst, _)
            | (&[key, high, low], _, ThirdWord::Low)
            | (&[key, low, high], _, _)
                if three =>
            {
                Some((key, low, Some(high)))
            }
            _ => None,
        };
        match parts {
            Some((key, low, high)) if state.shape().rank() == 1 => Ok(Self {
                key,
                low,
                high,
                ignored,
                answers: answers.clone(),
            }),
            _ => check::refuse(
                ErrorKind::State,
                format!("initial_state has the shape {}", state.shape()),
            ),
        }
    }

    fn base(&self) -> u128 {
        let high = self.high.unwrap_or(match self.answers.high_half {
            HighHalf::Key => self.key,
            HighHalf::Zero => 0,
        });
        u128::from(high) << 64 | u128::from(self.low)
    }

    /// The mapping from Philox's blocks to counters.
    pub(super) fn counter(&self, reading: &Reading) -> Counter {
        let counter = Counter::new(self.base(), &reading.stream);
        match self.answers.draw_carry {
            DrawCarry::Lost if self.high.is_none() && counter.carry == Carry::Full => Counter {
                carry: Carry::LostAt64,
                ..counter
            },
            _ => counter,
        }
    }

    /// The state `blocks` blocks on.
    pub(super) fn after(&self, reading: &Reading, blocks: u128) -> Vec<u64> {
        let counter = Counter::new(self.base(), &reading.stream);
        let raised = match self.answers.state_carry {
            StateCarry::Within32 => counter.raised_within(32, blocks),
            _ => counter.raised(counter.base, blocks),
        };
        let low = low_64(raised);
        let carried = self.low > low_64(u128::from(self.low) + blocks);
        let high = self.high.map(|high| match self.answers.state_carry {
            StateCarry::Nowhere => high,
            StateCarry::WithinCounter | StateCarry::IntoKey | StateCarry::Within32 => low_64(raised >> 64),
        });
        let key = match (self.answers.state_carry, high) {
            (StateCarry::IntoKey, None) => self.key.wrapping_add(u64::from(carried)),
            _ => self.key,
        };
        let mut words = match (self.answers.state_roles, high, self.answers.third_word) {
            (StateRoles::KeyFirst, None, _) => vec![key, low],
            (_, None, _) => vec![low, key],
            (StateRoles::KeyFirst, Some(high), ThirdWord::Low | ThirdWord::LowWritten) => {
                vec![key, high, low]
            }
            (StateRoles::KeyFirst, Some(high), _) => vec![key, low, high],
            (_, Some(high), _) => vec![low, high, key],
        };
        words.extend(self.ignored);
        words
    }
}

fn low_64(value: u128) -> u64 {
    u64::try_from(value & u128::from(u64::MAX)).unwrap_or(u64::MAX)
}

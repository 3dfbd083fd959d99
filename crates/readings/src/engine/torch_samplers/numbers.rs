//! PyTorch's generator on a CPU, and the numbers that samplers draw from it.

use seedproof_ops::{Failure, Limits};

use crate::answers::{HighWord, LogarithmOf, MaskBits, MaskDigits, MaskPairs, Precision, RateOf};
use crate::engine::mt19937::Mt19937;
use crate::engine::seeds::torch_generator;
use crate::engine::units::two_to;
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};

/// A seed, and the calls before.
pub(super) struct Generator {
    seed: u64,
    execution: u32,
    /// The words of each execution.
    words: u64,
}

impl Generator {
    pub(super) fn new(seed: u64, execution: u64, words: u64) -> Result<Self, Failure> {
        let execution = u32::try_from(execution).unwrap_or(u32::MAX);
        Limits::skipped(execution, words)?;
        Ok(Self {
            seed,
            execution,
            words,
        })
    }

    pub(super) fn draws<'a>(&self, reading: &'a Reading) -> Draws<'a> {
        let mut generator = torch_generator(reading, self.seed);
        generator.skip_calls(self.execution, self.words);
        let second = (reading.torch_masks.pairs == MaskPairs::Planes).then(|| {
            let mut second = generator.clone();
            second.skip(self.words / 2);
            second
        });
        Draws {
            reading,
            generator,
            second,
        }
    }
}

/// The numbers of a call.
pub(super) struct Draws<'a> {
    pub(super) reading: &'a Reading,
    pub(super) generator: Mt19937,
    /// Where second words come from, if not behind the first.
    second: Option<Mt19937>,
}

impl Draws<'_> {
    pub(super) fn one_word(&mut self) -> f64 {
        f64::from(self.generator.next() & 0x00ff_ffff) * two_to(-24)
    }

    pub(super) fn two_words(&mut self) -> f64 {
        let answers = &self.reading.torch_masks;
        let first = self.generator.next();
        let second = self.second.as_mut().unwrap_or(&mut self.generator).next();
        let two = [first, second].map(u64::from);
        let [high, low] = match answers.words {
            HighWord::First => two,
            HighWord::Second => [two[1], two[0]],
        };
        let word = high << 32 | low;
        let bits = match answers.bits {
            MaskBits::Low => word & ((1 << 53) - 1),
            MaskBits::Top => word >> 11,
        };
        f64_of(bits) * two_to(-53)
    }

    /// A number that scalars are compared with, and exponentials are made of.
    pub(super) fn wide(&mut self) -> f64 {
        match self.reading.torch_masks.digits {
            MaskDigits::Wide => self.two_words(),
            MaskDigits::Narrow => self.one_word(),
        }
    }

    pub(super) fn exponential(&mut self, rate: f64) -> f64 {
        let u = self.wide();
        let answers = &self.reading.torch_masks;
        let logarithm = match (answers.exponential, answers.logarithm) {
            (Precision::F64, LogarithmOf::Complement) => (-u).ln_1p(),
            (Precision::F64, LogarithmOf::Itself) => u.ln(),
            (Precision::F32, LogarithmOf::Complement) => f64::from(f32_of(f64::from(f32_of(1.0 - u)).ln())),
            (Precision::F32, LogarithmOf::Itself) => f64::from(f32_of(f64::from(f32_of(u)).ln())),
        };
        match answers.rate {
            RateOf::Divides => -1.0 / rate * logarithm,
            RateOf::Multiplies => -rate * logarithm,
        }
    }
}

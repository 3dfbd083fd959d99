//! PyTorch's samplers on a CPU, which draw from one Mersenne Twister, call after call.

pub mod bernoulli;
pub mod bernoulli_in_place;
pub mod dropout;
pub mod exponential;
pub mod multinomial;
pub mod randperm;

use half::{bf16, f16};
use seedproof_ops::{Dtype, Failure, Limits};

use crate::fill::take;
use crate::mt19937;

/// The types of floats.
const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

/// A generator at the beginning of a call.
struct Generator {
    seed: u64,
    skipped: usize,
}

impl Generator {
    /// `[tbe.seed]`: MT19937 of the low half of the seed. `[tbe.calls]`: a call begins where the one before it ended; all
    /// are of the same request, which draws `words` words.
    fn new(seed: u64, execution: u32, words: u64) -> Result<Self, Failure> {
        Limits::skipped(execution, words)?;
        let skipped = u64::from(execution).saturating_mul(words);
        Ok(Self {
            seed,
            skipped: usize::try_from(skipped).unwrap_or(usize::MAX),
        })
    }

    fn words(&self) -> impl Iterator<Item = u32> {
        mt19937::words(self.seed).skip(self.skipped)
    }
}

/// `[tbe.unit]`: the low 24 bits of a word.
#[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
fn unit24(words: &mut impl Iterator<Item = u32>) -> f32 {
    let [word] = take(words);
    (word & 0x00ff_ffff) as f32 / 16_777_216.0
}

/// `[tbe.unit.f64]`: the low 53 bits of two words, of which the first is the high one.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn unit53(words: &mut impl Iterator<Item = u32>) -> f64 {
    let [high, low] = take(words);
    let digits = (u64::from(high) << 32 | u64::from(low)) & ((1 << 53) - 1);
    digits as f64 / (1_u64 << 53) as f64
}

/// The bits of a number in a type of floats, rounded to f32 on the way to the halves.
#[expect(clippy::cast_possible_truncation, reason = "the rounding to f32")]
fn bits(dtype: Dtype, x: f64) -> u64 {
    // Whatever NaN a processor makes, the one that has no sign and no payload stands for it.
    let x = if x.is_nan() { f64::NAN } else { x };
    match dtype {
        Dtype::F64 => x.to_bits(),
        Dtype::F16 => u64::from(f16::from_f32(x as f32).to_bits()),
        Dtype::Bf16 => u64::from(bf16::from_f32(x as f32).to_bits()),
        _ => u64::from((x as f32).to_bits()),
    }
}

/// The nearest number of a type of floats, through f32 for the halves.
#[expect(clippy::cast_possible_truncation, reason = "the rounding to f32")]
fn rounded(dtype: Dtype, x: f64) -> f64 {
    match dtype {
        Dtype::F64 => x,
        Dtype::F16 => f16::from_f32(x as f32).to_f64(),
        Dtype::Bf16 => bf16::from_f32(x as f32).to_f64(),
        _ => f64::from(x as f32),
    }
}

/// The bits of one, or of zero, in any type.
pub(crate) fn truth(dtype: Dtype, is_one: bool) -> u64 {
    match dtype {
        dtype if dtype.is_float() => bits(dtype, f64::from(u8::from(is_one))),
        _ => u64::from(is_one),
    }
}

/// As a number of words.
fn as_u64(count: usize) -> u64 {
    u64::try_from(count).expect("a count fits into 64 bits")
}

//! Generators of no op of Seedproof, whose words are drawn one after another: what ONNX Runtime and the reference
//! evaluator of ONNX draw from.

use seedproof_cpu::Generator;
use seedproof_ops::{Alignment, Dtype, Scalar};

use crate::source::number;

/// The modulus of `std::minstd_rand0`, whose multiplier is 16807.
const MODULUS: u64 = 2_147_483_647;

/// The most words that executions before this one may have drawn.
const MOST_SKIPPED: u64 = 1 << 24;

/// Words that as many executions draw, if they are not too many to draw again.
fn skipped(count: u64, per_element: u64, execution: u32) -> Option<u64> {
    let words = count.checked_mul(per_element)?.checked_mul(execution.into())?;
    (words <= MOST_SKIPPED).then_some(words)
}

/// The words of `std::minstd_rand0` from 1 to 2^31 - 2. A seed that the modulus divides is taken as 1.
struct Minstd(u64);

impl Minstd {
    fn new(seed: u64) -> Self {
        let state = seed % MODULUS;
        Self(if state == 0 { 1 } else { state })
    }

    fn next_word(&mut self) -> u64 {
        self.0 = self.0 * 16807 % MODULUS;
        self.0
    }
}

/// What `std::uniform_real_distribution` of libstdc++ draws from `std::minstd_rand0` after `execution` executions of as
/// many elements: a float takes one word, a double two.
#[expect(
    clippy::cast_precision_loss,
    reason = "the words are under 2^31, and a float rounds them"
)]
pub(crate) fn minstd(
    seed: u64,
    dtype: Dtype,
    (low, high): (Scalar, Scalar),
    count: u64,
    execution: u32,
) -> Option<Vec<Scalar>> {
    let mut words = Minstd::new(seed);
    let per_element = if dtype == Dtype::F64 { 2 } else { 1 };
    for _ in 0..skipped(count, per_element, execution)? {
        words.next_word();
    }
    let range = MODULUS - 1;
    let mut element = || match dtype {
        Dtype::F32 => {
            let (low, high) = (narrow(low.to_f64()), narrow(high.to_f64()));
            let unit = (words.next_word() - 1) as f32 / range as f32;
            let unit = if unit >= 1.0 {
                1.0 - f32::EPSILON / 2.0
            } else {
                unit
            };
            Some(Scalar::new(dtype, (unit * (high - low) + low).to_bits().into()))
        }
        Dtype::F64 => {
            let (low, high) = (low.to_f64(), high.to_f64());
            let range = range as f64;
            let sum = (words.next_word() - 1) as f64 + (words.next_word() - 1) as f64 * range;
            let unit = sum / (range * range);
            let unit = if unit >= 1.0 {
                1.0 - f64::EPSILON / 2.0
            } else {
                unit
            };
            Some(Scalar::new(dtype, (unit * (high - low) + low).to_bits()))
        }
        _ => None,
    };
    (0..count).map(|_| element()).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "the number was a float")]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// What ONNX's reference evaluator draws from `numpy.random.RandomState(seed).rand`: rounded to the type, and scaled in
/// it by the difference of two f32.
pub(crate) fn random_state(
    seed: u64,
    dtype: Dtype,
    (low, high): (Scalar, Scalar),
    count: u64,
    execution: u32,
) -> Option<Vec<Scalar>> {
    let mut words = Generator::from_seeds(Alignment::Pytorch, seed, 0).words();
    for _ in 0..skipped(count, 2, execution)? {
        words.next_word();
    }
    let low = narrow(low.to_f64());
    let range = narrow(high.to_f64()) - low;
    let mut element = || {
        let (first, second) = (words.next_word() >> 5, words.next_word() >> 6);
        let unit = (f64::from(first) * 67_108_864.0 + f64::from(second)) / 9_007_199_254_740_992.0;
        match dtype {
            Dtype::F32 => number(dtype, (narrow(unit) * range + low).into()),
            Dtype::F64 => number(dtype, unit * f64::from(range) + f64::from(low)),
            _ => None,
        }
    };
    (0..count).map(|_| element()).collect()
}

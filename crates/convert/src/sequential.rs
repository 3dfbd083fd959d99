//! The draws of ONNX's reference evaluator: doubles of NumPy's `RandomState`, for which there is no reading.

use seedproof_cpu::Generator;
use seedproof_ops::{Alignment, Dtype, Scalar};

use crate::source::number;

/// The most words of earlier executions that are drawn again to skip them: MT19937 cannot jump.
const MOST_SKIPPED: u64 = 1 << 24;

/// The number of words that earlier executions drew, two for each element, if they are not too many to skip.
fn skipped(count: u64, execution: u32) -> Option<u64> {
    let words = count.checked_mul(2)?.checked_mul(execution.into())?;
    (words <= MOST_SKIPPED).then_some(words)
}

#[expect(clippy::cast_possible_truncation, reason = "the number was a float")]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// The elements that ONNX's reference evaluator draws from `numpy.random.RandomState(seed).rand`: rounded to the type,
/// and scaled in it by the difference of two f32.
pub(crate) fn random_state(
    seed: u64,
    dtype: Dtype,
    (low, high): (Scalar, Scalar),
    count: u64,
    execution: u32,
) -> Option<Vec<Scalar>> {
    let mut words = Generator::from_seeds(Alignment::Pytorch, seed, 0).words();
    for _ in 0..skipped(count, execution)? {
        words.next_word();
    }
    let low = narrow(low.to_f64());
    let range = narrow(high.to_f64()) - low;
    let mut element = || {
        // NumPy's double: 27 bits of one word and 26 of the next, divided by 2^53.
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

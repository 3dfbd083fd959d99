//! How much chance there is in an output: what makes an agreement mean something.

use seedproof_ops::{Dtype, Multinomial, RandomUniform, Request, Scalar};

use crate::stages::step;
use crate::statistics::grid_bits;

/// Bits of chance in an output: minus the logarithm of how likely two runs agree, from below.
pub(crate) fn chance(request: &Request, count: usize) -> f64 {
    let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let each = match request {
        Request::RandomUniform(op) => levels(op).unwrap_or(0.0),
        Request::Multinomial(op) => collision(op),
        Request::DmlRandomGenerator(_) => 32.0,
    };
    each * count
}

/// The logarithm of how many values a draw can take, from below.
fn levels(op: &RandomUniform) -> Option<f64> {
    let (min, max) = (op.minval.get(0)?, op.maxval.get(0)?);
    if let Some(range) = integer_range(min, max) {
        // The word is reduced, and is uniform but for the last turn around.
        return Some(f64::from(range.ilog2()));
    }
    let steps = clean_steps(min, max)?;
    Some(steps.log2().clamp(0.0, f64::from(grid_bits(min.dtype()))))
}

/// Width of an integer range; `None` for floats and for a range that is empty.
pub(crate) fn integer_range(min: Scalar, max: Scalar) -> Option<u64> {
    if min.dtype().is_float() {
        return None;
    }
    let range = i128::from(max.to_i64()) - i128::from(min.to_i64());
    u64::try_from(range).ok().filter(|&range| range > 0)
}

/// How many steps of the type at its largest magnitude fit into a float range.
pub(crate) fn clean_steps(min: Scalar, max: Scalar) -> Option<f64> {
    if !min.dtype().is_float() || !is_finite_range(min, max) {
        return None;
    }
    let (low, high) = (min.to_f64(), max.to_f64());
    let steps = (high - low) / step(low.abs().max(high.abs()), min.dtype());
    (steps.is_finite() && steps > 0.0).then_some(steps)
}

/// The least favourable row's bits per sample.
fn collision(op: &Multinomial) -> f64 {
    rows(op)
        .map(|row| {
            let sum: f64 = row.iter().sum();
            -row.iter()
                .map(|weight| (weight / sum).powi(2))
                .sum::<f64>()
                .log2()
        })
        .fold(f64::INFINITY, f64::min)
        .clamp(0.0, 64.0)
}

/// The weights, row by row.
pub(crate) fn rows(op: &Multinomial) -> impl Iterator<Item = Vec<f64>> {
    let classes = op.probs.shape().dims().get(1).copied().unwrap_or(0).max(1);
    let weights: Vec<f64> = op
        .probs
        .scalars()
        .map(|weight| {
            if op.log_probs {
                weight.to_f64().exp()
            } else {
                weight.to_f64()
            }
        })
        .collect();
    let rows: Vec<Vec<f64>> = weights.chunks(classes).map(<[f64]>::to_vec).collect();
    rows.into_iter()
}

/// Whether the width of a float range is finite in its type.
pub(crate) fn is_finite_range(min: Scalar, max: Scalar) -> bool {
    let largest = match max.dtype() {
        Dtype::F16 => 65504.0,
        Dtype::F64 => f64::MAX,
        _ => f64::from(f32::MAX),
    };
    (max.to_f64() - min.to_f64()).abs() <= largest
}

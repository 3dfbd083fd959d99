//! The entropy of an output, which says how much an agreement means.

use seedproof_ops::{Distribution, Dtype, Request, Scalar, Tensor};

use crate::stages::step;
use crate::statistics::grid_bits;

/// A lower bound of an output's entropy in bits: minus the logarithm of the probability that two runs agree.
pub(crate) fn chance(request: &Request, count: usize) -> f64 {
    let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let each = match request.distribution() {
        None => 0.0,
        Some(Distribution::Bits) => {
            let form = request.output_form();
            form.map_or(0.0, |(dtype, _)| {
                8.0 * f64::from(u32::try_from(dtype.size()).unwrap_or(0))
            })
        }
        Some(Distribution::Uniform { lower, upper }) => levels(lower, upper).unwrap_or(0.0),
        Some(Distribution::Classes {
            weights, logarithms, ..
        }) => collision(&rows(weights, logarithms)),
    };
    each * count
}

/// A lower bound of the logarithm of the number of values that a draw can take.
fn levels(min: Scalar, max: Scalar) -> Option<f64> {
    if let Some(range) = integer_range(min, max) {
        // The word is reduced modulo the range, which leaves it almost uniform.
        return Some(f64::from(range.ilog2()));
    }
    let steps = clean_steps(min, max)?;
    Some(steps.log2().clamp(0.0, f64::from(grid_bits(min.dtype()))))
}

/// Width of an integer range; `None` for floats and for an empty range.
pub(crate) fn integer_range(min: Scalar, max: Scalar) -> Option<u64> {
    if min.dtype().is_float() {
        return None;
    }
    let range = i128::from(max.to_i64()) - i128::from(min.to_i64());
    u64::try_from(range).ok().filter(|&range| range > 0)
}

/// Number of steps of the type, at the largest magnitude, in a float range.
pub(crate) fn clean_steps(min: Scalar, max: Scalar) -> Option<f64> {
    if !min.dtype().is_float() || !is_finite_range(min, max) {
        return None;
    }
    let (low, high) = (min.to_f64(), max.to_f64());
    let steps = (high - low) / step(low.abs().max(high.abs()), min.dtype());
    (steps.is_finite() && steps > 0.0).then_some(steps)
}

/// Bits per sample of the row with the least entropy.
fn collision(rows: &[Vec<f64>]) -> f64 {
    rows.iter()
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

/// Weights, row by row.
pub(crate) fn rows(weights: &Tensor, logarithms: bool) -> Vec<Vec<f64>> {
    let classes = weights.shape().dims().get(1).copied().unwrap_or(0).max(1);
    let weights: Vec<f64> = weights
        .scalars()
        .map(|weight| {
            let weight = weight.to_f64();
            if logarithms { weight.exp() } else { weight }
        })
        .collect();
    weights.chunks(classes).map(<[f64]>::to_vec).collect()
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

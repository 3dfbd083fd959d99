//! The checks of a request.
//!
//! Erratum `mn13.validation`: the document expects most of this, and no implementation asks for it.

use seedproof_ops::{Dtype, ErrorKind, Multinomial, OpError, Scalar};

use super::cdf::cumulative_sum;
use crate::validate;

/// `[mn13.attributes.convert-type]`: i32 or i64.
///
/// Erratum `mn13.examples.ir`: the examples ask for f32.
pub(super) fn convert_type(request: &Multinomial) -> Result<Dtype, OpError> {
    validate::attribute("convert_type", &request.convert_type, &[Dtype::I32, Dtype::I64])
}

/// `[mn13.probs.form]`: floats of shape `[batch_size, class_size]`, at least one class. The two sizes.
pub(super) fn probs(request: &Multinomial) -> Result<(usize, usize), OpError> {
    let probs = &request.probs;
    validate::dtype("probs", probs, &[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64])?;
    match *probs.shape().dims() {
        [batch_size, class_size] if class_size > 0 => Ok((batch_size, class_size)),
        _ => validate::shape("probs", probs, "[batch_size, class_size] with at least one class"),
    }
}

/// `[mn13.num-samples.form]`: one i32 or i64. `[mn13.num-samples.count]`: not negative. The number.
pub(super) fn num_samples(request: &Multinomial) -> Result<u64, OpError> {
    let tensor = &request.num_samples;
    validate::dtype("num_samples", tensor, &[Dtype::I32, Dtype::I64])?;
    validate::single("num_samples", tensor)?;
    let number = tensor.get(0).map_or(0, Scalar::to_i64);
    u64::try_from(number).or_else(|_| {
        let message = format!("draw {number} samples: expected 0 or more");
        validate::refuse(ErrorKind::Samples, message)
    })
}

/// `[mn13.draws.given]`: f64 of shape `[batch_size, num_samples]`, each from 0 to 1.
pub(super) fn draws(request: &Multinomial, batch_size: usize, num_samples: u64) -> Result<(), OpError> {
    let Some(draws) = &request.draws else {
        return Ok(());
    };
    validate::dtype("draws", draws, &[Dtype::F64])?;
    match *draws.shape().dims() {
        [rows, columns] if rows == batch_size && u64::try_from(columns) == Ok(num_samples) => {}
        _ => return validate::shape("draws", draws, &format!("[{batch_size},{num_samples}]")),
    }
    let outside = draws
        .scalars()
        .map(Scalar::to_f64)
        .find(|u| !(0.0..=1.0).contains(u));
    match outside {
        None => Ok(()),
        Some(u) => validate::refuse(ErrorKind::Range, format!("accept the draw {u}: expected 0 to 1")),
    }
}

/// `[mn13.probs.valid]`: every input is finite; no probability is negative; the weights of each row have a
/// sum that is finite and over zero.
pub(super) fn weights(request: &Multinomial, weights: &[f64], class_size: usize) -> Result<(), OpError> {
    for x in request.probs.scalars().map(Scalar::to_f64) {
        if !x.is_finite() || (x < 0.0 && !request.log_probs) {
            let least = if request.log_probs { "" } else { " of 0 or more" };
            let message = format!("accept {x} among probs: expected a finite number{least}");
            return validate::refuse(ErrorKind::Probabilities, message);
        }
    }
    for (row, weights) in weights.chunks_exact(class_size).enumerate() {
        let sum = cumulative_sum(weights).pop().unwrap_or(0.0);
        if !(sum > 0.0 && sum.is_finite()) {
            let message = format!("normalize row {row} of probs: its sum is {sum}");
            return validate::refuse(ErrorKind::Probabilities, message);
        }
    }
    Ok(())
}

/// `[mn13.replacement.distinct]`: without replacement, no more samples than classes, nor than any row has
/// classes of a probability over zero.
pub(super) fn enough_classes(weights: &[f64], class_size: usize, num_samples: u64) -> Result<(), OpError> {
    let fewest = weights
        .chunks_exact(class_size)
        .map(|row| row.iter().filter(|&&w| w > 0.0).count())
        .fold(class_size, usize::min);
    if u64::try_from(fewest).is_ok_and(|fewest| num_samples <= fewest) {
        return Ok(());
    }
    let message = format!("draw {num_samples} of {fewest} classes without replacement");
    validate::refuse(ErrorKind::Samples, message)
}

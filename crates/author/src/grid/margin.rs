//! How far the draws of a Multinomial request are from the steps of its distribution function.

use seedproof_ops::{Alignment, Backend, Multinomial, RandomUniform, Request, Scalar, Tensor};

/// The distance of the nearest draw from a step between two classes, as a power of two not above it, in units
/// of the whole initial probability; `None` where the oracle does not answer, or the distance is so small
/// (below 2^-40) that rounding may decide the outcome.
///
/// Computed from the oracle's draws and samples. A distance needs no last bit, so this is no second oracle: a
/// margin thousands of times wider than any error of `exp`, of the sum and of the divisions is what it is for.
pub(super) fn margin(request: &Multinomial, oracle: &dyn Backend) -> Option<f64> {
    let [batch, classes] = *request.probs.shape().dims() else {
        return None;
    };
    let output = oracle.run(&Request::Multinomial(request.clone())).ok()?.output;
    let samples = *output.shape().dims().get(1)?;
    let draws = match &request.draws {
        Some(draws) => draws.clone(),
        None => generated(request, batch, samples, oracle)?,
    };
    let draws: Vec<f64> = draws.elements().ok()?.collect();
    let probs: Vec<f64> = request.probs.scalars().map(Scalar::to_f64).collect();
    let chosen: Vec<usize> = output
        .scalars()
        .map(|scalar| usize::try_from(scalar.to_i64()).ok())
        .collect::<Option<_>>()?;
    let mut nearest = f64::INFINITY;
    for row in 0..batch {
        let mut weights: Vec<f64> = probs[row * classes..][..classes].to_vec();
        if request.log_probs {
            for weight in &mut weights {
                *weight = weight.exp();
            }
        }
        let whole: f64 = weights.iter().sum();
        for sample in row * samples..(row + 1) * samples {
            let left: f64 = weights.iter().sum();
            let mut step = 0.0;
            for weight in &weights[..classes - 1] {
                step += weight;
                nearest = nearest.min((draws[sample] - step / left).abs() * (left / whole));
            }
            if !request.with_replacement {
                weights[chosen[sample]] = 0.0;
            }
        }
    }
    let tidy = nearest.log2().floor().exp2();
    (tidy.is_finite() && tidy >= 2_f64.powi(-40)).then_some(tidy)
}

/// The draws that the op generates: the f64 stream of RandomUniform-8 for the same seeds.
fn generated(request: &Multinomial, batch: usize, samples: usize, oracle: &dyn Backend) -> Option<Tensor> {
    let extents = [i64::try_from(batch).ok()?, i64::try_from(samples).ok()?];
    let seeds = [request.global_seed, request.op_seed];
    let uniform = RandomUniform::new(Alignment::Tensorflow, &extents, [0.0_f64, 1.0], seeds);
    Some(oracle.run(&Request::RandomUniform(uniform)).ok()?.output)
}

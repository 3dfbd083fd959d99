//! PyTorch `multinomial`: indices of classes by weights.

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OpError, Response, Scalar, Shape, Tensor, TorchMultinomial,
};

use super::exponential::{decided, exponential};
use super::{FLOATS, Generator, as_u64, rounded, unit53};
use crate::{servers, validate};

/// A valid request, and its indices.
pub struct Plan {
    indices: Tensor,
}

/// The weights, and how many classes are drawn of each row.
struct Rows {
    dtype: Dtype,
    classes: usize,
    weights: Vec<f64>,
    samples: u64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// Erratum `tmu.one`: one sample is drawn by the race, also with replacement.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit, too late a call,
    /// and where the last bit of a logarithm decides or equal scores do.
    pub fn new(request: &TorchMultinomial, limits: Limits) -> Result<Self, Failure> {
        let rows = rows(request)?;
        let mut dims = request.weights.shape().to_u64();
        if let Some(last) = dims.last_mut() {
            *last = rows.samples;
        }
        let shape = limits.shape(Dtype::I64, &dims)?;
        let by_race = !request.replacement || rows.samples == 1;
        let numbers = if by_race {
            rows.weights.len()
        } else {
            shape.count()
        };
        let generator = Generator::new(request.seed, request.execution, 2 * as_u64(numbers))?;
        let indices = if by_race {
            race(&rows, &generator)
        } else {
            search(&rows, &generator)
        };
        Ok(Self {
            indices: tensor(&shape, indices?)?,
        })
    }

    /// The indices.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response::of(self.indices.clone()))
    }
}

fn tensor(shape: &Shape, indices: Vec<u64>) -> Result<Tensor, Failure> {
    let mut elements = Elements::reserve(Dtype::I64, shape)?;
    for index in indices {
        elements.push_bits(index);
    }
    Ok(elements.into_tensor())
}

/// `[tmu.weights]`: floats, one row or several of at least one class. `[tmu.samples]`: at least one sample, and without
/// replacement no more than classes. `[tmu.values]`: weights are finite and not negative, and no row is all zeros.
fn rows(request: &TorchMultinomial) -> Result<Rows, OpError> {
    validate::dtype("weights", &request.weights, &FLOATS)?;
    let classes = match *request.weights.shape().dims() {
        [classes] | [_, classes] if classes > 0 => classes,
        _ => return validate::shape("weights", &request.weights, "[classes] or [batch, classes]"),
    };
    let samples = match servers::count("num_samples", request.num_samples) {
        Ok(samples) if samples > 0 && (request.replacement || samples <= as_u64(classes)) => samples,
        _ => {
            let message = format!("draw {} samples of {classes} classes", request.num_samples);
            return validate::refuse(ErrorKind::Samples, message);
        }
    };
    let weights: Vec<f64> = request.weights.scalars().map(Scalar::to_f64).collect();
    if weights
        .iter()
        .any(|weight| !(weight.is_finite() && *weight >= 0.0))
    {
        return validate::refuse(
            ErrorKind::Probabilities,
            "draw by a weight that is negative or not finite",
        );
    }
    if weights
        .chunks(classes)
        .any(|row| row.iter().all(|&weight| weight == 0.0))
    {
        return validate::refuse(ErrorKind::Probabilities, "draw by a row of zeros");
    }
    Ok(Rows {
        dtype: request.weights.dtype(),
        classes,
        weights,
        samples,
    })
}

/// `[tmu.race]`: exponential numbers in the weights' type for all weights of all rows; the greatest quotients of weight and
/// number, the greatest first.
///
/// Erratum `tmu.race.ties`.
fn race(rows: &Rows, generator: &Generator) -> Result<Vec<u64>, Failure> {
    let mut words = generator.words();
    let mut indices = Vec::new();
    for row in rows.weights.chunks(rows.classes) {
        let mut scores = Vec::new();
        for weight in row {
            let number = exponential(unit53(&mut words), 1.0);
            if rows.dtype != Dtype::F64 {
                decided(rows.dtype, number)?;
            }
            scores.push(rounded(rows.dtype, weight / rounded(rows.dtype, number)));
        }
        indices.extend(greatest(&scores, rows)?);
    }
    Ok(indices)
}

/// The places of the greatest scores, the greatest first; a NaN is greater than any number.
fn greatest(scores: &[f64], rows: &Rows) -> Result<Vec<u64>, Failure> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| {
        let by_nan = scores[b].is_nan().cmp(&scores[a].is_nan());
        by_nan.then(
            scores[b]
                .partial_cmp(&scores[a])
                .unwrap_or(std::cmp::Ordering::Equal),
        )
    });
    let samples = usize::try_from(rows.samples).expect("no more than classes");
    let is_undecided = |pair: &[usize]| {
        let [above, below] = [scores[pair[0]], scores[pair[1]]];
        match rows.dtype {
            // The f64 of another machine's logarithm is a little off.
            Dtype::F64 => above - below <= above.abs() / f64::from(1 << 25) / f64::from(1 << 22),
            // The first of equal scores is the greatest one; which of them are the greatest two is left open.
            _ => rows.samples > 1 && (above <= below || above.is_nan() && below.is_nan()),
        }
    };
    if order.windows(2).take(samples).any(is_undecided) {
        return Err(Failure::Unsupported(
            "scores that are too near to each other".to_owned(),
        ));
    }
    Ok(order.into_iter().take(samples).map(as_u64).collect())
}

/// `[tmu.sums]`: running sums in f32, or f64 for weights of f64, divided by the last; the last becomes 1. `[tmu.search]`: for
/// each sample the first sum that an f64 drawn is not greater than, found by bisection.
///
/// Errata `tmu.bound` and `tmu.sums.type`.
fn search(rows: &Rows, generator: &Generator) -> Result<Vec<u64>, Failure> {
    let sum_type = if rows.dtype == Dtype::F64 {
        Dtype::F64
    } else {
        Dtype::F32
    };
    let mut words = generator.words();
    let mut indices = Vec::new();
    for row in rows.weights.chunks(rows.classes) {
        let mut total = 0.0;
        let mut sums = Vec::new();
        for weight in row {
            total = rounded(sum_type, total + weight);
            sums.push(total);
        }
        for sum in &mut sums {
            *sum = rounded(sum_type, *sum / total);
        }
        if let Some(last) = sums.last_mut() {
            *last = 1.0;
        }
        for _ in 0..rows.samples {
            indices.push(as_u64(bisect(&sums, unit53(&mut words))));
        }
    }
    Ok(indices)
}

fn bisect(sums: &[f64], u: f64) -> usize {
    let (mut left, mut right) = (0, sums.len());
    while left < right {
        let middle = left + (right - left) / 2;
        if sums[middle] < u {
            left = middle + 1;
        } else {
            right = middle;
        }
    }
    left
}

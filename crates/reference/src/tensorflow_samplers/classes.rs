//! What TensorFlow's two ops of class indices share: the checks, the sums of weights and the search in them.

use seedproof_ops::{
    Attribute, Dtype, Elements, ErrorKind, Failure, Limits, OpError, Response, Scalar, Shape, Tensor,
};

use super::{Stream, as_u128};
use crate::fill::take;
use crate::{convert, philox, validate};

/// The blocks that an execution reserves for each pair of words.
const RESERVED: u128 = 256;

/// Rows of logits, and how many classes are drawn in each.
pub(super) struct Classes {
    output_type: Dtype,
    shape: Shape,
    logits: Vec<f64>,
    /// The classes of each row.
    length: usize,
    samples: usize,
}

impl Classes {
    /// `[tfmu.type]`: the output is of i32 or i64. `[tfmu.logits]`: floats of the shape `[batch, classes]`, of at least one
    /// class. `[tfmu.samples]`: one i32 that is not negative.
    pub(super) fn new(
        output_type: &Attribute<Dtype>,
        logits: &Tensor,
        num_samples: &Tensor,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let output_type = validate::attribute("output_type", output_type, &[Dtype::I32, Dtype::I64])?;
        let (batch, classes) = extents(logits)?;
        let samples: i32 = validate::scalar("num_samples", num_samples)?;
        let Ok(samples) = u64::try_from(samples) else {
            let message = format!("draw {samples} samples: expected 0 or more");
            return Err(OpError::new(ErrorKind::Samples, message).into());
        };
        let shape = limits.shape(output_type, &[batch, samples])?;
        Ok(Self {
            output_type,
            samples: shape.dims().last().copied().unwrap_or(0),
            shape,
            logits: logits.scalars().map(Scalar::to_f64).collect(),
            length: classes,
        })
    }

    /// `[tfmu.advance]`: an execution reserves 256 blocks for each of twice as many numbers as there are samples, those of a row
    /// rounded up to a multiple of four.
    ///
    /// Erratum `tfmu.advance.reserved`.
    pub(super) fn reserved(&self) -> u128 {
        let rows = self.shape.dims().first().copied().unwrap_or(0);
        as_u128(rows) * as_u128(self.samples.next_multiple_of(4)) * 2 * RESERVED
    }

    /// `[tfmu.draw]`: each sample takes the f64 of the next two words, row after row.
    ///
    /// Erratum `tfmu.draw.threads`.
    pub(super) fn run(&self, stream: Stream) -> Result<Response, Failure> {
        let mut words = philox::words(stream.key, stream.counter);
        let mut elements = Elements::reserve(self.output_type, &self.shape)?;
        // An output without elements draws nothing, and the number of its rows has no bound.
        if self.shape.count() > 0 {
            for row in self.logits.chunks(self.length) {
                let sums = sums(row);
                for _ in 0..self.samples {
                    let [x0, x1] = take(&mut words);
                    let class = search(&sums, convert::f64::tensorflow(x0, x1))?;
                    elements.push_bits(u64::try_from(class).expect("a machine counts in 64 bits at most"));
                }
            }
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

fn extents(logits: &Tensor) -> Result<(u64, usize), OpError> {
    let floats = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    validate::dtype("logits", logits, &floats)?;
    match (logits.shape().to_u64().as_slice(), logits.shape().dims()) {
        (&[batch, _], &[_, classes]) if classes > 0 => Ok((batch, classes)),
        _ => validate::shape("logits", logits, "[batch, classes] with at least one class"),
    }
}

/// `[tfmu.weights]`: e to the difference of a logit and the greatest finite one of its row, in f64; 0 for a logit that is not
/// finite. `[tfmu.sums]`: their running sums in f64.
///
/// Errata `tfmu.weights.type` and `tfmu.weights.finite`.
fn sums(row: &[f64]) -> Vec<f64> {
    let finite = row.iter().copied().filter(|logit| logit.is_finite());
    let greatest = finite.fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    row.iter()
        .map(|logit| {
            if logit.is_finite() {
                total += libm::exp(logit - greatest);
            }
            total
        })
        .collect()
}

/// `[tfmu.search]`: the first class whose sum is greater than the product of the number and the last sum. `[tfmu.none]`: the
/// number of classes, where no logit of the row is finite.
///
/// Errata `tfmu.search.bound`, `tfmu.search.none` and `tfmu.weights.exp`.
fn search(sums: &[f64], u: f64) -> Result<usize, Failure> {
    let total = sums.last().copied().unwrap_or(0.0);
    let number = u * total;
    let class = sums.partition_point(|&sum| sum <= number);
    // Each exponential may be an ulp off, and each sum moves with it.
    let least = f64::EPSILON * total;
    let error = sums.iter().fold(4.0 * least, |error, _| error + least);
    let is_near = |sum: &f64| (sum - number).abs() <= error;
    let beside = sums.get(class).into_iter().chain(sums[..class].last());
    if total > 0.0 && beside.into_iter().any(is_near) {
        let message =
            "a number that lies beside a sum of weights, which depends on the last bits of exponentials";
        return Err(Failure::Unsupported(message.to_owned()));
    }
    Ok(class)
}

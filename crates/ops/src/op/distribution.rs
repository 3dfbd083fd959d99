//! What the elements of an output are drawn from, and how many bits that leaves them.

use crate::dtype::Dtype;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// The distribution that the elements of an output are drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution<'a> {
    /// All bits of the output's type.
    Bits,
    /// Uniform numbers.
    Uniform {
        /// Lower bound, inclusive.
        lower: Scalar,
        /// Upper bound, exclusive.
        upper: Scalar,
    },
    /// Normals, which may be truncated, and other numbers whose spread says how many of them there are.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        std: f64,
    },
    /// Indices of classes.
    Classes {
        /// A row of weights per row of the output.
        weights: &'a Tensor,
        /// Whether they are logarithms.
        logarithms: bool,
        /// Whether a class may be drawn more than once.
        replacement: bool,
    },
    /// One of a few values, such as flags and tokens.
    Choices {
        /// A lower bound of an element's entropy: 0 where the request leaves no choice.
        bits: f64,
    },
    /// Distinct things in an order.
    Order {
        /// How many things there are. Each may be several elements.
        of: u64,
    },
}

impl Distribution<'_> {
    /// Floats between bounds that become values of the output's type.
    pub(super) fn floats(dtype: Option<Dtype>, lower: &Tensor, upper: &Tensor) -> Option<Self> {
        let bound = |tensor: &Tensor| Scalar::from_decimal(dtype?, &format!("{:e}", tensor.get(0)?.to_f64()));
        Some(Self::Uniform {
            lower: bound(lower)?,
            upper: bound(upper)?,
        })
    }

    /// Integers of a range, of which only the words themselves say what one to the end of the type draws.
    pub(super) fn integers(dtype: Dtype, low: i128, high: i128) -> Option<Self> {
        let limits = dtype.integers()?;
        if low == *limits.start() && high > *limits.end() {
            return Some(Self::Bits);
        }
        let scalar = |bound: i128| Scalar::from_decimal(dtype, &bound.to_string());
        (low < high).then_some(Self::Uniform {
            lower: scalar(low)?,
            upper: scalar(high)?,
        })
    }

    /// Choices by rows of weights. The row with the fewest bits decides, of those that leave a choice.
    pub(super) fn choices<R: IntoIterator<Item = f64>>(rows: impl IntoIterator<Item = R>) -> Self {
        let bits = rows.into_iter().map(choice_bits);
        let least = bits.filter(|bits| *bits > 0.0).reduce(f64::min);
        Self::Choices {
            bits: least.unwrap_or(0.0),
        }
    }

    /// Ones with these probabilities.
    pub(super) fn flags(probabilities: impl IntoIterator<Item = f64>) -> Self {
        Self::choices(probabilities.into_iter().map(|p| [p, 1.0 - p]))
    }

    /// Choices by rows of logits, along the last extent, divided by a temperature for each row.
    pub(super) fn of_logits(logits: &Tensor, temperature: impl Fn(usize) -> f64) -> Self {
        let classes = logits.shape().dims().last().copied().unwrap_or(0).max(1);
        let logits: Vec<f64> = logits.scalars().map(Scalar::to_f64).collect();
        let rows = logits.chunks(classes).enumerate().map(|(row, logits)| {
            let finite = logits.iter().copied().filter(|logit| logit.is_finite());
            let greatest = finite.clone().fold(f64::NEG_INFINITY, f64::max);
            let temperature = temperature(row);
            // A difference of 0 over a temperature of 0 is a NaN, and a temperature of 0 leaves no choice.
            finite.map(move |logit| {
                let weight = ((logit - greatest) / temperature).exp();
                if temperature > 0.0 { weight } else { 0.0 }
            })
        });
        Self::choices(rows)
    }
}

/// The entropy of a choice by weights in bits: minus the logarithm of the probability that two draws agree. Shannon's entropy is
/// larger, and would overstate an agreement where one class is far likelier than the others. 0 where no choice is left.
///
/// ```
/// use seedproof_ops::choice_bits;
///
/// assert_eq!(choice_bits([1.0; 8]), 3.0);
/// // An agreement says little where one class is nearly always drawn.
/// assert!(choice_bits([0.99, 0.01]) < 0.03);
/// assert_eq!(choice_bits([1.0, 0.0]), 0.0);
/// ```
pub fn choice_bits(weights: impl IntoIterator<Item = f64>) -> f64 {
    let weights: Vec<f64> = weights.into_iter().collect();
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| (weight / sum).powi(2)).sum();
    let bits = -squares.log2();
    if bits.is_finite() {
        bits.clamp(0.0, 64.0)
    } else {
        0.0
    }
}

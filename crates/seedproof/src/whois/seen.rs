//! The elements of an array as far as they are known.

use seedproof_ops::{Dtype, Scalar, Tensor};

use super::evidence::entropy;
use super::numbers::is_same;
use super::sought::Sought;

/// The elements of an array: numbers as wide as they were written, or whole numbers.
pub(super) struct Seen {
    pub(super) dtype: Dtype,
    pub(super) elements: Elements,
    /// Bits of an element by how often each value stands among the first.
    entropy: f64,
}

pub(super) enum Elements {
    /// The least and the greatest number that each element may be.
    Floats(Vec<[f64; 2]>),
    Wholes(Vec<i128>),
}

impl Seen {
    pub(super) fn of(sought: &Sought) -> Self {
        let actual = &sought.actual;
        let elements = match &sought.within {
            Some(within) if actual.dtype().is_float() => Elements::Floats(within.to_vec()),
            _ if actual.dtype().is_float() => {
                Elements::Floats(actual.scalars().map(|scalar| [scalar.to_f64(); 2]).collect())
            }
            _ => Elements::Wholes(actual.scalars().map(Scalar::to_i128).collect()),
        };
        Self {
            dtype: actual.dtype(),
            elements,
            entropy: entropy(actual),
        }
    }

    pub(super) fn count(&self) -> usize {
        match &self.elements {
            Elements::Floats(ends) => ends.len(),
            Elements::Wholes(values) => values.len(),
        }
    }

    /// Whether an element may be this number.
    pub(super) fn is(&self, index: usize, drawn: Drawn) -> bool {
        match (&self.elements, drawn) {
            (Elements::Floats(ends), Drawn::Float(value)) => {
                let [low, high] = ends[index];
                low <= value && value <= high
            }
            (Elements::Wholes(values), Drawn::Whole(value)) => values[index] == value,
            _ => false,
        }
    }

    /// The bits of an element of numbers from `low` up to `low + range`, of which `most` are drawn: a number that was
    /// written with four digits has thirteen.
    pub(super) fn bits(&self, range: f64, most: f64) -> f64 {
        let written = match &self.elements {
            Elements::Floats(ends) => {
                let wide = ends.iter().take(64).map(|[low, high]| high - low);
                let widest = wide.fold(0.0, f64::max);
                if widest > 0.0 {
                    (range / widest).log2().max(0.0)
                } else {
                    most
                }
            }
            Elements::Wholes(_) => range.log2().max(0.0),
        };
        written.min(most).min(self.entropy)
    }

    /// The decimal of an element, as far as it is known.
    pub(super) fn decimal(&self, index: usize) -> String {
        match &self.elements {
            Elements::Floats(ends) if is_same(ends[index][0], ends[index][1]) => {
                format!("{}", ends[index][0])
            }
            Elements::Floats(ends) => format!("{} to {}", ends[index][0], ends[index][1]),
            Elements::Wholes(values) => values[index].to_string(),
        }
    }

    /// Whether an element is zero.
    pub(super) fn is_zero(&self, index: usize) -> bool {
        match &self.elements {
            Elements::Floats(ends) => ends[index].iter().all(|&end| end == 0.0),
            Elements::Wholes(values) => values[index] == 0,
        }
    }
}

/// An element that a stream would give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drawn {
    Float(f64),
    Whole(i128),
}

/// Number of elements of an output that may be the array's.
pub(super) fn agreeing(within: &[[f64; 2]], output: &Tensor) -> usize {
    let is_within = |(scalar, [low, high]): &(Scalar, &[f64; 2])| {
        let value = scalar.to_f64();
        *low <= value && value <= *high || value.is_nan() && low.is_nan()
    };
    output.scalars().zip(within).filter(is_within).count()
}

/// A number rounded to a float type, ties to even. Subnormal numbers are kept.
pub(super) fn rounded(dtype: Dtype, value: f64) -> f64 {
    let (bits, least) = match dtype {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the rounding to f32 is what is asked for"
        )]
        Dtype::F32 => return f64::from(value as f32),
        Dtype::F16 => (10, -14),
        Dtype::Bf16 => (7, -126),
        _ => return value,
    };
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let exponent = i32::try_from(value.to_bits() >> 52 & 0x7ff).map_or(0, |biased| biased - 1023);
    let unit = 2.0_f64.powi(exponent.max(least) - bits);
    (value / unit).round_ties_even() * unit
}

/// The types of an array that are asked: narrower ones that have every element, and then its own. What was drawn in a half
/// type and saved as f32 is that half type; whole numbers are saved in wider types, and as floats.
pub fn types(actual: &Tensor) -> Vec<Dtype> {
    let own = actual.dtype();
    let narrower = |dtype: &Dtype| {
        let is_narrower = dtype.size() < own.size() || own.is_float() && !dtype.is_float();
        *dtype != own && is_narrower && actual.scalars().all(|scalar| scalar.to_dtype(*dtype).is_some())
    };
    let order = [
        Dtype::U8,
        Dtype::I8,
        Dtype::U16,
        Dtype::I16,
        Dtype::F16,
        Dtype::Bf16,
        Dtype::I32,
        Dtype::U32,
        Dtype::I64,
        Dtype::U64,
        Dtype::F32,
    ];
    // Few values fit any type: zeros and ones are no half type's, and small numbers no bytes.
    let telling = |dtype: &Dtype| match (dtype.is_float(), dtype.size()) {
        (true, _) => actual.scalars().any(|scalar| scalar.to_f64().fract() != 0.0),
        (false, 1 | 2) => in_type(actual, *dtype).is_some_and(|actual| is_wide(&actual)),
        (false, _) => true,
    };
    let mut all: Vec<Dtype> = order.into_iter().filter(narrower).filter(telling).collect();
    all.push(own);
    all
}

/// Whether whole numbers use the whole width of their type, as words do.
pub(super) fn is_wide(actual: &Tensor) -> bool {
    let dtype = actual.dtype();
    if dtype.is_float() {
        return false;
    }
    let bits = 8 * dtype.size();
    let mut numbers = actual.scalars().map(Scalar::to_i128);
    if dtype.is_signed() {
        let quarter = 1_i128 << (bits - 2);
        let (mut is_low, mut is_high) = (false, false);
        numbers.any(|number| {
            is_low |= number < -quarter;
            is_high |= number >= quarter;
            is_low && is_high
        })
    } else {
        numbers.any(|number| number >= 1_i128 << (bits - 1))
    }
}

/// The array in a type that has every element.
pub fn in_type(actual: &Tensor, dtype: Dtype) -> Option<Tensor> {
    let bytes: Vec<Vec<u8>> = actual
        .scalars()
        .map(|scalar| scalar.to_dtype(dtype).map(Scalar::to_le_bytes))
        .collect::<Option<_>>()?;
    Tensor::new(dtype, actual.shape().clone(), bytes.concat()).ok()
}

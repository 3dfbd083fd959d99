//! The elements of an array as far as they are known.

use seedproof_ops::{Dtype, Scalar};

use super::numbers::is_same;
use super::sought::Sought;
use super::values::entropy;

/// The elements of an array. Floats are intervals, because printed digits do not determine every bit.
pub(super) struct Seen {
    pub(super) dtype: Dtype,
    pub(super) elements: Elements,
    /// Bits of an element, by the frequencies of the values among the first elements.
    entropy: f64,
}

pub(super) enum Elements {
    /// The least and the greatest value that each element may have.
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

    /// Whether an element may have this value.
    pub(super) fn is(&self, index: usize, drawn: Drawn) -> bool {
        match (&self.elements, drawn) {
            (Elements::Floats(ends), Drawn::Float(value)) => {
                let [low, high] = ends[index];
                low <= value && value <= high
            }
            // Both are of one type of 64 bits at most. To load 128 bits that were just stored as two halves is slow.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the low 64 bits determine a number of one type"
            )]
            (Elements::Wholes(values), Drawn::Whole(value)) => values[index] as i64 == value as i64,
            _ => false,
        }
    }

    /// The distance of a value from the interval of an element; 0 inside of it.
    pub(super) fn distance(&self, index: usize, value: f64) -> f64 {
        match &self.elements {
            Elements::Floats(ends) => {
                let [low, high] = ends[index];
                (low - value).max(value - high).max(0.0)
            }
            Elements::Wholes(_) => f64::INFINITY,
        }
    }

    /// The bits of an element from a range of this width, of which at most `most` are drawn. A number of the unit
    /// interval that was written with four digits has thirteen.
    pub(super) fn bits(&self, range: f64, most: f64) -> f64 {
        // The widest interval counts, so that a few long numbers do not make the others seem exact.
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

    /// An element as a decimal, or the interval in which it lies.
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

/// An element as a stream would draw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drawn {
    Float(f64),
    Whole(i128),
}

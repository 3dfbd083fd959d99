//! The elements of an array as far as they are known.

use seedproof_ops::{Dtype, Scalar};

use super::numbers::is_same;
use super::sought::Sought;
use super::values::entropy;

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

    /// How far a number is from what an element may be.
    pub(super) fn distance(&self, index: usize, value: f64) -> f64 {
        match &self.elements {
            Elements::Floats(ends) => {
                let [low, high] = ends[index];
                (low - value).max(value - high).max(0.0)
            }
            Elements::Wholes(_) => f64::INFINITY,
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

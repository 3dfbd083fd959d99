//! NumPy `RandomState.randint`: integers of a range.
//!
//! There are no stages: words are rejected, or cut into pieces.

use seedproof_ops::{Dtype, Failure, Limits, RandomStateRandint, Response, Shape};

use super::start;
use crate::numpy::integers::{Draw, Method, range};
use crate::numpy::{Start, extents};
use crate::validate;

/// A valid request.
pub struct Plan {
    start: Start,
    shape: Shape,
    low: i128,
    draw: Draw,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[rsi.types]`: an integer of 8 to 64 bits.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &RandomStateRandint, limits: Limits) -> Result<Self, Failure> {
        let dtype: Dtype = validate::attribute("output_type", &request.output_type, Dtype::INTEGERS)?;
        let start = start(request.seed, request.seed_words, request.execution)?;
        let range = range(dtype, request.low, request.high, &request.output_sizes)?;
        let shape = extents(dtype, &request.output_sizes, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            shape,
            low: request.low,
            draw: Draw::new(Method::Mask, dtype, range),
        })
    }

    /// Element after element, in row-major order. A word of 64 bits is two of 32, the first of them the high one
    /// `[rsi.words64]`.
    ///
    /// Errata `rsi.method` and `rsi.words64.order`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.start
            .last(|generator| self.draw.elements(self.low, &self.shape, generator))
    }
}

//! NumPy `RandomState.rand`: numbers of `[0, 1)`.
//!
//! There are no stages: a number is made of two words.

use seedproof_ops::{Dtype, Elements, Failure, Limits, RandomStateRand, Response, Shape};

use super::start;
use crate::numpy::{Start, extents};

/// A valid request.
pub struct Plan {
    start: Start,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &RandomStateRand, limits: Limits) -> Result<Self, Failure> {
        let start = start(request.seed, request.seed_words, request.execution)?;
        let shape = extents(Dtype::F64, &request.output_sizes, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            shape,
        })
    }

    /// `[rsr.f64]`: the upper 27 bits of one word and the upper 26 of the next, over 2^53. `[rsr.calls]`: a call goes on
    /// where the one before ended.
    ///
    /// Erratum `rsr.f64.words`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.start.last(|generator| {
            let mut elements = Elements::reserve(Dtype::F64, &self.shape)?;
            for _ in 0..self.shape.count() {
                elements.push(generator.unit53());
            }
            Ok(elements)
        })
    }
}

//! NumPy `RandomState.permutation` of a number: the numbers below it in an order.

use seedproof_ops::{Failure, Limits, RandomStatePermutation, Response, Shape};

use super::start;
use crate::numpy::Start;
use crate::numpy::permutation::{length, shuffled};

/// A valid request.
pub struct Plan {
    start: Start,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for a length over the limit and too late a
    /// call.
    pub fn new(request: &RandomStatePermutation, limits: Limits) -> Result<Self, Failure> {
        let start = start(request.seed, request.seed_words, request.execution)?;
        let shape = length(request.n, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            shape,
        })
    }

    /// The same shuffle as that of a `Generator`, of other words.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.start.last(|generator| shuffled(generator, &self.shape))
    }
}

//! Triton `randint`: words from a seed and offsets.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, TritonRandint};

use super::Words;

/// A valid request.
pub struct Plan {
    words: Words,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &TritonRandint, limits: Limits) -> Result<Self, Failure> {
        Ok(Self {
            words: Words::new(request.num, &request.seed, &request.offset, Dtype::U32, limits)?,
        })
    }

    /// The words.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::U32, &self.words.shape)?;
        self.words.of().for_each(|word| elements.push(word));
        Ok(Response::of(elements.into_tensor()))
    }
}

//! TensorFlow StatelessMultinomial: indices of classes, from a seed of two numbers.

use seedproof_ops::{Failure, Limits, Response, StatelessMultinomial};

use super::Stream;
use super::classes::Classes;
use crate::key_counter;

/// The answer to a valid request, which is known once it is known that no rounding decides it.
pub struct Plan(Response);

impl Plan {
    /// The plan for a request.
    ///
    /// `[tfsm.stream]`: the stream begins at the key and the counter that StatelessRandomGetKeyCounter makes of the seed.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and where another
    /// machine's exponential might select another class.
    pub fn new(request: &StatelessMultinomial, limits: Limits) -> Result<Self, Failure> {
        let classes = Classes::new(
            &request.output_type,
            &request.logits,
            &request.num_samples,
            limits,
        )?;
        let (key, counter) = key_counter::key_and_counter(&request.seed)?;
        classes.run(Stream { key, counter }).map(Self)
    }

    /// The indices.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(self.0.clone())
    }
}

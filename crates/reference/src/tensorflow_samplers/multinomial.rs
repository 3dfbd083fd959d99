//! TensorFlow Multinomial, which `tf.random.categorical` draws by: indices of classes, from two seeds.

use seedproof_ops::{Failure, Limits, Response, TensorflowMultinomial};

use super::Stream;
use super::classes::Classes;

/// The answer to a valid request, which is known once it is known that no rounding decides it.
pub struct Plan(Response);

impl Plan {
    /// The plan for a request, whose streams begin as those of RandomShuffle do.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for two seeds of zero, for an output over the limit
    /// and where another machine's exponential might select another class.
    pub fn new(request: &TensorflowMultinomial, limits: Limits) -> Result<Self, Failure> {
        let classes = Classes::new(
            &request.output_type,
            &request.logits,
            &request.num_samples,
            limits,
        )?;
        let stream = Stream::seeded([request.seed, request.seed2])?;
        let earlier = u128::from(request.execution).wrapping_mul(classes.reserved());
        classes.run(stream.advanced(earlier)).map(Self)
    }

    /// The indices.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(self.0.clone())
    }
}

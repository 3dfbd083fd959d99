//! TensorFlow RandomShuffle: rows in another order, from two seeds.

use seedproof_ops::{Failure, Limits, RandomShuffle, Response, Tensor};

use super::{Stream, as_u128, shuffled};

/// A valid request.
pub struct Plan {
    value: Tensor,
    stream: Stream,
    limits: Limits,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tfrs.advance]`: each execution before this one advanced the counter by the blocks whose words it took, a quarter of
    /// n - 1, rounded up.
    ///
    /// Erratum `tfrs.advance.blocks`.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] for two seeds of zero and for a value over the limit.
    pub fn new(request: &RandomShuffle, limits: Limits) -> Result<Self, Failure> {
        let stream = Stream::seeded([request.seed, request.seed2])?;
        limits.shape(request.value.dtype(), &request.value.shape().to_u64())?;
        let n = request.value.shape().dims().first().copied().unwrap_or(0);
        let words = as_u128(n.saturating_sub(1));
        Ok(Self {
            value: request.value.clone(),
            stream: stream.advanced(u128::from(request.execution) * words.div_ceil(4)),
            limits,
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        shuffled(&self.value, self.stream, self.limits)
    }
}

//! TensorFlow StatelessShuffle: rows in another order, from a key and a counter.

use seedproof_ops::{Failure, Limits, Response, StatelessShuffle, Tensor};

use super::{Stream, shuffled};
use crate::stateless;

/// A valid request.
pub struct Plan {
    value: Tensor,
    stream: Stream,
    limits: Limits,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tfss.stream]`: the words are those of the blocks with the key and the counters from the given one on, and rows move as
    /// those of the op with two seeds do. `[tfss.algorithm]`: Philox is 1, and so is 3, which leaves the choice to the device;
    /// any other is refused, also where there is nothing to exchange.
    ///
    /// Erratum `tfss.algorithm.always`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for a value over the limit.
    pub fn new(request: &StatelessShuffle, limits: Limits) -> Result<Self, Failure> {
        let (key, counter) = stateless::key_and_counter([&request.key, &request.counter, &request.alg])?;
        limits.shape(request.value.dtype(), &request.value.shape().to_u64())?;
        Ok(Self {
            value: request.value.clone(),
            stream: Stream { key, counter },
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

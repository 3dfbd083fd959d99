//! JAX key: a key from a seed.

use seedproof_ops::{Dtype, ErrorKind, Failure, JaxKey, Limits, Response, Tensor};

use super::keys;
use crate::validate;

/// A valid request.
pub struct Plan {
    words: keys::Words,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxk.seed]`: the seed has 64 bits with a sign.
    ///
    /// Erratum `jxk.seed.width`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxKey, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let Ok(seed) = i64::try_from(request.seed) else {
            let message = format!("take the seed {}: expected -2^63 to 2^63 - 1", request.seed);
            return Ok(validate::refuse(ErrorKind::Attribute, message)?);
        };
        limits.shape(Dtype::U32, &[implementation.words()])?;
        Ok(Self {
            words: keys::seeded(implementation, seed.cast_unsigned()),
        })
    }

    /// The key.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response::of(Tensor::vector(&self.words.to_vec())))
    }
}

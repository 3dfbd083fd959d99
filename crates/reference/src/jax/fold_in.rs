//! JAX `fold_in`: a key from a key and a number.

use seedproof_ops::{Dtype, ErrorKind, Failure, JaxFoldIn, Limits, Response, Tensor};

use super::keys::{self, Words};
use crate::validate;

/// A valid request.
pub struct Plan {
    words: Words,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxf.data]`: a number of 32 bits.
    ///
    /// Erratum `jxf.data.width`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxFoldIn, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let Ok(data) = u32::try_from(request.data) else {
            let message = format!("fold in {}: expected 0 to 2^32 - 1", request.data);
            return Ok(validate::refuse(ErrorKind::Attribute, message)?);
        };
        let key = keys::given(implementation, request.partitionable, &request.key)?;
        limits.shape(Dtype::U32, &[implementation.words()])?;
        Ok(Self {
            words: key.fold_in(data),
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

//! JAX split: keys from a key.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, JaxSplit, Limits, Response, Shape};

use super::keys::{self, Key};
use crate::validate;

/// A valid request.
pub struct Plan {
    key: Key,
    num: u64,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxs.num]`: any number of keys, 0 among them.
    ///
    /// Erratum `jxs.order`: the attribute says in which of its two orders Threefry draws.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxSplit, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let Ok(Ok(num)) = i64::try_from(request.num).map(u64::try_from) else {
            let message = format!("split into {} keys: expected 0 to 2^63 - 1", request.num);
            return Ok(validate::refuse(ErrorKind::Attribute, message)?);
        };
        let key = keys::given(implementation, request.partitionable, &request.key)?;
        let shape = limits.shape(Dtype::U32, &[num, implementation.words()])?;
        Ok(Self { key, num, shape })
    }

    /// The keys.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::U32, &self.shape)?;
        for word in (0..self.num).flat_map(|i| self.key.split(self.num, i).to_vec()) {
            elements.push(word);
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

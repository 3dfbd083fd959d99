//! PyTorch fold_in: a key from a key and a number.

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OpError, PhiloxKeyFoldIn, Response, Shape, Stages, Tensor,
};

use crate::philox_key::{Key, keys};
use crate::validate;

/// A valid request.
pub struct Plan {
    keys: Vec<Key>,
    data: u64,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &PhiloxKeyFoldIn, limits: Limits) -> Result<Self, Failure> {
        let data = data(request.data)?;
        Ok(Self {
            keys: keys(&request.key)?,
            data,
            shape: limits.shape(Dtype::U64, &request.key.shape().to_u64())?,
        })
    }

    /// `[tkf.batch]`: the number is folded into each key of a batch.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.output().map(Response::of)
    }

    /// The words, their counters and the output.
    pub fn stages(&self) -> Option<Stages> {
        let scaled = self.output().ok()?;
        Some(Stages {
            counters: self
                .keys
                .iter()
                .flat_map(|key| [key.counter(self.data); 2])
                .collect(),
            ..Stages::of_words(&scaled)
        })
    }

    fn output(&self) -> Result<Tensor, Failure> {
        let mut elements = Elements::reserve(Dtype::U64, &self.shape)?;
        for word in self.keys.iter().flat_map(|key| key.fold_in(self.data)) {
            elements.push(word);
        }
        Ok(elements.into_tensor())
    }
}

/// `[tkf.data]`: a number of 64 bits, signed or not, modulo 2^64.
///
/// Erratum `tkf.data.negative`.
fn data(number: i128) -> Result<u64, OpError> {
    let signed = i64::try_from(number).map(i64::cast_unsigned);
    signed.or_else(|_| u64::try_from(number)).or_else(|_| {
        let message = format!("fold in {number}: expected -2^63 to 2^64 - 1");
        validate::refuse(ErrorKind::Attribute, message)
    })
}

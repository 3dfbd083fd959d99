//! PyTorch split: independent keys from a key.

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OpError, PhiloxKeySplit, Response, Shape, Stages, Tensor,
};

use crate::philox_key::{Key, keys};
use crate::validate;

/// A valid request.
pub struct Plan {
    keys: Vec<Key>,
    num_splits: u64,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &PhiloxKeySplit, limits: Limits) -> Result<Self, Failure> {
        let num_splits = num_splits(request.num_splits)?;
        let keys = keys(&request.key)?;
        let mut dims = vec![num_splits];
        dims.extend(request.key.shape().to_u64());
        Ok(Self {
            keys,
            num_splits,
            shape: limits.shape(Dtype::U64, &dims)?,
        })
    }

    /// `[tks.split.form]`: all first keys, all second keys, and so on. `[tks.split.numbers]`: key i of a key is what fold_in
    /// makes of it and i.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.output().map(Response::of)
    }

    /// The words, their counters and the output.
    pub fn stages(&self) -> Option<Stages> {
        let scaled = self.output().ok()?;
        let numbers = 0..if scaled.count() > 0 { self.num_splits } else { 0 };
        let counters = numbers.flat_map(|i| self.keys.iter().flat_map(move |key| [key.counter(i); 2]));
        Some(Stages {
            counters: counters.collect(),
            ..Stages::of_words(&scaled)
        })
    }

    fn output(&self) -> Result<Tensor, Failure> {
        let mut elements = Elements::reserve(Dtype::U64, &self.shape)?;
        if self.shape.count() > 0 {
            for i in 0..self.num_splits {
                for word in self.keys.iter().flat_map(|key| key.fold_in(i)) {
                    elements.push(word);
                }
            }
        }
        Ok(elements.into_tensor())
    }
}

/// `[tks.num-splits]`: at least one.
fn num_splits(number: i128) -> Result<u64, OpError> {
    match i64::try_from(number).map(u64::try_from) {
        Ok(Ok(number)) if number > 0 => Ok(number),
        _ => validate::refuse(
            ErrorKind::Attribute,
            format!("split into {number} keys: expected 1 to 2^63 - 1"),
        ),
    }
}

//! Triton `rand`: f32 from a seed and offsets.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, TritonRand};

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
    pub fn new(request: &TritonRand, limits: Limits) -> Result<Self, Failure> {
        Ok(Self {
            words: Words::new(request.num, &request.seed, &request.offset, Dtype::F32, limits)?,
        })
    }

    /// The numbers.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::F32, &self.words.shape)?;
        self.words.of().for_each(|word| elements.push(uniform(word)));
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[trr.fold]`: a negative word x becomes -x - 1, which has 31 bits. `[trr.unit]`: rounded to f32, times a number just below
/// 2^-31, and rounded again.
///
/// Erratum `trr.constant`.
#[expect(clippy::cast_precision_loss, reason = "the first of the two roundings")]
fn uniform(word: u32) -> f32 {
    let word = word.cast_signed();
    let folded = if word < 0 { -(word + 1) } else { word };
    folded as f32 * 4.656_612_7e-10
}

//! vLLM `murmur3_uniform32` and `murmur3_uniform64`: the uniform numbers of the first tokens.
//!
//! There are no stages: every number has a hash of its own.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, Shape, VllmMurmur3Uniform};

use super::{count, murmur};
use crate::validate;

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    seed: u64,
    position: u64,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[vmu.types]`: f32 or f64. `[vmu.seed]`: seed and position are scalars of i64.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &VllmMurmur3Uniform, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &[Dtype::F32, Dtype::F64])?;
        let count = count("num", request.num)?;
        Ok(Self {
            dtype,
            seed: validate::scalar::<i64>("seed", &request.seed)?.cast_unsigned(),
            position: validate::scalar::<i64>("pos", &request.pos)?.cast_unsigned(),
            shape: limits.shape(dtype, &[count])?,
        })
    }

    /// The numbers, token by token.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        for token in (0_u64..).take(self.shape.count()) {
            match self.dtype {
                Dtype::F64 => elements.push(uniform64(self.seed, self.position, token)),
                _ => elements.push(uniform32(self.seed, self.position, token)),
            }
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[vmu.f32]`: `(h + 0.5) * 2^-32`, rounded once.
///
/// Errata `vmu.one` and `vmu.digits`.
#[expect(clippy::cast_possible_truncation, reason = "the one rounding")]
pub(super) fn uniform32(seed: u64, position: u64, token: u64) -> f32 {
    // Exact: the sum has 33 bits.
    let hash = f64::from(murmur::hash(0, seed, position, token));
    ((hash + 0.5) / 4_294_967_296.0) as f32
}

/// The second hash of an f64 begins with the golden ratio's fraction in place of 0.
const DOMAIN: u32 = 0x9E37_79B9;

/// `[vmu.f64]`: the 53 top bits of a second hash and the first, plus one half, times 2^-53; 1 becomes the number below it.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
pub(super) fn uniform64(seed: u64, position: u64, token: u64) -> f64 {
    let [low, high] = [0, DOMAIN].map(|domain| u64::from(murmur::hash(domain, seed, position, token)));
    let digits = (high << 32 | low) >> 11;
    let number = (digits as f64 + 0.5) / (1_u64 << 53) as f64;
    number.min(1.0_f64.next_down())
}

//! ONNX `InitPRNG`: the state of a generator from a seed, draft onnx/onnx#8420.

use seedproof_ops::{Dtype, Failure, Limits, OnnxInitPrng, Response, Tensor};

use crate::{philox, validate};

/// A valid request.
pub struct Plan {
    seed: u64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[oip.seed.form]`: a scalar i64.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &OnnxInitPrng, limits: Limits) -> Result<Self, Failure> {
        let seed: i64 = validate::scalar("seed", &request.seed)?;
        limits.shape(Dtype::I64, &[2])?;
        Ok(Self {
            seed: seed.cast_unsigned(),
        })
    }

    /// `[oip.words]`: the high half of the two's complement of the seed, then the low one.
    ///
    /// Erratum `oip.algorithm`.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let halves = philox::split(self.seed);
        Ok(Response::of(Tensor::vector(&[halves.l, halves.r].map(i64::from))))
    }
}

//! PyTorch `bernoulli_` on CUDA.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, Shape, TorchCudaBernoulli};

use super::{Launch, pairs, unit, unit_f64};
use crate::torch::{bernoulli_in_place::probability, truth};
use crate::validate;

/// A valid request.
pub struct Plan {
    launch: Launch,
    dtype: Dtype,
    shape: Shape,
    p: f64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tcb.types]`: floats, i64 or u8. `[tcb.p]`: a scalar of f64 from 0 to 1.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &TorchCudaBernoulli, limits: Limits) -> Result<Self, Failure> {
        let types = [
            Dtype::F16,
            Dtype::Bf16,
            Dtype::F32,
            Dtype::F64,
            Dtype::I64,
            Dtype::U8,
        ];
        let dtype = validate::attribute("output_type", &request.output_type, &types)?;
        let launch = launch!(request)?;
        let p = probability(&request.p)?;
        Ok(Self {
            launch,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
            p,
        })
    }

    /// `[tcb.less]`: a one where the number drawn is less than p, in f64 for an output of f64 and in f32 for others.
    ///
    /// Erratum `tcb.one`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    #[expect(clippy::cast_possible_truncation, reason = "the rounding to f32")]
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut push = |is_one| elements.push_bits(truth(self.dtype, is_one));
        let count = self.shape.count();
        if self.dtype == Dtype::F64 {
            self.launch
                .draws(count, |words| pairs(words, unit_f64))
                .for_each(|u| push(u < self.p));
        } else {
            self.launch
                .draws(count, |words| words.map(unit))
                .for_each(|u| push(u < self.p as f32));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

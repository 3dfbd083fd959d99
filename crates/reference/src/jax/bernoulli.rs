//! JAX bernoulli: ones with a probability, and zeros.

use seedproof_ops::{Dtype, Elements, Failure, JaxBernoulli, JaxUniform, Limits, Response, Tensor};

use super::uniform;
use crate::validate;

/// A valid request.
pub struct Plan {
    uniform: uniform::Plan,
    p: f32,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxe.p]`: an f32 of any value. `[jxe.uniform]`: the numbers are those of uniform, f32 in [0, 1).
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxBernoulli, limits: Limits) -> Result<Self, Failure> {
        let uniform = uniform::Plan::new(
            &JaxUniform {
                key: request.key.clone(),
                minval: Tensor::scalar(0.0_f32),
                maxval: Tensor::scalar(1.0_f32),
                implementation: request.implementation.clone(),
                partitionable: request.partitionable,
                output_type: Dtype::F32.into(),
                output_sizes: request.output_sizes.clone(),
            },
            // The limit is that of the output, an element of which takes a quarter of a number's bytes.
            Limits {
                max_output_bytes: limits.max_output_bytes.saturating_mul(4),
            },
        );
        // A key that is refused comes before p, and an output over the limit after it.
        if let Err(Failure::Rejected(error)) = uniform {
            return Err(Failure::Rejected(error));
        }
        let p = validate::scalar("p", &request.p)?;
        limits.shape(Dtype::U8, &request.output_sizes)?;
        Ok(Self { uniform: uniform?, p })
    }

    /// `[jxe.less]`: a one where the number is less than p.
    ///
    /// Erratum `jxe.less.strict`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::U8, self.uniform.shape())?;
        for number in self.uniform.singles() {
            elements.push(u8::from(number < self.p));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

//! JAX gumbel: numbers of the Gumbel distribution from a key.

use seedproof_ops::{Dtype, Elements, Failure, JaxGumbel, JaxUniform, Limits, Response, Tensor};
use seedproof_transcend::xla::log;

use super::{keys, uniform};
use crate::validate;

/// A valid request.
pub struct Plan {
    uniform: uniform::Plan,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxg.type]`: f32 here. `[jxg.uniform]`: the numbers are those of uniform, from the least normal f32 up to 1.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxGumbel, limits: Limits) -> Result<Self, Failure> {
        keys::implementation(&request.implementation)?;
        validate::attribute("output_type", &request.output_type, &[Dtype::F32])?;
        let uniform = uniform::Plan::new(
            &JaxUniform {
                key: request.key.clone(),
                minval: Tensor::scalar(f32::MIN_POSITIVE),
                maxval: Tensor::scalar(1.0_f32),
                implementation: request.implementation.clone(),
                partitionable: request.partitionable,
                output_type: Dtype::F32.into(),
                output_sizes: request.output_sizes.clone(),
            },
            limits,
        )?;
        Ok(Self { uniform })
    }

    /// The numbers.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::F32, self.uniform.shape())?;
        for number in self.numbers() {
            elements.push(number);
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// The numbers, one after another.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        self.uniform.singles().map(noise)
    }
}

/// `[jxg.noise]`: `-log(-log(u))`.
///
/// Erratum `jxg.noise.log`.
fn noise(u: f32) -> f32 {
    -log(-log(u))
}

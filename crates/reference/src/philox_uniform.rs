//! PyTorch uniform: floats in a range from a key.

use half::{bf16, f16};
use seedproof_ops::{Dtype, Failure, Limits, OpError, PhiloxUniform, Response, Shape, Stages, Tensor};

use crate::philox_key::Draws;
use crate::{convert, validate};

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    low: f64,
    high: f64,
    draws: Draws,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &PhiloxUniform, limits: Limits) -> Result<Self, Failure> {
        let floats = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
        let dtype = validate::attribute("output_type", &request.output_type, &floats)?;
        let draws = Draws::new(&request.key, &request.output_sizes)?;
        let low = bound("low", &request.low)?;
        let high = bound("high", &request.high)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        Ok(Self {
            dtype,
            low,
            high,
            draws: draws.of_shape(&shape),
            shape,
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.output(self.low, self.high).map(Response::of)
    }

    /// The words, the values in the unit interval and the output.
    pub fn stages(&self) -> Option<Stages> {
        let per_element = if self.dtype == Dtype::F64 { 2 } else { 1 };
        let unit = self.output(0.0, 1.0).ok()?;
        let scaled = self.output(self.low, self.high).ok()?;
        Some(self.draws.stages(&self.shape, per_element, Some(unit), scaled))
    }

    /// `[tku.convert]`: the low bits of a word, as many as the type's mantissa has and one more, as a fraction.
    /// `[tku.convert.f64]`: the first of two words is the high one.
    ///
    /// Errata `tku.convert.word-order` and `tku.convert.halves`. `[tku.range]`: into the range in the output's type, product
    /// and sum rounded apart. `[tku.range.half]`: the 16-bit types round high - low, compute in f32, and round the end.
    ///
    /// Errata `tku.range.fused`, `tku.range.high-reached` and `tku.range.unchecked`.
    fn output(&self, low: f64, high: f64) -> Result<Tensor, Failure> {
        let [low_32, high_32] = [low, high].map(narrow);
        match self.dtype {
            Dtype::F16 => {
                let [low, high] = [low_32, high_32].map(f16::from_f32);
                self.draws.fill(self.dtype, &self.shape, |[x]: [u32; 1]| {
                    u64::from(convert::f16::in_range_pytorch(convert::f16::pytorch(x), low, high).to_bits())
                })
            }
            Dtype::Bf16 => {
                let [low, high] = [low_32, high_32].map(bf16::from_f32);
                self.draws.fill(self.dtype, &self.shape, |[x]: [u32; 1]| {
                    u64::from(convert::bf16::in_range_pytorch(convert::bf16::pytorch(x), low, high).to_bits())
                })
            }
            Dtype::F64 => self.draws.fill(self.dtype, &self.shape, |[x, y]: [u32; 2]| {
                convert::f64::in_range(convert::f64::pytorch(x, y), low, high).to_bits()
            }),
            _ => self.draws.fill(self.dtype, &self.shape, |[x]: [u32; 1]| {
                u64::from(convert::f32::in_range(convert::f32::pytorch(x), low_32, high_32).to_bits())
            }),
        }
    }
}

/// `[tku.bounds.rounded]`: a bound is rounded to f32, and then to a 16-bit type.
#[expect(clippy::cast_possible_truncation, reason = "the rounding is the point")]
const fn narrow(bound: f64) -> f32 {
    bound as f32
}

/// `[tku.bounds.form]`: one f64. `[tku.bounds.any]`: of any value.
fn bound(name: &str, tensor: &Tensor) -> Result<f64, OpError> {
    validate::dtype(name, tensor, &[Dtype::F64])?;
    crate::stateless::scalar(name, tensor).map(seedproof_ops::Scalar::to_f64)
}

//! PyTorch `uniform_` on CUDA.

use half::{bf16, f16};
use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OpError, Response, Shape, Tensor, TorchCudaUniform,
};

use super::{Launch, pairs, unit, unit_f64};
use crate::validate;

/// A valid request.
pub struct Plan {
    launch: Launch,
    dtype: Dtype,
    shape: Shape,
    from: f64,
    to: f64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tcu.types]`: floats.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &TorchCudaUniform, limits: Limits) -> Result<Self, Failure> {
        let types = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
        let dtype = validate::attribute("output_type", &request.output_type, &types)?;
        let launch = launch!(request)?;
        let (from, to) = bounds(dtype, &request.from, &request.to)?;
        Ok(Self {
            launch,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
            from,
            to,
        })
    }

    /// `[tcu.scale]`: `u * (to - from) + from`, rounded once, with bounds of the type. `[tcu.scale.half]`: the difference of
    /// halves is rounded to a half, and the rest is f32. `[tcu.to]`: a value that is `to` becomes `from`.
    ///
    /// Erratum `tcu.fma`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    #[expect(clippy::float_cmp, reason = "the kernel compares for equality")]
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let count = self.shape.count();
        if self.dtype == Dtype::F64 {
            let range = self.to - self.from;
            for u in self.launch.draws(count, |words| pairs(words, unit_f64)) {
                let value = u.mul_add(range, self.from);
                elements.push(if value == self.to { self.from } else { value });
            }
        } else {
            let (from, to) = (single(self.from), single(self.to));
            let range = rounded(self.dtype, to - from);
            for u in self.launch.draws(count, |words| words.map(unit)) {
                let value = rounded(self.dtype, u.mul_add(range, from));
                let value = if value == to { from } else { value };
                match self.dtype {
                    Dtype::F16 => elements.push(f16::from_f32(value)),
                    Dtype::Bf16 => elements.push(bf16::from_f32(value)),
                    _ => elements.push(value),
                }
            }
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[tcu.bounds]`: finite numbers of the type's range, in order, whose difference is one too; rounded to the type.
fn bounds(dtype: Dtype, from: &Tensor, to: &Tensor) -> Result<(f64, f64), OpError> {
    let (from, to): (f64, f64) = (validate::scalar("from", from)?, validate::scalar("to", to)?);
    let most = match dtype {
        Dtype::F16 => f16::MAX.to_f64(),
        Dtype::Bf16 => bf16::MAX.to_f64(),
        Dtype::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let is_valid = from.abs() <= most && to.abs() <= most && from <= to && to - from <= most;
    if !is_valid {
        return validate::refuse(
            ErrorKind::Range,
            format!(
                "draw from {from} to {to}: expected two numbers of {dtype} in order, not further apart than {most}"
            ),
        );
    }
    if dtype == Dtype::F64 {
        return Ok((from, to));
    }
    let of_type = |bound| f64::from(rounded(dtype, single(bound)));
    Ok((of_type(from), of_type(to)))
}

/// The nearest f32.
#[expect(clippy::cast_possible_truncation, reason = "the rounding to f32")]
const fn single(x: f64) -> f32 {
    x as f32
}

/// The nearest number of a type, through f32.
fn rounded(dtype: Dtype, x: f32) -> f32 {
    match dtype {
        Dtype::F16 => f16::from_f32(x).to_f32(),
        Dtype::Bf16 => bf16::from_f32(x).to_f32(),
        _ => x,
    }
}

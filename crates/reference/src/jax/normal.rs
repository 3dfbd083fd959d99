//! JAX normal: normals from a key, by the inverse of the error function.

use half::{bf16, f16};
use seedproof_ops::{Dtype, Failure, JaxNormal, JaxUniform, Limits, Response, Scalar, Tensor};
use seedproof_transcend::xla::erf_inv;

use super::bits::filled;
use super::{keys, uniform};
use crate::validate;

/// A valid request.
pub struct Plan {
    uniform: uniform::Plan,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxn.type]`: f16, bf16 and f32 here. `[jxn.uniform]`: the numbers are those of uniform in the type, from the one
    /// after -1 up to 1.
    ///
    /// Erratum `jxn.double`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for f64 and for an output over the limit.
    pub fn new(request: &JaxNormal, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let dtype = validate::attribute("output_type", &request.output_type, &uniform::FLOATS)?;
        keys::given(implementation, request.partitionable, &request.key)?;
        let from = match dtype {
            Dtype::F16 => f16::NEG_ONE.to_bits() - 1,
            Dtype::Bf16 => bf16::NEG_ONE.to_bits() - 1,
            Dtype::F64 => {
                let reason = "jax.normal of f64 depends on XLA's double functions";
                return Err(Failure::Unsupported(reason.to_owned()));
            }
            _ => 0,
        };
        let minval = match dtype {
            Dtype::F32 => Tensor::scalar((-1.0_f32).next_up()),
            _ => Tensor::from_scalar(Scalar::new(dtype, from.into())),
        };
        let one = Scalar::from_decimal(dtype, "1").expect("floats have one");
        let uniform = uniform::Plan::new(
            &JaxUniform {
                key: request.key.clone(),
                minval,
                maxval: Tensor::from_scalar(one),
                implementation: request.implementation.clone(),
                partitionable: request.partitionable,
                output_type: request.output_type.clone(),
                output_sizes: request.output_sizes.clone(),
            },
            limits,
        )?;
        Ok(Self { uniform })
    }

    /// The normals.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let dtype = self.uniform.dtype();
        let numbers = self.uniform.numbers();
        filled(
            dtype,
            self.uniform.shape(),
            numbers.map(|bits| normal(Scalar::new(dtype, bits))),
        )
    }
}

/// `[jxn.normal]`: f32(sqrt 2) times the inverse of the error function. `[jxn.half]`: in f16 and bf16 the inverse is computed
/// in f32 and rounded to the type, and multiplied by sqrt 2 of the type.
///
/// Erratum `jxn.normal.erf-inv`.
fn normal(number: Scalar) -> u64 {
    let bits = u16::try_from(number.bits() & 0xffff).expect("16 bits");
    let root = std::f32::consts::SQRT_2;
    match number.dtype() {
        Dtype::F16 => {
            let inverse = f16::from_f32(erf_inv(f16::from_bits(bits).to_f32()));
            u64::from(f16::from_f32(f16::from_f32(root).to_f32() * inverse.to_f32()).to_bits())
        }
        Dtype::Bf16 => {
            let inverse = bf16::from_f32(erf_inv(bf16::from_bits(bits).to_f32()));
            u64::from(bf16::from_f32(bf16::from_f32(root).to_f32() * inverse.to_f32()).to_bits())
        }
        _ => {
            let number = f32::from_bits(u32::try_from(number.bits()).expect("an f32 has 32 bits"));
            u64::from((root * erf_inv(number)).to_bits())
        }
    }
}

//! JAX uniform: floats in a range from a key.
//!
//! There are no stages: how bits become words depends on the implementation of the key.

use half::{bf16, f16};
use seedproof_ops::{Dtype, Failure, JaxUniform, Limits, OpError, Response, Shape, Tensor};

use super::bits::{filled, width};
use super::keys::{self, Key};
use crate::validate;

/// A valid request.
pub struct Plan {
    key: Key,
    dtype: Dtype,
    shape: Shape,
    minval: u64,
    maxval: u64,
}

/// The types of floats.
pub(super) const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxu.bounds.form]`: the bounds are scalars of the output's type. `[jxu.bounds.any]`: of any value.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxUniform, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let dtype = validate::attribute("output_type", &request.output_type, &FLOATS)?;
        let key = keys::given(implementation, request.partitionable, &request.key)?;
        let bound = |name, tensor: &Tensor| -> Result<u64, OpError> {
            validate::dtype(name, tensor, &[dtype])?;
            crate::stateless::scalar(name, tensor).map(seedproof_ops::Scalar::bits)
        };
        Ok(Self {
            key,
            dtype,
            minval: bound("minval", &request.minval)?,
            maxval: bound("maxval", &request.maxval)?,
            shape: limits.shape(dtype, &request.output_sizes)?,
        })
    }

    /// The numbers.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        filled(self.dtype, &self.shape, self.numbers())
    }

    /// The bits of the numbers, in row-major order: ops that make another element of each need no output of them.
    ///
    /// `[jxu.width]`: an element takes bits of its type's width, but bf16 takes 8.
    ///
    /// Erratum `jxu.width.bf16`.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let width = if self.dtype == Dtype::Bf16 {
            8
        } else {
            width(self.dtype)
        };
        let bits = self.key.bits(width, self.shape.count());
        bits.map(|bits| self.element(bits))
    }

    /// The numbers of a plan for f32.
    pub(super) fn singles(&self) -> impl Iterator<Item = f32> {
        self.numbers()
            .map(|bits| f32::from_bits(u32::try_from(bits).expect("an f32 has 32 bits")))
    }

    pub(super) const fn dtype(&self) -> Dtype {
        self.dtype
    }

    pub(super) const fn shape(&self) -> &Shape {
        &self.shape
    }

    fn element(&self, bits: u64) -> u64 {
        let narrow = |bits: u64| u16::try_from(bits & 0xffff).expect("16 bits");
        let single = |bits: u64| f32::from_bits(u32::try_from(bits & 0xffff_ffff).expect("32 bits"));
        let bounds = [self.minval, self.maxval];
        match self.dtype {
            Dtype::F16 => {
                let [low, high] = bounds.map(|bound| f16::from_bits(narrow(bound)));
                u64::from(f16_in_range(f16_unit(narrow(bits)), low, high).to_bits())
            }
            Dtype::Bf16 => {
                let [low, high] = bounds.map(|bound| bf16::from_bits(narrow(bound)));
                u64::from(bf16_in_range(bf16_unit(narrow(bits)), low, high).to_bits())
            }
            Dtype::F64 => {
                let [low, high] = bounds.map(f64::from_bits);
                f64_in_range(f64_unit(bits), low, high).to_bits()
            }
            _ => {
                let [low, high] = bounds.map(single);
                let unit = f32_unit(u32::try_from(bits).expect("an f32 takes 32 bits"));
                u64::from(f32_in_range(unit, low, high).to_bits())
            }
        }
    }
}

/// `[jxu.unit]`: the top bits are the mantissa of a number in `[1, 2)`, less one.
fn f32_unit(bits: u32) -> f32 {
    f32::from_bits(bits >> 9 | 0x3f80_0000) - 1.0
}

/// `[jxu.unit]` of 52 bits.
fn f64_unit(bits: u64) -> f64 {
    f64::from_bits(bits >> 12 | 0x3ff0_0000_0000_0000) - 1.0
}

/// `[jxu.unit]` of 10 bits.
fn f16_unit(bits: u16) -> f16 {
    f16::from_f32(f32::from(f16::from_bits(bits >> 6 | 0x3c00)) - 1.0)
}

/// `[jxu.unit]` of 7 of 8 bits.
fn bf16_unit(bits: u16) -> bf16 {
    bf16::from_f32(f32::from(bf16::from_bits(bits >> 1 | 0x3f80)) - 1.0)
}

/// `[jxu.scale]`: `x * (maxval - minval) + minval`, product and sum rounded once. `[jxu.least]`: at least `minval`.
///
/// Errata `jxu.scale.fused`, `jxu.maxval-reached`, `jxu.range.order` and `jxu.subnormals`.
fn f32_in_range(x: f32, minval: f32, maxval: f32) -> f32 {
    let scaled = x.mul_add(maxval - minval, minval);
    match scaled {
        _ if scaled.is_nan() => f32::NAN,
        _ if scaled < minval => minval,
        _ => scaled,
    }
}

/// As for f32.
fn f64_in_range(x: f64, minval: f64, maxval: f64) -> f64 {
    let scaled = x.mul_add(maxval - minval, minval);
    match scaled {
        _ if scaled.is_nan() => f64::NAN,
        _ if scaled < minval => minval,
        _ => scaled,
    }
}

/// `[jxu.scale.half]`: difference, product and sum are each rounded.
fn f16_in_range(x: f16, minval: f16, maxval: f16) -> f16 {
    let scaled = crate::convert::f16::in_range(x, minval, maxval);
    if scaled < minval { minval } else { scaled }
}

/// `[jxu.scale.half]`: difference, product and sum are each rounded.
fn bf16_in_range(x: bf16, minval: bf16, maxval: bf16) -> bf16 {
    let scaled = crate::convert::bf16::in_range(x, minval, maxval);
    if scaled < minval { minval } else { scaled }
}

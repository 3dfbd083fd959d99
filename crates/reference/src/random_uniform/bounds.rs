//! `minval` and `maxval`, typed and in order.

use std::fmt::Display;

use half::{bf16, f16};
use seedproof_ops::{Dtype, Element, ErrorKind, OpError, RandomUniform, Tensor};

use crate::validate;

/// Two bounds of one type, the first less than the second.
#[derive(Clone, Copy)]
pub(super) struct Range<T> {
    pub(super) minval: T,
    pub(super) maxval: T,
}

/// The bounds by `output_type`.
#[derive(Clone, Copy)]
pub(super) enum Bounds {
    F16(Range<f16>),
    Bf16(Range<bf16>),
    F32(Range<f32>),
    F64(Range<f64>),
    I32(Range<i32>),
    I64(Range<i64>),
}

impl Bounds {
    /// The bounds of a request whose `output_type` is valid.
    pub(super) fn new(output_type: Dtype, request: &RandomUniform) -> Result<Self, OpError> {
        Ok(match output_type {
            Dtype::F16 => Self::F16(range(request)?),
            Dtype::Bf16 => Self::Bf16(range(request)?),
            Dtype::F32 => Self::F32(range(request)?),
            Dtype::F64 => Self::F64(range(request)?),
            Dtype::I32 => Self::I32(range(request)?),
            Dtype::I64 => Self::I64(range(request)?),
            _ => unreachable!("RandomUniform has no output of {output_type}"),
        })
    }

    /// The bounds of the unit interval: scaling to them changes no value in it. `None` for integers.
    pub(super) const fn unit(self) -> Option<Self> {
        const fn unit<T>(minval: T, maxval: T) -> Range<T> {
            Range { minval, maxval }
        }
        match self {
            Self::F16(_) => Some(Self::F16(unit(f16::ZERO, f16::ONE))),
            Self::Bf16(_) => Some(Self::Bf16(unit(bf16::ZERO, bf16::ONE))),
            Self::F32(_) => Some(Self::F32(unit(0.0, 1.0))),
            Self::F64(_) => Some(Self::F64(unit(0.0, 1.0))),
            Self::I32(_) | Self::I64(_) => None,
        }
    }
}

/// `[ru8.bounds.less]`: `minval < maxval`, so that neither is NaN.
///
/// Erratum `ru8.bounds.enforced`: the text speaks of an interval and does not say what an empty one is.
fn range<T: Element + PartialOrd + Display>(request: &RandomUniform) -> Result<Range<T>, OpError> {
    let minval = bound("minval", &request.minval)?;
    let maxval = bound("maxval", &request.maxval)?;
    if minval < maxval {
        return Ok(Range { minval, maxval });
    }
    let message = format!("draw between {minval} and {maxval}: minval must be less than maxval");
    validate::refuse(ErrorKind::Range, message)
}

/// `[ru8.bounds.form]`: of `output_type`, a scalar or a list of one.
fn bound<T: Element>(name: &str, tensor: &Tensor) -> Result<T, OpError> {
    validate::dtype(name, tensor, &[T::DTYPE])?;
    validate::single(name, tensor)?;
    Ok(T::from_le(tensor.bytes()))
}

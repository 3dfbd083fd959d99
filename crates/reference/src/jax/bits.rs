//! JAX bits: unsigned integers of all bits from a key.

use seedproof_ops::{Dtype, Elements, Failure, JaxBits, Limits, Response, Shape, Tensor};

use super::keys::{self, Key};
use crate::validate;

/// A valid request.
pub struct Plan {
    key: Key,
    dtype: Dtype,
    shape: Shape,
}

/// The types of unsigned integers.
const UNSIGNED: [Dtype; 4] = [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64];

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxb.types]`: unsigned integers.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxBits, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let dtype = validate::attribute("output_type", &request.output_type, &UNSIGNED)?;
        let key = keys::given(implementation, request.partitionable, &request.key)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        Ok(Self { key, dtype, shape })
    }

    /// The bits.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        filled(
            self.dtype,
            &self.shape,
            self.key.bits(width(self.dtype), self.shape.count()),
        )
    }
}

/// The bits of a type.
pub(super) fn width(dtype: Dtype) -> u32 {
    8 * u32::try_from(dtype.size()).expect("a type has at most eight bytes")
}

/// An output of these elements' bits.
pub(super) fn filled(
    dtype: Dtype,
    shape: &Shape,
    bits: impl IntoIterator<Item = u64>,
) -> Result<Response, Failure> {
    let mut elements = Elements::reserve(dtype, shape)?;
    for element in bits {
        elements.push_bits(element);
    }
    let output: Tensor = elements.into_tensor();
    Ok(Response::of(output))
}

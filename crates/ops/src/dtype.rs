//! Element types.

use std::str::FromStr;

use crate::named::{Named, named};

named! {
    /// The type of a tensor's elements. Integers are two's complement.
    Dtype {
        /// 8-bit unsigned integer.
        U8 = "u8",
        /// 16-bit unsigned integer.
        U16 = "u16",
        /// 32-bit unsigned integer.
        U32 = "u32",
        /// 64-bit unsigned integer.
        U64 = "u64",
        /// 8-bit signed integer.
        I8 = "i8",
        /// 16-bit signed integer.
        I16 = "i16",
        /// 32-bit signed integer.
        I32 = "i32",
        /// 64-bit signed integer.
        I64 = "i64",
        /// IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits.
        F16 = "f16",
        /// bfloat16: 1 sign, 8 exponent and 7 mantissa bits.
        Bf16 = "bf16",
        /// IEEE 754 binary32: 1 sign, 8 exponent and 23 mantissa bits.
        F32 = "f32",
        /// IEEE 754 binary64: 1 sign, 11 exponent and 52 mantissa bits.
        F64 = "f64",
    }
}

impl Dtype {
    /// Every element type, in the order of the enum.
    pub const ALL: &'static [Self] = <Self as Named>::ALL;

    /// The types of integers, the signed ones first.
    pub const INTEGERS: &'static [Self] = &[
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
    ];

    /// Bytes per element: 1, 2, 4 or 8.
    pub const fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// The name that vectors, the wire protocol and reports use: `u32`, `bf16`, ….
    pub fn name(self) -> &'static str {
        Named::name(self)
    }

    /// Whether the elements are floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Whether the elements are signed integers.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Number of explicit mantissa bits; 0 for integers.
    pub const fn mantissa_bits(self) -> u32 {
        match self {
            Self::F16 => 10,
            Self::Bf16 => 7,
            Self::F32 => 23,
            Self::F64 => 52,
            _ => 0,
        }
    }

    /// The least and the greatest value of an integer type; `None` for a float.
    ///
    /// ```
    /// use seedproof_ops::Dtype;
    ///
    /// assert_eq!(Dtype::I8.integers(), Some(-128..=127));
    /// assert_eq!(Dtype::F32.integers(), None);
    /// ```
    pub fn integers(self) -> Option<std::ops::RangeInclusive<i128>> {
        let span = 1_i128 << (8 * self.size());
        match (self.is_float(), self.is_signed()) {
            (true, _) => None,
            (false, true) => Some(-span / 2..=span / 2 - 1),
            (false, false) => Some(0..=span - 1),
        }
    }
}

/// A type name that no [`Dtype`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("recognise the element type `{0}` (one of {list})", list = Dtype::NAMES.join(", "))]
pub struct UnknownDtype(pub String);

impl FromStr for Dtype {
    type Err = UnknownDtype;

    fn from_str(name: &str) -> Result<Self, UnknownDtype> {
        Self::ALL
            .iter()
            .copied()
            .find(|dtype| dtype.name() == name)
            .ok_or_else(|| UnknownDtype(name.to_owned()))
    }
}

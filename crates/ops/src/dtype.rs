//! Element types.

use std::fmt;
use std::str::FromStr;

use crate::Named;

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dtype {
    /// 32-bit unsigned integer.
    U32,
    /// 32-bit two's-complement integer.
    I32,
    /// 64-bit two's-complement integer.
    I64,
    /// IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits.
    F16,
    /// bfloat16: 1 sign, 8 exponent and 7 mantissa bits.
    Bf16,
    /// IEEE 754 binary32: 1 sign, 8 exponent and 23 mantissa bits.
    F32,
    /// IEEE 754 binary64: 1 sign, 11 exponent and 52 mantissa bits.
    F64,
}

impl Dtype {
    /// Every element type, in the order of the enum.
    pub const ALL: [Self; 7] = [
        Self::U32,
        Self::I32,
        Self::I64,
        Self::F16,
        Self::Bf16,
        Self::F32,
        Self::F64,
    ];

    /// Bytes per element: 2, 4 or 8.
    pub const fn size(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    /// The name that vectors, the wire protocol and reports use: `u32`, `bf16`, ….
    pub const fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Whether the elements are floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Number of explicit mantissa bits; 0 for integers.
    pub const fn mantissa_bits(self) -> u32 {
        match self {
            Self::F16 => 10,
            Self::Bf16 => 7,
            Self::F32 => 23,
            Self::F64 => 52,
            Self::U32 | Self::I32 | Self::I64 => 0,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A type name that no [`Dtype`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("recognise the element type `{0}` (one of u32, i32, i64, f16, bf16, f32, f64)")]
pub struct UnknownDtype(pub String);

impl FromStr for Dtype {
    type Err = UnknownDtype;

    fn from_str(name: &str) -> Result<Self, UnknownDtype> {
        Self::ALL
            .into_iter()
            .find(|dtype| dtype.name() == name)
            .ok_or_else(|| UnknownDtype(name.to_owned()))
    }
}

impl Named for Dtype {
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }
}

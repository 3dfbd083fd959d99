//! Recodings: right elements whose bits were changed when they were stored.

use seedproof_ops::{Dtype, Scalar};

use crate::model::ulp::sign_bit;

/// A change of each element's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Recode {
    /// The bytes of each element are reversed.
    Bytes,
    /// The two halves of each element of 32 or 64 bits are exchanged.
    Halves,
    /// Subnormal elements are replaced by zeros of the same sign.
    Flushed,
    /// Each element was converted to this type and back.
    Through(Dtype),
    /// This number of low bits of each element are zero: it went through a type with fewer, without rounding.
    LowBits(u32),
}

impl Recode {
    /// Those without a parameter.
    pub(crate) const ALL: [Self; 3] = [Self::Bytes, Self::Halves, Self::Flushed];

    /// The low bits that all of these elements have as zeros, if that can be no coincidence.
    pub(crate) fn low_bits(actual: &[u64], dtype: Dtype) -> Option<Self> {
        let all = actual.iter().fold(0, |all, bits| all | bits);
        let zeros = all.trailing_zeros();
        // Two zero bits may be those of a coarse range.
        let is_told = (3..8 * u32::try_from(dtype.size()).ok()?).contains(&zeros);
        is_told.then_some(Self::LowBits(zeros))
    }

    /// The types through which elements of a type lose something.
    pub(crate) fn through(dtype: Dtype) -> impl Iterator<Item = Self> {
        let lossy: &[Dtype] = match dtype {
            Dtype::I64 | Dtype::U64 => &[Dtype::F64, Dtype::F32],
            Dtype::I32 | Dtype::U32 | Dtype::F64 => &[Dtype::F32],
            Dtype::F32 => &[Dtype::F16, Dtype::Bf16],
            _ => &[],
        };
        lossy.iter().map(|&it| Self::Through(it))
    }

    pub(crate) fn apply(self, bits: u64, dtype: Dtype) -> u64 {
        match self {
            Self::Through(narrow) => through(bits, dtype, narrow),
            // The bits of a narrow type are the low ones of a u64, and its reversed bytes are the high ones.
            Self::Bytes => bits.swap_bytes() >> (64 - 8 * dtype.size()),
            Self::Halves => match dtype.size() {
                8 => bits.rotate_left(32),
                4 => bits >> 16 | (bits & 0xffff) << 16,
                // Those of 16 bits have two bytes.
                _ => bits,
            },
            Self::LowBits(count) => bits >> count << count,
            Self::Flushed => flush(bits, dtype),
        }
    }
}

fn flush(bits: u64, dtype: Dtype) -> u64 {
    let sign = sign_bit(dtype);
    let smallest_normal = 1 << dtype.mantissa_bits();
    if dtype.is_float() && bits & !sign < smallest_normal {
        bits & sign
    } else {
        bits
    }
}

/// An element that was converted to a float type and back. Processors convert a number that is too large for an integer to the
/// least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the loss is what is looked for"
)]
fn through(bits: u64, dtype: Dtype, narrow: Dtype) -> u64 {
    let element = Scalar::new(dtype, bits);
    let number = match narrow {
        Dtype::F16 => half::f16::from_f64(element.to_f64()).to_f64(),
        Dtype::Bf16 => half::bf16::from_f64(element.to_f64()).to_f64(),
        Dtype::F32 if dtype.is_float() => f64::from(element.to_f64() as f32),
        Dtype::F32 => f64::from(element.to_i128() as f32),
        _ => element.to_i128() as f64,
    };
    if dtype == Dtype::F64 {
        return number.to_bits();
    }
    if dtype.is_float() {
        return u64::from((number as f32).to_bits());
    }
    let whole = number as i128;
    let of_type = dtype.integers().filter(|all| !all.contains(&whole));
    let whole = of_type.map_or(whole, |all| *all.start());
    Scalar::from_i128(dtype, whole).map_or(bits, Scalar::bits)
}

//! Recodings: right elements whose bits were changed when they were stored.

use seedproof_ops::Dtype;

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

    pub(crate) fn apply(self, bits: u64, dtype: Dtype) -> u64 {
        match self {
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

//! Recodings: right elements whose bits were changed when they were stored.

use seedproof_ops::Dtype;

use crate::model::ulp::sign_bit;

/// A change of each element's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Recode {
    /// The bytes of each element are reversed.
    Bytes,
    /// The two words of each 64-bit element are exchanged.
    Halves,
    /// Subnormal elements are replaced by zeros of the same sign.
    Flushed,
}

impl Recode {
    pub(crate) const ALL: [Self; 3] = [Self::Bytes, Self::Halves, Self::Flushed];

    pub(crate) fn apply(self, bits: u64, dtype: Dtype) -> u64 {
        match self {
            // The bits of a narrow type are the low ones of a u64, and its reversed bytes are the high ones.
            Self::Bytes => bits.swap_bytes() >> (64 - 8 * dtype.size()),
            Self::Halves if dtype.size() == 8 => bits.rotate_left(32),
            Self::Halves => bits,
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

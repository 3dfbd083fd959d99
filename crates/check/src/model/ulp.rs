//! Distance between two elements of one type, in representable values.

use seedproof_ops::{Dtype, Scalar};

/// The distance between two elements in representable values: 1 for neighbours, 0 for equal ones.
///
/// The zeros of both signs are the same point. Integers are counted as numbers. `None` if either element is a NaN, or
/// if the types differ.
///
/// ```
/// use seedproof_check::ulps;
/// use seedproof_ops::{Dtype, Scalar};
///
/// let f32 = |value: f32| Scalar::new(Dtype::F32, value.to_bits().into());
/// assert_eq!(ulps(f32(1.0), f32(1.0_f32.next_up())), Some(1));
/// assert_eq!(ulps(f32(-0.0), f32(0.0)), Some(0));
/// assert_eq!(ulps(f32(1.0), f32(f32::NAN)), None);
/// ```
pub fn ulps(a: Scalar, b: Scalar) -> Option<u64> {
    if a.dtype() != b.dtype() {
        return None;
    }
    if !a.dtype().is_float() {
        return u64::try_from(a.to_i128().abs_diff(b.to_i128())).ok();
    }
    if a.to_f64().is_nan() || b.to_f64().is_nan() {
        return None;
    }
    let ((a_negative, a), (b_negative, b)) = (split(a), split(b));
    // The sum cannot overflow: a magnitude up to infinity has 63 bits at most.
    Some(if a_negative == b_negative {
        a.abs_diff(b)
    } else {
        a + b
    })
}

/// The distance between neighbouring values of a float type at this magnitude.
pub(crate) fn step(magnitude: f64, dtype: Dtype) -> f64 {
    // The bits of infinity are a mask of the exponent: what is left is the power of two at or below the magnitude.
    let power = f64::from_bits(magnitude.to_bits() & f64::INFINITY.to_bits());
    let step = power / f64::from_bits((1023 + u64::from(dtype.mantissa_bits())) << 52);
    // Near zero the exponent goes on falling in f64, but the type's own values are spaced by its first subnormal.
    step.max(Scalar::new(dtype, 1).to_f64())
}

/// Sign and magnitude of a float's bits.
fn split(value: Scalar) -> (bool, u64) {
    let sign = sign_bit(value.dtype());
    (value.bits() & sign != 0, value.bits() & !sign)
}

/// The sign bit of a float of this type.
pub(crate) const fn sign_bit(dtype: Dtype) -> u64 {
    match dtype.size() {
        2 => 1 << 15,
        4 => 1 << 31,
        _ => 1 << 63,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dtype: Dtype, a: u64, b: u64) -> Option<u64> {
        ulps(Scalar::new(dtype, a), Scalar::new(dtype, b))
    }

    #[test]
    fn ulps_of_neighbours_are_one() {
        assert_eq!(of(Dtype::F16, 0xbc56, 0xbc57), Some(1));
        assert_eq!(of(Dtype::Bf16, 0x3f80, 0x3f81), Some(1));
        assert_eq!(of(Dtype::F32, 0x3f7f_ffff, 0x3f80_0000), Some(1));
        assert_eq!(of(Dtype::F64, 1, 2), Some(1));
    }

    #[test]
    fn ulps_across_zero_count_both_sides() {
        assert_eq!(of(Dtype::F32, 0x8000_0000, 0), Some(0));
        assert_eq!(of(Dtype::F32, 0x8000_0001, 0x0000_0001), Some(2));
        assert_eq!(of(Dtype::F16, 0x8003, 0x0000), Some(3));
    }

    #[test]
    fn ulps_of_a_nan_are_unknown() {
        assert_eq!(of(Dtype::F32, 0x7fc0_0000, 0x7fc0_0001), None);
        assert_eq!(of(Dtype::F64, 0, f64::NAN.to_bits()), None);
    }

    #[test]
    fn ulps_reach_the_extremes_without_overflow() {
        let (inf, neg) = (f64::INFINITY.to_bits(), f64::NEG_INFINITY.to_bits());
        assert_eq!(of(Dtype::F64, inf, neg), Some(2 * inf));
        assert_eq!(
            of(Dtype::I64, i64::MIN.cast_unsigned(), i64::MAX.cast_unsigned()),
            Some(u64::MAX)
        );
        assert_eq!(of(Dtype::U32, 0, 0xffff_ffff), Some(0xffff_ffff));
        assert_eq!(of(Dtype::U64, 1, u64::MAX), Some(u64::MAX - 1));
        assert_eq!(of(Dtype::U64, (1 << 63) - 1, 1 << 63), Some(1));
        assert_eq!(of(Dtype::I32, 0xffff_ffff, 1), Some(2));
    }

    #[test]
    fn ulps_of_two_types_are_unknown() {
        assert_eq!(
            ulps(Scalar::new(Dtype::F16, 0), Scalar::new(Dtype::Bf16, 0)),
            None
        );
    }

    proptest::proptest! {
        #[test]
        fn ulps_are_symmetric_and_count_single_steps(a: u64, b: u64) {
            for &dtype in Dtype::ALL {
                proptest::prop_assert_eq!(of(dtype, a, b), of(dtype, b, a));
                let here = Scalar::new(dtype, a);
                let next = Scalar::new(dtype, a.wrapping_add(1));
                if dtype.is_float() && !next.to_f64().is_nan() && !here.to_f64().is_nan() {
                    proptest::prop_assert_eq!(ulps(here, next), Some(1));
                }
            }
        }
    }
}

//! f16: 1 sign, 5 exponent and 10 mantissa bits.
//!
//! An operation in f16 is the operation in f32, then a rounding to f16: f32 has more than twice the digits
//! and two, so the sum, the difference and the product of two f16 come out as if they had been rounded once.

use half::f16;

/// `[ru8.convert.f16]`: the word's low 10 bits as the mantissa of a number in `[1, 2)`, less one.
///
/// Erratum `ru8.convert.missing-bit-cast`: the bits are taken as a float before the subtraction.
pub fn tensorflow(x: u32) -> f16 {
    let exponent = 15;
    let [b0, b1, ..] = x.to_le_bytes();
    let x_uint16 = u16::from_le_bytes([b0, b1]);
    let val = f16::from_bits((exponent << 10) | (x_uint16 & 0x03ff));
    rounded(f32::from(val) - 1.0)
}

/// `[ru8.mt.convert.f16]`: the word's low 11 bits, divided by 2^11.
///
/// Erratum `ru8.mt.mask-precedence`: the mask is `(1 << mantissa_digits) - 1`. Erratum
/// `ru8.frameworks.torch-halves`: later releases of PyTorch take 24 bits. The result is exact in f16.
#[expect(clippy::cast_precision_loss, reason = "11 bits are exact")]
pub fn pytorch(x: u32) -> f16 {
    let mantissa_digits = 11;
    let mask = (1 << mantissa_digits) - 1;
    let divisor = 1.0 / (1_u32 << mantissa_digits) as f32;
    rounded((x & mask) as f32 * divisor)
}

/// `[ru8.range.float]`: `x * (maxval - minval) + minval`; the rule of TENSORFLOW.
///
/// Errata `ru8.range.rounding` and `ru8.range.fused`: each operation is rounded to f16, the product before
/// the sum. Erratum `ru8.range.maxval-reached`: the sum may round up to `maxval`.
pub fn in_range(x: f16, minval: f16, maxval: f16) -> f16 {
    let range = rounded(f32::from(maxval) - f32::from(minval));
    let product = rounded(f32::from(x) * f32::from(range));
    rounded(f32::from(product) + f32::from(minval))
}

/// `[ru8.mt.range.half]`: `x * (maxval - minval) + minval`; the rule of PYTORCH.
///
/// Erratum `ru8.mt.half-rounding`: the range is rounded to f16, product and sum to f32, and the result to
/// f16.
pub fn in_range_pytorch(x: f16, minval: f16, maxval: f16) -> f16 {
    let range = rounded(f32::from(maxval) - f32::from(minval));
    let product = f32::from(x) * f32::from(range);
    rounded(product + f32::from(minval))
}

/// The nearest f16, ties to even.
///
/// Erratum `ru8.rounding.f16-subnormal`: near zero too. Erratum `ru8.range.nan`: every NaN is the
/// positive quiet one without payload.
fn rounded(value: f32) -> f16 {
    if value.is_nan() {
        f16::NAN
    } else {
        f16::from_f32(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f16_ends_of_the_unit_interval() {
        assert_eq!(tensorflow(0xfffffc00).to_bits(), 0);
        assert_eq!(tensorflow(u32::MAX).to_bits(), 0x3bfe);
        assert_eq!(pytorch(0xfffff800).to_bits(), 0);
        assert_eq!(pytorch(u32::MAX).to_bits(), 0x3bff);
    }

    #[test]
    fn f16_rounds_to_nearest_even() {
        for (value, bits) in [
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (f32::from_bits(0x337f_f966), 0x0001),
            (f32::from_bits(0xb7ff_fc44), 0x8200),
            (2_f32.powi(-25), 0x0000),
            (1.5 * 2_f32.powi(-24), 0x0002),
            (-f32::NAN, 0x7e00),
        ] {
            assert_eq!(rounded(value).to_bits(), bits, "{value}");
        }
    }

    #[test]
    fn f16_product_is_rounded_before_the_sum_under_tensorflow_only() {
        let (minval, maxval) = (f16::from_f32(-1.5), f16::from_f32(-1.4));
        let differing = (0..2048)
            .map(pytorch)
            .filter(|&x| in_range(x, minval, maxval) != in_range_pytorch(x, minval, maxval))
            .count();
        assert!(differing > 0);
    }

    #[test]
    fn f16_infinite_ranges_follow_ieee() {
        let half = f16::from_f32(0.5);
        for in_range in [in_range, in_range_pytorch] {
            assert_eq!(in_range(half, f16::ZERO, f16::INFINITY), f16::INFINITY);
            assert_eq!(
                in_range(half, f16::NEG_INFINITY, f16::ZERO).to_bits(),
                f16::NAN.to_bits()
            );
            assert_eq!(in_range(half, f16::MIN, f16::MAX), f16::INFINITY);
            assert_eq!(in_range(half, f16::ZERO, f16::from_bits(8)).to_bits(), 4);
        }
        assert_eq!(f16::NAN.to_bits(), 0x7e00);
    }
}

//! f32: 1 sign, 8 exponent and 23 mantissa bits.

/// `[ru8.convert.f32]`: the word's low 23 bits as the mantissa of a number in `[1, 2)`, less one.
///
/// Erratum `ru8.convert.missing-bit-cast`: the bits are taken as a float before the subtraction.
pub fn tensorflow(x: u32) -> f32 {
    let exponent = 127;
    f32::from_bits((exponent << 23) | (x & 0x007f_ffff)) - 1.0
}

/// `[ru8.mt.convert.f32]`: the word's low 24 bits, divided by 2^24.
///
/// Erratum `ru8.mt.mask-precedence`: the mask is `(1 << mantissa_digits) - 1`.
#[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
pub fn pytorch(x: u32) -> f32 {
    let mantissa_digits = 24;
    let mask = (1 << mantissa_digits) - 1;
    let divisor = 1.0 / (1_u32 << mantissa_digits) as f32;
    (x & mask) as f32 * divisor
}

/// `[ru8.range.float]`: `x * (maxval - minval) + minval`.
///
/// Errata `ru8.range.rounding` and `ru8.range.fused`: each operation is rounded to f32, the product before
/// the sum. Erratum `ru8.range.maxval-reached`: the sum may round up to `maxval`.
pub fn in_range(x: f32, minval: f32, maxval: f32) -> f32 {
    canonical(x * (maxval - minval) + minval)
}

/// Erratum `ru8.range.nan`: any would do; every NaN is the positive quiet one without payload, whatever the machine
/// makes.
fn canonical(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f32_ends_of_the_unit_interval() {
        assert_eq!(tensorflow(0).to_bits(), 0);
        assert_eq!(tensorflow(0xff80_0000).to_bits(), 0);
        assert_eq!(tensorflow(u32::MAX).to_bits(), (1.0 - f32::EPSILON).to_bits());
        assert_eq!(pytorch(0xff00_0000).to_bits(), 0);
        assert_eq!(pytorch(u32::MAX).to_bits(), 1.0_f32.next_down().to_bits());
    }

    #[test]
    fn f32_first_words_of_the_examples() {
        assert_eq!(tensorflow(0xe059be6b).to_string(), "0.7011236");
        assert_eq!(tensorflow(0x7aa7173a).to_string(), "0.30539632");
    }

    #[test]
    fn f32_infinite_ranges_follow_ieee() {
        let inf = f32::INFINITY;
        assert_eq!(in_range(0.5, 0.0, inf).to_bits(), inf.to_bits());
        assert_eq!(in_range(0.5, -inf, 0.0).to_bits(), 0x7fc0_0000, "inf - inf");
        assert_eq!(in_range(0.0, 0.0, inf).to_bits(), 0x7fc0_0000, "0 * inf");
        assert_eq!(in_range(0.5, f32::MIN, f32::MAX).to_bits(), inf.to_bits());
    }

    #[test]
    fn f32_subnormal_ranges_are_kept() {
        let tiny = f32::from_bits(8);
        assert_eq!(in_range(0.5, 0.0, tiny).to_bits(), 4);
        assert_eq!(in_range(0.5, -tiny, 0.0).to_bits(), 0x8000_0004);
    }

    #[test]
    fn f32_product_is_rounded_before_the_sum() {
        let (minval, maxval) = (0.1_f32, 0.7_f32);
        let differing = (0..1000)
            .map(|i| tensorflow(i * 0x9e37))
            .filter(|&x| {
                let fused = x.mul_add(maxval - minval, minval);
                fused.to_bits() != in_range(x, minval, maxval).to_bits()
            })
            .count();
        assert!(differing > 0);
    }
}

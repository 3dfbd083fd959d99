//! f64: 1 sign, 11 exponent and 52 mantissa bits. Two words make a number, the first one the high one.

/// `[ru8.convert.f64]`: the low 20 bits of `x0`, then all of `x1`, as the mantissa of a number in `[1, 2)`,
/// less one.
///
/// Erratum `ru8.convert.missing-bit-cast`: the bits are taken as a float before the subtraction.
pub fn tensorflow(x0: u32, x1: u32) -> f64 {
    let exponent = 1023;
    let mantissa_h = u64::from(x0 & 0x000f_ffff);
    let mantissa_l = u64::from(x1);
    let mantissa = (mantissa_h << 32) | mantissa_l;
    f64::from_bits((exponent << 52) | mantissa) - 1.0
}

/// `[ru8.mt.convert.f64]`: the low 53 bits of `(x << 32) + y`, divided by 2^53.
///
/// Erratum `ru8.mt.f64-word-order`: the shift comes before the sum, and `x` is drawn first. Erratum
/// `ru8.mt.f64-uses-x`: it is `value` that is masked. Erratum `ru8.mt.mask-precedence`: the mask is
/// `(1 << mantissa_digits) - 1`.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
pub fn pytorch(x: u32, y: u32) -> f64 {
    let value = (u64::from(x) << 32) + u64::from(y);
    let mantissa_digits = 53;
    let mask = (1 << mantissa_digits) - 1;
    let divisor = 1.0 / (1_u64 << mantissa_digits) as f64;
    (value & mask) as f64 * divisor
}

/// `[ru8.range.float]`: `x * (maxval - minval) + minval`.
///
/// Errata `ru8.range.rounding` and `ru8.range.fused`: each operation is rounded to f64, the product before
/// the sum. Erratum `ru8.range.maxval-reached`: the sum may round up to `maxval`.
pub fn in_range(x: f64, minval: f64, maxval: f64) -> f64 {
    canonical(x * (maxval - minval) + minval)
}

/// Erratum `ru8.range.nan`: any would do; every NaN is the positive quiet one without payload, whatever the machine
/// makes.
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f64_ends_of_the_unit_interval() {
        let max = u32::MAX;
        assert_eq!(tensorflow(0xfff0_0000, 0).to_bits(), 0);
        assert_eq!(tensorflow(max, max).to_bits(), (1.0 - f64::EPSILON).to_bits());
        assert_eq!(pytorch(0xffe0_0000, 0).to_bits(), 0);
        assert_eq!(pytorch(max, max).to_bits(), 1.0_f64.next_down().to_bits());
    }

    #[test]
    fn f64_first_word_is_the_high_one() {
        assert_eq!(tensorflow(1 << 19, 0).to_bits(), 0.5_f64.to_bits());
        assert_eq!(pytorch(1 << 20, 0).to_bits(), 0.5_f64.to_bits());
    }

    #[test]
    fn f64_infinite_ranges_follow_ieee() {
        let inf = f64::INFINITY;
        assert_eq!(in_range(0.5, 0.0, inf).to_bits(), inf.to_bits());
        assert_eq!(in_range(0.5, -inf, 0.0).to_bits(), 0x7ff8_0000_0000_0000);
        assert_eq!(in_range(0.5, f64::MIN, f64::MAX).to_bits(), inf.to_bits());
    }

    #[test]
    fn f64_subnormal_ranges_are_kept() {
        assert_eq!(in_range(0.5, 0.0, f64::from_bits(8)).to_bits(), 4);
    }
}

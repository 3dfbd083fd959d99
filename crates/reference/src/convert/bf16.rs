//! bf16: 1 sign, 8 exponent and 7 mantissa bits.
//!
//! An operation in bf16 is the operation in f32, then a rounding to bf16: f32 has more than twice the digits
//! and two, so the sum, the difference and the product of two bf16 come out as if they had been rounded once.

use half::bf16;

/// `[ru8.convert.bf16]`: the word's low 7 bits as the mantissa of a number in `[1, 2)`, less one.
///
/// Erratum `ru8.convert.bf16-missing`: the document lists the type and has no rule for it.
pub fn tensorflow(x: u32) -> bf16 {
    let exponent = 127;
    let [b0, b1, ..] = x.to_le_bytes();
    let x_uint16 = u16::from_le_bytes([b0, b1]);
    let val = bf16::from_bits((exponent << 7) | (x_uint16 & 0x007f));
    rounded(f32::from(val) - 1.0)
}

/// `[ru8.mt.convert.bf16]`: the word's low 8 bits, divided by 2^8.
///
/// Erratum `ru8.mt.mask-precedence`: the mask is `(1 << mantissa_digits) - 1`. Erratum
/// `ru8.frameworks.torch-halves`: later releases of PyTorch take 24 bits. The result is exact in bf16.
#[expect(clippy::cast_precision_loss, reason = "8 bits are exact")]
pub fn pytorch(x: u32) -> bf16 {
    let mantissa_digits = 8;
    let mask = (1 << mantissa_digits) - 1;
    let divisor = 1.0 / (1_u32 << mantissa_digits) as f32;
    rounded((x & mask) as f32 * divisor)
}

/// `[ru8.range.float]`: `x * (maxval - minval) + minval`; the rule of TENSORFLOW.
///
/// Errata `ru8.range.rounding` and `ru8.range.fused`: each operation is rounded to bf16, the product before
/// the sum. Erratum `ru8.range.maxval-reached`: the sum may round up to `maxval`.
pub fn in_range(x: bf16, minval: bf16, maxval: bf16) -> bf16 {
    let range = rounded(f32::from(maxval) - f32::from(minval));
    let product = rounded(f32::from(x) * f32::from(range));
    rounded(f32::from(product) + f32::from(minval))
}

/// `[ru8.mt.range.half]`: `x * (maxval - minval) + minval`; the rule of PYTORCH.
///
/// Erratum `ru8.mt.half-rounding`: the range is rounded to bf16, product and sum to f32, and the result to
/// bf16.
pub fn in_range_pytorch(x: bf16, minval: bf16, maxval: bf16) -> bf16 {
    let range = rounded(f32::from(maxval) - f32::from(minval));
    let product = f32::from(x) * f32::from(range);
    rounded(product + f32::from(minval))
}

/// The nearest bf16, ties to even.
///
/// Erratum `ru8.rounding.bf16`: whatever the kept digits are. Erratum `ru8.range.nan`: every NaN is the
/// positive quiet one without payload.
fn rounded(value: f32) -> bf16 {
    if value.is_nan() {
        bf16::NAN
    } else {
        bf16::from_f32(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bf16_ends_of_the_unit_interval() {
        assert_eq!(tensorflow(0xffffff80).to_bits(), 0);
        assert_eq!(tensorflow(u32::MAX).to_bits(), 0x3f7e);
        assert_eq!(pytorch(0xffffff00).to_bits(), 0);
        assert_eq!(pytorch(u32::MAX).to_bits(), 0x3f7f);
    }

    #[test]
    fn bf16_rounds_to_nearest_even() {
        for (bits, nearest) in [
            (0x3f80_8000, 0x3f80),
            (0x3f80_8001, 0x3f81),
            (0x3f81_8000, 0x3f82),
            (0x3f81_7fff, 0x3f81),
            (0x7f7f_8000, 0x7f80),
            (0x0000_8001, 0x0001),
            (0xffc0_0001, 0x7fc0),
        ] {
            assert_eq!(rounded(f32::from_bits(bits)).to_bits(), nearest, "{bits:08x}");
        }
    }

    #[test]
    fn bf16_infinite_ranges_follow_ieee() {
        let half = bf16::from_f32(0.5);
        for in_range in [in_range, in_range_pytorch] {
            assert_eq!(in_range(half, bf16::ZERO, bf16::INFINITY), bf16::INFINITY);
            assert_eq!(
                in_range(half, bf16::NEG_INFINITY, bf16::ZERO).to_bits(),
                bf16::NAN.to_bits()
            );
            assert_eq!(in_range(half, bf16::MIN, bf16::MAX), bf16::INFINITY);
            assert_eq!(in_range(half, bf16::ZERO, bf16::from_bits(8)).to_bits(), 4);
        }
        assert_eq!(bf16::NAN.to_bits(), 0x7fc0);
    }
}

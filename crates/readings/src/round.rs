//! Rounding to the 16-bit types, written out: to nearest even, and as others do it.

use crate::answers::{Bf16Rounding, F16Rounding};

/// The f16 bits of `x`. A NaN becomes a quiet NaN of its sign.
pub(crate) fn f16_bits(x: f32, rounding: F16Rounding) -> u16 {
    let bits = x.to_bits();
    let sign = high_16(bits) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    sign | match rounding {
        F16Rounding::NearestEven => f16_nearest(magnitude),
        F16Rounding::OpenVino => f16_openvino(magnitude),
        F16Rounding::TowardZero => f16_toward_zero(magnitude),
    }
}

fn f16_nearest(magnitude: u32) -> u16 {
    match magnitude {
        // 65520 and above round past the largest finite value, 65504.
        0x477f_f000.. => 0x7c00,
        // Normal results: the bias moves from 127 to 15, and 13 bits are rounded away.
        0x3880_0000.. => {
            let rebased = magnitude - (112 << 23);
            low_16((rebased + 0x0fff + ((rebased >> 13) & 1)) >> 13)
        }
        // Subnormal results are multiples of 2^-24, the spacing of f32 just above 0.5: adding 0.5 rounds.
        _ => {
            let sum = f32::from_bits(magnitude) + 0.5;
            low_16(sum.to_bits() - 0.5_f32.to_bits())
        }
    }
}

/// `ov::float16`'s conversion: subnormal inputs give zero, and below 2^-15 a carry out of the fraction is
/// counted twice, so that the result is double of what it should be.
fn f16_openvino(magnitude: u32) -> u16 {
    match magnitude {
        ..0x0080_0000 => 0,
        ..0x3800_0000 if magnitude & 0x007f_ffff >= 0x007f_f000 => f16_nearest(magnitude) << 1,
        _ => f16_nearest(magnitude),
    }
}

fn f16_toward_zero(magnitude: u32) -> u16 {
    match magnitude {
        0x7f80_0000.. => 0x7c00,
        // 65536 and above: the largest finite value.
        0x4780_0000.. => 0x7bff,
        0x3880_0000.. => low_16((magnitude - (112 << 23)) >> 13),
        // 2^-24 and above: shift the mantissa, with its leading one, into place.
        0x3380_0000.. => low_16(((magnitude & 0x007f_ffff) | 0x0080_0000) >> (126 - (magnitude >> 23))),
        _ => 0,
    }
}

/// The bf16 bits of `x`. A NaN becomes a quiet NaN of its sign.
pub(crate) fn bf16_bits(x: f32, rounding: Bf16Rounding) -> u16 {
    let bits = x.to_bits();
    if x.is_nan() {
        return (high_16(bits) & 0x8000) | 0x7fc0;
    }
    let last = (bits >> 16) & 1;
    high_16(match rounding {
        Bf16Rounding::NearestEven => bits + 0x7fff + last,
        // `ov::bfloat16` adds half a unit only where the kept last bit is one, and nothing where it is zero.
        Bf16Rounding::OpenVino => bits + (last << 15),
        Bf16Rounding::TowardZero => bits,
        Bf16Rounding::HalfUp => bits + 0x8000,
    })
}

/// The f32 nearest to `x` with its last bit set where `x` is not exact: a second rounding to fewer bits then
/// returns what one rounding of `x` would have returned.
#[expect(clippy::float_cmp, reason = "exact equality is the question")]
pub(crate) fn to_odd(x: f64) -> f32 {
    let nearest = f32_of(x);
    let back = f64::from(nearest);
    if back == x || x.is_nan() || nearest.is_infinite() {
        return nearest;
    }
    let bits = nearest.to_bits();
    let cut = if back.abs() > x.abs() { bits - 1 } else { bits };
    f32::from_bits(cut | 1)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to nearest even is what the cast is for"
)]
pub(crate) const fn f32_of(x: f64) -> f32 {
    x as f32
}

#[expect(
    clippy::cast_precision_loss,
    reason = "rounding to nearest even is what the cast is for"
)]
pub(crate) const fn f64_of(x: u64) -> f64 {
    x as f64
}

pub(crate) fn low_16(bits: u32) -> u16 {
    let [a, b, ..] = bits.to_le_bytes();
    u16::from_le_bytes([a, b])
}

fn high_16(bits: u32) -> u16 {
    low_16(bits >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    /// f32 values around every boundary between neighbours of both 16-bit types.
    fn samples() -> impl Iterator<Item = f32> {
        (0..=0xffff_u32).flat_map(|high| {
            [
                0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x3000, 0x7fff, 0x8000, 0x8001, 0xf000, 0xf001,
                0xffff,
            ]
            .map(|low| f32::from_bits(high << 16 | low))
        })
    }

    #[test]
    fn rounding_to_nearest_even_is_that_of_half() {
        for x in samples().filter(|x| !x.is_nan()) {
            assert_eq!(
                f16_bits(x, F16Rounding::NearestEven),
                f16::from_f32(x).to_bits(),
                "{:08x}",
                x.to_bits()
            );
            assert_eq!(
                bf16_bits(x, Bf16Rounding::NearestEven),
                bf16::from_f32(x).to_bits(),
                "{:08x}",
                x.to_bits()
            );
        }
    }

    #[test]
    fn rounding_toward_zero_never_grows_and_is_within_a_unit() {
        for x in samples().filter(|x| x.is_finite()) {
            let cut = f16_bits(x, F16Rounding::TowardZero);
            assert!(
                f16::from_bits(cut).to_f32().abs() <= x.abs(),
                "{:08x}",
                x.to_bits()
            );
            assert!(
                f16_bits(x, F16Rounding::NearestEven) - cut <= 1,
                "{:08x}",
                x.to_bits()
            );
            let cut = bf16_bits(x, Bf16Rounding::TowardZero);
            assert!(bf16::from_bits(cut).to_f32().abs() <= x.abs());
        }
    }

    #[test]
    fn rounding_of_openvino_has_both_defects() {
        let f16 = |bits| f16_bits(f32::from_bits(bits), F16Rounding::OpenVino);
        assert_eq!([f16(0x337f_f966), f16(0xb7ff_fc44), f16(1)], [0x0002, 0x8400, 0]);
        let bf16 = |bits| bf16_bits(f32::from_bits(bits), Bf16Rounding::OpenVino);
        assert_eq!(
            [bf16(0x430c_ffff), bf16(0x430d_8000), bf16(0x430d_7fff)],
            [0x430c, 0x430e, 0x430d]
        );
    }

    #[test]
    fn rounding_to_odd_then_to_f16_rounds_once() {
        // A tie of f16 and a little more, too little for f32 to hold.
        let x = 1.0 + f64::powi(2.0, -11) + f64::powi(2.0, -40);
        assert_eq!(f16_bits(f32_of(x), F16Rounding::NearestEven), 0x3c00);
        assert_eq!(f16_bits(to_odd(x), F16Rounding::NearestEven), 0x3c01);
        assert_eq!(f16_bits(to_odd(-x), F16Rounding::NearestEven), 0xbc01);
        assert_eq!(to_odd(0.5).to_bits(), 0.5_f32.to_bits());
    }
}

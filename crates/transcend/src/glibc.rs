//! `logf`, `sinf` and `cosf` of the GNU C library, 2.28 and later (measured with 2.36, 2.41 and 2.43).
//!
//! Source: `sysdeps/ieee754/flt-32/{e_logf,s_sinf,s_cosf,sincosf.h}` of glibc, which come from Arm's Optimized Routines.
//! They compute in double and round once at the end. Every operation is rounded by itself: the variants of glibc for
//! processors with FMA fuse some, and return the same bits on all inputs of the proof.

/// ln 2.
const LN2: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef);

/// The first bits of the interval that is reduced to around one, [0x3f330000, twice that): about 0.699.
const LOG_START: u32 = 0x3f33_0000;

/// The polynomial of log(1 + r), highest power first; the coefficient of r is one.
const LOG_POLYNOMIAL: [f64; 3] = [
    f64::from_bits(0xbfd0_0ea3_48b8_8334),
    f64::from_bits(0x3fd5_575b_0be0_0b6a),
    f64::from_bits(0xbfdf_fffe_f20a_4123),
];

/// For each sixteenth of the interval, 1 / c and log c of a point c near its middle.
const LOG_TABLE: [(f64, f64); 16] = [
    (
        f64::from_bits(0x3ff6_61ec_79f8_f3be),
        f64::from_bits(0xbfd5_7bf7_808c_aade),
    ),
    (
        f64::from_bits(0x3ff5_71ed_4aaf_883d),
        f64::from_bits(0xbfd2_bef0_a7c0_6ddb),
    ),
    (
        f64::from_bits(0x3ff4_9539_f0f0_10b0),
        f64::from_bits(0xbfd0_1eae_7f51_3a67),
    ),
    (
        f64::from_bits(0x3ff3_c995_b0b8_0385),
        f64::from_bits(0xbfcb_31d8_a682_24e9),
    ),
    (
        f64::from_bits(0x3ff3_0d19_0c88_64a5),
        f64::from_bits(0xbfc6_574f_0ac0_7758),
    ),
    (
        f64::from_bits(0x3ff2_5e22_7b0b_8ea0),
        f64::from_bits(0xbfc1_aa2b_c79c_8100),
    ),
    (
        f64::from_bits(0x3ff1_bb4a_4a1a_343f),
        f64::from_bits(0xbfba_4e76_ce8c_0e5e),
    ),
    (
        f64::from_bits(0x3ff1_2358_f08a_e5ba),
        f64::from_bits(0xbfb1_973c_5a61_1ccc),
    ),
    (
        f64::from_bits(0x3ff0_953f_4199_00a7),
        f64::from_bits(0xbfa2_52f4_38e1_0c1e),
    ),
    (
        f64::from_bits(0x3ff0_0000_0000_0000),
        f64::from_bits(0x0000_0000_0000_0000),
    ),
    (
        f64::from_bits(0x3fee_608c_fd9a_47ac),
        f64::from_bits(0x3faa_a5aa_5df2_5984),
    ),
    (
        f64::from_bits(0x3fec_a4b3_1f02_6aa0),
        f64::from_bits(0x3fbc_5e53_aa36_2eb4),
    ),
    (
        f64::from_bits(0x3feb_2036_576a_fce6),
        f64::from_bits(0x3fc5_26e5_7720_db08),
    ),
    (
        f64::from_bits(0x3fe9_c2d1_63a1_aa2d),
        f64::from_bits(0x3fcb_c286_0d22_4770),
    ),
    (
        f64::from_bits(0x3fe8_86e6_0378_41ed),
        f64::from_bits(0x3fd1_058b_c8a0_7ee1),
    ),
    (
        f64::from_bits(0x3fe7_67dc_f553_4862),
        f64::from_bits(0x3fd4_0430_57b6_ee09),
    ),
];

/// The natural logarithm. Zero gives negative infinity, a negative number NaN.
pub fn logf(x: f32) -> f32 {
    if x.is_nan() || x == f32::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f32::NEG_INFINITY;
    }
    if x < 0.0 {
        return f32::NAN;
    }
    let mut bits = x.to_bits();
    if x.is_subnormal() {
        bits = (x * 8_388_608.0).to_bits().wrapping_sub(23 << 23);
    }
    // x = z * 2^k with z from LOG_START on, and the table's c near z.
    let offset = bits.wrapping_sub(LOG_START);
    let (inverse, log_c) = LOG_TABLE[usize::try_from((offset >> 19) % 16).expect("less than 16")];
    let k = offset.cast_signed() >> 23;
    let z = f64::from(f32::from_bits(bits.wrapping_sub(offset & 0xff80_0000)));

    let r = z * inverse - 1.0;
    let y0 = log_c + f64::from(k) * LN2;
    let [a0, a1, a2] = LOG_POLYNOMIAL;
    let r2 = r * r;
    let y = a1 * r + a2;
    let y = a0 * r2 + y;
    narrow(y * r2 + (y0 + r))
}

/// The coefficients of x^3, x^5 and x^7 in the sine.
const SINE: [f64; 3] = [
    f64::from_bits(0xbfc5_5554_5995_a603),
    f64::from_bits(0x3f81_1076_0523_0bc4),
    f64::from_bits(0xbf29_94eb_3774_cf24),
];

/// The coefficients of x^2, x^4, x^6 and x^8 in the cosine.
const COSINE: [f64; 4] = [
    f64::from_bits(0xbfdf_ffff_fd0c_621c),
    f64::from_bits(0x3fa5_5553_e106_8f19),
    f64::from_bits(0xbf56_c087_e89a_359d),
    f64::from_bits(0x3ef9_9343_027b_f8c3),
];

/// 2^24 * 2 / pi.
const QUADRANTS: f64 = f64::from_bits(0x4164_5f30_6dc9_c883);

const HALF_PI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18);

/// The sine of an angle below 120 in magnitude; NaN for any other.
///
/// glibc reduces larger angles by another method, which no op reaches.
pub fn sinf(y: f32) -> f32 {
    if exponent(y) < 0x398 {
        return y;
    }
    reduce(y).map_or(f32::NAN, |(n, x)| {
        narrow(if n % 2 == 0 { sine(n, x) } else { cosine(n, x) })
    })
}

/// The cosine of an angle below 120 in magnitude; NaN for any other.
pub fn cosf(y: f32) -> f32 {
    if exponent(y) < 0x398 {
        return 1.0;
    }
    reduce(y).map_or(f32::NAN, |(n, x)| {
        narrow(if n % 2 == 0 { cosine(n, x) } else { sine(n, x) })
    })
}

/// The exponent of a float and three bits of its mantissa, by which glibc decides: 0x398 is 2^-12, 0x3f4 about pi / 4.
const fn exponent(y: f32) -> u32 {
    (y.to_bits() << 1) >> 21
}

/// The number of quadrants nearest to an angle, and what is left of it.
fn reduce(y: f32) -> Option<(i32, f64)> {
    let x = f64::from(y);
    if exponent(y) < 0x3f4 {
        return Some((0, x));
    }
    if exponent(y) >= 0x42f {
        return None;
    }
    // Adding a half before the shift rounds to the nearest quadrant, for negative angles too.
    let n = (truncate(x * QUADRANTS) + 0x0080_0000) >> 24;
    Some((n, x - f64::from(n) * HALF_PI))
}

/// The sine's polynomial. Its argument changes sign in the second and third quadrants.
fn sine(n: i32, x: f64) -> f64 {
    let x2 = x * x;
    let x = if matches!(n & 3, 1 | 2) { -x } else { x };
    let [s1, s2, s3] = SINE;
    let x3 = x * x2;
    let s = x + x3 * s1;
    s + (x3 * x2) * (s2 + x2 * s3)
}

/// The cosine's polynomial. Its coefficients change sign in the third and fourth quadrants.
fn cosine(n: i32, x: f64) -> f64 {
    let x2 = x * x;
    let sign = if n & 2 == 0 { 1.0 } else { -1.0 };
    let [c1, c2, c3, c4] = COSINE.map(|coefficient| sign * coefficient);
    let x4 = x2 * x2;
    let c = (sign + x2 * c1) + x4 * c2;
    c + (x4 * x2) * (c3 + x2 * c4)
}

#[expect(clippy::cast_possible_truncation, reason = "the one rounding of the sequence")]
const fn narrow(x: f64) -> f32 {
    x as f32
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "120 * 2^24 * 2 / pi is below 2^31"
)]
const fn truncate(x: f64) -> i32 {
    x as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logf_at_the_borders_of_its_domain() {
        assert_eq!(logf(1.0).to_bits(), 0);
        assert_eq!(logf(0.0).to_bits(), f32::NEG_INFINITY.to_bits());
        assert_eq!(logf(-0.0).to_bits(), f32::NEG_INFINITY.to_bits());
        assert_eq!(logf(f32::INFINITY).to_bits(), f32::INFINITY.to_bits());
        assert!(logf(-1.0).is_nan() && logf(f32::NAN).is_nan());
        assert_eq!(
            logf(f32::from_bits(1)).to_bits(),
            0xc2ce_8ed0,
            "the least subnormal"
        );
    }

    #[test]
    fn sinf_and_cosf_have_the_symmetries_of_their_functions() {
        for y in [0.0_f32, 1e-5, 0.3, 0.785, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 100.0] {
            assert_eq!(sinf(-y).to_bits(), (-sinf(y)).to_bits(), "{y}");
            assert_eq!(cosf(-y).to_bits(), cosf(y).to_bits(), "{y}");
        }
    }

    #[test]
    fn sinf_and_cosf_refuse_what_the_short_reduction_cannot() {
        for y in [120.0, f32::MAX, f32::INFINITY, f32::NAN] {
            assert!(sinf(y).is_nan() && cosf(y).is_nan(), "{y}");
        }
        assert!(sinf(119.9).is_finite());
    }
}

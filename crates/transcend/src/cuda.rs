//! `logf`, `log1pf`, `sin.approx.f32` and `cos.approx.f32` of CUDA (measured with CUDA 13.0 on an H200).
//!
//! `logf` and `log1pf` are software, from CUDA's libdevice: polynomials after a reduction by a power of two, with fused steps
//! throughout. `sin.approx.f32` and `cos.approx.f32`, which `__sinf`, `__cosf` and `__sincosf` compile to, are a table in the
//! GPU's special function unit. NVIDIA does not publish it: the manual states a bound of the error and no bits. The table here
//! was solved for from the unit's answers; the form (64 segments, a quadratic, a truncated square) is that of Oberman and Siu,
//! "A high-performance area-efficient multifunction interpolator", 2005.

/// The natural logarithm.
pub fn logf(x: f32) -> f32 {
    const POLYNOMIAL: [u32; 9] = [
        0xbe05_5027,
        0x3e10_39f6,
        0xbdf8_cdcc,
        0x3e0f_2955,
        0xbe2a_d8b9,
        0x3e4c_ed0b,
        0xbe7f_ff22,
        0x3eaa_aa78,
        0xbf00_0000,
    ];
    // Zero, with either sign, is asked for first: the bits of -0 are past those of infinity.
    if x == 0.0 {
        return f32::NEG_INFINITY;
    }
    if x.to_bits() >= f32::INFINITY.to_bits() {
        return x.mul_add(f32::INFINITY, f32::INFINITY);
    }
    let (x, subnormal) = if x < f32::MIN_POSITIVE {
        (x * f32::from_bits(0x4b00_0000), -23.0)
    } else {
        (x, 0.0)
    };
    // x = m * 2^e with m in [2/3, 4/3).
    let (m, e) = reduced(x.to_bits(), x.to_bits(), 0x3f2a_aaab);
    let f = m - 1.0;
    e_ln2_plus(e + subnormal, f, &POLYNOMIAL)
}

/// The logarithm of 1 + x, for x of at least -1.
pub fn log1pf(x: f32) -> f32 {
    const POLYNOMIAL: [u32; 9] = [
        0xbd39_bf78,
        0x3dd8_0012,
        0xbe07_78e0,
        0x3e14_6475,
        0xbe2a_68dd,
        0x3e4c_af9e,
        0xbe80_0042,
        0x3eaa_aae6,
        0xbf00_0000,
    ];
    if x == 0.0 {
        return x;
    }
    if !(x > -1.0 && x < f32::INFINITY) {
        return logf(1.0 + x);
    }
    // The sum decides about the power of two alone. It is rounded towards zero, so that a sum just below a power stays there.
    let sum = sum_towards_zero(x, 1.0);
    let (m, e) = reduced(x.to_bits(), sum.to_bits(), 0x3f40_0000);
    let (power, _) = reduced(1.0_f32.to_bits(), sum.to_bits(), 0x3f40_0000);
    e_ln2_plus(e, m + (power - 1.0), &POLYNOMIAL)
}

/// A float divided by the power of two that another has over the interval that starts here, and the exponent of that power.
fn reduced(of: u32, by: u32, start: u32) -> (f32, f32) {
    let shift = by.wrapping_sub(start) & 0xff80_0000;
    let exponent = shift.cast_signed() >> 23;
    let exponent = i16::try_from(exponent).expect("an exponent has nine bits");
    (f32::from_bits(of.wrapping_sub(shift)), f32::from(exponent))
}

/// e ln 2 + log(1 + f), of the polynomial of (log(1 + f) - f) / f^2.
fn e_ln2_plus(e: f32, f: f32, polynomial: &[u32]) -> f32 {
    let steps = polynomial.iter().map(|&bits| f32::from_bits(bits));
    let p = steps
        .reduce(|sum, coefficient| sum.mul_add(f, coefficient))
        .unwrap_or(0.0);
    e.mul_add(f32::from_bits(0x3f31_7218), (p * f).mul_add(f, f))
}

/// The sum, rounded towards zero.
fn sum_towards_zero(a: f32, b: f32) -> f32 {
    let sum = a + b;
    let of_b = sum - a;
    let error = (a - (sum - of_b)) + (b - of_b);
    let is_past = error != 0.0 && (error < 0.0) == (sum > 0.0);
    if is_past {
        f32::from_bits(sum.to_bits() - 1)
    } else {
        sum
    }
}

/// The sine of an angle from 0 to 2 pi, as the special function unit has it: within about 2^-20.
pub fn sin_approx(x: f32) -> f32 {
    sine(turns(x))
}

/// The cosine of an angle from 0 to 2 pi, as the special function unit has it: the sine a quarter further.
pub fn cos_approx(x: f32) -> f32 {
    sine(turns(x).wrapping_add(QUARTER))
}

/// The unit counts angles in 2^25 parts of a turn.
const QUARTER: u32 = 1 << 23;

/// An angle in parts of a turn, truncated.
fn turns(x: f32) -> u32 {
    // 1 / (2 pi), by which the compiler multiplies with `mul.rz` before the unit.
    const TURNS: u32 = 0x3e22_f983;
    // Of 2^25 for the parts, 2 * 150 and 24 for three mantissas taken as integers, and the exponent of `TURNS`.
    const OF_INTEGERS: u32 = 2 * 150 + 24 - 25 - (TURNS >> 23);
    let mantissa = |bits: u32| u64::from(bits & 0x007f_ffff | 0x0080_0000);
    let bits = x.abs().to_bits();
    let product = mantissa(bits) * mantissa(TURNS);
    // The product has 47 or 48 bits, of which 24 are kept.
    let length = 64 - product.leading_zeros();
    let kept = product >> (length - 24);
    let places = (bits >> 23) + length;
    let parts = if places >= OF_INTEGERS {
        kept << (places - OF_INTEGERS).min(25)
    } else {
        kept >> (OF_INTEGERS - places).min(63)
    };
    u32::try_from(parts & (4 * u64::from(QUARTER) - 1)).expect("25 bits")
}

/// The sine of parts of a turn. The first quarter is in the table; the second is the first from behind, without its end: the
/// unit takes the complement of the bits.
fn sine(parts: u32) -> f32 {
    let within = parts & (QUARTER - 1);
    let x = if parts & QUARTER == 0 {
        within
    } else {
        QUARTER - 1 - within
    };
    let sine = quarter(x);
    if parts & (2 * QUARTER) == 0 { sine } else { -sine }
}

/// The sine of the first quarter: a quadratic for each of 64 segments, in units of 2^-37, of which 24 bits are kept.
fn quarter(x: u32) -> f32 {
    let (constant, linear, quadratic) = TABLE[usize::try_from(x >> 17).expect("six bits")];
    let x = x & 0x1_ffff;
    let sum = (u64::from(constant) << 12) + u64::from(linear) * u64::from(x)
        - u64::from(quadratic) * u64::from(truncated_square(x));
    let Some(exponent) = sum.checked_ilog2() else {
        return 0.0;
    };
    let mantissa = if exponent >= 23 {
        sum >> (exponent - 23)
    } else {
        sum << (23 - exponent)
    };
    let mantissa = u32::try_from(mantissa).expect("24 bits") & 0x007f_ffff;
    f32::from_bits(((exponent + 127 - 37) << 23) | mantissa)
}

/// The square of 17 bits over 2^19. Products of two bits that weigh less than that are left out before they are added, which
/// saves the unit half of its adders.
fn truncated_square(x: u32) -> u32 {
    // Bits i and j weigh 2^(i + j), and twice that where they differ: with bit i, the higher ones up to 17 - i are too light.
    let left_out = (0..10).map(|i| {
        let higher = x & ((1 << (18 - i)) - 1) & !((2 << i) - 1);
        u64::from(x >> i & 1) * (u64::from(higher) << (i + 1) | 1 << (2 * i))
    });
    let square = u64::from(x) * u64::from(x) - left_out.sum::<u64>();
    u32::try_from(square >> 19).expect("the square of 17 bits over 2^19 fits")
}

/// Of each segment the constant in units of 2^-25, and the linear and the quadratic coefficient, which is negative.
const TABLE: [(u32, u16, u16); 64] = [
    (0, 25737, 14),
    (823463, 25730, 48),
    (1646436, 25706, 76),
    (2468414, 25668, 110),
    (3288906, 25613, 137),
    (4107418, 25544, 171),
    (4923453, 25459, 201),
    (5736526, 25358, 229),
    (6546141, 25243, 262),
    (7351816, 25112, 292),
    (8153060, 24966, 322),
    (8949394, 24805, 352),
    (9740335, 24629, 381),
    (10525413, 24438, 410),
    (11304145, 24233, 441),
    (12076070, 24013, 470),
    (12840725, 23778, 497),
    (13597643, 23529, 525),
    (14346367, 23266, 553),
    (15086452, 22989, 581),
    (15817450, 22698, 608),
    (16538916, 22394, 637),
    (17250422, 22076, 664),
    (17951542, 21744, 688),
    (18641840, 21400, 715),
    (19320916, 21042, 738),
    (19988350, 20672, 763),
    (20643746, 20290, 790),
    (21286703, 19895, 812),
    (21916841, 19489, 839),
    (22533776, 19070, 859),
    (23137138, 18640, 881),
    (23726565, 18199, 904),
    (24301698, 17747, 926),
    (24862194, 17284, 946),
    (25407711, 16811, 967),
    (25937924, 16328, 988),
    (26452518, 15834, 1004),
    (26951170, 15332, 1025),
    (27433593, 14820, 1043),
    (27899488, 14299, 1059),
    (28348583, 13769, 1074),
    (28780594, 13232, 1093),
    (29195273, 12686, 1107),
    (29592364, 12133, 1123),
    (29971632, 11572, 1136),
    (30332846, 11004, 1148),
    (30675788, 10430, 1162),
    (31000253, 9849, 1172),
    (31306042, 9263, 1185),
    (31592974, 8671, 1196),
    (31860879, 8073, 1203),
    (32109590, 7471, 1213),
    (32338961, 6864, 1220),
    (32548845, 6254, 1230),
    (32739132, 5639, 1236),
    (32909694, 5021, 1242),
    (33060432, 4400, 1247),
    (33191257, 3776, 1250),
    (33302087, 3151, 1258),
    (33392857, 2523, 1260),
    (33463517, 1893, 1260),
    (33514014, 1263, 1263),
    (33544326, 632, 1265),
];

#[cfg(test)]
mod tests {
    use super::{cos_approx, log1pf, logf, sin_approx};

    #[test]
    fn cuda_logarithms_at_the_borders_of_their_domains() {
        let is = |result: f32, expected: f32| assert_eq!(result.to_bits(), expected.to_bits());
        is(logf(0.0), f32::NEG_INFINITY);
        is(logf(-0.0), f32::NEG_INFINITY);
        is(logf(f32::INFINITY), f32::INFINITY);
        assert!(logf(-1.0).is_nan() && logf(f32::NAN).is_nan());
        is(logf(1.0), 0.0);
        is(log1pf(-1.0), f32::NEG_INFINITY);
        is(log1pf(-0.0), -0.0);
        assert!(log1pf(-1.5).is_nan() && log1pf(f32::NAN).is_nan());
        is(log1pf(f32::INFINITY), f32::INFINITY);
    }

    #[test]
    fn cuda_sines_stay_within_one() {
        // The last segment of the table ends at 2^37 units, which are one.
        let quarter = std::f32::consts::FRAC_PI_2;
        assert_eq!(sin_approx(quarter).to_bits(), 1.0_f32.to_bits());
        assert_eq!(cos_approx(0.0).to_bits(), 1.0_f32.to_bits());
        // The unit's sine of zero is zero, and not the least angle's.
        assert_eq!(sin_approx(0.0).to_bits(), 0);
    }
}

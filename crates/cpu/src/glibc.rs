//! `logf`, `sinf` and `cosf` of the GNU C library for vectors, on the inputs of which normals are made.
//!
//! Source: the same files as those of [`seedproof_transcend::glibc`], which the scalar code calls. These are written
//! again, without branches: the arguments are those of Box-Muller alone, for which glibc's special cases either do not
//! occur or equal the polynomial.
//!
//! Products and sums are fused, as in glibc's own variant for processors with such an instruction. A double has 29 bits more than
//! an f32, so that the other rounding rarely shows; that it never does is no theorem, and `tests.rs` compares every argument.

use crate::simd::Simd;

/// The first bits of the interval around one that a logarithm's argument is reduced to.
const FIRST: u32 = 0x3f33_0000;
/// 64 in the bits of an exponent. It keeps the exponents of arguments above 2^-64 positive, since lanes have no
/// arithmetic shift.
const BIAS: u32 = 64 << 23;
const LN2: u64 = 0x3fe6_2e42_fefa_39ef;

/// For each sixteenth of the interval, 1 / c and the logarithm of a point c near its middle.
const POINTS: [[u64; 2]; 16] = [
    [0x3ff6_61ec_79f8_f3be, 0xbfd5_7bf7_808c_aade],
    [0x3ff5_71ed_4aaf_883d, 0xbfd2_bef0_a7c0_6ddb],
    [0x3ff4_9539_f0f0_10b0, 0xbfd0_1eae_7f51_3a67],
    [0x3ff3_c995_b0b8_0385, 0xbfcb_31d8_a682_24e9],
    [0x3ff3_0d19_0c88_64a5, 0xbfc6_574f_0ac0_7758],
    [0x3ff2_5e22_7b0b_8ea0, 0xbfc1_aa2b_c79c_8100],
    [0x3ff1_bb4a_4a1a_343f, 0xbfba_4e76_ce8c_0e5e],
    [0x3ff1_2358_f08a_e5ba, 0xbfb1_973c_5a61_1ccc],
    [0x3ff0_953f_4199_00a7, 0xbfa2_52f4_38e1_0c1e],
    [0x3ff0_0000_0000_0000, 0],
    [0x3fee_608c_fd9a_47ac, 0x3faa_a5aa_5df2_5984],
    [0x3fec_a4b3_1f02_6aa0, 0x3fbc_5e53_aa36_2eb4],
    [0x3feb_2036_576a_fce6, 0x3fc5_26e5_7720_db08],
    [0x3fe9_c2d1_63a1_aa2d, 0x3fcb_c286_0d22_4770],
    [0x3fe8_86e6_0378_41ed, 0x3fd1_058b_c8a0_7ee1],
    [0x3fe7_67dc_f553_4862, 0x3fd4_0430_57b6_ee09],
];

/// The coefficients of the logarithm of `1 + r`, from `r^2` on.
const LOG: [u64; 3] = [
    0xbfdf_fffe_f20a_4123,
    0x3fd5_575b_0be0_0b6a,
    0xbfd0_0ea3_48b8_8334,
];
/// The coefficients of the sine, from `x^3` on.
const SINE: [u64; 3] = [
    0xbfc5_5554_5995_a603,
    0x3f81_1076_0523_0bc4,
    0xbf29_94eb_3774_cf24,
];
/// The coefficients of the cosine, from the constant on.
const COSINE: [u64; 5] = [
    0x3ff0_0000_0000_0000,
    0xbfdf_ffff_fd0c_621c,
    0x3fa5_5553_e106_8f19,
    0xbf56_c087_e89a_359d,
    0x3ef9_9343_027b_f8c3,
];

/// `logf` of f32 lanes in [2^-64, 1].
#[inline(always)]
pub(crate) fn log<S: Simd>(s: S, x: S::V) -> S::V {
    let offset = s.add32(s.sub32(x, s.splat32(FIRST)), s.splat32(BIAS));
    let exponent = s.sub32(s.shr32(offset, 23), s.splat32(BIAS >> 23));
    let power = s.sub32(s.and(offset, s.splat32(0xff80_0000)), s.splat32(BIAS));
    // The bias does not reach the bits below the exponent, so these still say the sixteenth.
    let sixteenth = s.widen(s.shr32(offset, 19));
    let reduced = s.widen_f32(s.sub32(x, power));
    let exponent = s.widen_f32(s.to_f32(exponent));
    let [c0, c1, c2] = LOG.map(|it| s.splat64(it));
    let mut logarithms = reduced;
    for half in 0..2 {
        let [inverse, logarithm] = s.rows(&POINTS, sixteenth[half]);
        let r = s.fma_f64(reduced[half], inverse, s.splat64(0xbff0_0000_0000_0000));
        let y0 = s.fma_f64(exponent[half], s.splat64(LN2), logarithm);
        let r2 = s.mul_f64(r, r);
        let y = s.fma_f64(r, c1, c0);
        let y = s.fma_f64(r2, c2, y);
        logarithms[half] = s.fma_f64(y, r2, s.add_f64(y0, r));
    }
    s.round_f32(logarithms)
}

/// `sinf` and `cosf` of f32 lanes in [0, 120).
#[inline(always)]
pub(crate) fn sine_and_cosine<S: Simd>(s: S, angle: S::V) -> [S::V; 2] {
    let x = s.widen_f32(angle);
    // The product is 2^24 quadrants, and a half more before the shift rounds to the nearest.
    let per_quadrant = s.splat64(0x4164_5f30_6dc9_c883);
    let quadrants = s.truncate_f64([s.mul_f64(x[0], per_quadrant), s.mul_f64(x[1], per_quadrant)]);
    let quadrants = s.shr32(s.add32(quadrants, s.splat32(1 << 23)), 24);
    let count = s.widen_f32(s.to_f32(quadrants));
    let (mut sine, mut cosine) = (x, x);
    for half in 0..2 {
        let x = s.fma_f64(count[half], s.splat64(0xbff9_21fb_5444_2d18), x[half]);
        let x2 = s.mul_f64(x, x);
        sine[half] = sine_polynomial(s, x, x2);
        cosine[half] = cosine_polynomial(s, x2);
    }
    let (sine, cosine) = (s.round_f32(sine), s.round_f32(cosine));
    // glibc changes the signs of coefficients. Rounding is symmetric, so that the sign of the result is enough. An odd
    // quadrant exchanges the two.
    let odd = s.sub32(s.splat32(0), s.and(quadrants, s.splat32(1)));
    let difference = s.and(s.xor(sine, cosine), odd);
    [
        s.xor(s.xor(sine, difference), half_turns(s, quadrants)),
        s.xor(
            s.xor(cosine, difference),
            half_turns(s, s.add32(quadrants, s.splat32(1))),
        ),
    ]
}

/// The sign bit of every other pair of quadrants.
#[inline(always)]
fn half_turns<S: Simd>(s: S, quadrants: S::V) -> S::V {
    s.shl32(s.and(quadrants, s.splat32(2)), 30)
}

#[inline(always)]
fn sine_polynomial<S: Simd>(s: S, x: S::V, x2: S::V) -> S::V {
    let [s1, s2, s3] = SINE.map(|it| s.splat64(it));
    let x3 = s.mul_f64(x, x2);
    let low = s.fma_f64(x3, s1, x);
    let high = s.fma_f64(x2, s3, s2);
    s.fma_f64(s.mul_f64(x3, x2), high, low)
}

#[inline(always)]
fn cosine_polynomial<S: Simd>(s: S, x2: S::V) -> S::V {
    let [c0, c1, c2, c3, c4] = COSINE.map(|it| s.splat64(it));
    let x4 = s.mul_f64(x2, x2);
    let low = s.fma_f64(x4, c2, s.fma_f64(x2, c1, c0));
    let high = s.fma_f64(x2, c4, c3);
    s.fma_f64(s.mul_f64(x4, x2), high, low)
}

#[cfg(test)]
mod tests;

//! Logarithm, sine and cosine of f32 after Cephes, as PyTorch's vector path draws normals with them.
//!
//! Source: `aten/src/ATen/native/cpu/avx_mathfun.h`, a port of Julien Pommier's `sse_mathfun.h`, which restates `logf.c` and
//! `sinf.c` of Stephen Moshier's Cephes library. PyTorch compiles it for AVX2 with contraction, which fuses a product into
//! the sum that takes it. Every `mul_add` here is a product that GCC 13 fuses in the wheels; the others it leaves apart.
//!
//! No public function of PyTorch is one of these, so that they cannot be proved input by input as those of
//! `seedproof_transcend` are. They stand here and, written apart, in the second engine.

/// The natural logarithm of a number greater than zero; less than 2^-126 counts as 2^-126.
pub fn log(x: f32) -> f32 {
    const P: [f32; 9] = [
        7.037_683_6e-2,
        -1.151_461e-1,
        1.167_699_87e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_4e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ];
    const Q1: f32 = -2.121_944_4e-4;
    const Q2: f32 = 0.693_359_4;
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    // The mantissa in [1/2, 1), and the exponent that belongs to it.
    let m = f32::from_bits((bits & 0x007f_ffff) | 0x3f00_0000);
    let e = exponent(bits);
    let (e, x) = if m < 0.707_106_77 {
        (e - 1.0, (m - 1.0) + m)
    } else {
        (e, m - 1.0)
    };
    let z = x * x;
    let [p0, rest @ ..] = P;
    let y = rest.into_iter().fold(p0, |y, p| y.mul_add(x, p)) * x;
    let y = y.mul_add(z, e * Q1);
    let y = (-z).mul_add(0.5, y);
    e.mul_add(Q2, x + y)
}

/// The sine and the cosine of an angle from 0 to 2 pi.
pub fn sincos(t: f32) -> (f32, f32) {
    // pi / 4 in three parts, so that what is left of the angle keeps its bits.
    const DP: [f32; 3] = [-0.785_156_25, -2.418_756_5e-4, -3.774_895e-8];
    const FOUR_OVER_PI: f32 = 1.273_239_5;
    const COSINE: [f32; 3] = [2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2];
    const SINE: [f32; 3] = [-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1];
    // The octant, made even: multiples of pi / 2.
    let j = (truncate(t * FOUR_OVER_PI) + 1) & !1;
    let y = f32::from(j);
    let x = DP.into_iter().fold(t, |x, dp| y.mul_add(dp, x));
    let z = x * x;

    let [c0, c1, c2] = COSINE;
    let c = c0.mul_add(z, c1).mul_add(z, c2) * z;
    let c = c.mul_add(z, -(z * 0.5)) + 1.0;
    let [s0, s1, s2] = SINE;
    let s = s0.mul_add(z, s1).mul_add(z, s2) * z;
    let s = s.mul_add(x, x);

    let (sine, cosine) = if j & 2 == 0 { (s, c) } else { (c, s) };
    let sine = if j & 4 == 0 { sine } else { -sine };
    let cosine = if j.wrapping_sub(2) & 4 == 0 {
        -cosine
    } else {
        cosine
    };
    (sine, cosine)
}

/// The exponent of the bits of a positive number, for a mantissa in [1/2, 1).
fn exponent(bits: u32) -> f32 {
    let biased = u8::try_from(bits >> 23).expect("the number is positive");
    f32::from(biased) - 126.0
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "2 pi has eight octants"
)]
const fn truncate(octants: f32) -> u16 {
    octants as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ulp of a number in [1/2, 1) is 2^-24.
    #[test]
    fn cephes_is_within_an_ulp_or_two_of_the_functions() {
        for i in 1..=1_000_u16 {
            let u = f32::from(i) / 1000.0;
            let exact = libm::log(f64::from(u));
            assert!(
                (f64::from(log(u)) - exact).abs() < 2e-7 * exact.abs().max(0.25),
                "log {u}"
            );
            let angle = u * 6.283_185_5;
            let (sine, cosine) = sincos(angle);
            assert!(
                (f64::from(sine) - libm::sin(f64::from(angle))).abs() < 2e-7,
                "sin {angle}"
            );
            assert!(
                (f64::from(cosine) - libm::cos(f64::from(angle))).abs() < 2e-7,
                "cos {angle}"
            );
        }
    }
}

//! `log`, `log1p` and `erf_inv` of f32 as XLA compiles them for a CPU (measured with jax 0.10.2 and TensorFlow 2.21).
//!
//! Source: `GenerateVF32Log` in `xla/service/cpu/llvm_ir_runtime.cc`, after Cephes' `logf`; `EmitLog1p` in
//! `xla/service/elemental_ir_emitter.cc`; `ErfInv32` in `xla/hlo/builder/lib/math.cc`, after Giles, "Approximating the
//! erfinv function". LLVM fuses products with the sums that take them, on every processor with FMA; what is fused, and
//! that the polynomial of `log` is cut into three interleaved ones, was found by measurement.
//!
//! XLA's `sin` and `cos` of f32 are the C library's: [`crate::glibc`].

/// The natural logarithm. Numbers below 2^-126, zero aside, count as 2^-126.
pub fn log(x: f32) -> f32 {
    const A: [u32; 3] = [0x3d90_21bb, 0xbdeb_d1b8, 0x3def_251a];
    const B: [u32; 3] = [0xbdfe_5d4f, 0x3e11_e9bf, 0xbe2a_ae50];
    const C: [u32; 3] = [0x3e4c_ceac, 0xbe7f_fffc, 0x3eaa_aaaa];
    if x.is_nan() || x < 0.0 {
        return f32::NAN;
    }
    if x == 0.0 {
        return f32::NEG_INFINITY;
    }
    if x == f32::INFINITY {
        return x;
    }
    // x = m * 2^e with m in [sqrt(1/2), sqrt(2)), and v = m - 1.
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let mut e = exponent(bits);
    let m = f32::from_bits(bits & 0x007f_ffff | 0x3f00_0000);
    let v = if m < f32::from_bits(0x3f35_04f3) {
        e -= 1.0;
        (m - 1.0) + m
    } else {
        m - 1.0
    };
    let v2 = v * v;
    let v3 = v2 * v;
    let [a, b, c] = [A, B, C].map(|coefficients| polynomial(v, &coefficients));
    let q = a.mul_add(v3, b).mul_add(v3, c);
    // ln 2 is split into two constants, the larger of few bits, so that its product with e is exact.
    let y = q.mul_add(v3, e * f32::from_bits(0xb95e_8083));
    let z = (-v2).mul_add(0.5, v);
    e.mul_add(f32::from_bits(0x3f31_8000), z + y)
}

/// The logarithm of 1 + t, for t of at least -1.
pub fn log1p(t: f32) -> f32 {
    const DENOMINATOR: [u32; 7] = [
        0x3f80_0000,
        0x4171_01ad,
        0x42a6_185b,
        0x435d_c32d,
        0x439a_8ca3,
        0x4358_6d8a,
        0x4270_7982,
    ];
    const NUMERATOR: [u32; 7] = [
        // 4.527e-05
        0x383d_e0b4,
        0x3eff_40c5,
        0x40d2_84fa,
        0x41ef_4b9c,
        0x4273_cc76,
        0x4264_73ad,
        0x41a0_5101,
    ];
    // sqrt(2) - 1, below which the sum 1 + t would lose bits that count.
    if t.abs() >= f32::from_bits(0x3ed4_13cd) {
        return log(t + 1.0);
    }
    let ratio = polynomial(t, &NUMERATOR) / polynomial(t, &DENOMINATOR);
    let t2 = t * t;
    let w = t2.mul_add(-0.5, (t * t2) * ratio);
    t + w
}

/// The inverse of the error function, on [-1, 1]: infinite at both ends.
pub fn erf_inv(u: f32) -> f32 {
    const TAIL: [u32; 9] = [
        0xb951_f09b,
        0x38d3_b56b,
        0x3ab0_dc72,
        0xbb70_bde7,
        0x3bbc_127b,
        0xbbf9_c5d7,
        0x3c1a_a57e,
        0x3f80_36db,
        0x4035_4f7e,
    ];
    let l = log1p(-(u * u));
    if l > -5.0 || u.abs().to_bits() == 1.0_f32.to_bits() {
        return erf_inv_of_middle(u);
    }
    u * polynomial((-l).sqrt() - 3.0, &TAIL)
}

/// The same by the polynomial that [`erf_inv`] takes in the middle, the only one of a port that forgets the tails.
pub fn erf_inv_of_middle(u: f32) -> f32 {
    const MIDDLE: [u32; 9] = [
        0x32f1_6588,
        0x34b8_4b36,
        0xb66c_7357,
        0xb693_5ac1,
        0x3965_32db,
        0xbaa4_5408,
        0xbb88_e4ef,
        0x3e7c_8f63,
        0x3fc0_2e2f,
    ];
    if u.abs().to_bits() == 1.0_f32.to_bits() {
        return u * f32::INFINITY;
    }
    u * polynomial(-2.5 - log1p(-(u * u)), &MIDDLE)
}

/// A polynomial by Horner's rule with fused steps; the coefficients as bits, that of the highest power first.
fn polynomial(x: f32, coefficients: &[u32]) -> f32 {
    let steps = coefficients.iter().map(|&bits| f32::from_bits(bits));
    steps
        .reduce(|sum, coefficient| sum.mul_add(x, coefficient))
        .unwrap_or(0.0)
}

/// The exponent of the bits of a positive number, for a mantissa in [1/2, 1).
fn exponent(bits: u32) -> f32 {
    let biased = i16::try_from(bits >> 23).expect("the sign is clear");
    f32::from(biased - 126)
}

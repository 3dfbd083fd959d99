//! The logarithm, sine and cosine with which PyTorch's AVX2 and AVX-512 kernels make normals: Cephes' single-precision
//! functions, vectorised (`avx_mathfun.h`), with the fused products that the compiler of its wheels chose.
//!
//! Written apart from the oracle's. The constants are bits here, so that a digit that was mistyped there shows.

/// An f32 of these bits.
const fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// The natural logarithm of a positive number.
pub fn logf(input: f32) -> f32 {
    let input = if input < f32::MIN_POSITIVE {
        f32::MIN_POSITIVE
    } else {
        input
    };
    let bits = input.to_bits();
    let mut power = (bits >> 23).cast_signed() - 126;
    let mut v = f(bits & 0x007f_ffff | 0x3f00_0000);
    // The mantissa is moved from [1/2, 1) to around 1, where the polynomial holds.
    if v < f(0x3f35_04f3) {
        power -= 1;
        v = (v - 1.0) + v;
    } else {
        v -= 1.0;
    }
    let power = small(power);
    let square = v * v;
    let mut sum = f(0x3d90_21bb);
    for coefficient in [
        0xbdeb_d1b8,
        0x3def_251a,
        0xbdfe_5d4f,
        0x3e11_e9bf,
        0xbe2a_ae50,
        0x3e4c_ceac,
        0xbe7f_fffc,
        0x3eaa_aaaa,
    ] {
        sum = sum.mul_add(v, f(coefficient));
    }
    sum *= v;
    sum = sum.mul_add(square, power * f(0xb95e_8083));
    sum = (-square).mul_add(0.5, sum);
    power.mul_add(f(0x3f31_8000), v + sum)
}

/// The sine and the cosine of an angle that is not negative and below 120; NaN for any other.
pub fn sincosf(angle: f32) -> [f32; 2] {
    // Two mistakes together can make a number of any size.
    if !(0.0..120.0).contains(&angle) {
        return [f32::NAN; 2];
    }
    let octant = (whole(angle * f(0x3fa2_f983)) + 1) / 2 * 2;
    let count = small(octant);
    let mut x = count.mul_add(-f(0x3f49_0000), angle);
    x = count.mul_add(-f(0x397d_a000), x);
    x = count.mul_add(-f(0x3322_2169), x);
    let x2 = x * x;
    let cosine = f(0x37cc_f5ce)
        .mul_add(x2, f(0xbab6_061a))
        .mul_add(x2, f(0x3d2a_aaa5))
        * x2;
    let cosine = cosine.mul_add(x2, -(x2 * 0.5)) + 1.0;
    let sine = f(0xb94c_a1f9)
        .mul_add(x2, f(0x3c08_839e))
        .mul_add(x2, f(0xbe2a_aaa3))
        * x2;
    let sine = sine.mul_add(x, x);
    // A quadrant at a time: the two exchange their places, and a sign changes.
    match octant / 2 % 4 {
        0 => [sine, cosine],
        1 => [cosine, -sine],
        2 => [-sine, -cosine],
        _ => [-cosine, sine],
    }
}

#[expect(clippy::cast_precision_loss, reason = "an exponent or an octant is small")]
const fn small(integer: i32) -> f32 {
    integer as f32
}

#[expect(clippy::cast_possible_truncation, reason = "the octants of a few turns")]
const fn whole(octants: f32) -> i32 {
    octants as i32
}

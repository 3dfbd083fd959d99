// binary32 in words: every operation rounds once, to nearest even; subnormals are kept; every NaN is the
// canonical one. A significand in the making has 27 bits: 24, and three for the rounding.

const F32_NAN: u32 = 0x7fc00000u;
const F32_INFINITY: u32 = 0x7f800000u;
const F32_SIGN: u32 = 0x80000000u;

/// The number of a sign, an exponent field of at least 1 and 27 bits, rounded. Where the first bit is not
/// set, the exponent is 1 and the number is subnormal.
fn f32_pack(sign: u32, exponent: i32, significand: u32) -> u32 {
    if exponent >= 255 {
        return sign | F32_INFINITY;
    }
    let kept = significand >> 3u;
    let lost = significand & 7u;
    let up = lost > 4u || (lost == 4u && (kept & 1u) == 1u);
    // The first bit, or the carry of the rounding, counts the exponent up.
    return sign | ((u32(exponent - 1) << 23u) + kept + select(0u, 1u, up));
}

/// The significand of a number, the first bit set unless it is subnormal.
fn f32_significand(magnitude: u32) -> u32 {
    return (magnitude & 0x7fffffu) | select(0u, 0x800000u, magnitude >= 0x800000u);
}

fn f32_add(a: u32, b: u32) -> u32 {
    let swapped = (a & ~F32_SIGN) < (b & ~F32_SIGN);
    let large = select(a, b, swapped);
    let small = select(b, a, swapped);
    let large_magnitude = large & ~F32_SIGN;
    let small_magnitude = small & ~F32_SIGN;
    let sign = large & F32_SIGN;
    let subtract = ((a ^ b) & F32_SIGN) != 0u;
    if large_magnitude >= F32_INFINITY {
        let nan = large_magnitude > F32_INFINITY || (subtract && small_magnitude == F32_INFINITY);
        return select(large, F32_NAN, nan);
    }
    let large_exponent = max(large_magnitude >> 23u, 1u);
    let small_exponent = max(small_magnitude >> 23u, 1u);
    let x = f32_significand(large_magnitude) << 3u;
    let y = shr_sticky(f32_significand(small_magnitude) << 3u, large_exponent - small_exponent);
    let sum = select(x + y, x - y, subtract);
    if sum == 0u {
        // Opposite numbers add up to +0, zeros of one sign keep it.
        return select(sign, 0u, subtract);
    }
    if sum >= 0x8000000u {
        return f32_pack(sign, i32(large_exponent) + 1, shr_sticky(sum, 1u));
    }
    let shift = min(countLeadingZeros(sum) - 5u, large_exponent - 1u);
    return f32_pack(sign, i32(large_exponent - shift), sum << shift);
}

fn f32_mul(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & F32_SIGN;
    let x = a & ~F32_SIGN;
    let y = b & ~F32_SIGN;
    if max(x, y) >= F32_INFINITY {
        let nan = max(x, y) > F32_INFINITY || min(x, y) == 0u;
        return select(sign | F32_INFINITY, F32_NAN, nan);
    }
    if min(x, y) == 0u {
        return sign;
    }
    // Subnormal significands are shifted until their first bit is set.
    let x_significand = f32_significand(x);
    let y_significand = f32_significand(y);
    let x_shift = countLeadingZeros(x_significand) - 8u;
    let y_shift = countLeadingZeros(y_significand) - 8u;
    var exponent = i32(max(x >> 23u, 1u)) - i32(x_shift) + i32(max(y >> 23u, 1u)) - i32(y_shift) - 127;
    let product = mul_wide(x_significand << (x_shift + 8u), y_significand << (y_shift + 3u));
    // The first bit is the 26th or the 27th.
    var significand = product.y | select(0u, 1u, product.x != 0u);
    if significand >= 0x4000000u {
        exponent += 1;
    } else {
        significand <<= 1u;
    }
    if exponent < 1 {
        significand = shr_sticky(significand, u32(1 - exponent));
        exponent = 1;
    }
    return f32_pack(sign, exponent, significand);
}

/// `x / 2^digits`, exactly, for `x` below 2^24 and at most 24 digits.
fn f32_fraction(x: u32, digits: u32) -> u32 {
    let zeros = countLeadingZeros(x);
    let bits = ((157u - zeros - digits) << 23u) + (x << ((zeros - 8u) & 31u));
    return select(bits, 0u, x == 0u);
}

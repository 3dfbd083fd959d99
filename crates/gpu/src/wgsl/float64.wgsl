// binary64 in pairs of words, the low word first: every operation rounds once, to nearest even; subnormals
// are kept; every NaN is the canonical one. A significand in the making has 56 bits: 53, and three for the
// rounding.

const F64_NAN: vec2<u32> = vec2<u32>(0u, 0x7ff80000u);
const F64_INFINITY: u32 = 0x7ff00000u;
const F64_SIGN: u32 = 0x80000000u;

fn f64_magnitude(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x, a.y & ~F64_SIGN);
}

fn f64_is_zero(a: vec2<u32>) -> bool {
    return (a.x | (a.y << 1u)) == 0u;
}

fn f64_is_nan(a: vec2<u32>) -> bool {
    let high = a.y & ~F64_SIGN;
    return high > F64_INFINITY || (high == F64_INFINITY && a.x != 0u);
}

/// Whether the number is infinite, if it is not NaN.
fn f64_is_infinite(a: vec2<u32>) -> bool {
    return (a.y & ~F64_SIGN) == F64_INFINITY;
}

/// `a <= b`: false if either is NaN.
fn f64_at_most(a: vec2<u32>, b: vec2<u32>) -> bool {
    if f64_is_nan(a) || f64_is_nan(b) {
        return false;
    }
    if f64_is_zero(a) && f64_is_zero(b) {
        return true;
    }
    if ((a.y ^ b.y) & F64_SIGN) != 0u {
        return (a.y & F64_SIGN) != 0u;
    }
    if (a.y & F64_SIGN) != 0u {
        return !less64(a, b);
    }
    return !less64(b, a);
}

/// The number of a sign, an exponent field of at least 1 and 56 bits, rounded. Where the first bit is not
/// set, the exponent is 1 and the number is subnormal.
fn f64_pack(sign: u32, exponent: i32, significand: vec2<u32>) -> vec2<u32> {
    if exponent >= 2047 {
        return vec2<u32>(0u, sign | F64_INFINITY);
    }
    let kept = shr64(significand, 3u);
    let lost = significand.x & 7u;
    let up = lost > 4u || (lost == 4u && (kept.x & 1u) == 1u);
    // The first bit, or the carry of the rounding, counts the exponent up.
    let rounded = add64(kept, vec2<u32>(select(0u, 1u, up), 0u));
    return vec2<u32>(rounded.x, sign | ((u32(exponent - 1) << 20u) + rounded.y));
}

/// The significand of a number, the first bit set unless it is subnormal.
fn f64_significand(magnitude: vec2<u32>) -> vec2<u32> {
    let first = select(0u, 0x100000u, magnitude.y >= 0x100000u);
    return vec2<u32>(magnitude.x, (magnitude.y & 0xfffffu) | first);
}

/// The field of the exponent; 1 for subnormal numbers, whose unit is that of the smallest normal ones.
fn f64_exponent(magnitude: vec2<u32>) -> u32 {
    return max(magnitude.y >> 20u, 1u);
}

fn f64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let swapped = less64(f64_magnitude(a), f64_magnitude(b));
    let large = select(a, b, swapped);
    let small = select(b, a, swapped);
    let sign = large.y & F64_SIGN;
    let subtract = ((a.y ^ b.y) & F64_SIGN) != 0u;
    if (large.y & ~F64_SIGN) >= F64_INFINITY {
        let nan = f64_is_nan(large) || (subtract && f64_is_infinite(small));
        return select(large, F64_NAN, nan);
    }
    let large_magnitude = f64_magnitude(large);
    let small_magnitude = f64_magnitude(small);
    let large_exponent = f64_exponent(large_magnitude);
    let small_exponent = f64_exponent(small_magnitude);
    let x = shl64(f64_significand(large_magnitude), 3u);
    let y = shr64_sticky(shl64(f64_significand(small_magnitude), 3u), large_exponent - small_exponent);
    var sum = add64(x, y);
    if subtract {
        sum = sub64(x, y);
    }
    if all(sum == vec2<u32>(0u, 0u)) {
        // Opposite numbers add up to +0, zeros of one sign keep it.
        return vec2<u32>(0u, select(sign, 0u, subtract));
    }
    if sum.y >= 0x1000000u {
        return f64_pack(sign, i32(large_exponent) + 1, shr64_sticky(sum, 1u));
    }
    let shift = min(leading_zeros64(sum) - 8u, large_exponent - 1u);
    return f64_pack(sign, i32(large_exponent - shift), shl64(sum, shift));
}

fn f64_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return f64_add(a, vec2<u32>(b.x, b.y ^ F64_SIGN));
}

fn f64_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & F64_SIGN;
    let x = f64_magnitude(a);
    let y = f64_magnitude(b);
    if max(x.y, y.y) >= F64_INFINITY {
        let nan = f64_is_nan(a) || f64_is_nan(b) || f64_is_zero(a) || f64_is_zero(b);
        return select(vec2<u32>(0u, sign | F64_INFINITY), F64_NAN, nan);
    }
    if f64_is_zero(a) || f64_is_zero(b) {
        return vec2<u32>(0u, sign);
    }
    // Subnormal significands are shifted until their first bit is set.
    let x_significand = f64_significand(x);
    let y_significand = f64_significand(y);
    let x_shift = leading_zeros64(x_significand) - 11u;
    let y_shift = leading_zeros64(y_significand) - 11u;
    var exponent = i32(f64_exponent(x)) - i32(x_shift) + i32(f64_exponent(y)) - i32(y_shift) - 1023;
    let x_aligned = shl64(x_significand, x_shift + 11u);
    let y_aligned = shl64(y_significand, y_shift + 3u);
    let low = mul64(x_aligned, y_aligned);
    var significand = mul_high64(x_aligned, y_aligned);
    significand.x |= select(0u, 1u, (low.x | low.y) != 0u);
    // The first bit is the 55th or the 56th.
    if significand.y >= 0x800000u {
        exponent += 1;
    } else {
        significand = shl64(significand, 1u);
    }
    return f64_pack_small(sign, exponent, significand);
}

/// [`f64_pack`] of an exponent field that may be 0 or negative.
fn f64_pack_small(sign: u32, exponent: i32, significand: vec2<u32>) -> vec2<u32> {
    if exponent < 1 {
        return f64_pack(sign, 1, shr64_sticky(significand, u32(1 - exponent)));
    }
    return f64_pack(sign, exponent, significand);
}

/// A quotient's next eleven bits, and what is left of the dividend after them.
struct Quotient {
    digit: u32,
    rest: vec2<u32>,
}

/// The next bits of `rest / divisor`, of which the first is below the second and the second has 53 bits.
fn f64_digit(rest: vec2<u32>, divisor: vec2<u32>) -> Quotient {
    let dividend = shl64(rest, 11u);
    // From the high words alone the digit is right or one too small.
    var digit = dividend.y / (divisor.y + 1u);
    let product = mul_wide(digit, divisor.x);
    var left = sub64(dividend, vec2<u32>(product.x, product.y + digit * divisor.y));
    if !less64(left, divisor) {
        digit += 1u;
        left = sub64(left, divisor);
    }
    return Quotient(digit, left);
}

fn f64_div(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & F64_SIGN;
    let x = f64_magnitude(a);
    let y = f64_magnitude(b);
    let nan = f64_is_nan(a) || f64_is_nan(b) || (f64_is_infinite(a) && f64_is_infinite(b))
        || (f64_is_zero(a) && f64_is_zero(b));
    if nan {
        return F64_NAN;
    }
    if f64_is_infinite(a) || f64_is_zero(b) {
        return vec2<u32>(0u, sign | F64_INFINITY);
    }
    if f64_is_zero(a) || f64_is_infinite(b) {
        return vec2<u32>(0u, sign);
    }
    let x_shift = leading_zeros64(f64_significand(x)) - 11u;
    let y_shift = leading_zeros64(f64_significand(y)) - 11u;
    var exponent = i32(f64_exponent(x)) - i32(x_shift) - i32(f64_exponent(y)) + i32(y_shift) + 1023;
    var dividend = shl64(f64_significand(x), x_shift);
    let divisor = shl64(f64_significand(y), y_shift);
    if less64(dividend, divisor) {
        dividend = shl64(dividend, 1u);
        exponent -= 1;
    }
    // The first bit is 1, and five digits of eleven bits make 56.
    let first = f64_digit(sub64(dividend, divisor), divisor);
    let second = f64_digit(first.rest, divisor);
    let third = f64_digit(second.rest, divisor);
    let fourth = f64_digit(third.rest, divisor);
    let fifth = f64_digit(fourth.rest, divisor);
    let high = 0x800000u | (first.digit << 12u) | (second.digit << 1u) | (third.digit >> 10u);
    let low = (third.digit << 22u) | (fourth.digit << 11u) | fifth.digit;
    let sticky = select(0u, 1u, (fifth.rest.x | fifth.rest.y) != 0u);
    return f64_pack_small(sign, exponent, vec2<u32>(low | sticky, high));
}

/// `x / 2^digits`, exactly, for `x` below 2^53 and at most 53 digits.
fn f64_fraction(x: vec2<u32>, digits: u32) -> vec2<u32> {
    if all(x == vec2<u32>(0u, 0u)) {
        return x;
    }
    let zeros = leading_zeros64(x);
    let significand = shl64(x, zeros - 11u);
    return vec2<u32>(significand.x, ((1085u - zeros - digits) << 20u) + significand.y);
}

// Products and sums that are rounded once, to nearest even; subnormals are kept; every NaN is the canonical one.

/// The exponent field of a number that is not zero, as if its first bit were set: that of a subnormal is below 1.
fn f32_exponent(magnitude: u32) -> i32 {
    return i32(max(magnitude >> 23u, 1u)) + 8 - i32(countLeadingZeros(f32_significand(magnitude)));
}

/// A significand of 24 bits, the first of them set.
fn f32_normal(magnitude: u32) -> u32 {
    let significand = f32_significand(magnitude);
    return significand << (countLeadingZeros(significand) - 8u);
}

/// `a * b + c`.
fn f32_fma(a: u32, b: u32, c: u32) -> u32 {
    let x = a & ~F32_SIGN;
    let y = b & ~F32_SIGN;
    let z = c & ~F32_SIGN;
    if max(x, y) >= F32_INFINITY || min(x, y) == 0u {
        // The product is not rounded.
        return f32_add(f32_mul(a, b), c);
    }
    if z >= F32_INFINITY {
        return select(c, F32_NAN, z > F32_INFINITY);
    }
    if z == 0u {
        return f32_mul(a, b);
    }
    // Both have 62 bits, of the product perhaps 61, and are worth a power of two that the exponents say.
    let product_sign = (a ^ b) & F32_SIGN;
    let product_exponent = f32_exponent(x) + f32_exponent(y) - 187;
    let added_exponent = f32_exponent(z) - 61;
    let exponent = max(product_exponent, added_exponent);
    let product = shr64_sticky(
        mul_wide(f32_normal(x) << 7u, f32_normal(y) << 7u),
        u32(exponent - product_exponent),
    );
    let added = shr64_sticky(vec2<u32>(0u, f32_normal(z) << 6u), u32(exponent - added_exponent));
    var sign = product_sign;
    var sum = add64(product, added);
    if ((product_sign ^ c) & F32_SIGN) != 0u {
        if less64(product, added) {
            sign = c & F32_SIGN;
            sum = sub64(added, product);
        } else {
            sum = sub64(product, added);
        }
        if all(sum == vec2<u32>(0u, 0u)) {
            return 0u;
        }
    }
    let zeros = leading_zeros64(sum);
    let significand = shr64_sticky(shl64(sum, zeros), 37u);
    let field = exponent + 63 - i32(zeros);
    if field < 1 {
        return f32_pack(sign, 1, shr_sticky(significand.x, u32(1 - field)));
    }
    return f32_pack(sign, field, significand.x);
}

/// `a < b`: false if either is NaN.
fn f32_less(a: u32, b: u32) -> bool {
    let x = a & ~F32_SIGN;
    let y = b & ~F32_SIGN;
    let ordered_a = select(i32(x), -i32(x), (a & F32_SIGN) != 0u);
    let ordered_b = select(i32(y), -i32(y), (b & F32_SIGN) != 0u);
    return max(x, y) <= F32_INFINITY && ordered_a < ordered_b;
}

/// An integer of 128 bits.
struct Wide {
    low: vec2<u32>,
    high: vec2<u32>,
}

fn add128(a: Wide, b: Wide) -> Wide {
    let low = add64(a.low, b.low);
    let carry = vec2<u32>(select(0u, 1u, less64(low, a.low)), 0u);
    return Wide(low, add64(add64(a.high, b.high), carry));
}

fn sub128(a: Wide, b: Wide) -> Wide {
    let borrow = vec2<u32>(select(0u, 1u, less64(a.low, b.low)), 0u);
    return Wide(sub64(a.low, b.low), sub64(sub64(a.high, b.high), borrow));
}

fn less128(a: Wide, b: Wide) -> bool {
    return less64(a.high, b.high) || (all(a.high == b.high) && less64(a.low, b.low));
}

/// `a << n`, for `n` below 128.
fn shl128(a: Wide, n: u32) -> Wide {
    let m = n & 63u;
    if n >= 64u {
        return Wide(vec2<u32>(0u), shl64(a.low, m));
    }
    // A shift by 64 - m that is none by 64 where m is 0.
    let carried = shr64(shr64(a.low, 1u), 63u - m);
    return Wide(shl64(a.low, m), shl64(a.high, m) | carried);
}

/// `a >> n` for any `n`, where the first bit of `a` is not set; the last bit is set if a bit that was is lost.
fn shr128_sticky(a: Wide, n: u32) -> Wide {
    if n >= 64u {
        let lost = select(0u, 1u, any(a.low != vec2<u32>(0u)));
        let kept = shr64_sticky(a.high, n - 64u);
        return Wide(vec2<u32>(kept.x | lost, kept.y), vec2<u32>(0u));
    }
    let carried = shl64(shl64(a.high, 1u), 63u - n);
    return Wide(shr64_sticky(a.low, n) | carried, shr64(a.high, n));
}

/// [`f32_exponent`] of binary64.
fn f64_normal_exponent(magnitude: vec2<u32>) -> i32 {
    return i32(f64_exponent(magnitude)) + 11 - i32(leading_zeros64(f64_significand(magnitude)));
}

/// A significand of 53 bits, the first of them set.
fn f64_normal(magnitude: vec2<u32>) -> vec2<u32> {
    let significand = f64_significand(magnitude);
    return shl64(significand, leading_zeros64(significand) - 11u);
}

/// [`f32_fma`] in pairs of words.
fn f64_fma(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {
    let x = f64_magnitude(a);
    let y = f64_magnitude(b);
    let z = f64_magnitude(c);
    if max(x.y, y.y) >= F64_INFINITY || f64_is_zero(x) || f64_is_zero(y) {
        return f64_add(f64_mul(a, b), c);
    }
    if z.y >= F64_INFINITY {
        return select(c, F64_NAN, f64_is_nan(c));
    }
    if f64_is_zero(z) {
        return f64_mul(a, b);
    }
    // Both have 126 bits, of the product perhaps 125.
    let product_sign = (a.y ^ b.y) & F64_SIGN;
    let product_exponent = f64_normal_exponent(x) + f64_normal_exponent(y) - 1147;
    let added_exponent = f64_normal_exponent(z) - 125;
    let exponent = max(product_exponent, added_exponent);
    let x_aligned = shl64(f64_normal(x), 11u);
    let y_aligned = shl64(f64_normal(y), 9u);
    let product = shr128_sticky(
        Wide(mul64(x_aligned, y_aligned), mul_high64(x_aligned, y_aligned)),
        u32(exponent - product_exponent),
    );
    let added = shr128_sticky(
        Wide(vec2<u32>(0u), shl64(f64_normal(z), 9u)),
        u32(exponent - added_exponent),
    );
    var sign = product_sign;
    var sum = add128(product, added);
    if ((product_sign ^ c.y) & F64_SIGN) != 0u {
        if less128(product, added) {
            sign = c.y & F64_SIGN;
            sum = sub128(added, product);
        } else {
            sum = sub128(product, added);
        }
        if all(sum.low == vec2<u32>(0u)) && all(sum.high == vec2<u32>(0u)) {
            return vec2<u32>(0u);
        }
    }
    let zeros = select(
        leading_zeros64(sum.high),
        64u + leading_zeros64(sum.low),
        all(sum.high == vec2<u32>(0u)),
    );
    let normal = shl128(sum, zeros);
    var significand = shr64_sticky(normal.high, 8u);
    significand.x |= select(0u, 1u, any(normal.low != vec2<u32>(0u)));
    return f64_pack_small(sign, exponent + 127 - i32(zeros), significand);
}

/// `a < b`: false if either is NaN.
fn f64_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !f64_is_nan(a) && !f64_is_nan(b) && !f64_at_most(b, a);
}

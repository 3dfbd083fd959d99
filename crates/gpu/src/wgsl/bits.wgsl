// 64-bit integers as pairs of words, the low word first. The twin of `bits.rs` and of the remainders of
// `divisor.rs` in the CPU backend. No shift is by 32 or more.

/// The product of two words, from products of their halves.
fn mul_wide(a: u32, b: u32) -> vec2<u32> {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 16u);
    let other_middle = a0 * b1 + (middle & 0xffffu);
    return vec2<u32>(a * b, a1 * b1 + (middle >> 16u) + (other_middle >> 16u));
}

fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn sub64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn less64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/// The low 64 bits of the product.
fn mul64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_wide(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

/// The high 64 bits of the product.
fn mul_high64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_wide(a.x, b.x);
    let middle = add64(mul_wide(a.y, b.x), vec2<u32>(low.y, 0u));
    let other_middle = add64(mul_wide(a.x, b.y), vec2<u32>(middle.x, 0u));
    let high = add64(mul_wide(a.y, b.y), vec2<u32>(middle.y, 0u));
    return add64(high, vec2<u32>(other_middle.y, 0u));
}

/// `a << n`, for `n` below 64.
fn shl64(a: vec2<u32>, n: u32) -> vec2<u32> {
    let m = n & 31u;
    let low = a.x << m;
    // A shift by 32 - m that is none by 32 where m is 0.
    let high = (a.y << m) | ((a.x >> 1u) >> (31u - m));
    return select(vec2<u32>(low, high), vec2<u32>(0u, low), n >= 32u);
}

/// `a >> n`, for `n` below 64.
fn shr64(a: vec2<u32>, n: u32) -> vec2<u32> {
    let m = n & 31u;
    let high = a.y >> m;
    let low = (a.x >> m) | ((a.y << 1u) << (31u - m));
    return select(vec2<u32>(low, high), vec2<u32>(high, 0u), n >= 32u);
}

/// `a >> n` for any `n`; the last bit is set if a bit that was is lost.
fn shr_sticky(a: u32, n: u32) -> u32 {
    let m = min(n, 31u);
    let kept = a >> m;
    return kept | select(0u, 1u, (kept << m) != a);
}

/// `a >> n` for any `n`; the last bit is set if a bit that was is lost.
fn shr64_sticky(a: vec2<u32>, n: u32) -> vec2<u32> {
    let m = min(n, 63u);
    let kept = shr64(a, m);
    let lost = any(shl64(kept, m) != a);
    return vec2<u32>(kept.x | select(0u, 1u, lost), kept.y);
}

/// Zeros before the first bit that is set; 64 if none is.
fn leading_zeros64(a: vec2<u32>) -> u32 {
    return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

/// `x` modulo `divisor`, whose reciprocal is `floor((2^64 - 1) / divisor)`: Barrett's reduction. The quotient
/// is right or one too small.
fn remainder64(x: vec2<u32>, divisor: vec2<u32>, reciprocal: vec2<u32>) -> vec2<u32> {
    let quotient = mul_high64(x, reciprocal);
    let rest = sub64(x, mul64(quotient, divisor));
    return select(sub64(rest, divisor), rest, less64(rest, divisor));
}

// binary16 and bfloat16, in the low half of a word, to and from binary32 in words. Rounding is to nearest
// even.

const F16_NAN: u32 = 0x7e00u;
const BF16_NAN: u32 = 0x7fc0u;

fn f16_from_f32(x: u32) -> u32 {
    let sign = (x >> 16u) & 0x8000u;
    let magnitude = x & ~F32_SIGN;
    if magnitude > F32_INFINITY {
        return F16_NAN;
    }
    if magnitude >= 0x47800000u {
        return sign | 0x7c00u;
    }
    if magnitude >= 0x38800000u {
        let biased = magnitude - 0x38000000u;
        return sign | ((biased + 0xfffu + ((biased >> 13u) & 1u)) >> 13u);
    }
    // Subnormal: the significand in units of 2^-24. Shifted by 26, nothing is left of it, nor half a unit.
    let shift = min(126u - max(magnitude >> 23u, 1u), 26u);
    let significand = f32_significand(magnitude);
    let kept = significand >> shift;
    let lost = significand - (kept << shift);
    let half = 1u << (shift - 1u);
    let up = lost > half || (lost == half && (kept & 1u) == 1u);
    return sign | (kept + select(0u, 1u, up));
}

fn f32_from_f16(x: u32) -> u32 {
    let sign = (x & 0x8000u) << 16u;
    let magnitude = x & 0x7fffu;
    if magnitude > 0x7c00u {
        return F32_NAN;
    }
    if magnitude == 0x7c00u {
        return sign | F32_INFINITY;
    }
    if magnitude < 0x400u {
        return sign | f32_fraction(magnitude, 24u);
    }
    return sign | ((magnitude << 13u) + 0x38000000u);
}

fn bf16_from_f32(x: u32) -> u32 {
    if (x & ~F32_SIGN) > F32_INFINITY {
        return BF16_NAN;
    }
    return (x + 0x7fffu + ((x >> 16u) & 1u)) >> 16u;
}

fn f32_from_bf16(x: u32) -> u32 {
    return x << 16u;
}

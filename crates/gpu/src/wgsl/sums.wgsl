// Sums of the words of two origins, each reduced to a range first: higher bits times a factor, and lower ones. Elements
// take their remainders. The twin of `convert_sums` in the CPU backend.

/// The source of words of the kernels of `fill.wgsl`.
fn draw(index: u32) -> vec4<u32> {
    let lower = words(index, fill.origin);
    let higher = words(index, fill.other);
    if (fill.flags & WIDE) == 0u {
        return lower % fill.range.x + higher % fill.range.x * fill.factor.x;
    }
    let first = sum64(ordered(lower.x, lower.y), ordered(higher.x, higher.y));
    let second = sum64(ordered(lower.z, lower.w), ordered(higher.z, higher.w));
    // The order of two words is that of the words that were drawn.
    return vec4<u32>(ordered(first.x, first.y), ordered(second.x, second.y));
}

fn sum64(lower: vec2<u32>, higher: vec2<u32>) -> vec2<u32> {
    let rest = remainder64(higher, fill.range, fill.reciprocal);
    return add64(remainder64(lower, fill.range, fill.reciprocal), mul64(rest, fill.factor));
}

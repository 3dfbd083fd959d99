// The entry points of fills: each invocation makes the elements of blocks of four words, a grid apart.

/// Where words begin. `counted.wgsl` says what the parts are there.
struct Origin {
    /// Philox: the counter of the first block, the least significant word first. Pairs of Threefry: its two words, the
    /// halved extent and the product of those after it. Keys: the blocks of each.
    counter: vec4<u32>,
    /// Philox and Threefry: the key.
    key: vec2<u32>,
    /// Pairs of Threefry: the element that the first block of words begins with.
    first: u32,
    /// Philox: the counter of a block less that of the one before it.
    step: u32,
}

/// The product of the unit interval is rounded to types of 16 bits, and not only the sum.
const ROUNDS_PRODUCT: u32 = 1u;
/// The first of two words is the low one.
const LOW_FIRST: u32 = 2u;
/// A number below the lower bound is that bound.
const AT_LEAST_MIN: u32 = 4u;
/// Elements take two words.
const WIDE: u32 = 8u;

struct Fill {
    origin: Origin,
    /// The origin of the higher bits of sums.
    other: Origin,
    /// The lower bound; f16 and bf16 as f32.
    min: vec2<u32>,
    /// The upper bound less the lower, rounded; f16 and bf16 as f32. Of integers 0 stands for all. Flags: the numbers
    /// that are ones.
    range: vec2<u32>,
    /// `floor((2^64 - 1) / range)`, for i64 of two words.
    reciprocal: vec2<u32>,
    /// The factor of the higher bits of sums.
    factor: vec2<u32>,
    /// Low bits of the high word of two that are left out, and of the other or of a word by itself.
    shifts: vec2<u32>,
    /// Blocks of four words.
    blocks: u32,
    /// The next bits of a word, or of a pair of words, that make a number of the unit interval.
    digits: u32,
    flags: u32,
}

@group(0) @binding(0) var<uniform> fill: Fill;
/// Elements of 32 and 64 bits.
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
/// Elements of 16 bits.
@group(0) @binding(2) var<storage, read_write> out16: array<vec2<u32>>;
/// Elements of 8 bits.
@group(0) @binding(4) var<storage, read_write> out8: array<u32>;

@compute @workgroup_size(64)
fn bits(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        out[i] = draw(i);
    }
}

@compute @workgroup_size(64)
fn f32s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[i] = vec4<u32>(element_f32(w.x), element_f32(w.y), element_f32(w.z), element_f32(w.w));
    }
}

@compute @workgroup_size(64)
fn fused_f32s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[i] = vec4<u32>(
            element_fused_f32(w.x),
            element_fused_f32(w.y),
            element_fused_f32(w.z),
            element_fused_f32(w.w),
        );
    }
}

@compute @workgroup_size(64)
fn f64s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[i] = vec4<u32>(element_f64(w.x, w.y), element_f64(w.z, w.w));
    }
}

@compute @workgroup_size(64)
fn fused_f64s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[i] = vec4<u32>(element_fused_f64(w.x, w.y), element_fused_f64(w.z, w.w));
    }
}

@compute @workgroup_size(64)
fn f16s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out16[i] = vec2<u32>(
            element_f16(w.x) | (element_f16(w.y) << 16u),
            element_f16(w.z) | (element_f16(w.w) << 16u),
        );
    }
}

@compute @workgroup_size(64)
fn bf16s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out16[i] = vec2<u32>(
            element_bf16(w.x) | (element_bf16(w.y) << 16u),
            element_bf16(w.z) | (element_bf16(w.w) << 16u),
        );
    }
}

@compute @workgroup_size(64)
fn flags(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        let low = element_flag(w.x) | (element_flag(w.y) << 8u);
        out8[i] = low | (element_flag(w.z) << 16u) | (element_flag(w.w) << 24u);
    }
}

@compute @workgroup_size(64)
fn u8s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        let low = (element_i32(w.x) & 0xffu) | ((element_i32(w.y) & 0xffu) << 8u);
        let high = (element_i32(w.z) & 0xffu) | ((element_i32(w.w) & 0xffu) << 8u);
        out8[i] = low | (high << 16u);
    }
}

@compute @workgroup_size(64)
fn u16s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out16[i] = vec2<u32>(
            (element_i32(w.x) & 0xffffu) | (element_i32(w.y) << 16u),
            (element_i32(w.z) & 0xffffu) | (element_i32(w.w) << 16u),
        );
    }
}

@compute @workgroup_size(64)
fn i32s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[i] = vec4<u32>(element_i32(w.x), element_i32(w.y), element_i32(w.z), element_i32(w.w));
    }
}

@compute @workgroup_size(64)
fn i64s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[i] = vec4<u32>(element_i64(w.x, w.y), element_i64(w.z, w.w));
    }
}

@compute @workgroup_size(64)
fn one_word_i64s(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < fill.blocks; i += 64u * groups.x) {
        let w = draw(i);
        out[2u * i] = vec4<u32>(element_one_word_i64(w.x), element_one_word_i64(w.y));
        out[2u * i + 1u] = vec4<u32>(element_one_word_i64(w.z), element_one_word_i64(w.w));
    }
}

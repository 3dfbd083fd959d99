// The words of Threefry for each of some numbers, as ONNX's SplitPRNG takes them.

/// Two numbers each, the low word first.
@group(0) @binding(5) var<storage, read> numbers: array<vec4<u32>>;

/// The source of words of the kernels of `fill.wgsl`.
fn draw(index: u32) -> vec4<u32> {
    let two = numbers[index];
    return vec4<u32>(block(two.yx, fill.origin.key), block(two.wz, fill.origin.key));
}

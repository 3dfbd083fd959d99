// Words that another kernel has written.

@group(0) @binding(3) var<storage, read> stored: array<vec4<u32>>;

/// The source of words of the kernels of `fill.wgsl`.
fn draw(index: u32) -> vec4<u32> {
    return stored[index];
}

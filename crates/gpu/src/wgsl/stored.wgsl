// Words that another kernel has written.

@group(0) @binding(3) var<storage, read> stored: array<vec4<u32>>;

/// Where kernels of `fill.wgsl` take their words from.
fn draw(index: u32) -> vec4<u32> {
    return stored[index];
}

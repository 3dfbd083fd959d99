// The words of one origin.

/// The source of words of the kernels of `fill.wgsl`.
fn draw(index: u32) -> vec4<u32> {
    return words(index, fill.origin);
}

// The words of one stream of Philox.

/// The source of words of the kernels of `fill.wgsl`.
fn draw(index: u32) -> vec4<u32> {
    return block(skip(fill.counter, index), fill.key);
}

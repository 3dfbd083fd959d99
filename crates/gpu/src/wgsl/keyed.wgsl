// The words of a stream of Philox for each of some keys: as many blocks of one as of the next, which the counter's first
// word says.

/// Seeds and offsets.
@group(0) @binding(5) var<storage, read> keys: array<vec4<u32>>;

/// The source of words of the kernels of `fill.wgsl`. An offset wraps at 2^64.
fn draw(index: u32) -> vec4<u32> {
    let key = keys[index / fill.origin.counter.x];
    let offset = add64(key.zw, vec2<u32>(index % fill.origin.counter.x, 0u));
    return block(vec4<u32>(offset, 0u, 0u), key.xy);
}

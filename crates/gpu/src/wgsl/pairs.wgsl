// The words of Threefry in the order in which XLA puts pairs of them into an output: the twin of `threefry/pairs.rs` in
// the CPU backend.

/// The word of an element: the two of a block lie beside each other along the halved dimension.
fn placed(element: u32) -> u32 {
    let halved = fill.origin.counter.z;
    let inner = fill.origin.counter.w;
    let row = element / inner;
    let along = row % halved;
    let pair = (row / halved * ((halved + 1u) / 2u) + along / 2u) * inner + element % inner;
    let words = block(add64(fill.origin.counter.xy, vec2<u32>(pair, 0u)), fill.origin.key);
    return select(words.x, words.y, along % 2u == 1u);
}

/// The source of words of the kernels of `fill.wgsl`.
fn draw(index: u32) -> vec4<u32> {
    let first = fill.origin.first + 4u * index;
    return vec4<u32>(placed(first), placed(first + 1u), placed(first + 2u), placed(first + 3u));
}

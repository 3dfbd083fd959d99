// The words of a stream of Philox, or of its blocks at a distance.

/// The words of a block of an origin.
fn words(index: u32, origin: Origin) -> vec4<u32> {
    return block(skip(origin.counter, index * origin.step), origin.key);
}

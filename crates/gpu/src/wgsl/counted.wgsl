// The words of Threefry as JAX counts them: the twin of `jax/stream.rs` in the CPU backend.
//
// The first two words of an origin's counter are the number of the first element, the low word first, and in the
// original order that of the first word. The other two are half of the words of the original order and all of them, or
// 0. The step is the number of elements that a word makes; 0 where an element takes both words of a block.

/// The words of a block of today's order, or those of both halves of the original one.
fn both(number: vec2<u32>, origin: Origin) -> vec2<u32> {
    let half = origin.counter.z;
    return block(select(vec2<u32>(number.x, half + number.x), number.yx, half == 0u), origin.key);
}

/// The word of an element of today's order.
fn joined(number: vec2<u32>, origin: Origin) -> u32 {
    let x = block(number.yx, origin.key);
    return x.x ^ x.y;
}

/// A word of the original order: the blocks count the words of both halves, of an odd number of them with a zero at the
/// end.
fn halved(number: u32, origin: Origin) -> u32 {
    let half = origin.counter.z;
    let is_second = number >= half;
    let first = select(number, number - half, is_second);
    let second = select(half + first, 0u, half + first == origin.counter.w);
    let x = block(vec2<u32>(first, second), origin.key);
    return select(x.x, x.y, is_second);
}

/// The words of the next four elements, or of two that take both words of a block. Elements of 8 and 16 bits take the
/// low bits.
fn words(index: u32, origin: Origin) -> vec4<u32> {
    let start = origin.counter.xy;
    if origin.step == 0u {
        let number = add64(start, vec2<u32>(2u * index, 0u));
        return vec4<u32>(both(number, origin), both(add64(number, vec2<u32>(1u, 0u)), origin));
    }
    if origin.counter.z == 0u {
        let number = add64(start, vec2<u32>(4u * index, 0u));
        return vec4<u32>(
            joined(number, origin),
            joined(add64(number, vec2<u32>(1u, 0u)), origin),
            joined(add64(number, vec2<u32>(2u, 0u)), origin),
            joined(add64(number, vec2<u32>(3u, 0u)), origin),
        );
    }
    let number = start.x + 4u / origin.step * index;
    let first = halved(number, origin);
    if origin.step == 4u {
        return vec4<u32>(first, first >> 8u, first >> 16u, first >> 24u);
    }
    let second = halved(number + 1u, origin);
    if origin.step == 2u {
        return vec4<u32>(first, first >> 16u, second, second >> 16u);
    }
    return vec4<u32>(first, second, halved(number + 2u, origin), halved(number + 3u, origin));
}

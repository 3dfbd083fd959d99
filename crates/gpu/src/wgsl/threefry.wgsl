// Threefry2x32-20: a block of two words for each value of a 64-bit counter. The twin of `threefry/block.rs` in the CPU
// backend.

/// The third word of the key is this by exclusive or with the others.
const PARITY: u32 = 0x1bd11bdau;

/// The two words of a counter, in the order in which they are used.
fn block(counter: vec2<u32>, key: vec2<u32>) -> vec2<u32> {
    let third = key.x ^ key.y ^ PARITY;
    let even = vec4<u32>(13u, 15u, 26u, 6u);
    let odd = vec4<u32>(17u, 29u, 16u, 24u);
    var x = counter + key;
    x = quartet(x, even) + vec2<u32>(key.y, third + 1u);
    x = quartet(x, odd) + vec2<u32>(third, key.x + 2u);
    x = quartet(x, even) + vec2<u32>(key.x, key.y + 3u);
    x = quartet(x, odd) + vec2<u32>(key.y, third + 4u);
    return quartet(x, even) + vec2<u32>(third, key.x + 5u);
}

/// A round: the second word is rotated by 1 to 31 bits.
fn mixed(x: vec2<u32>, by: u32) -> vec2<u32> {
    let sum = x.x + x.y;
    return vec2<u32>(sum, ((x.y << by) | (x.y >> (32u - by))) ^ sum);
}

/// Four rounds.
fn quartet(x: vec2<u32>, by: vec4<u32>) -> vec2<u32> {
    return mixed(mixed(mixed(mixed(x, by.x), by.y), by.z), by.w);
}

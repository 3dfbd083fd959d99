// Philox4x32-10: a block of four words for each value of a 128-bit counter. The twin of `philox/block.rs` in
// the CPU backend.

/// First multiplier, of counter word 0.
const M0: u32 = 0xd2511f53u;
/// Second multiplier, of counter word 2.
const M1: u32 = 0xcd9e8d57u;
/// The addend of the key's low word after each round.
const W0: u32 = 0x9e3779b9u;
/// The addend of the key's high word after each round.
const W1: u32 = 0xbb67ae85u;
const ROUNDS: u32 = 10u;

/// The counter of the block `blocks` after this one. It wraps at 2^128.
fn skip(counter: vec4<u32>, blocks: u32) -> vec4<u32> {
    var next = counter;
    next.x += blocks;
    if next.x < blocks {
        next.y += 1u;
        if next.y == 0u {
            next.z += 1u;
            if next.z == 0u {
                next.w += 1u;
            }
        }
    }
    return next;
}

/// The four words of a counter, in the order in which they are used.
fn block(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    var c = counter;
    var k = key;
    for (var round = 0u; round < ROUNDS; round++) {
        let product0 = mul_wide(c.x, M0);
        let product1 = mul_wide(c.z, M1);
        c = vec4<u32>(product1.y ^ c.y ^ k.x, product1.x, product0.y ^ c.w ^ k.y, product0.x);
        k += vec2<u32>(W0, W1);
    }
    return c;
}

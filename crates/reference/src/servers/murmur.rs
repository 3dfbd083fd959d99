//! MurmurHash3 x86-32 (Appleby, 2011) of 16 bytes: seed, position and token.

use crate::philox;

/// `[smh.hash]`: seed 0 of the hash, or another domain; the blocks are the halves of the seed, the low one first, the low
/// half of the position, and the token. `[smh.finish]`: the length is mixed in, then all bits.
pub(super) fn hash(domain: u32, seed: u64, position: u64, token: u64) -> u32 {
    let seed = philox::split(seed);
    let blocks = [seed.r, seed.l, philox::split(position).r, philox::split(token).r];
    finish(blocks.into_iter().fold(domain, mix) ^ LENGTH)
}

/// The bytes of four blocks.
const LENGTH: u32 = 16;

/// `[smh.mix]`: one block is mixed into the state.
fn mix(h: u32, k: u32) -> u32 {
    let k = k
        .wrapping_mul(0xCC9E_2D51)
        .rotate_left(15)
        .wrapping_mul(0x1B87_3593);
    (h ^ k).rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64)
}

/// `[smh.finish]`.
fn finish(h: u32) -> u32 {
    let h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    let h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

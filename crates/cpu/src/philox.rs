//! Philox4x32-10: a block of four words for each value of a 128-bit counter.
//!
//! Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC11).

use crate::Level;
use crate::rule::Rule;

/// First multiplier, of counter word 0.
pub(crate) const M0: u32 = 0xD251_1F53;
/// Second multiplier, of counter word 2.
pub(crate) const M1: u32 = 0xCD9E_8D57;
/// What is added to the key's low word after each round: the golden ratio.
pub(crate) const W0: u32 = 0x9E37_79B9;
/// What is added to the key's high word after each round: the square root of three less one.
pub(crate) const W1: u32 = 0xBB67_AE85;
/// Rounds.
pub(crate) const ROUNDS: usize = 10;

/// A Philox4x32-10 stream: words four at a time, in the order of the counter.
///
/// RandomUniform-8's stream has the key `global_seed` and the counter `op_seed << 64`; DirectML's state is the
/// counter's four words and the key's two, the least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Philox {
    /// The key, the same for all blocks.
    pub key: u64,
    /// The counter of the first block. It counts up and wraps at 2^128.
    pub counter: u128,
}

impl Philox {
    /// The stream from its block `blocks` on.
    #[must_use]
    pub const fn skip(self, blocks: u64) -> Self {
        Self {
            key: self.key,
            counter: self.counter.wrapping_add(blocks as u128),
        }
    }

    /// The four words of block `index`, in the order in which they are used.
    #[inline]
    pub const fn block(self, index: u64) -> [u32; 4] {
        let counter = self.skip(index).counter;
        let [mut c0, mut c1] = halves(counter as u64);
        let [mut c2, mut c3] = halves((counter >> 64) as u64);
        let [mut k0, mut k1] = halves(self.key);
        let mut round = 0;
        while round < ROUNDS {
            let [low0, high0] = halves(c0 as u64 * M0 as u64);
            let [low1, high1] = halves(c2 as u64 * M1 as u64);
            [c0, c1, c2, c3] = [high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0];
            k0 = k0.wrapping_add(W0);
            k1 = k1.wrapping_add(W1);
            round += 1;
        }
        [c0, c1, c2, c3]
    }
}

/// The low and the high half.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "halves are meant")]
pub(crate) const fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

/// Bytes of the elements that one block makes.
pub(crate) const fn block_bytes<R: Rule>() -> usize {
    4 / R::WORDS * R::SIZE
}

/// Fills `out` with whole elements from the stream's first block on. Words of the last block that no element
/// takes are dropped.
pub(crate) fn fill<R: Rule>(_level: Level, philox: Philox, rule: R, out: &mut [u8]) {
    scalar(philox, rule, out);
}

/// [`fill`], a block at a time.
#[inline(always)]
pub(crate) fn scalar<R: Rule>(mut philox: Philox, rule: R, out: &mut [u8]) {
    for elements in out.chunks_mut(block_bytes::<R>()) {
        rule.elements(&philox.block(0), elements);
        philox = philox.skip(1);
    }
}

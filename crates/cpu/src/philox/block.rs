//! The generator itself, a block at a time.

use crate::bits::{halves, halves64, mul_wide};
use crate::fill::Stream;

/// First multiplier, of counter word 0.
pub(crate) const M0: u32 = 0xD251_1F53;
/// Second multiplier, of counter word 2.
pub(crate) const M1: u32 = 0xCD9E_8D57;
/// The addend of the key's low word after each round: the golden ratio.
pub(crate) const W0: u32 = 0x9E37_79B9;
/// The addend of the key's high word after each round: the square root of three less one.
pub(crate) const W1: u32 = 0xBB67_AE85;
pub(crate) const ROUNDS: usize = 10;

/// A Philox4x32-10 stream: words four at a time, in the order of the counter.
///
/// [`Self::from_seeds`] makes the stream of RandomUniform-8. DirectML's state is the counter's four words and
/// the key's two, the least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Philox {
    /// The key, the same for all blocks.
    pub key: u64,
    /// The counter of the first block. It counts up and wraps at 2^128.
    pub counter: u128,
}

impl Philox {
    /// The stream of RandomUniform-8's seeds, which are not both zero.
    #[must_use]
    pub const fn from_seeds(global_seed: u64, op_seed: u64) -> Self {
        Self {
            key: global_seed,
            counter: (op_seed as u128) << 64,
        }
    }

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
        let [mut c0, mut c1] = halves64(counter);
        let [mut c2, mut c3] = halves64(counter >> 64);
        let [mut k0, mut k1] = halves(self.key);
        let mut round = 0;
        while round < ROUNDS {
            let product0 = mul_wide(c0, M0);
            let product1 = mul_wide(c2, M1);
            [c0, c1, c2, c3] = [
                product1[1] ^ c1 ^ k0,
                product1[0],
                product0[1] ^ c3 ^ k1,
                product0[0],
            ];
            k0 = k0.wrapping_add(W0);
            k1 = k1.wrapping_add(W1);
            round += 1;
        }
        [c0, c1, c2, c3]
    }
}

/// A key of PyTorch's `torch.func._random`: a stream of [`Philox`] whose counter has 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhiloxKey {
    /// Philox's key.
    pub seed: u64,
    /// The counter of the first block. It counts up and wraps at 2^64.
    pub offset: u64,
}

impl PhiloxKey {
    /// The stream from its block `blocks` on.
    #[must_use]
    pub const fn skip(self, blocks: u64) -> Self {
        Self {
            seed: self.seed,
            offset: self.offset.wrapping_add(blocks),
        }
    }

    /// The stream as far as the offset does not wrap.
    pub const fn philox(self) -> Philox {
        Philox {
            key: self.seed,
            counter: self.offset as u128,
        }
    }
}

impl Stream for PhiloxKey {
    type Blocks = Philox;

    #[inline(always)]
    fn skip(self, blocks: u64) -> Self {
        Self::skip(self, blocks)
    }

    #[inline(always)]
    fn segment(self) -> Philox {
        self.philox()
    }
}

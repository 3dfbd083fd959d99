//! The generator itself, a block at a time.

use crate::bits::halves;

/// The third word of the key is this by exclusive or with the others.
const PARITY: u32 = 0x1BD1_1BDA;
/// The rotations of the second word in four rounds, and in the next four.
pub(super) const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
/// Groups of four rounds, after each of which words of the key are added.
pub(super) const QUARTETS: usize = 5;

/// A Threefry2x32-20 stream: words two at a time, in the order of the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Threefry {
    /// The key, the same for all blocks.
    pub key: u64,
    /// The counter of the first block. It counts up and wraps at 2^64.
    pub counter: u64,
}

impl Threefry {
    /// The stream from its block `blocks` on.
    #[must_use]
    pub const fn skip(self, blocks: u64) -> Self {
        Self {
            key: self.key,
            counter: self.counter.wrapping_add(blocks),
        }
    }

    /// The two words of block `index`, in the order in which they are used.
    #[inline]
    pub const fn block(self, index: u64) -> [u32; 2] {
        let [k0, k1] = halves(self.key);
        let [c0, c1] = halves(self.skip(index).counter);
        let mut x = [c0.wrapping_add(k0), c1.wrapping_add(k1)];
        let injections = injections(self.key);
        let mut turn = 0;
        while turn < QUARTETS {
            let [x0, x1] = quartet(x, ROTATIONS[turn % 2]);
            let [i0, i1] = injections[turn];
            x = [x0.wrapping_add(i0), x1.wrapping_add(i1)];
            turn += 1;
        }
        x
    }
}

/// One round, which rotates the second word by this number of bits.
const fn mixed([x0, x1]: [u32; 2], by: u32) -> [u32; 2] {
    let sum = x0.wrapping_add(x1);
    [sum, x1.rotate_left(by) ^ sum]
}

/// Four rounds.
const fn quartet(x: [u32; 2], by: [u32; 4]) -> [u32; 2] {
    mixed(mixed(mixed(mixed(x, by[0]), by[1]), by[2]), by[3])
}

/// The key injection after each four rounds: the next two words of the key, and to the second word
/// how many times that makes.
pub(super) const fn injections(key: u64) -> [[u32; 2]; QUARTETS] {
    let [k0, k1] = halves(key);
    let k2 = k0 ^ k1 ^ PARITY;
    [
        [k1, k2.wrapping_add(1)],
        [k2, k0.wrapping_add(2)],
        [k0, k1.wrapping_add(3)],
        [k1, k2.wrapping_add(4)],
        [k2, k0.wrapping_add(5)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random123's `kat_vectors`.
    #[test]
    fn threefry_gives_the_known_answers() {
        let block = |counter, key| Threefry { key, counter }.block(0);
        assert_eq!(block(0, 0), [0x6b20_0159, 0x99ba_4efe]);
        assert_eq!(block(u64::MAX, u64::MAX), [0x1cb9_96fc, 0xbb00_2be7]);
        assert_eq!(
            block(0x85a3_08d3_243f_6a88, 0x0370_7344_1319_8a2e),
            [0xc492_3a9c, 0x483d_f7a0]
        );
    }
}

//! Groups of blocks, as many as a vector has 64-bit lanes.

use super::block::{M0, M1, Philox, ROUNDS, W0, W1};
use crate::bits::{halves, halves64, mul_wide};
use crate::fill::Blocks;
use crate::simd::Simd;

impl Blocks for Philox {
    type Words = [u32; 4];
    const WORDS: usize = 4;

    #[inline(always)]
    fn skip(self, blocks: u64) -> Self {
        Self::skip(self, blocks)
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        halves64(self.counter)[0]
    }

    #[inline(always)]
    fn first(self) -> [u32; 4] {
        self.block(0)
    }

    type Constants<V: Copy> = Constants<V>;

    #[inline(always)]
    fn constants<S: Simd>(self, s: S) -> Constants<S::V> {
        Constants::new(s, self)
    }

    #[inline(always)]
    fn chains<S: Simd, const GROUPS: usize>(self, s: S) -> [S::V; GROUPS] {
        first_products(s, self)
    }

    #[inline(always)]
    fn step<S: Simd>(s: S, groups: usize) -> S::V {
        product_step(s, groups)
    }

    #[inline(always)]
    fn next<S: Simd>(s: S, product: S::V, step: S::V) -> S::V {
        s.add64(product, step)
    }

    #[inline(always)]
    fn groups<S: Simd, const GROUPS: usize>(
        s: S,
        constants: &Constants<S::V>,
        products: &[S::V; GROUPS],
    ) -> [[S::V; 2]; GROUPS] {
        rounds(s, constants, products)
    }
}

/// The products of the first groups' lowest counter words by the first multiplier.
#[inline(always)]
fn first_products<S: Simd, const GROUPS: usize>(s: S, philox: Philox) -> [S::V; GROUPS] {
    // `Simd::blocks` returns the blocks of the even lanes first, and then those of the odd lanes.
    let half = S::WORDS / 4;
    let mut words = [0; 16];
    for lane in 0..2 * half {
        let block = u64::try_from(lane / 2 + lane % 2 * half).expect("a vector has few lanes");
        [words[2 * lane], _] = halves64(philox.skip(block).counter);
    }
    let mut products = [s.mul(s.load(&words), s.splat64(u64::from(M0))); GROUPS];
    let step = product_step::<S>(s, 1);
    for group in 1..GROUPS {
        products[group] = s.add64(products[group - 1], step);
    }
    products
}

/// The increment of the products over some groups.
#[inline(always)]
fn product_step<S: Simd>(s: S, groups: usize) -> S::V {
    let blocks = u64::try_from(groups * S::WORDS / 2).expect("groups are few");
    s.splat64(blocks * u64::from(M0))
}

/// The values that all blocks of a segment share: the rounds' keys, and of the first two rounds all that does
/// not depend on the counter's lowest word.
pub(crate) struct Constants<V> {
    m0: V,
    m1: V,
    keys: [[V; 2]; ROUNDS],
    /// Counter word 2 after the first round is this xor the high half of the lowest word's product.
    c2: V,
    /// Counter word 0 after the second round is this xor the high half of that word's product.
    c0: V,
    /// Counter word 2 after the second round is this xor the low half of the lowest word's product.
    d2: V,
    /// Counter word 3 after the second round.
    d3: V,
}

impl<V: Copy> Constants<V> {
    #[inline(always)]
    fn new<S: Simd<V = V>>(s: S, philox: Philox) -> Self {
        let [_, n1] = halves64(philox.counter);
        let [c2, c3] = halves64(philox.counter >> 64);
        let [mut k0, mut k1] = halves(philox.key);
        let zero = s.splat64(0);
        let mut keys = [[zero; 2]; ROUNDS];
        let mut scalars = [[0; 2]; ROUNDS];
        for (keys, scalars) in keys.iter_mut().zip(&mut scalars) {
            *keys = [s.splat64(u64::from(k0)), s.splat64(u64::from(k1))];
            *scalars = [k0, k1];
            k0 = k0.wrapping_add(W0);
            k1 = k1.wrapping_add(W1);
        }
        // First round: only the product of the lowest word varies.
        let [low, high] = mul_wide(c2, M1);
        let (first0, first1) = (high ^ n1 ^ scalars[0][0], low);
        let first2 = c3 ^ scalars[0][1];
        // Second round: the product of word 0 does not vary.
        let [low, high] = mul_wide(first0, M0);
        Self {
            m0: s.splat64(u64::from(M0)),
            m1: s.splat64(u64::from(M1)),
            keys,
            c2: s.splat64(u64::from(first2)),
            c0: s.splat64(u64::from(first1 ^ scalars[1][0])),
            d2: s.splat64(u64::from(high ^ scalars[1][1])),
            d3: s.splat64(u64::from(low)),
        }
    }
}

/// The blocks of some groups, from the products of their counters' lowest words by the first multiplier.
///
/// Words live in the low halves of 64-bit lanes. A product's low half is a word as it is: its high half stays
/// and does no harm, since multiplication does not look at it.
#[inline(always)]
fn rounds<S: Simd, const GROUPS: usize>(
    s: S,
    constants: &Constants<S::V>,
    products: &[S::V; GROUPS],
) -> [[S::V; 2]; GROUPS] {
    let zero = s.splat64(0);
    let mut words = [[zero; 4]; GROUPS];
    for (words, &p0) in words.iter_mut().zip(products) {
        let c2 = s.xor(s.shr64(p0, 32), constants.c2);
        let p1 = s.mul(c2, constants.m1);
        *words = [
            s.xor(s.shr64(p1, 32), constants.c0),
            p1,
            s.xor(p0, constants.d2),
            constants.d3,
        ];
    }
    for &[k0, k1] in &constants.keys[2..] {
        for words in &mut words {
            let [c0, c1, c2, c3] = *words;
            let p0 = s.mul(c0, constants.m0);
            let p1 = s.mul(c2, constants.m1);
            *words = [
                s.xor(s.shr64(p1, 32), s.xor(c1, k0)),
                p1,
                s.xor(s.shr64(p0, 32), s.xor(c3, k1)),
                p0,
            ];
        }
    }
    let mut blocks = [[zero; 2]; GROUPS];
    for (blocks, words) in blocks.iter_mut().zip(words) {
        *blocks = s.blocks(words);
    }
    blocks
}

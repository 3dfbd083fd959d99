//! Philox4x32-10: a block of four words for each value of a 128-bit counter.
//!
//! Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC11).

use crate::rule::Rule;
use crate::simd::{Cached, Kernel, STREAM, Simd, Store, Streamed, streamable};
use crate::{Level, split};

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
        let [mut c0, mut c1] = halves64(counter);
        let [mut c2, mut c3] = halves64(counter >> 64);
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

/// The low and the high half of the low 64 bits.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are meant")]
const fn halves64(x: u128) -> [u32; 2] {
    halves(x as u64)
}

/// Bytes of the elements that one block makes.
pub(crate) const fn block_bytes<R: Rule>() -> usize {
    4 / R::WORDS * R::SIZE
}

/// Blocks that are made one at a time.
const FEW: usize = 3;

/// Blocks that one thread fills at a time.
const CHUNK: usize = 1 << 14;

/// Fills `out` with whole elements from the stream's first block on. Words of the last block that no element
/// takes are dropped.
pub(crate) fn fill<R: Rule>(level: Level, philox: Philox, rule: R, out: &mut [u8]) {
    // A few blocks are made sooner than vectors of keys are.
    if out.len() <= FEW * block_bytes::<R>() {
        return scalar(philox, rule, out);
    }
    let streamed = out.len() >= STREAM;
    let elements = out.len() / R::SIZE;
    split::for_each(elements, out, CHUNK * block_bytes::<R>(), |chunk, out| {
        let blocks = u64::try_from(chunk * CHUNK).expect("an index fits 64 bits");
        level.run(Fill {
            philox: philox.skip(blocks),
            rule,
            out,
            streamed,
        });
    });
}

/// [`fill`], a block at a time.
#[inline(always)]
fn scalar<R: Rule>(mut philox: Philox, rule: R, out: &mut [u8]) {
    let mut blocks = out.chunks_exact_mut(block_bytes::<R>());
    for elements in &mut blocks {
        rule.elements(&philox.block(0), elements);
        philox = philox.skip(1);
    }
    let rest = blocks.into_remainder();
    if !rest.is_empty() {
        rule.elements(&philox.block(0), rest);
    }
}

/// [`fill`] of one chunk.
struct Fill<'a, R> {
    philox: Philox,
    rule: R,
    out: &'a mut [u8],
    streamed: bool,
}

impl<R: Rule> Kernel for Fill<'_, R> {
    type Output = ();

    fn scalar(self) {
        scalar(self.philox, self.rule, self.out);
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let Self {
            mut philox,
            rule,
            mut out,
            streamed,
        } = self;
        let unit = block_bytes::<R>();
        while !out.is_empty() {
            // Within a segment only the counter's lowest word changes.
            let blocks = (1 << 32) - u64::from(halves64(philox.counter)[0]);
            let bytes = usize::try_from(blocks).map_or(out.len(), |blocks| out.len().min(blocks * unit));
            let segment;
            (segment, out) = out.split_at_mut(bytes);
            if streamed && streamable::<S>(segment, unit) {
                fill_segment::<S, R, Streamed, GROUPS>(s, philox, rule, segment);
            } else {
                fill_segment::<S, R, Cached, GROUPS>(s, philox, rule, segment);
            }
            philox = philox.skip(blocks);
        }
    }
}

/// Fills `out`, over which the counter's lowest word does not wrap.
#[inline(always)]
fn fill_segment<S: Simd, R: Rule, P: Store, const GROUPS: usize>(
    s: S,
    philox: Philox,
    rule: R,
    out: &mut [u8],
) {
    let unit = block_bytes::<R>();
    let head_bytes = P::head::<S>(out).min(out.len());
    let (head, out) = out.split_at_mut(head_bytes);
    scalar(philox, rule, head);
    let skipped = u64::try_from(head_bytes / unit).expect("an index fits 64 bits");
    fill_groups::<S, R, P, GROUPS>(s, philox.skip(skipped), rule, out);
}

/// Fills `out`, whose first byte is the place of a vector.
#[inline(always)]
fn fill_groups<S: Simd, R: Rule, P: Store, const GROUPS: usize>(
    s: S,
    philox: Philox,
    rule: R,
    out: &mut [u8],
) {
    // A group is as many blocks as a vector has 64-bit lanes: their words are two vectors.
    let group_bytes = S::WORDS / 2 * block_bytes::<R>();
    let group_cells = 2 * R::SIZE / (4 * R::WORDS);
    let (body, tail) = out.split_at_mut(out.len() / group_bytes * group_bytes);

    let constants = Constants::new(s, philox);
    let mut products = first_products::<S, GROUPS>(s, philox);
    let step = product_step::<S>(s, GROUPS);
    let cells: &mut [P::Cell<S>] = bytemuck::cast_slice_mut(body);
    let mut chunks = cells.chunks_exact_mut(GROUPS * group_cells);
    for cells in &mut chunks {
        let groups = rounds(s, &constants, &products);
        for product in &mut products {
            *product = s.add64(*product, step);
        }
        for (cells, words) in cells.chunks_exact_mut(group_cells).zip(groups) {
            rule.put::<S, P>(s, words, cells);
        }
    }

    // What is left begins where the chains' next groups would.
    let mut products = products.into_iter();
    let mut next = || {
        products
            .next()
            .expect("fewer groups are left than there are chains")
    };
    for cells in chunks.into_remainder().chunks_exact_mut(group_cells) {
        let [words] = rounds(s, &constants, &[next()]);
        rule.put::<S, P>(s, words, cells);
    }
    if !tail.is_empty() {
        let [words] = rounds(s, &constants, &[next()]);
        rule.put_first(s, words, tail);
    }
}

/// The products of the first groups' lowest counter words by the first multiplier.
#[inline(always)]
fn first_products<S: Simd, const GROUPS: usize>(s: S, philox: Philox) -> [S::V; GROUPS] {
    // `Simd::blocks` gives the even lanes' blocks first, then the odd lanes'.
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

/// What the products grow by over some groups.
#[inline(always)]
fn product_step<S: Simd>(s: S, groups: usize) -> S::V {
    let blocks = u64::try_from(groups * S::WORDS / 2).expect("groups are few");
    s.splat64(blocks * u64::from(M0))
}

/// What is the same for all blocks of a segment: the rounds' keys, and of the first two rounds all that does not
/// depend on the counter's lowest word.
struct Constants<V> {
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
        let [low, high] = halves(u64::from(c2) * u64::from(M1));
        let (first0, first1) = (high ^ n1 ^ scalars[0][0], low);
        let first2 = c3 ^ scalars[0][1];
        // Second round: the product of word 0 does not vary.
        let [low, high] = halves(u64::from(first0) * u64::from(M0));
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

//! Outputs filled from a stream: with vectors where the level has them, over several threads where that pays.

use super::block::Philox;
use super::vectors::{Constants, first_products, product_step, rounds};
use crate::bits::halves64;
use crate::rule::Rule;
use crate::simd::{Cached, Kernel, STREAM, Simd, Store, Streamed, streamable};
use crate::{Level, split};

/// Bytes of the elements that one block makes.
const fn block_bytes<R: Rule>() -> usize {
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

    // The rest begins where the chains' next groups would.
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

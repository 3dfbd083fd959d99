//! Fills outputs from a generator of blocks, with vectors if the level has them, and on several threads if
//! the output is large enough.

use crate::level::Level;
use crate::rule::Rule;
use crate::simd::{Cached, Kernel, STREAM, Simd, Store, Streamed, streamable};
use crate::split;

/// A stream of blocks of words.
pub(crate) trait Stream: Copy + Send + Sync {
    /// The stream over which only the counter's lowest word changes.
    type Blocks: Blocks;

    /// The stream from its block `blocks` on.
    #[must_use]
    fn skip(self, blocks: u64) -> Self;

    /// The stream up to where the counter's lowest word wraps.
    fn segment(self) -> Self::Blocks;
}

impl<B: Blocks> Stream for B {
    type Blocks = B;

    #[inline(always)]
    fn skip(self, blocks: u64) -> Self {
        Blocks::skip(self, blocks)
    }

    #[inline(always)]
    fn segment(self) -> B {
        self
    }
}

/// A generator that makes a block of words of each value of a counter: a stream from some block on.
pub(crate) trait Blocks: Copy + Send + Sync {
    /// A block's words.
    type Words: AsRef<[u32]>;
    /// Words of a block: 1, 2 or 4.
    const WORDS: usize;

    /// The stream from its block `blocks` on.
    #[must_use]
    fn skip(self, blocks: u64) -> Self;

    /// The lowest word of the first block's counter.
    fn lowest(self) -> u32;

    /// The words of the first block, in the order in which they are used.
    fn first(self) -> Self::Words;

    /// The part of the first rounds that all blocks share while only the counter's lowest word changes.
    type Constants<V: Copy>;

    /// The constants of a stream.
    fn constants<S: Simd>(self, s: S) -> Self::Constants<S::V>;

    /// The offsets of the first groups. A group has as many blocks as make two vectors.
    fn chains<S: Simd, const GROUPS: usize>(self, s: S) -> [S::V; GROUPS];

    /// The difference between groups that are `groups` apart, for [`Self::next`].
    fn step<S: Simd>(s: S, groups: usize) -> S::V;

    /// The offset of the group one step later.
    fn next<S: Simd>(s: S, chain: S::V, step: S::V) -> S::V;

    /// The words of some groups.
    fn groups<S: Simd, const GROUPS: usize>(
        s: S,
        constants: &Self::Constants<S::V>,
        chains: &[S::V; GROUPS],
    ) -> [[S::V; 2]; GROUPS];
}

/// Bytes of the elements that one block makes.
const fn block_bytes<B: Blocks, R: Rule>() -> usize {
    B::WORDS / R::WORDS * R::SIZE
}

/// The most blocks for which the scalar code is used at every level. The vector code first spreads the keys
/// of all rounds over vectors.
const MAX_SCALAR_BLOCKS: usize = 3;

/// The blocks that one thread fills at a time: 256 KiB of words for Philox. The streams of chunks start at multiples of
/// it, so the elements do not depend on the number of threads.
const CHUNK: usize = 1 << 14;

/// Fills `out` with whole elements from the stream's first block on. Words of the last block that no
/// element takes are dropped.
pub(crate) fn fill<T: Stream, R: Rule>(level: Level, stream: T, rule: R, out: &mut [u8]) {
    if out.len() <= MAX_SCALAR_BLOCKS * block_bytes::<T::Blocks, R>() {
        return scalar(stream, rule, out);
    }
    // Decided for the whole output: one chunk of it would fit the caches.
    let streamed = out.len() >= STREAM;
    let elements = out.len() / R::SIZE;
    split::for_each(
        elements,
        out,
        CHUNK * block_bytes::<T::Blocks, R>(),
        |chunk, out| {
            let blocks = u64::try_from(chunk * CHUNK).expect("an index fits 64 bits");
            level.run(Fill {
                stream: stream.skip(blocks),
                rule,
                out,
                streamed,
            });
        },
    );
}

/// [`fill`], a block at a time.
#[inline(always)]
fn scalar<T: Stream, R: Rule>(mut stream: T, rule: R, out: &mut [u8]) {
    let mut blocks = out.chunks_exact_mut(block_bytes::<T::Blocks, R>());
    for elements in &mut blocks {
        rule.elements(stream.segment().first().as_ref(), elements);
        stream = stream.skip(1);
    }
    let rest = blocks.into_remainder();
    if !rest.is_empty() {
        rule.elements(stream.segment().first().as_ref(), rest);
    }
}

/// [`fill`] of one chunk.
struct Fill<'a, T, R> {
    stream: T,
    rule: R,
    out: &'a mut [u8],
    streamed: bool,
}

impl<T: Stream, R: Rule> Kernel for Fill<'_, T, R> {
    type Output = ();
    const DIVIDES: bool = R::DIVIDES;

    fn scalar(self) {
        scalar(self.stream, self.rule, self.out);
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let Self {
            mut stream,
            rule,
            mut out,
            streamed,
        } = self;
        let unit = block_bytes::<T::Blocks, R>();
        while !out.is_empty() {
            // In a segment only the lowest word of the counter changes, so the kernels compute the
            // rest of the first rounds once.
            let first = stream.segment();
            let blocks = (1 << 32) - u64::from(first.lowest());
            let bytes = usize::try_from(blocks).map_or(out.len(), |blocks| out.len().min(blocks * unit));
            let segment;
            (segment, out) = out.split_at_mut(bytes);
            if streamed && streamable::<S>(segment, unit) {
                fill_busily::<S, _, R, Streamed, GROUPS>(s, first, rule, segment);
            } else {
                fill_busily::<S, _, R, Cached, GROUPS>(s, first, rule, segment);
            }
            stream = stream.skip(blocks);
        }
    }
}

/// [`fill_segment`] with as many chains as keep the level busy. A chain of Threefry takes two registers, or four where
/// a block makes one word, and most of its instructions wait for the one before, so there are as many chains as the
/// registers hold.
#[inline(always)]
fn fill_busily<S: Simd, B: Blocks, R: Rule, P: Store, const GROUPS: usize>(
    s: S,
    stream: B,
    rule: R,
    out: &mut [u8],
) {
    match (B::WORDS, S::WORDS) {
        (1, 16) => fill_segment::<S, B, R, P, 4>(s, stream, rule, out),
        (1, _) => fill_segment::<S, B, R, P, 3>(s, stream, rule, out),
        (2, 16) => fill_segment::<S, B, R, P, 8>(s, stream, rule, out),
        (2, _) => fill_segment::<S, B, R, P, 7>(s, stream, rule, out),
        _ => fill_segment::<S, B, R, P, GROUPS>(s, stream, rule, out),
    }
}

/// Fills `out`, over which the counter's lowest word does not wrap.
#[inline(always)]
fn fill_segment<S: Simd, B: Blocks, R: Rule, P: Store, const GROUPS: usize>(
    s: S,
    stream: B,
    rule: R,
    out: &mut [u8],
) {
    let unit = block_bytes::<B, R>();
    let head_bytes = P::head::<S>(out).min(out.len());
    let (head, out) = out.split_at_mut(head_bytes);
    scalar(stream, rule, head);
    let skipped = u64::try_from(head_bytes / unit).expect("an index fits 64 bits");
    fill_groups::<S, B, R, P, GROUPS>(s, Blocks::skip(stream, skipped), rule, out);
}

/// Fills `out`, whose first byte is the place of a vector.
#[inline(always)]
fn fill_groups<S: Simd, B: Blocks, R: Rule, P: Store, const GROUPS: usize>(
    s: S,
    stream: B,
    rule: R,
    out: &mut [u8],
) {
    let group_bytes = 2 * S::WORDS / R::WORDS * R::SIZE;
    let group_cells = group_bytes / size_of::<S::V>();

    let constants = stream.constants(s);
    let mut chains: [_; GROUPS] = stream.chains(s);
    let step = B::step::<S>(s, GROUPS);
    if group_cells == 0 {
        // The bytes of a group are half a vector.
        for out in out.chunks_mut(GROUPS * group_bytes) {
            let groups = B::groups(s, &constants, &chains);
            for chain in &mut chains {
                *chain = B::next(s, *chain, step);
            }
            for (out, words) in out.chunks_mut(group_bytes).zip(groups) {
                rule.put_first(s, words, out);
            }
        }
        return;
    }
    let (body, tail) = out.split_at_mut(out.len() / group_bytes * group_bytes);
    let cells: &mut [P::Cell<S>] = bytemuck::cast_slice_mut(body);
    let mut chunks = cells.chunks_exact_mut(GROUPS * group_cells);
    for cells in &mut chunks {
        let groups = B::groups(s, &constants, &chains);
        for chain in &mut chains {
            *chain = B::next(s, *chain, step);
        }
        for (cells, words) in cells.chunks_exact_mut(group_cells).zip(groups) {
            rule.put::<S, P>(s, words, cells);
        }
    }

    // The rest starts at the next groups of the chains. A few groups take hardly longer than one, since they are
    // independent, so all are computed even if only two are needed.
    let rest = chunks.into_remainder();
    let left = rest.len() / group_cells + usize::from(!tail.is_empty());
    let groups = match left {
        0 => return,
        1 => {
            let [words] = B::groups(s, &constants, &[chains[0]]);
            [words; GROUPS]
        }
        _ => B::groups(s, &constants, &chains),
    };
    for (cells, &words) in rest.chunks_exact_mut(group_cells).zip(&groups) {
        rule.put::<S, P>(s, words, cells);
    }
    if !tail.is_empty() {
        rule.put_first(s, groups[left - 1], tail);
    }
}

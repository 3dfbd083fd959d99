//! Conversions from words to the bytes of elements: one rule for each type, alignment and kind of range, written once
//! for a single element and once for vectors of words. A rule does not depend on the generator.

use bytemuck::{Pod, Zeroable};

use crate::simd::{Cached, Simd, Store};

mod float;
mod integer;
mod normal;
mod sixteen;

pub(crate) use float::{Digits, F32, F64, ONE_F64, Pytorch, Scale, Tensorflow, Top, Unit};
pub(crate) use integer::{Bits, HIGH_FIRST, I64, LOW_FIRST, Less, Narrow, OneWordI64};
pub(crate) use normal::{Keyed, Narrowed, Normal, Single};
pub(crate) use sixteen::{Bf16, F16, Format, Sixteen, scale_between};

/// A conversion from words to elements.
pub(crate) trait Rule: Copy + Send + Sync {
    /// Words per element: 1 or 2.
    const WORDS: usize;

    /// Bytes per element.
    const SIZE: usize;

    /// The elements that are made together of the words of all of them. Outputs are cut between groups only.
    const GROUP: usize = 1;

    /// Whether elements are remainders.
    const DIVIDES: bool = false;

    /// An element, least significant byte first.
    type Bytes: AsRef<[u8]>;

    /// The element of the words `first` and `second`, in the order in which they are drawn. `second` is
    /// `first` once more where an element takes one word.
    fn element(self, first: u32, second: u32) -> Self::Bytes;

    /// The elements of two vectors of words, in order.
    type Vectors<V: Pod>: AsRef<[V]>;

    /// [`Self::element`] of each word, or pair of words, of two vectors. Infinite bounds are not for vectors.
    fn vectors<S: Simd>(self, s: S, words: [S::V; 2]) -> Self::Vectors<S::V>;

    /// Elements of consecutive words. `out` holds a whole number of elements, `words` at least what they take.
    #[inline(always)]
    fn elements(self, words: &[u32], out: &mut [u8]) {
        for (element, words) in out
            .chunks_exact_mut(Self::SIZE)
            .zip(words.chunks_exact(Self::WORDS))
        {
            element.copy_from_slice(self.element(words[0], words[Self::WORDS - 1]).as_ref());
        }
    }

    /// Writes the elements of two vectors of words.
    #[inline(always)]
    fn put<S: Simd, P: Store>(self, s: S, words: [S::V; 2], cells: &mut [P::Cell<S>]) {
        for (cell, &v) in cells.iter_mut().zip(self.vectors(s, words).as_ref()) {
            P::put(s, cell, v);
        }
    }

    /// [`Self::put`] of the first elements, as many as `out` holds.
    #[inline(always)]
    fn put_first<S: Simd>(self, s: S, words: [S::V; 2], out: &mut [u8]) {
        let mut cells = [S::Bytes::zeroed(); MOST_CELLS];
        self.put::<S, Cached>(s, words, &mut cells);
        out.copy_from_slice(&bytemuck::cast_slice(&cells)[..out.len()]);
    }
}

/// The most vectors of elements that two vectors of words make.
const MOST_CELLS: usize = 4;

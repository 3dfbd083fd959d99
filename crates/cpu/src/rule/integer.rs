//! Integers: the words themselves, or their remainder from the lower bound on.
//!
//! Source: RandomUniform-8, "For integer values" and "For integer types"; that remainders are of unsigned
//! numbers, which word of two comes first, and that everything wraps, follows OpenVINO core.

use bytemuck::Pod;

use super::Rule;
use crate::bits::join;
use crate::divisor::Divisor;
use crate::simd::Simd;

/// u32: the word as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits;

impl Rule for Bits {
    const WORDS: usize = 1;
    const SIZE: usize = 4;
    type Bytes = [u8; 4];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; 4] {
        word.to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, _s: S, words: [S::V; 2]) -> [S::V; 2] {
        words
    }
}

/// i32, one word each: the remainder of the word, plus the lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct I32 {
    pub(crate) min: i32,
    pub(crate) range: Divisor<u32>,
}

impl Rule for I32 {
    const WORDS: usize = 1;
    const SIZE: usize = 4;
    type Bytes = [u8; 4];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; 4] {
        let rest = self.range.remainder(word);
        rest.wrapping_add(self.min.cast_unsigned()).to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        for v in &mut words {
            let rest = self.range.remainders(s, *v);
            *v = s.add32(rest, s.splat32(self.min.cast_unsigned()));
        }
        words
    }
}

/// [`I64`] of two words, the less significant first: TENSORFLOW.
pub(crate) const LOW_FIRST: bool = false;
/// [`I64`] of two words, the more significant first: PYTORCH.
pub(crate) const HIGH_FIRST: bool = true;

/// i64, two words each: the remainder of both as one number, plus the lower bound. `ORDER` is [`LOW_FIRST`]
/// or [`HIGH_FIRST`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct I64<const ORDER: bool> {
    pub(crate) min: i64,
    pub(crate) range: Divisor<u64>,
}

impl<const ORDER: bool> Rule for I64<ORDER> {
    const WORDS: usize = 2;
    const SIZE: usize = 8;
    type Bytes = [u8; 8];

    #[inline(always)]
    fn element(self, first: u32, second: u32) -> [u8; 8] {
        let x = if ORDER == HIGH_FIRST {
            join(first, second)
        } else {
            join(second, first)
        };
        let rest = self.range.remainder(x);
        rest.wrapping_add(self.min.cast_unsigned()).to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        for v in &mut words {
            let x = if ORDER == HIGH_FIRST { s.swap(*v) } else { *v };
            let rest = self.range.remainders(s, x);
            *v = s.add64(rest, s.splat64(self.min.cast_unsigned()));
        }
        words
    }
}

/// i64, one word each, as PYTORCH has it where both bounds are at most 2^32 - 1: the remainder of the word,
/// plus the lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneWordI64 {
    pub(crate) min: i64,
    /// `None` for a range above all words, which are then their own remainders.
    pub(crate) range: Option<Divisor<u32>>,
}

impl Rule for OneWordI64 {
    const WORDS: usize = 1;
    const SIZE: usize = 8;
    type Bytes = [u8; 8];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; 8] {
        let rest = self.range.map_or(word, |range| range.remainder(word));
        u64::from(rest)
            .wrapping_add(self.min.cast_unsigned())
            .to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 4];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 4] {
        if let Some(range) = self.range {
            for v in &mut words {
                *v = range.remainders(s, *v);
            }
        }
        let min = s.splat64(self.min.cast_unsigned());
        let ([a, b], [c, d]) = (s.widen(words[0]), s.widen(words[1]));
        [s.add64(a, min), s.add64(b, min), s.add64(c, min), s.add64(d, min)]
    }
}

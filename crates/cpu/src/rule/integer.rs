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

/// Integers of `SIZE` bytes, at most 4, one word each: the low bits of the word, or of its
/// remainder plus the lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrow<const SIZE: usize> {
    /// The lower bound, sign-extended.
    pub(crate) min: u32,
    /// `None` for the range of all words, which are then their own remainders.
    pub(crate) range: Option<Divisor<u32>>,
}

impl<const SIZE: usize> Rule for Narrow<SIZE> {
    const WORDS: usize = 1;
    const SIZE: usize = SIZE;
    const DIVIDES: bool = true;
    type Bytes = [u8; SIZE];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; SIZE] {
        let rest = self.range.map_or(word, |range| range.remainder(word));
        let bytes = rest.wrapping_add(self.min).to_le_bytes();
        *bytes
            .first_chunk()
            .expect("an integer here has at most four bytes")
    }

    /// Of fewer than four bytes only the first vector counts.
    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        for v in &mut words {
            if let Some(range) = self.range {
                *v = range.remainders(s, *v);
            }
            *v = s.add32(*v, s.splat32(self.min));
        }
        let [a, b] = words;
        // Masked first, because AVX2's `narrow` and `narrow8` saturate.
        match SIZE {
            1 => {
                let low = s.splat32(0xff);
                [s.narrow8(s.and(a, low), s.and(b, low)); 2]
            }
            2 => {
                let low = s.splat32(0xffff);
                [s.narrow(s.and(a, low), s.and(b, low)); 2]
            }
            _ => words,
        }
    }
}

/// [`I64`] of two words, the less significant first: TENSORFLOW.
pub(crate) const LOW_FIRST: bool = false;
/// [`I64`] of two words, the more significant first: PYTORCH.
pub(crate) const HIGH_FIRST: bool = true;

/// i64 and u64, two words each: both as one number, or its remainder, plus the lower bound. `ORDER` is
/// [`LOW_FIRST`] or [`HIGH_FIRST`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct I64<const ORDER: bool> {
    pub(crate) min: u64,
    /// `None` for the range of all numbers, which are then their own remainders.
    pub(crate) range: Option<Divisor<u64>>,
}

impl<const ORDER: bool> Rule for I64<ORDER> {
    const WORDS: usize = 2;
    const SIZE: usize = 8;
    const DIVIDES: bool = true;
    type Bytes = [u8; 8];

    #[inline(always)]
    fn element(self, first: u32, second: u32) -> [u8; 8] {
        let x = if ORDER == HIGH_FIRST {
            join(first, second)
        } else {
            join(second, first)
        };
        let rest = self.range.map_or(x, |range| range.remainder(x));
        rest.wrapping_add(self.min).to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        if ORDER == HIGH_FIRST {
            words = [s.swap(words[0]), s.swap(words[1])];
        }
        if let Some(range) = self.range {
            words = range.remainders(s, words);
        }
        let min = s.splat64(self.min);
        [s.add64(words[0], min), s.add64(words[1], min)]
    }
}

/// u8, one word each: 1 where the top 23 bits are less than a number of at most 2^23, else 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Less(pub(crate) u32);

impl Rule for Less {
    const WORDS: usize = 1;
    const SIZE: usize = 1;
    type Bytes = [u8; 1];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; 1] {
        [u8::from(word >> 9 < self.0)]
    }

    /// Only the first vector counts.
    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        for v in &mut words {
            // The sign of a difference of numbers below 2^31.
            *v = s.shr32(s.sub32(s.shr32(*v, 9), s.splat32(self.0)), 31);
        }
        [s.narrow8(words[0], words[1]); 2]
    }
}

/// i64, one word each, as PYTORCH has it where both bounds are at most 2^32 - 1: the remainder of the
/// word, plus the lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneWordI64 {
    pub(crate) min: i64,
    /// `None` for a range above all words, which are then their own remainders.
    pub(crate) range: Option<Divisor<u32>>,
}

impl Rule for OneWordI64 {
    const WORDS: usize = 1;
    const SIZE: usize = 8;
    const DIVIDES: bool = true;
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

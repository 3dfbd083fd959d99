//! Integers: the words themselves, or their remainder from the lower bound on.
//!
//! Source: RandomUniform-8, "For integer values" and "For integer types"; that remainders are of unsigned
//! numbers, which word of two comes first, and that everything wraps, follows OpenVINO core.

use super::Rule;
use super::float::join;
use crate::divisor::Divisor;

/// u32: the word as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits;

impl Rule for Bits {
    const WORDS: usize = 1;
    const SIZE: usize = 4;
    type Bytes = [u8; 4];

    #[inline(always)]
    fn element(self, first: u32, _second: u32) -> [u8; 4] {
        first.to_le_bytes()
    }
}

/// i32, one word each: the remainder of the word, plus the lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Int32 {
    pub(crate) min: i32,
    pub(crate) range: Divisor<u32>,
}

impl Rule for Int32 {
    const WORDS: usize = 1;
    const SIZE: usize = 4;
    type Bytes = [u8; 4];

    #[inline(always)]
    fn element(self, first: u32, _second: u32) -> [u8; 4] {
        self.range
            .remainder(first)
            .wrapping_add(self.min.cast_unsigned())
            .to_le_bytes()
    }
}

/// [`Int64`] of two words, the less significant first: TENSORFLOW.
pub(crate) const LOW_FIRST: u8 = 0;
/// [`Int64`] of two words, the more significant first: PYTORCH.
pub(crate) const HIGH_FIRST: u8 = 1;
/// [`Int64`] of one word: PYTORCH where both bounds are at most 2^32 - 1.
pub(crate) const ONE_WORD: u8 = 2;

/// i64: the remainder of one or two words, plus the lower bound. `ORDER` is one of the three above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Int64<const ORDER: u8> {
    pub(crate) min: i64,
    pub(crate) range: Divisor<u64>,
}

impl<const ORDER: u8> Rule for Int64<ORDER> {
    const WORDS: usize = if ORDER == ONE_WORD { 1 } else { 2 };
    const SIZE: usize = 8;
    type Bytes = [u8; 8];

    #[inline(always)]
    fn element(self, first: u32, second: u32) -> [u8; 8] {
        let x = match ORDER {
            LOW_FIRST => join(second, first),
            HIGH_FIRST => join(first, second),
            _ => u64::from(first),
        };
        self.range
            .remainder(x)
            .wrapping_add(self.min.cast_unsigned())
            .to_le_bytes()
    }
}

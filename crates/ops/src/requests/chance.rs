//! Random choices, made from a source of 64-bit words.

use std::ops::Range;

/// Choices from words of 64 bits.
pub(super) struct Chance<'a> {
    words: &'a mut dyn FnMut() -> u64,
    /// Whether the request is a long one, which has no mistakes.
    pub(super) long: bool,
    /// The extents of the output, where they are not left to chance.
    pub(super) extents: Option<Vec<u64>>,
}

impl<'a> Chance<'a> {
    pub(super) fn new(words: &'a mut dyn FnMut() -> u64, long: bool) -> Self {
        Self {
            words,
            long,
            extents: None,
        }
    }

    /// Any word.
    pub(super) fn word(&mut self) -> u64 {
        (self.words)()
    }

    /// A number of a range that is not empty.
    pub(super) fn within(&mut self, range: Range<i64>) -> i64 {
        let count = range.start.abs_diff(range.end);
        let offset = (u128::from(self.word()) * u128::from(count)) >> 64;
        range.start + i64::try_from(offset).expect("less than the length of the range")
    }

    /// An extent or a rank of a range that is not empty.
    pub(super) fn extent(&mut self, range: Range<i64>) -> u64 {
        self.within(range).unsigned_abs()
    }

    /// True with the probability `of / times`.
    pub(super) fn odds(&mut self, of: i64, times: i64) -> bool {
        self.within(0..times) < of
    }

    /// Whether a short request has a mistake here.
    pub(super) fn mistake(&mut self) -> bool {
        !self.long && self.odds(1, 25)
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let count = i64::try_from(from.len()).expect("a short list");
        let at = usize::try_from(self.within(0..count)).expect("not negative");
        from[at].clone()
    }
}

//! A mistake as data, and lists of them.

use crate::reading::Reading;

/// One wrong answer that a programmer gives.
#[derive(Clone, Copy, Debug)]
pub struct Mistake {
    /// A unique name: parts of `a-z 0-9`, set apart by `-`.
    pub id: &'static str,
    /// The clause that it departs from.
    pub clause: &'static str,
    /// The erratum whose adopted answer it contradicts.
    pub erratum: Option<&'static str>,
    /// The programmer's slip, in one sentence.
    pub sentence: &'static str,
    /// The instruction that fixes it, in one sentence.
    pub fix: &'static str,
    /// Makes the mistake to a reading.
    pub apply: fn(&mut Reading),
}

/// A list of mistakes: the id of each, its sentence and what it does to a reading, below the clause, the erratum and the
/// fix, which neighbours have in common.
macro_rules! mistakes {
    ($(clause: $clause:literal, erratum: $erratum:expr, fix: $fix:expr => {
        $($id:literal: $sentence:literal, $apply:expr;)+
    })+) => {
        pub(super) const MISTAKES: &[$crate::mistakes::Mistake] = &[$($($crate::mistakes::Mistake {
            id: $id,
            clause: $clause,
            erratum: $erratum,
            sentence: $sentence,
            fix: $fix,
            apply: $apply,
        }),+),+];
    };
}
pub(super) use mistakes;

//! How the words of NumPy's bit generators become numbers, integers and permutations; and what its legacy `RandomState` does
//! otherwise.

use super::{question, subject};

question! {
    /// The bits of an f64.
    NumpyDouble {
        #[default]
        Upper53 = "the upper 53",
        /// As `uint32 / 2^32`.
        Draw32 = "a draw of 32",
        /// Those of an f32.
        Draw24 = "the upper 24 of a draw of 32",
        /// Those of the mantissa of a number in [1, 2).
        Upper52 = "the upper 52",
        /// A number of the open interval, as C code that takes its logarithm needs.
        Open52 = "the upper 52, and half of the last",
    }
}

question! {
    /// The bits of an f64 of MT19937.
    NumpyMtDouble {
        #[default]
        Upper27And26 = "the upper 27 and 26 of two words",
        Upper53 = "the upper 53 of two words",
        /// The second word has the upper bits.
        Exchanged = "the upper 27 and 26 of two words, the second first",
        /// The shifts are exchanged.
        Upper26And27 = "the upper 26 and 27 of two words",
        /// The upper bits are not widened before they are multiplied by 2^26.
        In32 = "the upper 27 and 26 of two words, joined in 32 bits",
    }
}

question! {
    /// The bits of an f32.
    NumpySingle {
        #[default]
        Upper24 = "the upper 24",
        /// An f64 is drawn and rounded.
        Rounded = "an f64, rounded",
        Upper23 = "the upper 23",
        /// The greatest of them are 1.
        Whole = "all 32, rounded",
        Upper24Of64 = "the upper 24 of a draw of 64",
    }
}

question! {
    /// How a draw becomes a number of a range.
    NumpyMethod {
        /// The upper half of a product, and draws are rejected.
        #[default]
        Lemire = "product",
        /// The same, and none is.
        Unrejected = "product without rejection",
        /// The same, by a comparison that is not strict.
        RejectedAtBound = "product, rejected at the bound too",
        /// Low bits are drawn again while they are past the range.
        Mask = "mask",
        /// The same, of a bit less, so that the greatest numbers are never drawn.
        ShortMask = "mask of a bit less",
        Remainder = "remainder",
    }
}

question! {
    /// Whether the upper bound of integers is drawn.
    NumpyBound {
        #[default]
        Exclusive = "it is not",
        /// As with `endpoint=True`, or the legacy `random_integers`.
        Inclusive = "it is",
    }
}

question! {
    /// How many bits are drawn for an element of a 64-bit type.
    NumpyWidth {
        #[default]
        OfRange = "32 for a range of 32",
        OfType = "64",
        /// Numbers past 2^32 are never drawn.
        Always32 = "32",
    }
}

question! {
    /// How a draw of 8 or 16 bits is taken of one of 32.
    NumpyPieces {
        #[default]
        LowFirst = "pieces, the lowest first",
        HighFirst = "pieces, the highest first",
        Single = "the low bits alone",
    }
}

question! {
    /// What becomes of the pieces that a call leaves.
    NumpyPiecesLeft {
        #[default]
        Dropped = "they are dropped",
        Kept = "the next call has them",
    }
}

question! {
    /// Where NumPy's shuffle begins.
    NumpyShuffle {
        #[default]
        End = "the last",
        Start = "the first",
        /// Each with one before it or itself.
        Forward = "the second, and forward",
        /// Sattolo's: no number stays in its place.
        Cyclic = "the last, each with one before it",
    }
}

question! {
    /// Where a shuffle that begins with the last number ends.
    NumpyShuffleEnd {
        #[default]
        Second = "the second",
        /// A draw with one possible answer.
        First = "the first",
    }
}

question! {
    /// How a shuffle draws a place.
    NumpyInterval {
        #[default]
        Mask = "mask",
        Upper = "upper bits",
        Lemire = "product",
        Remainder = "remainder",
    }
}

subject! {
    /// What NumPy's `Generator` makes of words.
    NumpyDraws as "numpy.draws" {
        /// The bits of an f64.
        double: NumpyDouble,
        /// The bits of an f64 of MT19937.
        mt19937_double: NumpyMtDouble,
        /// The bits of an f32.
        single: NumpySingle,
        /// How a draw becomes a number of a range.
        method: NumpyMethod,
        /// Whether the upper bound is drawn.
        bound: NumpyBound,
        /// How many bits a draw has.
        width: NumpyWidth,
        /// How small draws are taken.
        pieces: NumpyPieces,
        /// What becomes of pieces that are left.
        left: NumpyPiecesLeft,
        /// Where a shuffle begins.
        shuffle: NumpyShuffle,
        /// Where it ends.
        shuffle_end: NumpyShuffleEnd,
        /// How it draws a place.
        interval: NumpyInterval,
    }
}

question! {
    /// What a seed that is a number becomes.
    LegacySeeding {
        /// As [`super::Mt`] says.
        #[default]
        Word = "the state of one word",
        /// As the seed of a `Generator`.
        Sequence = "SeedSequence",
    }
}

question! {
    /// What a seed that is a list becomes.
    LegacyList {
        #[default]
        Array = "init_by_array",
        FirstWord = "its first word, by init_genrand",
        Reversed = "init_by_array, the last word first",
        Sequence = "SeedSequence",
    }
}

question! {
    /// Which normal of a pair comes first.
    LegacyFirst {
        #[default]
        Second = "that of the second number",
        First = "that of the first number",
    }
}

question! {
    /// What becomes of the other normal of a pair.
    LegacyOther {
        #[default]
        Kept = "it is the next one",
        Dropped = "it is dropped",
        DroppedAtEnd = "it is dropped at the end of a call",
    }
}

question! {
    /// How the sum of the squares is rounded.
    LegacySquares {
        #[default]
        Rounded = "after each product",
        FirstFused = "the first square fused",
        SecondFused = "the second square fused",
    }
}

question! {
    /// Between which numbers a pair is drawn.
    LegacyPair {
        #[default]
        Signed = "-1 and 1",
        /// So that no normal is negative.
        Unit = "0 and 1",
    }
}

question! {
    /// The factor of both numbers of a pair.
    LegacyFactor {
        #[default]
        Whole = "sqrt(-2 log(r2) / r2)",
        /// As of a radius that is drawn by itself.
        Undivided = "sqrt(-2 log(r2))",
    }
}

subject! {
    /// What NumPy's `RandomState` does otherwise than its `Generator`.
    NumpyLegacy as "numpy.legacy" {
        /// What a seed that is a number becomes.
        seeding: LegacySeeding,
        /// What a list becomes.
        list: LegacyList,
        /// How a draw becomes a number of a range.
        method: NumpyMethod,
        /// Which normal of a pair comes first.
        first: LegacyFirst,
        /// What becomes of the other one.
        other: LegacyOther,
        /// How the sum of squares is rounded.
        squares: LegacySquares,
        /// Between which numbers a pair is drawn.
        pair: LegacyPair,
        /// The factor of both.
        factor: LegacyFactor,
    }
}

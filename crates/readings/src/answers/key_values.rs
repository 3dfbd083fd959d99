//! What PyTorch's `torch.func._random` draws by a key.

use super::{NarrowBits, question, subject};

question! {
    /// How a bound gets to a 16-bit type.
    KeyBounds {
        /// Rounded to f32, then to the type.
        #[default]
        ThroughF32 = "through f32",
        Once = "rounded once",
    }
}

question! {
    /// Which bounds of floats are accepted.
    KeyRanges {
        /// All.
        #[default]
        Any = "any",
        LowToHigh = "low <= high",
        /// Finite ones with low <= high.
        Finite = "finite, low <= high",
    }
}

question! {
    /// How a range of the whole type is drawn.
    WholeRange {
        #[default]
        Word = "the word",
        /// The word, and low added.
        LowAdded = "the word and low",
    }
}

question! {
    /// Which ranges are refused.
    RangeLimit {
        /// Those of 32-bit types from 2^28 on that do not divide 2^32.
        #[default]
        Biased = "from 2^28, unless it divides 2^32",
        /// Those of 32-bit types from 2^28 on.
        From2p28 = "from 2^28",
        /// Those of 32-bit types over 2^28 that do not divide 2^32, and 2^28 - 1.
        From2p28m1 = "from 2^28 - 1, unless it divides 2^32",
        Nothing = "none",
    }
}

question! {
    /// What of a word is reduced for a type that is narrower.
    KeyCut {
        #[default]
        Never = "the word",
        First = "its low bits",
    }
}

question! {
    /// What a low bound that is left out is.
    LeftOut {
        /// The least value of the type.
        #[default]
        Limit = "the type's least value",
        Zero = "zero",
    }
}

question! {
    /// What a high bound that is left out is.
    LeftOutHigh {
        /// One past the greatest value of the type.
        #[default]
        PastGreatest = "past the type's greatest value",
        /// The greatest value of the type.
        Greatest = "the type's greatest value",
        /// The same, where the limit of ranges sees one past it.
        GreatestDrawn = "the type's greatest value, once the range is accepted",
    }
}

question! {
    /// The number of the unit interval that makes a normal.
    NormalUnit {
        /// The f32 nearest to the word, times 2^-32, and half a step.
        #[default]
        Rounded = "rounded to f32, and half a step",
        WithoutHalf = "rounded to f32",
        /// Rounded once.
        Whole = "the whole word, and half a step",
    }
}

subject! {
    /// What is drawn by a key.
    KeyValues as "torch.values" {
        /// Which bits of a word a narrow integer is made of.
        narrow: NarrowBits,
        /// How the bounds of a 16-bit type are.
        bounds: KeyBounds,
        /// Which bounds are accepted.
        ranges: KeyRanges,
        /// How the whole range is drawn.
        whole: WholeRange,
        /// Which ranges are refused.
        limit: RangeLimit,
        /// What of a word is reduced for a narrow type.
        cut: KeyCut,
        /// What a low bound that is left out is.
        left_out: LeftOut,
        /// What a high bound that is left out is.
        left_out_high: LeftOutHigh,
        /// The number that makes a normal.
        normal: NormalUnit,
    }
}

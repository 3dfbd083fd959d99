//! What PyTorch's `torch.func._random` draws by a key.

use super::{MaximumBound, NarrowBits, question, subject};

question! {
    /// Which of two words is the high one.
    WideKeyWords {
        /// The first.
        #[default]
        HighFirst = "high first",
        /// The second.
        LowFirst = "low first",
    }
}

question! {
    /// How words become a fraction. d is 24 for f32, 53 for f64, 11 for f16, 8 for bf16.
    KeyUnit {
        /// The low d bits.
        #[default]
        LowDigits = "low d bits",
        /// The high d bits.
        HighDigits = "high d bits",
        /// The low d - 1 bits.
        OneFewer = "low d-1 bits",
        /// The low d bits, of 24 for the 16-bit types, rounded.
        HalvesOfF32 = "of 24 bits for halves",
    }
}

question! {
    /// How a fraction gets into the range.
    KeyScale {
        /// Product and sum rounded apart.
        #[default]
        Separate = "each operation rounded",
        Fused = "fused",
        /// `low * (1 - x) + high * x`.
        Lerp = "lerp",
    }
}

question! {
    /// Where a computation for a 16-bit type is rounded.
    KeyHalfSteps {
        #[default]
        RangeAndEnd = "high - low, and at the end",
        /// Once at the end.
        End = "at the end",
        EachOperation = "after each operation",
    }
}

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
    /// What happens to a float that equals high.
    AtHigh {
        /// It stays.
        #[default]
        Kept = "kept",
        /// low takes its place.
        Low = "low in its place",
    }
}

question! {
    /// What a range of the whole type gives.
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
    /// How a word is reduced.
    KeyReduction {
        /// By the remainder of unsigned numbers.
        #[default]
        Unsigned = "unsigned remainder",
        /// By C's remainder of signed numbers.
        Signed = "signed remainder",
        /// By multiplication and shift.
        MultiplyShift = "multiply and shift",
        /// By the remainder of a word that was cut to the type's width before.
        CutFirst = "cut to the type first",
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
    }
}

subject! {
    /// What is drawn by a key.
    KeyValues as "torch.values" {
        /// Which of two words is the high one.
        wide_order: WideKeyWords,
        /// Which bits of a word a narrow integer is made of.
        narrow: NarrowBits,
        /// How words become a fraction.
        unit: KeyUnit,
        /// How it gets into the range.
        scale: KeyScale,
        /// Where a 16-bit type is rounded.
        half_steps: KeyHalfSteps,
        /// How its bounds are.
        bounds: KeyBounds,
        /// Which bounds are accepted.
        ranges: KeyRanges,
        /// What happens at high.
        at_high: AtHigh,
        /// What the whole range gives.
        whole: WholeRange,
        /// Which ranges are refused.
        limit: RangeLimit,
        /// How a word is reduced.
        reduction: KeyReduction,
        /// Whether high can be drawn as an integer.
        maximum: MaximumBound,
        /// What a low bound that is left out is.
        left_out: LeftOut,
        /// What a high bound that is left out is.
        left_out_high: LeftOutHigh,
    }
}

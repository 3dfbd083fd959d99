//! The keys of PyTorch's `torch.func._random`.

use super::{KeyJoin, question, subject};

question! {
    /// What the words of a key are.
    KeyRoles {
        /// Seed and offset.
        #[default]
        SeedOffset = "seed, offset",
        /// Offset and seed.
        OffsetSeed = "offset, seed",
        /// Seed and offset, but each key of a batch begins one number after the key before it, not two.
        Overlapping = "seed, offset, from each number on",
    }
}

question! {
    /// Where the offset stands in the counter.
    OffsetPlace {
        /// In its low half, with the number of the block.
        #[default]
        Low = "low half",
        /// In its high half, above the number of the block: a subsequence of cuRAND.
        High = "high half",
        /// In the low half, a quarter of it: it was taken for a number of words.
        Quarter = "a quarter in the low half",
    }
}

question! {
    /// Where the carry of the offset goes.
    OffsetCarry {
        #[default]
        Lost = "nowhere",
        /// Into the counter's high half.
        IntoHigh = "into the high half",
    }
}

question! {
    /// How a number is folded into a key.
    Fold {
        #[default]
        Block = "as the number of the block",
        InPlace = "in place of the offset",
        /// In the counter's high half.
        HighHalf = "in the high half",
        /// Mixed with the offset by exclusive or.
        Mixed = "mixed with the offset",
        /// Added to the seed.
        AddedToSeed = "added to the seed",
        /// Added to both numbers of the key, and no block is drawn.
        AddedToBoth = "added to seed and offset, without a block",
        /// Added to the offset of the key that zero makes.
        Counted = "added to the offset of the key that zero makes",
    }
}

question! {
    /// How many bits of a folded number arrive.
    FoldedBits {
        /// All 64.
        #[default]
        All = "64 bits",
        /// The low 32.
        Low32 = "low 32 bits",
    }
}

question! {
    /// What a negative number to fold is.
    NegativeData {
        /// The number modulo 2^64.
        #[default]
        Modulo = "modulo 2^64",
        Refused = "refused",
    }
}

question! {
    /// Which words make a derived key.
    DerivedWords {
        /// The low word of each half first.
        #[default]
        LowFirst = "low first",
        /// The high word of each half first.
        HighFirst = "high first",
        /// The offset's before the seed's.
        OffsetFirst = "the offset's first",
        /// The offset is zero.
        OffsetZero = "the seed's alone",
    }
}

question! {
    /// The number of the first key of a split.
    SplitStart {
        /// Zero.
        #[default]
        Zero = "0",
        /// One.
        One = "1",
    }
}

question! {
    /// How the splits of a batch of keys are numbered.
    SplitNumbers {
        #[default]
        EachKey = "for each key",
        Through = "through all keys",
    }
}

question! {
    /// Which key of a batch another key is derived from.
    DerivedFrom {
        #[default]
        Own = "each",
        First = "the first",
    }
}

question! {
    /// Where the extent of the splits stands.
    SplitAxis {
        /// Before those of the batch.
        #[default]
        First = "first",
        /// After those of the batch.
        AfterBatch = "after the batch",
    }
}

question! {
    /// Which elements a key of a batch fills.
    BatchFill {
        /// The trailing extents in which the batch has 1.
        #[default]
        TrailingOnes = "trailing extents of 1",
        /// One; any extent of 1 repeats it.
        OneEach = "one, repeated",
        /// The trailing extents of 1, and its further numbers for one before them.
        Further = "further numbers for extents of 1",
        FirstKey = "all by the first key",
        /// As many as ever, each key's drawn by the first one instead.
        FirstKeyAgain = "trailing extents of 1, each by the first key",
        /// Each element in turn, whatever the extents.
        InTurn = "one element each, in turn",
        /// The elements that are its own, at their places in the stream of the whole output.
        OwnPlaces = "at the places of the whole output",
    }
}

subject! {
    /// The keys of `torch.func._random`.
    PhiloxKeys as "torch.keys" {
        /// What the words of a key are.
        roles: KeyRoles,
        /// Where the offset stands.
        offset: OffsetPlace,
        /// Where its carry goes.
        carry: OffsetCarry,
        /// How a number is folded in.
        fold: Fold,
        /// How many of its bits arrive.
        folded_bits: FoldedBits,
        /// What a negative one is.
        negative: NegativeData,
        /// Which words make a key.
        derived: DerivedWords,
        /// How they are joined.
        joined: KeyJoin,
        /// Which key of a batch it is derived from.
        derived_from: DerivedFrom,
        /// The number of the first split.
        split_start: SplitStart,
        /// How they are numbered.
        split_numbers: SplitNumbers,
        /// Where the extent of the splits stands.
        split_axis: SplitAxis,
        /// Which elements a key fills.
        batch: BatchFill,
    }
}

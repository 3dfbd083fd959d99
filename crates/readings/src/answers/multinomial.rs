//! Multinomial-13.

use super::{Allowed, SIZE, question, subject};

question! {
    /// What type the distribution function is computed in.
    CdfType {
        #[default]
        F64 = "f64",
        /// That of probs. OpenVINO's reference.
        OfProbs = "that of probs",
        /// f32, whatever probs are.
        F32 = "f32",
        /// f32 the sums, and f64 what they are divided in.
        SumsF32 = "f32 sums, divided in f64",
        SumsF16 = "f16 sums, divided in f64",
        /// bf16 for bf16, else f32. The OpenVINO CPU plugin.
        Plugin = "bf16 or f32",
        /// bf16 for bf16, f16 for f16 and f32. The OpenVINO CPU plugin with a precision hint of f16.
        PluginF16 = "bf16 or f16",
    }
}

question! {
    /// How f16 and bf16 are rounded.
    CdfRounding {
        /// To nearest, ties to even.
        #[default]
        NearestEven = "nearest even",
        /// With OpenVINO's two defects.
        OpenVino = "OpenVINO's",
    }
}

question! {
    /// What log_probs does to the input.
    Exponent {
        /// e^x, rounded to the type of the distribution function.
        #[default]
        Rounded = "e^x, rounded",
        /// e^x in f32, not rounded before it is summed. The OpenVINO CPU plugin.
        Unrounded = "e^x, rounded with the sum",
        /// e^x, rounded to the type of probs.
        OfProbs = "e^x, rounded to the type of probs",
        /// e^(x - max): no overflow.
        LessMaximum = "e^(x - max)",
        /// e^(x - max) over the finite ones, of which alone the maximum is taken; others weigh nothing. ONNX Runtime.
        LessFinite = "e^(x - max) of the finite",
        Two = "2^x",
        /// Of a logarithm above zero, 1.
        Clamped = "e^min(x, 0)",
        /// Nothing: the attribute is ignored.
        Ignored = "x",
    }
}

question! {
    /// What the bits of 16-bit probabilities are read as.
    HalfRead {
        #[default]
        Own = "their own type",
        Bf16AsF16 = "f16, where they are bf16",
        F16AsBf16 = "bf16, where they are f16",
    }
}

question! {
    /// The weights of a row.
    RowWeights {
        #[default]
        Own = "its own",
        First = "those of the first row",
        /// Those from the row's number times the number of samples on. Past the end of all of them is the last one.
        BySamples = "those at its number times num_samples",
        /// The sum of each class over all rows.
        Batch = "those of all rows",
    }
}

question! {
    /// In which order classes are searched.
    ClassOrder {
        #[default]
        Given = "as given",
        Descending = "the most probable first",
        /// And the place in that order is returned.
        DescendingPlaces = "the most probable first, and the place is returned",
    }
}

question! {
    /// The sum of a class.
    SumOf {
        #[default]
        Inclusive = "with the class",
        Exclusive = "without the class",
        /// The sums begin again after every `size` classes: vectors are summed up, and none adds the one before it.
        Restarted(size: SIZE) = "of its vector alone",
        /// To the sums of a vector that of the vector before is added, and not those of all before it.
        Before(size: SIZE) = "of its vector and the one before",
    }
}

question! {
    /// In which order the samples of a row are stored.
    SampleOrder {
        #[default]
        Drawn = "as drawn",
        Ascending = "ascending",
        Reversed = "the last first",
        /// With replacement, the search for a class begins at that of the sample before.
        NeverLess = "as drawn, none less than the one before",
    }
}

question! {
    /// What the index of a class counts.
    IndexIn {
        #[default]
        Classes = "classes",
        /// Without replacement, those that were left.
        Left = "classes that are left",
        /// The same, those of weight zero counted too, which are never drawn.
        LeftOrZero = "classes that are left, or have weight zero",
        /// The elements of all rows.
        Batch = "elements of the batch",
    }
}

question! {
    /// What the sums are divided by.
    Normalize {
        #[default]
        ByLast = "the last",
        /// The last, but no less than the smallest number that `numeric_limits::min` names. The OpenVINO CPU
        /// plugin.
        ByLastFloored = "the last, floored",
        Never = "nothing",
        /// Nothing: the draws are multiplied by the last. ONNX Runtime.
        DrawsByLast = "nothing, the draws are multiplied by the last",
        ByCount = "the number of classes",
        /// The last one of another row.
        ByFirstRow = "the last of the first row",
        ByGreatest = "the greatest last of all rows",
        /// The last one and a small number, which keeps weights of zero from a division by zero: 10 to a negative power.
        Raised(power: Allowed::Numbers(1..=30)) = "the last and a small number",
        /// They are multiplied by the last one's reciprocal.
        Reciprocal = "the last, by its reciprocal",
    }
}

question! {
    /// Where the draws come from.
    Draws {
        /// RandomUniform-8's f64 stream, TENSORFLOW alignment.
        #[default]
        F64 = "f64 Philox",
        /// RandomUniform-8's stream of the type of probs, TENSORFLOW alignment. OpenVINO's reference.
        OfProbs = "Philox of the type of probs",
        /// RandomUniform-8's f32 stream.
        F32 = "f32 Philox",
        /// RandomUniform-8's f64 stream, and draws that are given, rounded to f32.
        ThroughF32 = "f64 Philox, rounded to f32",
        /// A word each of the same stream, over 2^32.
        OneWord = "a word over 2^32",
        /// RandomUniform-8's f64 stream, PYTORCH alignment.
        Mt = "f64 Mersenne Twister",
        /// `std::mt19937` over `std::seed_seq` of both seeds' low words; a word over 2^32 in f32, 1 included.
        /// The OpenVINO CPU plugin.
        SeedSeq = "mt19937 over seed_seq",
    }
}

question! {
    /// Which draw belongs to which sample.
    DrawOrder {
        #[default]
        RowMajor = "row by row",
        ColumnMajor = "sample by sample",
        Reversed = "the last first",
        /// Every row takes the same draws.
        RowsRepeat = "the same for every row",
        /// Every row begins with a new block.
        RowsStartBlock = "every row begins a block",
        /// Every row begins at its number times the number of classes.
        RowsByClasses = "every row begins at its number times the classes",
        /// Every row begins a block later for each four draws of the rows before, whatever a block has of them.
        RowsByFour = "every row begins a block for each four draws of those before",
        /// Without replacement, every sample of a row takes the row's first one.
        RowFirst = "without replacement, the row's first",
        /// Every row has a seed of its own, by its number more.
        RowsSeeded = "every row begins at op_seed and its number",
    }
}

question! {
    /// Which class a draw selects.
    Select {
        /// The first whose sum is not below the draw.
        #[default]
        AtMost = "u <= c",
        /// The first whose sum is above the draw.
        Below = "u < c",
        /// The first whose sum is not above the draw: the letter of Multinomial-13.
        Letter = "c <= u",
        /// The last k with `u <= c_k` and `u > c_(k-1)`. The OpenVINO CPU plugin.
        LastInterval = "c_(k-1) < u <= c_k, the last such",
    }
}

question! {
    /// Which classes are passed over whatever the draw.
    Excluded {
        /// Those of weight zero and those already drawn.
        #[default]
        ZeroAndDrawn = "zero and drawn",
        /// Those already drawn.
        Drawn = "drawn",
        /// Those of weight zero.
        Zero = "zero",
        /// Those of weight zero and the one drawn last; each draw begins with the sums of all classes.
        ZeroAndLast = "zero and drawn last",
        /// None. OpenVINO.
        None = "none",
    }
}

question! {
    /// What becomes of the flags of drawn classes at the end of a row.
    DrawnFlags {
        #[default]
        Cleared = "they are cleared",
        /// A class that a row draws is drawn in no later row.
        Kept = "the next row has them",
    }
}

question! {
    /// What takes the place of a class that was drawn without replacement.
    TakenBy {
        #[default]
        Nothing = "nothing",
        /// The last class that is left.
        Last = "the last class",
    }
}

question! {
    /// What a draw selects that no sum reaches.
    NoMatch {
        /// The last class that is not excluded.
        #[default]
        LastLeft = "the last that is left",
        /// Class 0, and without replacement what lies past the row. OpenVINO's reference.
        ZeroThenPastRow = "0, then past the row",
        /// Nothing is written. The OpenVINO CPU plugin.
        Unwritten = "nothing is written",
        Count = "the number of classes",
    }
}

question! {
    /// What is subtracted from the sums after a draw without replacement.
    Lowered {
        /// The class's current share, from the class on.
        #[default]
        Current = "the current share",
        /// The input's value for the class.
        Input = "the input's value",
        /// The class's share before the first draw.
        Original = "the original share",
        /// The current share, from the class after.
        AfterClass = "the current share, after the class",
        Nothing = "nothing",
    }
}

question! {
    /// What the lowered sums are divided by.
    Divisor {
        #[default]
        Last = "the last that results",
        /// 1 less the class's share. OpenVINO.
        OneLessShare = "1 - p",
        Nothing = "nothing",
        /// The class's share.
        Share = "p",
    }
}

question! {
    /// What with_replacement means.
    Replacement {
        /// What it says.
        #[default]
        AsSaid = "as said",
        /// The opposite. OpenVINO's draft of 2023.
        Inverted = "inverted",
        /// Nothing: always with replacement.
        Always = "always with replacement",
        /// A class is removed from the first row, whichever row it is drawn for.
        FirstRow = "as said, of the first row alone",
    }
}

question! {
    /// The number of the first class.
    FirstIndex {
        #[default]
        Zero = "0",
        One = "1",
    }
}

subject! {
    /// Multinomial-13.
    Multinomial as "multinomial" {
        /// The type of the distribution function.
        cdf: CdfType,
        /// How 16-bit types are rounded.
        rounding: CdfRounding,
        /// What log_probs does.
        exponent: Exponent,
        /// What 16-bit probabilities are read as.
        half: HalfRead,
        /// The weights of a row.
        weights: RowWeights,
        /// In which order classes are searched.
        classes: ClassOrder,
        /// The sum of a class.
        sum: SumOf,
        /// What the sums are divided by.
        normalize: Normalize,
        /// Where the draws come from.
        draws: Draws,
        /// Which draw belongs to which sample.
        draw_order: DrawOrder,
        /// Which class a draw selects.
        select: Select,
        /// Which classes are passed over.
        excluded: Excluded,
        /// What becomes of the flags of drawn ones.
        flags: DrawnFlags,
        /// What takes the place of a drawn class.
        taken_by: TakenBy,
        /// What a draw selects that nothing reaches.
        no_match: NoMatch,
        /// What is subtracted after a draw.
        lowered: Lowered,
        /// What the lowered sums are divided by.
        divisor: Divisor,
        /// What with_replacement means.
        replacement: Replacement,
        /// In which order samples are stored.
        sample_order: SampleOrder,
        /// What an index counts.
        index: IndexIn,
        /// The number of the first class.
        first_index: FirstIndex,
    }
}

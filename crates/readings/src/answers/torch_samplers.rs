//! PyTorch's samplers, and how searches and shuffles select.

use super::{HighWord, Precision, question, subject};

question! {
    /// Where a search in sums ends.
    Bound {
        /// At the first sum that is not less than the number.
        #[default]
        Lower = "not less",
        /// At the first that is greater.
        Upper = "greater",
    }
}

question! {
    /// What sums of weights are divided by.
    SumsOver {
        /// The last, which becomes 1.
        #[default]
        Last = "the last",
        /// Nothing: the number drawn is multiplied by the last.
        Nothing = "nothing",
    }
}

question! {
    /// The type of sums of weights.
    SumsIn {
        /// f32, but f64 for weights of f64.
        #[default]
        F32 = "f32",
        F64 = "f64",
    }
}

question! {
    /// How one sample with replacement is drawn.
    OneSample {
        /// As samples without replacement are.
        #[default]
        Race = "by the race",
        Search = "by the search",
    }
}

question! {
    /// In which order samples without replacement come.
    RaceOrder {
        #[default]
        Greatest = "the greatest first",
        Least = "the least first",
    }
}

question! {
    /// How noise and a weight make a score.
    RaceScore {
        #[default]
        Quotient = "the weight over the noise",
        Product = "the weight times the noise",
        /// A sum as Gumbel's, in which the logarithm of the weight is forgotten.
        WeightLessLogarithm = "the weight less the logarithm of the noise",
    }
}

question! {
    /// The noise of rows after the first.
    RowNoise {
        #[default]
        Own = "of its own",
        Shared = "that of the first row",
    }
}

question! {
    /// In which order samples with replacement take numbers.
    SamplesBy {
        #[default]
        Rows = "row by row",
        Samples = "sample by sample",
        /// Every row takes those of the first one.
        Repeated = "the same for every row",
    }
}

question! {
    /// Where the search for a sample with replacement begins.
    SearchFrom {
        #[default]
        First = "at the first class",
        /// So that no sample of a row is less than one before it.
        Previous = "at the class of the sample before",
    }
}

question! {
    /// Where a shuffle begins.
    ShuffleFrom {
        #[default]
        Start = "the first",
        End = "the last",
    }
}

question! {
    /// What a word is reduced to in a shuffle.
    ShuffleRange {
        /// The places that are left.
        #[default]
        Left = "the places left",
        /// All, so that some permutations are more probable.
        All = "all places",
        /// All that are left but the element's own, by which Sattolo's algorithm draws cycles.
        Others = "the places left after it",
        /// The last is never drawn: one too many is subtracted.
        ButLast = "the places left but the last",
    }
}

question! {
    /// What one exchange takes.
    ShuffleWord {
        #[default]
        One = "one word",
        Two = "two words, the low one first",
        /// PyTorch's `random64`.
        TwoHighFirst = "two words, the high one first",
        /// The low 31 bits of a word.
        Bits31 = "31 bits of a word",
        Upper31 = "the upper 31 bits of a word",
        /// One word, but the first is not used.
        Later = "one word, from the second on",
    }
}

question! {
    /// How a shuffle puts elements in an order.
    ShuffleBy {
        #[default]
        Exchanges = "exchanges",
        /// Each element has a word, and equal words keep their order.
        Sorting = "sorting by a word each",
        /// Each element in turn takes a place among those before it, whose element moves to the end.
        InsideOut = "exchanges from the inside out",
    }
}

question! {
    /// How a word is brought below the number of places.
    ShuffleReduction {
        #[default]
        Remainder = "the remainder",
        /// The word times the number of places, over 2^32.
        Product = "the upper half of the product",
        /// The highest bits where that number is a power of two, and else the remainder.
        TopOfPower = "the top bits for a power of two",
    }
}

question! {
    /// What a shuffle of indices is read as.
    ShuffleOrder {
        /// Place by place, the index of what moves there.
        #[default]
        Sources = "where each element comes from",
        /// The inverse permutation.
        Targets = "where each element goes",
    }
}

subject! {
    /// Selections by searches, races and shuffles.
    Selection as "selection" {
        /// Where a search begins.
        search_from: SearchFrom,
        /// Where a search ends.
        bound: Bound,
        /// What sums are divided by.
        over: SumsOver,
        /// The type of sums.
        sums: SumsIn,
        /// How one sample is drawn.
        one: OneSample,
        /// In which order samples come.
        order: RaceOrder,
        /// What a score is.
        score: RaceScore,
        /// The noise of rows.
        noise: RowNoise,
        /// The order of the samples of several rows.
        samples: SamplesBy,
        /// Where a shuffle begins.
        from: ShuffleFrom,
        /// What a word is reduced to.
        range: ShuffleRange,
        /// What one exchange takes.
        word: ShuffleWord,
        /// How elements are put in an order.
        by: ShuffleBy,
        /// How a word is reduced to it.
        reduction: ShuffleReduction,
        /// What the shuffled indices say.
        places: ShuffleOrder,
    }
}

question! {
    /// How many bits the numbers have that PyTorch compares with a scalar probability.
    MaskDigits {
        #[default]
        Wide = "53, of two words",
        Narrow = "24, of one word",
    }
}

question! {
    /// When a Bernoulli element of PyTorch is one.
    TorchSuccess {
        #[default]
        Less = "u < p",
        LessOrEqual = "u <= p",
        Greater = "u > p",
        /// It has the right probability, and takes the numbers from the other end.
        FromComplement = "u >= 1 - p",
    }
}

question! {
    /// With which probability dropout keeps an element.
    KeptWith {
        #[default]
        Complement = "1 - p",
        P = "p",
        /// Where the number is at least p, which has the same probability.
        FromP = "1 - p, where the number is at least p",
    }
}

question! {
    /// How what dropout keeps is scaled.
    KeptScale {
        /// By the quotient of 1 and 1 - p, rounded to the type.
        #[default]
        Quotient = "by 1 / (1 - p), rounded",
        /// It is divided after the product with the mask.
        Divided = "divided by 1 - p",
        OverP = "by 1 / p",
        Nothing = "not at all",
    }
}

question! {
    /// The argument of the logarithm that makes an exponential.
    LogarithmOf {
        #[default]
        Complement = "1 - u",
        Itself = "u",
    }
}

question! {
    /// The 53 bits of two words that a number is made of.
    MaskBits {
        #[default]
        Low = "the low bits",
        Top = "the top bits",
    }
}

question! {
    /// Where the second of two words stands.
    MaskPairs {
        #[default]
        Neighbours = "behind the first",
        /// The first words of all numbers of a call come first.
        Planes = "behind the first words of all",
    }
}

question! {
    /// The type of the rate.
    RateIn {
        #[default]
        F64 = "f64",
        OfOutput = "that of the output",
    }
}

question! {
    /// What the rate of exponentials does.
    RateOf {
        #[default]
        Divides = "it divides",
        Multiplies = "it multiplies",
    }
}

question! {
    /// The type to which the number is rounded that an element is compared by.
    NumberIn {
        #[default]
        Own = "its own",
        OfTensor = "that of the tensor",
    }
}

question! {
    /// What dropout makes of an element that it drops.
    DroppedTo {
        /// The product with zero, which keeps a sign and a NaN.
        #[default]
        Product = "its product with zero",
        Zero = "zero",
    }
}

question! {
    /// What one number of dropout decides about.
    DroppedUnit {
        #[default]
        Element = "an element",
        /// What one index of the first two extents selects, by the number of its place.
        Channel = "a channel",
    }
}

subject! {
    /// PyTorch's masks and exponentials.
    TorchMasks as "torch.masks" {
        /// How many bits numbers have.
        digits: MaskDigits,
        /// Where the second of two words stands.
        pairs: MaskPairs,
        /// Which bits of two words they are.
        bits: MaskBits,
        /// Which of two words is the high one.
        words: HighWord,
        /// The type of a probability.
        probability: Precision,
        /// The type of a number that a tensor's probability is compared with.
        number_in: NumberIn,
        /// The type of a number that one probability is compared with.
        one_number_in: NumberIn,
        /// When an element is one.
        success: TorchSuccess,
        /// With which probability an element is kept.
        kept: KeptWith,
        /// How it is scaled.
        scale: KeptScale,
        /// What an element becomes that is not kept.
        dropped: DroppedTo,
        /// What elements become where p is 1, which is asked before anything is drawn.
        all_dropped: DroppedTo,
        /// What a number decides about.
        unit: DroppedUnit,
        /// Of what an exponential is the logarithm.
        logarithm: LogarithmOf,
        /// The logarithm's type.
        exponential: Precision,
        /// What its rate does.
        rate: RateOf,
        /// The type of the rate.
        rate_in: RateIn,
    }
}

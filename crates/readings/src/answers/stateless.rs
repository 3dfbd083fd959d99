//! TensorFlow's stateless ops.

use super::{Allowed, CONSTANT, KeyJoin, WordOrder, question, subject};

question! {
    /// Which halves of the counter arrive.
    CounterUse {
        #[default]
        Both = "both",
        /// The low one; the high one is zero.
        LowAlone = "the low one",
        /// Both, of the low one its low word alone.
        LowCut = "both, the low one without its high word",
        /// Both, of the high one its low word alone.
        HighCut = "both, the high one without its high word",
        /// None: every stream begins at zero.
        Neither = "neither",
    }
}

question! {
    /// What ThreeFry does.
    ThreeFryAlgorithm {
        /// It is refused.
        #[default]
        Refused = "refused",
        /// It draws as StableHLO's THREE_FRY from key and counter's low half. XLA.
        Drawn = "as StableHLO's THREE_FRY",
        Philox = "it is Philox",
    }
}

question! {
    /// What the algorithm `auto` is.
    AutoAlgorithm {
        #[default]
        Philox = "Philox",
        ThreeFry = "ThreeFry",
        Refused = "refused",
    }
}

question! {
    /// What is looked at where there is nothing to draw.
    NothingToDraw {
        #[default]
        NotLookedAt = "neither algorithm nor range",
        /// The algorithm. XLA.
        Algorithm = "the algorithm",
        /// Both.
        Both = "algorithm and range",
    }
}

question! {
    /// What a range is whose minval is not less than its maxval.
    EmptyRange {
        #[default]
        Refused = "refused",
        /// The range modulo the type's width; of zero every word is added to minval. XLA.
        Wraps = "wraps",
        Minimum = "minval",
    }
}

question! {
    /// How long the counter must be.
    CounterLength {
        #[default]
        Two = "two or more",
        /// As long as the algorithm's number; one element for Philox is read with what lies behind it. TensorFlow.
        ByNumber = "the algorithm's number or more",
        /// Two or more for Philox, one or more for ThreeFry. XLA.
        ByAlgorithm = "two or more for Philox, one or more for ThreeFry",
        TwoAlone = "two",
    }
}

question! {
    /// Whether integers in a range may be unsigned.
    UnsignedRange {
        /// They may, and go as their signed sisters.
        #[default]
        AsSigned = "as signed",
        /// There is no kernel. TensorFlow.
        NoKernel = "no kernel",
    }
}

question! {
    /// Which bits an integer of all bits has.
    FullBits {
        #[default]
        All = "all",
        WithoutSign = "all but the sign",
        /// Of two words the second is not widened before its shift by 32, and or-ed to the first.
        Ored = "two words or-ed to one",
    }
}

question! {
    /// How many words an integer of all bits takes.
    FullWords {
        #[default]
        Own = "as many as it has",
        One = "one",
    }
}

question! {
    /// How many bits of a seed's numbers arrive.
    SeedBits {
        /// All 64, a narrow one sign-extended.
        #[default]
        All = "64 bits",
        /// The low 32. XLA.
        Low32 = "low 32 bits",
        /// The low 32, as a signed number that is widened.
        Signed32 = "low 32 bits, sign-extended",
        /// All 64, a narrow one extended by zeros.
        ZeroExtended = "64 bits, extended by zeros",
        /// The absolute value.
        Absolute = "the absolute value",
    }
}

question! {
    /// In which order the seed's numbers are scrambled.
    SeedOrder {
        /// The first is the low half of the block's counter.
        #[default]
        FirstLow = "the first is the low half",
        /// The second is.
        SecondLow = "the second is the low half",
        /// The low 32 bits of both make the low half, those of the second the upper ones of it.
        Packed = "32 bits of each in the low half",
        /// The digits of a number are the words of both in the order in which the counter has them: 1 and 2 are the low and the
        /// high word of the first, 3 and 4 those of the second.
        Words(order: Allowed::Numbers(1234..=4321)) = "their words in another order",
    }
}

question! {
    /// The key that scrambles a seed.
    ScrambleKey {
        #[default]
        Usual = "02461e293ec8f720",
        /// Its halves exchanged.
        Exchanged = "3ec8f72002461e29",
        /// Another number in place of its high half, 02461e29.
        High(constant: CONSTANT) = "another for 02461e29",
        /// Another number in place of its low half, 3ec8f720.
        Low(constant: CONSTANT) = "another for 3ec8f720",
    }
}

question! {
    /// Which words of the block are what.
    Scrambled {
        /// The first two the key, the last two the counter's high half.
        #[default]
        KeyThenHigh = "key, high half of the counter",
        /// The last two the key.
        HighThenKey = "high half of the counter, key",
        /// The last two the counter's low half.
        KeyThenLow = "key, low half of the counter",
        /// None: the seed's two numbers are key and high half of the counter themselves.
        SeedThenHigh = "none; the seed is key and high half",
        /// None: they are key and low half of the counter.
        SeedThenLow = "none; the seed is key and low half",
    }
}

subject! {
    /// TensorFlow's stateless ops.
    Stateless as "tensorflow.stateless" {
        /// The order of the key's words.
        key_order: WordOrder,
        /// The order of the counter's halves.
        counter_order: WordOrder,
        /// Which of them arrive.
        counter: CounterUse,
        /// How long the counter must be.
        counter_length: CounterLength,
        /// What ThreeFry does.
        three_fry: ThreeFryAlgorithm,
        /// What `auto` is.
        auto: AutoAlgorithm,
        /// What is looked at where there is nothing to draw.
        empty_output: NothingToDraw,
        /// What an empty range is.
        empty_range: EmptyRange,
        /// Whether integers in a range may be unsigned.
        unsigned: UnsignedRange,
        /// Which bits an integer of all bits has.
        full_bits: FullBits,
        /// How many words it takes.
        full_words: FullWords,
        /// Which of two words is its low one.
        full_order: WordOrder,
        /// How many bits of a seed arrive.
        seed_bits: SeedBits,
        /// In which order they are scrambled.
        seed_order: SeedOrder,
        /// The key that they are scrambled by.
        scramble_key: ScrambleKey,
        /// Which words of the block are what.
        scrambled: Scrambled,
        /// How they are joined.
        joined: KeyJoin,
    }
}

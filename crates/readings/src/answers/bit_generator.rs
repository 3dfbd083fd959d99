//! StableHLO's rng_bit_generator.

use super::{WordOrder, question, subject};

question! {
    /// Which generator DEFAULT is.
    DefaultAlgorithm {
        #[default]
        Philox = "PHILOX",
        ThreeFry = "THREE_FRY",
    }
}

question! {
    /// What the words of the state are.
    StateRoles {
        /// The key, then the counter.
        #[default]
        KeyFirst = "key, counter",
        /// The counter, then the key.
        CounterFirst = "counter, key",
        /// The key, then the counter; written the other way round.
        CounterFirstWritten = "key, counter; written counter, key",
    }
}

question! {
    /// What the third word of a state is.
    ThirdWord {
        #[default]
        High = "the counter's high word",
        /// The counter's low word; the second is the high one.
        Low = "the counter's low word",
        /// The counter's high word where the state is read, and its low word where it is written.
        LowWritten = "the counter's high word, written as its low one",
        /// Nothing: it is handed back, and the others count as a state of two. IREE.
        Ignored = "ignored",
    }
}

question! {
    /// The high half of Philox's counter where the state has one word of it.
    HighHalf {
        #[default]
        Key = "the key",
        Zero = "zero",
    }
}

question! {
    /// What a state's one word of counter carries into the high half while blocks are drawn.
    DrawCarry {
        #[default]
        Carried = "one",
        /// Nothing. IREE.
        Lost = "nothing",
    }
}

question! {
    /// Where a carry goes in the state after the draw.
    StateCarry {
        /// From the counter's first word into its second; out of the last it is lost.
        #[default]
        WithinCounter = "within the counter",
        /// Out of a single word of counter into the key.
        IntoKey = "into the key",
        Nowhere = "nowhere",
        /// The counter grows in its low 32 bits alone.
        Within32 = "within 32 bits",
    }
}

question! {
    /// By how much the counter grows.
    StateGrowth {
        /// By the blocks that are drawn.
        #[default]
        Blocks = "blocks",
        /// By the blocks whose words are all used.
        WholeBlocks = "whole blocks",
        /// One block too many.
        OneMore = "blocks, and one",
        /// By the elements.
        Elements = "elements",
        /// By the blocks that as many elements of 32 bits take.
        NarrowBlocks = "blocks of narrow elements",
        /// By the words.
        Words = "words",
        /// By the blocks that hold as many bytes as the output.
        Bytes = "blocks of its bytes",
        /// By one.
        One = "one",
        /// Not at all.
        Nothing = "nothing",
    }
}

question! {
    /// What an output without elements draws.
    EmptyDraw {
        #[default]
        Nothing = "nothing",
        /// A block.
        OneBlock = "one block",
    }
}

question! {
    /// Which bits of a word an element of 8 or 16 bits has.
    NarrowBits {
        /// The low ones.
        #[default]
        Low = "the low bits",
        /// The high ones.
        High = "the high bits",
        /// The greatest value of the type, where the word is beyond it.
        Saturated = "the word, saturated",
        /// The nearest value of the type, where the word, signed as the type is, is beyond its values.
        SaturatedAsType = "the word with the type's sign, saturated",
        /// All, one element after the other, the low bits first.
        Packed = "all bits, in turn",
    }
}

question! {
    /// How many words an element of 64 bits takes.
    WideWords {
        #[default]
        Two = "two",
        /// One; the other is zero.
        One = "one, the other is zero",
        /// Two, of which the second is not widened before its shift by 32, and or-ed to the first.
        Ored = "two, or-ed to one",
    }
}

question! {
    /// What a floating-point element is.
    FloatOutput {
        #[default]
        Bits = "bits",
        /// The word's value, converted.
        Value = "the word's value",
        /// A number of `[0, 1)` from the high bits.
        Uniform = "a number of [0, 1)",
    }
}

question! {
    /// Which dimension THREE_FRY halves.
    HalfDimension {
        /// The first even one; if none is, the first of the greatest.
        #[default]
        FirstEven = "the first even, or the greatest",
        /// The last even one; if none is, the first of the greatest.
        LastEven = "the last even, or the greatest",
        /// The first even one; if none is, the first.
        FirstEvenOrFirst = "the first even, or the first",
        /// The first even one; if none is, the last of the greatest.
        LastGreatest = "the first even, or the last of the greatest",
        /// The greatest, even or not.
        Greatest = "the greatest",
        First = "the first",
        Last = "the last",
    }
}

question! {
    /// Where the two words of a pair lie.
    PairOrder {
        /// Beside each other along the halved dimension.
        #[default]
        Interleaved = "beside each other",
        /// In either half of the halved dimension.
        Concatenated = "in either half of the dimension",
        /// Beside each other in row-major order, whatever the shape.
        Flat = "beside each other in row-major order",
        /// In either half of the elements. JAX's own threefry2x32.
        FlatHalves = "in either half of the elements",
        /// Beside each other, the second word first.
        Reversed = "the second word first",
        /// Beside each other. Of an odd extent the first word is left out, and not the last.
        SurplusFirst = "beside each other, and none for the first word of an odd extent",
    }
}

question! {
    /// Which word THREE_FRY uses for a scalar.
    ScalarWord {
        #[default]
        First = "the first",
        Second = "the second",
    }
}

question! {
    /// How many words of state THREE_FRY takes.
    ThreeFryState {
        #[default]
        Two = "two",
        /// Two, or three of which the last is ignored. IREE.
        TwoOrThree = "two or three",
    }
}

question! {
    /// Which outputs an implementation compiles.
    Compiled {
        #[default]
        All = "all",
        /// Not f16, bf16 and f64, and not outputs without elements of THREE_FRY in several dimensions. IREE.
        NotHalvesDoublesEmpty = "not f16, bf16, f64, nor empty ones of up to 32 bits in several dimensions by THREE_FRY",
    }
}

subject! {
    /// StableHLO's rng_bit_generator.
    BitGenerator as "stablehlo" {
        /// Which generator DEFAULT is.
        default: DefaultAlgorithm,
        /// What the state's words are.
        state_roles: StateRoles,
        /// What the third word is.
        third_word: ThirdWord,
        /// How many words THREE_FRY takes.
        three_fry_state: ThreeFryState,
        /// The high half of Philox's counter.
        high_half: HighHalf,
        /// What is carried while blocks are drawn.
        draw_carry: DrawCarry,
        /// Where a carry goes in the state after the draw.
        state_carry: StateCarry,
        /// By how much the counter grows.
        growth: StateGrowth,
        /// What an output without elements draws.
        empty: EmptyDraw,
        /// Which bits a narrow element has.
        narrow: NarrowBits,
        /// How many words a wide element takes.
        wide_words: WideWords,
        /// Which of two words is the low one.
        wide_order: WordOrder,
        /// What a float is.
        floats: FloatOutput,
        /// Which dimension THREE_FRY halves.
        half_dimension: HalfDimension,
        /// Where a pair's words lie.
        pair_order: PairOrder,
        /// Which word a scalar takes.
        scalar: ScalarWord,
        /// Which outputs are compiled.
        compiled: Compiled,
    }
}

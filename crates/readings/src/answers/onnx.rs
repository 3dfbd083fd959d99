//! ONNX's generator that is named, and its generator states.

use super::{FirstWord, SeedWidth, question, subject};

question! {
    /// Which bits of a word make a number of the unit interval.
    OnnxDigits {
        #[default]
        Top = "the top ones",
        Low = "the low ones",
        /// As many as a significand stores: without the hidden one.
        Stored = "the top ones that are stored",
    }
}

question! {
    /// Which 53 bits of two words make an f64.
    OnnxDouble {
        /// 27 of the high one and 26 of the low one.
        #[default]
        Shift5And6 = "a >> 5, b >> 6",
        /// The shifts exchanged.
        Shift6And5 = "a >> 6, b >> 5",
        /// The first is not widened before it is multiplied by 2^26.
        In32 = "a >> 5, b >> 6, joined in 32 bits",
        Top = "the top 53",
    }
}

question! {
    /// Where the offset stands.
    OnnxOffset {
        /// In the counter's high half: a stream of its own.
        #[default]
        High = "high half",
        /// It counts blocks.
        Added = "added to the number of the block",
        Ignored = "nowhere",
        /// In the counter's high half, its own halves exchanged.
        Exchanged = "high half, halves exchanged",
    }
}

question! {
    /// What a negative seed is.
    OnnxSeed {
        #[default]
        Complement = "its two's complement",
        Absolute = "the number without its sign",
        Low32 = "its low 32 bits",
    }
}

question! {
    /// The high half of a seed that makes a state.
    OnnxHigh {
        #[default]
        Floor = "that of two's complement",
        /// The quotient by 2^32, rounded toward zero.
        TowardZero = "the quotient toward zero",
    }
}

question! {
    /// Which state a split begins with.
    OnnxSplitFrom {
        #[default]
        Given = "the given one",
        /// The one before.
        Before = "the one before",
    }
}

question! {
    /// How product and sum are rounded.
    OnnxScale {
        #[default]
        Separate = "apart",
        Fused = "once",
        /// Range, product and sum of a half in f32, rounded once at the end.
        HalvesAtEnd = "halves at the end",
        /// Apart, and halves are cut off by each operation.
        HalvesCut = "apart, halves cut off",
    }
}

question! {
    /// How a word of a state becomes an i64.
    OnnxWidened {
        #[default]
        Zeros = "by zeros",
        Sign = "by its sign",
    }
}

question! {
    /// How many bits of a number to split by arrive.
    OnnxData {
        #[default]
        All = "64 bits",
        Low32 = "low 32 bits",
        /// The low 32, extended by their sign.
        SignExtended = "low 32 bits, sign-extended",
        /// None: states are numbered from zero.
        Ignored = "none",
    }
}

subject! {
    /// ONNX's random generation.
    OnnxPrng as "onnx" {
        /// Which bits of a word make a number.
        digits: OnnxDigits,
        /// Which of two words of an f64 is the high one.
        wide: FirstWord,
        /// Which of their bits make it.
        double: OnnxDouble,
        /// Where the offset stands.
        offset: OnnxOffset,
        /// How many of its bits arrive.
        offset_bits: SeedWidth,
        /// What a negative seed is.
        seed: OnnxSeed,
        /// How product and sum are rounded.
        scale: OnnxScale,
        /// The high half of a seed that makes a state.
        high: OnnxHigh,
        /// Which state a split begins with.
        split_from: OnnxSplitFrom,
        /// Which half of a seed is the first word of a state.
        state: FirstWord,
        /// How its words become i64.
        widened: OnnxWidened,
        /// Which word of a counter is its high half.
        counter: FirstWord,
        /// How many bits of a number arrive.
        data: OnnxData,
    }
}

question! {
    /// What draws the values of ONNX's random ops where no generator is named.
    OnnxDraws {
        /// Nothing: the standard leaves them open.
        #[default]
        Open = "left open",
        /// ONNX Runtime.
        Session = "minstd_rand0, which a session goes on with",
        /// The reference evaluator of the package onnx.
        RandomState = "NumPy's RandomState, seeded in every run",
        /// OpenVINO.
        Plugin = "RandomUniform-8 and Multinomial-13",
    }
}

question! {
    /// When an element of ONNX's Bernoulli is one.
    OnnxOne {
        #[default]
        Less = "u < p",
        /// The probability is 1 - p. ONNX Runtime and OpenVINO.
        Greater = "u > p",
    }
}

subject! {
    /// ONNX's random ops without a generator that is named.
    OnnxRandom as "onnx.random" {
        /// What draws the values.
        draws: OnnxDraws,
        /// When an element is one.
        one: OnnxOne,
    }
}

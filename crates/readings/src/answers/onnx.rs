//! ONNX's generator that is named, and its generator states.

use super::{FirstWord, question, subject};

question! {
    /// Which bits of a word make a number of the unit interval.
    OnnxDigits {
        #[default]
        Top = "the top ones",
        Low = "the low ones",
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
    /// How product and sum are rounded.
    OnnxScale {
        #[default]
        Separate = "apart",
        Fused = "once",
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
    }
}

subject! {
    /// ONNX's random generation.
    OnnxPrng as "onnx" {
        /// Which bits of a word make a number.
        digits: OnnxDigits,
        /// Which of two words of an f64 is the high one.
        wide: FirstWord,
        /// Where the offset stands.
        offset: OnnxOffset,
        /// What a negative seed is.
        seed: OnnxSeed,
        /// How product and sum are rounded.
        scale: OnnxScale,
        /// Which half of a seed is the first word of a state.
        state: FirstWord,
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

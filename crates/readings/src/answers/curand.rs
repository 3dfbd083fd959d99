//! cuRAND's Philox: whose turn it is, and how words become numbers.

use super::{Allowed, question, subject};

question! {
    /// Which words are an output.
    Turns {
        /// 65,536 subsequences of the counter's high half make four outputs in turn.
        #[default]
        Subsequences = "65,536 subsequences",
        /// Other numbers of them, a power of two.
        Fewer(bits: Allowed::Numbers(1..=24)) = "subsequences",
        /// One after another, as a single device generator draws them.
        One = "one subsequence",
    }
}

question! {
    /// What an offset counts.
    OffsetOf {
        #[default]
        Outputs = "outputs",
        /// Blocks of the counter, as many frameworks' offsets do.
        Blocks = "blocks",
        /// Outputs, of which the part of a block is dropped.
        WholeBlocks = "whole blocks of outputs",
        /// Outputs, of which 32 bits are kept.
        Low32 = "outputs, modulo 2^32",
        /// Outputs of each subsequence, as `curand_init` of a thread skips them.
        EachSubsequence = "outputs of each subsequence",
        /// The same, of which the part of a block is dropped.
        BlocksOfEach = "whole blocks of outputs of each subsequence",
    }
}

question! {
    /// Where a subsequence stands in the counter.
    SubsequenceIn {
        #[default]
        High = "the high half",
        Low = "the low half",
    }
}

question! {
    /// The blocks that a turn takes where an element has two words.
    SkippedTurns {
        /// A turn that the offset skips takes one block, a turn that is drawn two.
        #[default]
        OneBlock = "one block if it is skipped",
        TwoBlocks = "two blocks always",
    }
}

question! {
    /// How a 32-bit word becomes an f32.
    CurandUnit {
        /// (0, 1].
        #[default]
        HalfAbove = "2^-32 and half a step",
        /// [0, 1), as many frameworks draw.
        Digits = "the upper 24 bits",
    }
}

question! {
    /// Which 53 bits of two words are an f64.
    CurandDouble {
        #[default]
        Mixed = "the first, exclusive-or the second shifted by 21",
        /// The second is not widened before it is shifted.
        MixedIn32 = "the first, exclusive-or the second shifted by 21 in 32 bits",
        /// The top 53 bits of 64, the first word high.
        FirstHigh = "the top bits, the first word high",
    }
}

question! {
    /// How often an angle is rounded.
    CurandAngle {
        /// Product and sum, each by itself, as compilers of hosts do.
        #[default]
        Twice = "product and sum",
        /// Once: a device fuses them.
        Once = "fused",
    }
}

subject! {
    /// cuRAND's Philox4_32_10.
    Curand as "curand" {
        /// Which words are an output.
        turns: Turns,
        /// Where its subsequence stands.
        subsequence: SubsequenceIn,
        /// What an offset counts.
        offset: OffsetOf,
        /// The blocks of turns that are skipped.
        skipped: SkippedTurns,
        /// How a word becomes an f32.
        unit: CurandUnit,
        /// How two words become an f64.
        double: CurandDouble,
        /// How angles are made.
        angle: CurandAngle,
    }
}

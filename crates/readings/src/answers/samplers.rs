//! Samplers: how words become numbers, and what selects an element.

use super::{WordOrder, question, subject};

question! {
    /// Which blocks of a hash come first.
    HashOrder {
        #[default]
        PositionFirst = "position, then token",
        TokenFirst = "token, then position",
    }
}

question! {
    /// What a hash has of the seed.
    HashSeed {
        /// The low half, then the high one.
        #[default]
        Both = "both halves",
        HighFirst = "both halves, the high one first",
        Low = "the low half alone",
    }
}

question! {
    /// Whether something is mixed in.
    Mixed {
        #[default]
        In = "mixed in",
        Forgotten = "forgotten",
    }
}

subject! {
    /// The hash of servers' samplers.
    Murmur as "murmur" {
        /// Which blocks come first.
        order: HashOrder,
        /// What it has of the seed.
        seed: HashSeed,
        /// Whether the position is mixed in.
        position: Mixed,
        /// Whether the length is.
        length: Mixed,
    }
}

question! {
    /// Which number of the unit interval a word makes.
    HashUnit {
        /// Its midpoint, rounded once.
        #[default]
        Midpoint = "all 32 bits and one half",
        Top24 = "the 24 top bits and one half",
        /// The word over 2^32.
        Begin = "all 32 bits",
    }
}

question! {
    /// How many hashes make an f64.
    HashWords {
        #[default]
        Two = "two",
        One = "one",
    }
}

question! {
    /// Where a proposal's noise is.
    DraftNoise {
        /// 2^30 positions further.
        #[default]
        Apart = "2^30 positions further",
        Same = "at the position itself",
    }
}

question! {
    /// What a temperature divides.
    Tempered {
        #[default]
        Logits = "the logits",
        /// Logits and noise: the temperature decides nothing.
        Nothing = "nothing that counts",
    }
}

question! {
    /// What the logarithm of 1 is in a race.
    LogOfOne {
        /// -2^-32, that of the number below it.
        #[default]
        Clamped = "-2^-32",
        /// 0: the token wins whatever its probability is.
        Zero = "0",
    }
}

subject! {
    /// Races of weights and noise.
    Race as "race" {
        /// Which number a word makes.
        unit: HashUnit,
        /// How many words make an f64.
        words: HashWords,
        /// Where a proposal's noise is.
        draft: DraftNoise,
        /// What a temperature divides.
        tempered: Tempered,
        /// What the logarithm of 1 is.
        one: LogOfOne,
    }
}

question! {
    /// How many bits of something arrive.
    Bits {
        #[default]
        All = "64 bits",
        Low32 = "low 32 bits",
    }
}

question! {
    /// How many words of a block are used.
    BlockWords {
        #[default]
        First = "the first",
        All = "all four",
    }
}

question! {
    /// What becomes of a word of 32 bits whose top bit is set.
    TopBit {
        /// All bits are inverted.
        #[default]
        Folded = "all bits are inverted",
        Cleared = "it is cleared",
    }
}

question! {
    /// How many bits of a seed are the key.
    InductorKey {
        #[default]
        Low32 = "low 32 bits",
        All = "64 bits",
    }
}

question! {
    /// How many words of a block an integer is made of.
    IntegerOf {
        #[default]
        Two = "two",
        One = "one",
    }
}

question! {
    /// What becomes of the top bit of a word of inductor's.
    InductorTop {
        #[default]
        Cleared = "it is cleared",
        /// All bits are inverted where it is set, as Triton does.
        Folded = "all bits are inverted",
    }
}

question! {
    /// The number that makes inductor's radius or angle.
    InductorNumber {
        #[default]
        Complement = "one less the number",
        Number = "the number",
    }
}

question! {
    /// Where inductor's normals are computed.
    InductorType {
        /// The logarithm in f32, everything else in double.
        #[default]
        Double = "double, of an f32 logarithm",
        Single = "f32",
        /// The logarithm too.
        AllDouble = "double",
    }
}

question! {
    /// Which function of the angle a normal of inductor's has.
    InductorPart {
        #[default]
        Cosine = "cosine",
        Sine = "sine",
    }
}

subject! {
    /// Normals of PyTorch's compiler.
    Inductor as "inductor" {
        /// What becomes of the top bit.
        top: InductorTop,
        /// The numbers that make radius and angle.
        number: InductorNumber,
        /// Where they are computed.
        kind: InductorType,
        /// Which function of the angle is taken.
        part: InductorPart,
    }
}

subject! {
    /// Triton's draws, and those of PyTorch's compiler.
    Triton as "triton" {
        /// How many bits of an offset count.
        offset: Bits,
        /// How many words of a block are used.
        words: BlockWords,
        /// What becomes of the top bit.
        top: TopBit,
        /// How many bits of inductor's seed are the key.
        key: InductorKey,
        /// How many words make inductor's integers.
        integer: IntegerOf,
        /// Which of them is the low one.
        order: WordOrder,
    }
}

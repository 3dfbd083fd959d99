//! Samplers: how words become numbers, and what selects an element.

use super::{
    Allowed, AngleTurn, CONSTANT, Precision, RadiusFactor, RadiusFrom, Reduction, UpperEnd, WordOrder,
    question, subject,
};

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
        /// The position is added to the seed instead of being hashed.
        PlusPosition = "both halves of its sum with the position",
    }
}

question! {
    /// By how many bits a block, and then the state, is rotated.
    HashRotations {
        #[default]
        Right = "15 and 13",
        Exchanged = "13 and 15",
        /// 100 times the place of the one that is wrong, counted from 1, and its bits.
        Other(number: Allowed::Numbers(101..=231)) = "one of them other bits",
    }
}

question! {
    /// The constants of a hash.
    HashConstants {
        #[default]
        Right = "the document's",
        MultipliersExchanged = "the two multipliers of a block exchanged",
        FinishExchanged = "the two multipliers of the finish exchanged",
        First(constant: CONSTANT) = "another first multiplier",
        Second(constant: CONSTANT) = "another second multiplier",
        Addend(constant: CONSTANT) = "another addend",
        FinishFirst(constant: CONSTANT) = "another first multiplier of the finish",
        FinishSecond(constant: CONSTANT) = "another second multiplier of the finish",
    }
}

question! {
    /// What is done to the state after the last block.
    HashFinish {
        #[default]
        Whole = "three shifts and two multiplications",
        /// 100 times the place of the shift that is wrong, counted from 1, and its bits.
        Shift(number: Allowed::Numbers(101..=331)) = "one of the shifts by other bits",
        WithoutLastShift = "without the last shift",
        Nothing = "nothing",
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
        /// By how many bits it is rotated.
        rotations: HashRotations,
        /// Its constants.
        constants: HashConstants,
        /// What is done at the end.
        finish: HashFinish,
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

question! {
    /// The noise of a race.
    RaceNoise {
        #[default]
        Gumbel = "-log(-log(u))",
        /// One of the two logarithms is missing.
        Exponential = "-log(u)",
        Base2 = "-log2(-log2(u))",
        Number = "u",
    }
}

question! {
    /// How many digits logits have.
    LogitDigits {
        #[default]
        F32 = "those of f32",
        Bf16 = "rounded to bf16",
        Bf16Cut = "cut to bf16",
        F16 = "rounded to f16",
    }
}

question! {
    /// By what a hash is divided to be a number of the unit interval.
    HashDivisor {
        #[default]
        Greatest = "2^32 - 1",
        Count = "2^32",
    }
}

question! {
    /// Whose seed and position make the noise of a row.
    NoiseRow {
        #[default]
        Own = "its own",
        First = "the first row's",
    }
}

subject! {
    /// Races of weights and noise.
    Race as "race" {
        /// Which number a word makes.
        unit: HashUnit,
        /// How many words make an f64.
        words: HashWords,
        /// Which row's noise it is.
        row: NoiseRow,
        /// Where a proposal's noise is.
        draft: DraftNoise,
        /// What a temperature divides.
        tempered: Tempered,
        /// What the logarithm of 1 is.
        one: LogOfOne,
        /// Which noise it is.
        noise: RaceNoise,
        /// How many digits logits have.
        logits: LogitDigits,
        /// By what a hash is divided.
        divisor: HashDivisor,
        /// The type of the logarithm.
        logarithm: Precision,
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
    /// What of an offset counts.
    TritonOffset {
        #[default]
        All = "64 bits",
        Low32 = "low 32 bits",
        /// It is taken for a number of words.
        Quarter = "a quarter",
    }
}

question! {
    /// Where the high half of a seed goes.
    SeedHigh {
        #[default]
        Key = "into the key",
        Counter = "into the third word of the counter",
    }
}

question! {
    /// How many words of a block are used.
    BlockWords {
        #[default]
        First = "the first",
        All = "all four",
        /// All four, one for each quarter of the output.
        Quarters = "all four, one for each quarter",
    }
}

question! {
    /// What becomes of a word of 32 bits whose top bit is set.
    TopBit {
        /// All bits are inverted.
        #[default]
        Folded = "all bits are inverted",
        Cleared = "it is cleared",
        Negated = "the absolute value of a signed number",
        /// The word is shifted, and its last bit lost.
        Shifted = "all bits are shifted right by one, in every word",
        /// The word is taken as it is, over 2^32.
        Whole = "it is a bit like the others",
    }
}

question! {
    /// By what Triton multiplies a folded word.
    TritonScale {
        /// 4.6566127342e-10, a little less than 2^-31.
        #[default]
        Constant = "4.6566127342e-10",
        Exact = "2^-31",
    }
}

question! {
    /// Where Triton's offset stands in the counter.
    TritonCounter {
        #[default]
        Low = "the low half",
        High = "the high half",
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
        /// The high one is not widened before its shift by 32, and or-ed to the low one.
        Ored = "two, or-ed to one",
    }
}

question! {
    /// What becomes of the top bit of a word of inductor's.
    InductorTop {
        #[default]
        Cleared = "it is cleared",
        /// All bits are inverted where it is set, as Triton does.
        Folded = "all bits are inverted",
        /// The word is shifted, and its last bit lost.
        Shifted = "all bits are shifted right by one, in every word",
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
        /// Which number makes the radius.
        from: RadiusFrom,
        /// By what the logarithm is multiplied.
        factor: RadiusFactor,
        /// The angle of a number of 1.
        turn: AngleTurn,
    }
}

subject! {
    /// Triton's draws, and those of PyTorch's compiler.
    Triton as "triton" {
        /// How many bits of the seed are the key.
        seed: Bits,
        /// Where the high half of the seed goes.
        seed_high: SeedHigh,
        /// What of an offset counts.
        offset: TritonOffset,
        /// Where it stands in the counter.
        counter: TritonCounter,
        /// By what a folded word is multiplied.
        scale: TritonScale,
        /// How a word becomes an integer.
        reduction: Reduction,
        /// Whether the upper bound is one.
        end: UpperEnd,
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

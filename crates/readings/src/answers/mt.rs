//! The Mersenne Twister.

use super::{Allowed, CONSTANT, SIZE, question, subject};

question! {
    /// How a seed fills the 624 words.
    MtSeeding {
        /// `1812433253 * (s ^ s >> 30) + i` on the low 32 bits of global_seed.
        #[default]
        InitGenrand = "init_genrand",
        /// `1812433253 * s ^ ((s >> 30) + i)`: the letter of RandomUniform-8 under C's precedence.
        Precedence = "C precedence",
        /// The shift by 30 is that of a signed number.
        SignedShift = "signed shift",
        /// `init_by_array` of one word. MKL and CPython do this.
        InitByArray = "init_by_array",
        /// The index is not added.
        IndexForgotten = "index left out",
        /// `69069 * s`, the initialisation of 1998.
        Knuth1998 = "69069",
        /// `69069 * s + 1`, after fifty of its steps and one for the place in the state. R's `set.seed`.
        ScrambledR = "R's scrambling",
        /// `std::seed_seq` over the low words of both seeds.
        SeedSeq = "seed_seq",
        /// `std::seed_seq` over the low word of global_seed.
        SeedSeqOfOne = "seed_seq of one word",
    }
}

question! {
    /// Which twister it is.
    MtWidth {
        #[default]
        Narrow = "MT19937",
        /// That of 64 bits, of whose numbers the low half is a word.
        WideLow = "low half of MT19937-64",
        /// The same with the high half.
        WideHigh = "high half of MT19937-64",
    }
}

question! {
    /// What becomes of the high half of global_seed.
    MtSeedHigh {
        /// Nothing.
        #[default]
        Ignored = "ignored",
        /// It is mixed into the low half by exclusive or.
        Folded = "folded in",
        /// Both halves are an array, by which the state is filled, unless it is zero.
        Array = "the second word of an array",
    }
}

question! {
    /// What a seed of zero is.
    MtSeedZero {
        /// A seed as any other.
        #[default]
        Kept = "zero",
        /// No seed, in place of which the default of `std::mt19937` stands.
        Default = "5489",
    }
}

question! {
    /// What op_seed does under PYTORCH alignment.
    MtOpSeed {
        /// Nothing.
        #[default]
        Ignored = "ignored",
        /// It is added to global_seed.
        Added = "added",
        /// It says how many words are skipped (at most 65535).
        Skipped = "words are skipped",
    }
}

question! {
    /// Where the middle word of the twist wraps round.
    TwistWrap {
        /// At 624.
        #[default]
        At624 = "624",
        /// At 623: the letter of RandomUniform-8.
        At623 = "623",
        /// The second of two loops reads one word too far, and the last word, which has code of its own, is right.
        At623ButLast = "623, but 624 for the last word",
    }
}

question! {
    /// How a generation of 624 words is made from the last.
    Twist {
        /// In place, in order, before the first output.
        #[default]
        InPlace = "in place",
        /// From a copy of the old words only, as a parallel kernel might.
        FromCopy = "from a copy",
        /// Words are renewed this number at a time. Where those in the middle wrap round within a step, they are read before any of
        /// them is new.
        Steps(size: SIZE) = "in steps, which read ahead of the wrap",
        /// The last word from the first one as it was before: the next word is read ahead, or the state has a copy of its
        /// first word behind its end.
        LastFromOld = "the last word from the old first one",
        /// The first 624 outputs are the seeded words themselves.
        AfterFirst = "after the first 624 outputs",
        /// Upper and lower mask exchanged.
        MasksExchanged = "masks exchanged",
        /// The last bit of the current word decides, not that of the next.
        ParityOfCurrent = "last bit of the current word",
    }
}

question! {
    /// Which words of a generation are handed out.
    Generation {
        #[default]
        Whole = "all 624",
        /// The loop over a generation ends one early.
        LastLost = "all but the last",
    }
}

question! {
    /// How far ahead the middle word of the twist stands.
    Middle {
        #[default]
        Ahead397 = "397",
        /// Another number.
        Other(number: Allowed::Numbers(1..=623)) = "another for 397",
    }
}

question! {
    /// The constant that the twist mixes in.
    Matrix {
        #[default]
        Usual = "9908b0df",
        /// Another number.
        Other(constant: CONSTANT) = "another for 9908b0df",
    }
}

question! {
    /// The masks of the tempering.
    TemperMasks {
        #[default]
        Usual = "9d2c5680, efc60000",
        /// Another number in place of the first.
        First(constant: CONSTANT) = "another for 9d2c5680",
        /// Another number in place of the second.
        Second(constant: CONSTANT) = "another for efc60000",
    }
}

question! {
    /// Which word is the first that is used.
    MtFirst {
        #[default]
        First = "the first",
        /// So many words are dropped before it.
        Dropped(words: SIZE) = "after dropped ones",
    }
}

question! {
    /// Which elements a generator draws under PYTORCH alignment. Where there are several, the seed of each is one more than that
    /// of the one before, and a later call begins with the same seeds.
    MtParts {
        #[default]
        Whole = "all",
        /// A run of elements for each thread: their number by `threads`, rounded up.
        Threads(threads: SIZE) = "those of a thread",
        /// `size` elements.
        Chunks(size: SIZE) = "those of a chunk",
        /// A row of the last axis.
        Rows = "those of a row",
        /// An item along the first axis.
        Items = "those of an item",
        /// There is one generator, which draws the first words of all elements of two words before the second ones.
        WordPlanes = "all, the first words of all elements before the second",
    }
}

question! {
    /// How a word is tempered.
    Temper {
        /// Shifts 11, 7, 15, 18 with masks 9d2c5680 and efc60000.
        #[default]
        Standard = "standard",
        /// Not at all.
        Omitted = "omitted",
        /// The two masks exchanged.
        MasksExchanged = "masks exchanged",
        /// Shifts 18 and 11 exchanged.
        ShiftsExchanged = "shifts exchanged",
        /// Both shifts to the right are those of signed numbers.
        SignedShifts = "signed shifts",
        FirstSigned = "a signed first shift",
        LastSigned = "a signed last shift",
        /// The last step is left out.
        LastOmitted = "last step omitted",
    }
}

question! {
    /// The words with which a later call begins.
    CallBegins {
        #[default]
        GoesOn = "those after the call before",
        /// A call keeps the state, and not its place in it.
        Twist = "those of the next generation",
    }
}

subject! {
    /// The Mersenne Twister.
    Mt as "mt" {
        /// Which twister it is.
        width: MtWidth,
        /// How a seed fills the state.
        seeding: MtSeeding,
        /// What the high half of global_seed does.
        seed_high: MtSeedHigh,
        /// What a seed of zero is.
        seed_zero: MtSeedZero,
        /// What op_seed does.
        op_seed: MtOpSeed,
        /// Where the middle word wraps.
        twist_wrap: TwistWrap,
        /// How the state is renewed.
        twist: Twist,
        /// How far ahead the middle word stands.
        middle: Middle,
        /// What the twist mixes in.
        matrix: Matrix,
        /// Which words of a generation are handed out.
        generation: Generation,
        /// How a word is tempered.
        temper: Temper,
        /// The masks of the tempering.
        masks: TemperMasks,
        /// Which word is the first that is used.
        first: MtFirst,
        /// With which words a later call begins.
        call: CallBegins,
        /// Which elements a generator draws.
        parts: MtParts,
    }
}

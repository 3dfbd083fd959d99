//! NumPy's bit generators: how they are seeded, and their words.

use super::{Allowed, number, question, subject};

question! {
    /// How many bits of a seed count.
    NumpySeedBits {
        #[default]
        All = "all of it",
        /// Where the seed is a machine's integer.
        Low64 = "low 64 bits",
        Low32 = "low 32 bits",
    }
}

question! {
    /// What a seed becomes before it is the state of a bit generator.
    NumpySeeding {
        /// A `SeedSequence`.
        #[default]
        Sequence = "SeedSequence",
        /// Its words are the state, and MT19937 is seeded as `RandomState` is.
        Itself = "the seed itself",
    }
}

question! {
    /// What becomes of the words of a `SeedSequence`'s pool.
    NumpyPool {
        #[default]
        Mixed = "each is mixed with the others",
        /// The second of two loops is missing.
        Hashed = "each is hashed alone",
    }
}

question! {
    /// With which constants the words of a state are hashed.
    StateHash {
        #[default]
        Own = "8b51f9dd, 58f38ded",
        PoolStart = "43b0d7e5, 58f38ded",
        PoolFactor = "8b51f9dd, 931e8875",
        Pool = "43b0d7e5, 931e8875",
    }
}

question! {
    /// The order of two words of 32 bits in one of 64 of a state.
    NumpyPairs {
        #[default]
        LowFirst = "low half first",
        HighFirst = "high half first",
    }
}

question! {
    /// The order of two words of 64 bits in PCG's state, and in its increment.
    PcgHalves {
        #[default]
        HighFirst = "high half first",
        LowFirst = "low half first",
    }
}

question! {
    /// What the first words of a seed become of PCG.
    PcgFirst {
        #[default]
        State = "its state",
        Increment = "its increment",
    }
}

question! {
    /// How two words become PCG's increment, which is odd.
    PcgIncrement {
        #[default]
        Doubled = "doubled and one more",
        LastBit = "with the last bit set",
    }
}

question! {
    /// Of which state PCG64 makes a draw.
    PcgOutput {
        #[default]
        New = "the new one",
        Old = "the old one",
    }
}

question! {
    /// How PCG64 rotates the exclusive-or of its halves.
    PcgRotation {
        #[default]
        Right = "right by the upper six bits",
        Left = "left by the upper six bits",
        /// As PCG32 does, whose words have 32 bits.
        RightBy5 = "right by the upper five bits",
    }
}

question! {
    /// Of which state PCG64DXSM makes a draw.
    DxsmOutput {
        #[default]
        Old = "the old one",
        New = "the new one",
    }
}

question! {
    /// By how much the output of PCG64DXSM is shifted.
    DxsmShifts {
        /// 32 and 48.
        #[default]
        Own = "32, 48",
        /// One of the two shifts differs. The parameter is 100 times its place, counted from 1, plus the wrong shift.
        Other(shift: Allowed::Numbers(100..=263)) = "one of two another",
    }
}

question! {
    /// With which multiplier PCG64DXSM steps while it is seeded.
    DxsmSeeding {
        #[default]
        Wide = "PCG64's",
        Cheap = "its own",
    }
}

question! {
    /// The words of Philox.
    PhiloxWidth {
        /// Philox4x64.
        #[default]
        Bits64 = "64 bits",
        /// Philox4x32, as most frameworks have.
        Bits32 = "32 bits",
    }
}

question! {
    /// The counter of Philox's first block.
    PhiloxStart {
        /// It is raised before each block.
        #[default]
        One = "1",
        Zero = "0",
    }
}

question! {
    /// What the first word of a seed becomes of Philox's key.
    PhiloxKey {
        #[default]
        First = "its first word",
        Second = "its second word",
    }
}

question! {
    /// The word of 64 bits of Philox's counter that a block raises.
    PhiloxCounts {
        #[default]
        First = "the first",
        Second = "the second",
    }
}

question! {
    /// By how much SFC64 shifts and rotates.
    SfcShifts {
        /// 11, 3 and 24.
        #[default]
        Own = "11, 3, 24",
        /// One of the three shifts differs. The parameter is 100 times its place, counted from 1, plus the wrong shift.
        Other(shift: Allowed::Numbers(100..=363)) = "one of three another",
    }
}

question! {
    /// Where SFC64 begins to count its draws.
    SfcCounter {
        #[default]
        One = "1",
        Zero = "0",
    }
}

/// How many draws of SFC64 are not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SfcSkipped(pub u32);

impl Default for SfcSkipped {
    fn default() -> Self {
        Self(12)
    }
}

number!(SfcSkipped, Allowed::Numbers(0..=1000));

question! {
    /// Where MT19937 begins in its state.
    MtBegin {
        /// The last word is drawn first.
        #[default]
        Last = "623",
        /// The state is twisted first.
        End = "624",
        Start = "0",
    }
}

question! {
    /// The first word of MT19937's state.
    MtFirstWord {
        #[default]
        TopBit = "2^31",
        Seeded = "the seed's",
    }
}

question! {
    /// Which of MT19937's words is the high half of one of 64 bits.
    MtPairs {
        #[default]
        HighFirst = "the first",
        LowFirst = "the second",
    }
}

question! {
    /// What becomes of the half of a word of which 32 bits are drawn.
    NumpyHalf {
        #[default]
        Kept = "it is the next draw",
        Dropped = "it is dropped",
    }
}

question! {
    /// Which half of a word is drawn first.
    NumpyHalves {
        #[default]
        LowFirst = "the low one",
        HighFirst = "the high one",
    }
}

question! {
    /// Where a call begins.
    NumpyCalls {
        #[default]
        GoOn = "where the one before ended",
        Again = "at the seed",
    }
}

subject! {
    /// NumPy's bit generators.
    NumpyBits as "numpy.bits" {
        /// How many bits of the seed count.
        seed: NumpySeedBits,
        /// What the seed becomes.
        seeding: NumpySeeding,
        /// What becomes of the pool.
        pool: NumpyPool,
        /// How the words of a state are hashed.
        state_hash: StateHash,
        /// The order of words in a word of a state.
        pairs: NumpyPairs,
        /// The order of words in PCG's state.
        pcg_halves: PcgHalves,
        /// What the first words become.
        pcg_first: PcgFirst,
        /// How its increment is made.
        pcg_increment: PcgIncrement,
        /// Of which state PCG64 draws.
        pcg64: PcgOutput,
        /// How it rotates.
        pcg64_rotation: PcgRotation,
        /// Of which state PCG64DXSM draws.
        pcg64dxsm: DxsmOutput,
        /// By how much its output is shifted.
        pcg64dxsm_shifts: DxsmShifts,
        /// How PCG64DXSM is seeded.
        pcg64dxsm_seeding: DxsmSeeding,
        /// The words of Philox.
        philox: PhiloxWidth,
        /// What the first word becomes.
        philox_key: PhiloxKey,
        /// Its first counter.
        philox_start: PhiloxStart,
        /// The word of the counter that a block raises.
        philox_counts: PhiloxCounts,
        /// By how much SFC64 shifts and rotates.
        sfc64_shifts: SfcShifts,
        /// Where SFC64 begins to count.
        sfc64_counter: SfcCounter,
        /// The draws of SFC64 that are not used.
        sfc64: SfcSkipped,
        /// The first word of its state.
        mt19937_first: MtFirstWord,
        /// Where MT19937 begins.
        mt19937: MtBegin,
        /// The high half of its words of 64 bits.
        mt19937_pairs: MtPairs,
        /// What becomes of the other half.
        half: NumpyHalf,
        /// Which half is first.
        halves: NumpyHalves,
        /// Where a call begins.
        calls: NumpyCalls,
    }
}

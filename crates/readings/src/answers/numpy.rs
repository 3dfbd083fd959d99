//! NumPy's `Generator`: its bit generators, and how their words become numbers, integers and permutations; and what its legacy
//! `RandomState` does otherwise.

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
    /// By how much SFC64 shifts and rotates.
    SfcShifts {
        /// 11, 3 and 24.
        #[default]
        Own = "11, 3, 24",
        /// One of the three is another: 100 times its place, counted from 1, and the number.
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
        /// How PCG64DXSM is seeded.
        pcg64dxsm_seeding: DxsmSeeding,
        /// The words of Philox.
        philox: PhiloxWidth,
        /// What the first word becomes.
        philox_key: PhiloxKey,
        /// Its first counter.
        philox_start: PhiloxStart,
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

question! {
    /// The bits of an f64.
    NumpyDouble {
        #[default]
        Upper53 = "the upper 53",
        /// As `uint32 / 2^32`.
        Draw32 = "a draw of 32",
        /// Those of an f32.
        Draw24 = "the upper 24 of a draw of 32",
        /// Those of the mantissa of a number in [1, 2).
        Upper52 = "the upper 52",
        /// A number of the open interval, as C code that takes its logarithm needs.
        Open52 = "the upper 52, and half of the last",
    }
}

question! {
    /// The bits of an f64 of MT19937.
    NumpyMtDouble {
        #[default]
        Upper27And26 = "the upper 27 and 26 of two words",
        Upper53 = "the upper 53 of two words",
        /// The second word has the upper bits.
        Exchanged = "the upper 27 and 26 of two words, the second first",
    }
}

question! {
    /// The bits of an f32.
    NumpySingle {
        #[default]
        Upper24 = "the upper 24",
        /// An f64 is drawn and rounded.
        Rounded = "an f64, rounded",
        Upper23 = "the upper 23",
        /// The greatest of them are 1.
        Whole = "all 32, rounded",
    }
}

question! {
    /// How a draw becomes a number of a range.
    NumpyMethod {
        /// The upper half of a product, and draws are rejected.
        #[default]
        Lemire = "product",
        /// The same, and none is.
        Unrejected = "product without rejection",
        /// The same, by a comparison that is not strict.
        RejectedAtBound = "product, rejected at the bound too",
        /// Low bits are drawn again while they are past the range.
        Mask = "mask",
        /// The same, of a bit less, so that the greatest numbers are never drawn.
        ShortMask = "mask of a bit less",
        Remainder = "remainder",
    }
}

question! {
    /// Whether the upper bound of integers is drawn.
    NumpyBound {
        #[default]
        Exclusive = "it is not",
        /// As with `endpoint=True`, or the legacy `random_integers`.
        Inclusive = "it is",
    }
}

question! {
    /// How many bits a draw has for a type of 64.
    NumpyWidth {
        #[default]
        OfRange = "32 for a range of 32",
        OfType = "64",
        /// Numbers past 2^32 are never drawn.
        Always32 = "32",
    }
}

question! {
    /// How a draw of 8 or 16 bits is taken of one of 32.
    NumpyPieces {
        #[default]
        LowFirst = "pieces, the lowest first",
        HighFirst = "pieces, the highest first",
        Single = "the low bits alone",
    }
}

question! {
    /// What becomes of the pieces that a call leaves.
    NumpyPiecesLeft {
        #[default]
        Dropped = "they are dropped",
        Kept = "the next call has them",
    }
}

question! {
    /// Where NumPy's shuffle begins.
    NumpyShuffle {
        #[default]
        End = "the last",
        Start = "the first",
        /// Each with one before it or itself.
        Forward = "the second, and forward",
        /// Sattolo's: no number stays in its place.
        Cyclic = "the last, each with one before it",
    }
}

question! {
    /// Where a shuffle that begins with the last number ends.
    NumpyShuffleEnd {
        #[default]
        Second = "the second",
        /// A draw with one possible answer.
        First = "the first",
    }
}

question! {
    /// How a shuffle draws a place.
    NumpyInterval {
        #[default]
        Mask = "mask",
        Upper = "upper bits",
        Lemire = "product",
        Remainder = "remainder",
    }
}

subject! {
    /// What NumPy's `Generator` makes of words.
    NumpyDraws as "numpy.draws" {
        /// The bits of an f64.
        double: NumpyDouble,
        /// The bits of an f64 of MT19937.
        mt19937_double: NumpyMtDouble,
        /// The bits of an f32.
        single: NumpySingle,
        /// How a draw becomes a number of a range.
        method: NumpyMethod,
        /// Whether the upper bound is drawn.
        bound: NumpyBound,
        /// How many bits a draw has.
        width: NumpyWidth,
        /// How small draws are taken.
        pieces: NumpyPieces,
        /// What becomes of pieces that are left.
        left: NumpyPiecesLeft,
        /// Where a shuffle begins.
        shuffle: NumpyShuffle,
        /// Where it ends.
        shuffle_end: NumpyShuffleEnd,
        /// How it draws a place.
        interval: NumpyInterval,
    }
}

question! {
    /// What a seed that is a number becomes.
    LegacySeeding {
        /// As [`super::Mt`] says.
        #[default]
        Word = "the state of one word",
        /// As the seed of a `Generator`.
        Sequence = "SeedSequence",
    }
}

question! {
    /// What a seed that is a list becomes.
    LegacyList {
        #[default]
        Array = "init_by_array",
        FirstWord = "its first word, by init_genrand",
        Reversed = "init_by_array, the last word first",
        Sequence = "SeedSequence",
    }
}

question! {
    /// Which normal of a pair comes first.
    LegacyFirst {
        #[default]
        Second = "that of the second number",
        First = "that of the first number",
    }
}

question! {
    /// What becomes of the other normal of a pair.
    LegacyOther {
        #[default]
        Kept = "it is the next one",
        Dropped = "it is dropped",
        DroppedAtEnd = "it is dropped at the end of a call",
    }
}

question! {
    /// How the sum of the squares is rounded.
    LegacySquares {
        #[default]
        Rounded = "after each product",
        FirstFused = "the first square fused",
        SecondFused = "the second square fused",
    }
}

question! {
    /// Between which numbers a pair is drawn.
    LegacyPair {
        #[default]
        Signed = "-1 and 1",
        /// So that no normal is negative.
        Unit = "0 and 1",
    }
}

question! {
    /// The factor of both numbers of a pair.
    LegacyFactor {
        #[default]
        Whole = "sqrt(-2 log(r2) / r2)",
        /// As of a radius that is drawn by itself.
        Undivided = "sqrt(-2 log(r2))",
    }
}

subject! {
    /// What NumPy's `RandomState` does otherwise than its `Generator`.
    NumpyLegacy as "numpy.legacy" {
        /// What a seed that is a number becomes.
        seeding: LegacySeeding,
        /// What a list becomes.
        list: LegacyList,
        /// How a draw becomes a number of a range.
        method: NumpyMethod,
        /// Which normal of a pair comes first.
        first: LegacyFirst,
        /// What becomes of the other one.
        other: LegacyOther,
        /// How the sum of squares is rounded.
        squares: LegacySquares,
        /// Between which numbers a pair is drawn.
        pair: LegacyPair,
        /// The factor of both.
        factor: LegacyFactor,
    }
}

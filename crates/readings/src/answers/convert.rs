//! Words to values of the unit interval, and the types that this happens in.

use super::{SIZE, question, subject};

question! {
    /// What type an element is computed in.
    RunsAs {
        /// Its own.
        #[default]
        Native = "its own type",
        /// The 32-bit type of its kind, bounds and all; the result is converted. The OpenVINO CPU plugin for
        /// f64, i64 and, by default, f16; PyTorch from 2.12 for f16 and bf16.
        Narrow = "the 32-bit type",
    }
}

question! {
    /// What becomes of a value of `[0, 1)`, whatever its digits are.
    UnitEnds {
        #[default]
        Kept = "[0, 1)",
        /// Half of the least step is added, so that zero is never drawn.
        HalfStep = "half a step more",
        /// The least step is added: `(0, 1]`.
        Step = "a step more",
        /// It is subtracted from 1: `(0, 1]`.
        Complement = "1 less the value",
    }
}

question! {
    /// How Philox words become a value of `[0, 1)`.
    PhiloxUnit {
        /// The low bits are the mantissa of a value of `[1, 2)`, less 1.
        #[default]
        LowMantissa = "low bits as mantissa",
        /// The high bits are the mantissa.
        HighMantissa = "high bits as mantissa",
        /// One low bit more, and the bits are added to those of 1: a set bit of the exponent makes it that of 2.
        WideMantissa = "low bits as mantissa, one more, added",
        /// The 1 is not subtracted.
        NotSubtracted = "1 not subtracted",
        /// The bits are converted as a number, not taken as bits: the letter of RandomUniform-8.
        NoBitCast = "no bit cast",
        /// One bit more, times a power of two, as PyTorch does: 24 bits for f32.
        LowDigits = "low bits, one more",
        /// The same with the high bits: `x >> 8` times 2^-24 for f32.
        HighDigits = "high bits, one more",
        /// The whole word times 2^-32, rounded.
        TwoToMinus32 = "word times 2^-32",
        /// All but the last bit, times 2^-31, rounded.
        TwoToMinus31 = "31 bits times 2^-31",
        /// The whole word plus one half, times 2^-32, rounded. cuRAND does this.
        Midpoint = "word plus one half, times 2^-32",
        /// The exponent is that of 1/2, and 1/2 is subtracted: half the range.
        HalfRange = "low bits as mantissa of a half",
        /// A word is a signed number, times 2^-32, and 1/2 added.
        SignedHalf = "signed word times 2^-32, and a half",
        /// The low bits over their greatest number, rounded: 1 is drawn too.
        Inclusive = "low bits over their greatest",
        /// The mask of the mantissa lacks a bit, counted from 1 for the lowest.
        BitLost(bit: SIZE) = "low bits as mantissa without one",
        /// The words of `std::minstd_rand0`, less 1, as digits of base 2^31 - 2: what libstdc++'s `generate_canonical`
        /// makes of them.
        Canonical = "generate_canonical of minstd_rand0",
        /// The same, but the first of two words is the higher digit.
        CanonicalHighFirst = "generate_canonical, the first word higher",
        /// Of a word of minstd_rand0, less 1, the top 24 of its 31 bits over 2^24.
        CanonicalTop24 = "24 of 31 bits of minstd_rand0",
        /// The f64 that two words make, rounded, for an f32 too.
        CanonicalDouble = "generate_canonical of an f64, rounded",
    }
}

question! {
    /// How a 16-bit value of `[0, 1)` is made.
    HalfUnit {
        /// From its own number of bits.
        #[default]
        Own = "its own bits",
        /// From its own number of low bits, whatever the other types have. XLA's f16.
        OwnLow = "its own low bits",
        /// From half a word: two elements take one word, the first its low half.
        LowHalfFirst = "half a word, the low one first",
        /// The same, the first element its high half.
        HighHalfFirst = "half a word, the high one first",
        /// From the f32 value, rounded.
        RoundedF32 = "f32 rounded",
        /// From the f32 value, cut off.
        TruncatedF32 = "f32 cut off",
    }
}

question! {
    /// Which words make an f64.
    F64Words {
        /// Two; the first is the high one.
        #[default]
        FirstHigh = "two, the first is high",
        /// Two; the first is the low one.
        FirstLow = "two, the first is low",
        /// Two; the first is the high one, and its upper bits count.
        UpperFirst = "two, the upper bits of the first are high",
        /// Two words. The first becomes an f32 value, which is widened.
        FirstAlone = "two, the second is not used",
        /// Two, of which the first is not widened before its shift by 32, and or-ed to the second.
        Ored = "two, or-ed to one",
        /// Two, of which the second, the low one, arrives as zero.
        LowZero = "two, the low one is zero",
        /// Two, of which the first, the high one, arrives as zero.
        HighZero = "two, the high one is zero",
        /// One: the f32 value, widened.
        OneWord = "one",
    }
}

subject! {
    /// TENSORFLOW: words to the unit interval.
    PhiloxConvert as "tensorflow.convert" {
        /// The rule for every type.
        unit: PhiloxUnit,
        /// What becomes of the value.
        ends: UnitEnds,
        /// How an f16 is made.
        f16: HalfUnit,
        /// How a bf16 is made.
        bf16: HalfUnit,
        /// Which words make an f64.
        f64_words: F64Words,
    }
}

question! {
    /// How Mersenne Twister words become a value of `[0, 1)`. d is 24 for f32, 53 for f64, 11 for f16, 8 for
    /// bf16.
    MtUnit {
        /// The low d bits times 2^-d.
        #[default]
        LowDigits = "low d bits",
        /// The high d bits times 2^-d.
        HighDigits = "high d bits",
        /// The low d-1 bits times 2^-(d-1).
        OneFewer = "low d-1 bits",
        /// The low d-1 bits times 2^-d: half the range.
        HalfRange = "low d-1 bits over 2^d",
        /// Bit d-1 alone times 2^-d: the letter of RandomUniform-8 under C's precedence.
        MaskPrecedence = "bit d-1 alone",
        /// The low d bits over 2^d - 1: 1 is reached.
        Inclusive = "low d bits over 2^d - 1",
        /// The whole word times 2^-32 (2^-64), rounded.
        TwoToMinus32 = "word times 2^-32",
    }
}

question! {
    /// Which 53 bits make an f64.
    MtF64 {
        /// The low 53 of two words, the first of which is high.
        #[default]
        FirstHigh = "low 53, the first word is high",
        /// The low 53 of two words, the first of which is low.
        FirstLow = "low 53, the first word is low",
        /// 27 bits of the first word, 26 of the second: `genrand_res53`, NumPy and CPython.
        Shift5And6 = "a >> 5, b >> 6",
        /// The shifts exchanged: 26 bits of the first word, 27 of the second.
        Shift6And5 = "a >> 6, b >> 5",
        /// The first word is not widened before its shift by 32, and or-ed to the second.
        Ored = "two, or-ed to one",
        /// The upper 21 bits of the first word, all of the second.
        UpperAndWhole = "a >> 11, all of b",
        /// The first word alone, though two are drawn: the letter of RandomUniform-8.
        FirstAlone = "the first word alone",
        /// The first word over 2^32.
        FirstOver32 = "the first word over 2^32",
        /// The second word over 2^32.
        SecondOver32 = "the second word over 2^32",
    }
}

question! {
    /// How a 16-bit value is made.
    MtHalf {
        /// From 11 (f16) or 8 (bf16) bits.
        #[default]
        Own = "11 or 8 bits",
        /// From 24 bits, rounded.
        RoundedF32 = "24 bits, rounded",
        /// From 16 bits, rounded.
        Low16 = "16 bits, rounded",
    }
}

subject! {
    /// PYTORCH, and what PyTorch draws by a key: words to the unit interval.
    MtConvert as "pytorch.convert" {
        /// The rule for every type.
        unit: MtUnit,
        /// What becomes of the value.
        ends: UnitEnds,
        /// Which bits make an f64.
        f64: MtF64,
        /// How f16 and bf16 are made.
        half: MtHalf,
    }
}

subject! {
    /// The types that elements are computed in, under both alignments.
    Types as "types" {
        /// What f16 runs as.
        f16: RunsAs,
        /// What bf16 runs as.
        bf16: RunsAs,
        /// What f64 runs as.
        f64: RunsAs,
        /// What i64 runs as.
        i64: RunsAs,
    }
}

question! {
    /// The bits of a NaN result.
    Nan {
        /// Positive, quiet, no payload.
        #[default]
        Canonical = "canonical",
        /// Negative, quiet, no payload: what x86 makes of `inf - inf` and `0 * inf`.
        Indefinite = "negative",
    }
}

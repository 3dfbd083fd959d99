//! Values of the unit interval, and words, into the asked range.

use super::{question, subject};

question! {
    /// The formula for floats.
    Formula {
        /// `u * (max - min) + min`, each operation rounded.
        #[default]
        Separate = "each operation rounded",
        /// `fma(u, max - min, min)`. The OpenVINO CPU plugin's kernels, PyTorch on processors with AVX2.
        Fused = "fused",
        /// `min * (1 - u) + max * u`.
        Lerp = "lerp",
        /// In f64 with one rounding at the end.
        InF64 = "in f64",
        /// In f64, of bounds that are not rounded to the type, where an op is given them as f64.
        InF64OfGiven = "in f64, of the bounds as given",
        /// In f32, whatever the type.
        InF32 = "in f32",
        /// In f16, where the type is wider than 16 bits.
        InF16 = "in f16",
        /// In bf16, where the type is wider than 16 bits.
        InBf16 = "in bf16",
        /// `u * max + min`.
        ByMaximum = "by the maximum",
        /// `u * max`.
        MaximumAlone = "by the maximum, nothing added",
        /// `u * (max - min)`.
        RangeAlone = "by the range, nothing added",
        /// `max - u * (max - min)`.
        FromMaximum = "down from the maximum",
        /// `max - (1 - u) * (max - min)`.
        ToMaximum = "up to the maximum",
        /// `(u + min / (max - min)) * (max - min)`.
        MinimumFirst = "minval added before the product",
        /// `(1 + u) * (max - min) + (min - (max - min))`, for a number between 1 and 2.
        FromOneToTwo = "between 1 and 2",
        /// `u` rounded to f16 first, where the type is wider.
        UnitInF16 = "the unit interval in f16",
        /// `u` rounded to bf16 first, where the type is wider.
        UnitInBf16 = "the unit interval in bf16",
        /// `u` and `max - min` rounded to the 11 significant bits of TF32 before the product, where the type is f32.
        InTf32 = "operands of the product in TF32",
        /// `u`.
        Unscaled = "the bounds are ignored",
    }
}

question! {
    /// The type that a number goes through on its way, where the output's type is wider than 16 bits.
    Through {
        /// None.
        #[default]
        Nothing = "nothing",
        F16 = "f16",
        Bf16 = "bf16",
        /// f32. ONNX's attributes.
        F32 = "f32",
        /// A finite number that bf16 cannot hold becomes its largest. The OpenVINO CPU plugin with a hint of f16 and no kernels for it.
        Bf16Limits = "within bf16",
    }
}

question! {
    /// Which of the two bounds go through another type.
    WhichBound {
        #[default]
        Both = "both",
        Minimum = "minval alone",
        Maximum = "maxval alone",
    }
}

question! {
    /// Where a computation in f16 or bf16 is rounded.
    HalfSteps {
        #[default]
        EachOperation = "after each operation",
        /// max - min, and once at the end; f32 between.
        RangeAndEnd = "max - min, and at the end",
        /// The product, and once at the end; f32 between.
        ProductAndEnd = "the product, and at the end",
        /// Once at the end; all else is f32.
        End = "at the end",
    }
}

question! {
    /// How an f32 becomes an f16.
    F16Rounding {
        /// To nearest, ties to even.
        #[default]
        NearestEven = "nearest even",
        /// OpenVINO's: to nearest even, but below 2^-15 a fraction of 7ff000 and more is doubled.
        OpenVino = "OpenVINO's",
        TowardZero = "cut off",
    }
}

question! {
    /// How an f32 becomes a bf16.
    Bf16Rounding {
        /// To nearest, ties to even.
        #[default]
        NearestEven = "nearest even",
        /// OpenVINO's: an even last bit is cut off, an odd one rounds half up.
        OpenVino = "OpenVINO's",
        TowardZero = "cut off",
        /// To nearest, ties away from zero.
        HalfUp = "ties away from zero",
    }
}

question! {
    /// How the last operation of f16 and bf16 is rounded.
    LastRounding {
        /// As all others are.
        #[default]
        AsOthers = "as the others",
        TowardZero = "cut off",
    }
}

question! {
    /// What happens to a result that equals maxval.
    AtMaximum {
        /// It stays: rounding may reach maxval.
        #[default]
        Kept = "kept",
        /// minval takes its place. PyTorch from 2.12.
        Minimum = "minval in its place",
        /// The next value below takes its place.
        JustBelow = "the next value below",
        /// The next value below takes its place, and that of everything above: of infinity, and below an infinite maxval.
        Clamped = "at most the next value below",
    }
}

question! {
    /// What happens to subnormal numbers.
    Subnormals {
        /// They are kept.
        #[default]
        Kept = "kept",
        /// They become zero.
        Flushed = "flushed to zero",
        /// They become zero, but those of f16, which are normal numbers of the f32 that they are computed in:
        /// what a processor does with its modes FTZ and DAZ.
        FlushedButF16 = "flushed to zero, but f16",
        /// They become zero in some kernels and not in others; the engine answers `unsupported`.
        Unpredictable = "unpredictable",
        /// Kernels disagree in f32; rounded to bf16 they become zero. OpenVINO's CPU plugin with bf16 instructions.
        UnpredictableButBf16 = "zero in bf16, either in f32",
    }
}

impl Subnormals {
    /// Whether kernels disagree in f32.
    pub const fn is_unpredictable(self) -> bool {
        matches!(self, Self::Unpredictable | Self::UnpredictableButBf16)
    }
}

subject! {
    /// Floats into the range.
    Scale as "scale" {
        /// The formula.
        formula: Formula,
        /// What the bounds go through.
        bounds: Through,
        /// Which of them do.
        which_bound: WhichBound,
        /// What max - min goes through.
        range: Through,
        /// Where f16 is rounded.
        f16_steps: HalfSteps,
        /// Where bf16 is rounded.
        bf16_steps: HalfSteps,
        /// How max - min becomes an f16.
        f16_range: F16Rounding,
        /// How anything else becomes an f16.
        f16: F16Rounding,
        /// How max - min becomes a bf16.
        bf16_range: Bf16Rounding,
        /// How anything else becomes a bf16.
        bf16: Bf16Rounding,
        /// How the result becomes a 16-bit type.
        last: LastRounding,
        /// What happens at maxval.
        at_maximum: AtMaximum,
        /// What happens to subnormal numbers.
        subnormals: Subnormals,
    }
}

question! {
    /// How a word becomes an index below `max - min`.
    Reduction {
        /// The remainder of unsigned numbers.
        #[default]
        Unsigned = "unsigned remainder",
        /// A number from the greatest multiple of max - min on is left out, and the next one taken.
        Unbiased = "unsigned remainder of numbers below a multiple of the range",
        /// C's remainder of signed numbers: negative for half of the words.
        Signed = "signed remainder",
        /// The remainder of the number without its last bit, which makes it a positive signed one.
        Halved = "remainder, without the last bit",
        /// The remainder of the absolute value of the signed word.
        Absolute = "remainder of the absolute value",
        /// `x * (max - min) >> 32` (64).
        MultiplyShift = "multiply and shift",
        /// `floor(x * 2^-32 * (max - min))` in f64.
        Float = "through a float",
        /// `floor(x * 2^-23 * (max - min))` in f64, of the low 23 bits.
        Unit23 = "through 23 bits of a float",
        /// The same of the low 24 bits.
        Unit24 = "through 24 bits of a float",
        /// The remainder from a quotient by the f32 reciprocal of the range, which is put right by one step at most.
        Reciprocal = "by an f32 reciprocal",
        /// The same, which is not put right at all.
        ReciprocalUncorrected = "by an f32 reciprocal, not put right",
        /// The same, put right only where it is negative.
        ReciprocalRaised = "by an f32 reciprocal, put right where negative",
        /// The same, put right only where it is not below the range.
        ReciprocalLowered = "by an f32 reciprocal, put right where too great",
        /// The same of unsigned numbers, of which a negative one is too great.
        ReciprocalLoweredUnsigned = "by an f32 reciprocal, put right where too great, unsigned",
        /// The remainder from a quotient by the f64 reciprocal of the range, which is not put right.
        ReciprocalF64 = "by an f64 reciprocal",
        /// The same, put right by one step at most.
        ReciprocalF64Corrected = "by an f64 reciprocal, put right",
        /// The same, put right only where it is negative.
        ReciprocalF64Raised = "by an f64 reciprocal, put right where negative",
        /// The same, put right only where it is not below the range.
        ReciprocalF64Lowered = "by an f64 reciprocal, put right where too great",
        /// The same of unsigned numbers, of which a negative one is too great.
        ReciprocalF64LoweredUnsigned = "by an f64 reciprocal, put right where too great, unsigned",
        /// The highest bits where the range is a power of two, and else the remainder of unsigned numbers.
        TopOfPower = "the top bits for a power of two",
        /// The low bits that the range needs, less the range where they are not below it.
        Masked = "by a mask and one subtraction",
        /// The remainder of the drawn number as an f64.
        RoundedToF64 = "remainder of an f64",
        /// The floored remainder of the signed word.
        Floored = "floored remainder of the signed word",
        /// The remainder by maxval.
        ByMaximum = "by the maximum",
        /// The remainder by the low 32 bits of max - min.
        Range32 = "by the low 32 bits of the range",
        /// The remainder by max - min as an f64, which rounds it from 2^53 on.
        RangeInF64 = "by the range as an f64",
        /// The remainder by the absolute value of max - min as a signed 32-bit number: the OpenVINO CPU
        /// plugin.
        SignedRange = "by the absolute value of the signed range",
        /// The remainder by max - min as a signed number that saturates: a wider range becomes the type's greatest number.
        SaturatedRange = "by the range, at most the greatest signed number",
        /// The remainder by a 64-bit difference of the bounds of an i32, which were widened without their sign. A negative one
        /// makes it greater than every word.
        ZeroExtended = "by the range of bounds without a sign",
        /// The floored remainder by max - min as a signed 32-bit number: the OpenVINO CPU plugin, PYTORCH.
        FlooredSignedRange = "floored, by the signed range",
    }
}

question! {
    /// Whether maxval belongs to the range of integers.
    MaximumBound {
        /// It does not.
        #[default]
        Exclusive = "exclusive",
        /// It does.
        Inclusive = "inclusive",
    }
}

question! {
    /// When an integer takes two words.
    IntegerWords {
        /// i64 always, i32 never.
        #[default]
        I64 = "i64",
        /// i64 unless both bounds are at most 2^32-1.
        I64OverBounds = "i64 with a bound over 2^32-1",
        /// i64 unless both bounds are below 2^32-1.
        I64FromBounds = "i64 with a bound from 2^32-1",
        /// i64 with a range of 2^32 or more. PyTorch up to 2.6.
        RangeFrom2p32 = "i64 with a range from 2^32",
        RangeOver2p32 = "i64 with a range over 2^32",
        /// Any type with a range of 2^28 or more. PyTorch from 2.7.
        RangeFrom2p28 = "a range from 2^28",
        Never = "never",
    }
}

question! {
    /// Which of two words arrive. The other is zero.
    ArrivingWords {
        #[default]
        Both = "both",
        Low = "the low one",
        High = "the high one",
        /// Both, of which the second is not shifted, and or-ed to the first.
        Ored = "both, or-ed to one",
    }
}

subject! {
    /// Integers into the range.
    Integer as "integer" {
        /// How a word is reduced.
        reduction: Reduction,
        /// Whether maxval can be drawn.
        maximum: MaximumBound,
        /// When two words are drawn.
        words: IntegerWords,
        /// Which of two words is the low one.
        order: super::WordOrder,
        /// Which of them arrive.
        wide: ArrivingWords,
    }
}

//! What JAX's `jax.random` draws by its keys.

use super::{Subnormals, UnitEnds, question, subject};

question! {
    /// Which bounds of integers are accepted.
    JaxBounds {
        #[default]
        I64 = "of 64 bits",
        /// Those of an i32. JAX without `jax_enable_x64`.
        I32 = "of 32 bits",
        /// Those that a number of JavaScript holds. jax-js.
        Safe = "to 2^53",
    }
}

question! {
    /// How many bits a float of the unit interval has.
    UnitDigits {
        /// As many as the mantissa.
        #[default]
        Mantissa = "the mantissa's",
        /// As many, but an f64 has the upper ones of the number's high half and all bits of its low half.
        OfHalves = "the mantissa's, of an f64 the upper ones of the high half and the whole low half",
        /// As many, from the low end of the number.
        Low = "the mantissa's, the low ones",
        /// One more.
        Significand = "the significand's",
        /// A word rounded to f32, over 2^32, at most the greatest number below 1. MLX.
        Rounded = "a word's, rounded to f32",
        /// All of the number, rounded.
        Whole = "the number's, rounded",
    }
}

question! {
    /// The width of the numbers that bf16 takes.
    Bf16Width {
        #[default]
        Eight = "8 bits",
        Sixteen = "16 bits",
    }
}

question! {
    /// How product and sum are rounded.
    JaxScale {
        /// Once, but apart in f16 and bf16. XLA's programs.
        #[default]
        Fused = "once",
        /// Once in f16 too. XLA's programs on processors with AVX-512 FP16.
        FusedF16 = "once, f16 too",
        /// Apart. `jax.disable_jit`.
        Separate = "apart",
        Interpolated = "apart, of (1 - u) minval + u maxval",
        /// Once, but in f16 and bf16 apart, and each operation is cut off.
        HalvesCut = "once, or apart and cut off",
        /// Apart; where the span is 1, the compiler drops the product, and adds one constant, minval - 1, to the number from 1
        /// to 2. jax-js.
        JoinedConstants = "apart, or 1 + u and minval - 1 where the span is 1",
    }
}

question! {
    /// What becomes of a number below minval.
    LeastNumber {
        #[default]
        Minimum = "minval",
        Kept = "kept",
    }
}

question! {
    /// The multiplier of the higher bits of an integer.
    Multiplier {
        /// The square of 2^(width / 2) modulo the span, which wraps where the span is greater than that.
        #[default]
        Squared = "2^width modulo the span",
        /// The square does not wrap.
        Exact = "2^width modulo the span, of any span",
        Once = "2^(width / 2) modulo the span",
        Zero = "zero: the lower bits alone",
    }
}

question! {
    /// The remainders that an integer of a signed type is made of.
    JaxRemainder {
        #[default]
        Unsigned = "of unsigned words",
        /// With the sign of the word, by a signed span.
        Signed = "of signed words",
        /// By a span that is at most the greatest number of the signed type.
        SaturatedRange = "by the range, at most the greatest signed number",
    }
}

question! {
    /// What becomes of bounds of 8- and 16-bit types that have more than 32 bits.
    NarrowBounds {
        /// Their low 32 bits arrive.
        #[default]
        Wrap = "cut to 32 bits",
        Clip = "clipped alone",
    }
}

question! {
    /// What a maxval past the greatest value is.
    PastGreatest {
        #[default]
        Counted = "one more number",
        Clipped = "the greatest value",
        /// Maxval is not clamped, and what lies past the greatest value wraps. jax-js.
        Wrapped = "numbers that wrap",
    }
}

question! {
    /// How precise bounds of integers are.
    BoundPrecision {
        #[default]
        Exact = "exact",
        /// Minval and the span pass through f32. jax-js, whose numbers in a program are f32.
        Single = "f32",
    }
}

question! {
    /// Which of two keys draws the higher bits.
    HigherKey {
        #[default]
        First = "the first",
        Second = "the second",
        FirstTwice = "the first, which draws the lower bits too",
        SecondTwice = "the second, which draws the lower bits too",
        /// The key is not split.
        Own = "the key itself, which draws the lower bits too",
        /// The key itself draws both at once, for types of up to 32 bits; wider ones are drawn as ever.
        Together = "one draw of 64 bits",
    }
}

question! {
    /// When an element of bernoulli is one.
    Success {
        #[default]
        Less = "u < p",
        LessOrEqual = "u <= p",
        Greater = "u > p",
        /// u is an f64.
        LessInF64 = "u < p in f64",
        /// A word is compared with p times 2^32, cut to an integer.
        Words = "word < 2^32 p, modulo 2^32",
    }
}

question! {
    /// How often a permutation is sorted.
    SortRounds {
        /// As often as the cube of n needs.
        #[default]
        Cubed = "as the cube of n needs",
        Once = "once",
    }
}

question! {
    /// What a permutation is sorted by.
    SortedBy {
        #[default]
        Words = "words",
        /// Floats between 0 and 1, of which more are equal. jax-js.
        Floats = "f32 of the unit interval",
    }
}

question! {
    /// Which key a round of a permutation draws by.
    SortKey {
        #[default]
        Second = "the second",
        First = "the first",
        /// The key is not split. MLX.
        Own = "the key itself",
        /// Every round splits the first key.
        Again = "the second, in every round the same",
    }
}

question! {
    /// Where a round of a permutation puts the numbers.
    SortPlaces {
        #[default]
        Ascending = "in ascending order of the draws",
        Descending = "in descending order of the draws",
        Signed = "in ascending order of the draws as signed numbers",
        /// The permutation's inverse.
        Inverse = "scattered by the order of the draws",
    }
}

question! {
    /// In which order numbers of equal draws come.
    SortTies {
        #[default]
        Stable = "in that of before",
        Reversed = "in reverse",
    }
}

question! {
    /// The least number that a normal is made of.
    NormalFrom {
        #[default]
        AfterMinusOne = "the one after -1",
        /// The number -1 makes minus infinity.
        MinusOne = "-1",
    }
}

question! {
    /// How precise the root of 2 is that a normal of f32 is multiplied by.
    RootOfTwo {
        #[default]
        Single = "f32",
        /// The product is rounded.
        Double = "f64",
    }
}

question! {
    /// Which polynomials the inverse error function has.
    ErrorInverse {
        #[default]
        Both = "one of the middle, one of the tails",
        Middle = "that of the middle",
    }
}

question! {
    /// The least number that Gumbel noise is made of.
    GumbelFrom {
        #[default]
        LeastNormal = "the least normal f32",
        /// The number 0 makes minus infinity.
        Zero = "0",
        Epsilon = "2^-23",
    }
}

question! {
    /// Whose logarithm Gumbel noise takes.
    NoiseLog {
        #[default]
        Xla = "XLA's",
        /// XLA's, but glibc's for the last 3, 5, 6 or 7 numbers of a list of fewer than 16: a kernel of a logarithm alone calls
        /// the C library where it has no vector for what is left. JAX under `disable_jit`.
        XlaByItself = "XLA's, glibc's for the rest of a short list",
        /// That of CUDA's libdevice, which XLA calls for a GPU.
        Cuda = "CUDA's",
        Glibc = "glibc's",
        Correct = "a correctly rounded one",
    }
}

question! {
    /// In which order logits take noise.
    NoiseOrder {
        #[default]
        Rows = "row by row",
        /// All rows of the first class come first.
        Classes = "class by class",
        /// One row of noise is drawn.
        FirstRow = "the same for every row",
    }
}

subject! {
    /// How uniform numbers, integers and flags are drawn by keys.
    JaxValues as "jax.values" {
        /// How many bits the unit interval has.
        digits: UnitDigits,
        /// What becomes of a number of the unit interval.
        ends: UnitEnds,
        /// The width of the numbers that bf16 takes.
        bf16: Bf16Width,
        /// How product and sum are rounded.
        scale: JaxScale,
        /// What becomes of a number below minval.
        least: LeastNumber,
        /// What happens to subnormal numbers.
        subnormals: Subnormals,
        /// Which bounds of integers are accepted.
        bounds: JaxBounds,
        /// What becomes of bounds of narrow types.
        narrow_bounds: NarrowBounds,
        /// The multiplier of the higher bits.
        multiplier: Multiplier,
        /// The remainders of an integer of a signed type.
        remainder: JaxRemainder,
        /// What a maxval past the greatest value is.
        past_greatest: PastGreatest,
        /// How precise bounds of integers are.
        bound_precision: BoundPrecision,
        /// Which key draws the higher bits.
        higher: HigherKey,
        /// When an element is one.
        success: Success,
    }
}

subject! {
    /// How a permutation is drawn by keys.
    JaxSorts as "jax.values" {
        /// How often a permutation is sorted.
        rounds: SortRounds,
        /// By which key.
        sort_key: SortKey,
        /// By what it draws.
        sorted_by: SortedBy,
        /// Where it puts numbers.
        places: SortPlaces,
        /// In which order ties come.
        ties: SortTies,
    }
}

subject! {
    /// How normals, Gumbel noise and classes are drawn by keys.
    JaxNoise as "jax.values" {
        /// The least number of normals.
        normal_from: NormalFrom,
        /// The polynomials of the inverse error function.
        erf_inv: ErrorInverse,
        /// The root of 2.
        root: RootOfTwo,
        /// The least number of Gumbel noise.
        gumbel_from: GumbelFrom,
        /// Its logarithm.
        noise_log: NoiseLog,
        /// In which order logits take noise.
        noise_order: NoiseOrder,
    }
}

//! JAX's `jax.random`.

use super::{Allowed, Subnormals, WordOrder, number, question, subject};

question! {
    /// In which order Threefry draws.
    JaxOrder {
        /// As the attribute `partitionable` says.
        #[default]
        AsAsked = "as asked",
        Original = "the original one",
        Partitionable = "the partitionable one",
    }
}

question! {
    /// Which words of a block an element of up to 32 bits has in the partitionable order.
    BlockMix {
        /// Both, mixed by exclusive or.
        #[default]
        Mixed = "both, mixed",
        First = "the first",
        Second = "the second",
        Added = "their sum",
    }
}

question! {
    /// Which bits of a word a narrow element has.
    NarrowPart {
        #[default]
        Low = "the low ones",
        Top = "the top ones",
    }
}

question! {
    /// Where an odd number of counts is padded.
    OddPad {
        #[default]
        End = "at the end",
        Front = "at the beginning",
        /// The last count is repeated.
        Repeated = "at the end, by the last count",
        /// The counts go on. tinygrad.
        Counted = "at the end, by the next count",
    }
}

question! {
    /// Which counts the original order pairs.
    CountPairs {
        /// Those at the same place of either half.
        #[default]
        Halves = "of both halves",
        Neighbours = "neighbours",
    }
}

question! {
    /// Which words a key of a split has in the original order.
    SplitWords {
        #[default]
        Rows = "two neighbours",
        Columns = "one of each half",
    }
}

question! {
    /// Which words a key of a split has in the partitionable order.
    SplitBlocks {
        #[default]
        Own = "those of its block",
        /// All first words of the blocks lie before all second ones, and two neighbours are a key.
        Planes = "two neighbours of all first words, then all second ones",
    }
}

/// The number of the first block of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SplitFrom(pub u32);

number!(SplitFrom, Allowed::Numbers(0..=1000));

question! {
    /// What the folded number is of a block.
    FoldedAs {
        #[default]
        Counter = "the counter",
        /// The words of the key are the counter then.
        Key = "the key",
    }
}

question! {
    /// What the words of an element of 64 bits are in the partitionable order.
    WideSource {
        #[default]
        Block = "both of a block",
        Successive = "two mixed words, one after the other",
    }
}

question! {
    /// What the third and the fourth word of a key of rbg are.
    RbgWords {
        #[default]
        Repeated = "the first and the second",
        Zero = "zero",
    }
}

question! {
    /// What the halves of a key that is split from one of rbg are.
    RbgChildren {
        #[default]
        Each = "children of each half",
        First = "children of the first half",
    }
}

question! {
    /// How narrow elements take words.
    NarrowWords {
        #[default]
        OneEach = "a word each",
        Pieces = "pieces of a word",
    }
}

question! {
    /// Where the two words of an element of 64 bits of rbg lie.
    RbgWide {
        #[default]
        Neighbours = "beside each other",
        /// The first half of all words holds the low ones.
        Planes = "in either half of the words",
    }
}

question! {
    /// How many blocks lie between two keys of a split of `unsafe_rbg`.
    SplitStride {
        #[default]
        Ten = "ten",
        One = "one",
    }
}

question! {
    /// Which block `unsafe_rbg` mixes into a key.
    FoldedBlock {
        #[default]
        Ninth = "9",
        First = "0",
    }
}

question! {
    /// How many bits of a seed arrive.
    KeySeedBits {
        #[default]
        All = "64 bits",
        /// The low 32. JAX without `jax_enable_x64`.
        Low32 = "low 32 bits",
        Absolute = "64 bits, without the sign",
    }
}

question! {
    /// Which bounds of integers are accepted.
    JaxBounds {
        #[default]
        I64 = "of 64 bits",
        /// Those of an i32. JAX without `jax_enable_x64`.
        I32 = "of 32 bits",
    }
}

question! {
    /// What the words of the fourth pair of keys draw.
    KeyHalves {
        /// The high half of the counter is the key.
        #[default]
        KeyIsHigh = "words 0 and 1 are key and high half",
        KeyIsLow = "words 0 and 1 are key and low half",
    }
}

subject! {
    /// Keys and bits.
    JaxKeys as "jax.keys" {
        /// In which order Threefry draws.
        order: JaxOrder,
        /// Which words of a block an element has.
        mix: BlockMix,
        /// Which bits of a word a narrow element has.
        narrow: NarrowPart,
        /// How narrow elements of the partitionable order take words.
        mixed_words: NarrowWords,
        /// The words of an element of 64 bits.
        wide_words: WideSource,
        /// Which of two words of the partitionable order is the low one.
        wide: FirstWord,
        /// Which of two planes of the original order holds the low words.
        planes: FirstWord,
        /// Which word of a counter is its high half.
        counter: FirstWord,
        /// Where a folded number stands.
        folded: FirstWord,
        /// What a folded number is.
        folded_as: FoldedAs,
        /// Where an odd number of counts is padded.
        pad: OddPad,
        /// Which counts are paired.
        pairs: CountPairs,
        /// Which words a key of a split has.
        split: SplitWords,
        /// Which words it has in the partitionable order.
        split_blocks: SplitBlocks,
        /// The first block of a split.
        split_from: SplitFrom,
        /// How the words of an rbg key are used.
        halves: KeyHalves,
        /// The third and the fourth word of a key of rbg.
        rbg_words: RbgWords,
        /// What the halves of its children are.
        rbg_children: RbgChildren,
        /// How narrow elements of rbg take words.
        narrow_words: NarrowWords,
        /// How the words of an u64 of rbg are joined.
        philox_wide: WordOrder,
        /// Where these words lie.
        philox_planes: RbgWide,
        /// Blocks between keys of `unsafe_rbg`.
        stride: SplitStride,
        /// Which block is folded.
        folded_block: FoldedBlock,
        /// How many bits of a seed arrive.
        seed_bits: KeySeedBits,
        /// Which half of a seed is the first word.
        seed_order: FirstWord,
    }
}

question! {
    /// What the first of two words is.
    FirstWord {
        #[default]
        High = "the high half",
        Low = "the low half",
    }
}

question! {
    /// How many bits a float of the unit interval has.
    UnitDigits {
        /// As many as the mantissa.
        #[default]
        Mantissa = "the mantissa's",
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
        #[default]
        Squared = "2^width modulo the span",
        Once = "2^(width / 2) modulo the span",
        Zero = "zero: the lower bits alone",
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
    }
}

question! {
    /// Which of two keys draws the higher bits.
    HigherKey {
        #[default]
        First = "the first",
        Second = "the second",
        /// The key is not split.
        Own = "the key itself, which draws the lower bits too",
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
    }
}

subject! {
    /// What is drawn by keys.
    JaxValues as "jax.values" {
        /// How many bits the unit interval has.
        digits: UnitDigits,
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
        /// What a maxval past the greatest value is.
        past_greatest: PastGreatest,
        /// Which key draws the higher bits.
        higher: HigherKey,
        /// When an element is one.
        success: Success,
        /// How often a permutation is sorted.
        rounds: SortRounds,
        /// By which key.
        sort_key: SortKey,
        /// Where it puts numbers.
        places: SortPlaces,
        /// In which order ties come.
        ties: SortTies,
        /// The least number of normals.
        normal_from: NormalFrom,
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

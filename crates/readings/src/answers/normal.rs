//! Normals: the pair that two numbers make, and how PyTorch and TensorFlow fill an output with them.

use super::{Allowed, SIZE, question, subject};

question! {
    /// Which normal of a pair comes first.
    FirstOfPair {
        /// The one of the sine. TensorFlow.
        #[default]
        Sine = "the sine",
        /// The one of the cosine. PyTorch.
        Cosine = "the cosine",
    }
}

question! {
    /// The argument of the logarithm in the radius.
    RadiusOf {
        /// The number, if it is over 1e-7. TensorFlow.
        #[default]
        NumberFrom1em7 = "the number, at least 1e-7",
        /// The number, if it is over 2 to a negative power: the least normal f32, or the f32 next to 1 less 1.
        NumberFromPower(power: Allowed::Numbers(1..=149)) = "the number, at least a negative power of 2",
        /// The sum of the number and a small one, which keeps it from zero too.
        NumberPlus(digits: Allowed::Numbers(1..=38)) = "the number plus a negative power of 10",
        /// The number.
        Number = "the number",
        /// One less the number. PyTorch.
        Complement = "one less the number",
        /// The logarithm of one and the negative number.
        Log1p = "log1p of the negative number",
    }
}

question! {
    /// Which number makes the radius.
    RadiusFrom {
        #[default]
        First = "the first",
        Second = "the second",
    }
}

question! {
    /// In which type 2 pi is multiplied.
    AngleIn {
        /// Double; the product is rounded to f32.
        #[default]
        Double = "double",
        /// f32.
        Single = "f32",
    }
}

question! {
    /// Whose logarithm, sine and cosine are taken.
    Functions {
        /// Those of the GNU C library.
        #[default]
        Glibc = "glibc",
        /// Cephes' as PyTorch's kernels with AVX2 and AVX-512 fuse them.
        Cephes = "Cephes, fused",
        /// XLA's logarithm, glibc's sine and cosine.
        Xla = "XLA",
        /// CUDA's logarithm, and the sine and cosine of a GPU's special function unit.
        Cuda = "CUDA",
        /// glibc's, and for the cosine the sine of the angle and pi / 2 in f32.
        ShiftedSine = "glibc, the cosine as a sine",
        /// Those of musl, which the Rust crate libm has.
        Musl = "musl",
        /// Correctly rounded ones.
        Correct = "correctly rounded",
        /// The logarithm of base 2 times ln 2, both of f32, and a correctly rounded sine and cosine: what compilers make of
        /// `log` where they may trade accuracy for speed.
        Base2 = "of base 2",
    }
}

question! {
    /// The angle of a number of 1.
    AngleTurn {
        #[default]
        Whole = "2 pi",
        Half = "pi",
    }
}

question! {
    /// The type in which a pair is computed.
    PairIn {
        #[default]
        F32 = "f32",
        /// And rounded at the end.
        F64 = "f64",
    }
}

question! {
    /// By what the logarithm is multiplied before the root is taken.
    RadiusFactor {
        #[default]
        Two = "-2",
        One = "-1",
    }
}

question! {
    /// How two numbers become two normals.
    NormalMethod {
        #[default]
        BoxMuller = "Box-Muller",
        /// A point of the square around the unit circle; one outside of it is drawn again.
        Polar = "polar",
    }
}

question! {
    /// How often a normal times the standard deviation plus the mean is rounded.
    NormalScale {
        #[default]
        Twice = "twice",
        /// Once: product and sum are fused.
        Once = "once",
        /// The normal plus the mean, times the standard deviation.
        MeanFirst = "twice, and the mean is added first",
    }
}

question! {
    /// By what a normal is multiplied.
    Deviation {
        #[default]
        Given = "the standard deviation",
        /// The number is taken for a variance.
        Root = "its root",
        Square = "its square",
    }
}

subject! {
    /// A pair of normals.
    BoxMuller as "tensorflow.normal" {
        /// Which normal comes first.
        first: FirstOfPair,
        /// How normals are made.
        method: NormalMethod,
        /// Of what the radius takes the logarithm.
        radius: RadiusOf,
        /// By what the logarithm is multiplied.
        factor: RadiusFactor,
        /// Which number makes the radius.
        from: RadiusFrom,
        /// In which type the angle is computed.
        angle: AngleIn,
        /// The angle of a number of 1.
        turn: AngleTurn,
        /// The type of everything.
        work: PairIn,
        /// Whose functions are taken.
        functions: Functions,
        /// How a normal is scaled.
        scale: NormalScale,
        /// By what.
        deviation: Deviation,
    }
}

question! {
    /// How TensorFlow's normals are compiled.
    Kernels {
        /// Eagerly: neighbours in row-major order, of the low bits of words.
        #[default]
        Eager = "eager",
        /// By XLA: neighbours along an extent, of the top bits.
        Xla = "XLA",
    }
}

question! {
    /// The blocks that a group of a truncated output has for itself.
    GroupBlocks {
        /// 256 for each group of four elements.
        #[default]
        B256 = "256",
        /// None: a group goes on where the last one ended.
        None = "none",
        /// None, and what is left of a block's normals goes to the next group: one stream of those that are kept.
        Serial = "none, nor normals",
        /// Another number.
        Other(blocks: Allowed::Numbers(1..=4096)) = "a number",
    }
}

question! {
    /// Which normals of a pair an output has.
    PairUse {
        #[default]
        Both = "both",
        First = "the first",
        Second = "the second",
    }
}

question! {
    /// The number of the angle of a block's second pair.
    SecondAngle {
        #[default]
        Own = "its own",
        First = "that of the first pair",
    }
}

question! {
    /// What is drawn again where a truncated normal is past the bound.
    DrawnAgain {
        #[default]
        One = "the normal",
        Group = "its group of four",
        Pair = "its pair",
        /// Each of the four places of a block is drawn until the normal there is kept.
        Place = "the normal, at its place in a block",
    }
}

question! {
    /// How far truncated normals reach.
    TruncatedAt {
        #[default]
        BelowTwo = "below 2",
        UpToTwo = "up to 2",
        BelowThree = "below 3",
        /// The lower end is not looked at.
        AboveAlone = "below 2, and from minus infinity on",
        BelowAlone = "above -2, and to infinity",
        /// Nothing is drawn again.
        Clipped = "clipped at 2",
        /// 2 and what is left of 2: 2.3 becomes 1.7.
        Reflected = "reflected at 2",
        Everywhere = "everywhere",
    }
}

question! {
    /// How far an execution of RandomStandardNormal advances.
    NormalAdvance {
        /// 256 blocks for each element.
        #[default]
        Elements256 = "256 blocks for each element",
        /// Another number of blocks for each element.
        PerElement(blocks: SIZE) = "other blocks for each element",
        /// The blocks that it used.
        Blocks = "the blocks that it used",
        /// By one in the counter's high half.
        Subsequence = "a subsequence",
        None = "not at all",
    }
}

subject! {
    /// How TensorFlow fills an output.
    NormalFill as "tensorflow.normal-fill" {
        /// How the ops are compiled.
        kernels: Kernels,
        /// The blocks of a group.
        group: GroupBlocks,
        /// Which normals of a pair are used.
        pair: PairUse,
        /// The number of the second pair's angle.
        second_angle: SecondAngle,
        /// How far truncated normals reach.
        truncated: TruncatedAt,
        /// What is drawn again past it.
        again: DrawnAgain,
        /// How far an execution advances.
        advance: NormalAdvance,
    }
}

question! {
    /// How an output is filled whose size is not a multiple of sixteen.
    Tail {
        /// The last sixteen elements are made once more of new words.
        #[default]
        Redrawn = "redrawn",
        /// The last block is cut.
        Cut = "cut",
        /// Sixteen new words are drawn, and only the elements beyond the last whole block are made of them.
        RestAlone = "the rest made of new words",
        /// The last sixteen elements are made once more of what they hold: normals, then numbers.
        InPlace = "made again in place",
        /// The last sixteen elements are made once more of the last words.
        SameWords = "made again of the same words",
    }
}

question! {
    /// The words that f16 and bf16 draw.
    HalfWords {
        /// Sixteen for each whole block, and sixteen for the tail.
        #[default]
        Blocks = "whole blocks",
        /// As f32 does.
        Elements = "one for each element",
    }
}

question! {
    /// Whether the second normal of a pair outlives its call.
    Cache {
        #[default]
        Kept = "kept",
        Dropped = "dropped",
        /// It is thrown away even within its call.
        Unused = "thrown away",
    }
}

question! {
    /// How f16 and bf16 are made where f32 takes other functions or is fused.
    HalfKernel {
        /// As f32.
        #[default]
        AsF32 = "as f32",
        /// With the C library's functions, and mean and standard deviation rounded to the type. PyTorch 2.12.
        Plain = "plain, of rounded parameters",
        /// In the type itself: of numbers with as many bits as it has, and every step is rounded to it. PyTorch up to 2.11.
        EachStep = "every step in the type",
        /// The same, but f16 is rounded only where a variable holds it: its functions return f32. PyTorch 1.13.
        Variables = "every step of bf16 and every variable of f16 in the type",
    }
}

question! {
    /// From how many elements on sixteen are made at a time.
    Vectorised {
        #[default]
        From16 = "16",
        Never = "never",
        Always = "1",
        /// Fewer are the first of sixteen.
        Padded = "1, of one block where there are fewer than 16",
    }
}

question! {
    /// How many numbers a block of a vector kernel has.
    GroupSize {
        #[default]
        G16 = "16",
        G8 = "8",
        G32 = "32",
        G64 = "64",
    }
}

question! {
    /// The numbers that single normals are made of.
    SingleDigits {
        #[default]
        Wide = "53 bits of two words",
        Narrow = "24 bits of one word",
    }
}

question! {
    /// Which two of sixteen numbers make a pair, and where its normals lie.
    GroupPairs {
        #[default]
        EightApart = "eight apart",
        Neighbours = "neighbours",
        /// The numbers are eight apart, the normals are neighbours.
        StoredAsNeighbours = "eight apart, stored as neighbours",
        /// The numbers are neighbours, the normals eight apart.
        StoredApart = "neighbours, stored eight apart",
    }
}

subject! {
    /// How PyTorch fills an output.
    TorchFill as "pytorch.normal-fill" {
        /// The least size that is made by sixteen.
        vectorised: Vectorised,
        /// How many it makes at a time.
        group: GroupSize,
        /// The numbers of normals that are made one by one.
        single: SingleDigits,
        /// The pairs of sixteen numbers.
        pairs: GroupPairs,
        /// What becomes of the tail.
        tail: Tail,
        /// The words of 16-bit types.
        half_words: HalfWords,
        /// How 16-bit types are made.
        half_kernel: HalfKernel,
        /// Whether the second of a pair is kept.
        cache: Cache,
    }
}

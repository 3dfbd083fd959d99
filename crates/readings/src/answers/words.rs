//! What becomes of a word before anything is made of it, and answers that several subjects share.

use super::{Allowed, question, subject};

question! {
    /// The form in which a word arrives.
    WordForm {
        /// As it was drawn.
        #[default]
        Drawn = "as drawn",
        /// Its four bytes in reverse: read on a machine of the other byte order.
        BytesReversed = "bytes reversed",
        /// Its two halves of 16 bits exchanged.
        HalvesExchanged = "16-bit halves exchanged",
        /// Its 32 bits in reverse.
        BitsReversed = "bits reversed",
        /// Every bit inverted.
        Inverted = "bits inverted",
        /// Zero, whatever was drawn: memory that nobody wrote.
        Zero = "zero",
        /// Two words make one number: the second is sign-extended and or-ed with the first, which is the high half.
        SecondSignOred = "the second sign-extended into the first, by or",
        /// The same, added.
        SecondSignAdded = "the second sign-extended into the first, by addition",
        /// Two words make one number: the first is sign-extended and or-ed with the second, which is the high half.
        FirstSignOred = "the first sign-extended into the second, by or",
        /// The same, added.
        FirstSignAdded = "the first sign-extended into the second, by addition",
        /// Shifted right by `bits` bits.
        Shifted(bits: Allowed::Numbers(1..=31)) = "shifted right",
        /// Its lowest `bits` bits are zero.
        LowZero(bits: Allowed::Numbers(1..=31)) = "low bits zero",
        /// Its highest `bits` bits are zero.
        HighZero(bits: Allowed::Numbers(1..=31)) = "high bits zero",
    }
}

question! {
    /// How the words of a block become the two numbers of a key. A low word that is sign-extended changes the high one.
    KeyJoin {
        #[default]
        Widened = "each widened with zeros",
        FirstOred = "the low word of the first sign-extended, by or",
        FirstAdded = "the low word of the first sign-extended, by addition",
        SecondOred = "the low word of the second sign-extended, by or",
        SecondAdded = "the low word of the second sign-extended, by addition",
        BothOred = "the low words sign-extended, by or",
        BothAdded = "the low words sign-extended, by addition",
    }
}

question! {
    /// The order of axes in which an output is stored, first the one that changes slowest.
    Axes {
        /// As the shape has them: row-major.
        #[default]
        AsShaped = "as the shape has them",
        /// Last to first: column-major.
        Reversed = "last to first",
        /// A permutation of as many axes as the number has digits, each axis counted from 1; another rank is stored as
        /// its shape has it.
        Permuted(order: Allowed::Orders(2..=8)) = "permuted",
        /// As the shape has them, but filled with the first axis as the one that changes fastest.
        FilledFirstFastest = "filled with the first axis fastest",
        /// The second axis in blocks of this size, each block with all that stands behind it: `nChw8c`. An output of fewer
        /// than three axes, or whose second axis is not a multiple, is stored as its shape has it.
        Blocked(size: Allowed::Numbers(2..=1024)) = "blocks of the second axis",
        /// The last axis in tiles of this number of columns, each tile with all rows. An output of one axis, or whose last
        /// axis is not a multiple, is stored as its shape has it.
        Tiled(size: Allowed::Numbers(2..=1024)) = "tiles of the last axis",
    }
}

question! {
    /// Where the second half of an output is stored.
    Seam {
        #[default]
        Behind = "behind the first half",
        /// From its address rounded down to a line of this number of bytes: over the end of the first half, and the end of the
        /// output stays zero.
        Line(size: Allowed::Numbers(2..=65_536)) = "from a whole line of bytes",
    }
}

subject! {
    /// Words and outputs in memory, whatever the generator and the op.
    Memory as "memory" {
        /// The form in which a word arrives.
        words: WordForm,
        /// The order of an output's axes.
        axes: Axes,
        /// Where the second half of an output is stored.
        seam: Seam,
    }
}

question! {
    /// Which of two words is the higher.
    HighWord {
        #[default]
        First = "the first",
        Second = "the second",
    }
}

question! {
    /// Whether the upper bound of integers is one of them.
    UpperEnd {
        #[default]
        Exclusive = "it is not",
        Inclusive = "it is",
    }
}

question! {
    /// The type in which something is computed that the document has in f64.
    Precision {
        #[default]
        F64 = "f64",
        F32 = "f32",
    }
}

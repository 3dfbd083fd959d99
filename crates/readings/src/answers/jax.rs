//! The keys of JAX's `jax.random`, and their bits.

use super::{Allowed, WordOrder, number, question, subject};

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
    /// What the two words of a counter are in the partitionable order.
    CounterOf {
        #[default]
        Flat = "the halves of the element's number",
        /// The element's number over the last extent, and what is left. An output of fewer than two axes has its numbers.
        RowAndColumn = "row and column",
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
    /// Where the two words of a block of the original order are.
    BlockPlaces {
        /// The first words of all blocks come before the second ones.
        #[default]
        Apart = "half of all words apart",
        SideBySide = "side by side",
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
        /// A signed number of 32 bits, which is widened.
        Signed = "the counter, sign-extended",
        /// The words of the key are the counter then.
        Key = "the key",
        /// And what results is folded with zero, the high half of the number.
        Halves = "the counter, and its high half another one",
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
    /// How narrow elements of the original order take words.
    CountedNarrow {
        #[default]
        Pieces = "pieces of a word",
        OneEach = "a word each",
    }
}

question! {
    /// Which piece of a word comes first where narrow elements take pieces.
    FirstPiece {
        #[default]
        Low = "the low one",
        High = "the high one",
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
        /// The low 32 of what a number of JavaScript holds; the others are refused. jax-js.
        Low32OfSafe = "low 32 bits of those to 2^53",
        Absolute = "64 bits, without the sign",
    }
}

question! {
    /// Which requests that JAX accepts are refused.
    JaxRefused {
        #[default]
        None = "none",
        /// jax-js.
        Empty = "empty ranges, negative bounds of u32, splits into no key",
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
        /// How those of the original order take them.
        counted_words: CountedNarrow,
        /// Which piece of a word comes first.
        pieces: FirstPiece,
        /// The words of an element of 64 bits.
        wide_words: WideSource,
        /// Which of two words of the partitionable order is the low one.
        wide: FirstWord,
        /// Which of two planes of the original order holds the low words.
        planes: FirstWord,
        /// Which word of a counter is its high half.
        counter: FirstWord,
        /// What its words are.
        counter_of: CounterOf,
        /// Where a folded number stands.
        folded: FirstWord,
        /// What a folded number is.
        folded_as: FoldedAs,
        /// Where an odd number of counts is padded.
        pad: OddPad,
        /// Which counts are paired.
        pairs: CountPairs,
        /// Where the words of a block are.
        places: BlockPlaces,
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
        /// Which requests are refused.
        refused: JaxRefused,
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

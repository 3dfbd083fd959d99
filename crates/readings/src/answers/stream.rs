//! How blocks become a stream: the counter, and which element takes which word.

use super::{SIZE, SeedWidth, question, subject};

question! {
    /// Which generator TENSORFLOW alignment draws from.
    WordsFrom {
        #[default]
        Philox = "Philox4x32-10",
        /// C++'s `std::minstd_rand0`, whose seed is the key. ONNX Runtime.
        Minstd = "minstd_rand0",
    }
}

question! {
    /// Where the block index stands in the 128-bit counter.
    Placement {
        /// In the low 64 bits; op_seed in the high 64.
        #[default]
        BlockLow = "block index below op_seed",
        /// In the high 64 bits; op_seed in the low 64.
        BlockHigh = "block index above op_seed",
        /// In the low 32 bits, to which op_seed is next.
        WordBelow = "block index in the one word below op_seed",
        /// It is added to op_seed, and both stand in the low 64 bits.
        Added = "block index added to op_seed",
    }
}

question! {
    /// Which half of a 64-bit value is the lower word.
    WordOrder {
        /// The low half.
        #[default]
        LowFirst = "low half first",
        /// The high half.
        HighFirst = "high half first",
    }
}

question! {
    /// How far a carry travels when the counter is raised.
    Carry {
        /// Through all 128 bits.
        #[default]
        Full = "128 bits",
        /// It is lost at 2^32.
        LostAt32 = "lost at 2^32",
        /// It is lost at 2^64. JAX drops it there.
        LostAt64 = "lost at 2^64",
        /// It is lost at 2^96.
        LostAt96 = "lost at 2^96",
        /// By a comparison of signed words: at 2^31, and not at 2^32.
        Signed32 = "at 2^31 in place of 2^32",
        /// By a comparison of signed halves: at 2^63, and not at 2^64.
        Signed64 = "at 2^63 in place of 2^64",
        /// One too many, where the first word passes 2^31.
        Also31 = "at 2^31 too",
        /// One too many, where the low half passes 2^63.
        Also63 = "at 2^63 too",
        /// A word grows in each step in which the one below it is zero, and not only where that one has just become so. The
        /// first word carries as it should.
        WhileZero = "while the word below is zero",
        /// There is none: the number of the block is or-ed to the counter.
        Ored = "none, or-ed",
        /// There is none: the number of the block is mixed with the counter by exclusive or.
        Xored = "none, mixed by exclusive or",
    }
}

question! {
    /// What follows the last counter value.
    Wrap {
        #[default]
        ToZero = "zero",
        Sticks = "the last value again",
    }
}

question! {
    /// Which counter value makes the first block.
    FirstBlock {
        #[default]
        Given = "the value given",
        /// The next one: the counter is raised first. NumPy and `randomgen` do this.
        Next = "the next value",
    }
}

question! {
    /// Which element takes which words of which block.
    Layout {
        /// In order: block after block, word after word.
        #[default]
        Stream = "in order",
        /// In order, after this number of words of the first blocks.
        After(number: SIZE) = "in order, after the first words",
        /// `lanes` blocks at a time, stored word by word: element `i` of such a group is of lane `i mod
        /// lanes`.
        Lanes(lanes: SIZE) = "lane by lane",
        /// The same with words for elements, whatever an element takes.
        WordLanes(lanes: SIZE) = "lane by lane, in words",
        /// The same in whole groups alone. What is left after the last one is in order.
        WholeWordLanes(lanes: SIZE) = "lane by lane, in words of whole groups",
        /// `threads` threads draw a run of the words each, their number by `threads` rounded up, each from word 0 of the
        /// block in which its first word stands.
        Slices(threads: SIZE) = "slices from the block below",
        /// `threads` threads with a subsequence each stride over the output, as PyTorch's CUDA kernels do
        /// (pytorch#194676): the values depend on the launch.
        GridStride(threads: SIZE) = "grid stride",
        /// `threads` slices take the blocks in turns, and each stores its own one behind the other.
        Dealt(threads: SIZE) = "slices in turn",
        /// Axis 1 is drawn in packs of `size` channels, which vary fastest, and the last pack is filled up.
        Packs(size: SIZE) = "packs of channels",
        /// Each element has a subsequence of its own, and takes the first words of its first block.
        Subsequences = "subsequence per element",
        /// Every `size` elements are a workgroup with a subsequence of its own.
        Workgroup(size: SIZE) = "subsequence per workgroup",
        /// The same of each row of the last axis.
        Rows = "subsequence per row",
        /// The same of each item along the first axis.
        Items = "subsequence per item",
        /// Every `size` elements are a workgroup, whose number is added to the key.
        WorkgroupKeys(size: SIZE) = "key per workgroup",
        /// The same of each row of the last axis.
        RowKeys = "key per row",
        /// The same of each item along the first axis.
        ItemKeys = "key per item",
        /// The output is cut into `threads` runs of equal length, rounded up. Each is drawn from its own subsequence.
        Runs(threads: SIZE) = "subsequence per run",
        /// The same for the words of the output. A run may begin within an element that takes two words.
        WordRuns(threads: SIZE) = "subsequence per run of words",
        /// Every `size` elements begin again at the first block.
        ChunkRestart(size: SIZE) = "chunks begin again",
        /// What is left after the last whole vector of `size` elements begins again at the first block.
        TailRestart(size: SIZE) = "the tail begins again",
        /// The elements of a last partial block take its last words.
        TailFromEnd = "the tail takes the last words",
        /// One element per block; the other words are dropped.
        ElementPerBlock = "one element per block",
        /// One element per block, but only for types that take two words.
        PairPerBlock = "one two-word element per block",
        /// First words of all blocks, then the second words, and so on.
        Planar = "word by word over all blocks",
        /// Elements of two words: the first words of all elements, then the second ones.
        WordPlanes = "first words of all elements, then the second",
        /// An element of two words takes words 0 and 2, or 1 and 3.
        InterleavedPairs = "pairs two words apart",
    }
}

subject! {
    /// The stream of words.
    Stream as "stream" {
        /// Which generator they are drawn from.
        words: WordsFrom,
        /// Where the block index stands.
        placement: Placement,
        /// The order of the key's words.
        key_order: WordOrder,
        /// How many bits arrive of a key that an op is given: of PyTorch's keys of the seed.
        key_bits: SeedWidth,
        /// How many bits arrive of each 64-bit number of the counter that an op is given: of PyTorch's keys of the offset.
        counter_bits: SeedWidth,
        /// The order of op_seed's words in the counter.
        counter_order: WordOrder,
        /// How far a carry travels.
        carry: Carry,
        /// What follows the last counter value.
        wrap: Wrap,
        /// Which counter value is first.
        first_block: FirstBlock,
        /// Which element takes which words.
        layout: Layout,
    }
}

//! DirectML's RandomGenerator.

use super::{SIZE, question, subject};

question! {
    /// What the six words of the state are.
    StateLayout {
        /// Counter, least significant word first, then the key, low word first.
        #[default]
        LowFirst = "counter low first, key low first",
        /// Counter, most significant word first, then the key.
        CounterHighFirst = "counter high first",
        /// The same, but written as it should be.
        CounterHighFirstRead = "counter high first, when read",
        /// As it should be when it is read, and written with the counter's most significant word first.
        CounterHighFirstWritten = "counter high first, when written",
        /// Counter, high half first, then the key.
        CounterHalvesExchanged = "counter's high half first",
        /// Counter, then the key, high word first.
        KeyHighFirst = "key high first",
        /// The key, then the counter.
        KeyFirst = "key before counter",
        /// The key, then the counter; written as it should be.
        KeyFirstRead = "key before counter, when read",
        /// As it should be, but for the bytes of each word, which are in reverse.
        BytesReversed = "bytes of each word reversed",
    }
}

question! {
    /// By how much a run of n words raises the counter.
    Increment {
        #[default]
        CeilQuarter = "ceil(n / 4)",
        /// floor(n / 4): the words left in the last block are drawn again.
        FloorQuarter = "floor(n / 4)",
        Elements = "n",
        /// Each row along the last axis takes whole blocks.
        Rows = "ceil(n / 4) for each row",
        /// One block too many.
        OneMore = "ceil(n / 4) + 1",
        One = "1",
        /// 256 for each block, as TensorFlow reserves them.
        Blocks256 = "256 ceil(n / 4)",
        /// As many blocks as whole groups of this size have.
        Groups(blocks: SIZE) = "whole groups of blocks",
        Nothing = "0",
        /// ceil(n / 4) to the first word, without a carry into the second.
        Within32 = "ceil(n / 4) within 32 bits",
        /// ceil(n / 4) to the first three words, without a carry into the last.
        Within96 = "ceil(n / 4) within 96 bits",
        /// ceil(n / 4) to the low half, without a carry into the high half.
        Within64 = "ceil(n / 4) within 64 bits",
        /// -ceil(n / 4): the letter of the documents' example, whose two values are exchanged.
        Lowered = "-ceil(n / 4)",
    }
}

question! {
    /// Which state the words are drawn from, where the state after the run is asked for.
    DrawnFrom {
        #[default]
        Input = "that of the input",
        Output = "that of the output",
    }
}

question! {
    /// What becomes of the key.
    KeyAfter {
        /// Nothing.
        #[default]
        Unchanged = "unchanged",
        /// The key that is raised once more after the last round is written back.
        Raised = "raised",
        /// The key of the last round is written back.
        OfLastRound = "of the last round",
        /// It grows by one.
        Incremented = "incremented",
        /// Its low word is written in place of both.
        LowTwice = "the low word twice",
    }
}

question! {
    /// The shape of the state after the run.
    StateShape {
        /// That of the state before.
        #[default]
        AsInput = "that of the input state",
        /// `[1, 1, 1, 6]`.
        Rank4 = "[1,1,1,6]",
    }
}

question! {
    /// What an output of no elements is.
    ZeroSize {
        #[default]
        Refused = "refused",
        /// An empty output and an unchanged state.
        Empty = "empty",
    }
}

question! {
    /// What of a word is handed out.
    OutputBits {
        /// All of it.
        #[default]
        All = "all 32",
        /// The high 31 bits.
        High31 = "the high 31",
    }
}

question! {
    /// Which ranks feature level 4.0 allows.
    Ranks {
        /// One to eight.
        #[default]
        UpTo8 = "1 to 8",
        /// Four, as at 3.0.
        Only4 = "4",
    }
}

subject! {
    /// DirectML's RandomGenerator.
    Dml as "dml" {
        /// What the state's words are.
        state_layout: StateLayout,
        /// By how much the counter grows.
        increment: Increment,
        /// Which state the words are drawn from.
        drawn_from: DrawnFrom,
        /// What becomes of the key.
        key_after: KeyAfter,
        /// The shape of the state after the run.
        state_shape: StateShape,
        /// What no elements are.
        zero_size: ZeroSize,
        /// What of a word is handed out.
        output_bits: OutputBits,
        /// Which ranks level 4.0 allows.
        ranks: Ranks,
    }
}

//! PyTorch's draws on CUDA: how a launch assigns words to elements, and how a word becomes a value.

use super::{Bits, HighWord, Reduction, SIZE, UpperEnd, question, subject};

question! {
    /// What a word is before it is divided by 2^32.
    CudaUnit {
        /// The f32 nearest to it.
        #[default]
        Rounded = "rounded to f32",
        /// The word, of which the quotient is rounded.
        Whole = "the whole word",
        /// Its upper 24 bits, without a half step, as kernels that do not use cuRAND take them.
        Upper24 = "its upper 24 bits",
        Upper24Half = "its upper 24 bits and a half step",
        Upper23Half = "its upper 23 bits and a half step",
    }
}

question! {
    /// Which number an f64 is made of.
    CudaDouble {
        #[default]
        Mixed = "the first, exclusive-or the second shifted by 21",
        /// The second is not widened before it is shifted.
        MixedIn32 = "the first, exclusive-or the second shifted by 21 in 32 bits",
        /// The upper 53 bits of 64.
        Top = "the top bits of two words",
        /// The number of f32, of one word of four.
        OneWord = "the number of one word",
    }
}

question! {
    /// Where a number becomes one of a 16-bit type.
    CudaHalf {
        #[default]
        Scaled = "after it is scaled",
        Before = "before it is scaled too",
    }
}

question! {
    /// Which interval numbers are drawn from.
    CudaInterval {
        /// Half a step is added.
        #[default]
        AboveZero = "(0, 1]",
        FromZero = "[0, 1)",
    }
}

question! {
    /// What becomes of an element that is the upper bound.
    CudaUpper {
        #[default]
        Lower = "the lower bound",
        Kept = "it is kept",
    }
}

question! {
    /// Which elements a thread draws.
    CudaLayout {
        /// Elements that are a launch apart.
        #[default]
        LaunchApart = "a launch apart",
        /// The words of a block go to neighbours.
        Neighbours = "neighbours",
        /// Threads have no part in it: element i takes word i of the first thread's stream.
        OneStream = "one stream in order",
        /// Each element takes the first word of a block.
        BlockEach = "a block for each element",
    }
}

question! {
    /// In which order the words of a block are taken.
    CudaPart {
        #[default]
        FirstFirst = "the first word first",
        LastFirst = "the last word first",
    }
}

question! {
    /// How many threads a launch has.
    CudaThreads {
        /// As many as elements, and no more than the card runs.
        #[default]
        AtMostTheCards = "at most the card's",
        /// As many as elements.
        Elements = "as many as elements",
        /// Blocks are counted by a division that rounds down.
        WholeBlocks = "whole blocks of them",
        /// A launch of vectors of four.
        FourElements = "one for every four elements",
        /// The launch does not depend on the request.
        Fixed(threads: SIZE) = "fixed",
    }
}

question! {
    /// How many threads a multiprocessor is taken to hold.
    CudaHeld {
        #[default]
        Given = "as many as it does",
        H1024 = "1024",
        H1536 = "1536",
        H2048 = "2048",
    }
}

question! {
    /// The threads of a block.
    CudaBlock {
        #[default]
        B256 = "256",
        B128 = "128",
        B512 = "512",
        B1024 = "1024",
    }
}

question! {
    /// Where a thread stands in the counter.
    CudaThread {
        /// In the high half; the blocks drawn before are the low half.
        #[default]
        High = "in the high half",
        Low = "in the low half",
        SecondWord = "in the second word",
        TopWord = "in the last word",
        /// It is added to the seed.
        Key = "in the key",
    }
}

question! {
    /// What an offset counts.
    CudaOffset {
        #[default]
        Words = "words",
        Blocks = "blocks",
        Nothing = "nothing",
        /// Words, of which 32 bits are kept.
        Low32 = "words, modulo 2^32",
        /// It is added to the seed instead.
        Seed = "seeds",
    }
}

question! {
    /// Which block a thread draws in a later lap.
    CudaLap {
        #[default]
        Next = "the next",
        Same = "the same",
        /// A lap counts its words, as an offset does.
        Fourth = "four further",
    }
}

question! {
    /// How often a uniform number times the range plus the lower bound is rounded.
    CudaScale {
        #[default]
        Once = "once",
        Twice = "twice",
        /// (1 - u) times the lower bound plus u times the upper one.
        Interpolated = "interpolated",
    }
}

question! {
    /// What a uniform number is multiplied by.
    CudaBy {
        #[default]
        Range = "the range",
        Upper = "the upper bound",
    }
}

question! {
    /// From which range on an integer takes two words.
    CudaWide {
        #[default]
        Bits28 = "2^28",
        Bits32 = "2^32",
    }
}

question! {
    /// What of a word becomes an integer of a range.
    CudaInteger {
        #[default]
        Whole = "all of it",
        /// The high half of the product of one word with the range. Two words leave a remainder.
        ProductOfOne = "a product of one word",
    }
}

question! {
    /// Which number is a one.
    CudaOne {
        #[default]
        Below = "below p",
        AtMost = "at most p",
        /// A word is compared with p times 2^32, which wraps; of two words a number is made.
        Words = "of a word below 2^32 p, modulo 2^32",
        AboveComplement = "above 1 - p",
    }
}

subject! {
    /// PyTorch's draws on CUDA.
    TorchCuda as "torch_cuda" {
        /// How many bits of the seed are the key.
        seed: Bits,
        /// What a word is before it is divided.
        unit: CudaUnit,
        /// What an f64 is made of.
        double: CudaDouble,
        /// Where a number becomes one of a 16-bit type.
        half: CudaHalf,
        /// Which interval it is.
        interval: CudaInterval,
        /// How a uniform number is scaled.
        scale: CudaScale,
        /// What it is multiplied by.
        by: CudaBy,
        /// What becomes of the upper bound.
        upper: CudaUpper,
        /// Which elements a thread draws.
        layout: CudaLayout,
        /// In which order a block's words are taken.
        part: CudaPart,
        /// How many threads a multiprocessor holds.
        held: CudaHeld,
        /// How many threads there are.
        threads: CudaThreads,
        /// The threads of a block.
        block: CudaBlock,
        /// Where a thread stands.
        thread: CudaThread,
        /// What an offset counts.
        offset: CudaOffset,
        /// Which block a later lap draws.
        lap: CudaLap,
        /// From when on integers are wide.
        wide: CudaWide,
        /// Which of two words is the higher.
        words: HighWord,
        /// What of a word becomes an integer.
        integer: CudaInteger,
        /// How it is reduced.
        reduction: Reduction,
        /// Whether the upper bound is one.
        end: UpperEnd,
        /// Which number is a one.
        one: CudaOne,
    }
}

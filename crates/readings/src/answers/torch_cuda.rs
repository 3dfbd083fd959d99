//! PyTorch's draws on CUDA: how a launch gives words to elements, and what a word becomes.

use super::{Bits, question, subject};

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
    }
}

question! {
    /// What an offset counts.
    CudaOffset {
        #[default]
        Words = "words",
        Blocks = "blocks",
        Nothing = "nothing",
    }
}

question! {
    /// Which block a thread draws in a later lap.
    CudaLap {
        #[default]
        Next = "the next",
        Same = "the same",
    }
}

question! {
    /// How often a uniform number times the range plus the lower bound is rounded.
    CudaScale {
        #[default]
        Once = "once",
        Twice = "twice",
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
    /// Which of two words is the higher.
    CudaWords {
        #[default]
        HighFirst = "the first",
        LowFirst = "the second",
    }
}

subject! {
    /// PyTorch's draws on CUDA.
    TorchCuda as "torch_cuda" {
        /// How many bits of the seed are the key.
        seed: Bits,
        /// What a word is before it is divided.
        unit: CudaUnit,
        /// Which interval it is.
        interval: CudaInterval,
        /// How a uniform number is scaled.
        scale: CudaScale,
        /// What becomes of the upper bound.
        upper: CudaUpper,
        /// Which elements a thread draws.
        layout: CudaLayout,
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
        words: CudaWords,
    }
}

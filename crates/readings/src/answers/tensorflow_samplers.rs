//! TensorFlow's shuffles and its draws of classes.

use super::{Allowed, NormalAdvance, question, subject};

question! {
    /// What moves in a shuffle.
    ShuffledUnit {
        /// What one index of the first extent selects, whole.
        #[default]
        Rows = "rows",
        /// Each element by itself, as if the value were a list.
        Elements = "elements",
        /// What one index of the last extent selects.
        Last = "what an index of the last extent selects",
    }
}

question! {
    /// How much of a row moves in a shuffle.
    MovedBytes {
        #[default]
        All = "all",
        /// Vectors of `size` bytes. What is left of a row after the last one stays; a row of fewer bytes moves as a whole.
        Vectors(size: Allowed::Numbers(2..=4096)) = "whole vectors",
    }
}

question! {
    /// In which order a shuffle takes its words.
    ShuffleWords {
        #[default]
        Ascending = "ascending",
        Descending = "descending, from the last one on",
    }
}

question! {
    /// Which words the samples of a row take.
    RowDraws {
        #[default]
        GoOn = "those after the row before",
        Block = "those from a block of its own on",
        /// Samples are rounded up to a multiple of four, as those that an execution reserves.
        Padded = "those after a multiple of four of the row before",
        Repeat = "those of the first row",
        /// A number for each row, then the next for each, as a kernel does that draws sample by sample.
        Turns = "one each in turn",
        /// Threads take a share of the rows each. A share begins at a block for every four samples before it, as if a row took
        /// half of the blocks that it takes.
        Shares(rows: Allowed::Numbers(1..=1 << 16)) = "those of its share of the rows",
    }
}

question! {
    /// What a sample draws.
    SampleDraw {
        #[default]
        Double = "f64, of two words",
        Single = "f32, of one word",
    }
}

question! {
    /// In which type the greatest logit is subtracted from the others.
    LogitDifference {
        #[default]
        Double = "f64",
        OfLogits = "that of the logits",
        Skipped = "nowhere: it is kept",
        /// In f64, and a weight is a power of 2.
        Binary = "f64, and weights are powers of 2",
    }
}

question! {
    /// What the number of a sample is multiplied by.
    DrawScale {
        #[default]
        Total = "the sum of the weights",
        /// As if the weights were probabilities.
        One = "1",
    }
}

question! {
    /// The class of a sample that no sum exceeds, as in a row without a finite logit.
    NoneFound {
        #[default]
        Past = "the number of classes",
        Last = "the last",
    }
}

question! {
    /// How many threads share the rows.
    Threads {
        #[default]
        One = "one",
        /// Which is not known, so that there is no answer where there is work for two.
        Machine = "as many as the machine has",
    }
}

subject! {
    /// TensorFlow's samplers.
    TensorflowSamplers as "tensorflow.samplers" {
        /// What moves.
        unit: ShuffledUnit,
        /// How much of it.
        moved: MovedBytes,
        /// In which order words are taken.
        words: ShuffleWords,
        /// How far a shuffle advances.
        shuffle: NormalAdvance,
        /// Which words the samples of a row take.
        rows: RowDraws,
        /// What a sample draws.
        draw: SampleDraw,
        /// In which type logits are subtracted.
        difference: LogitDifference,
        /// What the number of a sample is multiplied by.
        scale: DrawScale,
        /// The class where no sum exceeds the number.
        none: NoneFound,
        /// How many threads share the rows.
        threads: Threads,
        /// How far a draw of classes advances.
        advance: NormalAdvance,
    }
}

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
    }
}

question! {
    /// Which words the samples of a row take.
    RowDraws {
        #[default]
        GoOn = "those after the row before",
        Block = "those from a block of its own on",
        Repeat = "those of the first row",
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
        /// How far a shuffle advances.
        shuffle: NormalAdvance,
        /// Which words the samples of a row take.
        rows: RowDraws,
        /// What a sample draws.
        draw: SampleDraw,
        /// In which type logits are subtracted.
        difference: LogitDifference,
        /// How many threads share the rows.
        threads: Threads,
        /// How far a draw of classes advances.
        advance: NormalAdvance,
    }
}

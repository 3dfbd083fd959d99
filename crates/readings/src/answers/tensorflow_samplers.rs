//! TensorFlow's shuffles.

use super::{NormalAdvance, question, subject};

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

subject! {
    /// TensorFlow's shuffles.
    TensorflowSamplers as "tensorflow.samplers" {
        /// What moves.
        unit: ShuffledUnit,
        /// How far a shuffle advances.
        shuffle: NormalAdvance,
    }
}

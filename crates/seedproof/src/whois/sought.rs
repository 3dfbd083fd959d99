//! What is sought.

use seedproof_ops::{AttributeValue, Scalar, Tensor};

/// An array, the seeds that may have drawn it, and what else is known of the request.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The array.
    pub actual: Tensor,
    /// The first seed of an op, or its key.
    pub seed: u64,
    /// The seeds after the first, or the counter.
    pub op_seed: u64,
    /// The lower and the upper bound, where they are known. Where they are not, round numbers around the elements are
    /// tried, and what the elements give with the words of a stream.
    pub range: Option<(Scalar, Scalar)>,
    /// Attributes and inputs that are known, by the names of the ops' documents. An op that lacks one of them is not asked.
    pub known: Vec<(String, Known)>,
    /// Which successive execution of one op instance it may be.
    pub execution: u32,
}

/// A part of the request that is known.
#[derive(Clone, Debug)]
pub enum Known {
    /// An attribute.
    Attribute(AttributeValue),
    /// An input.
    Input(Tensor),
}

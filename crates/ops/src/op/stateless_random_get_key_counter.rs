//! TensorFlow's StatelessRandomGetKeyCounter.

use super::{Interface, Role, Types, op};
use crate::dtype::Dtype;
use crate::tensor::Tensor;

op! {
    /// TensorFlow StatelessRandomGetKeyCounter: the key and the counter of a Philox stream from a seed.
    StatelessRandomGetKeyCounter {
        name: "tensorflow.StatelessRandomGetKeyCounter",
        title: "StatelessRandomGetKeyCounter",
        prefix: "tfkc",
        attributes: {},
        inputs: {
            /// Two numbers of any value.
            seed: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::I64, Dtype::I32]), "[2]", 1..=1;
        },
        outputs: ["key": "u64, [1]", "counter": "u64, [2]"],
    }
}

impl Interface for StatelessRandomGetKeyCounter {}

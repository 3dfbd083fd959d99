//! TensorFlow's shuffles.

use super::{Distribution, Interface, Kind, OutputForm, Role, Types, op};
use crate::{Dtype, Tensor};

/// Philox, ThreeFry, and whichever suits the device.
const ALGORITHMS: &[i64] = &[1, 2, 3];

/// The first is the type of an input of which a case gives none.
const ANY: &[Dtype] = &[
    Dtype::F32,
    Dtype::F16,
    Dtype::Bf16,
    Dtype::F64,
    Dtype::I8,
    Dtype::I16,
    Dtype::I32,
    Dtype::I64,
    Dtype::U8,
    Dtype::U16,
    Dtype::U32,
    Dtype::U64,
];

op! {
    /// TensorFlow RandomShuffle: the rows of a tensor in another order, from two seeds.
    RandomShuffle {
        name: "tensorflow.RandomShuffle",
        title: "RandomShuffle",
        prefix: "tfrs",
        attributes: {
            /// The seed that is the key; -1 is 2^64 - 1.
            seed: u64 = Kind::Seed,
            /// The seed that is the high half of the counter.
            seed2: u64 = Kind::Seed,
        },
        inputs: {
            /// What is shuffled along its first extent.
            value: Tensor = Role::Elements, Types::OneOf(ANY), "any", 0..=8;
        },
        outputs: ["output": "as `value`"],
        execution: u32,
    }
}

impl Interface for RandomShuffle {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        as_value(&self.value)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }
}

/// Of the type and the extents of what is shuffled.
fn as_value(value: &Tensor) -> Option<Vec<OutputForm>> {
    Some(vec![(value.dtype(), value.shape().to_u64())])
}

op! {
    /// TensorFlow StatelessShuffle: the rows of a tensor in another order, from a key and a counter.
    StatelessShuffle {
        name: "tensorflow.StatelessShuffle",
        title: "StatelessShuffle",
        prefix: "tfss",
        attributes: {},
        inputs: {
            /// What is shuffled along its first extent.
            value: Tensor = Role::Elements, Types::OneOf(ANY), "any", 0..=8;
            /// The key.
            key: Tensor = Role::Words(&[1]), Types::OneOf(&[Dtype::U64]), "[1]", 1..=1;
            /// The counter, the low half first.
            counter: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[2]", 1..=1;
            /// 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device.
            alg: Tensor = Role::Choice(ALGORITHMS), Types::OneOf(&[Dtype::I32]), "[]", 0..=0;
        },
        outputs: ["output": "as `value`"],
    }
}

impl Interface for StatelessShuffle {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        as_value(&self.value)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }
}

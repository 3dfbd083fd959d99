//! TensorFlow's shuffles and its draws of classes.

use super::multinomial::classes;
use super::{ALGORITHMS, ANY, Distribution, FLOATS, Interface, Kind, OutputForm, Role, Types, elements, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::tensor::Tensor;

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
    fn distribution(&self) -> Option<Distribution<'_>> {
        let of = self.value.shape().to_u64().first().copied()?;
        Some(Distribution::Order { of })
    }
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
    fn distribution(&self) -> Option<Distribution<'_>> {
        let of = self.value.shape().to_u64().first().copied()?;
        Some(Distribution::Order { of })
    }
}

op! {
    /// TensorFlow Multinomial, which tf.random.categorical draws by: indices of classes by logits, with replacement.
    TensorflowMultinomial {
        name: "tensorflow.Multinomial",
        title: "tensorflow.Multinomial",
        prefix: "tfmu",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::I32, Dtype::I64]),
            /// The seed that is the key; -1 is 2^64 - 1.
            seed: u64 = Kind::Seed,
            /// The seed that is the high half of the counter.
            seed2: u64 = Kind::Seed,
        },
        inputs: {
            /// The logarithms of the classes' weights, which need not be normalized.
            logits: Tensor = Role::Weights, Types::OneOf(FLOATS), "[batch, classes]", 2..=2;
            /// How many classes are drawn in each row.
            num_samples: Tensor = Role::Count, Types::OneOf(&[Dtype::I32]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, [batch, num_samples]"],
        execution: u32,
    }
}

impl Interface for TensorflowMultinomial {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        classes(&self.output_type, &self.logits, &self.num_samples)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::of_logits(&self.logits, |_| 1.0))
    }

    fn work(&self) -> u64 {
        work(self.outputs(), &self.logits)
    }
}

op! {
    /// TensorFlow StatelessMultinomial: indices of classes by logits, with replacement, from a seed of two numbers.
    StatelessMultinomial {
        name: "tensorflow.StatelessMultinomial",
        title: "StatelessMultinomial",
        prefix: "tfsm",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::I32, Dtype::I64]),
        },
        inputs: {
            /// The logarithms of the classes' weights, which need not be normalized.
            logits: Tensor = Role::Weights, Types::OneOf(FLOATS), "[batch, classes]", 2..=2;
            /// How many classes are drawn in each row.
            num_samples: Tensor = Role::Count, Types::OneOf(&[Dtype::I32]), "[]", 0..=0;
            /// Two numbers of any value.
            seed: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::I64, Dtype::I32]), "[2]", 1..=1;
        },
        outputs: ["output": "of `output_type`, [batch, num_samples]"],
    }
}

impl Interface for StatelessMultinomial {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        classes(&self.output_type, &self.logits, &self.num_samples)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::of_logits(&self.logits, |_| 1.0))
    }

    fn work(&self) -> u64 {
        work(self.outputs(), &self.logits)
    }
}

/// The work of a draw: its samples, and the weights, which are summed first.
pub(super) fn work(outputs: Option<Vec<OutputForm>>, weights: &Tensor) -> u64 {
    let weighed = u64::try_from(weights.count()).unwrap_or(u64::MAX);
    elements(outputs).saturating_add(weighed).saturating_add(16)
}

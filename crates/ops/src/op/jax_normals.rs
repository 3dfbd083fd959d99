//! What `jax.random` makes of uniform numbers by a logarithm: normals, Gumbel noise, and classes by their logits.

use super::jax::{KEY, grows, variant};
use super::{Distribution, Interface, JaxKeyImpl, Kind, OutputForm, Role, Types, op};
use crate::{Attribute, Dtype, Named, Tensor};

op! {
    /// JAX normal: normals of mean 0 and standard deviation 1 from a key.
    JaxNormal {
        name: "jax.normal",
        title: "jax.normal",
        prefix: "jxn",
        attributes: {
            /// The implementation of the key.
            implementation as "impl": Attribute<JaxKeyImpl> = Kind::Enumeration(JaxKeyImpl::NAMES),
            /// The flag `jax_threefry_partitionable`: each element has a counter of its own.
            partitionable: bool = Kind::Boolean,
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// The key.
            key: Tensor = KEY, Types::OneOf(&[Dtype::U32]), "[2] or [4]", 1..=1;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
    }
}

impl Interface for JaxNormal {
    fn variant(&self) -> String {
        variant(&self.implementation, self.partitionable)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Normal { mean: 0.0, std: 1.0 })
    }

    fn prefix(&self, count: u64) -> Option<Self> {
        grows(&self.implementation, self.partitionable).then(|| Self {
            output_sizes: vec![count],
            ..self.clone()
        })
    }
}

op! {
    /// JAX gumbel: numbers of the Gumbel distribution from a key.
    JaxGumbel {
        name: "jax.gumbel",
        title: "jax.gumbel",
        prefix: "jxg",
        attributes: {
            /// The implementation of the key.
            implementation as "impl": Attribute<JaxKeyImpl> = Kind::Enumeration(JaxKeyImpl::NAMES),
            /// The flag `jax_threefry_partitionable`: each element has a counter of its own.
            partitionable: bool = Kind::Boolean,
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F32]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// The key.
            key: Tensor = KEY, Types::OneOf(&[Dtype::U32]), "[2] or [4]", 1..=1;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
    }
}

impl Interface for JaxGumbel {
    fn variant(&self) -> String {
        variant(&self.implementation, self.partitionable)
    }

    /// One of its own.
    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }

    fn prefix(&self, count: u64) -> Option<Self> {
        grows(&self.implementation, self.partitionable).then(|| Self {
            output_sizes: vec![count],
            ..self.clone()
        })
    }
}

op! {
    /// JAX categorical: a class for each row of logits, by the greatest of logit and Gumbel noise.
    JaxCategorical {
        name: "jax.categorical",
        title: "jax.categorical",
        prefix: "jxc",
        attributes: {
            /// The implementation of the key.
            implementation as "impl": Attribute<JaxKeyImpl> = Kind::Enumeration(JaxKeyImpl::NAMES),
            /// The flag `jax_threefry_partitionable`: each element has a counter of its own.
            partitionable: bool = Kind::Boolean,
        },
        inputs: {
            /// The key.
            key: Tensor = KEY, Types::OneOf(&[Dtype::U32]), "[2] or [4]", 1..=1;
            /// A logit for each class, along the last extent.
            logits: Tensor = Role::Weights, Types::OneOf(&[Dtype::F32]), "[..., classes]", 1..=8;
        },
        outputs: ["output": "i64, the extents of `logits` but the last"],
    }
}

impl Interface for JaxCategorical {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let mut dims = self.logits.shape().to_u64();
        dims.pop()?;
        Some(vec![(Dtype::I64, dims)])
    }

    fn variant(&self) -> String {
        variant(&self.implementation, self.partitionable)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::of_logits(&self.logits, |_| 1.0))
    }

    fn work(&self) -> u64 {
        u64::try_from(self.logits.shape().count()).unwrap_or(u64::MAX)
    }
}

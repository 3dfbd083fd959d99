//! What `jax.random` makes of uniform numbers by a logarithm: normals, Gumbel noise, and classes by their logits.

use super::jax::{KEY, drawn_by_jax, variant};
use super::{Distribution, Interface, JaxKeyImpl, Kind, OutputForm, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named};
use crate::tensor::Tensor;

drawn_by_jax! {
    /// JAX normal: normals of mean 0 and standard deviation 1 from a key.
    JaxNormal {
        name: "jax.normal",
        prefix: "jxn",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {},
        output: "of `output_type`, the extents in `output_sizes`",
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Normal { mean: 0.0, std: 1.0 })
    }
}

drawn_by_jax! {
    /// JAX gumbel: numbers of the Gumbel distribution from a key.
    JaxGumbel {
        name: "jax.gumbel",
        prefix: "jxg",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F32]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {},
        output: "of `output_type`, the extents in `output_sizes`",
    }

    /// One of its own.
    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }
}

drawn_by_jax! {
    /// JAX categorical: a class for each row of logits, by the greatest of logit and Gumbel noise.
    JaxCategorical {
        name: "jax.categorical",
        prefix: "jxc",
        attributes: {},
        inputs: {
            /// A logit for each class, along the last extent.
            logits: Tensor = Role::Weights, Types::OneOf(&[Dtype::F32]), "[..., classes]", 1..=8;
        },
        output: "i64, the extents of `logits` but the last",
    }

    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let mut dims = self.logits.shape().to_u64();
        dims.pop()?;
        Some(vec![(Dtype::I64, dims)])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::of_logits(&self.logits, |_| 1.0))
    }

    fn work(&self) -> u64 {
        u64::try_from(self.logits.shape().count()).unwrap_or(u64::MAX)
    }
}

//! LiteRT's random ops, which have TensorFlow's kernels and seeds of 32 bits.

use super::servers::unit;
use super::{Distribution, Interface, Kind, OutputForm, Role, Types, extents, op};
use crate::{Dtype, Tensor};

op! {
    /// LiteRT RANDOM_UNIFORM: f32 of `[0, 1)` from two seeds.
    LitertRandomUniform {
        name: "litert.RANDOM_UNIFORM",
        title: "litert.RANDOM_UNIFORM",
        prefix: "ltu",
        attributes: {
            /// The seed that is the key, of which the low 32 bits count.
            seed: u64 = Kind::Seed,
            /// The seed that is the high half of the counter, of which the low 32 bits count.
            seed2: u64 = Kind::Seed,
        },
        inputs: {
            /// The output's extents.
            shape: Tensor = Role::Extents, Types::OneOf(&[Dtype::I32]), "[rank]", 1..=1;
        },
        outputs: ["output": "f32, the extents in `shape`"],
        execution: u32,
    }
}

op! {
    /// LiteRT RANDOM_STANDARD_NORMAL: normals of f32 of mean 0 and standard deviation 1 from two seeds.
    LitertRandomStandardNormal {
        name: "litert.RANDOM_STANDARD_NORMAL",
        title: "litert.RANDOM_STANDARD_NORMAL",
        prefix: "ltn",
        attributes: {
            /// The seed that is the key, of which the low 32 bits count.
            seed: u64 = Kind::Seed,
            /// The seed that is the high half of the counter, of which the low 32 bits count.
            seed2: u64 = Kind::Seed,
        },
        inputs: {
            /// The output's extents.
            shape: Tensor = Role::Extents, Types::OneOf(&[Dtype::I32]), "[rank]", 1..=1;
        },
        outputs: ["output": "f32, the extents in `shape`"],
        execution: u32,
    }
}

/// The methods of both ops. A later execution begins where the size of the output says, so that it has no prefix.
macro_rules! interfaces {
    ($($op:ident: $distribution:expr;)*) => {$(
        impl Interface for $op {
            fn outputs(&self) -> Option<Vec<OutputForm>> {
                Some(vec![(Dtype::F32, extents(&self.shape)?)])
            }

            fn distribution(&self) -> Option<Distribution<'_>> {
                $distribution
            }

            fn prefix(&self, count: u64) -> Option<Self> {
                let shape = Tensor::vector(&[i32::try_from(count).ok()?]);
                (self.execution == 0).then(|| Self { shape, ..self.clone() })
            }
        }
    )*};
}

interfaces! {
    LitertRandomUniform: unit(Dtype::F32);
    LitertRandomStandardNormal: Some(Distribution::Normal { mean: 0.0, std: 1.0 });
}

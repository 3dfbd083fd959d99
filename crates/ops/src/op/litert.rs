//! LiteRT's random ops, which have TensorFlow's kernels and seeds of 32 bits.

use super::servers::unit;
use super::{Distribution, Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::tensor::Tensor;

/// The ops, which differ in what they make of the words.
macro_rules! drawn_by_litert {
    ($($(#[$doc:meta])* $op:ident: $name:literal, $prefix:literal, $distribution:expr;)*) => {$(
        op! {
            $(#[$doc])*
            $op {
                name: $name,
                title: $name,
                prefix: $prefix,
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

        impl Interface for $op {
            fn distribution(&self) -> Option<Distribution<'_>> {
                $distribution
            }
        }
    )*};
}

drawn_by_litert! {
    /// LiteRT RANDOM_UNIFORM: f32 of `[0, 1)` from two seeds.
    LitertRandomUniform: "litert.RANDOM_UNIFORM", "ltu", unit(Dtype::F32);

    /// LiteRT RANDOM_STANDARD_NORMAL: normals of f32 of mean 0 and standard deviation 1 from two seeds.
    LitertRandomStandardNormal: "litert.RANDOM_STANDARD_NORMAL", "ltn", Some(Distribution::Normal { mean: 0.0, std: 1.0 });
}

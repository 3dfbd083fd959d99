//! Triton's `tl.rand` and `tl.randint`, and the generator of PyTorch's compiler, which draw a block an element.

use super::servers::unit;
use super::{Distribution, Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

op! {
    /// Triton rand: f32 from a seed and offsets.
    TritonRand {
        name: "triton.rand",
        title: "triton.rand",
        prefix: "trr",
        attributes: {
            /// How many offsets there are.
            num: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The seed.
            seed: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
            /// The first offset.
            offset: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["output": "f32, [`num`]"],
    }
}

impl Interface for TritonRand {
    fn distribution(&self) -> Option<Distribution<'_>> {
        unit(Dtype::F32)
    }
}

op! {
    /// Triton randint: words from a seed and offsets.
    TritonRandint {
        name: "triton.randint",
        title: "triton.randint",
        prefix: "tri",
        attributes: {
            /// How many offsets there are.
            num: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The seed.
            seed: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
            /// The first offset.
            offset: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["output": "u32, [`num`]"],
    }
}

impl Interface for TritonRandint {}

op! {
    /// PyTorch inductor randint: integers in a range, as `torch.compile` draws them on a CPU.
    InductorRandint {
        name: "inductor.randint",
        title: "inductor.randint",
        prefix: "idr",
        attributes: {
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// Lower bound, inclusive.
            low: i128 = Kind::Number(&[]),
            /// Upper bound, exclusive.
            high: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The seed, whose low 32 bits count.
            seed: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["output": "i64, the extents in `output_sizes`"],
    }
}

impl Interface for InductorRandint {
    fn distribution(&self) -> Option<Distribution<'_>> {
        let bound = |bound: i128| Scalar::from_decimal(Dtype::I64, &bound.to_string());
        Some(Distribution::Uniform {
            lower: bound(self.low)?,
            upper: bound(self.high)?,
        })
    }
}

named! {
    /// What the generator of PyTorch's compiler draws.
    InductorMode {
        /// Uniform numbers.
        Rand = "rand",
        /// Normals.
        Randn = "randn",
    }
}

op! {
    /// PyTorch inductor random: uniform numbers or normals of f32, as `torch.compile` draws them on a CPU.
    InductorRandom {
        name: "inductor.random",
        title: "inductor.random",
        prefix: "idn",
        attributes: {
            /// What is drawn.
            mode: Attribute<InductorMode> = Kind::Enumeration(InductorMode::NAMES),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// The seed, whose low 32 bits count.
            seed: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["output": "f32, the extents in `output_sizes`"],
    }
}

impl Interface for InductorRandom {
    fn distribution(&self) -> Option<Distribution<'_>> {
        match self.mode.known()? {
            InductorMode::Rand => unit(Dtype::F32),
            InductorMode::Randn => Some(Distribution::Normal { mean: 0.0, std: 1.0 }),
        }
    }
}

//! PyTorch's draws on a GPU of NVIDIA, where the launch decides which element takes which word.
//!
//! The generator is Philox4x32-10 with the seed as its key. A kernel has as many threads as its elements need, but no more than
//! the card runs at once, so that cards differ from the first element past that number: the card's geometry is a part of the
//! request.

use super::{Distribution, FLOATS, Interface, Kind, Role, Types, normals::normal, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// Offsets of a first call and of later ones. A generator counts words, four at a time.
const OFFSETS: &[i128] = &[0, 4, 8, 1000, 1 << 34, u64::MAX as i128 - 3];

/// Multiprocessors of cards, and one, with which a test reaches a second lap within a few hundred elements.
const MULTIPROCESSORS: &[i128] = &[1, 2, 40, 108, 132];

/// Threads that a multiprocessor of a card holds, and as few as make a block.
const THREADS: &[i128] = &[256, 1024, 1536, 2048];

/// An op with the attributes that all of them have, of which the launch and its words follow, and with its own.
macro_rules! drawn_on_cuda {
    (
        $(#[$doc:meta])*
        $op:ident {
            name: $name:literal,
            prefix: $prefix:literal,
            types: $types:expr,
            attributes: { $($attributes:tt)* },
            inputs: $inputs:tt,
            distribution: |$request:ident| $distribution:expr,
        }
    ) => {
        op! {
            $(#[$doc])*
            $op {
                name: $name,
                title: $name,
                prefix: $prefix,
                attributes: {
                    /// The output's element type.
                    output_type: Attribute<Dtype> = Kind::Dtype($types),
                    /// The output's extents.
                    output_sizes: Vec<u64> = Kind::Extents(&[1]),
                    /// The generator's seed, which is the key.
                    seed: u64 = Kind::Seed,
                    /// The generator's offset at the call: a multiple of 4.
                    offset: i128 = Kind::Number(OFFSETS),
                    /// The card's multiprocessors: 132 for an H100 SXM.
                    multiprocessors: i128 = Kind::Number(MULTIPROCESSORS),
                    /// Threads that one of them holds: 2048, 1536 or 1024.
                    threads_per_multiprocessor: i128 = Kind::Number(THREADS),
                    $($attributes)*
                },
                inputs: $inputs,
                outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
            }
        }

        impl Interface for $op {
            fn distribution(&self) -> Option<Distribution<'_>> {
                let $request = self;
                $distribution
            }

            /// Which words an element takes depends on how many elements there are.
            fn grows(&self) -> bool {
                false
            }
        }
    };
}

drawn_on_cuda! {
    /// PyTorch uniform_ on CUDA: uniform numbers in a range, in place.
    TorchCudaUniform {
        name: "torch_cuda.uniform_",
        prefix: "tcu",
        types: FLOATS,
        attributes: {},
        inputs: {
            /// The lower bound, inclusive.
            from: Tensor = Role::Lower, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
            /// The upper bound, exclusive.
            to: Tensor = Role::Upper, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        distribution: |request| Distribution::floats(request.output_type.known(), &request.from, &request.to),
    }
}

drawn_on_cuda! {
    /// PyTorch random_ on CUDA: integers in a range, or of all bits that the type has for them, in place.
    TorchCudaRandom {
        name: "torch_cuda.random_",
        prefix: "tcr",
        types: &[Dtype::I64, Dtype::I32, Dtype::I16, Dtype::I8, Dtype::U8],
        attributes: {
            /// The lower bound, inclusive; zero if `to` alone is there.
            from: Option<i128> = Kind::Number(&[0, -5, -128, i64::MIN as i128]),
            /// The upper bound, exclusive; one past the greatest number of the type if `from` alone is there.
            to: Option<i128> = Kind::Number(&[2, 90, 127, (1 << 28) - 1, 1 << 28, 1 << 31, 1 << 32, 1 << 40]),
        },
        inputs: {},
        distribution: |request| {
            let dtype = request.output_type.known()?;
            let scalar = |bound: i128| Scalar::from_decimal(dtype, &bound.to_string());
            Some(Distribution::Uniform {
                lower: scalar(request.from.unwrap_or(0))?,
                upper: scalar(request.to?)?,
            })
        },
    }
}

drawn_on_cuda! {
    /// PyTorch bernoulli_ on CUDA: ones with one probability, in place.
    TorchCudaBernoulli {
        name: "torch_cuda.bernoulli_",
        prefix: "tcb",
        types: &[Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::F64, Dtype::I64, Dtype::U8],
        attributes: {},
        inputs: {
            /// The probability of a one.
            p: Tensor = Role::Probability, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        distribution: |request| Some(Distribution::flags([request.p.get(0)?.to_f64()])),
    }
}

drawn_on_cuda! {
    /// PyTorch normal_ on CUDA: normals, in place.
    TorchCudaNormal {
        name: "torch_cuda.normal_",
        prefix: "tcn",
        types: FLOATS,
        attributes: {},
        inputs: {
            /// The mean.
            mean: Tensor = Role::Parameter("0"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
            /// The standard deviation, which is not negative.
            std: Tensor = Role::Parameter("1"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        distribution: |request| normal(&request.mean, &request.std),
    }
}

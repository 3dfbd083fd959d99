//! JAX's `jax.random`: keys that are values, and what is drawn by them.

use super::{Distribution, Interface, Kind, OutputForm, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::tensor::Tensor;

named! {
    /// The implementations of JAX's keys.
    JaxKeyImpl {
        /// Threefry2x32 with 20 rounds, keys of two words.
        Threefry2x32 = "threefry2x32",
        /// XLA's Philox4x32-10 for bits, Threefry for split and `fold_in`, keys of four words.
        Rbg = "rbg",
        /// XLA's Philox4x32-10 for everything, keys of four words.
        UnsafeRbg = "unsafe_rbg",
    }
}

impl JaxKeyImpl {
    /// How many words a key has.
    pub const fn words(self) -> u64 {
        match self {
            Self::Threefry2x32 => 2,
            Self::Rbg | Self::UnsafeRbg => 4,
        }
    }
}

/// The role of a key: its words by the value of `impl`.
pub(super) const KEY: Role = Role::Key {
    attribute: "impl",
    words: &[("threefry2x32", 2), ("rbg", 4), ("unsafe_rbg", 4)],
};

/// An op that draws from a key: beside its own attributes, inputs and methods it has those that follow from the key.
macro_rules! drawn_by_jax {
    (
        $(#[$doc:meta])*
        $op:ident {
            name: $name:literal,
            prefix: $prefix:literal,
            attributes: { $($attributes:tt)* },
            inputs: { $($inputs:tt)* },
            output: $output:literal,
        }

        $($methods:tt)*
    ) => {
        op! {
            $(#[$doc])*
            $op {
                name: $name,
                title: $name,
                prefix: $prefix,
                attributes: {
                    /// The implementation of the key.
                    implementation as "impl": Attribute<JaxKeyImpl> = Kind::Enumeration(JaxKeyImpl::NAMES),
                    /// The flag `jax_threefry_partitionable`: each element has a counter of its own.
                    partitionable: bool = Kind::Boolean,
                    $($attributes)*
                },
                inputs: {
                    /// The key.
                    key: Tensor = KEY, Types::OneOf(&[Dtype::U32]), "[2] or [4]", 1..=1;
                    $($inputs)*
                },
                outputs: ["output": $output],
            }
        }

        impl Interface for $op {
            fn variant(&self) -> String {
                variant(&self.implementation, self.partitionable)
            }

            /// The original order of Threefry depends on the output's length.
            fn grows(&self) -> bool {
                self.partitionable || self.implementation != Attribute::Known(JaxKeyImpl::Threefry2x32)
            }

            $($methods)*
        }
    };
}
pub(super) use drawn_by_jax;

op! {
    /// JAX key: a key from a seed.
    JaxKey {
        name: "jax.key",
        title: "jax.key",
        prefix: "jxk",
        attributes: {
            /// The implementation of the key.
            implementation as "impl": Attribute<JaxKeyImpl> = Kind::Enumeration(JaxKeyImpl::NAMES),
            /// The seed, from -2^63 to 2^63 - 1.
            seed: i128 = Kind::Number(&[]),
        },
        inputs: {},
        outputs: ["output": "u32, [2] or [4]"],
    }
}

impl Interface for JaxKey {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        Some(vec![(Dtype::U32, vec![self.implementation.known()?.words()])])
    }

    /// Words of a seed are not drawn.
    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }
}

drawn_by_jax! {
    /// JAX split: keys from a key.
    JaxSplit {
        name: "jax.split",
        prefix: "jxs",
        attributes: {
            /// How many keys are made.
            num: i128 = Kind::Number(&[]),
        },
        inputs: {},
        output: "u32, `num` and the extents of `key`",
    }

    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let words = self.implementation.known()?.words();
        Some(vec![(Dtype::U32, vec![u64::try_from(self.num).ok()?, words])])
    }
}

op! {
    /// JAX fold_in: a key from a key and a number.
    JaxFoldIn {
        name: "jax.fold_in",
        title: "jax.fold_in",
        prefix: "jxf",
        attributes: {
            /// The implementation of the key.
            implementation as "impl": Attribute<JaxKeyImpl> = Kind::Enumeration(JaxKeyImpl::NAMES),
            /// The flag `jax_threefry_partitionable`, which changes nothing here.
            partitionable: bool = Kind::Boolean,
            /// The number, from 0 to 2^32 - 1.
            data: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The key.
            key: Tensor = KEY, Types::OneOf(&[Dtype::U32]), "[2] or [4]", 1..=1;
        },
        outputs: ["output": "u32, the extents of `key`"],
    }
}

impl Interface for JaxFoldIn {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        Some(vec![(Dtype::U32, vec![self.implementation.known()?.words()])])
    }

    fn variant(&self) -> String {
        variant(&self.implementation, self.partitionable)
    }
}

drawn_by_jax! {
    /// JAX bits: unsigned integers of all bits from a key.
    JaxBits {
        name: "jax.bits",
        prefix: "jxb",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {},
        output: "of `output_type`, the extents in `output_sizes`",
    }
}

drawn_by_jax! {
    /// JAX uniform: floats in a range from a key.
    JaxUniform {
        name: "jax.uniform",
        prefix: "jxu",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// Lower bound, inclusive.
            minval: Tensor = Role::Lower, Types::Attribute("output_type"), "[]", 0..=0;
            /// Upper bound, exclusive.
            maxval: Tensor = Role::Upper, Types::Attribute("output_type"), "[]", 0..=0;
        },
        output: "of `output_type`, the extents in `output_sizes`",
    }

    /// If the bounds are in the wrong order, every element is `minval`, so there is no distribution.
    fn distribution(&self) -> Option<Distribution<'_>> {
        let (lower, upper) = (self.minval.get(0)?, self.maxval.get(0)?);
        (lower.to_f64() <= upper.to_f64()).then_some(Distribution::Uniform { lower, upper })
    }
}

drawn_by_jax! {
    /// JAX randint: integers in a range from a key.
    JaxRandint {
        name: "jax.randint",
        prefix: "jxr",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(Dtype::INTEGERS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// Lower bound, inclusive, from -2^63 to 2^63 - 1.
            minval: i128 = Kind::Number(&[]),
            /// Upper bound, exclusive, from -2^63 to 2^63 - 1.
            maxval: i128 = Kind::Number(&[]),
        },
        inputs: {},
        output: "of `output_type`, the extents in `output_sizes`",
    }

    /// Bounds outside the type are clipped to it.
    fn distribution(&self) -> Option<Distribution<'_>> {
        let dtype = self.output_type.known()?;
        let least = *dtype.integers()?.start();
        Distribution::integers(dtype, self.minval.max(least), self.maxval)
    }
}

drawn_by_jax! {
    /// JAX bernoulli: ones with a probability, and zeros.
    JaxBernoulli {
        name: "jax.bernoulli",
        prefix: "jxe",
        attributes: {
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// The probability of a one.
            p: Tensor = Role::Probability, Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
        },
        output: "u8, the extents in `output_sizes`",
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::flags([self.p.get(0)?.to_f64()]))
    }
}

drawn_by_jax! {
    /// JAX permutation: the numbers below one in an order from a key.
    JaxPermutation {
        name: "jax.permutation",
        prefix: "jxp",
        attributes: {
            /// How many numbers there are; a negative number stands for 0.
            n: i128 = Kind::Number(&[]),
        },
        inputs: {},
        output: "i64, [`n`]",
    }

    fn outputs(&self) -> Option<Vec<OutputForm>> {
        Some(vec![(Dtype::I64, vec![u64::try_from(self.n.max(0)).ok()?])])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        let of = u64::try_from(self.n.max(0)).ok()?;
        Some(Distribution::Order { of })
    }
}

/// `threefry2x32`, `threefry2x32-original`: the order is named where it is not today's default.
pub(super) fn variant(implementation: &Attribute<JaxKeyImpl>, partitionable: bool) -> String {
    if partitionable {
        implementation.to_string()
    } else {
        format!("{implementation}-original")
    }
}

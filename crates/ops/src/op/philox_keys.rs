//! The functions of PyTorch's `torch.func._random`: keys of Philox4x32-10 that are values, and what is drawn by them.

use super::{Distribution, Interface, Kind, OutputForm, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

op! {
    /// PyTorch split: independent keys from a key.
    PhiloxKeySplit {
        name: "torch.philox_key_split",
        title: "philox_key_split",
        prefix: "tks",
        attributes: {
            /// The number of keys that are made of each.
            num_splits: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// Seed and offset, or a batch of them.
            key: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[..., 2]", 1..=8;
        },
        outputs: ["output": "u64, `num_splits` and the extents of `key`"],
    }
}

impl Interface for PhiloxKeySplit {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let mut dims = vec![u64::try_from(self.num_splits).ok()?];
        dims.extend(self.key.shape().to_u64());
        Some(vec![(Dtype::U64, dims)])
    }
}

op! {
    /// PyTorch fold_in: a key from a key and a number.
    PhiloxKeyFoldIn {
        name: "torch.philox_key_fold_in",
        title: "philox_key_fold_in",
        prefix: "tkf",
        attributes: {
            /// The number, from -2^63 to 2^64 - 1.
            data: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// Seed and offset, or a batch of them.
            key: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[..., 2]", 1..=8;
        },
        outputs: ["output": "u64, the extents of `key`"],
    }
}

impl Interface for PhiloxKeyFoldIn {}

op! {
    /// PyTorch uniform: floats in a range from a key.
    PhiloxUniform {
        name: "torch.philox_uniform",
        title: "philox_uniform",
        prefix: "tku",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// Seed and offset, or a batch of them.
            key: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[..., 2]", 1..=8;
            /// Lower bound, inclusive.
            low: Tensor = Role::Lower, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
            /// Upper bound, exclusive.
            high: Tensor = Role::Upper, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
    }
}

impl Interface for PhiloxUniform {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Distribution::floats(self.output_type.known(), &self.low, &self.high)
    }

    fn grows(&self) -> bool {
        self.key.shape().rank() == 1
    }
}

op! {
    /// PyTorch randint: integers in a range from a key.
    PhiloxRandint {
        name: "torch.philox_randint",
        title: "philox_randint",
        prefix: "tkr",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(
                &[
                    Dtype::U8, Dtype::I8, Dtype::U16, Dtype::I16,
                    Dtype::U32, Dtype::I32, Dtype::U64, Dtype::I64,
                ],
            ),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// Lower bound, inclusive; the least value of the type if it is left out.
            low: Option<i128> = Kind::Number(&[]),
            /// Upper bound, exclusive; one past the greatest value of the type if it is left out.
            high: Option<i128> = Kind::Number(&[]),
        },
        inputs: {
            /// Seed and offset, or a batch of them.
            key: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[..., 2]", 1..=8;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
    }
}

impl Interface for PhiloxRandint {
    /// A bound past the type's greatest value has no scalar.
    fn distribution(&self) -> Option<Distribution<'_>> {
        let dtype = self.output_type.known()?;
        let limits = dtype.integers()?;
        let (low, high) = (
            self.low.unwrap_or(*limits.start()),
            self.high.unwrap_or(limits.end() + 1),
        );
        if (low, high) == (*limits.start(), limits.end() + 1) {
            return Some(Distribution::Bits);
        }
        Some(Distribution::Uniform {
            lower: Scalar::from_decimal(dtype, &low.to_string())?,
            upper: Scalar::from_decimal(dtype, &high.to_string())?,
        })
    }

    fn grows(&self) -> bool {
        self.key.shape().rank() == 1
    }
}

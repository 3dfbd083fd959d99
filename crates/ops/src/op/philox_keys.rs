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

    fn items(&self) -> Option<Vec<Self>> {
        each_key(&self.key, &self.output_sizes, |key, output_sizes| Self {
            key,
            output_sizes,
            ..self.clone()
        })
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

    fn items(&self) -> Option<Vec<Self>> {
        each_key(&self.key, &self.output_sizes, |key, output_sizes| Self {
            key,
            output_sizes,
            ..self.clone()
        })
    }
}

/// What `item` makes of each key of a batch, in the order in which the keys' elements stand in an output of these extents, and of
/// the extents of what the key draws: the axes after the last one along which there is more than one key. `None` for a single
/// key, and where the extents contradict each other.
fn each_key<T>(key: &Tensor, sizes: &[u64], item: impl Fn(Tensor, Vec<u64>) -> T) -> Option<Vec<T>> {
    // Each of them is a request that the diagnosis compares by itself, and beyond these a key draws hardly anything.
    const MOST: u64 = 1 << 10;
    let (last, batch) = key.shape().dims().split_last()?;
    if batch.is_empty() || batch.len() != sizes.len() || *last != 2 {
        return None;
    }
    let depth = batch
        .iter()
        .rposition(|&extent| extent != 1)
        .map_or(0, |at| at + 1);
    let (rows, its) = sizes.split_at(depth);
    let mut extents = rows.iter().zip(batch);
    // One key along an axis serves all of it.
    if !extents.all(|(&size, &extent)| extent == 1 || usize::try_from(size) == Ok(extent)) {
        return None;
    }
    let count = rows
        .iter()
        .try_fold(1, |count: u64, &extent| count.checked_mul(extent));
    let count = count.filter(|count| *count <= MOST)?;
    let words: Vec<u64> = key.scalars().map(Scalar::bits).collect();
    let of_row = |row: u64| {
        let (mut rest, mut at, mut stride) = (row, 0, 1);
        for (&size, &extent) in rows.iter().zip(batch).rev() {
            let place = usize::try_from(rest % size).ok()?;
            at += if extent == 1 { 0 } else { place } * stride;
            rest /= size;
            stride *= extent;
        }
        Some(Tensor::vector(words.get(2 * at..2 * at + 2)?))
    };
    (0..count)
        .map(|row| Some(item(of_row(row)?, its.to_vec())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn items_of_a_batch_are_rows_of_the_output() {
        let of = |dims: &[u64], sizes: &[u64]| {
            let shape = Shape::new(dims).unwrap();
            let words: Vec<u64> = (0..u64::try_from(shape.count()).unwrap()).collect();
            let keys = Tensor::from_elements(shape, &words).unwrap();
            each_key(&keys, sizes, |key, item| (key.get(0).unwrap().bits() / 2, item))
        };
        let each = |keys: &[u64], item: &[u64]| Some(keys.iter().map(|&key| (key, item.to_vec())).collect());
        assert_eq!(of(&[3, 1, 2], &[3, 5]), each(&[0, 1, 2], &[5]));
        // Keys along the last axis have an element each, and one key along the first serves both rows.
        assert_eq!(of(&[1, 3, 2], &[2, 3]), each(&[0, 1, 2, 0, 1, 2], &[]));
        assert_eq!(
            of(&[2, 1, 3, 2], &[2, 2, 3]),
            each(&[0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5], &[])
        );
        assert_eq!(of(&[1, 2], &[5]), each(&[0], &[5]));
        assert_eq!(of(&[3, 1, 2], &[0, 5]), None);
        assert_eq!(of(&[1, 3, 2], &[0, 3]), each(&[], &[]));
        // One key, extents that contradict each other, and too many keys.
        assert_eq!(of(&[2], &[5]), None);
        assert_eq!(of(&[3, 2], &[2, 3]), None);
        assert_eq!(of(&[2, 2], &[3]), None);
        assert_eq!(of(&[2, 2, 2], &[2, 3]), None);
        assert_eq!(of(&[2, 2], &[2000]), None);
        assert_eq!(of(&[1, 3, 2], &[2000, 3]), None);
    }
}

//! PyTorch's samplers, masks and permutations, which draw from the generator of a CPU.

use super::multinomial::replacement;
use super::tensorflow_samplers::work;
use super::{Distribution, Interface, Kind, OutputForm, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

const FLOATS: &[Dtype] = &[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

op! {
    /// PyTorch bernoulli: ones with a probability for each element.
    TorchBernoulli {
        name: "torch.bernoulli",
        title: "torch.bernoulli",
        prefix: "tbe",
        attributes: {
            /// The seed of the generator.
            seed: u64 = Kind::Seed,
        },
        inputs: {
            /// The probability of each element.
            p: Tensor = Role::Elements, Types::OneOf(&[Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::F64]), "any", 0..=8;
        },
        outputs: ["output": "as `p`"],
        execution: u32,
    }
}

impl Interface for TorchBernoulli {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::flags(self.p.scalars().map(Scalar::to_f64)))
    }
}

op! {
    /// PyTorch bernoulli_: ones with one probability, in place.
    TorchBernoulliInPlace {
        name: "torch.bernoulli_",
        title: "torch.bernoulli_",
        prefix: "tbi",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64, Dtype::I64, Dtype::U8]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// The seed of the generator.
            seed: u64 = Kind::Seed,
        },
        inputs: {
            /// The probability of a one.
            p: Tensor = Role::Probability, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

impl Interface for TorchBernoulliInPlace {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::flags([self.p.get(0)?.to_f64()]))
    }
}

op! {
    /// PyTorch dropout: elements dropped with a probability, and the others scaled.
    TorchDropout {
        name: "torch.dropout",
        title: "torch.dropout",
        prefix: "tdo",
        attributes: {
            /// The seed of the generator.
            seed: u64 = Kind::Seed,
        },
        inputs: {
            /// What is dropped or scaled.
            input: Tensor = Role::Elements, Types::OneOf(&[Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::F64]), "any", 0..=8;
            /// The probability that an element is dropped.
            p: Tensor = Role::Probability, Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        outputs: ["output": "as `input`"],
        execution: u32,
    }
}

impl Interface for TorchDropout {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::flags([self.p.get(0)?.to_f64()]))
    }
}

op! {
    /// PyTorch randperm: a permutation.
    TorchRandperm {
        name: "torch.randperm",
        title: "torch.randperm",
        prefix: "tpe",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::I32, Dtype::I64]),
            /// How many numbers are permuted.
            n: i128 = Kind::Number(&[]),
            /// The seed of the generator.
            seed: u64 = Kind::Seed,
        },
        inputs: {},
        outputs: ["output": "of `output_type`, [`n`]"],
        execution: u32,
    }
}

impl Interface for TorchRandperm {
    fn distribution(&self) -> Option<Distribution<'_>> {
        let of = u64::try_from(self.n).ok()?;
        Some(Distribution::Order { of })
    }
}

op! {
    /// PyTorch multinomial: indices of classes by weights.
    TorchMultinomial {
        name: "torch.multinomial",
        title: "torch.multinomial",
        prefix: "tmu",
        attributes: {
            /// How many classes are drawn in each row.
            num_samples: i128 = Kind::Number(&[]),
            /// Whether a class may be drawn more than once.
            replacement: bool = Kind::Boolean,
            /// The seed of the generator.
            seed: u64 = Kind::Seed,
        },
        inputs: {
            /// A row of weights, or several.
            weights: Tensor = Role::Weights, Types::OneOf(&[Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::F64]), "[classes] or [batch, classes]", 1..=2;
        },
        outputs: ["output": "i64, [`num_samples`] or [batch, `num_samples`]"],
        execution: u32,
    }
}

impl Interface for TorchMultinomial {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let mut dims = self.weights.shape().to_u64();
        *dims.last_mut()? = u64::try_from(self.num_samples).ok()?;
        Some(vec![(Dtype::I64, dims)])
    }

    fn variant(&self) -> String {
        replacement(self.replacement)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        let classes = self.weights.shape().dims().last().copied()?.max(1);
        let weights: Vec<f64> = self.weights.scalars().map(Scalar::to_f64).collect();
        // Without replacement a later choice has fewer bits: those between as many classes as are left at the end.
        let taken = if self.replacement {
            0
        } else {
            usize::try_from(self.num_samples).ok()?.saturating_sub(1)
        };
        let rows = weights.chunks(classes).map(|row| {
            let mut row = row.to_vec();
            row.sort_by(|a, b| b.total_cmp(a));
            row.into_iter().skip(taken)
        });
        Some(Distribution::choices(rows))
    }

    fn work(&self) -> u64 {
        work(self.outputs(), &self.weights)
    }
}

op! {
    /// PyTorch exponential_: exponential numbers, in place.
    TorchExponential {
        name: "torch.exponential_",
        title: "torch.exponential_",
        prefix: "tex",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(FLOATS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// The seed of the generator.
            seed: u64 = Kind::Seed,
        },
        inputs: {
            /// The rate.
            lambd: Tensor = Role::Parameter("1"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

impl Interface for TorchExponential {
    fn distribution(&self) -> Option<Distribution<'_>> {
        let mean = 1.0 / self.lambd.get(0)?.to_f64();
        Some(Distribution::Normal { mean, std: mean })
    }
}

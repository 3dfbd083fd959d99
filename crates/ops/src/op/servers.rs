//! The seeded samplers of language-model servers: a hash of seed, position and token, and what is drawn by it.

use super::{Distribution, Interface, Kind, OutputForm, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

op! {
    /// vLLM murmur3_uniform: the uniform numbers of the first tokens.
    VllmMurmur3Uniform {
        name: "vllm.murmur3_uniform",
        title: "vllm.murmur3_uniform",
        prefix: "vmu",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F32, Dtype::F64]),
            /// How many tokens there are.
            num: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The seed of the request.
            seed: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
            /// The position of the token in its sequence.
            pos: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, [`num`]"],
    }
}

impl Interface for VllmMurmur3Uniform {
    fn distribution(&self) -> Option<Distribution<'_>> {
        unit(self.output_type.known()?)
    }
}

/// The numbers of the unit interval.
pub(super) fn unit(dtype: Dtype) -> Option<Distribution<'static>> {
    Some(Distribution::Uniform {
        lower: Scalar::from_decimal(dtype, "0")?,
        upper: Scalar::from_decimal(dtype, "1")?,
    })
}

op! {
    /// vLLM gumbel_sample: a token for each row of logits.
    VllmGumbelSample {
        name: "vllm.gumbel_sample",
        title: "vllm.gumbel_sample",
        prefix: "vgs",
        attributes: {
            /// Whether scores are f64.
            use_fp64: bool = Kind::Boolean,
            /// Whether the tokens are proposals, which have noise of their own.
            is_drafting: bool = Kind::Boolean,
        },
        inputs: {
            /// A row of logits for each token.
            logits: Tensor = Role::Weights, Types::OneOf(&[Dtype::F32]), "[n, vocab]", 2..=2;
            /// By what a row is divided; 0 takes the greatest logit.
            temperature: Tensor = Role::PerRow, Types::OneOf(&[Dtype::F32]), "[n]", 1..=1;
            /// The seed of each row.
            seed: Tensor = Role::PerRow, Types::OneOf(&[Dtype::I64]), "[n]", 1..=1;
            /// The position of each row's token in its sequence.
            pos: Tensor = Role::PerRow, Types::OneOf(&[Dtype::I64]), "[n]", 1..=1;
        },
        outputs: ["output": "i64, [n]"],
    }
}

impl Interface for VllmGumbelSample {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let dims = self.logits.shape().to_u64();
        Some(vec![(Dtype::I64, dims.get(..1)?.to_vec())])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        let temperature = |row: usize| self.temperature.get(row).map_or(0.0, Scalar::to_f64);
        Some(Distribution::of_logits(&self.logits, temperature))
    }

    fn work(&self) -> u64 {
        scored(&self.logits)
    }
}

op! {
    /// SGLang murmur_hash32: the words of the first tokens for each row.
    SglangMurmurHash32 {
        name: "sglang.murmur_hash32",
        title: "sglang.murmur_hash32",
        prefix: "smh",
        attributes: {
            /// How many tokens there are.
            num_cols: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The seed of each row.
            seed: Tensor = Role::PerRow, Types::OneOf(&[Dtype::U64]), "[n]", 1..=1;
            /// The position of each row's token in its sequence.
            positions: Tensor = Role::PerRow, Types::OneOf(&[Dtype::I64]), "[n]", 1..=1;
        },
        outputs: ["output": "u32, [n, `num_cols`]"],
    }
}

impl Interface for SglangMurmurHash32 {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let rows = *self.seed.shape().to_u64().first()?;
        Some(vec![(Dtype::U32, vec![rows, u64::try_from(self.num_cols).ok()?])])
    }
}

op! {
    /// SGLang multinomial_with_seed: a token for each row of log-probabilities.
    SglangMultinomialWithSeed {
        name: "sglang.multinomial_with_seed",
        title: "sglang.multinomial_with_seed",
        prefix: "sms",
        attributes: {},
        inputs: {
            /// A row of logarithms of probabilities for each token.
            logprobs: Tensor = Role::Weights, Types::OneOf(&[Dtype::F32]), "[n, vocab]", 2..=2;
            /// The seed of each row.
            seed: Tensor = Role::PerRow, Types::OneOf(&[Dtype::I64]), "[n]", 1..=1;
            /// The position of each row's token in its sequence.
            positions: Tensor = Role::PerRow, Types::OneOf(&[Dtype::I64]), "[n]", 1..=1;
        },
        outputs: ["output": "i64, [n, 1]"],
    }
}

impl Interface for SglangMultinomialWithSeed {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let rows = *self.logprobs.shape().to_u64().first()?;
        Some(vec![(Dtype::I64, vec![rows, 1])])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::of_logits(&self.logprobs, |_| 1.0))
    }

    fn work(&self) -> u64 {
        scored(&self.logprobs)
    }
}

fn scored(logits: &Tensor) -> u64 {
    u64::try_from(logits.count())
        .unwrap_or(u64::MAX)
        .saturating_add(16)
}

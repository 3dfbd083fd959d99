//! OpenVINO Multinomial-13.

use super::{Distribution, Interface, Kind, OutputForm, Role, Types, elements, extents, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::tensor::Tensor;

op! {
    /// OpenVINO Multinomial-13: class indices drawn by their probabilities.
    Multinomial {
        name: "openvino.Multinomial-13",
        title: "Multinomial-13",
        prefix: "mn13",
        attributes: {
            /// The output's element type.
            convert_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::I32, Dtype::I64]),
            /// Whether a class may be drawn more than once.
            with_replacement: bool = Kind::Boolean,
            /// Whether `probs` are logarithms.
            log_probs: bool = Kind::Boolean,
            /// First seed.
            global_seed: u64 = Kind::Seed,
            /// Second seed.
            op_seed: u64 = Kind::Seed,
        },
        inputs: {
            /// Probabilities, or their logarithms.
            probs: Tensor = Role::Weights,
                Types::OneOf(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64]), "[batch, classes]", 2..=2;
            /// Samples per row.
            num_samples: Tensor = Role::Count, Types::OneOf(&[Dtype::I32, Dtype::I64]), "[] or [1]", 0..=1;
            /// The uniform draws to use in place of generated ones, in `[0, 1]`.
            draws: Option<Tensor> = Role::Draws, Types::OneOf(&[Dtype::F64]), "[batch, num_samples]", 2..=2;
        },
        outputs: ["output": "of `convert_type`, [batch, num_samples]"],
        execution: u32,
    }
}

impl Interface for Multinomial {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        classes(&self.convert_type, &self.probs, &self.num_samples)
    }

    fn variant(&self) -> String {
        replacement(self.with_replacement)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Classes {
            weights: &self.probs,
            logarithms: self.log_probs,
            replacement: self.with_replacement,
        })
    }

    fn prefix(&self, count: u64) -> Option<Self> {
        if self.draws.is_some() || !self.with_replacement || self.probs.shape().dims().first() != Some(&1) {
            return None;
        }
        Some(Self {
            num_samples: Tensor::scalar(i64::try_from(count).ok()?),
            ..self.clone()
        })
    }

    fn work(&self) -> u64 {
        let number = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
        let classes = self.probs.shape().dims().get(1).copied().unwrap_or(0);
        let each = number(classes).saturating_add(1);
        number(self.probs.count()).saturating_add(elements(self.outputs()).saturating_mul(each))
    }
}

/// A row of as many classes as a tensor says for each row of weights.
pub(super) fn classes(
    dtype: &Attribute<Dtype>,
    weights: &Tensor,
    samples: &Tensor,
) -> Option<Vec<OutputForm>> {
    let [batch, _] = *weights.shape().dims() else {
        return None;
    };
    let [samples] = *extents(samples)? else {
        return None;
    };
    Some(vec![(dtype.known()?, vec![u64::try_from(batch).ok()?, samples])])
}

/// Whether a class may be drawn more than once, in words.
pub(super) fn replacement(with: bool) -> String {
    let word = if with { "with" } else { "without" };
    format!("{word} replacement")
}

//! The random nodes of a converted graph, and how OpenVINO draws from them.

use std::fmt;

use seedproof_ops::{Dtype, Scalar};
use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::side::{Generator, Seed, Seeds, Side, State, Values};
use crate::source::Hint;

/// A random node of a graph of OpenVINO.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `RandomUniform` or `Multinomial`.
    pub op: &'static str,
    /// The output's element type.
    pub dtype: Dtype,
    /// Whether RandomUniform follows PyTorch.
    pub is_pytorch: bool,
    /// `global_seed` and `op_seed`.
    pub seeds: Seeds,
    /// `minval` and `maxval`; absent for Multinomial, and if the model computes them.
    pub bounds: Option<(Scalar, Scalar)>,
    /// Multinomial with its weights, if they are constants of the model.
    pub asked: Option<Asked>,
}

impl Node {
    /// RandomUniform in TENSORFLOW alignment. Two zeros are [`Seeds::AtRun`].
    pub fn philox(dtype: Dtype, seeds: (u64, u64), bounds: Option<(Scalar, Scalar)>) -> Self {
        Self {
            op: "RandomUniform",
            dtype,
            is_pytorch: false,
            seeds: fixed(seeds),
            bounds,
            asked: None,
        }
    }

    /// RandomUniform in PYTORCH alignment.
    pub fn mersenne(dtype: Dtype, seeds: (u64, u64), bounds: Option<(Scalar, Scalar)>) -> Self {
        Self {
            is_pytorch: true,
            ..Self::philox(dtype, seeds, bounds)
        }
    }

    /// Multinomial.
    pub fn multinomial(dtype: Dtype, seeds: (u64, u64), asked: Option<Asked>) -> Self {
        Self {
            op: "Multinomial",
            asked,
            ..Self::philox(dtype, seeds, None)
        }
    }

    /// The side of OpenVINO's CPU plugin that draws from this node.
    pub fn side(&self, hint: Hint) -> Side {
        let (generator, state) = match (self.op, self.is_pytorch) {
            ("Multinomial", _) => {
                // The plugin seeds a new generator in every inference, so it repeats; captures show it.
                let plain = Side::unmodelled(Generator::SeedSequence, self.seeds, State::Repeats);
                return Side {
                    values: Values::reading(reading(hint)),
                    dtype: self.asked.as_ref().map(|_| self.dtype),
                    asked: self.asked.clone(),
                    ..plain
                };
            }
            (_, true) => (Generator::Mt19937, State::Repeats),
            (_, false) => (Generator::Philox, State::GoesOn),
        };
        Side {
            generator,
            seeds: self.seeds,
            state,
            values: Values::reading(reading(hint)),
            dtype: Some(self.dtype),
            bounds: self.bounds,
            asked: None,
            choice: None,
            affine: None,
            then: Vec::new(),
            cast: None,
        }
    }
}

/// Two seeds of an op of OpenVINO or TensorFlow. Both replace two zeros by random seeds.
pub(crate) fn fixed((first, second): (u64, u64)) -> Seeds {
    if (first, second) == (0, 0) {
        Seeds::AtRun
    } else {
        Seeds::Fixed(first, second)
    }
}

/// The reading of OpenVINO's CPU plugin at a precision hint.
pub fn reading(hint: Hint) -> &'static str {
    if hint == Hint::F16 {
        "openvino-cpu-2026.4-f16"
    } else {
        "openvino-cpu-2026.4"
    }
}

/// The type in which the plugin computes what follows a draw. The hint bf16 does not change it: captures at this
/// hint have the bits of f32.
pub(crate) fn arithmetic(hint: Hint) -> Dtype {
    if hint == Hint::F16 { Dtype::F16 } else { Dtype::F32 }
}

/// A node of a converted graph in a capture: a random node with its attributes, or a node after one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Seen {
    /// The type of the node.
    pub op: String,
    /// Its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The output's element type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// RandomUniform's alignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<String>,
    /// The first seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_seed: Option<u64>,
    /// The second seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op_seed: Option<u64>,
    /// The bits of the lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// The bits of the upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// The bits of a constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<u64>,
}

/// The attributes in a line, those of the op first: `RandomUniform f32 TENSORFLOW, seeds 0, 1088421888 = 0x40E00000`.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.op)?;
        for name in [&self.kind, &self.alignment].into_iter().flatten() {
            write!(f, " {name}")?;
        }
        if let (Some(first), Some(second)) = (self.global_seed, self.op_seed) {
            write!(f, ", global_seed {}, op_seed {}", Seed(first), Seed(second))?;
        }
        for (name, bits) in [("min", self.min), ("max", self.max), ("constant", self.constant)] {
            if let Some(bits) = bits {
                write!(f, ", {name} {bits:#010x}")?;
            }
        }
        Ok(())
    }
}

impl Seen {
    /// Whether the node is random.
    pub fn is_random(&self) -> bool {
        matches!(self.op.as_str(), "RandomUniform" | "Multinomial")
    }

    /// Whether this is the predicted node. Any op seed agrees with one that the converter chooses.
    pub fn is(&self, node: &Node) -> bool {
        let seeds = (self.global_seed.unwrap_or(0), self.op_seed.unwrap_or(0));
        let same_seeds = match node.seeds {
            Seeds::Fixed(first, second) => seeds == (first, second),
            Seeds::AtRun | Seeds::AtProcess | Seeds::OutsideModel => seeds == (0, 0),
            Seeds::AtConversion => seeds.0 == 0,
        };
        let alignment = if node.is_pytorch { "PYTORCH" } else { "TENSORFLOW" };
        let is_uniform = self.op == "RandomUniform";
        let same_bounds = node
            .bounds
            .is_none_or(|(low, high)| (self.min, self.max) == (Some(low.bits()), Some(high.bits())));
        self.op == node.op
            && same_seeds
            && (!is_uniform || self.alignment.as_deref() == Some(alignment))
            && self.kind.as_deref().is_none_or(|kind| kind == node.dtype.name())
            && same_bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_is_the_bits_of_a_float_is_seen() {
        let seen: Seen = serde_yaml::from_str(
            "{op: RandomUniform, name: output, type: f32, alignment: TENSORFLOW, global_seed: 0, op_seed: 1088421888, min: 0, max: 1065353216}",
        )
        .expect("a node");
        assert_eq!(
            seen.to_string(),
            "RandomUniform f32 TENSORFLOW, global_seed 0, op_seed 1088421888 = 0x40E00000, min 0x00000000, max 0x3f800000"
        );
    }
}

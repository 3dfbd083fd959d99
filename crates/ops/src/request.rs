//! Requests: one execution of one op, as the caller describes it.
//!
//! A request may be invalid. Types here keep apart only what could not be expressed otherwise; ranks, element
//! types of inputs, ranges and attribute values are for the backend to accept or to refuse.

use std::fmt;

use crate::{Dtype, Tensor};

/// An enumeration whose values have names in the documents.
pub trait Named: Copy + Eq + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// The name that documents, vectors and the wire protocol use.
    fn name(self) -> &'static str;
}

/// The value of an enumerated attribute, or the text that is none of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute<T> {
    /// A value that the attribute's type knows. The op may still forbid it.
    Known(T),
    /// Any other text. Every op refuses it.
    Unknown(String),
}

impl<T: Named> Attribute<T> {
    /// The value with this name, or the text itself.
    pub fn parse(text: &str) -> Self {
        T::ALL
            .iter()
            .find(|value| value.name() == text)
            .map_or_else(|| Self::Unknown(text.to_owned()), |&value| Self::Known(value))
    }

    /// The value, if it is known.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Unknown(_) => None,
        }
    }

    /// The name of the value, or the unknown text.
    pub fn text(&self) -> &str {
        match self {
            Self::Known(value) => value.name(),
            Self::Unknown(text) => text,
        }
    }
}

impl<T: Named> fmt::Display for Attribute<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl<T> From<T> for Attribute<T> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$variant_doc])* $variant),* }

        impl Named for $type {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

named! {
    /// The three ops.
    OpName {
        /// OpenVINO RandomUniform-8.
        RandomUniform = "openvino.RandomUniform-8",
        /// OpenVINO Multinomial-13.
        Multinomial = "openvino.Multinomial-13",
        /// DirectML's `DML_RANDOM_GENERATOR_OPERATOR_DESC`.
        DmlRandomGenerator = "directml.RandomGenerator",
    }
}

named! {
    /// Which framework RandomUniform-8 follows.
    Alignment {
        /// Philox4x32-10.
        Tensorflow = "TENSORFLOW",
        /// MT19937.
        Pytorch = "PYTORCH",
    }
}

named! {
    /// `DML_RANDOM_GENERATOR_TYPE`.
    DmlGenerator {
        /// `DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10`.
        Philox4x32_10 = "PHILOX_4X32_10",
    }
}

named! {
    /// The DirectML feature level whose tensor constraints apply.
    FeatureLevel {
        /// `DML_FEATURE_LEVEL_3_0`: every tensor has four dimensions.
        Level3_0 = "3.0",
        /// `DML_FEATURE_LEVEL_4_0` and later: one to eight dimensions.
        Level4_0 = "4.0",
    }
}

/// One execution of one op.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// OpenVINO RandomUniform-8.
    RandomUniform(RandomUniform),
    /// OpenVINO Multinomial-13.
    Multinomial(Multinomial),
    /// DirectML RandomGenerator.
    DmlRandomGenerator(DmlRandomGenerator),
}

impl Request {
    /// Which op it is.
    pub const fn op(&self) -> OpName {
        match self {
            Self::RandomUniform(_) => OpName::RandomUniform,
            Self::Multinomial(_) => OpName::Multinomial,
            Self::DmlRandomGenerator(_) => OpName::DmlRandomGenerator,
        }
    }

    /// Which successive execution of one op instance it is, from 0. DirectML has no instances: 0.
    pub const fn execution(&self) -> u32 {
        match self {
            Self::RandomUniform(request) => request.execution,
            Self::Multinomial(request) => request.execution,
            Self::DmlRandomGenerator(_) => 0,
        }
    }
}

/// OpenVINO RandomUniform-8: numbers of one type in `[minval, maxval)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RandomUniform {
    /// The output's extents: i32 or i64, shape `[rank]`.
    pub shape: Tensor,
    /// Lower bound, inclusive: of `output_type`, shape `[]` or `[1]`.
    pub minval: Tensor,
    /// Upper bound, exclusive: of `output_type`, shape `[]` or `[1]`.
    pub maxval: Tensor,
    /// The output's element type: f16, bf16, f32, f64, i32 or i64.
    pub output_type: Attribute<Dtype>,
    /// First seed.
    pub global_seed: u64,
    /// Second seed.
    pub op_seed: u64,
    /// Which generator and which conversions.
    pub alignment: Attribute<Alignment>,
    /// Which successive execution of one op instance this is, from 0; the earlier ones were equal.
    pub execution: u32,
}

/// OpenVINO Multinomial-13: class indices drawn by their probabilities.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Multinomial {
    /// Probabilities, or their logarithms: f16, bf16, f32 or f64, shape `[batch, class_size]`.
    pub probs: Tensor,
    /// Samples per row: i32 or i64, shape `[]` or `[1]`.
    pub num_samples: Tensor,
    /// The uniform draws to use in place of generated ones: f64, shape `[batch, num_samples]`, in `[0, 1]`.
    pub draws: Option<Tensor>,
    /// The output's element type: i32 or i64.
    pub convert_type: Attribute<Dtype>,
    /// Whether a class may be drawn more than once.
    pub with_replacement: bool,
    /// Whether `probs` are logarithms.
    pub log_probs: bool,
    /// First seed.
    pub global_seed: u64,
    /// Second seed.
    pub op_seed: u64,
    /// Which successive execution of one op instance this is, from 0; the earlier ones were equal.
    pub execution: u32,
}

/// DirectML RandomGenerator: raw words of Philox4x32-10 and the state after them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DmlRandomGenerator {
    /// Counter (four words, least significant first) and key (two words, least significant first): u32,
    /// shape `[1,1,1,6]` at feature level 3.0, ones and a final 6 at 4.0.
    pub input_state: Tensor,
    /// The output's extents.
    pub output_sizes: Vec<u64>,
    /// `Type`.
    pub generator: Attribute<DmlGenerator>,
    /// Whose tensor constraints apply.
    pub feature_level: Attribute<FeatureLevel>,
    /// Whether the state after the draw is asked for; it has `input_state`'s shape.
    pub output_state: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_keeps_unknown_text() {
        assert_eq!(Attribute::parse("PYTORCH"), Attribute::Known(Alignment::Pytorch));
        let jax = Attribute::<Alignment>::parse("JAX");
        assert_eq!(jax, Attribute::Unknown("JAX".to_owned()));
        assert_eq!((jax.text(), jax.known()), ("JAX", None));
    }

    #[test]
    fn attribute_names_are_those_of_the_documents() {
        for &op in OpName::ALL {
            assert_eq!(Attribute::<OpName>::parse(op.name()).known(), Some(op));
        }
        assert_eq!(DmlGenerator::Philox4x32_10.name(), "PHILOX_4X32_10");
        assert_eq!(Attribute::<Dtype>::parse("bf16").known(), Some(Dtype::Bf16));
    }
}

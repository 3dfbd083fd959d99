//! DirectML's `DML_RANDOM_GENERATOR_OPERATOR_DESC`.

use super::{Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::tensor::Tensor;

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

op! {
    /// DirectML RandomGenerator: raw words of Philox4x32-10 and the state after them.
    DmlRandomGenerator {
        name: "directml.RandomGenerator",
        title: "DirectML RandomGenerator",
        prefix: "dml",
        attributes: {
            /// The generator.
            generator as "type": Attribute<DmlGenerator> = Kind::Enumeration(DmlGenerator::NAMES),
            /// Whose tensor constraints apply.
            feature_level: Attribute<FeatureLevel> = Kind::Enumeration(FeatureLevel::NAMES),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1, 1, 1, 1]),
            /// Whether the state after the draw is asked for.
            output_state: bool = Kind::WithOutput,
        },
        inputs: {
            /// Counter (four words, least significant first) and key (two words, least significant first): extents
            /// `[1,1,1,6]` at feature level 3.0, ones and a final 6 at 4.0.
            input_state: Tensor = Role::Words(&[1, 1, 1, 6]), Types::OneOf(&[Dtype::U32]), "[..., 6]", 1..=8;
        },
        outputs: ["output": "u32, the extents in `output_sizes`", "output_state": "u32, the extents of `input_state`"],
    }
}

impl Interface for DmlRandomGenerator {
    fn variant(&self) -> String {
        format!("feature level {}", self.feature_level)
    }

    fn prefix(&self, count: u64) -> Option<Self> {
        let mut prefix = self.clone();
        let (last, ones) = prefix.output_sizes.split_last_mut()?;
        ones.fill(1);
        *last = count;
        prefix.output_state = false;
        Some(prefix)
    }
}

//! StableHLO's rng_bit_generator.

use super::{Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::tensor::Tensor;

named! {
    /// The `rng_algorithm` of StableHLO.
    RngAlgorithm {
        /// Whatever the implementation takes.
        Default = "DEFAULT",
        /// Threefry2x32 with 20 rounds.
        ThreeFry = "THREE_FRY",
        /// Philox4x32-10.
        Philox = "PHILOX",
    }
}

op! {
    /// StableHLO rng_bit_generator: bits of Philox4x32-10 or Threefry2x32-20 and the state after them.
    RngBitGenerator {
        name: "stablehlo.rng_bit_generator",
        title: "rng_bit_generator",
        prefix: "shlo",
        attributes: {
            /// The generator.
            rng_algorithm: Attribute<RngAlgorithm> = Kind::Enumeration(RngAlgorithm::NAMES),
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(Dtype::ALL),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// The key, and the counter in one or two words, the low one first.
            initial_state: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[2] or [3]", 1..=1;
        },
        outputs: [
            "output": "of `output_type`, the extents in `output_sizes`",
            "output_state": "u64, the extents of `initial_state`",
        ],
    }
}

impl Interface for RngBitGenerator {
    /// The order in which THREE_FRY fills narrow elements depends on the output's extents.
    fn grows(&self) -> bool {
        self.rng_algorithm != Attribute::Known(RngAlgorithm::ThreeFry)
            || self.output_type.known().is_some_and(|dtype| dtype.size() == 8)
    }
}

//! ONNX's random generation with a generator that is named, and its generator states: two drafts.

use super::{Distribution, Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

named! {
    /// The attribute `generator` of ONNX's `RandomUniform`, draft onnx/onnx#8161.
    OnnxGenerator {
        /// Whatever the implementation takes; nothing repeats.
        Unspecified = "unspecified",
        /// Philox4x32-10.
        Philox4x32_10 = "philox4x32_10",
    }
}

op! {
    /// ONNX RandomUniform: floats in a range.
    OnnxRandomUniform {
        name: "onnx.RandomUniform",
        title: "onnx.RandomUniform",
        prefix: "oru",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// The generator; `unspecified` if it is left out.
            generator: Option<Attribute<OnnxGenerator>> = Kind::Enumeration(OnnxGenerator::NAMES),
            /// The key of the generator, from -2^63 to 2^63 - 1.
            seed_int64: Option<i128> = Kind::Number(&[]),
        },
        inputs: {
            /// Lower bound, inclusive.
            low: Tensor = Role::Lower, Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// Upper bound, exclusive.
            high: Tensor = Role::Upper, Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// The seed of an implementation's own generator.
            seed: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// Which stream of the key is drawn.
            offset: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

impl OnnxRandomUniform {
    /// Whether the generator is the implementation's own, so that the float `seed` is its seed.
    pub fn is_unspecified(&self) -> bool {
        let own = Attribute::Known(OnnxGenerator::Unspecified);
        let is_own = self.generator.as_ref().is_none_or(|generator| *generator == own);
        is_own && self.seed_int64.is_none() && self.offset.is_none()
    }
}

impl Interface for OnnxRandomUniform {
    fn variant(&self) -> String {
        let generator = self.generator.as_ref();
        generator.map_or_else(|| "unspecified".to_owned(), Attribute::to_string)
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Distribution::floats(self.output_type.known(), &self.low, &self.high)
    }

    /// A generator that is named begins each execution with the same word. A runtime's own goes on.
    fn grows(&self) -> bool {
        !self.is_unspecified() || self.execution == 0
    }
}

op! {
    /// ONNX InitPRNG: the state of a generator from a seed.
    OnnxInitPrng {
        name: "onnx.InitPRNG",
        title: "onnx.InitPRNG",
        prefix: "oip",
        attributes: {},
        inputs: {
            /// The seed.
            seed: Tensor = Role::Words(&[]), Types::OneOf(&[Dtype::I64]), "[]", 0..=0;
        },
        outputs: ["prng_state": "i64, [2]"],
    }
}

impl Interface for OnnxInitPrng {
    /// Words of a seed are not drawn.
    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }
}

op! {
    /// ONNX SplitPRNG: states of a generator from a state.
    OnnxSplitPrng {
        name: "onnx.SplitPRNG",
        title: "onnx.SplitPRNG",
        prefix: "osp",
        attributes: {
            /// How many states are made.
            num_outputs: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The state: two words of 32 bits, the high one of a seed first.
            prng_state: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::I64]), "[2]", 1..=1;
            /// A number for each state, which is its index if they are left out.
            data: Option<Tensor> = Role::Words(&[1]), Types::OneOf(&[Dtype::I64]), "[num_outputs]", 1..=1;
        },
        outputs: ["split_prng_states": "i64, [`num_outputs`, 2]"],
    }
}

impl Interface for OnnxSplitPrng {
    /// Each i64 holds a word of 32 bits.
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Uniform {
            lower: Scalar::from_decimal(Dtype::I64, "0")?,
            upper: Scalar::from_decimal(Dtype::I64, "4294967296")?,
        })
    }
}

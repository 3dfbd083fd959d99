//! ONNX's random ops, of which the standard leaves every value open: runtimes draw them as they like.

use super::normals::normal;
use super::tensorflow_samplers::work;
use super::{ANY, Distribution, FLOATS, Interface, Kind, OutputForm, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

op! {
    /// ONNX RandomNormal: normals of a mean and a standard deviation.
    OnnxRandomNormal {
        name: "onnx.RandomNormal",
        title: "onnx.RandomNormal",
        prefix: "orn",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(FLOATS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// The mean.
            mean: Tensor = Role::Parameter("0"), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// The standard deviation.
            scale: Tensor = Role::Parameter("1"), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// The seed, of which nothing repeats if it is left out.
            seed: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

impl Interface for OnnxRandomNormal {
    fn distribution(&self) -> Option<Distribution<'_>> {
        normal(&self.mean, &self.scale)
    }

    fn grows(&self) -> bool {
        false
    }
}

op! {
    /// ONNX RandomUniformLike: floats in a range, as many as an input has.
    OnnxRandomUniformLike {
        name: "onnx.RandomUniformLike",
        title: "onnx.RandomUniformLike",
        prefix: "oul",
        attributes: {
            /// The output's element type; by default the input's.
            output_type: Option<Attribute<Dtype>> = Kind::Dtype(FLOATS),
        },
        inputs: {
            /// What has the output's extents.
            input: Tensor = Role::Elements, Types::OneOf(ANY), "any", 0..=8;
            /// Lower bound, inclusive.
            low: Tensor = Role::Lower, Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// Upper bound, exclusive.
            high: Tensor = Role::Upper, Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// The seed, of which nothing repeats if it is left out.
            seed: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type` or as `input`, the extents of `input`"],
        execution: u32,
    }
}

impl Interface for OnnxRandomUniformLike {
    fn distribution(&self) -> Option<Distribution<'_>> {
        None
    }
}

op! {
    /// ONNX RandomNormalLike: normals, as many as an input has.
    OnnxRandomNormalLike {
        name: "onnx.RandomNormalLike",
        title: "onnx.RandomNormalLike",
        prefix: "onl",
        attributes: {
            /// The output's element type; by default the input's.
            output_type: Option<Attribute<Dtype>> = Kind::Dtype(FLOATS),
        },
        inputs: {
            /// What has the output's extents.
            input: Tensor = Role::Elements, Types::OneOf(ANY), "any", 0..=8;
            /// The mean.
            mean: Tensor = Role::Parameter("0"), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// The standard deviation.
            scale: Tensor = Role::Parameter("1"), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
            /// The seed, of which nothing repeats if it is left out.
            seed: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type` or as `input`, the extents of `input`"],
        execution: u32,
    }
}

impl Interface for OnnxRandomNormalLike {
    fn distribution(&self) -> Option<Distribution<'_>> {
        normal(&self.mean, &self.scale)
    }
}

op! {
    /// ONNX Bernoulli: ones with a probability for each element.
    OnnxBernoulli {
        name: "onnx.Bernoulli",
        title: "onnx.Bernoulli",
        prefix: "obe",
        attributes: {
            /// The output's element type; by default the input's.
            output_type: Option<Attribute<Dtype>> = Kind::Dtype(Dtype::ALL),
        },
        inputs: {
            /// The probability of each element.
            input: Tensor = Role::Elements, Types::OneOf(FLOATS), "any", 0..=8;
            /// The seed, of which nothing repeats if it is left out.
            seed: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type` or as `input`, the extents of `input`"],
        execution: u32,
    }
}

impl Interface for OnnxBernoulli {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::flags(self.input.scalars().map(Scalar::to_f64)))
    }
}

op! {
    /// ONNX Multinomial: indices of classes by logits, with replacement.
    OnnxMultinomial {
        name: "onnx.Multinomial",
        title: "onnx.Multinomial",
        prefix: "omu",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::I32, Dtype::I64]),
            /// How many classes are drawn in each row.
            sample_size: i128 = Kind::Number(&[]),
        },
        inputs: {
            /// The logarithms of the classes' weights, which need not be normalized.
            input: Tensor = Role::Weights, Types::OneOf(&[Dtype::F32, Dtype::F16, Dtype::F64]), "[batch, classes]", 2..=2;
            /// The seed, of which nothing repeats if it is left out.
            seed: Option<Tensor> = Role::Words(&[]), Types::OneOf(&[Dtype::F32]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, [batch, `sample_size`]"],
        execution: u32,
    }
}

impl Interface for OnnxMultinomial {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let [batch, _] = *self.input.shape().dims() else {
            return None;
        };
        let dims = vec![u64::try_from(batch).ok()?, u64::try_from(self.sample_size).ok()?];
        Some(vec![(self.output_type.known()?, dims)])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::of_logits(&self.input, |_| 1.0))
    }

    fn work(&self) -> u64 {
        work(self.outputs(), &self.input)
    }
}

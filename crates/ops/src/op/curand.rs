//! cuRAND's generator Philox4x32-10, as its host generators draw, which need no GPU.

use super::{Distribution, Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

named! {
    /// The function of cuRAND's that draws.
    CurandDistribution {
        /// `curandGenerate`.
        Bits = "bits",
        /// `curandGenerateUniform` and `curandGenerateUniformDouble`.
        Uniform = "uniform",
        /// `curandGenerateNormal` and `curandGenerateNormalDouble`.
        Normal = "normal",
    }
}

op! {
    /// cuRAND Philox4_32_10: words, uniform numbers or normals of a host generator.
    CurandPhilox {
        name: "curand.Philox4_32_10",
        title: "curand.Philox4_32_10",
        prefix: "cup",
        attributes: {
            /// What is drawn.
            distribution: Attribute<CurandDistribution> = Kind::Enumeration(CurandDistribution::NAMES),
            /// The output's element type: u32 for bits, f32 or f64 for the others.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::U32, Dtype::F32, Dtype::F64]),
            /// How many elements there are.
            num: i128 = Kind::Number(&[]),
            /// The seed, which is the key.
            seed: u64 = Kind::Seed,
            /// How many outputs of the generator come before these.
            offset: u64 = Kind::Seed,
        },
        inputs: {
            /// The mean of normals; 0 if it is left out.
            mean: Option<Tensor> = Role::Parameter("0"), Types::Attribute("output_type"), "[]", 0..=0;
            /// Their standard deviation, any number; 1 if it is left out.
            stddev: Option<Tensor> = Role::Parameter("1"), Types::Attribute("output_type"), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, [`num`]"],
    }
}

impl Interface for CurandPhilox {
    fn distribution(&self) -> Option<Distribution<'_>> {
        let dtype = self.output_type.known()?;
        let parameter = |tensor: &Option<Tensor>, absent: f64| match tensor {
            Some(tensor) => tensor.get(0).map(Scalar::to_f64),
            None => Some(absent),
        };
        match self.distribution.known()? {
            CurandDistribution::Bits => Some(Distribution::Bits),
            CurandDistribution::Uniform => super::servers::unit(dtype),
            CurandDistribution::Normal => Some(Distribution::Normal {
                mean: parameter(&self.mean, 0.0)?,
                std: parameter(&self.stddev, 1.0)?,
            }),
        }
    }
}

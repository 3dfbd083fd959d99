//! OpenVINO RandomUniform-8.

use super::{Distribution, Interface, Kind, Role, Types, elements, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

named! {
    /// Which framework RandomUniform-8 follows.
    Alignment {
        /// Philox4x32-10.
        Tensorflow = "TENSORFLOW",
        /// MT19937.
        Pytorch = "PYTORCH",
    }
}

op! {
    /// OpenVINO RandomUniform-8: numbers of one type in `[minval, maxval)`.
    RandomUniform {
        name: "openvino.RandomUniform-8",
        title: "RandomUniform-8",
        prefix: "ru8",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&RandomUniform::TYPES),
            /// First seed.
            global_seed: u64 = Kind::Seed,
            /// Second seed.
            op_seed: u64 = Kind::Seed,
            /// Which generator and which conversions.
            alignment: Attribute<Alignment> = Kind::Enumeration(Alignment::NAMES),
        },
        inputs: {
            /// The output's extents.
            shape: Tensor = Role::Extents, Types::OneOf(&[Dtype::I64, Dtype::I32]), "[rank]", 1..=1;
            /// Lower bound, inclusive.
            minval: Tensor = Role::Lower, Types::Attribute("output_type"), "[] or [1]", 0..=1;
            /// Upper bound, exclusive.
            maxval: Tensor = Role::Upper, Types::Attribute("output_type"), "[] or [1]", 0..=1;
        },
        outputs: ["output": "of `output_type`, the extents in `shape`"],
        execution: u32,
    }
}

impl RandomUniform {
    /// The element types of the output.
    pub const TYPES: [Dtype; 6] = [
        Dtype::F16,
        Dtype::Bf16,
        Dtype::F32,
        Dtype::F64,
        Dtype::I32,
        Dtype::I64,
    ];

    /// A first execution: extents in i64, bounds that have the output's type and no extents, global seed and op seed.
    ///
    /// ```
    /// use seedproof_ops::{Alignment, Dtype, RandomUniform, Request};
    ///
    /// // Nine f32 in [0, 1) from Philox.
    /// let request = RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
    /// assert_eq!(Request::RandomUniform(request).output_form(), Some((Dtype::F32, vec![9])));
    /// ```
    pub fn new(
        alignment: Alignment,
        extents: &[i64],
        bounds: [impl Into<Scalar>; 2],
        [global_seed, op_seed]: [u64; 2],
    ) -> Self {
        let [minval, maxval] = bounds.map(|bound| Tensor::from_scalar(bound.into()));
        Self {
            shape: Tensor::vector(extents),
            output_type: minval.dtype().into(),
            minval,
            maxval,
            global_seed,
            op_seed,
            alignment: alignment.into(),
            execution: 0,
        }
    }
}

impl Interface for RandomUniform {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Uniform {
            lower: self.minval.get(0)?,
            upper: self.maxval.get(0)?,
        })
    }

    fn work(&self) -> u64 {
        let before = match self.alignment.known() {
            // The state of MT19937.
            Some(Alignment::Pytorch) => 624,
            _ => 16,
        };
        elements(self.outputs()).saturating_add(before)
    }
}

//! The normals of TensorFlow and PyTorch.

use super::stateless_random_uniform::drawn_from_counter;
use super::{ALGORITHMS, Distribution, Interface, Kind, Role, Types, elements, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

const FLOATS: &[Dtype] = &[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

/// The ops that draw from two seeds, of which one draws again.
macro_rules! drawn_from_seeds {
    ($($(#[$doc:meta])* $op:ident: $name:literal, $title:literal, $prefix:literal;)*) => {$(
        op! {
            $(#[$doc])*
            $op {
                name: $name,
                title: $title,
                prefix: $prefix,
                attributes: {
                    /// The output's element type.
                    output_type: Attribute<Dtype> = Kind::Dtype(FLOATS),
                    /// The seed that is the key; -1 is 2^64 - 1.
                    seed: u64 = Kind::Seed,
                    /// The seed that is the high half of the counter.
                    seed2: u64 = Kind::Seed,
                },
                inputs: {
                    /// The output's extents.
                    shape: Tensor = Role::Extents, Types::OneOf(&[Dtype::I32, Dtype::I64]), "[rank]", 1..=1;
                },
                outputs: ["output": "of `output_type`, the extents in `shape`"],
                execution: u32,
            }
        }

        impl Interface for $op {
            fn distribution(&self) -> Option<Distribution<'_>> {
                Some(Distribution::Normal { mean: 0.0, std: 1.0 })
            }
        }
    )*};
}

drawn_from_seeds! {
    /// TensorFlow RandomStandardNormal: normals of mean 0 and standard deviation 1 from two seeds.
    RandomStandardNormal: "tensorflow.RandomStandardNormal", "RandomStandardNormal", "tfrn";

    /// TensorFlow TruncatedNormal: normals from two seeds, those of magnitude 2 or more drawn again.
    TruncatedNormal: "tensorflow.TruncatedNormal", "TruncatedNormal", "tftn";
}

drawn_from_counter! {
    /// TensorFlow StatelessRandomNormalV2: normals of mean 0 and standard deviation 1 from a key and a counter.
    StatelessRandomNormal {
        name: "tensorflow.StatelessRandomNormalV2",
        title: "StatelessRandomNormalV2",
        prefix: "tfsn",
        types: FLOATS,
        inputs: {},
    }
}

impl Interface for StatelessRandomNormal {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Normal { mean: 0.0, std: 1.0 })
    }

    /// Where XLA compiles it, the element that a word makes depends on all extents.
    fn grows(&self) -> bool {
        false
    }
}

drawn_from_counter! {
    /// TensorFlow StatelessTruncatedNormalV2: normals from a key and a counter, those of magnitude 2 or more drawn again.
    StatelessTruncatedNormal {
        name: "tensorflow.StatelessTruncatedNormalV2",
        title: "StatelessTruncatedNormalV2",
        prefix: "tfst",
        types: FLOATS,
        inputs: {},
    }
}

impl Interface for StatelessTruncatedNormal {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Normal { mean: 0.0, std: 1.0 })
    }
}

op! {
    /// PyTorch normal_: a contiguous tensor is filled with normals from a generator of one seed; randn is mean 0 and
    /// standard deviation 1.
    TorchNormal {
        name: "torch.normal_",
        title: "normal_",
        prefix: "ptn",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(FLOATS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// The generator's seed, of which MT19937 takes the low 32 bits.
            seed: u64 = Kind::Seed,
        },
        inputs: {
            /// The mean.
            mean: Tensor = Role::Parameter("0"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
            /// The standard deviation, which is not negative.
            std: Tensor = Role::Parameter("1"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

op! {
    /// PyTorch normal: normals from a key.
    PhiloxNormal {
        name: "torch.philox_normal",
        title: "philox_normal",
        prefix: "tkn",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(FLOATS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {
            /// Seed and offset, or a batch of them.
            key: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[..., 2]", 1..=8;
            /// The mean.
            mean: Tensor = Role::Parameter("0"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
            /// The standard deviation; any number.
            std: Tensor = Role::Parameter("1"), Types::OneOf(&[Dtype::F64]), "[]", 0..=0;
        },
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
    }
}

/// The distribution whose mean and standard deviation are these inputs.
pub(super) fn normal<'a>(mean: &Tensor, std: &Tensor) -> Option<Distribution<'a>> {
    let number = |tensor: &Tensor| tensor.get(0).map(Scalar::to_f64);
    Some(Distribution::Normal {
        mean: number(mean)?,
        std: number(std)?,
    })
}

impl Interface for TorchNormal {
    fn distribution(&self) -> Option<Distribution<'_>> {
        normal(&self.mean, &self.std)
    }

    /// Sixteen elements are made together, and the last sixteen again where the others are not whole blocks.
    fn prefix(&self, count: u64) -> Option<Self> {
        let all = elements(self.outputs());
        let is_before_tail = all.is_multiple_of(16) || count.checked_add(16)? <= all;
        (self.execution == 0 && all >= 16 && count >= 16 && count.is_multiple_of(16) && is_before_tail).then(
            || Self {
                output_sizes: vec![count],
                ..self.clone()
            },
        )
    }

    /// The generator has no counter, so that each execution draws what those before it drew too.
    fn work(&self) -> u64 {
        let each = elements(self.outputs()).saturating_add(16);
        each.saturating_mul(u64::from(self.execution).saturating_add(1))
    }
}

impl Interface for PhiloxNormal {
    fn distribution(&self) -> Option<Distribution<'_>> {
        normal(&self.mean, &self.std)
    }

    fn grows(&self) -> bool {
        self.key.shape().rank() == 1
    }
}

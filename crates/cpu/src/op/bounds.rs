//! The bounds of an output, in the form that kernels use.

use half::{bf16, f16};
use seedproof_ops::Dtype;

use crate::rule::{Bf16, F16, Scale, scale_between};

/// A lower bound and a range, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The bits of the lower bound: f16 and bf16 widened to f32, integers to two's complement of 64 bits.
    pub min: u64,
    /// The bits of the upper bound minus the lower, in the form of `min`: rounded to the type, integers
    /// modulo 2^64, i32 modulo 2^32.
    pub range: u64,
}

impl Bounds {
    /// The bounds of floats, rounded to their type.
    pub fn of_floats(dtype: Dtype, min: f64, max: f64) -> Self {
        let [min32, max32] = [min, max].map(single);
        let scale = match dtype {
            Dtype::F16 => {
                let [min, max] = [min32, max32].map(|bound| f16::from_f32(bound).to_f32());
                scale_between::<F16>(min, max)
            }
            Dtype::Bf16 => {
                let [min, max] = [min32, max32].map(|bound| bf16::from_f32(bound).to_f32());
                scale_between::<Bf16>(min, max)
            }
            Dtype::F64 => {
                return Self {
                    min: min.to_bits(),
                    range: (max - min).to_bits(),
                };
            }
            _ => Scale {
                min: min32,
                range: max32 - min32,
            },
        };
        Self {
            min: scale.min.to_bits().into(),
            range: scale.range.to_bits().into(),
        }
    }

    /// The bounds of i32 or i64; the upper one must be the larger.
    pub(crate) const fn of_integers(dtype: Dtype, min: i64, max: i64) -> Self {
        let range = max.wrapping_sub(min).cast_unsigned();
        Self {
            // A bound of an i32 is its two's complement of 64 bits too, and a difference of two never exceeds 32 bits.
            min: min.cast_unsigned(),
            range: match dtype {
                Dtype::I32 => range & 0xffff_ffff,
                _ => range,
            },
        }
    }
}

/// The nearest f32.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(crate) const fn single(x: f64) -> f32 {
    x as f32
}

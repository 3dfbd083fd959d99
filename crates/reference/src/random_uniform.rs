//! OpenVINO RandomUniform-8: numbers of one type in `[minval, maxval)`.
//!
//! [`Plan::new`] checks a request in this order: `output_type` and `alignment`; the input `shape` (type,
//! rank, extents); `minval` and `maxval` (type, form, order). Only a valid request is then checked for what
//! cannot be answered: a second execution, and more output than the limit.

mod bounds;
mod seeds;

use seedproof_ops::{
    Alignment, Dtype, ErrorKind, Failure, Limits, Named, OpError, RandomUniform, Response, Shape, Stages,
};

use self::bounds::{Bounds, Range};
pub use self::seeds::Seeds;
use crate::fill::{Filled, fill};
use crate::{convert, mt19937, validate};

/// A valid request.
pub struct Plan {
    shape: Shape,
    bounds: Bounds,
    alignment: Alignment,
    seeds: Seeds,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an execution after the
    /// first and for an output over the limit.
    pub fn new(request: &RandomUniform, limits: Limits) -> Result<Self, Failure> {
        let output_type = output_type(request)?;
        let alignment = alignment(request)?;
        let extents = extents(request)?;
        let bounds = Bounds::new(output_type, request)?;
        validate::first_execution(request.execution)?;
        Ok(Self {
            shape: output_shape(&extents, output_type, limits)?,
            bounds,
            alignment,
            seeds: Seeds {
                global_seed: request.global_seed,
                op_seed: request.op_seed,
            },
        })
    }

    /// The op's output. `entropy` is used if both seeds are zero.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, entropy: u64) -> Result<Response, Failure> {
        let filled = self.fill(self.bounds, self.seeds.or_entropy(entropy))?;
        Ok(Response::of(filled.tensor))
    }

    /// The words, the values in the unit interval (those of the range from 0 to 1) and the output; `None` if
    /// both seeds are zero.
    pub fn stages(&self) -> Option<Stages> {
        if self.seeds.are_zero() {
            return None;
        }
        let scaled = self.fill(self.bounds, self.seeds).ok()?;
        let unit = match self.bounds.unit() {
            Some(bounds) => Some(self.fill(bounds, self.seeds).ok()?.tensor),
            None => None,
        };
        Some(Stages {
            words: self.words(self.shape.count().checked_mul(scaled.words_per_element)?),
            words_per_element: scaled.words_per_element,
            words_per_block: match self.alignment {
                Alignment::Tensorflow => 4,
                Alignment::Pytorch => 1,
            },
            counters: Vec::new(),
            unit,
            scaled: scaled.tensor,
        })
    }

    fn fill(&self, bounds: Bounds, seeds: Seeds) -> Result<Filled, Failure> {
        match self.alignment {
            Alignment::Tensorflow => tensorflow(&self.shape, bounds, seeds.philox_words()),
            Alignment::Pytorch => pytorch(&self.shape, bounds, mt19937_words(seeds)),
        }
    }

    fn words(&self, count: usize) -> Vec<u32> {
        match self.alignment {
            Alignment::Tensorflow => self.seeds.philox_words().take(count).collect(),
            Alignment::Pytorch => mt19937_words(self.seeds).take(count).collect(),
        }
    }
}

/// `[ru8.attributes.output-type]`: f16, bf16, f32, f64, i32 or i64.
fn output_type(request: &RandomUniform) -> Result<Dtype, OpError> {
    use Dtype::{Bf16, F16, F32, F64, I32, I64};
    validate::attribute(
        "output_type",
        &request.output_type,
        &[F16, Bf16, F32, F64, I32, I64],
    )
}

/// `[ru8.attributes.alignment]`: TENSORFLOW or PYTORCH.
fn alignment(request: &RandomUniform) -> Result<Alignment, OpError> {
    validate::attribute("alignment", &request.alignment, Alignment::ALL)
}

/// `[ru8.shape.form]`: i32 or i64, one dimension, no negative extent.
fn extents(request: &RandomUniform) -> Result<Vec<u64>, OpError> {
    let shape = &request.shape;
    validate::dtype("shape", shape, &[Dtype::I32, Dtype::I64])?;
    if shape.shape().rank() != 1 {
        return validate::shape("shape", shape, "one dimension");
    }
    validate::integers(shape)
        .into_iter()
        .map(|extent| {
            u64::try_from(extent).or_else(|_| {
                let message = format!("make an output with the extent {extent}: expected 0 or more");
                validate::refuse(ErrorKind::Shape, message)
            })
        })
        .collect()
}

/// `[ru8.output.form]`: the extents that `shape` has, of `output_type`.
fn output_shape(extents: &[u64], output_type: Dtype, limits: Limits) -> Result<Shape, Failure> {
    limits.shape(output_type, extents)
}

/// `[ru8.mt.op-seed-ignored]`: the generator of PYTORCH is seeded by `global_seed` alone.
fn mt19937_words(seeds: Seeds) -> impl Iterator<Item = u32> {
    mt19937::words(seeds.global_seed)
}

/// The output under TENSORFLOW, from the words of Philox.
fn tensorflow(shape: &Shape, bounds: Bounds, words: impl Iterator<Item = u32>) -> Result<Filled, Failure> {
    use convert::{bf16, f16, f32, f64, i32, i64};
    match bounds {
        Bounds::F16(Range { minval, maxval }) => fill(shape, words, |[x]| {
            f16::in_range(f16::tensorflow(x), minval, maxval)
        }),
        Bounds::Bf16(Range { minval, maxval }) => fill(shape, words, |[x]| {
            bf16::in_range(bf16::tensorflow(x), minval, maxval)
        }),
        Bounds::F32(Range { minval, maxval }) => fill(shape, words, |[x]| {
            f32::in_range(f32::tensorflow(x), minval, maxval)
        }),
        Bounds::F64(Range { minval, maxval }) => fill(shape, words, |[x0, x1]| {
            f64::in_range(f64::tensorflow(x0, x1), minval, maxval)
        }),
        Bounds::I32(Range { minval, maxval }) => fill(shape, words, |[x]| {
            i32::in_range(i32::tensorflow(x), minval, maxval)
        }),
        Bounds::I64(Range { minval, maxval }) => fill(shape, words, |[x0, x1]| {
            i64::in_range(i64::tensorflow(x0, x1), minval, maxval)
        }),
    }
}

/// The output under PYTORCH, from the words of MT19937.
fn pytorch(shape: &Shape, bounds: Bounds, words: impl Iterator<Item = u32>) -> Result<Filled, Failure> {
    use convert::{bf16, f16, f32, f64, i32, i64};
    match bounds {
        Bounds::F16(Range { minval, maxval }) => fill(shape, words, |[x]| {
            f16::in_range_pytorch(f16::pytorch(x), minval, maxval)
        }),
        Bounds::Bf16(Range { minval, maxval }) => fill(shape, words, |[x]| {
            bf16::in_range_pytorch(bf16::pytorch(x), minval, maxval)
        }),
        Bounds::F32(Range { minval, maxval }) => {
            fill(shape, words, |[x]| f32::in_range(f32::pytorch(x), minval, maxval))
        }
        Bounds::F64(Range { minval, maxval }) => fill(shape, words, |[x, y]| {
            f64::in_range(f64::pytorch(x, y), minval, maxval)
        }),
        Bounds::I32(Range { minval, maxval }) => {
            fill(shape, words, |[x]| i32::in_range(i32::pytorch(x), minval, maxval))
        }
        Bounds::I64(Range { minval, maxval }) if i64::pytorch_takes_one_word(minval, maxval) => {
            fill(shape, words, |[x]| {
                i64::in_range(i64::pytorch_one_word(x), minval, maxval)
            })
        }
        Bounds::I64(Range { minval, maxval }) => fill(shape, words, |[x, y]| {
            i64::in_range(i64::pytorch_two_words(x, y), minval, maxval)
        }),
    }
}

#[cfg(test)]
mod tests;

//! LiteRT RANDOM_UNIFORM: numbers of `[0, 1)` from two seeds.

use seedproof_ops::{Dtype, Failure, Limits, LitertRandomUniform, Response, Stages};

use super::Start;
use crate::convert;
use crate::fill::{Filled, fill};
use crate::stateless::Stream;

/// A valid request.
pub struct Plan(Stream);

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for two seeds of zero and for an output over the
    /// limit.
    pub fn new(request: &LitertRandomUniform, limits: Limits) -> Result<Self, Failure> {
        let start = Start::new(&request.shape, [request.seed, request.seed2], request.execution)?;
        let shape = limits.shape(Dtype::F32, &start.extents)?;
        Ok(Self(Stream::new(shape, start.key, start.counter)))
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response::of(self.fill()?.tensor))
    }

    /// The words and the output, which is the unit interval.
    pub fn stages(&self) -> Option<Stages> {
        let filled = self.fill().ok()?;
        let unit = filled.tensor.clone();
        self.0.stages(filled, Some(unit))
    }

    /// `[ltu.convert]`: the low 23 bits of a word are the mantissa of a number in `[1, 2)`, less one.
    fn fill(&self) -> Result<Filled, Failure> {
        fill(&self.0.shape, self.0.words(), |[x]: [u32; 1]| {
            convert::f32::tensorflow(x)
        })
    }
}

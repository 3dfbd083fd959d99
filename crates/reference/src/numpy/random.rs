//! NumPy `Generator.random`: numbers of `[0, 1)`.
//!
//! There are no stages: the words of most generators have 64 bits.

use seedproof_ops::{Dtype, Elements, Failure, Limits, NumpyRandom, Response, Shape};

use super::{Start, extents};
use crate::validate;

/// A valid request.
pub struct Plan {
    start: Start,
    dtype: Dtype,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[npr.types]`: f32 or f64.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &NumpyRandom, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &[Dtype::F32, Dtype::F64])?;
        // What a request has of a generator is checked before its output is measured.
        let start = Start::new(&request.bit_generator, request.seed, request.execution)?;
        let shape = extents(dtype, &request.output_sizes, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            dtype,
            shape,
        })
    }

    /// Element after element, in row-major order.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.start.last(|generator| {
            let mut elements = Elements::reserve(self.dtype, &self.shape)?;
            for _ in 0..self.shape.count() {
                match self.dtype {
                    Dtype::F32 => elements.push(generator.unit24()),
                    _ => elements.push(generator.unit53()),
                }
            }
            Ok(elements)
        })
    }
}

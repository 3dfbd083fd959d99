//! PyTorch `dropout`: elements dropped with a probability, and the others scaled.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, Scalar, Shape, TorchDropout};

use super::bernoulli_in_place::probability;
use super::{FLOATS, Generator, as_u64, bits, rounded, unit53};
use crate::validate;

/// A valid request.
pub struct Plan {
    generator: Generator,
    dtype: Dtype,
    shape: Shape,
    input: Vec<Scalar>,
    p: f64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tdo.input]`: floats of any extents.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for too late a call.
    pub fn new(request: &TorchDropout, limits: Limits) -> Result<Self, Failure> {
        validate::dtype("input", &request.input, &FLOATS)?;
        let p = probability(&request.p)?;
        let dtype = request.input.dtype();
        let input: Vec<Scalar> = request.input.scalars().collect();
        // Erratum `tdo.ends.draws`: nothing is drawn where nothing is left to chance.
        let words = if p <= 0.0 || p >= 1.0 {
            0
        } else {
            2 * as_u64(input.len())
        };
        Ok(Self {
            generator: Generator::new(request.seed, request.execution, words)?,
            dtype,
            shape: limits.shape(dtype, &request.input.shape().to_u64())?,
            input,
            p,
        })
    }

    /// `[tdo.none]`: the input itself where p is 0. `[tdo.all]`: the input times 0 where p is 1. `[tdo.keep]`: else an element
    /// is kept where the f64 drawn is less than 1 - p.
    ///
    /// Errata `tdo.ends` and `tdo.nan`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut words = self.generator.words();
        let keep = 1.0 - self.p;
        for element in &self.input {
            if self.p == 0.0 {
                elements.push_bits(element.bits());
                continue;
            }
            let is_kept = self.p < 1.0 && unit53(&mut words) < keep;
            let scale = if is_kept { self.scale(keep) } else { 0.0 };
            // The product of two f32 is exact in f64.
            elements.push_bits(bits(self.dtype, element.to_f64() * scale));
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// `[tdo.scale]`: 1 over 1 - p, both as f32 for every type but f64, the quotient rounded to the type.
    ///
    /// Erratum `tdo.scale.order`.
    fn scale(&self, keep: f64) -> f64 {
        match self.dtype {
            Dtype::F64 => 1.0 / keep,
            dtype => rounded(dtype, 1.0 / rounded(Dtype::F32, keep)),
        }
    }
}

//! PyTorch `bernoulli`: ones with a probability for each element.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, Response, Scalar, Shape, TorchBernoulli};

use super::{FLOATS, Generator, as_u64, truth, unit24, unit53};
use crate::validate;

/// A valid request.
pub struct Plan {
    generator: Generator,
    dtype: Dtype,
    shape: Shape,
    p: Vec<f64>,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tbe.p]`: floats from 0 to 1.
    ///
    /// Erratum `tbe.p.range`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for too late a call.
    pub fn new(request: &TorchBernoulli, limits: Limits) -> Result<Self, Failure> {
        validate::dtype("p", &request.p, &FLOATS)?;
        let dtype = request.p.dtype();
        let p: Vec<f64> = request.p.scalars().map(Scalar::to_f64).collect();
        if let Some(p) = p.iter().find(|p| !(0.0..=1.0).contains(*p)) {
            let message = format!("draw with the probability {p}: expected 0 to 1");
            return Ok(validate::refuse(ErrorKind::Range, message)?);
        }
        let words = if dtype == Dtype::F64 { 2 } else { 1 };
        Ok(Self {
            generator: Generator::new(request.seed, request.execution, words * as_u64(p.len()))?,
            dtype,
            shape: limits.shape(dtype, &request.p.shape().to_u64())?,
            p,
        })
    }

    /// `[tbe.less]`: a one where the number drawn is less than p: an f64 for p of f64, and an f32 for every other type.
    ///
    /// Errata `tbe.digits` and `tbe.less.strict`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut words = self.generator.words();
        for &p in &self.p {
            let is_one = match self.dtype {
                Dtype::F64 => unit53(&mut words) < p,
                _ => f64::from(unit24(&mut words)) < p,
            };
            elements.push_bits(truth(self.dtype, is_one));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

//! PyTorch `bernoulli_`: ones with one probability, in place.

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OpError, Response, Shape, Tensor, TorchBernoulliInPlace,
};

use super::{Generator, as_u64, truth, unit53};
use crate::validate;

/// A valid request.
pub struct Plan {
    generator: Generator,
    dtype: Dtype,
    shape: Shape,
    p: f64,
}

/// The types that the op has here; PyTorch has all.
const TYPES: [Dtype; 6] = [
    Dtype::F16,
    Dtype::Bf16,
    Dtype::F32,
    Dtype::F64,
    Dtype::I64,
    Dtype::U8,
];

impl Plan {
    /// The plan for a request.
    ///
    /// `[tbi.types]`: floats, i64 or u8.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &TorchBernoulliInPlace, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &TYPES)?;
        let p = probability(&request.p)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        let generator = Generator::new(request.seed, request.execution, 2 * as_u64(shape.count()))?;
        Ok(Self {
            generator,
            dtype,
            shape,
            p,
        })
    }

    /// `[tbi.less]`: a one where the f64 drawn is less than p, whatever the output's type.
    ///
    /// Erratum `tbi.digits`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut words = self.generator.words();
        for _ in 0..self.shape.count() {
            elements.push_bits(truth(self.dtype, unit53(&mut words) < self.p));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[tbi.p]`, `[tdo.p]`: a scalar of f64 from 0 to 1.
pub(crate) fn probability(p: &Tensor) -> Result<f64, OpError> {
    let p: f64 = validate::scalar("p", p)?;
    if (0.0..=1.0).contains(&p) {
        return Ok(p);
    }
    validate::refuse(
        ErrorKind::Range,
        format!("draw with the probability {p}: expected 0 to 1"),
    )
}

//! PyTorch `exponential_`: exponential numbers, in place.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, Response, Tensor, TorchExponential};

use super::{FLOATS, Generator, as_u64, bits, unit53};
use crate::validate;

/// A valid request, and its output.
pub struct Plan {
    output: Tensor,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tex.types]`: floats. `[tex.lambda]`: the rate is a scalar of f64 that is greater than 0.
    ///
    /// Erratum `tex.logarithm`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit, too late a call,
    /// f64, and where the last bit of a logarithm decides.
    pub fn new(request: &TorchExponential, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &FLOATS)?;
        let lambda: f64 = validate::scalar("lambd", &request.lambd)?;
        if lambda.is_nan() || lambda <= 0.0 {
            let message = format!("draw at the rate {lambda}: expected a number greater than 0");
            return Ok(validate::refuse(ErrorKind::Range, message)?);
        }
        if dtype == Dtype::F64 {
            return Err(Failure::Unsupported(
                "the f64 of a machine's logarithm".to_owned(),
            ));
        }
        let shape = limits.shape(dtype, &request.output_sizes)?;
        let generator = Generator::new(request.seed, request.execution, 2 * as_u64(shape.count()))?;
        let mut elements = Elements::reserve(dtype, &shape)?;
        let mut words = generator.words();
        for _ in 0..shape.count() {
            elements.push_bits(decided(dtype, exponential(unit53(&mut words), lambda))?);
        }
        Ok(Self {
            output: elements.into_tensor(),
        })
    }

    /// The output.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response::of(self.output.clone()))
    }
}

/// `[tex.value]`: `-1 / lambda * log1p(-u)`, in f64.
///
/// Erratum `tex.complement`.
pub(super) fn exponential(u: f64, lambda: f64) -> f64 {
    -1.0 / lambda * libm::log1p(-u)
}

/// `[tex.round]`: the bits in the output's type, halves through f32, if an ulp or two of the f64 decide nothing.
pub(super) fn decided(dtype: Dtype, x: f64) -> Result<u64, Failure> {
    let error = x.abs() / f64::from(1 << 25) / f64::from(1 << 25);
    let [low, high] = [x - error, x + error].map(|x| bits(dtype, x));
    // An infinity has no error.
    if low == high || x.is_infinite() {
        Ok(bits(dtype, x))
    } else {
        Err(Failure::Unsupported(
            "a number whose last bit a logarithm decides".to_owned(),
        ))
    }
}

//! TensorFlow StatelessRandomUniformV2: floats of `[0, 1)`.

use seedproof_ops::{Dtype, Failure, Limits, Response, Stages, StatelessRandomUniform};

use crate::fill::{Filled, fill};
use crate::stateless::{Checked, Stream};
use crate::{convert, validate};

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    stream: Stream,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &StatelessRandomUniform, limits: Limits) -> Result<Self, Failure> {
        let floats = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
        let dtype = validate::attribute("output_type", &request.output_type, &floats)?;
        let stream = Checked::with_algorithm(request)?.stream(dtype, limits)?;
        Ok(Self { dtype, stream })
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
        self.stream.stages(filled, Some(unit))
    }

    /// `[tfsu.convert]`: the low bits of a word are the mantissa of a number in `[1, 2)`, less one. `[tfsu.convert.f64]`:
    /// the first of two words has the high bits.
    ///
    /// Erratum `tfsu.convert.bits`.
    fn fill(&self) -> Result<Filled, Failure> {
        let (shape, words) = (&self.stream.shape, self.stream.words());
        match self.dtype {
            Dtype::F16 => fill(shape, words, |[x]: [u32; 1]| convert::f16::tensorflow(x)),
            Dtype::Bf16 => fill(shape, words, |[x]: [u32; 1]| convert::bf16::tensorflow(x)),
            Dtype::F64 => fill(shape, words, |[x0, x1]: [u32; 2]| {
                convert::f64::tensorflow(x0, x1)
            }),
            _ => fill(shape, words, |[x]: [u32; 1]| convert::f32::tensorflow(x)),
        }
    }
}

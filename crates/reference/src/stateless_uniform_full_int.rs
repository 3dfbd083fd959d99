//! TensorFlow StatelessRandomUniformFullIntV2: integers of all bits.

use seedproof_ops::{Dtype, Failure, Limits, Response, Stages, StatelessRandomUniformFullInt};

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
    pub fn new(request: &StatelessRandomUniformFullInt, limits: Limits) -> Result<Self, Failure> {
        let integers = [Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64];
        let dtype = validate::attribute("output_type", &request.output_type, &integers)?;
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

    /// The words, which are the output.
    pub fn stages(&self) -> Option<Stages> {
        self.stream.stages(self.fill().ok()?, None)
    }

    /// `[tfsf.bits]`: all bits of a word, or of two with the low one first, for all four types.
    ///
    /// Erratum `tfsf.word-order`.
    fn fill(&self) -> Result<Filled, Failure> {
        let (shape, words) = (&self.stream.shape, self.stream.words());
        let wide = |[x0, x1]: [u32; 2]| convert::i64::tensorflow(x0, x1);
        match self.dtype {
            Dtype::I32 => fill(shape, words, |[x]: [u32; 1]| x.cast_signed()),
            Dtype::I64 => fill(shape, words, |x| wide(x).cast_signed()),
            Dtype::U64 => fill(shape, words, wide),
            _ => fill(shape, words, |[x]: [u32; 1]| x),
        }
    }
}

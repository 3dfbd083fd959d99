//! TensorFlow StatelessRandomUniformIntV2: integers in a range.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, OpError, Response, Scalar, Stages, StatelessRandomUniformInt, Tensor,
};

use crate::fill::{Filled, fill};
use crate::stateless::{Checked, Stream, scalar};
use crate::{convert, validate};

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    minval: Scalar,
    maxval: Scalar,
    stream: Stream,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &StatelessRandomUniformInt, limits: Limits) -> Result<Self, Failure> {
        let integers = [Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64];
        let dtype = validate::attribute("output_type", &request.output_type, &integers)?;
        let checked = Checked::new(request)?;
        let minval = bound("minval", &request.minval, dtype)?;
        let maxval = bound("maxval", &request.maxval, dtype)?;
        if checked.draws() {
            checked.algorithm()?;
            less(minval, maxval)?;
        }
        Ok(Self {
            dtype,
            minval,
            maxval,
            stream: checked.stream(dtype, limits)?,
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response::of(self.fill()?.tensor))
    }

    /// The words and the output.
    pub fn stages(&self) -> Option<Stages> {
        self.stream.stages(self.fill().ok()?, None)
    }

    /// `[tfsi.range]`: `minval + x mod (maxval - minval)`, all unsigned. `[tfsi.words]`: x is a word of 32 bits, or two of
    /// 64 bits with the low one first.
    ///
    /// Erratum `tfsi.range.unsigned`: unsigned types go as their signed sisters.
    fn fill(&self) -> Result<Filled, Failure> {
        let (shape, words) = (&self.stream.shape, self.stream.words());
        let [min, max] = [self.minval, self.maxval].map(|bound| bound.bits().cast_signed());
        let narrow = |[x]: [u32; 1]| convert::i32::in_range(x, low_32(min), low_32(max));
        let wide = |[x0, x1]: [u32; 2]| convert::i64::in_range(convert::i64::tensorflow(x0, x1), min, max);
        match self.dtype {
            Dtype::I32 => fill(shape, words, narrow),
            Dtype::U32 => fill(shape, words, |x| narrow(x).cast_unsigned()),
            Dtype::U64 => fill(shape, words, |x| wide(x).cast_unsigned()),
            _ => fill(shape, words, wide),
        }
    }
}

/// The low half of a bound that its type made 64 bits wide.
#[expect(clippy::cast_possible_truncation, reason = "the bound is of 32 bits")]
const fn low_32(bound: i64) -> i32 {
    bound as i32
}

/// `[tfsi.bounds.form]`: of the output's type, shape `[]`.
fn bound(name: &str, tensor: &Tensor, dtype: Dtype) -> Result<Scalar, OpError> {
    validate::dtype(name, tensor, &[dtype])?;
    scalar(name, tensor)
}

/// `[tfsi.bounds.less]`: minval is less than maxval.
///
/// Erratum `tfsi.range.empty`.
fn less(minval: Scalar, maxval: Scalar) -> Result<(), OpError> {
    if minval.to_i128() < maxval.to_i128() {
        return Ok(());
    }
    let message = format!("draw from [{}, {})", minval.literal(), maxval.literal());
    validate::refuse(ErrorKind::Range, message)
}

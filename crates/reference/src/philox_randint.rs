//! PyTorch randint: integers in a range from a key.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, OpError, PhiloxRandint, Response, Shape, Stages, Tensor,
};

use crate::philox_key::Draws;
use crate::{convert, validate};

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    range: Range,
    draws: Draws,
    shape: Shape,
}

/// The conversion of a word.
#[derive(Clone, Copy)]
enum Range {
    /// `[tkr.whole]`: the word itself, where the range is the type's.
    ///
    /// Erratum `tkr.whole.raw`.
    Whole,
    /// `[tkr.range]`: `word mod (high - low) + low`, unsigned.
    Part { low: u64, size: u64 },
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &PhiloxRandint, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, Dtype::INTEGERS)?;
        let range = range(dtype, request.low, request.high)?;
        let draws = Draws::new(&request.key, &request.output_sizes)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        Ok(Self {
            dtype,
            range,
            draws: draws.of_shape(&shape),
            shape,
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.output().map(Response::of)
    }

    /// The words and the output.
    pub fn stages(&self) -> Option<Stages> {
        let per_element = if self.dtype.size() == 8 { 2 } else { 1 };
        let scaled = self.output().ok()?;
        Some(self.draws.stages(&self.shape, per_element, None, scaled))
    }

    /// `[tkr.words]`: of two words the first is the high one.
    ///
    /// Erratum `tkr.word-order`.
    fn output(&self) -> Result<Tensor, Failure> {
        if self.dtype.size() == 8 {
            self.draws.fill(self.dtype, &self.shape, |[x, y]: [u32; 2]| {
                self.range.of(convert::i64::pytorch_two_words(x, y))
            })
        } else {
            self.draws.fill(self.dtype, &self.shape, |[x]: [u32; 1]| {
                self.range.of(u64::from(x))
            })
        }
    }
}

impl Range {
    /// The value's bits, of which the low ones count.
    const fn of(self, word: u64) -> u64 {
        match self {
            Self::Whole => word,
            Self::Part { low, size } => (word % size).wrapping_add(low),
        }
    }
}

/// `[tkr.bounds.left-out]`: a bound that is left out is the type's limit. `[tkr.bounds.order]`: the range is not empty, and
/// within the type. `[tkr.limit]`: of 32-bit types it is below 2^28, or divides 2^32.
///
/// Errata `tkr.bounds.limit` and `tkr.bounds.omitted`.
fn range(dtype: Dtype, low: Option<i128>, high: Option<i128>) -> Result<Range, OpError> {
    let limits = dtype.integers().expect("an integer type has limits");
    let (least, past) = (*limits.start(), *limits.end() + 1);
    let (low, high) = (low.unwrap_or(least), high.unwrap_or(past));
    let refuse = || validate::refuse(ErrorKind::Range, format!("draw {dtype} from [{low}, {high})"));
    if high <= low || low < least || high > past {
        return refuse();
    }
    let size = high - low;
    if dtype.size() == 4 && size >= 1 << 28 && (1_i128 << 32) % size != 0 {
        return refuse();
    }
    if (low, high) == (least, past) {
        return Ok(Range::Whole);
    }
    let low_64 = u64::try_from(low.rem_euclid(1 << 64)).expect("below 2^64");
    let size = u64::try_from(size).expect("less than the whole of the type");
    Ok(Range::Part { low: low_64, size })
}

//! PyTorch inductor randint: integers in a range, as `torch.compile` draws them on a CPU.
//!
//! There are no stages: two words of every block are not used.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, InductorRandint, Limits, OpError, Response, Shape};

use crate::{philox, validate};

/// A valid request.
pub struct Plan {
    key: u32,
    low: i64,
    size: u64,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[idr.seed]`: a scalar of i64, whose low half is the key.
    ///
    /// Erratum `idr.seed.width`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &InductorRandint, limits: Limits) -> Result<Self, Failure> {
        let (low, size) = range(request.low, request.high)?;
        let seed = validate::scalar::<i64>("seed", &request.seed)?;
        Ok(Self {
            key: philox::split(seed.cast_unsigned()).r,
            low,
            size,
            shape: limits.shape(Dtype::I64, &request.output_sizes)?,
        })
    }

    /// `[idr.counter]`: element i has block i. `[idr.range]`: its first two words, the first of them low, modulo
    /// `high - low`, plus `low`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::I64, &self.shape)?;
        for i in (0_u128..).take(self.shape.count()) {
            let [w0, w1, ..] = philox::block(u64::from(self.key), i);
            let word = u64::from(w1) << 32 | u64::from(w0);
            elements.push(self.low.wrapping_add_unsigned(word % self.size));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[idr.bounds]`: each bound is an i64, and low is less than high.
fn range(low: i128, high: i128) -> Result<(i64, u64), OpError> {
    let size = high.checked_sub(low).and_then(|size| u64::try_from(size).ok());
    match (i64::try_from(low), i64::try_from(high), size) {
        (Ok(low), Ok(_), Some(size)) if size > 0 => Ok((low, size)),
        _ => validate::refuse(
            ErrorKind::Range,
            format!("draw from [{low}, {high}): expected low < high, both from -2^63 to 2^63 - 1"),
        ),
    }
}

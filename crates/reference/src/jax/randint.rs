//! JAX randint: integers in a range from a key.
//!
//! There are no stages: an element takes the bits of two streams.

use seedproof_ops::{Dtype, ErrorKind, Failure, JaxRandint, Limits, OpError, Response, Shape};

use super::bits::{filled, width};
use super::keys::{self, Key};
use crate::validate;

/// A valid request.
pub struct Plan {
    key: Key,
    dtype: Dtype,
    shape: Shape,
    range: Range,
}

/// Where the numbers begin, and how they are reduced, in the width that is drawn.
struct Range {
    width: u32,
    minval: i128,
    /// How many numbers there are; 0 of all that the width has.
    span: u64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxRandint, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let dtype = validate::attribute("output_type", &request.output_type, Dtype::INTEGERS)?;
        let range = Range::new(dtype, request.minval, request.maxval)?;
        Ok(Self {
            key: keys::given(implementation, request.partitionable, &request.key)?,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
            range,
        })
    }

    /// `[jxr.draws]`: the first of two keys draws the higher bits, the second the lower ones.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let [higher, lower] = [0, 1].map(|i| Key {
            words: self.key.split(2, i),
            ..self.key
        });
        let bits = |key: Key| key.bits(self.range.width, self.shape.count());
        let pairs = bits(higher).zip(bits(lower));
        filled(
            self.dtype,
            &self.shape,
            pairs.map(|(higher, lower)| self.range.number(higher, lower)),
        )
    }
}

impl Range {
    /// `[jxr.bounds]`: numbers of an i64. `[jxr.clip]`: bounds beyond the type are its limits.
    /// `[jxr.narrow]`: types of fewer than 32 bits are drawn in 32, and their bounds are cut to as many before all else.
    /// `[jxr.span]`: maxval - minval, or 1 if that is not positive; one more for a maxval past the type's greatest value.
    ///
    /// Errata `jxr.narrow.wraps`, `jxr.span.empty` and `jxr.span.past-greatest`.
    fn new(dtype: Dtype, minval: i128, maxval: i128) -> Result<Self, OpError> {
        for bound in [minval, maxval] {
            if i64::try_from(bound).is_err() {
                let message = format!("take the bound {bound}: expected -2^63 to 2^63 - 1");
                return validate::refuse(ErrorKind::Range, message);
            }
        }
        let [minval, maxval] =
            [minval, maxval].map(|bound| if dtype.size() < 4 { cut(bound) } else { bound });
        let limits = dtype.integers().expect("an integer type has limits");
        let clip = |bound: i128| bound.clamp(*limits.start(), *limits.end());
        let (low, high) = (clip(minval), clip(maxval));
        let span = match u128::try_from(high - low) {
            Ok(span) if span > 0 => span + u128::from(maxval > *limits.end()),
            _ => 1,
        };
        let width = width(dtype).max(32);
        Ok(Self {
            width,
            minval: low,
            span: modulo(span, width),
        })
    }

    /// `[jxr.offset]`: the remainder of both draws, the higher one times the multiplier; all of it modulo 2^width.
    fn number(&self, higher: u64, lower: u64) -> u64 {
        let product = u128::from(self.remainder(higher)) * u128::from(self.multiplier());
        let sum = u128::from(modulo(product, self.width)) + u128::from(self.remainder(lower));
        let offset = self.remainder(modulo(sum, self.width));
        let number = (self.minval + i128::from(offset)).rem_euclid(1 << self.width);
        u64::try_from(number).expect("below 2^64")
    }

    /// `[jxr.multiplier]`: the square of 2^(width / 2) modulo the span, cut to the width, modulo the span.
    fn multiplier(&self) -> u64 {
        let half = u128::from(self.remainder(1 << (self.width / 2)));
        self.remainder(modulo(half * half, self.width))
    }

    /// The remainder by the span; the number itself where the span is all that the width has.
    const fn remainder(&self, number: u64) -> u64 {
        match number.checked_rem(self.span) {
            Some(remainder) => remainder,
            None => number,
        }
    }
}

/// The low 32 bits with their sign.
fn cut(bound: i128) -> i128 {
    const HALF: i128 = 1 << 31;
    (bound + HALF).rem_euclid(2 * HALF) - HALF
}

fn modulo(number: u128, width: u32) -> u64 {
    u64::try_from(number & (u128::MAX >> (128 - width))).expect("a width is at most 64")
}

//! NumPy `Generator.integers`: integers of a range.
//!
//! There are no stages: words are rejected, or cut into pieces.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, NumpyIntegers, OpError, Response, Shape};

use super::bit_generator::BitGenerator;
use super::{Start, extents, masked};
use crate::validate;

/// A valid request.
pub struct Plan {
    start: Start,
    dtype: Dtype,
    shape: Shape,
    low: i128,
    /// The greatest number less the least.
    range: u64,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[npi.types]`: an integer of 8 to 64 bits.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &NumpyIntegers, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, Dtype::INTEGERS)?;
        // What a request has of a generator is checked before its output is measured.
        let start = Start::new(&request.bit_generator, request.seed, request.execution)?;
        let range = range(dtype, request.low, request.high, &request.output_sizes)?;
        let shape = extents(dtype, &request.output_sizes, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            dtype,
            shape,
            low: request.low,
            range,
        })
    }

    /// Element after element, in row-major order.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let draw = Draw::new(Method::Product, self.dtype, self.range);
        self.start
            .last(|generator| draw.elements(self.low, &self.shape, generator))
    }
}

/// `[npi.bounds]`, `[rsi.bounds]`: both bounds, the upper one less one, are numbers of the type, and the lower one is less.
///
/// Errata `npi.empty` and `rsi.empty`: the bounds of an output without elements are not looked at.
pub(crate) fn range(dtype: Dtype, low: i128, high: i128, extents: &[u64]) -> Result<u64, OpError> {
    if extents.contains(&0) {
        return Ok(0);
    }
    let type_range = dtype.integers().expect("a type of integers");
    let greatest = high.saturating_sub(1);
    let are_of_type = type_range.contains(&low) && type_range.contains(&greatest);
    let range = u64::try_from(greatest.saturating_sub(low)).ok();
    range.filter(|_| are_of_type).ok_or_else(|| {
        let message = format!("draw {dtype} from {low} to {high}: expected low < high, both of the type");
        OpError::new(ErrorKind::Range, message)
    })
}

/// How a draw becomes a number of a range.
#[derive(Clone, Copy)]
pub(crate) enum Method {
    /// As `Generator` does it.
    Product,
    /// As `RandomState` does it.
    Mask,
}

/// The draws of a call.
#[derive(Clone, Copy)]
pub(crate) struct Draw {
    method: Method,
    dtype: Dtype,
    range: u64,
    /// What is left of a word that was cut into pieces, and how many pieces that is.
    pieces: (u32, u32),
}

impl Draw {
    pub(crate) const fn new(method: Method, dtype: Dtype, range: u64) -> Self {
        Self {
            method,
            dtype,
            range,
            pieces: (0, 0),
        }
    }

    /// The elements of a call. `[npi.pieces.call]`, `[rsi.pieces.call]`: no pieces are left of the call before.
    ///
    /// Errata `npi.pieces.left` and `rsi.pieces.left`.
    pub(crate) fn elements(
        mut self,
        low: i128,
        shape: &Shape,
        generator: &mut BitGenerator,
    ) -> Result<Elements, Failure> {
        let mut elements = Elements::reserve(self.dtype, shape)?;
        for _ in 0..shape.count() {
            let number = low.wrapping_add(i128::from(self.bounded(generator)));
            elements.push_bits(low_64(number));
        }
        Ok(elements)
    }

    /// The number of bits of a draw. `[npi.width]`, `[rsi.width]`: those of the type, but 32 for an integer of 64 bits
    /// whose range fits into them.
    ///
    /// Errata `npi.width.range` and `rsi.width.range`.
    fn width(&self) -> u32 {
        match self.dtype.size() {
            8 if self.range < 1 << 32 => 32,
            size => u32::try_from(8 * size).expect("a type has at most 64 bits"),
        }
    }

    /// A number from 0 to the range.
    fn bounded(&mut self, generator: &mut BitGenerator) -> u64 {
        let whole = u64::MAX >> (64 - self.width());
        match self.range {
            // `[npi.one]`, `[rsi.one]`: a range of one number draws nothing.
            0 => 0,
            // `[npi.whole]`, `[rsi.whole]`: where every draw is in the range, a number is a draw.
            range if range == whole => self.word(generator),
            range => match self.method {
                Method::Product => self.lemire(whole, generator),
                Method::Mask => masked(range, || self.word(generator)),
            },
        }
    }

    /// `[npi.lemire]`: the upper half of the product of a draw and the number of numbers. Draws are rejected whose lower half is
    /// less than the remainder of the number of all draws by that of numbers.
    ///
    /// Erratum `npi.method`.
    fn lemire(&mut self, whole: u64, generator: &mut BitGenerator) -> u64 {
        let numbers = u128::from(self.range) + 1;
        let draws = u128::from(whole) + 1;
        // Draws do not divide by most numbers: without a rejection some numbers would have one draw more than others.
        loop {
            let product = u128::from(self.word(generator)) * numbers;
            if product % draws >= draws % numbers {
                return u64::try_from(product / draws).expect("a number of the range");
            }
        }
    }

    /// A draw of the width. `[npi.pieces]`, `[rsi.pieces]`: those of 8 and 16 bits are pieces of a draw of 32 bits, the lowest
    /// first.
    ///
    /// Errata `npi.pieces.order` and `rsi.pieces.order`.
    fn word(&mut self, generator: &mut BitGenerator) -> u64 {
        match self.width() {
            64 => generator.next64(),
            32 => generator.next32().into(),
            width => {
                if self.pieces.1 == 0 {
                    self.pieces = (generator.next32(), 32 / width);
                }
                let (word, left) = self.pieces;
                self.pieces = (word >> width, left - 1);
                u64::from(word & (u32::MAX >> (32 - width)))
            }
        }
    }
}

/// A number modulo 2^64.
fn low_64(number: i128) -> u64 {
    let [b0, b1, b2, b3, b4, b5, b6, b7, ..] = number.to_le_bytes();
    u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7])
}

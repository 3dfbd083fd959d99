//! NumPy `Generator.integers`: integers of a range.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, NumpyIntegers, OpError, Response, Shape, Stages};

use super::bit_generator::BitGenerator;
use super::{Start, as_u64, extents};
use crate::fill::Elements;
use crate::validate;

/// The types of integers.
const TYPES: [Dtype; 8] = [
    Dtype::I8,
    Dtype::I16,
    Dtype::I32,
    Dtype::I64,
    Dtype::U8,
    Dtype::U16,
    Dtype::U32,
    Dtype::U64,
];

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
    /// Erratum `npi.empty`: the bounds of an output without elements are not looked at.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &NumpyIntegers, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &TYPES)?;
        let generator = |draws| Start::new(&request.bit_generator, request.seed, request.execution, draws);
        // What a request has of a generator is checked before its output is measured.
        generator(0)?;
        let range = if request.output_sizes.contains(&0) {
            0
        } else {
            range(dtype, request.low, request.high)?
        };
        let shape = extents(dtype, &request.output_sizes, limits)?;
        Ok(Self {
            start: generator(as_u64(shape.count()))?,
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
        self.start.last(|generator| {
            let mut elements = Elements::reserve(self.dtype, &self.shape)?;
            let mut draw = Draw::new(self.dtype, self.range, generator);
            for _ in 0..self.shape.count() {
                let number = self.low.wrapping_add(i128::from(draw.bounded()));
                elements.push_bits(low_64(number));
            }
            Ok(elements)
        })
    }

    /// None: words are rejected, or cut into pieces.
    pub const fn stages(&self) -> Option<Stages> {
        None
    }
}

/// `[npi.bounds]`: both bounds, the upper one less one, are numbers of the type, and the lower one is less.
fn range(dtype: Dtype, low: i128, high: i128) -> Result<u64, OpError> {
    let type_range = dtype.integers().expect("a type of integers");
    let greatest = high.saturating_sub(1);
    let are_of_type = type_range.contains(&low) && type_range.contains(&greatest);
    let range = u64::try_from(greatest.saturating_sub(low)).ok();
    range.filter(|_| are_of_type).ok_or_else(|| {
        let message = format!("draw {dtype} from {low} to {high}: expected low < high, both of the type");
        OpError::new(ErrorKind::Range, message)
    })
}

/// The draws of a call.
struct Draw<'a> {
    /// How many bits the type has.
    bits: u32,
    range: u64,
    generator: &'a mut BitGenerator,
    /// What is left of a word that was cut into pieces, and how many pieces that is.
    pieces: (u32, u32),
}

impl<'a> Draw<'a> {
    /// `[npi.pieces.call]`: no pieces are left of the call before. Erratum `npi.pieces.left`.
    fn new(dtype: Dtype, range: u64, generator: &'a mut BitGenerator) -> Self {
        Self {
            bits: u32::try_from(8 * dtype.size()).expect("a type has at most 64 bits"),
            range,
            generator,
            pieces: (0, 0),
        }
    }

    /// The number of bits of a draw. `[npi.width]`: those of the type, but 32 for an integer of 64 bits whose range fits into
    /// them.
    ///
    /// Erratum `npi.width.range`.
    fn width(&self) -> u32 {
        if self.bits == 64 && self.range < 1 << 32 {
            return 32;
        }
        self.bits
    }

    /// A number from 0 to the range.
    fn bounded(&mut self) -> u64 {
        let whole = u64::MAX >> (64 - self.width());
        match self.range {
            // `[npi.one]`: a range of one number draws nothing.
            0 => 0,
            // `[npi.whole]`: where every draw is in the range, a number is a draw.
            range if range == whole => self.word(),
            _ => self.lemire(whole),
        }
    }

    /// `[npi.lemire]`: the upper half of the product of a draw and the number of numbers. Draws are rejected whose lower half is
    /// less than the remainder of the number of all draws by that of numbers.
    ///
    /// Erratum `npi.method`.
    fn lemire(&mut self, whole: u64) -> u64 {
        let numbers = u128::from(self.range) + 1;
        let draws = u128::from(whole) + 1;
        // Draws do not divide by most numbers: without a rejection some numbers would have one draw more than others.
        loop {
            let product = u128::from(self.word()) * numbers;
            if product % draws >= draws % numbers {
                return u64::try_from(product / draws).expect("a number of the range");
            }
        }
    }

    /// A draw of the width. `[npi.pieces]`: those of 8 and 16 bits are pieces of a draw of 32 bits, the lowest first.
    ///
    /// Erratum `npi.pieces.order`.
    fn word(&mut self) -> u64 {
        match self.width() {
            64 => self.generator.next64(),
            32 => self.generator.next32().into(),
            width => {
                if self.pieces.1 == 0 {
                    self.pieces = (self.generator.next32(), 32 / width);
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

//! NumPy `Generator.permutation` of a number: the numbers below it in an order.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, NumpyPermutation, Response, Shape};

use super::bit_generator::BitGenerator;
use super::{Start, as_u64, masked};
use crate::validate;

/// A valid request.
pub struct Plan {
    start: Start,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[npp.n]`: a negative number stands for 0, and fits into 64 bits.
    ///
    /// Erratum `npp.negative`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for a length over the limit and too late a
    /// call.
    pub fn new(request: &NumpyPermutation, limits: Limits) -> Result<Self, Failure> {
        // What a request has of a generator is checked before its output is measured.
        let start = Start::new(&request.bit_generator, request.seed, request.execution)?;
        let shape = length(request.n, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            shape,
        })
    }

    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.start.last(|generator| shuffled(generator, &self.shape))
    }
}

/// `[npp.n]`, `[rsp.n]`: the shape of a permutation of `n` numbers.
///
/// Errata `npp.negative` and `rsp.negative`.
pub(crate) fn length(n: i128, limits: Limits) -> Result<Shape, Failure> {
    if n < i64::MIN.into() {
        let message = format!("permute {n} numbers: expected at least -2^63");
        return Ok(validate::refuse(ErrorKind::Attribute, message)?);
    }
    let n = u64::try_from(n.max(0)).unwrap_or(u64::MAX);
    limits.shape(Dtype::I64, &[n])
}

/// `[npp.shuffle]`, `[rsp.shuffle]`: for i from n - 1 down to 1, number i is exchanged with one of the numbers 0 to i.
///
/// Erratum `rsp.shuffle.begin`.
pub(crate) fn shuffled(generator: &mut BitGenerator, shape: &Shape) -> Result<Elements, Failure> {
    let mut elements = Elements::reserve(Dtype::I64, shape)?;
    let mut numbers: Vec<u64> = (0..as_u64(shape.count())).collect();
    for i in (1..numbers.len()).rev() {
        let other = interval(generator, as_u64(i));
        numbers.swap(i, usize::try_from(other).expect("it is not greater than i"));
    }
    for number in numbers {
        elements.push_bits(number);
    }
    Ok(elements)
}

/// `[npp.interval]`, `[rsp.interval]`: the low bits of a draw of 32 bits, as many as the greatest number has, drawn again while they are greater.
/// Of a greater range the draws have 64 bits.
///
/// Erratum `npp.interval.mask`.
fn interval(generator: &mut BitGenerator, max: u64) -> u64 {
    masked(max, || {
        if max < 1 << 32 {
            generator.next32().into()
        } else {
            generator.next64()
        }
    })
}

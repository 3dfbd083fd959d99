//! NumPy `RandomState.randn`: normals of mean 0 and standard deviation 1.

use seedproof_ops::{Dtype, Elements, Failure, Limits, RandomStateRandn, Response, Shape};
use seedproof_transcend::log;

use super::start;
use crate::numpy::bit_generator::BitGenerator;
use crate::numpy::{Start, as_u64, extents};

/// A valid request.
pub struct Plan {
    start: Start,
    shape: Shape,
}

/// A normal by either of the logarithms that glibc may return.
type Normal = [f64; 2];

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit and too late a
    /// call.
    pub fn new(request: &RandomStateRandn, limits: Limits) -> Result<Self, Failure> {
        let start = start(request.seed, request.seed_words, request.execution)?;
        let shape = extents(Dtype::F64, &request.output_sizes, limits)?;
        Ok(Self {
            start: start.drawing(shape.count())?,
            shape,
        })
    }

    /// `[rsn.kept]`: the second normal of a pair is kept for the next element, also of a later call.
    ///
    /// `[rsn.log]`: an element has no value that one of two logarithms would change.
    ///
    /// Errata `rsn.kept.calls` and `rsn.log.library`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output; [`Failure::Unsupported`] if the last bit of a logarithm decides an
    /// element.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut generator = self.start.generator.clone();
        let count = as_u64(self.shape.count());
        let before = u64::from(self.start.execution) * count;
        // The logarithm takes a hundred times as long as the rest of a normal, and those before this call need none.
        for _ in 0..before / 2 {
            pair(&mut generator);
        }
        let drawn = std::iter::repeat_with(|| normals(&pair(&mut generator))).flatten();
        let drawn = drawn.skip(usize::from(before % 2 == 1));
        let mut elements = Elements::reserve(Dtype::F64, &self.shape)?;
        for [normal, other] in drawn.take(self.shape.count()) {
            if normal.to_bits() != other.to_bits() {
                let message = "the last bit of a logarithm decides an element";
                return Err(Failure::Unsupported(message.to_owned()));
            }
            elements.push(normal);
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// Two numbers from -1 to 1, and the sum of their squares.
struct Pair {
    x1: f64,
    x2: f64,
    r2: f64,
}

/// `[rsn.polar]`: two numbers from -1 to 1, drawn again unless the sum of their squares is between 0 and 1.
///
/// Erratum `rsn.squares`.
fn pair(generator: &mut BitGenerator) -> Pair {
    loop {
        let x1 = 2.0 * generator.unit53() - 1.0;
        let x2 = 2.0 * generator.unit53() - 1.0;
        // Each product is rounded: NumPy's build for x86-64 has no fused multiplications here.
        let r2 = x1 * x1 + x2 * x2;
        if r2 < 1.0 && r2 != 0.0 {
            return Pair { x1, x2, r2 };
        }
    }
}

/// `[rsn.polar]`: both are multiplied by the square root of -2 log(r2) / r2, and `[rsn.order]` the second of them is the
/// first normal.
///
/// Erratum `rsn.order.first`.
fn normals(pair: &Pair) -> [Normal; 2] {
    let factors = log::candidates(pair.r2).map(|log| (-2.0 * log / pair.r2).sqrt());
    [pair.x2, pair.x1].map(|x| factors.map(|f| f * x))
}

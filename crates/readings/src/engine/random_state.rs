//! NumPy's legacy generator, `RandomState`.

use seedproof_ops::{Dtype, Failure};
use seedproof_transcend::log;

use super::arithmetic::Arithmetic;
use super::mt19937::Mt19937;
use super::units::two_to;
use crate::answers::Mt;
use crate::round::f64_of;

/// A normal by either logarithm that a C library may have.
pub(super) type Normal = [f64; 2];

/// The generator, seeded by one word.
pub(super) struct RandomState {
    words: Mt19937,
    /// The other normal of a pair.
    kept: Option<Normal>,
}

impl RandomState {
    pub(super) fn new(answers: &Mt, seed: u32) -> Self {
        Self {
            words: Mt19937::new(answers, seed, 0),
            kept: None,
        }
    }

    /// A number of 53 bits.
    pub(super) fn double(&mut self) -> f64 {
        let [high, low] = [self.words.next() >> 5, self.words.next() >> 6];
        f64_of(u64::from(high) << 26 | u64::from(low)) * two_to(-53)
    }

    /// A normal, by the polar method; the other of a pair is kept.
    pub(super) fn normal(&mut self) -> Normal {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        let [x, y, square] = polar(|| 2.0 * self.double() - 1.0, |x, y| x * x + y * y);
        let factors = log::candidates(square).map(|log| (-2.0 * log / square).sqrt());
        self.kept = Some(factors.map(|factor| factor * x));
        factors.map(|factor| factor * y)
    }

    /// Whether a trial of a probability succeeds, by inversion.
    pub(super) fn success(&mut self, p: f64) -> Result<bool, Failure> {
        let rare = if p <= 0.5 { p } else { 1.0 - p };
        let none = (-rare).ln_1p().exp();
        // A probability of 0 takes a number too.
        let u = self.double();
        if rare > 0.0 && (u - none).abs() <= two_to(-49) {
            let message = "the last bits of an exponential decide";
            return Err(Failure::Unsupported(message.to_owned()));
        }
        Ok((u > none) == (p <= 0.5))
    }
}

/// Two numbers with a sum of squares between 0 and 1, and this sum. Every other pair has one at least, so that only a reading whose
/// numbers do not change, or are all near one corner of the square, comes to the end of its tries. Such a reading comes to it for
/// every normal, and a diagnosis asks it for thousands.
pub(super) fn polar(mut number: impl FnMut() -> f64, sum: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    const TRIES: u32 = 128;
    let mut last = [0.0; 3];
    for _ in 0..TRIES {
        let [x, y] = [number(), number()];
        last = [x, y, sum(x, y)];
        if last[2] < 1.0 && last[2] != 0.0 {
            break;
        }
    }
    last
}

/// A normal in a type, unless the last bit of a logarithm decides it. A half is rounded once, not through f32.
pub(super) fn decided(dtype: Dtype, normal: Normal) -> Result<f64, Failure> {
    let own = Arithmetic::ieee(dtype);
    let [x, other] = normal.map(|x| own.of_f64(x));
    if x.to_bits() == other.to_bits() {
        return Ok(x);
    }
    let message = "the last bit of a logarithm decides a number";
    Err(Failure::Unsupported(message.to_owned()))
}

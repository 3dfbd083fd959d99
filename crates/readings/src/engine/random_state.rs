//! NumPy's legacy generator, `RandomState`.

use seedproof_ops::{Dtype, Failure};

use super::arithmetic::Arithmetic;
use super::mt19937::Mt19937;
use super::units::two_to;
use crate::answers::Mt;
use crate::round::f64_of;

/// The generator, seeded by one word.
pub(super) struct RandomState {
    words: Mt19937,
    /// The other normal of a pair.
    kept: Option<f64>,
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
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        loop {
            let [x, y] = [2.0 * self.double() - 1.0, 2.0 * self.double() - 1.0];
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.kept = Some(factor * x);
                return factor * y;
            }
        }
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

/// A number in a type, unless the last bits of a logarithm decide it. A half is rounded once, not through f32.
pub(super) fn decided(dtype: Dtype, x: f64) -> Result<f64, Failure> {
    let own = Arithmetic::ieee(dtype);
    let error = x.abs() * two_to(-50);
    let [low, high] = [x - error, x + error].map(|x| own.of_f64(x));
    if low.to_bits() == high.to_bits() {
        return Ok(low);
    }
    let message = "the last bits of a logarithm decide a number";
    Err(Failure::Unsupported(message.to_owned()))
}

//! Two normals of two numbers, by Box and Muller, in f32, and what an output is filled with.

use seedproof_transcend::{glibc, xla};

use crate::answers::{AngleIn, BoxMuller, FirstOfPair, Functions, NormalScale, RadiusFrom, RadiusOf};
use crate::cephes;
use crate::round::f32_of;

/// What was drawn: the normals in f32 or wider, and the words where each element has one.
pub(super) struct Drawn {
    pub(super) values: Vec<f64>,
    pub(super) words: Option<Vec<u32>>,
    pub(super) per_block: usize,
}

/// A pair under a reading's answers.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a>(pub(super) &'a BoxMuller);

impl Pair<'_> {
    /// The normals of two numbers of the unit interval, in the order in which they are stored.
    pub(super) fn of(self, numbers: [f32; 2]) -> [f32; 2] {
        let [first, second] = numbers;
        let (of_radius, of_angle) = match self.0.from {
            RadiusFrom::First => (first, second),
            RadiusFrom::Second => (second, first),
        };
        let log = match self.0.radius {
            RadiusOf::NumberFrom1em7 => self.log(if of_radius < 1e-7 { 1e-7 } else { of_radius }),
            RadiusOf::Number => self.log(of_radius),
            RadiusOf::Complement => self.log(1.0 - of_radius),
            RadiusOf::Log1p => f32_of(libm::log1p(f64::from(-of_radius))),
        };
        let radius = (log * -2.0).sqrt();
        let angle = match self.0.angle {
            AngleIn::Double => f32_of(f64::from(of_angle) * (2.0 * std::f64::consts::PI)),
            AngleIn::Single => of_angle * (2.0 * std::f32::consts::PI),
        };
        let [sine, cosine] = self.sine_and_cosine(angle);
        match self.0.first {
            FirstOfPair::Sine => [radius * sine, radius * cosine],
            FirstOfPair::Cosine => [radius * cosine, radius * sine],
        }
    }

    /// A normal times the standard deviation plus the mean.
    pub(super) fn scaled(self, normal: f32, [mean, std]: [f32; 2]) -> f32 {
        match self.0.scale {
            NormalScale::Twice => normal * std + mean,
            NormalScale::Once => normal.mul_add(std, mean),
        }
    }

    pub(super) fn log(self, x: f32) -> f32 {
        match self.0.functions {
            Functions::Glibc => glibc::logf(x),
            Functions::Cephes => cephes::logf(x),
            Functions::Xla => xla::log(x),
            Functions::Musl => libm::logf(x),
            Functions::Correct => f32_of(libm::log(f64::from(x))),
        }
    }

    pub(super) fn sine_and_cosine(self, x: f32) -> [f32; 2] {
        match self.0.functions {
            Functions::Glibc | Functions::Xla => [glibc::sinf(x), glibc::cosf(x)],
            Functions::Cephes => cephes::sincosf(x),
            Functions::Musl => [libm::sinf(x), libm::cosf(x)],
            Functions::Correct => [libm::sin(f64::from(x)), libm::cos(f64::from(x))].map(f32_of),
        }
    }
}

//! Two normals of two numbers, by Box and Muller, in f32, and what an output is filled with.

use seedproof_transcend::{cuda, glibc, xla};

use crate::answers::{
    AngleIn, AngleTurn, BoxMuller, Deviation, FirstOfPair, Functions, NormalScale, PairIn, RadiusFactor,
    RadiusFrom, RadiusOf,
};
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
pub(crate) struct Pair<'a>(pub(crate) &'a BoxMuller);

impl Pair<'_> {
    /// The normals of two numbers of the unit interval, in the order in which they are stored.
    pub(super) fn of(self, numbers: [f32; 2]) -> [f32; 2] {
        if self.0.work == PairIn::F64 {
            return self.of_doubles(numbers.map(f64::from)).map(f32_of);
        }
        let [of_radius, of_angle] = self.ordered(numbers);
        let angle = match self.0.angle {
            AngleIn::Double => f32_of(f64::from(of_angle) * self.turn()),
            AngleIn::Single => of_angle * f32_of(self.turn()),
        };
        self.at(self.radius(of_radius), angle)
    }

    /// The radius of a number of the unit interval.
    pub(crate) fn radius(self, number: f32) -> f32 {
        let log = match self.0.radius {
            RadiusOf::NumberFrom1em7 => self.log(if number < 1e-7 { 1e-7 } else { number }),
            RadiusOf::NumberFromPower(power) => self.log(number.max(f32_of(libm::exp2(-f64::from(power))))),
            RadiusOf::NumberPlus(digits) => self.log(number + f32_of(libm::exp10(-f64::from(digits)))),
            RadiusOf::Number => self.log(number),
            RadiusOf::Complement => self.log(1.0 - number),
            RadiusOf::Log1p => f32_of(libm::log1p(f64::from(-number))),
        };
        (log * f32_of(self.factor())).sqrt()
    }

    /// The normals of a radius and an angle, in the order in which they are stored.
    pub(crate) fn at(self, radius: f32, angle: f32) -> [f32; 2] {
        self.stored(self.sine_and_cosine(angle)).map(|it| radius * it)
    }

    /// The normals of two numbers where the variables of a kernel have a 16-bit type, to which `stored` rounds. `step` rounds what
    /// its functions and operators return.
    pub(super) fn of_halves(
        self,
        numbers: [f32; 2],
        stored: impl Fn(f32) -> f32,
        step: impl Fn(f32) -> f32,
    ) -> [f32; 2] {
        let [of_radius, of_angle] = self.ordered(numbers);
        let log = step(self.log(stored(1.0 - of_radius)));
        let radius = stored(step(log * f32_of(self.factor())).sqrt());
        let angle = stored(f32_of(f64::from(of_angle) * self.turn()));
        self.stored(self.sine_and_cosine(angle))
            .map(|it| step(radius * step(it)))
    }

    /// The same in double, whose functions are never in question: an f32 of the result hardly ever shows which they are.
    pub(super) fn of_doubles(self, numbers: [f64; 2]) -> [f64; 2] {
        let [of_radius, of_angle] = self.ordered(numbers);
        let log = match self.0.radius {
            RadiusOf::NumberFrom1em7 => libm::log(of_radius.max(1e-7)),
            RadiusOf::NumberFromPower(power) => libm::log(of_radius.max(libm::exp2(-f64::from(power)))),
            RadiusOf::NumberPlus(digits) => libm::log(of_radius + libm::exp10(-f64::from(digits))),
            RadiusOf::Number => libm::log(of_radius),
            RadiusOf::Complement => libm::log(1.0 - of_radius),
            RadiusOf::Log1p => libm::log1p(-of_radius),
        };
        let radius = (log * self.factor()).sqrt();
        let turn = match self.0.angle {
            AngleIn::Double => self.turn(),
            AngleIn::Single => f64::from(f32_of(self.turn())),
        };
        let angle = of_angle * turn;
        self.stored([libm::sin(angle), libm::cos(angle)])
            .map(|it| radius * it)
    }

    /// The angle of a number of 1.
    pub(crate) fn turn(self) -> f64 {
        match self.0.turn {
            AngleTurn::Whole => 2.0 * std::f64::consts::PI,
            AngleTurn::Half => std::f64::consts::PI,
        }
    }

    fn factor(self) -> f64 {
        match self.0.factor {
            RadiusFactor::Two => -2.0,
            RadiusFactor::One => -1.0,
        }
    }

    /// The number of the radius, then that of the angle.
    pub(super) fn ordered<T>(self, [first, second]: [T; 2]) -> [T; 2] {
        match self.0.from {
            RadiusFrom::First => [first, second],
            RadiusFrom::Second => [second, first],
        }
    }

    /// Sine and cosine, or a point's coordinates, as they are stored.
    fn stored<T>(self, [sine, cosine]: [T; 2]) -> [T; 2] {
        match self.0.first {
            FirstOfPair::Sine => [sine, cosine],
            FirstOfPair::Cosine => [cosine, sine],
        }
    }

    /// This many normals by Marsaglia's polar method, of numbers that are drawn two at a time.
    pub(super) fn polar(self, count: usize, mut draw: impl FnMut() -> [f32; 2]) -> Vec<f32> {
        let mut normals = Vec::new();
        // Of the square's points 78.5 % are within the circle. Words that a mistake makes constant are always outside.
        for _ in 0..4 * count + 64 {
            if normals.len() >= count {
                break;
            }
            let [x, y] = draw().map(|number| 2.0 * number - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (self.log(square) * -2.0 / square).sqrt();
                normals.extend(self.stored([x * scale, y * scale]));
            }
        }
        normals.resize(count, f32::NAN);
        normals
    }

    fn deviation(self, std: f64) -> f64 {
        match self.0.deviation {
            Deviation::Given => std,
            Deviation::Root => std.sqrt(),
            Deviation::Square => std * std,
        }
    }

    /// A normal times the standard deviation plus the mean.
    pub(crate) fn scaled(self, normal: f32, [mean, std]: [f32; 2]) -> f32 {
        let std = f32_of(self.deviation(std.into()));
        match self.0.scale {
            NormalScale::Twice => normal * std + mean,
            NormalScale::Once => normal.mul_add(std, mean),
            NormalScale::MeanFirst => (normal + mean) * std,
        }
    }

    /// The same in double.
    pub(super) fn scaled_double(self, normal: f64, mean: f64, std: f64) -> f64 {
        let std = self.deviation(std);
        match self.0.scale {
            NormalScale::Twice => normal * std + mean,
            NormalScale::Once => normal.mul_add(std, mean),
            NormalScale::MeanFirst => (normal + mean) * std,
        }
    }

    pub(super) fn log(self, x: f32) -> f32 {
        match self.0.functions {
            Functions::Glibc | Functions::ShiftedSine => glibc::logf(x),
            Functions::Cephes => cephes::logf(x),
            Functions::Xla => xla::log(x),
            Functions::Cuda => cuda::logf(x),
            Functions::Musl => libm::logf(x),
            Functions::Correct => f32_of(libm::log(f64::from(x))),
            Functions::Base2 => f32_of(libm::log2(f64::from(x))) * std::f32::consts::LN_2,
        }
    }

    pub(super) fn sine_and_cosine(self, x: f32) -> [f32; 2] {
        match self.0.functions {
            Functions::Glibc | Functions::Xla => [glibc::sinf(x), glibc::cosf(x)],
            Functions::ShiftedSine => [x, x + std::f32::consts::FRAC_PI_2].map(glibc::sinf),
            Functions::Cephes => cephes::sincosf(x),
            Functions::Cuda => [cuda::sin_approx(x), cuda::cos_approx(x)],
            Functions::Musl => [libm::sinf(x), libm::cosf(x)],
            Functions::Correct | Functions::Base2 => {
                [libm::sin(f64::from(x)), libm::cos(f64::from(x))].map(f32_of)
            }
        }
    }
}

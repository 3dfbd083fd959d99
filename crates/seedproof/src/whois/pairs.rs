//! The words from which the first normals of an array may come.
//!
//! Most programs make two normals of two numbers of the unit interval. Where both normals are known, even to a few digits, these
//! two numbers are known to as many digits, and so are the leading bits of their words. A seed is then excluded by two
//! comparisons of words, without a logarithm or a sine for each of four billion seeds.

use std::f64::consts::{SQRT_2, TAU};

use seedproof_ops::Dtype;

use super::conversion::Top;
use super::numbers::as_f64;
use super::seen::{Elements, Seen};
use super::streams::{NORMAL_WIDTH, WITHIN_TWO, apart};

/// The least and the greatest value of a number.
type Ends = [f64; 2];

/// The words at two places of a stream, if its first normals are those of the array.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) places: [usize; 2],
    pub(super) tops: [Top; 2],
}

/// The first normals of an array.
pub(super) struct Normals {
    ends: Vec<Ends>,
    dtype: Dtype,
}

impl Normals {
    /// `None` for an array that has no normals. Eight numbers of the unit interval are normals once in five thousand times, and to
    /// look for these takes longer than to look for uniform ones.
    pub(super) fn of(seen: &Seen) -> Option<Self> {
        let Elements::Floats(ends) = &seen.elements else {
            return None;
        };
        if ends.len() >= 8 && ends.iter().all(|[low, high]| *low >= 0.0 && *high <= 1.0) {
            return None;
        }
        // Programs differ in their last places, those of a small sine by a share of the radius.
        let apart = apart(seen.dtype, false);
        let wide = |[low, high]: &Ends| {
            let by = apart * low.abs().max(high.abs()).max(1.0);
            [low - by, high + by]
        };
        Some(Self {
            ends: ends.iter().map(wide).collect(),
            dtype: seen.dtype,
        })
    }

    /// The bits that all normals have together.
    pub(super) fn bits(&self, seen: &Seen) -> f64 {
        seen.bits(NORMAL_WIDTH, self.dtype.mantissa_bits().into()) * as_f64(self.ends.len())
    }

    /// Whether a number is the first normal.
    pub(super) fn is_first(&self, number: f64) -> bool {
        self.ends
            .first()
            .is_some_and(|[low, high]| (low..=high).contains(&&number))
    }

    /// Whether the polar method makes the array of these points, of which those outside of the unit circle are left out: times any
    /// number, where a second pair is there to tell.
    pub(super) fn may_be_polar(&self, points: impl Iterator<Item = [f64; 2]>) -> bool {
        let square = |[x, y]: [f64; 2]| x.mul_add(x, y * y);
        let mut inside = points.filter(|point| (f64::MIN_POSITIVE..1.0).contains(&square(*point)));
        // The normals of a pair are the coordinates of its point, the second one first, times one number.
        let is_along = |[x, y]: [f64; 2], pair: &[Ends]| {
            let [middle, half] = [f64::midpoint, |low: f64, high: f64| (high - low) / 2.0]
                .map(|of| [of(pair[0][0], pair[0][1]), of(pair[1][0], pair[1][1])]);
            // The low words are not known, which move a point by 2^-26 at most.
            let unknown = (middle[0].abs() + middle[1].abs()) * 2.0_f64.powi(-25);
            let more = y.abs().mul_add(half[1], x.abs() * half[0]) + unknown;
            let across = y.mul_add(middle[1], -x * middle[0]);
            let along = y.mul_add(middle[0], x * middle[1]);
            across.abs() <= more && along >= -more
        };
        let Some(first) = inside.next().filter(|point| is_along(*point, &self.ends[..2])) else {
            return false;
        };
        if let Some(next) = self.ends.get(2..4) {
            return inside.next().is_none_or(|point| is_along(point, next));
        }
        let square = square(first);
        let factor = (-2.0 * square.ln() / square).sqrt();
        self.is_first(factor * first[1])
    }

    /// The words of MT19937, if PyTorch drew the array.
    pub(super) fn of_twister(&self) -> Vec<Pair> {
        let n = self.ends.len();
        let mut all = Vec::new();
        if n >= 16 {
            let half = (self.dtype == Dtype::F16).then_some((1, 32 - 11));
            let half = half.or((self.dtype == Dtype::Bf16).then_some((1, 32 - 8)));
            // The words of a number, and the bits of the first one that are not used.
            for (each, unused) in [(1, 8), (2, 11)].into_iter().chain(half) {
                // The last block of an array is drawn again, which leaves one whole block of fewer than 32 elements.
                let (from, word) = if n >= 32 || n == 16 {
                    (0, 0)
                } else {
                    (n - 16, n * each)
                };
                let pair = |k: usize| [from + k, from + k + 8];
                let radius = |k: usize| (word + k * each, unused, Unit::LessRadius);
                let turn = |k: usize| (word + (k + 8) * each, unused, Unit::Turn);
                all.extend(self.two(pair(0), turn(0), radius(0), Some((pair(1), turn(1)))));
            }
        } else {
            let next = (n >= 4).then_some(([2, 3], (4, 11, Unit::Turn)));
            all.extend(self.two([0, 1], (0, 11, Unit::Turn), (2, 11, Unit::LessRadius), next));
        }
        all
    }

    /// The words of Philox, if TensorFlow drew the array.
    pub(super) fn of_philox(&self) -> Option<Pair> {
        self.two([1, 0], (1, 9, Unit::Turn), (0, 9, Unit::Radius), None)
    }

    /// The words of Threefry, if JAX drew the array: as normals, and as those within two standard deviations.
    pub(super) fn of_jax(&self) -> Vec<Pair> {
        let of = |bound: f64| {
            let unit = |value: f64| f64::midpoint(libm::erf(value / SQRT_2) / bound, 1.0);
            let [first, second] = [*self.ends.first()?, *self.ends.get(1)?];
            Some(Pair {
                places: [0, 1],
                // XLA's inverse of the error function is off by 3e-6 in its tails, and the low nine bits of a word are not used.
                tops: [first, second].map(|ends| top(0, ends.map(unit), 4e-6)),
            })
        };
        [1.0, WITHIN_TWO].into_iter().filter_map(of).collect()
    }

    /// The words at the places `a` and `b` of which two elements are made, or those of the angles of two pairs, which are the same
    /// after any multiplication.
    fn two(&self, pair: [usize; 2], a: Word, b: Word, next: Option<([usize; 2], Word)>) -> Option<Pair> {
        let of = |pair: [usize; 2], (place, unused, unit): Word| {
            let [x, y] = [*self.ends.get(pair[0])?, *self.ends.get(pair[1])?];
            Some((place, top(unused, unit.ends([x, y]), 0.0)))
        };
        let second = next.map_or_else(|| of(pair, b), |(pair, word)| of(pair, word))?;
        let [(one, first), (other, second)] = [of(pair, a)?, second];
        Some(Pair {
            places: [one, other],
            tops: [first, second],
        })
    }
}

/// A place, the leading bits of its word that the number does not have, and what the number is.
type Word = (usize, u32, Unit);

/// A number of the unit interval from which a pair of normals is made.
#[derive(Clone, Copy)]
enum Unit {
    /// Of Box and Muller's method: the angle over a whole turn.
    Turn,
    /// The number whose logarithm is the radius.
    Radius,
    /// One less that number.
    LessRadius,
}

impl Unit {
    /// The ends of the number, of which the cosine and the sine (the first and the second normal) are known.
    fn ends(self, pair: [Ends; 2]) -> Ends {
        let near = pair.map(|[low, high]| if low > 0.0 { low } else { high.min(0.0) });
        let far = pair.map(|[low, high]| low.abs().max(high.abs()));
        let squares = [near, far].map(|[x, y]| x.mul_add(x, y * y));
        let shares = squares.map(|square| (-square / 2.0).exp());
        match self {
            Self::Turn => turn(pair),
            Self::Radius => [shares[1], shares[0]],
            Self::LessRadius => [1.0 - shares[0], 1.0 - shares[1]],
        }
    }
}

/// The angle of a point in a rectangle, over a whole turn: less than 0 or more than 1 where the rectangle lies across the axis.
fn turn([x, y]: [Ends; 2]) -> Ends {
    let is_around = |[low, high]: Ends| low <= 0.0 && high >= 0.0;
    if is_around(x) && is_around(y) {
        return [0.0, 1.0];
    }
    let middle = f64::midpoint(y[0], y[1]).atan2(f64::midpoint(x[0], x[1]));
    // The rectangle is seen under less than half a turn.
    let away = |x: f64, y: f64| {
        let (sin, cos) = middle.sin_cos();
        (cos * y - sin * x).atan2(cos * x + sin * y)
    };
    let corners = [
        away(x[0], y[0]),
        away(x[0], y[1]),
        away(x[1], y[0]),
        away(x[1], y[1]),
    ];
    let low = corners.into_iter().fold(0.0, f64::min);
    let high = corners.into_iter().fold(0.0, f64::max);
    [(middle + low) / TAU, (middle + high) / TAU]
}

/// The words whose number of the unit interval, without its `unused` leading bits, lies between these ends or off by `more`.
fn top(unused: u32, [low, high]: Ends, more: f64) -> Top {
    let all = 2.0_f64.powi(32);
    // The bits of a second word are not known.
    let rest = 2.0_f64.powi(unused.cast_signed()) + more * all;
    let low = low.mul_add(all, -rest).floor();
    let width = (high.mul_add(all, rest) - low).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "words go round as angles do, and a width is at most a whole turn"
    )]
    Top::range(unused, (low as i64) as u32, width as u32)
}

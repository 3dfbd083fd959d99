//! Lines through standard numbers: bounds and moments that are not known.

use std::borrow::Cow;

use seedproof_ops::Dtype;

use super::standard::Kind;
use crate::whois::numbers::as_f64;
use crate::whois::seen::{Elements, Seen};

/// The elements that are compared before an array is compared whole.
pub(super) const FIRST: usize = 64;
/// The same of an array that is known in parts, where they are mostly those of the first three rows.
const FIRST_ROWS: usize = 18;
/// The numbers among which these are, of an array that is known in parts. With more, each stream would take longer to draw
/// than all that is compared.
const HORIZON: usize = 1 << 16;
/// The elements among which the least and the greatest one give the line.
const ENDS: usize = 16;

/// A line through standard numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) times: f64,
    pub(super) plus: f64,
    /// Whether it was computed from two elements, whose tolerances then move it.
    pub(super) is_computed: bool,
    /// The share of a number by which programs differ in its last places.
    pub(super) apart: f64,
}

/// The elements of an array that are known, and the two that are farthest apart among the first ones.
pub(super) struct Given<'a> {
    pub(super) ends: &'a [[f64; 2]],
    /// The places of the elements in the array.
    pub(super) places: Cow<'a, [usize]>,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) dtype: Dtype,
    /// The elements that are compared before the array is compared whole.
    pub(super) few: usize,
    /// The bounds of uniform numbers, where they are known.
    pub(super) range: Option<[f64; 2]>,
}

impl<'a> Given<'a> {
    /// `None` for an array of one value.
    pub(super) fn of(ends: &'a [[f64; 2]], places: Cow<'a, [usize]>, dtype: Dtype) -> Option<Self> {
        let is_whole = places.len() == places.last().map_or(0, |last| last + 1);
        let few = places.partition_point(|place| *place < HORIZON);
        let few = few.min(if is_whole { FIRST } else { FIRST_ROWS });
        let middle = |index: &usize| f64::midpoint(ends[*index][0], ends[*index][1]);
        let by = |a: &usize, b: &usize| middle(a).total_cmp(&middle(b));
        let among = 0..ENDS.min(few);
        let (least, most) = among.clone().min_by(by).zip(among.max_by(by))?;
        (middle(&least) < middle(&most)).then_some(Self {
            ends,
            places,
            least,
            most,
            dtype,
            few,
            range: None,
        })
    }

    /// The number that an element has, where the array begins with the first of these numbers.
    pub(super) fn number(&self, numbers: &[f64], index: usize) -> f64 {
        numbers[self.places[index]]
    }

    /// The numbers among which the first elements are.
    pub(super) fn numbers_of_few(&self) -> usize {
        self.places[..self.few].last().map_or(0, |last| last + 1)
    }

    pub(super) fn middle(&self, index: usize) -> f64 {
        f64::midpoint(self.ends[index][0], self.ends[index][1])
    }

    pub(super) fn half(&self, index: usize) -> f64 {
        (self.ends[index][1] - self.ends[index][0]) / 2.0
    }

    pub(super) fn spread(&self) -> f64 {
        self.middle(self.most) - self.middle(self.least)
    }

    /// The line through the two elements that are farthest apart. Numbers that are close together decide for none: every
    /// array lies on a steep line, as far as its tolerances go.
    pub(super) fn line(&self, numbers: &[f64], kind: Kind, apart: f64) -> Option<Line> {
        let [least, most] = [self.least, self.most].map(|end| self.number(numbers, end));
        let between = most - least;
        let times = self.spread() / between;
        let plus = self.middle(self.least) - times * least;
        (between + apart > kind.width() / 16.0).then_some(Line {
            times,
            plus,
            is_computed: true,
            apart,
        })
    }

    /// The line that is known: the numbers themselves or, of uniform numbers, those between the bounds. Uniform numbers that every
    /// program computes alike were compared exactly before, and those that were rounded to another type since were not.
    pub(super) fn known(&self, kind: Kind) -> Option<Line> {
        let [low, high] = match (kind.is_exact(), self.range) {
            (true, range) => range?,
            (false, _) => [0.0, 1.0],
        };
        Some(Line {
            times: high - low,
            plus: low,
            is_computed: false,
            apart: apart(self.dtype, kind.is_exact()),
        })
    }

    /// Whether an element lies on the line.
    pub(super) fn is_on(&self, line: Line, index: usize, number: f64) -> bool {
        let value = number.mul_add(line.times, line.plus);
        let size = value.abs().max(line.plus.abs()).max(line.times);
        let mut tolerance = self.half(index) + line.apart * size;
        if line.is_computed {
            let [low, high] = [self.middle(self.least), self.middle(self.most)];
            let beyond = 1.0 + (low - value).max(value - high).max(0.0) / self.spread();
            tolerance += beyond * self.moved(line);
        }
        (value - self.middle(index)).abs() <= tolerance
    }

    /// What is known of three elements: the two that are farthest apart, and another one. `None` where there is no other.
    pub(super) fn probe(&self, apart: f64) -> Option<Probe> {
        let at = (0..self.few).find(|i| ![self.least, self.most].contains(i))?;
        let [least, most] = [self.least, self.most];
        Some(Probe {
            places: [least, most, at].map(|i| self.places[i]),
            ends: [least, most].map(|i| self.middle(i)),
            spread: self.spread(),
            middle: self.middle(at),
            half: self.half(at),
            halves: self.half(least) + self.half(most),
            apart,
        })
    }

    /// The most by which the tolerances of its two end points shift the line.
    pub(super) fn moved(&self, line: Line) -> f64 {
        let size = self
            .middle(self.least)
            .abs()
            .max(self.middle(self.most).abs())
            .max(line.times);
        self.half(self.least).max(self.half(self.most)) + line.apart * size
    }

    /// Whether the numbers of the line are those of the stream, as far as the elements tell. The streams of seeds that a
    /// framework makes are not compared exactly before.
    pub(super) fn is_unit(&self, line: Line) -> bool {
        let moved = 2.0 * self.moved(line);
        line.plus.abs() <= moved && (line.times - 1.0).abs() <= moved
    }

    /// The evidence in elements on a line. Those that the line was computed from have none.
    pub(super) fn bits_on(&self, seen: &Seen, line: Line, count: usize) -> f64 {
        let spread = self.spread();
        // An element has its own tolerance and those of the ends, to both sides.
        let each = (spread / (4.0 * self.moved(line))).log2().max(0.0);
        seen.bits(spread, each) * as_f64(count.saturating_sub(if line.is_computed { 2 } else { 0 }))
    }

    /// The factors of which each makes all elements of these numbers, the first of the array, if there are some. The two elements of
    /// which a line was computed tell it to the digits of their type, and all of them tell it to more.
    fn factors(&self, line: Line, numbers: &[f64]) -> Option<[f64; 2]> {
        // Programs compute in f32 for half types, and round the product.
        let (wide, rounding) = match self.dtype {
            Dtype::F16 => (Dtype::F32, 2.0_f64.powi(-11)),
            Dtype::Bf16 => (Dtype::F32, 2.0_f64.powi(-8)),
            dtype => (dtype, 0.0),
        };
        let share = apart(wide, false);
        let among = self.places.partition_point(|place| *place < numbers.len());
        let of = |i: usize| {
            let (number, middle) = (self.number(numbers, i), self.middle(i));
            // Sines and cosines near zero are as exact as the others, and subnormal numbers are rounded as the least normal one.
            let size = middle.abs();
            let tolerance =
                self.half(i) + share * size.max(line.times) + rounding * size.max(2.0_f64.powi(-14));
            let [one, other] = [middle - tolerance, middle + tolerance].map(|end| end / number);
            [one.min(other), one.max(other)]
        };
        let all = (0..among).filter(|&i| self.number(numbers, i) != 0.0).map(of);
        let [low, high] = all.fold([0.0, f64::INFINITY], |[low, high]: [f64; 2], [least, most]| {
            [low.max(least), high.min(most)]
        });
        (low <= high && high.is_finite()).then_some([low, high])
    }

    /// The line in words. `numbers` are those of the first elements of the array.
    pub(super) fn describe(&self, line: Line, kind: Kind, numbers: &[f64]) -> String {
        if !line.is_computed {
            let short = |bound: f64| short(bound, bound.abs() * 2.0_f64.powi(-24));
            let range = self.range.filter(|_| kind.is_exact());
            return range.map_or_else(String::new, |[low, high]| {
                format!(", in [{}, {})", short(low), short(high))
            });
        }
        let moved = self.moved(line);
        let short = |value: f64| short(value, 2.0 * moved);
        if kind.is_exact() {
            if self.is_unit(line) {
                return String::new();
            }
            let [low, high] = [line.plus, line.plus + line.times];
            return format!(", in [{}, {}){}", short(low), short(high), root(high, moved));
        }
        if let Some([low, high]) = self.factors(line, numbers) {
            let times = f64::midpoint(low, high);
            let shown = self::short(times, (high - low) / 2.0);
            // The square of the factor is off by twice its share, and `root` asks for a quarter of that.
            return format!(", times {shown}{}", root(times, (high - low) / 4.0));
        }
        let plus = match line.plus {
            plus if plus.abs() <= 2.0 * moved => String::new(),
            plus => format!(", plus {}", short(plus)),
        };
        format!(", times {}{}{plus}", short(line.times), root(line.times, moved))
    }
}

/// Three elements, which exclude nearly every place of a stream before a line is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// The places of the three in the array.
    pub(super) places: [usize; 3],
    /// The numbers of the first two.
    ends: [f64; 2],
    spread: f64,
    /// The number of the third one, and its tolerance.
    middle: f64,
    half: f64,
    /// The tolerances of the first two.
    halves: f64,
    apart: f64,
}

impl Probe {
    /// Whether the line through the first two elements may pass the third one, by a tolerance that is at least that of
    /// [`Given::is_on`]. There are millions of places, so that it has no branch and no division: both sides are multiplied by
    /// the square of the distance between the first two numbers.
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    pub(super) fn may_pass(self, [least, most, at]: [f64; 3]) -> bool {
        let [low, high] = self.ends;
        let between = most - least;
        let value = low * between + self.spread * (at - least);
        let sizes = (low.abs() + high.abs()) * between + self.spread * (1.0 + least.abs());
        let moved = self.halves * between + self.apart * sizes;
        let beyond = (least - at).max(at - most).max(0.0);
        let own = self.half * between + self.apart * (value.abs() + sizes);
        let tolerance = own * between + (between + beyond) * moved;
        // Rounding in another order is far below the share by which programs differ.
        let is_near = (value - self.middle * between).abs() * between <= tolerance * (1.0 + 1e-9);
        is_near & (between > 0.0)
    }
}

/// The decimal with the fewest digits that is within the tolerance of a number.
pub(super) fn short(value: f64, tolerance: f64) -> String {
    let near = |digits: usize| {
        let text = format!("{value:.digits$e}");
        let rounded: f64 = text.parse().ok()?;
        ((rounded - value).abs() <= tolerance).then_some(rounded)
    };
    let rounded = if value.abs() <= tolerance {
        0.0
    } else {
        (0..17).find_map(near).unwrap_or(value)
    };
    rounded.to_string()
}

/// What a number is the root of, where it is that of a small number over a whole one: initializers of layers divide by the
/// number of inputs.
fn root(value: f64, moved: f64) -> String {
    /// How near to a whole number is near: one in a hundred numbers is, by chance, for one of the four numerators.
    const NEAR: f64 = 1.0 / 512.0;
    let of = |over: &u32| {
        let below = f64::from(*over) / (value * value);
        let whole = below.round();
        // A number that is known to few digits is near to the root of some fraction in any case.
        let error = 4.0 * moved / value * below;
        (error < NEAR && (below - whole).abs() <= error && whole >= 2.0)
            .then(|| format!(", which is the root of {over}/{whole}"))
    };
    // 0.25 is plainer than the root of 1/16.
    if short(value, 2.0 * moved).len() <= 6 {
        String::new()
    } else {
        [1, 2, 3, 6].iter().find_map(of).unwrap_or_default()
    }
}

/// A line over normals.
pub(in crate::whois) struct Over {
    /// The line in words.
    pub(in crate::whois) what: String,
    /// The evidence in bits.
    pub(in crate::whois) bits: f64,
    /// Whether one factor makes all elements, and not only nearly.
    pub(in crate::whois) is_exact: bool,
}

/// The line on which the first elements of an array lie over these numbers, which are normals. `None` where they do not lie on one.
/// The elements are at `places` of the array, or all of it.
pub(in crate::whois) fn line_over(seen: &Seen, places: Option<&[usize]>, normals: &[f64]) -> Option<Over> {
    let Elements::Floats(ends) = &seen.elements else {
        return None;
    };
    let places = match places {
        None => Cow::Owned((0..normals.len()).collect()),
        Some(places) => Cow::Borrowed(&places[..places.partition_point(|place| *place < normals.len())]),
    };
    let count = places.len();
    let given = Given::of(ends.get(..count)?, places, seen.dtype)?;
    let line = given.line(normals, Kind::Normal, apart(seen.dtype, false))?;
    let is_on = (0..count).all(|i| given.is_on(line, i, given.number(normals, i)));
    is_on.then(|| Over {
        what: given.describe(line, Kind::Normal, normals),
        bits: given.bits_on(seen, line, count),
        is_exact: given.factors(line, normals).is_some(),
    })
}

/// The share of a number by which programs differ in its last places: a few roundings and, where they are not exact, other
/// elementary functions.
pub(in crate::whois) fn apart(dtype: Dtype, is_exact: bool) -> f64 {
    let functions = if is_exact { 0 } else { 3 };
    2.0_f64.powi(match dtype {
        Dtype::F16 => functions - 10,
        Dtype::Bf16 => functions - 7,
        // The inverse error function of XLA is off by 3e-6 in its tails.
        Dtype::F32 => functions - 21,
        _ => 2 * functions - 50,
    })
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Scalar, Shape, Tensor};

    use super::*;
    use crate::whois::sought::Sought;

    /// The deviation of `kaiming_normal_` of 64 inputs, of weights that were saved as f16.
    #[test]
    fn a_factor_is_told_to_the_digits_of_all_elements() {
        let normals: Vec<f64> = (1..400).map(|i| 3.0 * (f64::from(i * i) * 0.7).sin()).collect();
        let weights: Vec<Scalar> = normals
            .iter()
            .map(|normal| Scalar::from_decimal(Dtype::F16, &(normal * 0.176_776_7).to_string()).unwrap())
            .collect();
        let bytes: Vec<u8> = weights.into_iter().flat_map(Scalar::to_le_bytes).collect();
        let tensor = |bytes| Tensor::new(Dtype::F16, Shape::vector(399), bytes).unwrap();
        let seen = |bytes: &[u8]| Seen::of(&Sought::new(tensor(bytes.to_vec()), 0, 0));
        let over = line_over(&seen(&bytes), None, &normals).unwrap();
        assert!(
            over.is_exact && over.what.starts_with(", times 0.1767"),
            "{}",
            over.what
        );
        // One of them is off by more than its rounding, as another program's logarithm may be.
        let mut other = bytes.clone();
        other[200] ^= 4;
        let over = line_over(&seen(&other), None, &normals).unwrap();
        assert!(!over.is_exact && over.what == ", times 0.18", "{}", over.what);
    }

    /// The test before a line is only worth its place if it never excludes what the line itself would accept.
    #[test]
    fn what_lies_on_a_line_may_pass() {
        let mut state = 7_u64;
        let mut unit = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            as_f64(usize::try_from(state >> 44).unwrap()) / f64::from(1 << 20)
        };
        let (mut on, mut excluded) = (0, 0);
        for round in 0..20_000 {
            let half = [0.0, 1e-6, 1e-3, 0.05, 1e-14, 1e-9, 0.0][round % 7];
            let (times, plus) = (1e3 * unit(), 1e3 * unit() - 500.0);
            let numbers: [f64; 3] = std::array::from_fn(|_| 4.0 * unit() - 2.0);
            let stray = [0.0, 0.5, 1.0, 2.0, 1e3][round % 5];
            let ends = numbers.map(|number| {
                let middle = number.mul_add(times, plus) + stray * half * (2.0 * unit() - 1.0);
                [middle - half, middle + half]
            });
            let dtype = [Dtype::F32, Dtype::F64][round % 2];
            let Some(given) = Given::of(&ends, Cow::Borrowed(&[0, 1, 2]), dtype) else {
                continue;
            };
            let kind = [Kind::Unit, Kind::Normal, Kind::Exponential][round % 3];
            let apart = apart(dtype, kind.is_exact());
            let probe = given.probe(apart).unwrap();
            let may_pass = probe.may_pass(probe.places.map(|place| numbers[place]));
            if let Some(line) = given.line(&numbers, kind, apart) {
                let [.., at] = probe.places;
                let is_on = given.is_on(line, at, numbers[at]);
                assert!(!is_on || may_pass, "{numbers:?} {ends:?}");
                on += usize::from(is_on);
                excluded += usize::from(!may_pass);
            }
        }
        assert!(on > 1000 && excluded > 1000, "{on} {excluded}");
    }
}

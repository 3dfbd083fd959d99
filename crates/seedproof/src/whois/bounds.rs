//! The bounds of a range, computed from an array and the stream from which it would be drawn.

use seedproof_ops::{Backend as _, Dtype, Request, Scalar, Stages, Tensor};

use super::elements::head;
use super::generator::joined;
use crate::judging::Catalogue;

/// The number of elements from which bounds are computed.
const READ: u64 = 256;
/// The most significant digits with which people write a bound.
const DIGITS: i32 = 6;

/// The tolerances, in units of the last place, with which a bound of few digits is tried. How far rounding has moved
/// the line through two elements is not known.
const SHIFTS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// The bounds with which a request's stream would draw an array. Words make integers in several ways, each of which has
/// its own bounds. There are none where the request does not draw from a range.
pub(super) fn solved(request: &Request, actual: &Tensor, catalogue: &Catalogue) -> Vec<(Scalar, Scalar)> {
    let count = u64::try_from(actual.count()).unwrap_or(u64::MAX).min(READ);
    let Some(short) = request.prefix(count) else {
        return Vec::new();
    };
    let Some(stages) = catalogue.reference().stages(&short) else {
        return Vec::new();
    };
    let actual = head(actual, count);
    if actual.dtype() != stages.scaled.dtype() || actual.count() < 2 {
        Vec::new()
    } else if actual.dtype().is_float() {
        floats(&stages, &actual)
    } else {
        integers(&stages, &actual)
    }
}

/// The bounds of floats: the ends of the line through two elements, rounded to few digits. The elements of the least
/// and of the greatest unit value are taken, because the error of the line is smallest for these.
fn floats(stages: &Stages, actual: &Tensor) -> Vec<(Scalar, Scalar)> {
    let units: Vec<f64> = stages
        .unit
        .iter()
        .flat_map(Tensor::scalars)
        .map(Scalar::to_f64)
        .collect();
    let values: Vec<f64> = actual.scalars().map(Scalar::to_f64).collect();
    let by_unit = |a: &usize, b: &usize| units[*a].total_cmp(&units[*b]);
    let ends = (0..units.len())
        .min_by(by_unit)
        .zip((0..units.len()).max_by(by_unit));
    let Some((least, most)) = ends.filter(|_| units.len() == values.len()) else {
        return Vec::new();
    };
    let slope = (values[most] - values[least]) / (units[most] - units[least]);
    // In an array of this stream a greater unit value is a greater element.
    if !(slope.is_finite() && slope > 0.0) {
        return Vec::new();
    }
    let low = values[least] - slope * units[least];
    let places = f64::from(1_u32 << actual.dtype().mantissa_bits().min(30));
    let place = (low.abs() + slope) / places / (units[most] - units[least]);
    let decimals = |end: f64| {
        let mut all: Vec<Scalar> = Vec::new();
        for apart in SHIFTS.map(|shift| shift * place) {
            let scalar = Scalar::from_decimal(actual.dtype(), &short_decimal(end, apart, slope));
            all.extend(scalar.filter(|scalar| !all.contains(scalar)));
        }
        all
    };
    let highs = decimals(low + slope);
    let lows = decimals(low).into_iter();
    lows.flat_map(|low| highs.iter().map(move |&high| (low, high)))
        .collect()
}

/// The decimal with the fewest digits near a number, or the number itself if none is near.
fn short_decimal(value: f64, apart: f64, scale: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the exponent of a finite float")]
    let exponent = scale.log10().floor() as i32;
    let rounded = (0..DIGITS).map(|digits| {
        let unit = 10_f64.powi(exponent - digits);
        (value / unit).round() * unit
    });
    let near = rounded
        .into_iter()
        .find(|rounded| (rounded - value).abs() <= apart);
    // Formatted with a fixed number of digits, since a product with a power of ten, such as 0.30000000000000004, has
    // more.
    format!(
        "{:.*}",
        usize::try_from((DIGITS - exponent).max(0)).unwrap_or(0),
        near.unwrap_or(value)
    )
}

/// The bounds of integers that are remainders of words. The difference between a word and its element is a multiple of
/// the range, less the lower bound, so that the range divides the differences of all these differences.
fn integers(stages: &Stages, actual: &Tensor) -> Vec<(Scalar, Scalar)> {
    let each = stages.words_per_element;
    let join = |high: usize, low: usize| {
        let wide = |words: &[u32]| i128::from(joined([words[low], words[high]]));
        stages.words.chunks_exact(2).map(wide).collect::<Vec<i128>>()
    };
    let ways: Vec<Vec<i128>> = match each {
        1 => vec![stages.words.iter().map(|&word| i128::from(word)).collect()],
        2 => vec![
            join(1, 0),
            join(0, 1),
            stages.words.iter().map(|&word| i128::from(word)).collect(),
        ],
        _ => Vec::new(),
    };
    let values: Vec<i128> = actual.scalars().map(Scalar::to_i128).collect();
    ways.iter()
        .filter_map(|words| remainders(words, &values, actual.dtype()))
        .collect()
}

fn remainders(words: &[i128], values: &[i128], dtype: Dtype) -> Option<(Scalar, Scalar)> {
    let between: Vec<i128> = words
        .iter()
        .zip(values)
        .map(|(word, value)| word - value)
        .collect();
    let range = between.iter().fold(0, |range, it| {
        gcd(range, (it - between.first().unwrap_or(it)).abs())
    });
    // Every word fits a range of one, and a constant array has no differences at all.
    if range < 2 {
        return None;
    }
    let low = values.first()? - words.first()?.rem_euclid(range);
    let bounds = Scalar::from_i128(dtype, low).zip(Scalar::from_i128(dtype, low + range));
    // The differences of few elements may have a multiple of the range in common.
    let fits = |(word, value): (&i128, &i128)| value - low == word.rem_euclid(range);
    bounds.filter(|_| words.iter().zip(values).all(fits))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

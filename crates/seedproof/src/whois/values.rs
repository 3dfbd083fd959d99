//! The elements of an array as values: the types that can represent them, their frequencies, and rounding.

use seedproof_ops::{Dtype, Scalar, Tensor};

/// The number of elements from which frequencies are counted.
pub(super) const LOOKED_AT: usize = 1024;

/// The number of elements of an output that lie in the intervals of an array's elements.
pub(super) fn agreeing(within: &[[f64; 2]], output: &Tensor) -> usize {
    let is_within = |(scalar, [low, high]): &(Scalar, &[f64; 2])| {
        let value = scalar.to_f64();
        *low <= value && value <= *high || value.is_nan() && low.is_nan()
    };
    output.scalars().zip(within).filter(is_within).count()
}

/// A number rounded to a float type, ties to even. Subnormal numbers are not flushed.
pub(super) fn rounded(dtype: Dtype, value: f64) -> f64 {
    let (bits, least) = match dtype {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the rounding to f32 is what is asked for"
        )]
        Dtype::F32 => return f64::from(value as f32),
        Dtype::F16 => (10, -14),
        Dtype::Bf16 => (7, -126),
        _ => return value,
    };
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // Below the least exponent the steps of the type stop shrinking, which is how subnormals are rounded.
    let exponent = i32::try_from(value.to_bits() >> 52 & 0x7ff).map_or(0, |biased| biased - 1023);
    let unit = 2.0_f64.powi(exponent.max(least) - bits);
    (value / unit).round_ties_even() * unit
}

/// The types in which an array may have been drawn: narrower ones that can represent every element, and then its own.
/// An array that was drawn in a half type is often saved as f32, and whole numbers are saved in wider types or as
/// floats.
///
/// ```
/// use seedproof::ops::{Dtype, Tensor};
/// use seedproof::whois::types;
///
/// let halves = Tensor::vector(&[0.5_f32, 0.375, 0.8125]);
/// assert_eq!(types(&halves), [Dtype::F16, Dtype::Bf16, Dtype::F32]);
/// ```
pub fn types(actual: &Tensor) -> Vec<Dtype> {
    let own = actual.dtype();
    let narrower = |dtype: &Dtype| {
        let is_narrower = dtype.size() < own.size() || own.is_float() && !dtype.is_float();
        *dtype != own && is_narrower && actual.scalars().all(|scalar| scalar.to_dtype(*dtype).is_some())
    };
    let order = [
        Dtype::U8,
        Dtype::I8,
        Dtype::U16,
        Dtype::I16,
        Dtype::F16,
        Dtype::Bf16,
        Dtype::I32,
        Dtype::U32,
        Dtype::I64,
        Dtype::U64,
        Dtype::F32,
    ];
    // Some values fit every type and are evidence for none: zeros and ones for a half type, small numbers for bytes.
    let telling = |dtype: &Dtype| match (dtype.is_float(), dtype.size()) {
        (true, _) => actual.scalars().any(|scalar| scalar.to_f64().fract() != 0.0),
        (false, 1 | 2) => in_type(actual, *dtype).is_some_and(|actual| is_wide(&actual)),
        // An array of a single value is evidence for no type.
        (false, _) => entropy(actual) > 0.0,
    };
    let mut all: Vec<Dtype> = order.into_iter().filter(narrower).filter(telling).collect();
    all.push(own);
    all
}

/// Whether whole numbers use the full width of their type, as a generator's words do.
pub(super) fn is_wide(actual: &Tensor) -> bool {
    let dtype = actual.dtype();
    if dtype.is_float() {
        return false;
    }
    let bits = 8 * dtype.size();
    let mut numbers = actual.scalars().map(Scalar::to_i128);
    if dtype.is_signed() {
        let quarter = 1_i128 << (bits - 2);
        let (mut is_low, mut is_high) = (false, false);
        numbers.any(|number| {
            is_low |= number < -quarter;
            is_high |= number >= quarter;
            is_low && is_high
        })
    } else {
        numbers.any(|number| number >= 1_i128 << (bits - 1))
    }
}

/// The array converted to another type; `None` if that type cannot represent every element.
///
/// ```
/// use seedproof::ops::{Dtype, Tensor};
/// use seedproof::whois::in_type;
///
/// assert_eq!(in_type(&Tensor::vector(&[0.5_f64, 3.0]), Dtype::F16).map(|it| it.dtype()), Some(Dtype::F16));
/// assert_eq!(in_type(&Tensor::vector(&[0.1_f64]), Dtype::F32), None);
/// ```
pub fn in_type(actual: &Tensor, dtype: Dtype) -> Option<Tensor> {
    let scalars: Option<Vec<Scalar>> = actual.scalars().map(|it| it.to_dtype(dtype)).collect();
    Tensor::from_scalars(dtype, actual.shape().clone(), scalars?).ok()
}

/// The entropy of an element in bits, by the frequencies of the values among the first elements. It is infinite, which
/// bounds nothing, where nearly all of them differ: of a dozen elements the frequencies show four bits at most, and two that are
/// equal by chance would make an array of six printed numbers less certain than one of five.
#[expect(clippy::cast_precision_loss, reason = "a few thousand elements")]
pub(super) fn entropy(actual: &Tensor) -> f64 {
    let counts = counts(actual);
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    if counts.len() * 4 >= all * 3 && all > 1 {
        return f64::INFINITY;
    }
    let bits = |&(_, count): &(u64, usize)| {
        let share = count as f64 / all as f64;
        -share * share.log2()
    };
    counts.iter().map(bits).sum()
}

/// The frequency of each value among the first elements, sorted by the values' bits.
// Of a mask they are counted for every candidate, and a hash table takes longer than a sort.
pub(super) fn counts(tensor: &Tensor) -> Vec<(u64, usize)> {
    let mut bits: Vec<u64> = tensor.scalars().take(LOOKED_AT).map(Scalar::bits).collect();
    bits.sort_unstable();
    bits.chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len()))
        .collect()
}

/// The mean and the standard deviation of an array of floats, if its skewness and kurtosis are those of a normal
/// distribution. `None` for any other array, and for fewer than 1,000 elements, which cannot be told from uniform
/// numbers.
///
/// Source: Jarque and Bera, "Efficient tests for normality" (1980), with a bound for each moment.
#[expect(clippy::cast_precision_loss, reason = "a count of elements")]
pub fn looks_normal(actual: &Tensor) -> Option<[f64; 2]> {
    // The bound in standard errors, which about one of 5,000 arrays of true normals exceeds. With 1,000 elements it is
    // 0.6 for the kurtosis: 1.8, the kurtosis of uniform numbers, differs by twice that from the 3 of normals. With 256 it
    // is 1.19, within which a few uniform arrays are.
    const ERRORS: f64 = 3.9;
    const FEWEST: usize = 1000;
    // Four values in turn may have any moments.
    const FEWEST_VALUES: usize = 64;
    let count = actual.shape().count();
    if count < FEWEST || !actual.dtype().is_float() || counts(actual).len() < FEWEST_VALUES {
        return None;
    }
    let n = count as f64;
    let moment = |mean: f64, power: i32| {
        let powers = actual
            .scalars()
            .map(|scalar| (scalar.to_f64() - mean).powi(power));
        powers.sum::<f64>() / n
    };
    let mean = moment(0.0, 1);
    let variance = moment(mean, 2);
    let skewness = moment(mean, 3) / variance.powf(1.5);
    let kurtosis = moment(mean, 4) / variance.powi(2);
    // A comparison with NaN is false, so that constants and arrays with infinities are not called normal.
    let is_normal =
        skewness.abs() < ERRORS * (6.0 / n).sqrt() && (kurtosis - 3.0).abs() < ERRORS * (24.0 / n).sqrt();
    is_normal.then(|| [mean, variance.sqrt()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(count: u32, value: impl Fn(f64) -> f64) -> Tensor {
        let values: Vec<f64> = (0..count)
            .map(|i| value((f64::from(i) + 0.5) / f64::from(count)))
            .collect();
        Tensor::vector(&values)
    }

    #[test]
    fn normals_are_told_from_other_numbers_by_their_moments() {
        let turn = |u: f64| (u * 618.033_988_75).fract() * std::f64::consts::TAU;
        let normals = |u: f64| 3.0 + 0.5 * (-2.0 * u.ln()).sqrt() * turn(u).cos();
        let [mean, std] = looks_normal(&array(1024, normals)).unwrap();
        assert!(
            (mean - 3.0).abs() < 0.05 && (std - 0.5).abs() < 0.05,
            "{mean} {std}"
        );
        assert_eq!(looks_normal(&array(255, normals)), None);
        for count in [256, 1024] {
            assert_eq!(looks_normal(&array(count, |u| u)), None);
            assert_eq!(looks_normal(&array(count, |u| -u.ln())), None);
            assert_eq!(looks_normal(&array(count, |_| 1.0)), None);
            assert_eq!(
                looks_normal(&array(count, |u| 1.0 / (u - 0.5 / f64::from(count)))),
                None
            );
        }
    }
}

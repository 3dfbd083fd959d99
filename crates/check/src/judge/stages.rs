//! The first stage that differs: the generator's words, the values in the unit interval, or the scaled values.

use seedproof_ops::{Distribution, Dtype, NanRule, Request, Scalar, Stages, Tensor};

use crate::model::stage::{Stage, StageResult};
use crate::model::statistics::float;
use crate::model::ulp::step;

/// The bits of evidence that the claim needs that the words are right. A wrong claim sends a reader away from the
/// generator, so that it is made at most once in 2^64 outputs.
const CERTAIN_BITS: f64 = 64.0;

/// Compares two computations of one request stage by stage. A stage that one of them does not have is left out.
pub(crate) fn compare_stages(expected: &Stages, actual: &Stages, nan: NanRule) -> Vec<StageResult> {
    let result = |stage, equal| StageResult { stage, equal };
    let unit = expected.unit.as_ref().zip(actual.unit.as_ref());
    [
        Some(result(Stage::Words, expected.words == actual.words)),
        unit.map(|(expected, actual)| result(Stage::UnitInterval, nan.same(expected, actual))),
        Some(result(Stage::Scale, nan.same(&expected.scaled, &actual.scaled))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The stages of a wrong output as far as they follow from the output itself and the oracle's stages; empty if nothing
/// is certain.
///
/// * Where the output is the words themselves, a wrong output has wrong words.
/// * Where every element lies within a few roundings of the expected one, and other words would come so near with a
///   probability under 2^-64, the words are right.
/// * If the words are right and the range is 0 to 1, the values of the unit interval are wrong: there is no scale that
///   could be.
/// * If the words are right and another way to scale the expected values of the unit interval reproduces every element
///   of f32 or f64, these values are right and the scale is wrong.
///
/// The other stages do not follow, and are left out.
pub(crate) fn infer_stages(request: &Request, expected: &Stages, actual: &Tensor) -> Vec<StageResult> {
    if expected.scaled.dtype() != actual.dtype() || expected.scaled.count() != actual.count() {
        return Vec::new();
    }
    let result = |stage, equal| StageResult { stage, equal };
    let is_words = expected.scaled.dtype().size() == 4
        && expected.scaled.count() == expected.words.len()
        && expected
            .scaled
            .scalars()
            .zip(&expected.words)
            .all(|(element, &word)| element.bits() == u64::from(word));
    if is_words && expected.scaled != *actual {
        return vec![result(Stage::Words, false)];
    }
    if nearness(request, &expected.scaled, actual) < CERTAIN_BITS {
        return Vec::new();
    }
    let mut stages = vec![result(Stage::Words, true)];
    if let Some(unit) = &expected.unit
        && expected.scaled != *actual
        && let Some((min, max)) = bounds(request)
    {
        if (min.to_f64(), max.to_f64()) == (0.0, 1.0) {
            stages.push(result(Stage::UnitInterval, false));
        } else if is_scaled_otherwise(unit, min.to_f64(), max.to_f64(), actual) {
            stages.push(result(Stage::UnitInterval, true));
            stages.push(result(Stage::Scale, false));
        }
    }
    stages
}

/// The fewest elements that another way to scale must reproduce. A rounding leaves an element only a few neighbours.
/// With three neighbours, one of the four ways reproduces eight elements by chance once in 1,600 outputs.
const MIN_SCALED: usize = 8;

/// Another way to scale than the specification's: a function of x, min and max, all in the type of the output.
type Way<T> = fn(T, T, T) -> T;

/// With a fused multiplication, as a mean of the bounds, from the upper bound down, and in f64.
const F32_WAYS: [Way<f32>; 4] = [
    |x, min, max| x.mul_add(max - min, min),
    |x, min, max| min * (1.0 - x) + max * x,
    |x, min, max| max - (1.0 - x) * (max - min),
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the one rounding that this way has"
    )]
    |x, min, max| {
        let [x, min, max] = [x, min, max].map(f64::from);
        (x * (max - min) + min) as f32
    },
];

/// With a fused multiplication, as a mean of the bounds, and from the upper bound down.
const F64_WAYS: [Way<f64>; 3] = [
    |x, min, max| x.mul_add(max - min, min),
    |x, min, max| min * (1.0 - x) + max * x,
    |x, min, max| max - (1.0 - x) * (max - min),
];

/// Whether one of the other ways to scale reproduces every element from the expected values of the unit interval.
fn is_scaled_otherwise(unit: &Tensor, min: f64, max: f64, actual: &Tensor) -> bool {
    let elements = || unit.scalars().zip(actual.scalars());
    let count = elements().count();
    if unit.dtype() != actual.dtype() || count < MIN_SCALED || count != actual.count() {
        return false;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "f32 values, widened, go back unchanged"
    )]
    let narrow = |value: f64| value as f32;
    match actual.dtype() {
        Dtype::F32 => F32_WAYS.iter().any(|way| {
            elements().all(|(x, actual)| {
                let scaled = way(narrow(x.to_f64()), narrow(min), narrow(max));
                u64::from(scaled.to_bits()) == actual.bits()
            })
        }),
        Dtype::F64 => F64_WAYS
            .iter()
            .any(|way| elements().all(|(x, actual)| way(x.to_f64(), min, max).to_bits() == actual.bits())),
        _ => false,
    }
}

/// The evidence, in bits, that the words are the expected ones: how unlikely values as near as these are from other
/// words. 0 if any element is not near.
fn nearness(request: &Request, expected: &Tensor, actual: &Tensor) -> f64 {
    let Some((min, max)) = bounds(request) else {
        return 0.0;
    };
    // Each side of the comparison rounds a product and a sum, each by at most half a step: two steps in all. The bound
    // is doubled for an implementation that rounds more often. A step is largest at the largest magnitude.
    let tolerance = 4.0 * step(min.to_f64().abs().max(max.to_f64().abs()), expected.dtype());
    let range = max.to_f64() - min.to_f64();
    let bits = (range / (2.0 * tolerance)).log2();
    let all_near = expected
        .scalars()
        .zip(actual.scalars())
        .all(|(expected, actual)| (expected.to_f64() - actual.to_f64()).abs() <= tolerance);
    if all_near && bits.is_finite() && bits > 0.0 {
        bits * float(expected.count())
    } else {
        0.0
    }
}

/// The bounds of uniform floats.
fn bounds(request: &Request) -> Option<(Scalar, Scalar)> {
    match request.distribution()? {
        Distribution::Uniform { lower, upper } if lower.dtype().is_float() && upper.dtype().is_float() => {
            Some((lower, upper))
        }
        _ => None,
    }
}

/// Whether an output is small enough to ask for its stages, which take several times its memory.
pub(crate) const fn is_worth_staging(output: &Tensor) -> bool {
    output.count() <= 1 << 20
}

#[cfg(test)]
mod tests;

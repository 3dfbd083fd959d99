//! Which stage differs: the generator's words, the values in the unit interval, or the scale.

use seedproof_ops::{Dtype, Request, Scalar, Stages, Tensor};

use crate::{Stage, StageValues, StageVerdict};

/// Bits of evidence that make a coincidence impossible for our purposes.
const CERTAIN: f64 = 64.0;

/// Stage by stage, what two computations of one request have in common. A stage that one of them does not have is
/// left out.
pub fn compare_stages(expected: &Stages, actual: &Stages) -> Vec<(Stage, StageVerdict)> {
    let verdict = |equal| {
        if equal {
            StageVerdict::Equal
        } else {
            StageVerdict::Differs
        }
    };
    let mut stages = vec![(Stage::Words, verdict(expected.words == actual.words))];
    if let (Some(expected), Some(actual)) = (&expected.unit, &actual.unit) {
        stages.push((Stage::UnitInterval, verdict(expected == actual)));
    }
    stages.push((Stage::Scale, verdict(expected.scaled == actual.scaled)));
    stages
}

impl StageValues {
    /// What the element of this row-major index went through.
    pub(crate) fn of(stages: &Stages, index: usize) -> Self {
        let start = index.saturating_mul(stages.words_per_element);
        let end = start.saturating_add(stages.words_per_element);
        Self {
            words: stages.words.get(start..end).unwrap_or_default().to_vec(),
            unit: stages.unit.as_ref().and_then(|unit| unit.get(index)),
        }
    }
}

/// What a wrong output alone says of the words behind it, given the oracle's stages; empty if nothing is certain.
///
/// * Where the output is the words themselves (DirectML), other output is other words.
/// * Where every element lies within a few roundings of the expected one, and other words would have come so near
///   with a probability under 2^-64, the words are the same. What happened to them later is left open.
pub fn infer_stages(request: &Request, expected: &Stages, actual: &Tensor) -> Vec<(Stage, StageVerdict)> {
    if expected.scaled.dtype() != actual.dtype() || expected.scaled.count() != actual.count() {
        return Vec::new();
    }
    let is_words = expected.scaled.dtype().size() == 4
        && expected.scaled.count() == expected.words.len()
        && expected
            .scaled
            .scalars()
            .zip(&expected.words)
            .all(|(element, &word)| element.bits() == u64::from(word));
    if is_words && expected.scaled != *actual {
        return vec![(Stage::Words, StageVerdict::Differs)];
    }
    if nearness(request, &expected.scaled, actual) >= CERTAIN {
        return vec![(Stage::Words, StageVerdict::Equal)];
    }
    Vec::new()
}

/// How unlikely it is, in bits, that other words give values as near as these: 0 where one is far away.
fn nearness(request: &Request, expected: &Tensor, actual: &Tensor) -> f64 {
    let Some((min, max)) = bounds(request) else {
        return 0.0;
    };
    // Sum and product are each rounded, at worst where the magnitude is largest.
    let near = 4.0 * step(min.to_f64().abs().max(max.to_f64().abs()), expected.dtype());
    let range = max.to_f64() - min.to_f64();
    let bits = (range / (2.0 * near)).log2();
    let all_near = expected
        .scalars()
        .zip(actual.scalars())
        .all(|(expected, actual)| (expected.to_f64() - actual.to_f64()).abs() <= near);
    if all_near && bits.is_finite() && bits > 0.0 {
        bits * f64::from(u32::try_from(expected.count()).unwrap_or(u32::MAX))
    } else {
        0.0
    }
}

/// The distance between neighbouring values of a float type at this magnitude.
pub(crate) fn step(magnitude: f64, dtype: Dtype) -> f64 {
    let power = f64::from_bits(magnitude.to_bits() & f64::INFINITY.to_bits());
    let step = power / f64::from_bits((1023 + u64::from(dtype.mantissa_bits())) << 52);
    step.max(Scalar::new(dtype, 1).to_f64())
}

/// The bounds of a float RandomUniform.
pub(crate) fn bounds(request: &Request) -> Option<(Scalar, Scalar)> {
    let Request::RandomUniform(op) = request else {
        return None;
    };
    let (min, max) = (op.minval.get(0)?, op.maxval.get(0)?);
    (op.minval.dtype().is_float() && op.maxval.dtype().is_float()).then_some((min, max))
}

/// The stage that differs first, if one does.
pub(crate) fn first_difference(stages: &[(Stage, StageVerdict)]) -> Option<Stage> {
    stages
        .iter()
        .find(|(_, verdict)| *verdict == StageVerdict::Differs)
        .map(|&(stage, _)| stage)
}

/// Whether an output is small enough to ask for its stages, which take several times its size.
pub(crate) const fn is_worth_staging(output: &Tensor) -> bool {
    output.count() <= 1 << 20
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{dml, uniform, uniform_between};
    use seedproof_ops::Alignment;

    fn stages(words: &[u32], unit: Option<&[f32]>, scaled: &[f32]) -> Stages {
        Stages {
            words: words.to_vec(),
            words_per_element: 1,
            unit: unit.map(Tensor::vector),
            scaled: Tensor::vector(scaled),
        }
    }

    #[test]
    fn stages_name_the_first_that_differs() {
        let oracle = stages(&[1, 2], Some(&[0.25, 0.5]), &[2.5, 3.0]);
        let words = stages(&[1, 3], Some(&[0.25, 0.75]), &[2.5, 3.5]);
        let unit = stages(&[1, 2], Some(&[0.25, 0.75]), &[2.5, 3.5]);
        let scale = stages(&[1, 2], Some(&[0.25, 0.5]), &[2.5, 3.5]);
        let first = |actual| first_difference(&compare_stages(&oracle, actual));
        assert_eq!(first(&words), Some(Stage::Words));
        assert_eq!(first(&unit), Some(Stage::UnitInterval));
        assert_eq!(first(&scale), Some(Stage::Scale));
        assert_eq!(first(&oracle), None);
    }

    #[test]
    fn stages_that_one_side_lacks_are_left_out() {
        let oracle = stages(&[1], Some(&[0.5]), &[1.0]);
        let integers = stages(&[1], None, &[1.0]);
        assert_eq!(
            compare_stages(&oracle, &integers),
            [
                (Stage::Words, StageVerdict::Equal),
                (Stage::Scale, StageVerdict::Equal)
            ]
        );
    }

    #[test]
    fn stages_of_raw_words_are_certain() {
        let words = [7, 8, 9];
        let oracle = Stages {
            words: words.to_vec(),
            words_per_element: 1,
            unit: None,
            scaled: Tensor::vector(&words),
        };
        assert_eq!(
            infer_stages(&dml(&[1, 1, 1, 3]), &oracle, &Tensor::vector(&[7_u32, 9, 8])),
            [(Stage::Words, StageVerdict::Differs)]
        );
    }

    #[test]
    fn stages_are_inferred_from_small_differences_only() {
        let request = uniform_between(Dtype::F32, 8, ("-1.5", "-1"));
        let values = [
            -1.25,
            -1.125,
            -1.5,
            -1.0625,
            -1.375,
            -1.1875,
            -1.4375,
            -1.3125_f32,
        ];
        let oracle = stages(&[0; 8], None, &values);
        let mut near = values;
        near[3] = f32::from_bits(near[3].to_bits() + 1);
        assert_eq!(
            infer_stages(&request, &oracle, &Tensor::vector(&near)),
            [(Stage::Words, StageVerdict::Equal)]
        );
        let mut far = near;
        far[5] = -1.2;
        assert_eq!(infer_stages(&request, &oracle, &Tensor::vector(&far)), []);
        let few = stages(&[0], None, &values[3..4]);
        assert_eq!(infer_stages(&request, &few, &Tensor::vector(&near[3..4])), []);
    }

    #[test]
    fn stages_of_other_forms_are_not_inferred() {
        let request = uniform(Alignment::Tensorflow, Dtype::F32, &[1]);
        let oracle = stages(&[1], Some(&[0.5]), &[1.0]);
        assert_eq!(
            infer_stages(&request, &oracle, &Tensor::vector(&[1.0_f32, 2.0])),
            []
        );
        assert_eq!(infer_stages(&request, &oracle, &Tensor::vector(&[1_i32])), []);
    }
}

//! The stage that differs: the generator's words, the values in the unit interval, or the scale.

use seedproof_ops::{Backend, Distribution, Dtype, NanRule, Request, Scalar, Stages, Tensor};

use serde::{Deserialize, Serialize};

use crate::{Stage, StageResult, StageValues};

/// Bits of evidence that exclude a coincidence.
const CERTAIN: f64 = 64.0;

/// Two computations of one request, stage by stage. A stage that one of them does not have is left out.
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

impl StageValues {
    /// The intermediate values of the element of this row-major index.
    pub(crate) fn of(stages: &Stages, index: usize) -> Self {
        let start = index.saturating_mul(stages.words_per_element);
        let end = start.saturating_add(stages.words_per_element);
        Self {
            words: stages.words.get(start..end).unwrap_or_default().to_vec(),
            low_bits: None,
            unit: stages.unit.as_ref().and_then(|unit| unit.get(index)),
        }
    }
}

/// The stages of a wrong output as far as they follow from the output itself and the oracle's stages; empty if nothing
/// is certain.
///
/// * Where the output is the words themselves, another output has other words.
/// * Where every element lies within a few roundings of the expected one, and other words would have come so near
///   with a probability under 2^-64, the words are the same.
/// * Then, between 0 and 1, where every way to scale gives the value itself, the values differ.
/// * Then, in f32 and f64, where another way to scale the expected values gives every element, the values are the same
///   and the scale is not. All else is left open.
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
    if nearness(request, &expected.scaled, actual) < CERTAIN {
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

/// Elements that another way to scale must give at least. Each is one of a handful of neighbours.
const SCALED: usize = 8;

/// Ways to scale that are not that of the documents: x, min, max in, value out, each in its type.
type Way<T> = fn(T, T, T) -> T;

/// Fused, as a mean of the bounds, from the upper bound down, and in f64.
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

/// Fused, as a mean of the bounds, from the upper bound down.
const F64_WAYS: [Way<f64>; 3] = [
    |x, min, max| x.mul_add(max - min, min),
    |x, min, max| min * (1.0 - x) + max * x,
    |x, min, max| max - (1.0 - x) * (max - min),
];

/// Whether one of the other ways to scale gives every element from the expected values of the unit interval.
fn is_scaled_otherwise(unit: &Tensor, min: f64, max: f64, actual: &Tensor) -> bool {
    let elements = || unit.scalars().zip(actual.scalars());
    let count = elements().count();
    if unit.dtype() != actual.dtype() || count < SCALED || count != actual.count() {
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
                let given = way(narrow(x.to_f64()), narrow(min), narrow(max));
                u64::from(given.to_bits()) == actual.bits()
            })
        }),
        Dtype::F64 => F64_WAYS
            .iter()
            .any(|way| elements().all(|(x, actual)| way(x.to_f64(), min, max).to_bits() == actual.bits())),
        _ => false,
    }
}

/// The improbability, in bits, of other words giving values as near as these: 0 where one is far away.
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

/// The bounds of uniform floats.
fn bounds(request: &Request) -> Option<(Scalar, Scalar)> {
    match request.distribution()? {
        Distribution::Uniform { lower, upper } if lower.dtype().is_float() && upper.dtype().is_float() => {
            Some((lower, upper))
        }
        _ => None,
    }
}

/// The blocks in which a generator makes its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Blocks {
    /// Words that an element takes.
    pub words_per_element: usize,
    /// Words that the generator makes at a time, more than an element takes.
    pub words_per_block: usize,
}

impl Blocks {
    /// The blocks as the oracle has them; `None` where it cannot say, and where no block has a whole element and more.
    pub(crate) fn of(oracle: &dyn Backend, request: &Request) -> Option<Self> {
        let stages = match request.prefix(1) {
            Some(prefix) => oracle.stages(&prefix)?,
            None if request.work() <= LARGEST => oracle.stages(request)?,
            None => return None,
        };
        let blocks = Self {
            words_per_element: stages.words_per_element,
            words_per_block: stages.words_per_block,
        };
        (0 < blocks.words_per_element && blocks.words_per_element < blocks.words_per_block).then_some(blocks)
    }

    /// Elements per block: 4 of Philox4x32, or 2 if each takes 64 bits.
    pub(crate) fn elements(self) -> usize {
        (self.words_per_block / self.words_per_element.max(1)).max(1)
    }

    /// The block that an element comes from, counted from the request's first, and the first word in it that the
    /// element takes.
    pub fn place(self, index: usize) -> (u64, u32) {
        let word = index % self.elements() * self.words_per_element;
        let block = u64::try_from(index / self.elements()).unwrap_or(u64::MAX);
        (block, u32::try_from(word).unwrap_or(u32::MAX))
    }
}

/// The stage that differs first, if one does.
pub(crate) fn first_difference(stages: &[StageResult]) -> Option<Stage> {
    stages
        .iter()
        .find(|result| !result.equal)
        .map(|result| result.stage)
}

/// Whether an output is small enough to ask for its stages, which take several times its size.
pub(crate) const fn is_worth_staging(output: &Tensor) -> bool {
    output.count() <= 1 << 20
}

/// The most work for which the stages of a whole output are asked for to learn its blocks.
const LARGEST: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;
    use crate::fixtures::{Fake, dml, uniform, uniform_between};
    use seedproof_ops::Alignment;

    fn stages(words: &[u32], unit: Option<&[f32]>, scaled: &[f32]) -> Stages {
        Stages {
            unit: unit.map(Tensor::vector),
            ..Stages::of_philox(words.to_vec(), 1, Tensor::vector(scaled))
        }
    }

    fn result(stage: Stage, equal: bool) -> StageResult {
        StageResult { stage, equal }
    }

    #[test]
    fn stages_name_the_first_that_differs() {
        let oracle = stages(&[1, 2], Some(&[0.25, 0.5]), &[2.5, 3.0]);
        let words = stages(&[1, 3], Some(&[0.25, 0.75]), &[2.5, 3.5]);
        let unit = stages(&[1, 2], Some(&[0.25, 0.75]), &[2.5, 3.5]);
        let scale = stages(&[1, 2], Some(&[0.25, 0.5]), &[2.5, 3.5]);
        let first = |actual| first_difference(&compare_stages(&oracle, actual, NanRule::Class));
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
            compare_stages(&oracle, &integers, NanRule::Class),
            [result(Stage::Words, true), result(Stage::Scale, true)]
        );
    }

    #[test]
    fn stages_of_raw_words_are_certain() {
        let words = [7, 8, 9];
        let oracle = Stages::of_philox(words.to_vec(), 1, Tensor::vector(&words));
        assert_eq!(
            infer_stages(&dml(&[1, 1, 1, 3]), &oracle, &Tensor::vector(&[7_u32, 9, 8])),
            [result(Stage::Words, false)]
        );
        for other in [
            Tensor::vector(&[7_u32, 9]),
            Tensor::vector(&[7_i32, 9, 8]),
            Tensor::vector(&words),
        ] {
            assert_eq!(infer_stages(&dml(&[1, 1, 1, 3]), &oracle, &other), []);
        }
        for (words, scaled) in [
            (&[7, 8, 9, 10][..], Tensor::vector(&[7_u32, 8, 9])),
            (&[7, 8, 10], Tensor::vector(&[7_u32, 8, 9])),
            (&[7, 8, 9], Tensor::vector(&[7_u64, 8, 9])),
        ] {
            let other = Tensor::new(
                scaled.dtype(),
                scaled.shape().clone(),
                scaled.bytes().iter().map(|it| !it).collect(),
            )
            .unwrap();
            let oracle = Stages::of_philox(words.to_vec(), 1, scaled);
            assert_eq!(infer_stages(&dml(&[1, 1, 1, 3]), &oracle, &other), []);
        }
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
            [result(Stage::Words, true)]
        );
        let mut far = near;
        far[5] = -1.2;
        assert_eq!(infer_stages(&request, &oracle, &Tensor::vector(&far)), []);
        let few = stages(&[0], None, &values[3..4]);
        assert_eq!(infer_stages(&request, &few, &Tensor::vector(&near[3..4])), []);
    }

    const OF_SCALE: [StageResult; 3] = [
        StageResult {
            stage: Stage::Words,
            equal: true,
        },
        StageResult {
            stage: Stage::UnitInterval,
            equal: true,
        },
        StageResult {
            stage: Stage::Scale,
            equal: false,
        },
    ];

    #[test]
    fn stages_of_f32_are_inferred_to_the_scale() {
        let (min, max) = (-3.3_f32, 100.7_f32);
        let unit: Vec<f32> = (0..24_u16)
            .map(|i| f32::from(i.wrapping_mul(40_503) % 9973) / 9973.0)
            .collect();
        let expected: Vec<f32> = unit.iter().map(|x| x * (max - min) + min).collect();
        let infer = |count: usize, way: Way<f32>| {
            let request = uniform_between(Dtype::F32, i64::try_from(count).unwrap(), ("-3.3", "100.7"));
            let oracle = stages(&vec![0; count], Some(&unit[..count]), &expected[..count]);
            let actual: Vec<f32> = unit[..count].iter().map(|&x| way(x, min, max)).collect();
            assert_ne!(actual, expected[..count]);
            infer_stages(&request, &oracle, &Tensor::vector(&actual))
        };
        #[expect(clippy::cast_possible_truncation, reason = "the one rounding")]
        let ways: [Way<f32>; 4] = [
            |x, min, max| x.mul_add(max - min, min),
            |x, min, max| (1.0 - x) * min + x * max,
            |x, min, max| max - (max - min) * (1.0 - x),
            |x, min, max| (f64::from(x) * (f64::from(max) - f64::from(min)) + f64::from(min)) as f32,
        ];
        for way in ways {
            assert_eq!(infer(24, way), OF_SCALE);
        }
        let mean = ways[1];
        assert_eq!(infer(8, mean), OF_SCALE);
        assert_eq!(infer(7, mean), [result(Stage::Words, true)]);
        assert_eq!(
            infer(24, |x, min, max| x * (max - min) + min + 1e-5),
            [result(Stage::Words, true)]
        );
    }

    #[test]
    fn scales_are_told_from_values_of_the_same_form() {
        let unit: Vec<f32> = (1..=9_u8).map(|i| f32::from(i) / 10.0).collect();
        let wide: Vec<f64> = unit.iter().map(|&x| f64::from(x).mul_add(6.0, 1.0)).collect();
        let narrow: Vec<f32> = unit.iter().map(|&x| x.mul_add(6.0, 1.0)).collect();
        let is_scaled = |unit: &Tensor, actual: &Tensor| is_scaled_otherwise(unit, 1.0, 7.0, actual);
        let (unit, narrow) = (
            |count| Tensor::vector(&unit[..count]),
            |count| Tensor::vector(&narrow[..count]),
        );
        assert!(is_scaled(&unit(9), &narrow(9)));
        assert!(!is_scaled(&unit(9), &Tensor::vector(&wide)));
        assert!(!is_scaled(&unit(8), &narrow(9)));
        assert!(!is_scaled(&unit(7), &narrow(7)));
    }

    #[test]
    fn words_are_known_from_64_bits_of_evidence_on() {
        // 16 bits of evidence an element: a sixteenth of a binade, and eight steps are near.
        let values = [1.515_625_f32, 1.531_25, 1.546_875, 1.507_812_5];
        let near: Vec<f32> = values.iter().map(|it| f32::from_bits(it.to_bits() + 1)).collect();
        let infer = |count: usize| {
            let request = uniform_between(Dtype::F32, i64::try_from(count).unwrap(), ("1.5", "1.5625"));
            let oracle = stages(&vec![0; count], None, &values[..count]);
            infer_stages(&request, &oracle, &Tensor::vector(&near[..count]))
        };
        assert_eq!(infer(4), [result(Stage::Words, true)]);
        assert_eq!(infer(3), []);
        // Near is up to four steps, to either side, at the larger bound.
        let request = uniform_between(Dtype::F32, 4, ("-1.5", "0.25"));
        let near = |steps: f32| {
            let actual: Vec<f32> = values.iter().map(|it| steps * 2.0_f32.powi(-23) - it).collect();
            let expected: Vec<f32> = values.iter().map(|it| -it).collect();
            nearness(&request, &Tensor::vector(&expected), &Tensor::vector(&actual))
        };
        let bits = 4.0 * (1.75 * 2.0_f64.powi(20)).log2();
        assert_eq!([4.0, -4.0, 5.0, -5.0].map(near), [bits, bits, 0.0, 0.0]);
        let integers = uniform_between(Dtype::I32, 9, ("-2000000000", "2000000000"));
        let same = Tensor::vector(&[5_i32; 9]);
        assert_eq!(nearness(&integers, &same, &same), 0.0);
    }

    /// 24 values of the unit interval, of f64, with their words.
    fn wide(min: f64, max: f64, way: Way<f64>) -> (Stages, Tensor) {
        let unit: Vec<f64> = (1..=24_u32)
            .map(|i| f64::from(i.wrapping_mul(0x9e37_79b9)) / 4_294_967_296.0 + 1e-12)
            .collect();
        let scaled: Vec<f64> = unit.iter().map(|x| x * (max - min) + min).collect();
        let actual: Vec<f64> = unit.iter().map(|&x| way(x, min, max)).collect();
        let expected = Stages {
            unit: Some(Tensor::vector(&unit)),
            ..Stages::of_philox(vec![0; 48], 2, Tensor::vector(&scaled))
        };
        (expected, Tensor::vector(&actual))
    }

    #[test]
    fn stages_of_f64_are_inferred_to_the_scale() {
        for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
            let Request::RandomUniform(mut op) = uniform_between(Dtype::F64, 24, ("-3.3", "100.7")) else {
                unreachable!()
            };
            op.alignment = alignment.into();
            let request = Request::RandomUniform(op);
            let ways: [Way<f64>; 3] = [
                |x, min, max| x.mul_add(max - min, min),
                |x, min, max| (1.0 - x) * min + x * max,
                |x, min, max| max - (max - min) * (1.0 - x),
            ];
            for way in ways {
                let (expected, actual) = wide(-3.3, 100.7, way);
                assert_eq!(infer_stages(&request, &expected, &actual), OF_SCALE);
            }
            let (expected, actual) = wide(-3.3, 100.7, |x, min, max| (x + 2e-16) * (max - min) + min);
            assert_eq!(
                infer_stages(&request, &expected, &actual),
                [result(Stage::Words, true)]
            );
        }
    }

    #[test]
    fn stages_between_zero_and_one_are_inferred_to_the_value() {
        let request = uniform(Alignment::Pytorch, Dtype::F64, &[24]);
        let (expected, actual) = wide(0.0, 1.0, |x, _, _| x + 2.0_f64.powi(-53));
        assert_eq!(
            infer_stages(&request, &expected, &actual),
            [result(Stage::Words, true), result(Stage::UnitInterval, false)]
        );
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

    #[test]
    fn values_of_an_element_are_its_words_and_its_unit() {
        let words: Vec<u32> = (0..6).collect();
        let stages = Stages {
            unit: Some(Tensor::vector(&[0.25_f32, 0.5, 0.75])),
            ..Stages::of_philox(words, 2, Tensor::vector(&[0_i64; 3]))
        };
        let of = |index| {
            let values = StageValues::of(&stages, index);
            (values.words, values.unit.map(Scalar::to_f64))
        };
        assert_eq!(of(0), (vec![0, 1], Some(0.25)));
        assert_eq!(of(2), (vec![4, 5], Some(0.75)));
        assert_eq!(of(3), (vec![], None));
    }

    #[test]
    fn blocks_of_what_has_no_prefix_are_learned_from_a_small_output() {
        let Request::Multinomial(op) = crate::fixtures::multinomial(&[0.5; 4], 8) else {
            unreachable!()
        };
        let asked = |without| {
            let request = Request::Multinomial(seedproof_ops::Multinomial {
                with_replacement: false,
                num_samples: Tensor::scalar(without),
                ..op.clone()
            });
            assert!(request.prefix(1).is_none());
            let oracle = Fake::giving("oracle", Tensor::scalar(0_i32))
                .showing(|_| Some(Stages::of_philox(vec![0; 8], 1, Tensor::vector(&[0_i32; 8]))));
            (request.work(), Blocks::of(&oracle, &request).is_some())
        };
        assert!(asked(3).1);
        let (work, is_asked) = asked(i32::MAX);
        assert!(work > LARGEST && !is_asked, "{work}");
    }

    #[test]
    fn stages_of_a_million_elements_are_worth_their_memory() {
        let zeros = |count: usize| Tensor::vector(&vec![0_u8; count]);
        assert!(is_worth_staging(&zeros(1 << 20)));
        assert!(!is_worth_staging(&zeros((1 << 20) + 1)));
    }

    #[test]
    fn steps_are_those_of_the_type() {
        assert_eq!(step(1.0, Dtype::F32), 2.0_f64.powi(-23));
        assert_eq!(step(3.9, Dtype::F16), 2.0_f64.powi(-9));
        assert_eq!(step(4.0, Dtype::Bf16), 2.0_f64.powi(-5));
        assert_eq!(step(0.0, Dtype::F32), 2.0_f64.powi(-149));
    }

    #[test]
    fn blocks_follow_the_width_of_an_element() {
        let blocks = |words_per_element, words_per_block| {
            let oracle = Fake::giving("oracle", Tensor::vector(&[0_i32])).showing(move |request| {
                assert_eq!(Form::requested(request).unwrap().shape.count(), 1);
                let words = vec![0; words_per_element];
                Some(Stages {
                    words_per_block,
                    ..Stages::of_philox(words, words_per_element, Tensor::vector(&[0_i32]))
                })
            });
            Blocks::of(&oracle, &dml(&[1, 1, 1, 9]))
        };
        assert_eq!(blocks(1, 4).unwrap().place(8), (2, 0));
        assert_eq!(blocks(1, 4).unwrap().place(7), (1, 3));
        assert_eq!(blocks(2, 4).unwrap().place(3), (1, 2));
        assert_eq!(blocks(1, 1), None);
        assert_eq!(blocks(2, 1), None);
        assert_eq!(blocks(0, 4), None);
    }
}

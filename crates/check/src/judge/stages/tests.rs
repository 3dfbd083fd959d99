//! The stages that follow from an output.

use super::*;
use crate::fixtures::{Fake, dml, uniform, uniform_between};
use crate::model::finding::Form;
use crate::model::stage::{Blocks, MAX_WORK, StageValues, first_difference};
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
    // An element has 16 bits of evidence: the range is a sixteenth of a binade, and eight steps are near.
    let values = [1.515_625_f32, 1.531_25, 1.546_875, 1.507_812_5];
    let near: Vec<f32> = values.iter().map(|it| f32::from_bits(it.to_bits() + 1)).collect();
    let infer = |count: usize| {
        let request = uniform_between(Dtype::F32, i64::try_from(count).unwrap(), ("1.5", "1.5625"));
        let oracle = stages(&vec![0; count], None, &values[..count]);
        infer_stages(&request, &oracle, &Tensor::vector(&near[..count]))
    };
    assert_eq!(infer(4), [result(Stage::Words, true)]);
    assert_eq!(infer(3), []);
    // Four steps to either side are near, at the larger bound.
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
    assert!(work > MAX_WORK && !is_asked, "{work}");
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

use half::f16;
use proptest::prelude::*;
use seedproof_ops::{
    Attribute, Dtype, Element, ErrorKind, Failure, Limits, Multinomial, Request, Shape, Tensor,
};

use super::cdf::{Cdf, cumulative_sum};
use crate::backend::{run, stages};

fn matrix<T: Element>(rows: u64, elements: &[T]) -> Tensor {
    let columns = u64::try_from(elements.len()).unwrap() / rows.max(1);
    Tensor::from_elements(Shape::new(&[rows, columns]).unwrap(), elements).unwrap()
}

/// Draws from `probs` as they are, with replacement.
fn request<T: Element>(rows: u64, probs: &[T], num_samples: i32) -> Multinomial {
    Multinomial {
        probs: matrix(rows, probs),
        num_samples: Tensor::scalar(num_samples),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: 234,
        op_seed: 148,
        execution: 0,
    }
}

fn given<T: Element>(rows: u64, probs: &[T], draws: &[f64]) -> Multinomial {
    let draws = matrix(rows, draws);
    let num_samples = i32::try_from(draws.shape().dims()[1]).unwrap();
    Multinomial {
        draws: Some(draws),
        ..request(rows, probs, num_samples)
    }
}

fn output(request: Multinomial) -> Tensor {
    run(&Request::Multinomial(request), &Limits::default(), 1)
        .unwrap()
        .output
}

fn classes(request: Multinomial) -> Vec<i32> {
    output(request).elements().unwrap().collect()
}

fn kind(request: &Multinomial) -> Option<ErrorKind> {
    match run(&Request::Multinomial(request.clone()), &Limits::default(), 1) {
        Err(Failure::Rejected(error)) => error.kind,
        _ => None,
    }
}

#[test]
fn mn13_first_example() {
    let drawn = classes(given(1, &[0.1_f64, 0.5, 0.4], &[0.2, 0.4, 0.6, 0.8, 1.0]));
    assert_eq!(drawn, [1, 1, 1, 2, 2]);
}

#[test]
fn mn13_second_example_but_its_last_number() {
    let tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    let drawn = classes(Multinomial {
        log_probs: true,
        ..given(
            2,
            &[-1.0_f32, 1.0, 2.0, 50.0, 1.0, 21.0],
            &[tenths, tenths].concat(),
        )
    });
    assert_eq!(drawn[..10], [1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
    assert_eq!(drawn[10..], [0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
}

#[test]
fn mn13_third_example_by_its_walk_through() {
    let drawn = classes(Multinomial {
        with_replacement: false,
        ..given(1, &[0.1_f64, 0.5, 0.4], &[0.3, 0.2])
    });
    assert_eq!(drawn, [1, 0]);
}

/// A search class by class would take minutes.
#[test]
fn mn13_many_samples_of_many_classes_are_drawn() {
    let draws: Vec<f64> = (0..1 << 20)
        .map(|i| (f64::from(i) + 0.5) / f64::from(1 << 20))
        .collect();
    let drawn = classes(given(1, &vec![1.0_f64; 1 << 18], &draws));
    assert!(drawn.into_iter().eq((0..1 << 20).map(|i| i / 4)));
}

/// The template reference draws these from f64 probabilities.
#[test]
fn mn13_ir_examples_in_f64() {
    let probs = [0.1_f64, 0.5, 0.4];
    assert_eq!(classes(request(1, &probs, 5)), [1, 2, 2, 2, 1]);
    let logarithms = Multinomial {
        log_probs: true,
        ..request(2, &[-1.0_f64, 1.0, 2.0, 50.0, 1.0, 21.0], 10)
    };
    let first = [2, 2, 2, 2, 2, 2, 1, 2, 2, 1];
    assert_eq!(classes(logarithms), [first, [0; 10]].concat());
    let without = Multinomial {
        with_replacement: false,
        ..request(2, &[probs, probs].concat(), 2)
    };
    assert_eq!(classes(without), [1, 2, 2, 1]);
}

#[test]
fn mn13_rows_take_draws_in_row_major_order() {
    let drawn = classes(given(2, &[1.0_f64, 1.0, 1.0, 3.0], &[0.5, 0.6, 0.25, 0.26]));
    assert_eq!(drawn, [0, 1, 0, 1]);
}

#[test]
fn mn13_output_may_be_empty_or_i64() {
    assert_eq!(output(request(1, &[1.0_f64], 0)).shape().dims(), [1, 0]);
    assert_eq!(output(request(1, &[1.0_f64], 3)), matrix(1, &[0_i32; 3]));
    let no_rows = Multinomial {
        probs: no_rows(),
        ..request(1, &[1.0_f64], i32::MAX)
    };
    assert_eq!(output(no_rows).shape().dims(), [0, 2_147_483_647]);
    let wide = Multinomial {
        convert_type: Dtype::I64.into(),
        ..request(1, &[0.0_f64, 1.0], 2)
    };
    assert_eq!(output(wide), matrix(1, &[1_i64; 2]));
}

/// Three classes, the second of probability zero; two samples.
fn good() -> Multinomial {
    request(1, &[1.0_f32, 0.0, 2.0], 2)
}

fn logs<T: Element>(probs: &[T]) -> Multinomial {
    Multinomial {
        log_probs: true,
        ..request(1, probs, 2)
    }
}

/// `num_samples` of the good request, without replacement.
fn without(num_samples: i32) -> Multinomial {
    Multinomial {
        with_replacement: false,
        num_samples: Tensor::scalar(num_samples),
        ..good()
    }
}

/// The good request with these draws.
fn draws(draws: Tensor) -> Multinomial {
    Multinomial {
        draws: Some(draws),
        ..good()
    }
}

/// f64 probs of three classes in no row.
fn no_rows() -> Tensor {
    Tensor::new(Dtype::F64, Shape::new(&[0, 3]).unwrap(), Vec::new()).unwrap()
}

#[test]
fn mn13_refuses_unknown_and_forbidden_attributes() {
    let forbidden = Dtype::ALL
        .iter()
        .filter(|dtype| ![Dtype::I32, Dtype::I64].contains(dtype));
    for convert_type in forbidden
        .map(|&dtype| dtype.into())
        .chain([Attribute::parse("f8")])
    {
        let request = Multinomial {
            convert_type,
            ..good()
        };
        assert_eq!(kind(&request), Some(ErrorKind::Attribute), "{request:?}");
    }
}

#[test]
fn mn13_refuses_malformed_probs() {
    let cube = Tensor::from_elements(Shape::new(&[1, 1, 1]).unwrap(), &[1.0_f32]).unwrap();
    for (expected, probs) in [
        (ErrorKind::Dtype, matrix(1, &[1_i32, 2])),
        (ErrorKind::Shape, Tensor::vector(&[1.0_f32])),
        (ErrorKind::Shape, cube),
        (ErrorKind::Shape, matrix(1, &[0.0_f32; 0])),
        (ErrorKind::Shape, matrix(0, &[0.0_f32; 0])),
    ] {
        let request = Multinomial { probs, ..good() };
        assert_eq!(kind(&request), Some(expected), "{request:?}");
    }
}

#[test]
fn mn13_refuses_malformed_numbers_of_samples() {
    for (expected, num_samples) in [
        (ErrorKind::Dtype, Tensor::scalar(1.0_f32)),
        (ErrorKind::Shape, Tensor::vector(&[1_i32, 1])),
        (ErrorKind::Shape, matrix(1, &[1_i32])),
        (ErrorKind::Samples, Tensor::scalar(-1_i32)),
        (ErrorKind::Samples, Tensor::scalar(i64::MIN)),
    ] {
        let request = Multinomial {
            num_samples,
            ..good()
        };
        assert_eq!(kind(&request), Some(expected), "{request:?}");
    }
    let num_samples = Tensor::vector(&[1_i64]);
    assert_eq!(
        kind(&Multinomial {
            num_samples,
            ..good()
        }),
        None
    );
}

#[test]
fn mn13_refuses_malformed_draws() {
    for (expected, given) in [
        (Some(ErrorKind::Dtype), matrix(1, &[0.5_f32, 0.5])),
        (Some(ErrorKind::Shape), Tensor::vector(&[0.5_f64, 0.5])),
        (Some(ErrorKind::Shape), matrix(1, &[0.5_f64])),
        (Some(ErrorKind::Shape), matrix(2, &[0.5_f64; 4])),
        (Some(ErrorKind::Range), matrix(1, &[0.5, 1.0_f64.next_up()])),
        (Some(ErrorKind::Range), matrix(1, &[0.5, -f64::MIN_POSITIVE])),
        (Some(ErrorKind::Range), matrix(1, &[0.5, f64::NAN])),
        (None, matrix(1, &[0.0_f64, 1.0])),
        (None, matrix(1, &[-0.0_f64, 1.0])),
    ] {
        assert_eq!(kind(&draws(given.clone())), expected, "{given:?}");
    }
}

#[test]
fn mn13_refuses_invalid_probabilities() {
    for request in [
        request(1, &[1.0_f32, -1.0], 1),
        request(1, &[1.0_f32, f32::NAN], 1),
        request(1, &[1.0_f32, f32::INFINITY], 1),
        request(1, &[0.0_f32, -0.0], 1),
        request(1, &[f64::MAX, f64::MAX], 1),
        request(2, &[1.0_f64, 1.0, 0.0, 0.0], 1),
        logs(&[0.0, f32::NEG_INFINITY]),
        logs(&[0.0, f32::NAN]),
        logs(&[0.0_f32, 710.0]),
        logs(&[-746.0_f32, -746.0]),
    ] {
        assert_eq!(kind(&request), Some(ErrorKind::Probabilities), "{request:?}");
    }
    for request in [
        logs(&[-1.0_f32, 709.0]),
        request(1, &[1.0_f32, -0.0], 1),
        request(1, &[f32::MAX, f32::MAX], 1),
    ] {
        assert_eq!(kind(&request), None, "{request:?}");
    }
}

#[test]
fn mn13_refuses_more_samples_than_classes_without_replacement() {
    assert_eq!(kind(&without(2)), None);
    assert_eq!(
        kind(&without(3)),
        Some(ErrorKind::Samples),
        "a class has probability zero"
    );
    assert_eq!(kind(&without(4)), Some(ErrorKind::Samples));
    let empty = |num_samples| Multinomial {
        probs: no_rows(),
        ..without(num_samples)
    };
    assert_eq!(kind(&empty(3)), None);
    assert_eq!(
        kind(&empty(4)),
        Some(ErrorKind::Samples),
        "class_size decides where no row does"
    );
}

#[test]
fn mn13_stages_are_words_draws_and_classes() {
    let of = |request| stages(&Request::Multinomial(request), &Limits::default());
    let request = request(2, &[0.25_f64, 0.75, 0.5, 0.5], 3);
    let stages = of(request.clone()).unwrap();
    assert_eq!((stages.words.len(), stages.words_per_element), (12, 2));
    assert_eq!(stages.scaled, output(request.clone()));
    let again = Multinomial {
        draws: stages.unit,
        ..request
    };
    assert_eq!(stages.scaled, output(again.clone()));
    assert!(of(again).is_none());
}

#[test]
fn mn13_class_of_probability_zero_is_never_drawn() {
    let draws = [0.0, 0.5, 1.0];
    assert_eq!(classes(given(1, &[0.0_f64, 1.0, 0.0], &draws)), [1, 1, 1]);
    assert_eq!(classes(given(1, &[0.0_f64, 1.0, 1.0, 0.0], &draws)), [1, 1, 2]);
    let logarithms = Multinomial {
        log_probs: true,
        ..given(1, &[-1000.0_f64, 0.0], &draws)
    };
    assert_eq!(classes(logarithms), [1, 1, 1]);
}

#[test]
fn mn13_weights_too_small_to_count_can_still_be_drawn_last() {
    let without = Multinomial {
        with_replacement: false,
        ..given(1, &[1.0_f64, 1e-300, 1e-300], &[0.5, 0.5, 0.5])
    };
    assert_eq!(classes(without), [0, 2, 1], "after class 0 the function is NaN");
}

#[test]
fn mn13_negative_last_value_changes_signs() {
    let mut cdf = Cdf::new(&[0.3, 0.3, 0.4, f64::MIN_POSITIVE]);
    for k in [2, 1, 0] {
        cdf.remove(k);
    }
    assert_eq!(cdf.select(0.5), 3);
}

#[test]
fn mn13_f16_probs_are_widened() {
    let probs = [2048.0, 1.0, 1.0].map(f16::from_f32);
    assert_eq!(classes(given(1, &probs, &[0.999, 0.9995, 0.9996])), [0, 1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the weights: draws of zero, of one, and of each value of the distribution function.
    #[test]
    fn mn13_selects_the_first_drawable_class_that_a_draw_does_not_exceed(
        weights in proptest::collection::vec(prop_oneof![Just(0.0), 0.0_f64..1.0, Just(1e-300), Just(1e300)], 1..12),
    ) {
        prop_assume!(weights.iter().any(|&w| w > 0.0));
        let sums = cumulative_sum(&weights);
        let c: Vec<f64> = sums.iter().map(|sum| sum / sums[sums.len() - 1]).collect();
        let cdf = Cdf::new(&weights);
        for &u in c.iter().chain(&[0.0, 5e-324, 0.5, 1.0]) {
            let matches = |&k: &usize| weights[k] > 0.0 && u <= c[k];
            prop_assert_eq!(Some(cdf.select(u)), (0..c.len()).find(matches), "{}", u);
        }
    }

    /// Whatever the weights, of which some are zero and some differ by many powers of two, and whatever is
    /// drawn.
    #[test]
    fn mn13_without_replacement_never_draws_a_class_twice(
        weights in proptest::collection::vec(prop_oneof![Just(0.0), 0.0_f64..1.0, -700.0_f64..700.0], 1..12),
        seed in 1_u64..,
        edges: bool,
    ) {
        let weights: Vec<f64> = weights.into_iter().map(|w| if w.abs() > 1.0 { w.exp2() } else { w.abs() }).collect();
        let drawable = weights.iter().filter(|&&w| w > 0.0).count();
        prop_assume!(drawable > 0 && weights.iter().sum::<f64>().is_finite());
        let num_samples = i32::try_from(drawable).unwrap();
        let draws: Vec<f64> = (0..num_samples).map(|i| f64::from(i % 2)).collect();
        let draws = edges.then(|| matrix(1, &draws));
        let without = Multinomial {
            with_replacement: false,
            global_seed: seed,
            draws,
            ..request(1, &weights, num_samples)
        };
        let mut drawn: Vec<usize> = classes(without).iter().map(|&k| usize::try_from(k).unwrap()).collect();
        prop_assert!(drawn.iter().all(|&k| weights[k] > 0.0));
        drawn.sort_unstable();
        drawn.dedup();
        prop_assert_eq!(drawn.len(), drawable);
    }

    #[test]
    fn mn13_given_draws_equal_generated_ones(seed in 1_u64.., op in 0_u64.., rows in 1_u64..4) {
        let probs: Vec<f64> = (1..=rows * 5).map(|i| f64::from(u32::try_from(i % 7 + 1).unwrap())).collect();
        let request = Multinomial { global_seed: seed, op_seed: op, ..request(rows, &probs, 6) };
        let draws = stages(&Request::Multinomial(request.clone()), &Limits::default()).unwrap().unit;
        prop_assert_eq!(output(Multinomial { draws, ..request.clone() }), output(request));
    }
}

//! Multinomial-13 against its definition, step by step and without searching.

use proptest::prelude::*;
use seedproof_cpu::{Generator, Level, Philox, Plan};
use seedproof_ops::{Dtype, Multinomial, Request, Shape, Tensor};

use crate::requests::{matrix, multinomial, run};

/// The definition for one row of weights.
fn definition(weights: &[f64], draws: &[f64], with_replacement: bool) -> Vec<i64> {
    let mut sum = 0.0;
    let mut shares: Vec<f64> = weights
        .iter()
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect();
    let mut excluded: Vec<bool> = weights.iter().map(|&weight| weight == 0.0).collect();
    for share in &mut shares {
        *share /= sum;
    }
    let mut chosen = Vec::new();
    for &draw in draws {
        let first = (0..weights.len()).find(|&class| !excluded[class] && draw <= shares[class]);
        let class = first.unwrap_or_else(|| excluded.iter().rposition(|&excluded| !excluded).unwrap());
        chosen.push(i64::try_from(class).unwrap());
        if !with_replacement {
            excluded[class] = true;
            let probability = shares[class] - if class == 0 { 0.0 } else { shares[class - 1] };
            for share in &mut shares[class..] {
                *share -= probability;
            }
            let last = shares[shares.len() - 1];
            for share in &mut shares {
                *share /= last;
            }
        }
    }
    chosen
}

/// The f64 stream of a request without given draws.
fn stream(request: &Multinomial, count: usize) -> Vec<f64> {
    let philox = Philox {
        key: request.global_seed,
        counter: u128::from(request.op_seed) << 64,
    };
    let mut draws = vec![0.0; count];
    Plan::new(Level::scalar(), Generator::Philox(philox), 0.0, 1.0)
        .unwrap()
        .fill(&mut draws);
    draws
}

fn drawn(request: Multinomial) -> Vec<i64> {
    let response = run(&Request::Multinomial(request)).unwrap();
    response.output.elements().unwrap().collect()
}

fn check(rows: &[Vec<f64>], samples: usize, with_replacement: bool, seed: u64) {
    let classes = rows[0].len();
    let request = Multinomial {
        probs: matrix(
            u64::try_from(rows.len()).unwrap(),
            u64::try_from(classes).unwrap(),
            &rows.concat(),
        ),
        num_samples: Tensor::scalar(i64::try_from(samples).unwrap()),
        convert_type: Dtype::I64.into(),
        with_replacement,
        global_seed: seed,
        op_seed: 3,
        ..multinomial()
    };
    let draws = stream(&request, rows.len() * samples);
    let expected: Vec<i64> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, weights)| definition(weights, &draws[row * samples..][..samples], with_replacement))
        .collect();
    assert_eq!(drawn(request), expected, "{rows:?}");
}

/// Weights of all magnitudes, some zero, so that shares are lost to rounding and unsorted by it.
fn weights(classes: usize) -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![
        3 => 0.0_f64..1.0,
        1 => Just(0.0),
        1 => Just(1.0),
        2 => (-80_i32..80).prop_map(|exponent| 2_f64.powi(exponent) * 1.1),
        1 => Just(5e-324),
    ];
    let row = prop::collection::vec(weight, classes);
    row.prop_filter("no weight", |row| row.iter().sum::<f64>() > 0.0)
}

fn rows() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (1_usize..36, 1_usize..40)
        .prop_flat_map(|(batch, classes)| prop::collection::vec(weights(classes), batch))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn multinomial_with_replacement_follows_the_definition(rows in rows(), samples in 0_usize..80, seed in 1_u64..) {
        check(&rows, samples, true, seed);
    }

    #[test]
    fn multinomial_without_replacement_follows_the_definition(rows in rows(), percent in 0_usize..=100, seed in 1_u64..) {
        let fewest = rows.iter().map(|row| row.iter().filter(|&&weight| weight != 0.0).count()).min().unwrap();
        let samples = fewest * percent / 100;
        check(&rows, samples, false, seed);
    }

    #[test]
    fn multinomial_of_many_classes_follows_the_definition(row in weights(700), samples in 1_usize..8, seed in 1_u64..) {
        check(std::slice::from_ref(&row), samples, false, seed);
        check(&[row], 100 * samples, true, seed);
    }
}

/// Weights and draws in powers of two: lowered shares vanish beside what is left, and the order of shares
/// with them, so that a search which trusts it goes wrong.
fn unsorting() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let power = |least: i32| (least..=0).prop_map(|exponent| 2_f64.powi(exponent));
    let weights = (
        prop::collection::vec(power(-70), 300),
        0_usize..300,
        290_usize..300,
    );
    let weights = weights.prop_map(|(mut weights, large, last)| {
        for weight in &mut weights {
            *weight *= 2_f64.powi(-55);
        }
        weights[last] = 2_f64.powi(-50);
        weights[large] = 1.0;
        weights
    });
    (weights, prop::collection::vec(power(-30), 8))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn multinomial_without_replacement_does_not_trust_the_order((weights, draws) in unsorting()) {
        let request = Multinomial {
            probs: matrix(1, 300, &weights),
            num_samples: Tensor::scalar(8_i64),
            convert_type: Dtype::I64.into(),
            with_replacement: false,
            draws: Some(matrix(1, 8, &draws)),
            ..multinomial()
        };
        assert_eq!(drawn(request), definition(&weights, &draws, false));
    }
}

#[test]
fn multinomial_draws_are_taken_where_given() {
    let draws = [0.0, 0.1, 0.2, 0.6, 1.0];
    let request = Multinomial {
        num_samples: Tensor::scalar(5_i64),
        convert_type: Dtype::I64.into(),
        draws: Some(matrix(1, 5, &draws)),
        ..multinomial()
    };
    assert_eq!(drawn(request.clone()), [0, 0, 1, 1, 2]);
    // A draw of zero does not choose a class of weight zero.
    let zeros = Multinomial {
        probs: matrix(1, 5, &[0.0, 0.0, 1.0, 1.0, 0.0]),
        ..request.clone()
    };
    assert_eq!(drawn(zeros), [2, 2, 2, 3, 3]);
    let third_example = Multinomial {
        num_samples: Tensor::vector(&[2_i32]),
        draws: Some(matrix(1, 2, &[0.3, 0.2])),
        with_replacement: false,
        ..request
    };
    assert_eq!(drawn(third_example), [1, 0]);
}

#[test]
fn multinomial_reads_every_type_of_probability() {
    let shape = || Shape::new(&[1, 4]).unwrap();
    let halves = [1.0_f32, 0.0, 2.0, 5.0].map(half::f16::from_f32);
    let brains = [1.0_f32, 0.0, 2.0, 5.0].map(half::bf16::from_f32);
    let probs = [
        Tensor::from_elements(shape(), &halves).unwrap(),
        Tensor::from_elements(shape(), &brains).unwrap(),
        Tensor::from_elements(shape(), &[1.0_f32, 0.0, 2.0, 5.0]).unwrap(),
        Tensor::from_elements(shape(), &[1.0_f64, 0.0, 2.0, 5.0]).unwrap(),
    ];
    let request = |probs| Multinomial {
        probs,
        num_samples: Tensor::scalar(200_i64),
        convert_type: Dtype::I64.into(),
        ..multinomial()
    };
    let draws = stream(&request(probs[0].clone()), 200);
    let expected = definition(&[1.0, 0.0, 2.0, 5.0], &draws, true);
    for probs in probs {
        assert_eq!(drawn(request(probs)), expected);
    }
}

#[test]
fn multinomial_of_many_samples_does_not_depend_on_threads() {
    let weights: Vec<f64> = (1..1000_u32).map(f64::from).collect();
    let request = Multinomial {
        probs: matrix(1, 999, &weights),
        num_samples: Tensor::scalar(100_001_i64),
        convert_type: Dtype::I64.into(),
        ..multinomial()
    };
    let expected = definition(&weights, &stream(&request, 100_001), true);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert!(pool.install(|| drawn(request.clone())) == expected);
    }
}

//! Sound runs are accepted, and each kind of unsound run is rejected.

use super::*;
use crate::fixtures::{Fake, multinomial, uniform_between};
use crate::model::exchange::as_u64;
use seedproof_ops::{Dtype, Shape};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A sound stream, so that `run` gives the run-th output of `count` values in [0, 1).
fn units(run: u64, count: u64) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| {
        let mut z = (run * count + i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from(u32::try_from((z ^ (z >> 31)) >> 41).unwrap()) / f64::from(1 << 23)
    })
}

#[expect(clippy::cast_possible_truncation, reason = "test values are small")]
fn f32s(values: impl Iterator<Item = f64>) -> Response {
    let values: Vec<f32> = values.map(|value| value as f32).collect();
    Response::of(Tensor::vector(&values))
}

fn found(request: &Request, first: &Response, second: &Response) -> Option<String> {
    held(request, first, second, Vec::new())
}

/// The finding if the oracle draws `drawn`, or nothing.
fn held(request: &Request, first: &Response, second: &Response, drawn: Vec<i32>) -> Option<String> {
    let oracle = Fake::new("oracle", move |_| match drawn.as_slice() {
        [] => Err(Failure::Unsupported(String::new())),
        drawn => Ok(Response::of(Tensor::vector(drawn))),
    });
    match check(request, first, &oracle, || Ok(second.clone())).unwrap() {
        None => None,
        Some(Mismatch::Statistics { message }) => Some(message),
        Some(other) => Some(format!("{other:?}")),
    }
}

#[test]
fn nondeterministic_accepts_two_sound_runs() {
    for (bounds, scale) in [(("0", "1"), 1.0), (("-0.75", "0.5"), 1.25), (("2", "10"), 8.0)] {
        let request = uniform_between(Dtype::F32, 5000, bounds);
        let low: f64 = bounds.0.parse().unwrap();
        let run = |run| f32s(units(run, 5000).map(|unit| unit * scale + low));
        assert_eq!(found(&request, &run(0), &run(1)), None);
    }
}

#[test]
fn nondeterministic_allows_the_upper_bound_to_floats_alone() {
    let request = uniform_between(Dtype::F32, 2, ("0", "1"));
    let first = Response::of(Tensor::vector(&[1.0_f32, 0.5]));
    let second = Response::of(Tensor::vector(&[0.25_f32, 0.5]));
    assert_eq!(found(&request, &first, &second), None);
    let request = uniform_between(Dtype::I32, 2, ("0", "10"));
    let first = Response::of(Tensor::vector(&[10, 5]));
    let sentence = found(&request, &first, &first).unwrap();
    assert_eq!(sentence, "element 0 is 10, outside [0, 10)");
}

#[test]
fn nondeterministic_holds_no_bounds_that_the_reading_does_not_keep() {
    let request = uniform_between(Dtype::I32, 2, ("0", "10"));
    let first = Response::of(Tensor::vector(&[10, 5]));
    let second = Response::of(Tensor::vector(&[7, 5]));
    assert!(held(&request, &first, &second, vec![3, 9]).is_some());
    assert_eq!(held(&request, &first, &second, vec![3, 12]), None);
    assert!(held(&request, &first, &first, vec![3, 12]).is_some_and(|found| found.contains("same output")));
}

#[test]
fn nondeterministic_asks_the_reading_with_other_seeds() {
    let request = uniform_between(Dtype::I32, 2, ("0", "10"));
    let outside = Response::of(Tensor::vector(&[10, 5]));
    let second = Response::of(Tensor::vector(&[7, 5]));
    // Of 64 seeds only this one leaves the bounds.
    let found = |leaves: u64| {
        let oracle = Fake::new("oracle", move |request| {
            let Request::RandomUniform(op) = request else {
                unreachable!()
            };
            let is_it = (op.global_seed, op.op_seed) == (leaves, 10);
            Ok(Response::of(Tensor::vector(&[if is_it { 10 } else { 9 }, 0])))
        });
        check(&request, &outside, &oracle, || Ok(second.clone())).unwrap()
    };
    for leaves in [1, 40, 64] {
        assert_eq!(found(leaves), None);
    }
    for keeps in [0, 65] {
        assert!(found(keeps).is_some());
    }
}

#[test]
fn nondeterministic_draws_prefixes_of_a_large_output_from_the_reading() {
    let count = 1 << 18;
    let request = uniform_between(Dtype::I32, count, ("0", "10"));
    let first = Response::of(Tensor::vector(&vec![10; usize::try_from(count).unwrap()]));
    let drawn = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&drawn);
    let oracle = Fake::new("oracle", move |request| {
        let count = Form::requested(request).unwrap().shape.count();
        seen.fetch_add(as_u64(count), Ordering::Relaxed);
        Ok(Response::of(Tensor::vector(&[9])))
    });
    assert!(
        check(&request, &first, &oracle, || Ok(first.clone()))
            .unwrap()
            .is_some()
    );
    assert_eq!(drawn.load(Ordering::Relaxed), 1 << 20);
}

#[test]
fn nondeterministic_refuses_what_is_out_of_range() {
    let request = uniform_between(Dtype::F32, 2, ("0", "1"));
    for wrong in [-0.25, 1.5, f32::NAN] {
        let first = Response::of(Tensor::vector(&[0.5, wrong]));
        assert!(found(&request, &first, &first).unwrap().starts_with("element 1"));
    }
}

#[test]
fn nondeterministic_refuses_a_wrong_form() {
    let request = uniform_between(Dtype::F32, 2, ("0", "1"));
    let first = Response::of(Tensor::vector(&[0.5_f32]));
    assert!(found(&request, &first, &first).unwrap().starts_with("Form"));
}

#[test]
fn nondeterministic_holds_later_runs_to_the_form_and_the_range() {
    let request = uniform_between(Dtype::F32, 2, ("0", "1"));
    let sound = Response::of(Tensor::vector(&[0.5_f32, 0.25]));
    let [short, outside] = [vec![0.5_f32], vec![0.5, 2.0]].map(|it| Response::of(Tensor::vector(&it)));
    assert!(found(&request, &sound, &short).unwrap().starts_with("Form"));
    assert_eq!(
        found(&request, &sound, &outside).unwrap(),
        "element 1 is 2, outside [0, 1]"
    );
}

#[test]
fn nondeterministic_refuses_an_output_that_repeats_itself() {
    let repeated = |count: u32, period: usize| {
        let values: Vec<f64> = units(0, count.into()).collect();
        let request = uniform_between(Dtype::F32, count.into(), ("0", "1"));
        let first = f32s((0..values.len()).map(|i| values[i % period]));
        found(&request, &first, &f32s(units(1, count.into())))
    };
    for (count, period) in [(12, 6), (13, 6), (9, 2), (9, 1), (5000, 2500), (5000, 3000)] {
        let sentence = format!("the output repeats itself after {period} elements");
        assert_eq!(repeated(count, period), Some(sentence));
    }
    // Two elements that come again may do so by chance.
    assert_eq!(repeated(8, 6), None);
    // So may most of a few values.
    let coins = uniform_between(Dtype::I32, 60, ("0", "2"));
    let first = Response::of(Tensor::vector(&[1, 0].repeat(30)));
    let second = Response::of(Tensor::vector(&[0, 1].repeat(30)));
    assert_eq!(found(&coins, &first, &second), None);
}

#[test]
fn nondeterministic_refuses_the_same_output_twice() {
    let request = uniform_between(Dtype::F32, 9, ("0", "1"));
    let first = f32s(units(0, 9));
    assert_eq!(
        found(&request, &first, &first).unwrap(),
        "2 runs gave the same output"
    );
    let coin = uniform_between(Dtype::I32, 1, ("0", "2"));
    let first = Response::of(Tensor::vector(&[1]));
    assert_eq!(
        found(&coin, &first, &first).unwrap(),
        "65 runs gave the same output"
    );
    let certain = uniform_between(Dtype::I32, 1, ("1", "2"));
    assert_eq!(found(&certain, &first, &first), None);
}

#[test]
fn nondeterministic_refuses_what_is_not_uniform() {
    let request = uniform_between(Dtype::F32, 5000, ("0", "1"));
    let squared = f32s(units(0, 5000).map(|unit| unit * unit));
    let sentence = found(&request, &squared, &f32s(units(1, 5000))).unwrap();
    assert!(sentence.contains("not distributed as requested"), "{sentence}");
    let request = uniform_between(Dtype::F32, 5000, ("3", "7.5"));
    let squared = f32s(units(0, 5000).map(|unit| unit * unit * 4.5 + 3.0));
    assert!(found(&request, &squared, &f32s(units(1, 5000))).is_some());
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "test values are small")]
fn nondeterministic_looks_at_integers_in_cells() {
    let request = uniform_between(Dtype::I32, 5000, ("-50", "50"));
    let run = |run, width: f64| {
        let values: Vec<i32> = units(run, 5000).map(|unit| (unit * width) as i32 - 50).collect();
        Response::of(Tensor::vector(&values))
    };
    assert_eq!(found(&request, &run(0, 100.0), &run(1, 100.0)), None);
    assert!(found(&request, &run(0, 90.0), &run(1, 90.0)).is_some());
}

fn classes(values: &[i32]) -> Response {
    let shape = Shape::new(&[1, u64::try_from(values.len()).unwrap()]).unwrap();
    Response::of(Tensor::from_elements(shape, values).unwrap())
}

#[test]
fn nondeterministic_multinomial_stays_among_its_classes() {
    let request = multinomial(&[0.5, 0.0, 0.5], 2);
    let other = classes(&[2, 2]);
    assert_eq!(found(&request, &classes(&[0, 2]), &other), None);
    for wrong in [[0, 3], [0, -1], [0, 1]] {
        assert!(found(&request, &classes(&wrong), &other).is_some());
    }
    let Request::Multinomial(mut op) = request else {
        unreachable!()
    };
    op.with_replacement = false;
    let request = Request::Multinomial(op);
    assert!(
        found(&request, &classes(&[2, 2]), &other)
            .unwrap()
            .contains("drawn before")
    );
}

#[test]
fn nondeterministic_multinomial_follows_its_probabilities() {
    let request = multinomial(&[0.25, 0.75], 1000);
    let draw = |run, share: f64| {
        classes(
            &units(run, 1000)
                .map(|unit| i32::from(unit >= share))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(found(&request, &draw(0, 0.25), &draw(1, 0.25)), None);
    assert!(
        found(&request, &draw(0, 0.5), &draw(1, 0.5))
            .unwrap()
            .starts_with("classes")
    );
}

#[test]
fn nondeterministic_passes_on_a_second_run_that_fails() {
    let request = uniform_between(Dtype::F32, 2, ("0", "1"));
    let first = Response::of(Tensor::vector(&[0.5_f32, 0.25]));
    let oracle = Fake::giving("oracle", Tensor::vector(&[0.5_f32]));
    let answer = check(&request, &first, &oracle, || Err(Failure::error("gone")));
    assert_eq!(answer, Err(Failure::error("gone")));
}

#[test]
fn nondeterministic_multinomial_has_rows_of_its_own() {
    let Request::Multinomial(mut op) = multinomial(&[0.0], 2) else {
        unreachable!()
    };
    let table = |values: &[f64]| Tensor::from_elements(Shape::new(&[2, 2]).unwrap(), values).unwrap();
    op.probs = table(&[1.0, 0.0, 0.0, 1.0]);
    let drawn = |values: &[i32]| Tensor::from_elements(Shape::new(&[2, 2]).unwrap(), values).unwrap();
    let certain = Request::Multinomial(op.clone());
    assert_eq!(out_of_range(&certain, &drawn(&[0, 0, 1, 1])), None);
    let said = out_of_range(&certain, &drawn(&[0, 0, 1, 0])).unwrap();
    assert_eq!(said, "element 3 is class 0, whose probability is 0");
    let said = out_of_range(&certain, &drawn(&[0, 0, 2, 1])).unwrap();
    assert_eq!(said, "element 2 is 2, and there are 2 classes");
    (op.probs, op.with_replacement) = (table(&[0.5; 4]), false);
    let apart = Request::Multinomial(op.clone());
    assert_eq!(out_of_range(&apart, &drawn(&[0, 1, 1, 0])), None);
    let said = out_of_range(&apart, &drawn(&[0, 1, 1, 1])).unwrap();
    assert_eq!(said, "element 3 is class 1, which was drawn before");
    // A logarithm of zero is a probability of one.
    (op.probs, op.log_probs, op.with_replacement) = (table(&[0.0; 4]), true, true);
    assert_eq!(
        out_of_range(&Request::Multinomial(op), &drawn(&[0, 1, 1, 1])),
        None
    );
}

#[test]
fn nondeterministic_runs_as_often_as_a_coincidence_takes() {
    let needed = [0.5, 1.0, 3.0, 10.0, 32.0, 63.0, 64.0, 1000.0].map(reruns);
    assert_eq!(needed, [0, 64, 22, 7, 2, 2, 1, 1]);
}

#[test]
fn nondeterministic_cells_are_as_equal_as_whole_numbers_allow() {
    let of = |times: u64| cells(3, 10, (0..10 * times).map(|i| i % 11 % 10));
    assert_eq!(of(2), []);
    // Cells of 4, 3 and 3 numbers.
    let even = cells(3, 10, (0..80).map(|i| i % 10));
    assert_eq!((even[0].name, even[0].p), ("values", 1.0));
    // Of 24 draws, 18 are among the four lowest numbers, where 9.6 are expected.
    let uneven = (0..18).map(|i| i % 4).chain([4, 5, 6, 7, 8, 9]);
    let p = cells(3, 10, uneven.clone())[0].p;
    assert!((p - 0.002_187).abs() < 1e-6, "{p}");
    // A value outside of the range is in no cell.
    assert_eq!(cells(3, 10, uneven.chain([10, 11, u64::MAX]))[0].p, p);
}

#[test]
fn nondeterministic_rare_classes_are_tested_together() {
    let rows = |rows: &[&[f64]]| -> Vec<Vec<f64>> { rows.iter().map(|row| row.to_vec()).collect() };
    let drawn = |counts: &[&[usize]]| {
        let classes: Vec<i32> = counts
            .iter()
            .flat_map(|row| {
                row.iter()
                    .zip(0..)
                    .flat_map(|(&count, class)| std::iter::repeat_n(class, count))
            })
            .collect();
        let shape = [as_u64(counts.len()), as_u64(classes.len() / counts.len())];
        Tensor::from_elements(Shape::new(&shape).unwrap(), &classes).unwrap()
    };
    let p = |weights: &[&[f64]], counts: &[&[usize]]| -> Vec<f64> {
        let tests = class_tests(&rows(weights), &drawn(counts));
        tests.iter().map(|test| test.p).collect()
    };
    let near = |found: &[f64], wanted: &[f64]| {
        assert_eq!(found.len(), wanted.len());
        let near = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{found:?} {wanted:?}");
    };
    let weights: &[&[f64]] = &[&[0.9, 0.05, 0.03, 0.02], &[9.0, 0.2, 0.4, 0.4]];
    near(&p(weights, &[&[90, 4, 3, 3], &[90, 0, 10, 0]]), &[1.0, 1.0]);
    // Twenty where ten are expected, whatever the class.
    near(
        &p(weights, &[&[80, 20, 0, 0], &[80, 0, 0, 20]]),
        &[0.000_858, 0.000_858],
    );
    // A class that is expected eight times is common.
    near(
        &p(&[&[14.0 / 16.0, 1.0 / 16.0, 1.0 / 16.0]], &[&[112, 16, 0]]),
        &[0.000_335],
    );
    // So are rare classes that are expected eight times together.
    near(
        &p(&[&[30.0 / 32.0, 1.0 / 32.0, 1.0 / 32.0]], &[&[112, 16, 0]]),
        &[0.003_487],
    );
    // Rare classes that are five in a hundred together have no cell of their own. Of these three classes, two are
    // common.
    let few: &[&[f64]] = &[&[0.95, 0.05, 0.0], &[0.03, 0.46, 0.51]];
    near(&p(few, &[&[50, 50, 0], &[0, 49, 51]]), &[1.0, 1.0]);
    near(&p(few, &[&[95, 5, 0], &[3, 26, 71]]), &[1.0, 0.000_063]);
    assert!(p(weights, &[&[63, 0, 0, 0], &[63, 0, 0, 0]]).is_empty());
    assert_eq!(p(weights, &[&[64, 0, 0, 0], &[64, 0, 0, 0]]).len(), 2);
}

/// To compare each class with each sample would take 2^36 steps.
#[test]
fn nondeterministic_classes_are_counted_in_one_pass() {
    let classes: Vec<i32> = (0..1 << 18).collect();
    let shape = Shape::new(&[1, 1 << 18]).unwrap();
    let output = Tensor::from_elements(shape, &classes).unwrap();
    let tests = class_tests(&[vec![1.0; 1 << 18]], &output);
    assert_eq!(tests.iter().map(|test| test.p).collect::<Vec<_>>(), [1.0]);
}

#[test]
fn nondeterministic_tests_fit_the_range() {
    let named = |dtype, bounds: (&str, &str), element: fn(u16) -> f64| -> Vec<(&str, bool)> {
        let [min, max] = <[&str; 2]>::from(bounds).map(|text| Scalar::from_decimal(dtype, text).unwrap());
        let values: Vec<u8> = (0..1024)
            .flat_map(|i| {
                let value = element(i);
                let text = if dtype.is_float() { value } else { value.floor() }.to_string();
                Scalar::from_decimal(dtype, &text).unwrap().to_le_bytes()
            })
            .collect();
        let output = Tensor::new(dtype, Shape::new(&[1024]).unwrap(), values).unwrap();
        let tests = uniform_tests(min, max, &output).unwrap_or_default();
        let first = tests.into_iter().take(2);
        first.map(|test| (test.name, test.p == 1.0)).collect()
    };
    let bits = [("top bits", true), ("bottom bits", true)];
    let cells = [("values", true)];
    assert_eq!(named(Dtype::I32, ("3", "11"), |i| f64::from(i % 8 + 3)), bits);
    assert_eq!(named(Dtype::I32, ("-5", "11"), |i| f64::from(i % 16) - 5.0), bits);
    assert_eq!(
        named(Dtype::I32, ("4", "1540"), |i| f64::from(i) * 1.5 + 4.0),
        cells
    );
    assert_eq!(
        named(Dtype::I32, ("7", "777"), |i| f64::from(i % 770) + 7.0).len(),
        1
    );
    assert_eq!(
        named(Dtype::I32, ("0", "16777215"), |i| f64::from(i) * 16383.0),
        cells
    );
    assert_eq!(
        named(Dtype::I32, ("0", "16777217"), |i| f64::from(i) * 16383.0),
        []
    );
    // A range of 2^12 steps is enough.
    assert_eq!(
        named(Dtype::F32, ("1000000", "1000256"), |i| 1e6 + f64::from(i) / 4.0),
        cells
    );
    assert_eq!(
        named(Dtype::F32, ("1000000", "1000255"), |i| 1e6 + f64::from(i) / 4.0),
        []
    );
    let unit = named(Dtype::F32, ("0", "2"), |i| f64::from(i) / 512.0);
    assert_eq!(unit, [("top bits", true), ("bottom bits", false)]);
    for (bounds, element) in [
        (("0", "3"), (|i| f64::from(i) * 3.0 / 1024.0) as fn(u16) -> f64),
        (("-1", "1"), |i| f64::from(i) / 512.0 - 1.0),
        (("5", "9"), |i| f64::from(i) / 256.0 + 5.0),
    ] {
        assert_eq!(named(Dtype::F32, bounds, element), cells, "{bounds:?}");
    }
}

#[test]
fn nondeterministic_names_the_test_that_rejects_most() {
    let said = |dtype, bounds, bytes: Vec<u8>| {
        let request = uniform_between(dtype, 4096, bounds);
        unlikely(
            &request,
            &Tensor::new(dtype, Shape::new(&[4096]).unwrap(), bytes).unwrap(),
        )
        .map(|test| test.name)
    };
    let words = |change: fn(u32) -> u32| -> Vec<u8> {
        units(3, 4096)
            .flat_map(|unit| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "under 2^16"
                )]
                let word = (unit * 65536.0) as u32;
                change(word).to_le_bytes()
            })
            .collect()
    };
    let of = |change| said(Dtype::U32, ("0", "65536"), words(change));
    assert_eq!(of(|word| word), None);
    assert_eq!(of(|word| word & !3), Some("bottom bits"));
    assert_eq!(of(|word| word >> 1), Some("top bits"));
    let request = multinomial(&[0.5, 0.5], 64);
    assert_eq!(
        unlikely(&request, &classes(&[0; 64]).output).map(|test| test.name),
        Some("classes")
    );
    let Request::Multinomial(mut op) = request else {
        unreachable!()
    };
    op.with_replacement = false;
    assert_eq!(
        unlikely(&Request::Multinomial(op), &classes(&[0; 64]).output),
        None
    );
}

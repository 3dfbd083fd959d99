//! Sound runs are accepted, and each way of being unsound is not.

use super::*;
use crate::exchange::as_u64;
use crate::fixtures::{Fake, multinomial, uniform_between};
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

/// What is found where the oracle draws `drawn`, or nothing.
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
    assert!(sentence.contains("not what chance makes"), "{sentence}");
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

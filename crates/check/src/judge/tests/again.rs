//! Requests that are asked more than once.

use super::*;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

#[test]
fn judge_runs_a_seedless_case_twice() {
    let case = case("ru8/tensorflow/i32/zero", request(), Expectation::Statistical);
    let constant = given(&case, Tensor::vector(&[5, 6, 7]));
    assert_eq!(constant.outcome, Outcome::Fail);
    assert!(constant.message.contains("same output"));
    let calls = AtomicI32::new(0);
    let fresh = Fake::new("fake", move |_| {
        let run = calls.fetch_add(1, Ordering::Relaxed);
        Ok(Response::of(Tensor::vector(&[run, 2, 3])))
    });
    assert_eq!(finding(&case, &fresh).outcome, Outcome::Pass);
    let deterministic = given(&case, wrong());
    assert_eq!(other_readings(&deterministic), ["odd"]);
}

#[test]
fn judge_tells_answers_that_change_from_wrong_ones() {
    let changing = |answers: &'static [i32]| {
        let asked = AtomicUsize::new(0);
        Fake::new("fake", move |_| {
            let index = asked.fetch_add(1, Ordering::Relaxed);
            Ok(Response::of(Tensor::vector(&[
                1,
                2,
                answers[index.min(answers.len() - 1)],
            ])))
        })
    };
    let oracle = Fake::giving("reference", right());
    let outcome = |backend: &Fake, repeat| {
        let judges = Judges {
            repeat,
            ..under_spec(&oracle)
        };
        judge(&of_bits(), backend, &judges).unwrap()
    };
    let found = outcome(&changing(&[9, 3]), 0);
    assert_eq!(found.outcome, Outcome::NotRepeatable);
    assert!(
        found
            .message
            .starts_with("asked again, the same request has another answer: 1 of 3 elements")
    );
    assert!(found.message.contains("; at first: 1 of 3 elements"));
    // The diagnosis has both answers, and looks for the places that differ.
    let judges = under_spec(&oracle);
    let kept = examine(&of_bits(), &changing(&[9, 3]), &judges).unwrap().exchange;
    let Some(Exchange::Failed(failed)) = kept else {
        panic!("{kept:?}");
    };
    assert_eq!(failed.again, Some(Response::of(Tensor::vector(&[1, 2, 3]))));
    assert_eq!(outcome(&changing(&[9, 9, 3]), 0).outcome, Outcome::Fail);
    // An implementation of another reading answers by it each time.
    assert_eq!(
        finding(&of_bits(), &changing(&[4, 4])).outcome,
        Outcome::OtherReading
    );
    assert_eq!(
        finding(&of_bits(), &changing(&[4, 3])).outcome,
        Outcome::NotRepeatable
    );
    // A right answer may be chance.
    assert_eq!(outcome(&changing(&[3, 3, 9]), 1).outcome, Outcome::Pass);
    let lucky = outcome(&changing(&[3, 3, 9]), 2);
    assert_eq!(lucky.outcome, Outcome::NotRepeatable);
    assert!(lucky.mismatch.is_some());
}

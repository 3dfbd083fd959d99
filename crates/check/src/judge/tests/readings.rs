//! The readings that are named, and judging under another reading than `spec`.

use super::*;
use std::sync::{Arc, Mutex};

#[test]
fn judge_names_the_reading_that_is_right() {
    let found = given(&of_bits(), wrong());
    assert_eq!(other_readings(&found), ["odd"]);
    assert!(found.mismatch.is_some());
}

#[test]
fn judge_names_every_reading_that_is_right() {
    let oracle = Fake::giving("reference", right());
    let (a, b) = (
        Fake::giving("readings/a", wrong()),
        Fake::giving("readings/b", wrong()),
    );
    let judges = Judges {
        readings: &[("a", &a), ("right", &oracle), ("b", &b)],
        ..under_spec(&oracle)
    };
    let found = judge(&of_bits(), &Fake::giving("fake", wrong()), &judges).unwrap();
    assert_eq!(other_readings(&found), ["a", "b"]);
    assert!(found.message.ends_with("expected 3, got 4"), "{}", found.message);
}

#[test]
fn judge_prefers_what_the_case_says_of_a_reading() {
    let mut case = of_bits();
    case.readings.insert(
        Name::new("odd").unwrap(),
        Box::new(bits(Tensor::vector(&[7, 7, 7]))),
    );
    assert_eq!(given(&case, wrong()).outcome, Outcome::Fail);
    let found = given(&case, Tensor::vector(&[7, 7, 7]));
    assert_eq!(other_readings(&found), ["odd"]);
}

#[test]
fn judge_under_another_reading_expects_what_it_says() {
    let oracle = Fake::giving("reference", right());
    let odd = Fake::giving("readings/odd", wrong());
    let judges = Judges {
        requested: Some(("odd", &odd)),
        readings: &[("odd", &odd)],
        ..under_spec(&oracle)
    };
    let found = |output| judge(&of_bits(), &Fake::giving("fake", output), &judges).unwrap();
    assert_eq!(found(wrong()).outcome, Outcome::Pass);
    assert_eq!(other_readings(&found(right())), ["spec"]);
    assert_eq!(found(Tensor::vector(&[0, 0, 0])).outcome, Outcome::Fail);
}

#[test]
fn judge_leaves_out_what_the_reading_does_not_say() {
    let oracle = Fake::giving("reference", right());
    let odd = Fake::giving("readings/odd", wrong()).refusing_to_claim("no Philox");
    let backend = Fake::giving("fake", right());
    let spec = under_spec(&oracle);
    let of_readings = case("ru8/tensorflow/i32/y", request(), Expectation::Unspecified);
    assert!(judge(&of_readings, &backend, &spec).is_err());
    assert!(applies(&of_readings, &spec).is_err());
    assert_eq!(applies(&of_bits(), &spec), Ok(()));
    let under_odd = Judges {
        requested: Some(("odd", &odd)),
        ..spec
    };
    let reason = "the reading odd does not answer it: no Philox".to_owned();
    assert_eq!(
        judge(&of_bits(), &backend, &under_odd),
        Err(NotApplicable {
            reason: reason.clone()
        })
    );
    assert_eq!(applies(&of_bits(), &under_odd), Err(NotApplicable { reason }));
}

/// A reading that answers otherwise up to the first wrong element is not asked for the rest of a large output.
#[test]
fn judge_draws_no_large_output_of_a_reading_that_begins_otherwise() {
    let request = uniform(Alignment::Tensorflow, Dtype::I32, &[9_000]);
    let drawn = |from: i32, changed: Option<usize>| {
        let of = move |request: &Request| {
            let count = usize::try_from(request.output_form().unwrap().1[0]).unwrap();
            let mut elements: Vec<i32> = (from..).take(count).collect();
            if let Some(it) = changed.and_then(|at| elements.get_mut(at)) {
                *it = -1;
            }
            Tensor::vector(&elements)
        };
        move |request: &Request| Ok(Response::of(of(request)))
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let other = Fake::new("readings/other", move |request| {
        let count = request.output_form().unwrap().1[0];
        noted.lock().unwrap().push(count);
        drawn(5, None)(request)
    });
    let oracle = Fake::new("reference", drawn(0, None));
    let alike = Fake::new("readings/alike", drawn(0, Some(100)));
    let judges = Judges {
        readings: &[("other", &other), ("alike", &alike)],
        ..under_spec(&oracle)
    };
    let case = case("ru8/tensorflow/i32/large", request, Expectation::Oracle);
    let found = judge(&case, &Fake::new("fake", drawn(0, Some(100))), &judges).unwrap();
    assert_eq!(other_readings(&found), ["alike"]);
    assert_eq!(*asked.lock().unwrap(), [132]);
}

//! Causes on single cases: what they reproduce, what contradicts them, and what it costs to ask.

use std::sync::{Arc, Mutex};

use super::*;
use crate::search::diagnose::hypothesis::Hypothesis;
use crate::search::diagnose::singles::{Single, Source};
use crate::search::structure::{Form, View, structures};
use seedproof_ops::ErrorKind;

/// A backend that records how many elements it is asked for.
fn noting(flags: &'static [&'static str]) -> (Fake, Arc<Mutex<Vec<usize>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let fake = Fake::new("noting", move |request| {
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        let given = answer(&flags, request)?;
        noted.lock().unwrap().push(given.output.count());
        Ok(given)
    });
    (fake, asked)
}

fn single(backend: &dyn Backend, is_member: bool) -> Single<'_> {
    let spec = [toy(&[])];
    let cause = candidates(&["it"], &spec)[0].cause.clone();
    Single {
        cause,
        backend: Source::Borrowed(backend),
        is_member,
        is_shown: false,
        changes: u64::MAX,
    }
}

fn failures(backend: &dyn Backend, counts: &[i64]) -> Vec<FailedCase> {
    let requests: Vec<Request> = counts
        .iter()
        .map(|&count| request(Dtype::I32, count, 9))
        .collect();
    run(backend, &requests).0
}

#[test]
fn hypotheses_of_members_were_searched_for() {
    let backend = toy(&[]);
    for is_member in [false, true] {
        let it = Hypothesis::single(0, &single(&backend, is_member), 1.5);
        assert_eq!(
            (it.is_searched, it.prior, it.members, it.given),
            (is_member, 1.5, vec![0], 0)
        );
    }
}

#[test]
fn hypotheses_are_asked_for_small_outputs_and_once_believed_for_large_ones_at_once() {
    // A request of work up to 8,192 needs no prefix. For a larger one a prefix is asked first, until a case is
    // reproduced.
    let failures = failures(&toy(&["other-hash"]), &[8176, 8177, 8, 8178]);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let (backend, asked) = noting(&["other-hash"]);
    let ask = |it: &mut Hypothesis<'_>, case| {
        assert!(it.gives(&cases, case, &mut (1 << 20)));
        assert!(it.is_full_on(case));
        std::mem::take(&mut *asked.lock().unwrap())
    };
    let mut it = Hypothesis::single(0, &single(&backend, false), 0.0);
    assert_eq!(ask(&mut it, 0), [8176]);
    let mut it = Hypothesis::single(0, &single(&backend, false), 0.0);
    assert_eq!(ask(&mut it, 1), [32, 8177]);
    assert!(ask(&mut it, 1).is_empty());
    assert_eq!(ask(&mut it, 3), [8178]);
    assert_eq!(it.given, 2);
    assert_eq!(it.score_on(2), None);
}

#[test]
fn hypotheses_are_contradicted_by_another_answer() {
    let (_, right) = run(&toy(&[]), &[request(Dtype::I32, 8, 9)]);
    let refused = PassedCase {
        reply: Err(OpError::new(ErrorKind::Dtype, "no i64")),
        ..run(&toy(&[]), &[request(Dtype::I64, 8, 9)]).1[0].clone()
    };
    let contradicts = |backend: &dyn Backend, pass: &PassedCase| {
        Hypothesis::single(0, &single(backend, false), 0.0).is_contradicted_by(pass)
    };
    assert!(!contradicts(&toy(&[]), &right[0]));
    assert!(contradicts(&toy(&["other-hash"]), &right[0]));
    assert!(contradicts(
        &Fake::always("a", Err(Failure::Unsupported(String::new()))),
        &right[0]
    ));
    assert!(!contradicts(&toy(&["no-i64"]), &refused));
    assert!(contradicts(&toy(&[]), &refused));
    assert!(contradicts(
        &Fake::always("a", Err(Failure::rejected(ErrorKind::Shape, ""))),
        &refused
    ));
    // A wrong form is a property of values alone.
    let form = Hypothesis::form(Form::Shape);
    assert_eq!(
        (
            form.is_contradicted_by(&right[0]),
            form.is_contradicted_by(&refused)
        ),
        (true, false)
    );
}

#[test]
fn hypotheses_of_the_first_output_leave_the_others_open() {
    let with_state = |output: &[i32], state: u32| Response {
        output: Tensor::vector(output),
        more: vec![Tensor::scalar(state)],
    };
    let failed = |state| FailedCase {
        case: CaseId::new("ru8/toy/state").unwrap(),
        request: request(Dtype::I32, 2, 1),
        expected: Expected::Value(with_state(&[1, 2], 7)),
        actual: Ok(with_state(&[1, 9], state)),
        again: None,
        nan: NanRule::Class,
    };
    let pass = PassedCase {
        case: CaseId::new("ru8/toy/pass").unwrap(),
        request: request(Dtype::I32, 2, 2),
        reply: Ok(with_state(&[1, 9], 1)),
        nan: NanRule::Class,
    };
    let backend = Fake::new("a", move |_| Ok(with_state(&[1, 9], 8)));
    for (state, is_first) in [(7, true), (8, false)] {
        let mut it = Hypothesis::single(0, &single(&backend, false), 0.0);
        let failed = failed(state);
        assert!(it.gives(&[&failed], 0, &mut 0));
        assert_eq!((it.is_first, it.is_contradicted_by(&pass)), (is_first, !is_first));
    }
}

#[test]
fn hypotheses_of_a_form_give_what_has_it() {
    let right = answer(&[], &request(Dtype::I32, 8, 9)).unwrap();
    let square = Tensor::new(
        Dtype::I32,
        Shape::new(&[2, 4]).unwrap(),
        right.output.bytes().to_vec(),
    )
    .unwrap();
    let case = |output: Tensor| FailedCase {
        case: CaseId::new("ru8/toy/form").unwrap(),
        request: request(Dtype::I32, 8, 9),
        expected: Expected::Value(right.clone()),
        actual: Ok(Response::of(output)),
        again: None,
        nan: NanRule::Class,
    };
    let other = Tensor::new(
        Dtype::U32,
        right.output.shape().clone(),
        right.output.bytes().to_vec(),
    )
    .unwrap();
    let (square, other) = (case(square), case(other));
    let cases = [&square, &other];
    let mut it = Hypothesis::form(Form::Shape);
    assert!(it.gives(&cases, 0, &mut 0) && !it.gives(&cases, 1, &mut 0));
    let score = it.score_on(0).unwrap();
    assert_eq!((score.elements, score.full, it.given), (8, true, 1));
    assert!(it.backend().is_none());
}

/// The last ten elements are noise.
fn spoilt() -> Fake {
    altered(&[], |bytes, size| {
        let from = bytes.len() - 10 * size;
        scramble(&mut bytes[from..]);
    })
}

/// The structure of this name in a backend's output of 40 elements.
fn structured<'a>(backend: &dyn Backend, oracle: &'a dyn Backend, name: &str) -> Hypothesis<'a> {
    let failures = failures(backend, &[40]);
    let view = View::new(&failures[0], Some(oracle)).unwrap();
    let found = structures(&view, oracle, &failures[0].request, 0).into_iter();
    let structure = found
        .into_iter()
        .find(|it| it.cause().name == name)
        .expect("it has this structure");
    Hypothesis::combined(
        &[],
        Vec::new(),
        Source::Borrowed(oracle),
        Some((structure, oracle)),
        0.0,
    )
}

#[test]
fn hypotheses_of_a_structure_give_every_output_that_has_it() {
    let spec = toy(&[]);
    let backwards = backwards(&[]);
    let mut it = structured(&backwards, &spec, "reversed");
    assert!(it.is_searched && !it.is_noise());
    let mut failures = failures(&backwards, &[40, 50, 1008, 1009]);
    let mut other = failures[1].clone();
    if let Ok(actual) = &mut other.actual {
        let mut bytes = actual.output.bytes().to_vec();
        bytes[160] ^= 1;
        actual.output = Tensor::new(Dtype::I32, actual.output.shape().clone(), bytes).unwrap();
    }
    failures.push(other);
    let mut refused = failures[1].clone();
    refused.actual = Err(OpError::new(ErrorKind::Range, ""));
    failures.push(refused);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let mut budget = 0;
    // Only large outputs count against the budget.
    let given = [0, 1, 2, 3, 4, 5].map(|case| it.gives(&cases, case, &mut budget));
    assert_eq!(given, [true, true, true, false, false, false]);
    let score = it.score_on(4).unwrap();
    assert_eq!((score.elements, score.departs), (49, true));
    assert_eq!((it.score_on(3), it.score_on(5)), (None, None));
    let mut it = structured(&backwards, &spec, "reversed");
    budget = 1025;
    assert!(it.gives(&cases, 3, &mut budget));
    assert_eq!(budget, 0);
    // An output whose first elements differ is not drawn in full, and does not count against the budget.
    let skips = self::failures(&toy(&["skips-first"]), &[2000]);
    assert!(!it.gives(
        &[&failures[0], &failures[0], &failures[0], &failures[0], &skips[0]],
        4,
        &mut budget
    ));
    assert_eq!(it.score_on(4).map(|score| score.full), Some(false));
}

#[test]
fn hypotheses_of_a_structure_are_contradicted_by_an_output_without_it() {
    let spec = toy(&[]);
    let backwards = backwards(&[]);
    let it = structured(&backwards, &spec, "reversed");
    let pass = |backend: &dyn Backend, count| {
        let request = request(Dtype::I32, count, 9);
        PassedCase {
            case: CaseId::new("ru8/toy/pass").unwrap(),
            reply: Ok(backend.run(&request).unwrap()),
            request,
            nan: NanRule::Class,
        }
    };
    assert!(it.is_contradicted_by(&pass(&spec, 9)));
    assert!(!it.is_contradicted_by(&pass(&backwards, 9)));
    assert!(!it.is_contradicted_by(&pass(&spec, 1)));
}

#[test]
fn hypotheses_of_noise_are_wrong_in_eight_of_ten_elements() {
    let spec = toy(&[]);
    // The last ten of forty elements are noise.
    let noise = spoilt();
    for (right, is_given) in [(2, true), (3, false)] {
        let mut it = structured(&noise, &spec, "last(10, noise)");
        assert!(it.is_noise());
        let mut failures = failures(&noise, &[40]);
        let Expected::Value(expected) = failures[0].expected.clone() else {
            unreachable!()
        };
        let Ok(actual) = &mut failures[0].actual else {
            unreachable!()
        };
        let mut bytes = actual.output.bytes().to_vec();
        let some = 4 * 31..4 * (31 + right);
        bytes[some.clone()].copy_from_slice(&expected.output.bytes()[some]);
        actual.output = Tensor::new(Dtype::I32, actual.output.shape().clone(), bytes).unwrap();
        assert_eq!(it.gives(&[&failures[0]], 0, &mut 0), is_given, "{right}");
        assert_eq!(it.score_on(0).unwrap().elements, 30);
    }
}

#[test]
fn hypotheses_of_a_structure_give_further_outputs_too() {
    let with_state = |response: Response, state: u32| Response {
        more: vec![Tensor::scalar(state)],
        ..response
    };
    let spec = Fake::new("spec", move |request| Ok(with_state(answer(&[], request)?, 5)));
    let backwards = backwards(&[]);
    for (state, is_given) in [(5, true), (6, false)] {
        let mut it = structured(&backwards, &spec, "reversed");
        let mut failed = failures(&backwards, &[40]).remove(0);
        failed.actual = failed.actual.map(|actual| with_state(actual, state));
        if let Expected::Value(value) = &mut failed.expected {
            *value = with_state(value.clone(), 5);
        }
        assert_eq!(it.gives(&[&failed], 0, &mut 0), is_given, "{state}");
        // Right further outputs do not make up for a wrong first one.
        let other = FailedCase {
            actual: Ok(with_state(
                answer(&["other-hash".to_owned()], &failed.request).unwrap(),
                state,
            )),
            ..failed
        };
        let mut it = structured(&backwards, &spec, "reversed");
        assert!(!it.gives(&[&other], 0, &mut 0));
    }
}

#[test]
fn hypotheses_are_kept_once_and_noise_only_where_nothing_speaks_against_it() {
    let spec = toy(&[]);
    let wrong = toy(&["other-hash"]);
    let suspects = suspects(&[], Some(&spec));
    let (_, passes) = run(&spec, &[request(Dtype::I32, 8, 9)]);
    let mut search = Search::new(&[], Passes::new(&[], &passes, None), &suspects);
    let mut keep = |backend, name: &str| {
        let mut single = single(backend, false);
        name.clone_into(&mut single.cause.name);
        let is_clear = search.keep(Hypothesis::single(0, &single, 0.0));
        (is_clear, search.found.len())
    };
    assert_eq!(keep(&wrong, "wrong"), (false, 1));
    assert_eq!(keep(&spec, "right"), (true, 2));
    assert_eq!(keep(&wrong, "wrong"), (false, 2));
    assert_eq!(keep(&spec, "right"), (true, 2));
    let noise = spoilt();
    let (_, long) = run(&spec, &[request(Dtype::I32, 40, 1)]);
    for (passes, is_clear) in [(&passes[..0], true), (&long[..], false)] {
        let mut search = Search::new(&[], Passes::new(&[], passes, None), &suspects);
        let kept = search.keep(structured(&noise, &spec, "last(10, noise)"));
        assert_eq!((kept, search.found.len()), (is_clear, usize::from(is_clear)));
    }
    // Cases of another type do not contradict it: a kernel has a path for each.
    let failed = run(&wrong, &[request(Dtype::F32, 40, 1)]).0;
    let failed: Vec<&FailedCase> = failed.iter().collect();
    let mut search = Search::new(&failed, Passes::new(&[], &long, None), &suspects);
    search.keep(structured(&noise, &spec, "last(10, noise)"));
    assert_eq!(search.found.len(), 1);
}

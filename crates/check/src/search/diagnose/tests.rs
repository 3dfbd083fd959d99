//! Each verdict, from an implementation that earns it.

mod batches;
mod budget;
mod changing;
mod covers;
mod hypotheses;
mod near;
mod pieces;
mod stages;

use super::toy::{FLAGS, altered, answer, backwards, noise, request, scramble, toy, zeros};
use super::*;
use crate::fixtures::{Fake, uniform_between};
use crate::model::diagnosis::{Candidate, Cause, CauseKind};
use crate::model::exchange::same;
use crate::model::expected::Expected;
use crate::model::stage::Stage;
use proptest::prelude::*;
use seedproof_corpus::CaseId;
use seedproof_ops::{Backend, Failure};
use seedproof_ops::{Dtype, ErrorKind, NanRule, OpError, Request, Response, Shape, Tensor};
use std::cell::Cell;

/// Runs a backend over requests, as a judge would: failures and passes.
fn run(backend: &dyn Backend, requests: &[Request]) -> (Vec<FailedCase>, Vec<PassedCase>) {
    let spec = toy(&[]);
    let (mut failures, mut passes) = (Vec::new(), Vec::new());
    for (i, request) in requests.iter().enumerate() {
        let reply = |backend: &dyn Backend| match backend.run(request) {
            Ok(response) => Ok(response),
            Err(Failure::Rejected(error)) => Err(error),
            Err(failure) => panic!("{failure}"),
        };
        let (expected, actual) = (reply(&spec), reply(backend));
        let case = CaseId::new(&format!("ru8/toy/{i}")).unwrap();
        let request = request.clone();
        if same(&expected, &actual, NanRule::Class) {
            passes.push(PassedCase {
                case,
                request,
                reply: actual,
                nan: NanRule::Class,
            });
        } else {
            failures.push(FailedCase {
                case,
                request,
                expected: expected.map_or_else(|error| Expected::Rejection(error.kind), Expected::Value),
                actual,
                again: None,
                nan: NanRule::Class,
            });
        }
    }
    (failures, passes)
}

fn requests() -> Vec<Request> {
    let mut all = Vec::new();
    for seed in [1, 7 << 32 | 5] {
        for count in [1, 3, 8, 33, 100] {
            all.push(request(Dtype::I32, count, seed));
            all.push(request(Dtype::I64, count, seed));
        }
    }
    all
}

fn nothing_together(_: &[&str]) -> Option<Box<dyn Backend>> {
    None
}

/// These candidates, without families and without combinations.
fn suspects<'a>(candidates: &'a [Candidate<'a>], oracle: Option<&'a dyn Backend>) -> Suspects<'a> {
    Suspects {
        candidates,
        families: &|_| Vec::new(),
        together: &nothing_together,
        oracle,
        base: None,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of `Together`")]
fn toy_together(names: &[&str]) -> Option<Box<dyn Backend>> {
    Some(Box::new(toy(names)))
}

fn candidates<'a>(names: &'a [&'a str], backends: &'a [Fake]) -> Vec<Candidate<'a>> {
    names
        .iter()
        .zip(backends)
        .map(|(name, backend)| Candidate {
            cause: Cause {
                name: (*name).to_owned(),
                kind: CauseKind::Mistake,
                sentence: "it does so".to_owned(),
                fix: "do otherwise".to_owned(),
                clause: "ru8.philox.round".to_owned(),
                erratum: String::new(),
            },
            backend,
            changes: u64::MAX,
        })
        .collect()
}

fn diagnosed(
    backend: &dyn Backend,
    requests: &[Request],
    names: &[&str],
    together: &Together<'_>,
) -> Diagnosis {
    let (failures, passes) = run(backend, requests);
    let backends: Vec<Fake> = names.iter().map(|&name| toy(&[name])).collect();
    let spec = toy(&[]);
    let all = candidates(names, &backends);
    let suspects = Suspects {
        together,
        ..suspects(&all, Some(&spec))
    };
    let searched = Cell::new(0);
    let found = diagnose_counted(&failures, &passes, &suspects, &|| {
        searched.set(searched.get() + 1);
    });
    assert_eq!(searched.get(), failures.len());
    found
}

#[test]
fn diagnosis_names_every_single_mistake() {
    for flag in FLAGS {
        let found = diagnosed(&toy(&[flag]), &requests(), &FLAGS, &toy_together);
        assert_eq!(found.verdict, Verdict::Explained, "{flag}");
        let first = &found.explanations[0];
        assert_eq!(first.cause.name, flag);
        assert_eq!(first.evidence.cases, first.evidence.cases_total);
        assert_eq!(first.evidence.elements, first.evidence.elements_total);
        assert_eq!(first.evidence.contradicted, 0);
        assert!(first.parts.is_empty(), "{flag}");
    }
}

#[test]
fn diagnosis_names_both_of_every_pair() {
    for (i, a) in FLAGS.iter().enumerate() {
        for b in &FLAGS[i + 1..] {
            let found = diagnosed(&toy(&[a, b]), &requests(), &FLAGS, &toy_together);
            let first = &found.explanations[0];
            // An implementation that refuses i64 does not show whether it exchanges the halves.
            if [*a, *b] == ["no-i64", "swapped-halves"] {
                assert_eq!(first.cause.name, "no-i64");
                continue;
            }
            if found.verdict == Verdict::Several {
                // Each mistake has its own cases, and no case has both.
                let names: Vec<&str> = found
                    .explanations
                    .iter()
                    .map(|it| it.cause.name.as_str())
                    .collect();
                assert!(
                    names.len() == 2 && names.contains(a) && names.contains(b),
                    "{names:?}"
                );
                continue;
            }
            assert_eq!(found.verdict, Verdict::Explained, "{a} {b}");
            assert_eq!(first.cause.name, format!("{a} + {b}"));
            assert_eq!(first.cause.kind, CauseKind::Combination);
            let acting: Vec<&str> = first.parts.iter().map(|part| part.cause.name.as_str()).collect();
            assert_eq!(acting, [*a, *b]);
            assert!(first.parts.iter().any(|part| !part.cases.is_empty()));
        }
    }
}

#[test]
fn diagnosis_copies_what_is_known_of_the_cause() {
    let found = diagnosed(&toy(&["other-hash"]), &requests(), &FLAGS, &nothing_together);
    let first = &found.explanations[0];
    assert_eq!(
        (
            first.cause.sentence.as_str(),
            first.cause.fix.as_str(),
            first.cause.clause.as_str()
        ),
        ("it does so", "do otherwise", "ru8.philox.round")
    );
    assert_eq!(first.stage, Some(Stage::Words));
    let pair = diagnosed(
        &toy(&["other-hash", "skips-first"]),
        &requests(),
        &FLAGS,
        &toy_together,
    );
    assert_eq!(pair.explanations[0].cause.sentence, "it does so");
}

#[test]
fn diagnosis_says_unexplained_when_nothing_fits() {
    let found = diagnosed(&noise(), &requests(), &FLAGS, &toy_together);
    assert_eq!(found.verdict, Verdict::Unexplained);
    assert!(found.explanations.is_empty());
    assert!(!found.unexplained.is_empty() && !found.tried.is_empty());
}

/// Only an i64 has halves, so that a mistake in them is never drawn for an i32, and the causes are the same.
#[test]
fn mistakes_are_not_drawn_where_nothing_that_they_change_is_read() {
    let names = ["skips-first", "swapped-halves"];
    let skips = toy(&["skips-first"]);
    let swaps = Fake::new("swaps", |request| {
        assert_eq!(request.output_form().unwrap().0, Dtype::I64);
        answer(&["swapped-halves".to_owned()], request)
    });
    let spec = toy(&[]);
    let mut known = candidates(&names[..1], std::slice::from_ref(&skips));
    known.extend(candidates(&names[1..], std::slice::from_ref(&swaps)));
    (known[0].changes, known[1].changes) = (1, 2);
    let suspects = Suspects {
        candidates: &known,
        families: &|_| Vec::new(),
        together: &nothing_together,
        oracle: Some(&spec),
        base: Some(&|request| {
            let is_wide = matches!(request.output_form(), Some((Dtype::I64, _)));
            (spec.run(request), if is_wide { 3 } else { 1 })
        }),
    };
    for name in names {
        let (failures, passes) = run(&toy(&[name]), &requests());
        let found = diagnose(&failures, &passes, &suspects);
        assert_eq!(found.verdict, Verdict::Explained, "{name}");
        assert_eq!(found.explanations[0].cause.name, name);
        assert_eq!(found.explanations[0].evidence.contradicted, 0);
    }
    // A base that does not reproduce the passing cases cannot testify for them.
    let (mut failures, mut passes) = run(&toy(&["swapped-halves"]), &requests());
    failures.retain(|case| case.request.output_form().unwrap().0 == Dtype::I64);
    let (_, others) = run(&spec, &[request(Dtype::I64, 9, 3)]);
    passes.extend(others);
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(found.explanations[0].evidence.contradicted, 1);
}

#[test]
fn diagnosis_says_ambiguous_when_two_fit() {
    // Without i64 and seeds over 32 bits, these two have the same effect as others.
    let requests: Vec<Request> = (1..20).map(|count| request(Dtype::I64, count, 3)).collect();
    let names = ["no-i64", "refuses-too"];
    // An implementation that refuses everything is not diagnosed, so that this one answers something.
    let requests: Vec<Request> = requests.into_iter().chain([request(Dtype::I32, 3, 3)]).collect();
    let (failures, passes) = run(&toy(&["no-i64"]), &requests);
    let backends = [toy(&["no-i64"]), toy(&["no-i64"])];
    let all = candidates(&names, &backends);
    let suspects = suspects(&all, None);
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(found.verdict, Verdict::Ambiguous);
    let names: Vec<&str> = found.explanations.iter().map(|e| e.cause.name.as_str()).collect();
    assert_eq!(names, ["no-i64", "refuses-too"]);
}

#[test]
fn diagnosis_lets_passing_cases_decide() {
    // Both mistakes explain the failures, which have short seeds. On long seeds the implementation is right.
    let picky = Fake::new("picky", |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        let flags: &[String] = if op.global_seed < 1 << 32 {
            &["skips-first".to_owned()]
        } else {
            &[]
        };
        answer(flags, request)
    });
    let (failures, passes) = run(&picky, &requests());
    assert!(!failures.is_empty() && !passes.is_empty());
    let everywhere = toy(&["skips-first"]);
    let mut all = candidates(&["everywhere"], std::slice::from_ref(&everywhere));
    let only = Candidate {
        cause: Cause {
            name: "short-seeds-only".to_owned(),
            ..all[0].cause.clone()
        },
        backend: &picky,
        changes: u64::MAX,
    };
    all.push(only);
    let suspects = suspects(&all, None);
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(found.verdict, Verdict::Explained);
    let names: Vec<&str> = found
        .explanations
        .iter()
        .map(|it| it.cause.name.as_str())
        .collect();
    assert_eq!(names, ["short-seeds-only"]);
}

#[test]
fn diagnosis_gives_several_causes_their_own_cases() {
    let mixed = Fake::new("mixed", |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        let flag = if op.output_type.known() == Some(Dtype::I64) {
            "skips-first"
        } else {
            "other-hash"
        };
        answer(&[flag.to_owned()], request)
    });
    let found = diagnosed(&mixed, &requests(), &FLAGS, &toy_together);
    assert_eq!(found.verdict, Verdict::Several);
    let names: Vec<&str> = found.explanations.iter().map(|e| e.cause.name.as_str()).collect();
    assert_eq!(names, ["other-hash", "skips-first"]);
    assert!(found.explanations.iter().all(|e| e.evidence.cases == 10));
}

#[test]
fn diagnosis_finds_parameters_by_search() {
    let sixfold = altered(&[], |bytes, _| bytes.iter_mut().for_each(|byte| *byte ^= 6));
    let (failures, passes) = run(&sixfold, &requests());
    let masked = |mask: u8| Found {
        cause: Cause {
            name: format!("masked(by = {mask})"),
            kind: CauseKind::Mistake,
            sentence: String::new(),
            fix: String::new(),
            clause: String::new(),
            erratum: String::new(),
        },
        backend: Box::new(altered(&[], move |bytes, _| {
            for byte in bytes {
                *byte ^= mask;
            }
        })),
        changes: u64::MAX,
    };
    let family = |_: &[u32]| (1..=8).map(masked).collect::<Vec<Found>>();
    let suspects = Suspects {
        candidates: &[],
        families: &family,
        together: &nothing_together,
        oracle: None,
        base: None,
    };
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(found.verdict, Verdict::Explained);
    assert_eq!(found.explanations[0].cause.name, "masked(by = 6)");
    assert_eq!(found.explanations[0].evidence.cases, 20);
}

#[test]
fn diagnosis_falls_back_on_structure() {
    let found = diagnosed(&zeros(), &requests(), &FLAGS, &toy_together);
    assert_eq!(found.verdict, Verdict::Explained);
    assert_eq!(found.explanations[0].cause.name, "all-zero");
    assert_eq!(found.explanations[0].cause.kind, CauseKind::Structure);
}

#[test]
fn diagnosis_of_a_rejection_needs_the_same_kind() {
    let (failures, passes) = run(&toy(&["no-i64"]), &requests());
    let other = Fake::always("other", Err(Failure::rejected(ErrorKind::Shape, "no")));
    let all = candidates(&["other"], std::slice::from_ref(&other));
    let suspects = suspects(&all, None);
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(found.verdict, Verdict::Unexplained);
    assert!(found.unexplained.iter().all(|it| it.nearest.is_none()));
    assert!(
        failures
            .iter()
            .all(|case| case.actual == Err(OpError::new(ErrorKind::Dtype, "no i64")))
    );
}

#[test]
fn diagnosis_of_nothing_is_empty() {
    let suspects = suspects(&[], None);
    let found = diagnose(&[], &[], &suspects);
    assert_eq!(
        (found.verdict, found.explanations.len()),
        (Verdict::Unexplained, 0)
    );
}

#[test]
fn diagnosis_of_a_large_case_names_the_mistake() {
    let requests = [request(Dtype::I32, 200_000, 9)];
    let found = diagnosed(&toy(&["low-bit-lost"]), &requests, &FLAGS, &toy_together);
    assert_eq!(found.verdict, Verdict::Explained);
    assert_eq!(found.explanations[0].cause.name, "low-bit-lost");
    assert_eq!(found.explanations[0].evidence.elements, 200_000);
}

fn arbitrary_case() -> impl Strategy<Value = FailedCase> {
    let tensor = |dtype: Dtype, dims: Vec<u64>| {
        let shape = Shape::new(&dims).unwrap();
        let bytes = proptest::collection::vec(any::<u8>(), shape.count() * dtype.size());
        bytes.prop_map(move |bytes| Tensor::new(dtype, shape.clone(), bytes).unwrap())
    };
    let dims = || proptest::collection::vec(0_u64..6, 0..4);
    let dtype = || proptest::sample::select(Dtype::ALL);
    (dtype(), dims(), dtype(), dims(), any::<bool>()).prop_flat_map(
        move |(dtype, dims, other, others, like)| {
            let (other, others) = if like {
                (dtype, dims.clone())
            } else {
                (other, others)
            };
            let extents: Vec<i64> = dims.iter().map(|&dim| i64::try_from(dim).unwrap()).collect();
            (
                tensor(dtype, dims),
                tensor(other, others),
                tensor(dtype, Vec::new()),
                tensor(dtype, Vec::new()),
            )
                .prop_map(move |(expected, actual, minval, maxval)| {
                    let Request::RandomUniform(mut op) = request(Dtype::I32, 1, 1) else {
                        unreachable!()
                    };
                    op.output_type = dtype.into();
                    (op.shape, op.minval, op.maxval) = (Tensor::vector(&extents), minval, maxval);
                    FailedCase {
                        case: CaseId::new("ru8/toy/any").unwrap(),
                        request: Request::RandomUniform(op),
                        expected: Expected::Value(Response::of(expected)),
                        actual: Ok(Response::of(actual)),
                        again: None,
                        nan: NanRule::Class,
                    }
                })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn diagnosis_of_anything_ends_without_a_cause(case in arbitrary_case()) {
        let silent = Fake::always("silent", Err(Failure::error("no")));
        let all = candidates(&["silent"], std::slice::from_ref(&silent));
        let suspects = suspects(&all, None);
        let found = diagnose(std::slice::from_ref(&case), &[], &suspects);
        let only_structure = found
            .explanations
            .iter()
            .all(|explanation| explanation.cause.kind == CauseKind::Structure);
        prop_assert!(only_structure || found.verdict == Verdict::Unexplained);
        let Some((expected, actual)) = case.values() else { unreachable!() };
        let equal = crate::judge::compare::compare(&case.request, expected, actual, case.nan).is_none();
        prop_assert_eq!(equal, case.nan.same(&expected.output, &actual.output));
    }

    #[test]
    fn seedless_check_of_anything_ends(case in arbitrary_case()) {
        let actual = case.actual.unwrap();
        let oracle = Fake::giving("oracle", actual.output.clone());
        let answer = crate::judge::nondeterministic::check(&case.request, &actual, &oracle, || Ok(actual.clone()));
        prop_assert!(answer.is_ok());
    }
}

#[test]
fn choices_are_counted() {
    assert!((super::cover::choices(5, 2) - 10_f64.log2()).abs() < 1e-9);
    assert_eq!(
        (super::cover::choices(5, 5), super::cover::choices(1, 0)),
        (0.0, 0.0)
    );
}

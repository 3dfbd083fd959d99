//! What comes nearest to an answer that no candidate reproduces.

use std::sync::atomic::{AtomicU64, Ordering};

use super::covers::coin;
use super::*;
use crate::model::diagnosis::Nearest;

/// The toy's output, with other bits in some places.
fn bent(flags: &'static [&'static str], is_bent: fn(usize) -> bool) -> Fake {
    altered(flags, move |bytes, size| {
        let elements = bytes.chunks_mut(size).enumerate();
        elements
            .filter(|(i, _)| is_bent(*i))
            .for_each(|(_, bytes)| scramble(bytes));
    })
}

/// What comes nearest to the only failing case.
fn nearest_of(backend: &dyn Backend, names: &[&str], backends: &[Fake]) -> Option<Nearest> {
    let (failures, passes) = run(backend, &[request(Dtype::I32, 40, 9)]);
    let spec = toy(&[]);
    let all = candidates(names, backends);
    let suspects = suspects(&all, Some(&spec));
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(
        (found.verdict, found.unexplained.len()),
        (Verdict::Unexplained, 1)
    );
    found.unexplained[0].nearest.clone()
}

/// Its name and sentence, the number of elements that it reproduces, and the index of the first that it does not.
fn told(nearest: &Nearest) -> (&str, &str, u64, u64) {
    let cause = &nearest.cause;
    (
        &cause.name,
        &cause.sentence,
        nearest.elements,
        nearest.first_missed,
    )
}

#[test]
fn nearest_gives_at_least_half() {
    let names = ["other-hash", "skips-first"];
    let backends = names.map(|name| toy(&[name]));
    let of = |is_bent| nearest_of(&bent(&["skips-first"], is_bent), &names, &backends);
    let ten = of(|i| (15..25).contains(&i)).expect("most is given");
    assert_eq!(told(&ten), ("skips-first", "it does so", 30, 15));
    assert_eq!(ten.elements_total, 40);
    let half = of(|i| (15..35).contains(&i)).expect("half is given");
    assert_eq!(told(&half), ("skips-first", "it does so", 20, 15));
    assert_eq!(of(|i| (15..36).contains(&i)), None);
}

#[test]
fn nearest_names_those_that_come_as_near() {
    let near = |names: &[&str]| {
        let backends: Vec<Fake> = names.iter().map(|_| toy(&["skips-first"])).collect();
        nearest_of(&bent(&["skips-first"], |i| i == 7), names, &backends).expect("most is given")
    };
    assert_eq!(told(&near(&["a", "b"])), ("a", "it does so; as near: b", 39, 7));
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"];
    assert_eq!(
        near(&names[..11]).cause.sentence,
        "it does so; as near: b, c, d, e, f, g, h, i, j, k"
    );
    assert_eq!(
        near(&names).cause.sentence,
        "it does so; as near: b, c, d, e, f, g, h, i, j, k and 2 more"
    );
}

#[test]
fn nearest_is_the_right_output_where_no_candidate_gives_more() {
    let names = ["other-hash"];
    let backends = [toy(&names)];
    let some = nearest_of(&bent(&[], |i| i % 3 == 2 && i < 30), &names, &backends).expect("most is right");
    assert_eq!(
        told(&some),
        (
            "right",
            "no candidate has more of these elements than the right output",
            30,
            2
        )
    );
    assert_eq!(some.cause.kind, CauseKind::Structure);
    // A candidate that reproduces as many elements is not nearer.
    let as_much = [bent(&[], |i| i == 2)];
    let worse = bent(&["other-hash"], |_| false);
    let some = nearest_of(
        &Fake::new("a", move |request| {
            let (right, wrong) = (answer(&[], request)?.output, worse.run(request)?.output);
            let bytes = right.bytes().iter().zip(wrong.bytes()).enumerate();
            let bytes =
                bytes.map(|(i, (right, wrong))| if i / 4 % 3 == 2 && i < 120 { *wrong } else { *right });
            let bytes = bytes.collect();
            Ok(Response::of(
                Tensor::new(right.dtype(), right.shape().clone(), bytes).unwrap(),
            ))
        }),
        &["as-much"],
        &as_much,
    );
    assert_eq!(told(&some.expect("most is right")).0, "right");
}

#[test]
fn nearest_of_what_is_badly_rounded_says_how_far() {
    let right: Vec<f32> = (0..9_u8).map(|i| 2.0 + f32::from(i) * 0.31).collect();
    let wrong = right
        .iter()
        .enumerate()
        .map(|(i, it)| f32::from_bits(it.to_bits() + [0, 0, 1, 2][i % 4]));
    let failure = FailedCase {
        case: CaseId::new("ru8/toy/rounding").unwrap(),
        request: uniform_between(Dtype::F32, 9, ("2", "7")),
        expected: Expected::Value(Response::of(Tensor::vector(&right))),
        actual: Ok(Response::of(Tensor::vector(&wrong.collect::<Vec<_>>()))),
        again: None,
        nan: NanRule::Class,
    };
    let suspects = suspects(&[], None);
    let found = diagnose(&[failure], &[], &suspects);
    let nearest = found.unexplained[0].nearest.as_ref().expect("a rounding is near");
    let sentence = "every element is within 2 ulps: the words are right, a rounding is not";
    assert_eq!(told(nearest), ("rounding(ulps = 2)", sentence, 5, 2));
    assert_eq!(nearest.elements_total, 9);
    assert!(nearest.cause.fix.starts_with("round after each operation"));
}

#[test]
fn nearest_that_gives_all_of_little_may_be_chance() {
    // Half of all candidates reproduce one element of one bit.
    let failure = |more: &[Tensor]| {
        let with_more = |output: i32| Response {
            output: Tensor::vector(&[output]),
            more: more.to_vec(),
        };
        FailedCase {
            expected: Expected::Value(with_more(0)),
            actual: Ok(with_more(1)),
            ..coin(1, 1)
        }
    };
    let one = Fake::giving("one", Tensor::vector(&[1]));
    let all = candidates(&["one"], std::slice::from_ref(&one));
    let suspects = suspects(&all, None);
    let near = |more| {
        let found = diagnose(&[failure(more)], &[], &suspects);
        assert_eq!(found.verdict, Verdict::Unexplained);
        let nearest = found.unexplained[0].nearest.clone().expect("one comes near");
        assert_eq!(nearest.cause.name, "one");
        assert_eq!(
            (nearest.elements, nearest.elements_total, nearest.first_missed),
            (1, 1, 1)
        );
        nearest.cause.sentence
    };
    assert_eq!(near(&[]), "it does so; this may be chance here");
    // If there are further outputs, it is not known to reproduce them.
    assert_eq!(near(&[Tensor::vector(&[7_u32])]), "it does so");
}

/// A backend that draws another i64 each time, and i32 as the toy does.
fn restless() -> Fake {
    let drawn = AtomicU64::new(1);
    Fake::new("restless", move |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        let mut op = op.clone();
        if op.output_type.known() == Some(Dtype::I64) {
            op.global_seed = drawn.fetch_add(1, Ordering::Relaxed) << 40;
        }
        answer(&[], &Request::RandomUniform(op))
    })
}

#[test]
fn nearest_draws_anew_where_the_implementation_does() {
    let requests: Vec<Request> = [(Dtype::I64, 3), (Dtype::I32, 3), (Dtype::I64, 8), (Dtype::I32, 1)]
        .map(|(dtype, count)| request(dtype, count, 5))
        .into();
    let (failures, passes) = run(&restless(), &requests);
    assert_eq!((failures.len(), passes.len()), (2, 2));
    let backends = [toy(&["skips-first"]), restless(), toy(&[])];
    let of = |failures: &[FailedCase], passes: &[PassedCase], backends: &[Fake]| {
        let all = candidates(&["a", "b", "c"], backends);
        let suspects = suspects(&all, None);
        let found = diagnose(failures, passes, &suspects);
        assert_eq!(found.verdict, Verdict::Unexplained);
        found
            .unexplained
            .into_iter()
            .map(|it| it.nearest)
            .collect::<Vec<_>>()
    };
    let sentence = "it does so; its answers change from run to run in these cases and in no others";
    for nearest in of(&failures, &passes, &backends) {
        let nearest = nearest.expect("one draws anew");
        assert_eq!(
            (told(&nearest), nearest.elements_total),
            (("b", sentence, 0, 0), 11)
        );
    }
    // Without passing cases every candidate that changes would fit, and a passing case that it fails contradicts it.
    assert_eq!(of(&failures, &[], &backends), [None, None]);
    let (_, others) = run(&toy(&[]), &requests);
    assert_eq!(of(&failures, &others, &backends), [None, None]);
    assert_eq!(of(&failures, &passes, &backends[..1]), [None, None]);
}

#[test]
fn nearest_gives_a_case_though_passing_ones_speak_against_it() {
    // One case of many has the mistake, and no property distinguishes it.
    let requests: Vec<Request> = (1..40).map(|seed| request(Dtype::I32, 20, seed)).collect();
    let picky = Fake::new("picky", |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        match op.global_seed {
            7 => answer(&["other-hash".to_owned()], request),
            8 => bent(&[], |_| true).run(request),
            _ => answer(&[], request),
        }
    });
    let (failures, passes) = run(&picky, &requests);
    let backends = [toy(&["other-hash"])];
    let all = candidates(&["other-hash"], &backends);
    let suspects = suspects(&all, None);
    let found = diagnose(&failures, &passes, &suspects);
    assert_eq!(found.verdict, Verdict::Unexplained);
    let nearest = found.unexplained[0].nearest.as_ref().expect("it gives the case");
    let sentence = "it does so; contradicted by 37 passing cases";
    assert_eq!(
        (told(nearest), nearest.elements_total),
        (("other-hash", sentence, 20, 20), 20)
    );
    // The cause reproduces no other case.
    assert_eq!(
        (found.unexplained.len(), &found.unexplained[1].nearest),
        (2, &None)
    );
}

/// Of cases that are permuted in no known way only some are searched whole. The one with an order comes after all of these.
#[test]
fn vague_form_does_not_hide_the_order_of_a_later_case() {
    let kernel = altered(&[], |bytes, size| {
        let mut elements: Vec<Vec<u8>> = bytes.chunks(size).map(<[u8]>::to_vec).collect();
        if elements.len() == 12 {
            elements.reverse();
        } else {
            elements.sort_unstable();
        }
        *bytes = elements.concat();
    });
    let sorted = (20..60).map(|count| request(Dtype::I32, count, 5));
    let ordered = [12, 1].map(|count| request(Dtype::I32, count, 5));
    let requests: Vec<Request> = sorted.chain(ordered).collect();
    let (failures, passes) = run(&kernel, &requests);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let (spec, all) = (toy(&[]), []);
    let suspects = suspects(&all, Some(&spec));
    let mut search = Search::new(&cases, Passes::new(&failures, &passes, None), &suspects);
    (0..cases.len()).for_each(|case| search.examine(case));
    let found: Vec<&str> = search.found.iter().map(|it| it.cause.name.as_str()).collect();
    assert_eq!(found, ["permuted", "reversed"]);
}

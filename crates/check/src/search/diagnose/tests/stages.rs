//! The stages of the search in one case: what each tries, what it keeps, and what its budget allows.

use std::collections::BTreeSet;

use super::*;
use crate::search::diagnose::search::log2;

/// Runs the search over an implementation's failing cases, after a change of its budgets.
fn searched<T>(
    backend: &dyn Backend,
    requests: &[Request],
    together: &Together<'_>,
    prepare: impl Fn(&mut Search<'_>),
    look: impl Fn(&Search<'_>) -> T,
) -> T {
    let (failures, passes) = run(backend, requests);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let backends = FLAGS.map(|name| toy(&[name]));
    let spec = toy(&[]);
    let all = candidates(&FLAGS, &backends);
    let suspects = Suspects {
        together,
        ..suspects(&all, Some(&spec))
    };
    let mut search = Search::new(&cases, Passes::new(&[], &passes, None), &suspects);
    prepare(&mut search);
    (0..cases.len()).for_each(|case| search.examine(case));
    look(&search)
}

fn tried(search: &Search<'_>) -> Vec<(String, u64, u64)> {
    let all = (0..search.cases.len()).collect();
    let tried = search.tried(&all).into_iter();
    tried.map(|it| (it.what, it.candidates, it.cases)).collect()
}

fn names(search: &Search<'_>) -> Vec<String> {
    search.found.iter().map(|it| it.cause.name.clone()).collect()
}

/// A request of i64 with a wide seed, on which each of the seven mistakes shows.
fn wide(count: i64) -> [Request; 1] {
    [request(Dtype::I64, count, 7 << 32 | 5)]
}

#[test]
fn stages_say_what_was_tried() {
    let of = |requests: &[Request]| searched(&noise(), requests, &toy_together, |_| (), tried);
    let stages = |cases, numbers: [u64; 8]| -> Vec<(String, u64, u64)> {
        let names = [
            "readings",
            "mistakes",
            "mistakes with a parameter",
            "mistakes in a part of the output",
            "sorts of structure",
            "mistakes with a structure",
            "pairs of mistakes",
            "triples of mistakes",
        ];
        let numbered = names.into_iter().zip(numbers);
        numbered
            .map(|(name, number)| (name.to_owned(), number, cases))
            .collect()
    };
    assert_eq!(of(&wide(8)), stages(1, [0, 7, 0, 7, 57, 7, 21, 35]));
    // On i32 and a narrow seed three mistakes change nothing. For several cases the highest number counts.
    assert_eq!(
        of(&[request(Dtype::I32, 8, 5)]),
        stages(1, [0, 7, 0, 4, 57, 4, 6, 4])
    );
    let both = [wide(8)[0].clone(), request(Dtype::I32, 8, 5)];
    assert_eq!(of(&both), stages(2, [0, 7, 0, 7, 57, 7, 21, 35]));
}

#[test]
fn stages_end_with_the_first_that_gives_a_case() {
    let of = |backend: &dyn Backend| {
        let look = |search: &Search<'_>| (tried(search).len(), names(search));
        let (stages, mut names) = searched(backend, &wide(8), &toy_together, |_| (), look);
        names.truncate(1);
        (stages, names.concat())
    };
    assert_eq!(of(&toy(&["other-hash"])), (2, "other-hash".to_owned()));
    // The pairs are tried all the same.
    assert_eq!(of(&zeros()), (6, "all-zero".to_owned()));
    let square = Fake::new("square", |request| {
        let output = answer(&[], request)?.output;
        let shape = Shape::new(&[2, 4]).unwrap();
        Ok(Response::of(
            Tensor::new(output.dtype(), shape, output.bytes().to_vec()).unwrap(),
        ))
    });
    assert_eq!(of(&square), (2, "wrong-shape".to_owned()));
    assert!(searched(
        &noise(),
        &wide(8),
        &toy_together,
        |_| (),
        |search| search.tried(&BTreeSet::new()).is_empty()
    ));
}

#[test]
fn stages_count_the_members_of_families() {
    let (failures, passes) = run(&noise(), &wide(8));
    let member = |number: u8| Found {
        cause: Cause {
            name: format!("member({number})"),
            kind: CauseKind::Mistake,
            sentence: String::new(),
            fix: String::new(),
            clause: String::new(),
            erratum: String::new(),
        },
        backend: Box::new(if number == 3 { noise() } else { toy(&[]) }),
        changes: u64::MAX,
    };
    let tried = |members: &[u8]| {
        let family = |_: &[u32]| {
            members
                .iter()
                .map(|&number| member(number))
                .collect::<Vec<Found>>()
        };
        let suspects = Suspects {
            candidates: &[],
            families: &family,
            together: &nothing_together,
            oracle: None,
            base: None,
        };
        let cases: Vec<&FailedCase> = failures.iter().collect();
        let mut search = Search::new(&cases, Passes::new(&[], &passes, None), &suspects);
        search.examine(0);
        tried(&search).into_iter().map(|it| it.1).collect::<Vec<_>>()
    };
    assert_eq!(tried(&[0, 1, 2]), [0, 0, 3, 0, 0]);
    assert_eq!(tried(&[0, 1, 2, 3]), [0, 0, 4]);
}

#[test]
fn stages_blame_no_mistake_for_the_right_answer() {
    // The case is judged under another reading, and was answered as the oracle answers it.
    let (failures, _) = run(&toy(&["other-hash"]), &wide(8));
    let swapped = FailedCase {
        expected: Expected::Value(failures[0].actual.clone().unwrap()),
        actual: Ok(answer(&[], &failures[0].request).unwrap()),
        ..failures[0].clone()
    };
    let (spec, same) = (toy(&[]), [toy(&[])]);
    let verdict = |kind| {
        let mut all = candidates(&["same"], &same);
        all[0].cause.kind = kind;
        let suspects = suspects(&all, Some(&spec));
        diagnose(std::slice::from_ref(&swapped), &[], &suspects).verdict
    };
    assert_eq!(verdict(CauseKind::Mistake), Verdict::Unexplained);
    assert_eq!(verdict(CauseKind::Reading), Verdict::Explained);
}

#[test]
fn stages_are_left_out_where_their_budget_does_not_reach() {
    let left = |streams, pairs, triples| {
        let prepare = |search: &mut Search<'_>| {
            (search.streams, search.pairs, search.triples) = (streams, pairs, triples);
        };
        let look = |search: &Search<'_>| {
            let names: Vec<String> = tried(search).into_iter().skip(5).map(|it| it.0).collect();
            (names.concat(), search.streams, search.pairs, search.triples)
        };
        searched(&noise(), &wide(8), &toy_together, prepare, look)
    };
    let (streams, pairs, triples) = (
        "mistakes with a structure",
        "pairs of mistakes",
        "triples of mistakes",
    );
    assert_eq!(left(336, 21, 35), (format!("{streams}{pairs}{triples}"), 0, 0, 0));
    assert_eq!(left(335, 20, 34), (String::new(), 335, 20, 34));
    assert_eq!(left(335, 22, 34), (pairs.to_owned(), 335, 1, 34));
}

#[test]
fn stages_of_several_mistakes_are_for_small_cases() {
    let of = |count| {
        searched(
            &noise(),
            &wide(count),
            &toy_together,
            |_| (),
            |search| tried(search).len(),
        )
    };
    let largest = (1..2000)
        .take_while(|&count| wide(count)[0].work() <= 1024)
        .last()
        .unwrap();
    assert_eq!((of(largest), of(largest + 1)), (8, 4));
}

/// The mistakes together draw what the noise draws.
#[expect(clippy::unnecessary_wraps, reason = "the shape of `Together`")]
fn noisy_together(_: &[&str]) -> Option<Box<dyn Backend>> {
    Some(Box::new(noise()))
}

#[test]
fn stages_keep_no_more_combinations_than_cases_tell_apart() {
    let look = |search: &Search<'_>| (search.found.len(), tried(search).len(), search.found[0].prior);
    // All pairs of seven, and no triple, because no passing case contradicts the pairs.
    let (pairs, stages, prior) = searched(&noise(), &wide(8), &noisy_together, |_| (), look);
    assert_eq!((pairs, stages), (21, 7));
    assert!((prior - 2.0 * log2(7)).abs() < 1e-9);
    // Of 35 triples, as many as are taken from one case.
    let only_triples = |names: &[&str]| noisy_together(names).filter(|_| names.len() == 3);
    let (triples, stages, prior) = searched(&noise(), &wide(8), &only_triples, |_| (), look);
    assert_eq!((triples, stages), (24, 8));
    assert!((prior - 3.0 * log2(7)).abs() < 1e-9);
}

#[test]
fn stages_go_on_where_passing_cases_speak_against_all_that_was_found() {
    let noisy_on_wide = Fake::new("noisy", |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        if op.global_seed > 1 << 32 {
            noise().run(request)
        } else {
            answer(&[], request)
        }
    });
    let requests = [wide(8)[0].clone(), request(Dtype::I64, 9, 5)];
    let all = searched(&noisy_on_wide, &requests, &noisy_together, |_| (), tried);
    assert_eq!(all.last().map(|it| it.0.as_str()), Some("triples of mistakes"));
    let contradictions = |search: &Search<'_>| search.found.iter().all(|it| it.contradictions == 1);
    assert!(searched(
        &noisy_on_wide,
        &requests,
        &noisy_together,
        |_| (),
        contradictions
    ));
}

#[test]
fn stages_find_structures_of_a_mistakes_stream() {
    let backwards = backwards(&["other-hash"]);
    let look = |search: &Search<'_>| (names(search), search.found[0].prior);
    let (found, prior) = searched(&backwards, &wide(8), &nothing_together, |_| (), look);
    assert_eq!(found, ["other-hash + reversed"]);
    // The prior is the choice among seven mistakes, and ten bits for an order.
    assert!((prior - (10.0 + log2(7))).abs() < 1e-9, "{prior}");
    let stages = searched(
        &backwards,
        &wide(8),
        &toy_together,
        |_| (),
        |search| tried(search).len(),
    );
    // The pairs of mistakes are tried all the same, and no triple.
    assert_eq!(stages, 7);
}

#[test]
fn stages_look_for_a_mistake_where_a_structure_is_a_long_list() {
    let repeating = |count: usize| {
        let repeating = altered(&["swapped-words"], move |bytes, size| {
            for i in count * size..bytes.len() {
                bytes[i] = bytes[i - count * size];
            }
        });
        searched(&repeating, &wide(40), &nothing_together, |_| (), names)
    };
    assert_eq!(
        repeating(16),
        ["elements(0 q + 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14)"]
    );
    assert_eq!(
        repeating(18),
        [
            "elements(0 q + 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16)",
            "swapped-words + repeated(size = 18)"
        ]
    );
}

#[test]
fn stages_look_at_a_mistakes_stream_a_little_beyond_the_output() {
    // Four outputs and 64 elements: of eight elements, 96.
    let behind = |by: usize| {
        let skipping = Fake::new("skipping", move |request| {
            let count = crate::model::finding::Form::requested(request)
                .unwrap()
                .shape
                .count();
            let longer = request
                .prefix(crate::model::exchange::as_u64(count + by))
                .unwrap();
            let output = answer(&["other-hash".to_owned()], &longer)?.output;
            let shape = Shape::new(&[crate::model::exchange::as_u64(count)]).unwrap();
            let bytes = output.bytes()[by * output.dtype().size()..].to_vec();
            Ok(Response::of(Tensor::new(output.dtype(), shape, bytes).unwrap()))
        });
        searched(&skipping, &wide(8), &nothing_together, |_| (), names)
    };
    assert_eq!(behind(95), ["other-hash + shifted(by = 95)"]);
    assert_eq!(behind(96), ["other-hash + blocks(i + 24)"]);
    assert!(behind(97).is_empty());
}

#[test]
fn stages_take_noise_behind_a_mistakes_stream_for_no_cause() {
    let spoilt = |from: usize| {
        let spoilt = altered(&["other-hash"], move |bytes, size| {
            scramble(&mut bytes[from * size..]);
        });
        searched(&spoilt, &wide(40), &nothing_together, |_| (), names)
    };
    assert!(spoilt(32).is_empty());
    assert_eq!(spoilt(40), ["other-hash"]);
}

#[test]
fn stages_try_every_pair_and_triple_once() {
    let asked = std::cell::RefCell::new(Vec::new());
    let noting = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        asked.borrow_mut().push(names);
        None
    };
    searched(&noise(), &wide(8), &noting, |_| (), |_| ());
    let mut asked = asked.into_inner();
    assert_eq!(asked.len(), 21 + 35);
    asked.sort_unstable();
    asked.dedup();
    let of = |length| asked.iter().filter(|names| names.len() == length).count();
    assert_eq!((of(2), of(3)), (21, 35));
}

#[test]
fn stages_keep_no_more_structures_than_cases_tell_apart() {
    // Each of three mistakes makes a stream whose last eight elements begin again, which has eleven structures.
    let again = altered(&["other-hash"], |bytes, size| {
        bytes.copy_within(..8 * size, 40 * size);
    });
    let (failures, _) = run(&again, &[request(Dtype::I32, 48, 9)]);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let backends = [(); 3].map(|()| toy(&["other-hash"]));
    let spec = toy(&[]);
    let found = |names: &[&str]| {
        let all = candidates(names, &backends);
        let suspects = suspects(&all, Some(&spec));
        let mut search = Search::new(&cases, Passes::new(&[], &[], None), &suspects);
        search.examine(0);
        search.found.len()
    };
    assert_eq!((found(&["a", "b"]), found(&["a", "b", "c"])), (22, 24));
}

#[test]
fn doubts_are_few() {
    // Each case has a cause that a passing case contradicts, so that a better one is searched for.
    let picky = Fake::new("picky", |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        let flags: &[String] = if op.global_seed == 1 {
            &[]
        } else {
            &["other-hash".to_owned()]
        };
        answer(flags, request)
    });
    let requests: Vec<Request> = (1..40).map(|seed| request(Dtype::I32, 9, seed)).collect();
    let searched_cases = searched(
        &picky,
        &requests,
        &toy_together,
        |_| (),
        |search| tried(search)[0].2,
    );
    assert_eq!(searched_cases, 1 + 24);
    let clear = searched(
        &toy(&["other-hash"]),
        &requests,
        &toy_together,
        |_| (),
        |search| tried(search)[0].2,
    );
    assert_eq!(clear, 1);
}

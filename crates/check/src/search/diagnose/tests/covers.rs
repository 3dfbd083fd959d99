//! Which of the causes that were found are chosen, and what the explanations say about them.

use super::super::hypothesis::Hypothesis;
use super::super::singles::{Source, singles};
use super::*;
use crate::model::diagnosis::Explanation;
use crate::search::structure::{View, structures};

/// Makes the mistake `other-hash` for these seeds, and is right for all others.
fn wrong_for(seeds: &'static [u64]) -> Fake {
    Fake::new("wrong", move |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        let flag = if seeds.contains(&op.global_seed) {
            "other-hash"
        } else {
            ""
        };
        answer(&[flag.to_owned()], request)
    })
}

fn eight(seeds: impl Iterator<Item = u64>) -> Vec<Request> {
    seeds.map(|seed| request(Dtype::I32, 8, seed)).collect()
}

fn diagnosed_among(backend: &dyn Backend, requests: &[Request], among: &[(&str, Fake)]) -> Diagnosis {
    let (failures, passes) = run(backend, requests);
    diagnosis(&failures, &passes, among)
}

fn diagnosis(failures: &[FailedCase], passes: &[PassedCase], among: &[(&str, Fake)]) -> Diagnosis {
    let all: Vec<Candidate<'_>> = among
        .iter()
        .flat_map(|(name, backend)| candidates(std::slice::from_ref(name), std::slice::from_ref(backend)))
        .collect();
    let spec = toy(&[]);
    let suspects = suspects(&all, Some(&spec));
    diagnose(failures, passes, &suspects)
}

fn names(found: &Diagnosis) -> Vec<&str> {
    let names = found.explanations.iter().map(|it| it.cause.name.as_str());
    names.collect()
}

#[test]
fn cover_drops_a_cause_whose_cases_others_give() {
    let all = wrong_for(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // The first cause reproduces most cases and is chosen first. The others then reproduce all of its cases.
    let among = [
        ("most", wrong_for(&[1, 2, 3, 4, 5, 6])),
        ("odd", wrong_for(&[1, 2, 3, 7, 8])),
        ("even", wrong_for(&[4, 5, 6, 9, 10])),
    ];
    let found = diagnosed_among(&all, &eight(1..=10), &among);
    assert_eq!(
        (found.verdict, names(&found)),
        (Verdict::Several, vec!["even", "odd"])
    );
    // A cause of one case more than the others is needed.
    let found = diagnosed_among(&wrong_for(&[1, 2, 3, 4, 5, 6, 7, 8]), &eight(1..=8), &among[..2]);
    assert_eq!(
        (found.verdict, names(&found)),
        (Verdict::Several, vec!["most", "odd"])
    );
    let found = diagnosed_among(&all, &eight(1..=10), &among[..2]);
    assert_eq!((found.verdict, found.unexplained.len()), (Verdict::Partly, 2));
}

#[test]
fn cover_says_where_alone_a_cause_acts() {
    let found = diagnosed_among(&on_i64(), &requests(), &[("other-hash", toy(&["other-hash"]))]);
    let [Explanation { only, evidence, .. }] = &found.explanations[..] else {
        panic!("one explains all: {found:?}");
    };
    assert_eq!(
        (found.verdict, only.as_str()),
        (Verdict::Explained, "only where the type is i64")
    );
    assert_eq!((evidence.cases, evidence.contradicted), (10, 10));
    assert!(
        diagnosed_among(&on_i64(), &requests(), &[("on-i64", on_i64())]).explanations[0]
            .only
            .is_empty()
    );
}

fn on_i64() -> Fake {
    Fake::new("on i64", |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        let flag = if op.output_type.known() == Some(Dtype::I64) {
            "other-hash"
        } else {
            ""
        };
        answer(&[flag.to_owned()], request)
    })
}

#[test]
fn cover_believes_a_cause_that_few_passing_cases_speak_against() {
    // One in four may: a capture may have been taken of another version.
    for (contradictions, verdict) in [(2, Verdict::Explained), (3, Verdict::Unexplained)] {
        let requests = eight(1..=8 + contradictions);
        let found = diagnosed_among(
            &wrong_for(&[1, 2, 3, 4, 5, 6, 7, 8]),
            &requests,
            &[("other-hash", toy(&["other-hash"]))],
        );
        assert_eq!(found.verdict, verdict, "{contradictions}");
        if verdict == Verdict::Explained {
            assert_eq!(found.explanations[0].evidence.contradicted, contradictions);
        }
    }
}

/// Pairs are exchanged after a mistake, which is a mistake of wide seeds or of all: the first changes one case in eight.
#[test]
fn cover_sees_which_mistakes_leave_their_cases_as_they_are() {
    let swapped = |flags| {
        altered(flags, |bytes, size| {
            bytes
                .chunks_exact_mut(2 * size)
                .for_each(|pair| pair.rotate_left(size));
        })
    };
    let wide = [1, 2, 3, 4, 5, 6, 7, 7 << 32 | 5];
    let requests: Vec<Request> = wide.map(|seed| request(Dtype::I32, 33, seed)).into();
    let spec = toy(&[]);
    for (flags, is_idle) in [(&["cut-seeds"], true), (&["other-hash"], false)] {
        let (failures, _) = run(&swapped(flags), &requests);
        let cases: Vec<&FailedCase> = failures.iter().collect();
        let mistake = toy(flags);
        let all = candidates(flags, std::slice::from_ref(&mistake));
        let suspects = suspects(&all, Some(&spec));
        let singles = singles(&suspects, &[]);
        let (view, last) = (View::new(cases[7], Some(&spec)).unwrap(), &cases[7].request);
        let structure = structures(&view, &mistake, last, 64).remove(0);
        let cause = |members: Vec<usize>, structure| {
            Hypothesis::combined(&singles, members, Source::Borrowed(&mistake), structure, 0.0)
        };
        let cover = Cover::new(&cases, Passes::new(&failures, &[], None), &suspects);
        let combined = cause(vec![0], Some((structure.clone(), &spec as &dyn Backend)));
        assert_eq!(cover.is_idle(&combined, 0..8), is_idle, "{flags:?}");
        // In the last case alone both act, and a structure or a mistake alone is no combination.
        assert!(!cover.is_idle(&combined, 7..8));
        assert!(!cover.is_idle(&cause(Vec::new(), Some((structure, &spec))), 0..8));
        assert!(!cover.is_idle(&cause(vec![0], None), 0..8));
    }
}

/// A vector of eight holds the even elements before the odd ones, and a loop without vectors draws what is left. Only outputs that end
/// within a vector show the second, and only those of several vectors the first.
#[test]
fn cover_leaves_the_elements_behind_the_last_group_in_order() {
    let kernel = altered(&[], |bytes, size| {
        for group in bytes.chunks_exact_mut(8 * size) {
            let elements: Vec<Vec<u8>> = group.chunks(size).map(<[u8]>::to_vec).collect();
            let (even, odd) = ([0, 2, 4, 6], [1, 3, 5, 7]);
            let order = even.into_iter().chain(odd);
            group.copy_from_slice(&order.flat_map(|i| elements[i].clone()).collect::<Vec<u8>>());
        }
    });
    let requests: Vec<Request> = [13, 13, 13, 64, 11, 5]
        .into_iter()
        .zip(1..)
        .map(|(count, seed)| request(Dtype::I32, count, seed))
        .collect();
    let found = diagnosed_among(&kernel, &requests, &[]);
    assert_eq!(names(&found), ["order-in-group(0 2 4 6 1 3 5 7) in whole groups"]);

    // An op that draws no more than was asked for: the places in the order of what is left in order stand past its end.
    let own = requests.clone();
    let strict = Fake::new("strict", move |request| {
        if own.contains(request) {
            answer(&[], request)
        } else {
            Err(Failure::Unsupported("another size".to_owned()))
        }
    });
    let (failures, passes) = run(&kernel, &requests);
    let found = diagnose(&failures, &passes, &suspects(&[], Some(&strict)));
    assert_eq!(names(&found), ["order-in-group(0 2 4 6 1 3 5 7) in whole groups"]);
}

/// A case of one number from 0 to `2^bits - 1`, which expects 0 and was answered with 1.
pub(super) fn coin(seed: u64, bits: u32) -> FailedCase {
    let upper = (1_u64 << bits).to_string();
    let Request::RandomUniform(mut op) = uniform_between(Dtype::I32, 1, ("0", &upper)) else {
        unreachable!()
    };
    op.global_seed = seed;
    FailedCase {
        case: CaseId::new(&format!("ru8/toy/{seed}")).unwrap(),
        request: Request::RandomUniform(op),
        expected: Expected::Value(Response::of(Tensor::vector(&[0]))),
        actual: Ok(Response::of(Tensor::vector(&[1]))),
        again: None,
        nan: NanRule::Class,
    }
}

/// Draws 1 for these seeds, and 0 for all others.
fn ones_for(seeds: &'static [u64]) -> Fake {
    Fake::new("ones", move |request| {
        let Request::RandomUniform(op) = request else {
            unreachable!()
        };
        Ok(Response::of(Tensor::vector(&[i32::from(
            seeds.contains(&op.global_seed),
        )])))
    })
}

#[test]
fn cover_asks_for_seven_bits_beyond_the_choice_of_a_cause() {
    let verdict = |cases: &[FailedCase], among: &[(&str, Fake)]| diagnosis(cases, &[], among).verdict;
    let one = [("one", ones_for(&[1, 2, 3]))];
    assert_eq!(verdict(&[coin(1, 6)], &one), Verdict::Unexplained);
    assert_eq!(verdict(&[coin(1, 7)], &one), Verdict::Explained);
    // The evidence of several cases adds up.
    assert_eq!(
        verdict(&[coin(1, 3), coin(2, 3), coin(3, 1)], &one),
        Verdict::Explained
    );
    assert_eq!(verdict(&[coin(1, 3), coin(2, 3)], &one), Verdict::Unexplained);
    // One case of three may be any of three, which takes 1.6 bits.
    let three = |bits| [coin(1, bits), coin(2, bits), coin(3, bits)];
    let first = [("first", ones_for(&[1]))];
    assert_eq!(verdict(&three(8), &first), Verdict::Unexplained);
    assert_eq!(verdict(&three(9), &first), Verdict::Partly);
    // The choice is among two of the four candidates, which is one bit: the others do not change the output.
    let four = || ["a", "b", "c", "d"].map(|name| (name, ones_for(&[1])));
    assert_eq!(verdict(&[coin(1, 8)], &four()), Verdict::Unexplained);
    assert_eq!(verdict(&[coin(1, 9)], &four()), Verdict::Ambiguous);
    let idle = ["a", "b", "c", "d"].map(|name| (name, ones_for(if name == "a" { &[1] } else { &[] })));
    assert_eq!(verdict(&[coin(1, 7)], &idle), Verdict::Explained);
}

#[test]
fn cover_asks_more_passing_cases_where_they_may_decide() {
    // The last of 20 passing cases is not among those that every cause is tried on.
    let mut requests = eight(1..=3);
    requests.extend((10..30_i64).map(|seed| request(Dtype::I32, 4000 + seed, seed.unsigned_abs())));
    let [some, more] = [&[1, 2, 3][..], &[1, 2, 3, 29]].map(wrong_for);
    let found = diagnosed_among(
        &wrong_for(&[1, 2, 3]),
        &requests,
        &[("more", more), ("some", some)],
    );
    assert_eq!((found.verdict, names(&found)), (Verdict::Explained, vec!["some"]));
}

#[test]
fn cover_prefers_a_cause_without_contradiction_that_gives_nearly_as_much() {
    // The tenth case alone is not enough evidence, so that it stays open if the second cause is chosen.
    let failures: Vec<FailedCase> = (1..=10)
        .map(|seed| coin(seed, if seed > 8 { 3 } else { 20 }))
        .collect();
    let passes = [PassedCase {
        case: CaseId::new("ru8/toy/pass").unwrap(),
        request: coin(11, 20).request,
        reply: Ok(Response::of(Tensor::vector(&[0]))),
        nan: NanRule::Class,
    }];
    let of = |seeds: &'static [u64]| {
        let among = [
            ("all", ones_for(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])),
            ("nearly", ones_for(seeds)),
        ];
        let found = diagnosis(&failures, &passes, &among);
        (found.verdict, names(&found).concat(), found.unexplained.len())
    };
    assert_eq!(
        of(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (Verdict::Partly, "nearly".to_owned(), 1)
    );
    assert_eq!(
        of(&[1, 2, 3, 4, 5, 6, 7, 8]),
        (Verdict::Explained, "all".to_owned(), 0)
    );
}

#[test]
fn cover_leaves_no_random_case_open_beside_a_cause() {
    let random = FailedCase {
        expected: Expected::Random,
        ..coin(20, 4)
    };
    let open = |failures: &[FailedCase]| {
        let found = diagnosis(failures, &[], &[("one", ones_for(&[1]))]);
        (found.verdict, found.unexplained.len())
    };
    assert_eq!(open(std::slice::from_ref(&random)), (Verdict::Unexplained, 1));
    assert_eq!(open(&[coin(1, 30), random.clone()]), (Verdict::Explained, 0));
    assert_eq!(open(&[coin(1, 30), coin(2, 30)]), (Verdict::Partly, 1));
}

#[test]
fn cover_names_the_stage_of_a_small_case() {
    let largest = (1..2000)
        .take_while(|&count| request(Dtype::I32, count, 9).work() <= 1024)
        .last()
        .unwrap();
    let stage = |count| {
        let requests = [request(Dtype::I32, count, 9)];
        let found = diagnosed_among(
            &toy(&["other-hash"]),
            &requests,
            &[("other-hash", toy(&["other-hash"]))],
        );
        assert_eq!(found.verdict, Verdict::Explained);
        found.explanations[0].stage
    };
    assert_eq!(stage(9), Some(Stage::Words));
    assert_eq!(stage(largest), Some(Stage::Words));
    assert_eq!(stage(largest + 1), None);
    let found = diagnosed_among(&zeros(), &[request(Dtype::I32, 9, 9)], &[]);
    assert_eq!(
        (names(&found), found.explanations[0].stage),
        (vec!["all-zero"], None)
    );
}

#[test]
fn cover_lists_equals_by_name_and_no_cause_behind_a_better_one() {
    let wrong = || toy(&["other-hash"]);
    let requests = eight(1..=3);
    let equals = [("c", wrong()), ("a", wrong()), ("b", wrong())];
    let found = diagnosed_among(&wrong(), &requests, &equals);
    assert_eq!(
        (found.verdict, names(&found)),
        (Verdict::Ambiguous, vec!["a", "b", "c"])
    );
    // A cause of fewer cases is not as good, and neither is one that a passing case contradicts.
    let unequal = [("c", wrong()), ("a", wrong_for(&[1, 2]))];
    assert_eq!(names(&diagnosed_among(&wrong(), &requests, &unequal)), ["c"]);
    let passing = eight(1..=4);
    let unequal = [("c", wrong_for(&[1, 2, 3])), ("a", wrong())];
    assert_eq!(
        names(&diagnosed_among(&wrong_for(&[1, 2, 3]), &passing, &unequal)),
        ["c"]
    );
    // Of many equally good causes, ten are listed.
    let many = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"].map(|name| (name, wrong()));
    let found = diagnosed_among(&wrong(), &requests, &many);
    assert_eq!(names(&found).concat(), "abcdefghij");
}

#[test]
fn cover_ranks_what_is_ordinary_before_what_is_fitted() {
    let begins_again = altered(&[], |bytes, size| bytes.copy_within(..2 * size, 44 * size));
    let found = diagnosed_among(&begins_again, &[request(Dtype::I32, 46, 5)], &[]);
    let names = names(&found);
    assert_eq!(names[0], "last(2, stale by 44)");
    let place = |name| names.iter().position(|it| *it == name).unwrap();
    assert!(
        place("tail(group = 4, stale by 44)") < place("repeated(size = 44)"),
        "{names:?}"
    );
}

/// A mistake that small outputs show by chance says of the others what is not so.
#[test]
fn cover_takes_back_what_failing_cases_refute() {
    // The mistake of the first seeds acts in the others too, where the answer is another one.
    let wrong = |alike: &'static [u64]| {
        Fake::new("wrong", move |request| {
            let Request::RandomUniform(op) = request else {
                unreachable!()
            };
            match op.global_seed {
                seed if alike.contains(&seed) => answer(&["other-hash".to_owned()], request),
                _ => noise().run(request),
            }
        })
    };
    let among = [("other-hash", toy(&["other-hash"]))];
    let found = diagnosed_among(&wrong(&[1, 2]), &eight(1..=7), &among);
    assert_eq!(found.verdict, Verdict::Unexplained);
    assert_eq!(found.unexplained.len(), 7);
    let nearest = found.unexplained[0].nearest.as_ref().expect("it gives the case");
    assert_eq!(
        nearest.cause.sentence,
        "it does so; contradicted by 5 failing cases"
    );
    // Of six others, two for each of its own cases, another mistake may be the reason.
    let found = diagnosed_among(&wrong(&[1, 2]), &eight(1..=6), &among);
    assert_eq!(
        (names(&found), found.verdict),
        (vec!["other-hash"], Verdict::Partly)
    );
    // A failing case of another sort, such as another type, says nothing of it.
    let mut of_both = eight(1..=2);
    of_both.extend((3..=9).map(|seed| request(Dtype::I64, 8, seed)));
    let found = diagnosed_among(&wrong(&[1, 2]), &of_both, &among);
    assert_eq!(
        (names(&found), found.verdict),
        (vec!["other-hash"], Verdict::Partly)
    );
}

#[test]
fn cover_says_where_a_cause_is_of_the_first_output_alone() {
    let with_state = |output: &[i32], state: u32| Response {
        output: Tensor::vector(output),
        more: vec![Tensor::scalar(state)],
    };
    let of = |state: u32| {
        let failed = |seed| FailedCase {
            case: CaseId::new(&format!("ru8/toy/{seed}")).unwrap(),
            request: request(Dtype::I32, 4, seed),
            expected: Expected::Value(with_state(&[1, 2, 3, 4], 7)),
            actual: Ok(with_state(&[50, 60, 70, 80], state)),
            again: None,
            nan: NanRule::Class,
        };
        let mistake = Fake::new("a", move |_| Ok(with_state(&[50, 60, 70, 80], 8)));
        let found = diagnosis(&[failed(1), failed(2)], &[], &[("a", mistake)]);
        found.explanations[0].only.clone()
    };
    assert_eq!([of(7), of(8)], ["only in the first output", ""]);
}

/// Beside a mistake of all outputs, another one reproduces some outputs of few values by chance.
#[test]
fn cover_has_no_part_that_may_be_chance() {
    const SINGLE: &str = "other-hash";
    let of_seed = |request: &Request| match request {
        Request::RandomUniform(op) => op.global_seed,
        _ => unreachable!(),
    };
    let two = |values: [i32; 2]| Response::of(Tensor::vector(&values));
    // The first mistake alone returns [3, 0] of two elements in [0, 4), the second one [0, 3].
    let acting = |flag: &'static str, small: fn(u64) -> [i32; 2]| {
        Fake::new("acting", move |request| match of_seed(request) {
            seed if seed > 10 => Ok(two(small(seed))),
            _ => answer(&[flag.to_owned()], request),
        })
    };
    let backends = [acting(SINGLE, |_| [3, 0]), acting("", |_| [0, 3])];
    let mut failures = run(&toy(&[SINGLE]), &eight(1..=10)).0;
    failures.extend((11..16).map(|seed| {
        let Request::RandomUniform(mut op) = uniform_between(Dtype::I32, 2, ("0", "4")) else {
            unreachable!()
        };
        op.global_seed = seed;
        FailedCase {
            case: CaseId::new(&format!("ru8/small/{seed}")).unwrap(),
            request: Request::RandomUniform(op),
            expected: Expected::Value(two([0, 0])),
            actual: Ok(two([1, 2])),
            again: None,
            nan: NanRule::Class,
        }
    }));
    let spec = toy(&[]);
    let found = |small: fn(u64) -> [i32; 2]| {
        let together = |_: &[&str]| Some(Box::new(acting(SINGLE, small)) as Box<dyn Backend>);
        let all = candidates(&[SINGLE, "small"], &backends);
        let suspects = Suspects {
            together: &together,
            ..suspects(&all, Some(&spec))
        };
        diagnose(&failures, &[], &suspects)
    };
    let by_chance = found(|seed| if seed == 11 { [1, 2] } else { [2, 2] });
    assert_eq!(names(&by_chance), [SINGLE]);
    assert_eq!(by_chance.unexplained.len(), 5);
    let both = found(|_| [1, 2]);
    assert_eq!(
        (names(&both), both.verdict),
        (vec!["other-hash + small"], Verdict::Explained)
    );
}

//! The corpus catches every classic mistake, and the diagnosis names it: alone, and two at a time.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use seedproof::judging::Catalogue;
use seedproof_check::{Diagnosis, Exchange, Judgement, Outcome, Verdict};
use seedproof_corpus::{Case, Name};
use seedproof_ops::{Backend, Limits, Request};
use seedproof_readings::{
    Engine, MISTAKES, MISTAKES_OF_READINGS, Mistake, Reading, families, find_mistake, with,
};

/// Mistakes that no case can catch, each with the proof that it changes no answer.
const SURVIVORS: &[(&str, &str)] = &[];

/// The mistake that draws entropy in every failing case. Such a draw is reported as not repeatable, which needs no cause.
const UNREPEATABLE: &str = "either-zero-entropy";

/// Random pairs in the ordinary test.
const PAIRS: usize = 64;

/// The most elements of a case in the ordinary tests, which take longer cases only if they are flagged with a mistake.
// At 512 they take a third more of CPU, and name no mistake that they do not name at 128.
const FEW: u64 = 128;

/// The ordinary tests take one in four of those cases, since judging them once for each mistake takes most of the time.
const STEP: usize = 4;

/// The most elements of a case in the ignored tests: a run keeps no longer outputs for its diagnosis.
const MANY: u64 = 4096;

/// `generated.rs` holds that the flags, and the report, are those that the engines with the mistakes give.
#[test]
fn mistakes_are_each_caught_by_a_case_that_is_flagged_with_it() {
    let flags: BTreeSet<&str> = seedproof::corpus()
        .cases()
        .flat_map(|case| case.flags.iter().map(Name::as_str))
        .collect();
    let survivors: Vec<&str> = MISTAKES
        .iter()
        .map(|mistake| mistake.id.as_str())
        .filter(|id| !flags.contains(id))
        .collect();
    let listed: Vec<&str> = SURVIVORS.iter().map(|(id, _)| *id).collect();
    assert_eq!(
        survivors, listed,
        "a survivor needs a case, or a proof in the list"
    );
}

/// Of each mistake a case, the number of an output, that of its first wrong element, and the bits of the elements from there on.
/// Kernels in NumPy that share no code with the engines drew them.
const BY_NUMPY: &str = include_str!("mistakes-by-numpy.txt");

#[test]
fn mistakes_draw_what_numpy_draws_with_them() {
    for line in BY_NUMPY.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [id, case, output, from, expected @ ..] = words.as_slice() else {
            panic!("{line}");
        };
        let [output, from]: [usize; 2] = [output, from].map(|number| number.parse().expect("a number"));
        let mistake = find_mistake(id).expect("a listed mistake");
        let case = seedproof::corpus().get(case).expect("a case of the corpus");
        let response = engine(with(&Reading::spec(), &[mistake]))
            .run(&case.request)
            .expect(line);
        let outputs: Vec<_> = [response.output].into_iter().chain(response.more).collect();
        let drawn = outputs[output].scalars().skip(from).take(expected.len());
        let width = 2 * outputs[output].dtype().size();
        let drawn: Vec<String> = drawn.map(|it| format!("{:0width$x}", it.bits())).collect();
        assert_eq!(drawn, expected, "{line}");
    }
}

/// `spec` leaves open what these are made to, so that they are judged and looked for under their reading.
#[test]
fn mistakes_of_readings_are_caught_and_named_under_them() {
    const FEWEST: usize = 3;
    for mistake in &*MISTAKES_OF_READINGS {
        let name = mistake.reading.as_deref().expect("it is made to a reading");
        let catalogue = Catalogue::new(Limits::default()).based_on(name);
        let (reading, _) = catalogue
            .readings()
            .find(|(it, _)| it.name == name)
            .expect("it is known");
        let backend = engine(with(reading, &[mistake]));
        let cases = seedproof::corpus().cases().filter(|case| {
            let acts = catalogue.acting(&case.request).any(|it| it.id == mistake.id);
            acts && seedproof::judging::applies(case, &catalogue, name)
        });
        let judge = |case| seedproof::judging::judge_case(case, &backend, &catalogue, Some(name)).ok();
        let judgements: Vec<Judgement> = cases.filter_map(judge).collect();
        let failing = judgements.iter().filter(|it| it.finding.outcome == Outcome::Fail);
        assert!(failing.count() >= FEWEST, "{}", mistake.id);
        let diagnosis = seedproof::judging::diagnose(&judgements, &catalogue);
        assert_eq!(first(&diagnosis), mistake.id);
    }
}

/// One in `step` of the cases of at most `elements` elements, all those of ops whose
/// mistakes few cases tell apart, and all that are flagged with a mistake.
fn cases(elements: u64, step: usize) -> Vec<&'static Case> {
    let is_whole = |request: &Request| {
        matches!(
            request,
            Request::Multinomial(_)
                | Request::TorchMultinomial(_)
                | Request::TruncatedNormal(_)
                | Request::StatelessTruncatedNormal(_)
                | Request::TorchCudaBernoulli(_)
                | Request::TorchCudaNormal(_)
        )
    };
    // A launch has thousands of threads, and until each has drawn one element, the sizes of launches make no difference.
    let is_launched = |case: &Case| case.id.as_str().starts_with("tcb/u8/laps-of-two-by-");
    let is_taken = |(index, case): &(usize, &Case)| {
        let is_due = index.is_multiple_of(step) || is_whole(&case.request);
        !case.flags.is_empty()
            || is_launched(case)
            || is_due && seedproof::judging::elements(&case.request) <= elements
    };
    let all = seedproof::corpus().cases().enumerate().filter(is_taken);
    all.map(|(_, case)| case).collect()
}

/// A case with the judgement of an implementation that is right, and the mistakes that may change its answer.
struct Asked {
    case: &'static Case,
    right: Option<Judgement>,
    acting: HashSet<String>,
}

/// The cases, each judged once for all implementations whose mistakes leave it right.
fn asked(cases: &[&'static Case]) -> Vec<Asked> {
    let catalogue = Catalogue::new(Limits::default());
    let right = engine(Reading::spec());
    let ask = |case: &&'static Case| Asked {
        case,
        right: seedproof::judging::judge_case(case, &right, &catalogue, None).ok(),
        acting: catalogue
            .acting(&case.request)
            .map(|mistake| mistake.id.clone())
            .collect(),
    };
    cases.iter().map(ask).collect()
}

/// The diagnosis of a run of these cases by an implementation with some mistakes, and how long it took.
fn diagnosed(
    backend: &dyn Backend,
    mistakes: &[&str],
    cases: &[Asked],
    catalogue: &Catalogue,
) -> (Diagnosis, Duration) {
    let judged = |asked: &Asked| {
        if mistakes.iter().any(|id| asked.acting.contains(*id)) {
            seedproof::judging::judge_case(asked.case, backend, catalogue, None).ok()
        } else {
            asked.right.clone()
        }
    };
    let judgements: Vec<Judgement> = cases.iter().filter_map(judged).collect();
    let start = Instant::now();
    let diagnosis = seedproof::judging::diagnose(&judgements, catalogue);
    (diagnosis, start.elapsed())
}

fn first(diagnosis: &Diagnosis) -> &str {
    let nearest = diagnosis.unexplained.iter().find_map(|it| it.nearest.as_ref());
    let first = diagnosis.explanations.first().map(|it| &it.cause);
    first
        .or(nearest.map(|it| &it.cause))
        .map_or("", |cause| cause.name.as_str())
}

fn slowest(times: impl Iterator<Item = Duration>) -> Duration {
    times.max().unwrap_or_default()
}

#[test]
fn mistake_that_draws_anew_is_not_repeatable() {
    let mistake = find_mistake(UNREPEATABLE).expect("it is listed");
    let backend = engine(with(&Reading::spec(), &[mistake]));
    let catalogue = Catalogue::new(Limits::default());
    let judged = |case: &&Case| seedproof::judging::judge_case(case, &backend, &catalogue, None).ok();
    let outcomes: Vec<Outcome> = cases(FEW, STEP)
        .iter()
        .filter_map(judged)
        .map(|it| it.finding.outcome)
        .collect();
    let count = |outcome| outcomes.iter().filter(|it| **it == outcome).count();
    // Few elements of few values are drawn twice by chance.
    let (anew, wrong) = (count(Outcome::NotRepeatable), count(Outcome::Fail));
    assert!(
        anew > 50 && 10 * wrong < anew,
        "{anew} not repeatable, {wrong} wrong"
    );
}

#[test]
fn diagnosis_names_every_single_mistake_first() {
    names_every_mistake(FEW, STEP);
}

/// Every mistake is named first in a run of all that a diagnosis is made of.
#[test]
#[ignore = "takes minutes"]
fn diagnosis_names_every_single_mistake_first_in_longer_outputs() {
    names_every_mistake(MANY, 1);
}

fn names_every_mistake(elements: u64, step: usize) {
    let cases = asked(&cases(elements, step));
    let found: Vec<(&str, Diagnosis, Duration)> = MISTAKES
        .par_iter()
        .map(|mistake| {
            let backend = engine(with(&Reading::spec(), &[mistake]));
            let (diagnosis, time) = diagnosed(
                &backend,
                &[&mistake.id],
                &cases,
                &Catalogue::new(Limits::default()),
            );
            (mistake.id.as_str(), diagnosis, time)
        })
        .collect();
    println!(
        "{} diagnoses, the slowest took {:?}",
        found.len(),
        slowest(found.iter().map(|it| it.2))
    );
    let wrong: Vec<String> = found
        .iter()
        .filter(|(id, ..)| *id != UNREPEATABLE)
        .filter(|(id, diagnosis, _)| {
            // What fails where both seeds are zero may have a cause beside it, which is named after it.
            let proven = matches!(diagnosis.verdict, Verdict::Explained | Verdict::Several);
            first(diagnosis) != *id || !proven
        })
        .map(|(id, diagnosis, _)| {
            let left = diagnosis.unexplained.iter().map(|it| it.case.as_str());
            format!(
                "{id}: {:?} {}; not {:?}",
                diagnosis.verdict,
                first(diagnosis),
                left.take(3).collect::<Vec<_>>()
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// SplitMix64: random numbers that are the same in every run.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    (1_u64..).map(move |i| {
        let mut z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// An implementation of a reading. What it draws where both seeds are zero is the same in every run, and not what the
/// catalogue draws.
fn engine(reading: Reading) -> Engine {
    let drawn = AtomicU64::new(1);
    let entropy = move || numbers(drawn.fetch_add(1, Ordering::Relaxed)).next().unwrap_or(1);
    Engine::new(reading, Limits::default(), entropy)
}

/// A reading with both mistakes; `None` if one undoes the other.
fn both(a: &Mistake, b: &Mistake) -> Option<Reading> {
    let made = |mistakes: &[&Mistake]| Reading {
        name: "both".into(),
        ..with(&Reading::spec(), mistakes)
    };
    let both = made(&[a, b]);
    (both == made(&[b, a]) && both != made(&[a]) && both != made(&[b])).then_some(both)
}

/// Pairs of mistakes by chance that have both.
fn pairs(number: usize) -> Vec<([&'static str; 2], Reading)> {
    let count = u64::try_from(MISTAKES.len()).expect("a few hundred");
    let mut drawn = numbers(1).map(|number| {
        let index = usize::try_from(number % count).expect("less than their number");
        &MISTAKES[index]
    });
    let two = std::iter::from_fn(|| Some((drawn.next()?, drawn.next()?)));
    two.filter_map(|(a, b)| {
        let ids = [a.id.as_str(), b.id.as_str()];
        Some(([ids[0].min(ids[1]), ids[0].max(ids[1])], both(a, b)?))
    })
    .take(number)
    .collect()
}

#[test]
fn diagnosis_names_both_of_nine_in_ten_random_pairs() {
    // Two mistakes fail twice as many cases as one, so half of the cases are enough.
    names_both(PAIRS, FEW, 2 * STEP);
}

/// Both of nine in ten of a thousand random pairs of mistakes are named.
#[test]
#[ignore = "takes minutes"]
fn diagnosis_names_both_of_nine_in_ten_of_a_thousand_pairs() {
    names_both(1000, MANY, 1);
}

fn names_both(number: usize, elements: u64, step: usize) {
    let cases = asked(&cases(elements, step));
    let found: Vec<(String, Diagnosis, Duration)> = pairs(number)
        .into_par_iter()
        .map(|(ids, reading)| {
            let backend = engine(reading);
            let (diagnosis, time) = diagnosed(&backend, &ids, &cases, &Catalogue::new(Limits::default()));
            (ids.join(" + "), diagnosis, time)
        })
        .collect();
    let missed: Vec<String> = found
        .iter()
        .filter(|(name, diagnosis, _)| !is_name(first(diagnosis), name) && !is_named_apart(name, diagnosis))
        .map(|(name, diagnosis, _)| format!("{name}: {:?} {}", diagnosis.verdict, first(diagnosis)))
        .collect();
    println!(
        "{} of {} pairs are named; the slowest diagnosis took {:?}; not: {missed:#?}",
        found.len() - missed.len(),
        found.len(),
        slowest(found.iter().map(|it| it.2))
    );
    assert!(missed.len() * 10 <= found.len());
}

/// Whether a cause is both mistakes: by their names, or one by its name and the other, a layout in blocks, by the structure of
/// the other's output that it is.
fn is_name(cause: &str, names: &str) -> bool {
    let structure = |id: &str| {
        let (layout, size) = id.split_once('-')?;
        let axis = match layout {
            "blocked" => "second",
            "tiled" => "last",
            _ => return None,
        };
        Some(format!("channels-in-blocks(of = {size}, {axis})"))
    };
    let is_other = |id: &str, other: &str| structure(id).is_some_and(|it| cause == format!("{other} + {it}"));
    let apart = names.split_once(" + ");
    cause == names || apart.is_some_and(|(a, b)| is_other(a, b) || is_other(b, a))
}

/// Whether both are named, each for cases of its own.
fn is_named_apart(name: &str, diagnosis: &Diagnosis) -> bool {
    let mut names: Vec<&str> = diagnosis
        .explanations
        .iter()
        .map(|it| it.cause.name.as_str())
        .collect();
    names.sort_unstable();
    diagnosis.verdict == Verdict::Several && names.join(" + ") == name
}

#[test]
fn diagnosis_is_the_same_in_every_run() {
    let cases = asked(&cases(FEW, STEP));
    let told = |id: &str| {
        let catalogue = Catalogue::new(Limits::default());
        let (_, backend) = catalogue
            .mistakes()
            .find(|(mistake, _)| mistake.id == id)
            .expect("there is such a mistake");
        format!("{:?}", diagnosed(backend, &[id], &cases, &catalogue).0)
    };
    for id in ["both-zero-deterministic", "either-zero-entropy", "rounds-9"] {
        assert_eq!(told(id), told(id));
    }
}

/// One failing case is the least that a diagnosis has. More may fit it than are listed.
#[test]
fn diagnosis_of_one_case_names_nineteen_in_twenty_mistakes() {
    let catalogue = Catalogue::new(Limits::default());
    // Among a few elements, a mistake may look like any other.
    let mut cases = cases(FEW, STEP);
    cases.sort_by_key(|case| std::cmp::Reverse(seedproof::judging::elements(&case.request)));
    let found: Vec<(&str, Option<Diagnosis>, Duration)> = catalogue
        .mistakes()
        .map(|(mistake, backend)| {
            let judge = |case: &&Case| seedproof::judging::judge_case(case, backend, &catalogue, None).ok();
            let mut failing = cases.iter().filter_map(judge);
            let telling = failing.find(|it| matches!(it.exchange, Some(Exchange::Failed(_))));
            let start = Instant::now();
            let diagnosis = telling.map(|it| seedproof::judging::diagnose([&it], &catalogue));
            (mistake.id.as_str(), diagnosis, start.elapsed())
        })
        .collect();
    let missed: Vec<&str> = found
        .iter()
        .filter(|(id, diagnosis, _)| !diagnosis.as_ref().is_some_and(|it| is_told(it, id)))
        .map(|(id, ..)| *id)
        .collect();
    println!(
        "one case: {} of {} mistakes are named; the slowest diagnosis took {:?}; not: {missed:?}",
        found.len() - missed.len(),
        found.len(),
        slowest(found.iter().map(|it| it.2))
    );
    assert!(missed.len() * 20 <= MISTAKES.len(), "{missed:#?}");
}

/// Whether a mistake is a cause of the one case, by its own name or its family's, or as near as any.
fn is_told(diagnosis: &Diagnosis, id: &str) -> bool {
    let family = families().iter().find(|family| family.mistake == id);
    let member = family.map(|family| format!("{}(", family.name));
    let is_it = |name: &str| name == id || member.as_ref().is_some_and(|member| name.starts_with(member));
    let near = diagnosis.unexplained.iter().filter_map(|it| it.nearest.as_ref());
    diagnosis
        .explanations
        .iter()
        .any(|it| it.evidence.cases == 1 && is_it(&it.cause.name))
        || near
            .map(|it| &it.cause)
            .any(|cause| is_it(&cause.name) || cause.sentence.contains(id))
}

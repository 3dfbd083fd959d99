use seedproof_check::Outcome;
use seedproof_report::{Diff, Event, Judged, Palette, Run};

use crate::golden::assert_golden;
use crate::sample::{CLEAN, FORM, FUSED, TORCH, events, log};

const FAILING: &str = "ru8/tensorflow/f16/range-negative";

/// The log of an implementation under the name of the clean one.
fn logged(backend: &str) -> String {
    log(&events(&[backend], 0)).replace(backend, CLEAN)
}

fn run(log: &str) -> Run {
    Run::from_events(&[("events.jsonl", log)]).expect("a good log")
}

fn diff(old: &str, new: &str) -> Diff {
    Diff::of(&run(old), &run(new), false)
}

#[test]
fn diff_of_a_run_with_itself_is_empty() {
    for backend in [CLEAN, FUSED, FORM] {
        let same = diff(&logged(backend), &logged(backend));
        assert!(!same.has_new_failures() && !same.is_empty());
        let changes = &same.implementations[0];
        assert!(changes.unchanged > 0);
        assert_eq!((changes.added, same.caveats.len()), (0, 0));
        assert!(
            [
                &changes.new_failures,
                &changes.fixed,
                &changes.changed,
                &changes.gone
            ]
            .iter()
            .all(|list| list.is_empty())
        );
        assert!(same.text(Palette::plain()).ends_with("no new failure\n"));
    }
}

#[test]
fn diff_tells_new_failures_from_fixed_ones() {
    let (right, wrong) = (logged(CLEAN), logged(FUSED));
    let worse = diff(&right, &wrong);
    let new = &worse.implementations[0].new_failures;
    assert!(worse.has_new_failures() && new.iter().any(|change| change.case == FAILING));
    assert_golden!("diff_worse", worse.text(Palette::plain()));
    let better = diff(&wrong, &right);
    assert!(!better.has_new_failures());
    assert_eq!(better.implementations[0].fixed.len(), new.len());
    assert_golden!("diff_json", better.json());
}

#[test]
fn diff_refuses_a_reading_whose_answers_changed() {
    let with = |answers: &str| {
        let header = format!("\"reading\":\"spec\",\"answers\":\"{answers}\"");
        run(&logged(CLEAN).replacen("\"reading\":\"spec\"", &header, 1))
    };
    let (one, other, early) = (with("ab"), with("cd"), run(&logged(CLEAN)));
    assert_eq!(
        Diff::check(&one, &other).unwrap_err().to_string(),
        "compare two logs: their reading `spec` has other answers in each, whose digests are ab and cd"
    );
    // Another name is a caveat of its own.
    let renamed = run(&logged(CLEAN).replacen(
        "\"reading\":\"spec\"",
        "\"reading\":\"ours\",\"answers\":\"cd\"",
        1,
    ));
    for (old, new) in [(&one, &one), (&early, &one), (&one, &early), (&one, &renamed)] {
        assert_eq!(Diff::check(old, new), Ok(()));
    }
    assert_eq!(Diff::of(&one, &one, false).caveats, Vec::<String>::new());
    assert_eq!(
        Diff::of(&one, &early, false).caveats,
        ["the new log does not say how `spec` answers, which may differ"]
    );
    assert_eq!(
        Diff::of(&early, &one, false).caveats,
        ["the old log does not say how `spec` answers, which may differ"]
    );
}

#[test]
fn diff_lists_a_failure_that_changed() {
    let changed = diff(&logged(FUSED), &logged(TORCH));
    assert_golden!("diff_changed", changed.text(Palette::plain()));
    // Other wording is no other answer.
    let reworded = logged(FUSED).replace("elements differ", "numbers differ");
    assert_eq!(diff(&logged(FUSED), &reworded).implementations[0].changed, []);
    let elsewhere = logged(FUSED).replacen("\"differing\":", "\"differing\":1", 1);
    assert_eq!(
        diff(&logged(FUSED), &elsewhere).implementations[0].changed.len(),
        1
    );
}

#[test]
fn diff_of_a_failure_that_is_expected_is_no_new_one() {
    let wrong = logged(FUSED);
    let run = run(&wrong);
    let failing = run.cases().flat_map(Judged::findings);
    let failing = failing.filter(|finding| !finding.outcome.conforms());
    let expected: Vec<String> = failing
        .map(|finding| {
            format!(
                r#"{{"backend":"{CLEAN}","case":"{}","reason":"known"}}"#,
                finding.case
            )
        })
        .collect();
    let line = format!(
        r#"{{"event":"expectations","file":"known.yaml","expected":[{}]}}"#,
        expected.join(",")
    );
    let known = wrong.replace("{\"event\":\"end\"", &format!("{line}\n{{\"event\":\"end\""));
    assert!(diff(&logged(CLEAN), &wrong).has_new_failures());
    assert!(!diff(&logged(CLEAN), &known).has_new_failures());
    assert!(diff(&known, &wrong).has_new_failures());
}

#[test]
fn diff_says_what_the_logs_do_not_share() {
    let (old, new) = (logged(CLEAN), logged(FUSED));
    let other = new.replace("9f2b1c7de04455aa", "0123456789abcdef");
    assert_eq!(
        diff(&old, &other).caveats,
        ["the corpus differs, 9f2b1c7de044 and 0123456789ab: cases are compared by their ids"]
    );
    let filtered = old.replacen("\"filter\":[]", "\"filter\":[\"ru8/*\"]", 1);
    assert_eq!(
        diff(&old, &filtered).caveats,
        ["the selection differs, all cases and ru8/*"]
    );
    // Rules under which one answer passes and fails, and an end that no finding has.
    let stricter = old.replace(
        r#""filter":"#,
        r#""strict_nan":true,"options":["--repeat 3"],"filter":"#,
    );
    let ended = format!(r#"{{"event":"ended","backend":"{CLEAN}","how":"signal: 6"}}"#);
    let stricter = stricter.replace("{\"event\":\"end\"", &format!("{ended}\n{{\"event\":\"end\""));
    assert_eq!(
        diff(&old, &stricter).caveats,
        [
            "the reading differs, spec and spec, each NaN by its bits",
            "the set of options differs, none and --repeat 3",
            "a process of cpu/avx2 ended with signal: 6 in the new run",
        ]
    );
    // A case that was not judged before fails.
    let without = old
        .lines()
        .filter(|line| !line.contains(FAILING) && !line.contains("\"end\""));
    let without: String = without.map(|line| format!("{line}\n")).collect();
    let grown = diff(&without, &new);
    assert_eq!(grown.caveats, ["the old log is cut short: findings are missing"]);
    let added = grown.implementations[0].new_failures.iter();
    assert!(
        added
            .clone()
            .any(|change| change.case == FAILING && change.old.is_none())
    );
    assert!(!grown.text(Palette::plain()).contains("not judged before"));
    let grown = diff(&with_fewer(), &old).text(Palette::plain());
    assert!(
        grown.contains("  2 cases not judged before, and not failing\n"),
        "{grown}"
    );
    let gone = diff(&new, &without);
    assert_eq!(gone.implementations[0].gone.len(), 1);
    assert!(!gone.has_new_failures());
    let apart = diff(&old, &log(&events(&[FUSED], 0)));
    assert!(apart.is_empty() && apart.unmatched.len() == 2);
    let text = apart.text(Palette::plain());
    assert!(
        text.contains("saboteur/fused-scale is in the new log alone"),
        "{text}"
    );
    assert!(text.ends_with("the logs have no finding in common\n"), "{text}");
}

/// A log in which one case of the clean implementation has another outcome.
fn with(case: &str, outcome: Outcome) -> String {
    let mut events = events(&[CLEAN], 0);
    for event in &mut events {
        if let Event::Finding(finding) = event
            && finding.case.as_str() == case
        {
            finding.outcome = outcome;
        }
    }
    log(&events)
}

/// A log that lacks two findings.
fn with_fewer() -> String {
    let mut kept = 0;
    without(|_| (kept += 1, kept <= 2).1)
}

/// A log without the findings of which `is_gone` says so.
fn without(mut is_gone: impl FnMut(&str) -> bool) -> String {
    let mut events = events(&[CLEAN], 0);
    events.retain(|event| !matches!(event, Event::Finding(finding) if is_gone(finding.case.as_str())));
    let kept = events
        .iter()
        .filter(|event| matches!(event, Event::Finding(_)))
        .count();
    if let Some(Event::End { findings }) = events.last_mut() {
        *findings = kept;
    }
    log(&events)
}

#[test]
fn diff_of_passes_that_are_no_longer_judged_is_worse() {
    let old = logged(CLEAN);
    let unclaimed = diff(&old, &with(FAILING, Outcome::Unsupported));
    let lost = &unclaimed.implementations[0].lost;
    assert_eq!(
        (lost.len(), lost[0].case.as_str(), lost[0].new),
        (1, FAILING, Some(Outcome::Unsupported))
    );
    assert!(unclaimed.is_worse() && !unclaimed.has_new_failures());
    let text = unclaimed.text(Palette::plain());
    assert!(
        text.contains("1 case that passed and is no longer judged") && text.ends_with("1 case lost\n"),
        "{text}"
    );
    let gone = diff(&old, &without(|case| case != FAILING));
    assert_eq!(
        (
            gone.implementations[0].lost.len(),
            gone.implementations[0].gone.len()
        ),
        (44, 0)
    );
    assert!(gone.is_worse());
    let text = gone.text(Palette::plain());
    assert!(
        text.contains("44 cases that passed and are no longer judged"),
        "{text}"
    );
    // Forty are listed, and the number of the others where there are some.
    assert!(text.contains("    … 4 more: --json lists them\n"), "{text}");
    let mut kept = 0;
    let forty = diff(&old, &without(|_| (kept += 1, kept <= 40).1));
    let text = forty.text(Palette::plain());
    assert!(
        text.contains("40 cases that") && !text.contains(" more"),
        "{text}"
    );
    // What is lost stands in the colour of a failure.
    let last = |diff: &Diff| diff.text(Palette::ansi()).lines().last().map(str::to_owned);
    let lost = Diff::of(&run(&old), &run(&with(FAILING, Outcome::Unsupported)), true);
    assert_ne!(
        last(&lost).map(|it| it[..6].to_owned()),
        last(&unclaimed).map(|it| it[..6].to_owned())
    );
    // A run that is meant to judge less.
    let (was, is) = (run(&old), run(&with(FAILING, Outcome::Unsupported)));
    assert!(!Diff::of(&was, &is, true).is_worse());
    // What failed before is no loss.
    let failing = diff(
        &with(FAILING, Outcome::Crash),
        &with(FAILING, Outcome::Unsupported),
    );
    assert!(!failing.is_worse());
    assert_eq!(failing.implementations[0].changed.len(), 1);
}

#[test]
fn diff_of_an_implementation_that_is_gone_is_worse() {
    let two = log(&events(&[CLEAN, FORM], 0));
    let one = diff(&two, &logged(CLEAN));
    assert!(one.is_worse() && !one.is_empty());
    assert!(
        one.text(Palette::plain())
            .contains("saboteur/wrong-form is in the old log alone")
    );
    // And one that is there for the first time, and fails.
    let grown = diff(&logged(CLEAN), &two);
    assert!(grown.is_worse() && grown.has_new_failures());
    assert!(!diff(&two, &two).is_worse());
}

#[test]
fn diff_of_expectations_that_no_longer_hold_is_worse() {
    let violated = |line: &str| {
        let event = format!(
            "{{\"event\":\"expectations\",\"file\":\"known.yaml\",\"expected\":[],\"violations\":[\"{line}\"]}}\n"
        );
        logged(CLEAN).replace("{\"event\":\"end\"", &format!("{event}{{\"event\":\"end\""))
    };
    let (expired, other) = (violated("line 3: expired"), violated("line 6: x passes"));
    assert!(diff(&logged(CLEAN), &expired).is_worse());
    assert!(!diff(&expired, &expired).is_worse(), "it is no worse than it was");
    let text = diff(&expired, &other).text(Palette::plain());
    assert!(text.ends_with("1 expectation that no longer holds\n"), "{text}");
}

//! Every way in which an expectation file can be wrong, and that a right one is not.

use super::*;
use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;

fn finding(case: &str, outcome: Outcome) -> Finding {
    let readings: &[&str] = match outcome {
        Outcome::OtherReading => &["torch-2.11", "torch-2.12"],
        _ => &[],
    };
    Finding {
        readings: readings.iter().map(|&name| name.to_owned()).collect(),
        ..Finding::new(
            CaseId::new(case).unwrap(),
            BackendId::new("adapter/torch"),
            outcome,
        )
    }
}

fn torch() -> BackendId {
    BackendId::new("adapter/torch")
}

/// The file that a run of the whole corpus on one implementation writes.
fn blessed(observed: &[Observed<'_>], previous: &[Entry]) -> String {
    let unseen = Unseen {
        implementations: &[&torch()],
        cases: &[],
        extent: Extent::Whole,
    };
    bless(observed, previous, unseen).text
}

const FILE: &str = "\
schema: 1
expectations:
  - match: [\"adapter/torch::ru8/pytorch/f16/*\"]
    outcome: other-reading torch-2.12
    diagnosis: via-f32
    reason: halves are drawn through f32 since 2.12
    issue: https://example.org/1
    until: 2027-06-30
  - match: [ru8/pytorch/f64/large]
    outcome: timeout
    reason: it is slow
";

fn reviewed(
    observed: &[(Finding, Option<&str>)],
    extent: Extent,
    today: &str,
) -> (Vec<String>, Vec<Option<usize>>) {
    let observed: Vec<Observed<'_>> = observed
        .iter()
        .map(|(finding, diagnosis)| Observed {
            finding,
            diagnosis: *diagnosis,
        })
        .collect();
    let entries = parse("x.yaml", FILE).unwrap();
    let review = review(&entries, &observed, &[&torch()], extent, today.parse().unwrap());
    let violations = review.violations.iter().map(ToString::to_string).collect();
    (violations, review.expected)
}

fn as_expected() -> Vec<(Finding, Option<&'static str>)> {
    vec![
        (
            finding("ru8/pytorch/f16/a", Outcome::OtherReading),
            Some("via-f32"),
        ),
        (finding("ru8/pytorch/f64/large", Outcome::Timeout), None),
        (finding("ru8/pytorch/f32/b", Outcome::Pass), None),
        (finding("ru8/pytorch/f32/c", Outcome::Fail), None),
    ]
}

#[test]
fn expectations_that_hold_are_silent() {
    let (violations, expected) = reviewed(&as_expected(), Extent::Whole, "2027-06-30");
    assert_eq!(violations, Vec::<String>::new());
    assert_eq!(expected, [Some(0), Some(1), None, None]);
}

#[test]
fn expectations_that_match_nothing_are_stale() {
    let observed = &as_expected()[..1];
    let (violations, _) = reviewed(observed, Extent::Whole, "2026-01-01");
    assert_eq!(violations, ["line 9: `ru8/pytorch/f64/large` matches nothing"]);
    assert_eq!(
        reviewed(observed, Extent::Part, "2026-01-01").0,
        Vec::<String>::new()
    );
}

#[test]
fn expectations_of_what_passes_are_wrong() {
    let mut observed = as_expected();
    observed[0].0.outcome = Outcome::Pass;
    let (violations, expected) = reviewed(&observed, Extent::Whole, "2026-01-01");
    assert_eq!(violations, ["line 3: adapter/torch::ru8/pytorch/f16/a passes"]);
    assert_eq!(expected[0], None);
}

#[test]
fn expectations_of_another_failure_are_wrong() {
    let mut observed = as_expected();
    observed[0].0 = finding("ru8/pytorch/f16/a", Outcome::Fail);
    observed[1].0.outcome = Outcome::Error;
    let (violations, expected) = reviewed(&observed, Extent::Whole, "2026-01-01");
    assert_eq!(
        violations,
        [
            "line 3: adapter/torch::ru8/pytorch/f16/a fails differently: expected other-reading torch-2.12, \
             via-f32, found fail, via-f32",
            "line 9: adapter/torch::ru8/pytorch/f64/large fails differently: expected timeout, found error",
        ]
    );
    assert_eq!(expected[..2], [None, None]);
}

#[test]
fn expectations_of_a_reading_that_is_not_among_those_found_are_wrong() {
    let mut observed = as_expected();
    observed[0].0.readings.pop();
    let (violations, expected) = reviewed(&observed, Extent::Whole, "2026-01-01");
    assert!(
        violations[0].ends_with("found other-reading torch-2.11, via-f32"),
        "{violations:?}"
    );
    assert_eq!(expected[0], None);
}

#[test]
fn expectations_of_another_diagnosis_are_wrong() {
    let mut observed = as_expected();
    observed[0].1 = None;
    let (violations, _) = reviewed(&observed, Extent::Whole, "2026-01-01");
    assert_eq!(violations.len(), 1);
    assert!(
        violations[0].ends_with("expected other-reading torch-2.12, via-f32, found other-reading torch-2.11")
    );
}

#[test]
fn expectations_expire_after_their_last_day() {
    let (violations, _) = reviewed(&as_expected(), Extent::Whole, "2027-07-01");
    assert_eq!(violations, ["line 3: expired: its last day was 2027-06-30"]);
}

#[test]
fn expectations_are_decided_by_the_first_entry() {
    let one = finding("ru8/x", Outcome::Fail);
    let observed = [Observed {
        finding: &one,
        diagnosis: None,
    }];
    let yaml = "schema: 1\nexpectations:\n  - {match: [ru8/x], outcome: fail, reason: a}\n  \
                - {match: [\"ru8/*\"], outcome: error, reason: b}\n";
    let entries = parse("x.yaml", yaml).unwrap();
    let today = "2026-01-01".parse().unwrap();
    let found = review(&entries, &observed, &[&torch()], Extent::Whole, today);
    assert_eq!(found.expected, [Some(0)]);
    assert_eq!(found.violations[0].to_string(), "line 4: `ru8/*` matches nothing");
}

#[test]
fn expectations_of_an_answer_that_changes_hold_where_it_repeats_itself() {
    let yaml =
        "schema: 1\nexpectations:\n  - {match: [ru8/*], outcome: not-repeatable, reason: unwritten memory}\n";
    let entries = parse("x.yaml", yaml).unwrap();
    let today = "2026-01-01".parse().unwrap();
    for (outcome, holds) in [
        (Outcome::NotRepeatable, true),
        (Outcome::Fail, true),
        (Outcome::Rejects, false),
        (Outcome::Pass, false),
    ] {
        let one = finding("ru8/x", outcome);
        let observed = [Observed {
            finding: &one,
            diagnosis: None,
        }];
        let found = review(&entries, &observed, &[&torch()], Extent::Whole, today);
        assert_eq!(found.expected[0].is_some(), holds, "{outcome:?}");
        assert_eq!(found.violations.is_empty(), holds, "{outcome:?}");
    }
    let one = finding("ru8/x", Outcome::Fail);
    let observed = [Observed {
        finding: &one,
        diagnosis: None,
    }];
    let exact = yaml.replace("ru8/*", "\"adapter/torch::ru8/x\"");
    let text = blessed(&observed, &parse("x.yaml", &exact).unwrap());
    assert_eq!(parse("y.yaml", &text).unwrap()[0].outcome, Outcome::NotRepeatable);
}

#[test]
fn expectation_files_are_read_strictly() {
    let entry = |text: &str| format!("schema: 1\nexpectations:\n  - {text}\n");
    for (yaml, wanted) in [
        (
            entry("{match: [a], outcome: pass, reason: b}"),
            "`pass` cannot be expected",
        ),
        (
            entry("{match: [a], outcome: infrastructure, reason: b}"),
            "cannot be expected",
        ),
        // A request that was never asked shows nothing.
        (
            entry("{match: [a], outcome: not-run, reason: b}"),
            "`not-run` cannot be expected",
        ),
        (
            entry("{match: [a], outcome: other-reading, reason: b}"),
            "write `other-reading NAME` or one of fail, rejects, not-repeatable, crash,",
        ),
        (
            entry("{match: [a], outcome: fail torch-2.12, reason: b}"),
            "cannot be expected",
        ),
        (
            entry("{match: [], outcome: fail, reason: b}"),
            "at least one pattern",
        ),
        (
            entry("{match: [a], outcome: fail, reason: ' '}"),
            "expected a reason",
        ),
        (entry("{match: [a], outcome: fail}"), "reason"),
        (
            entry("{match: [a], outcome: fail, reason: b, until: 2027-02-30}"),
            "2027-02-30",
        ),
        (
            entry("{match: [a], outcome: fail, reason: b, colour: red}"),
            "colour",
        ),
        ("schema: 2\nexpectations: []\n".to_owned(), "expected schema 1"),
        ("[".to_owned(), "x.yaml:"),
    ] {
        let message = parse("x.yaml", &yaml).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
        assert!(message.starts_with("read "), "{message}");
    }
    let message = parse("x.yaml", &entry("{match: [a], outcome: odd, reason: b}"))
        .unwrap_err()
        .to_string();
    assert!(message.contains("x.yaml:3"), "{message}");
}

#[test]
fn expectation_files_have_days_of_the_calendar() {
    let until = |day: &str| {
        let yaml = format!(
            "schema: 1\nexpectations:\n  - {{match: [a], outcome: fail, reason: b, until: '{day}'}}\n"
        );
        parse("x.yaml", &yaml)
    };
    for day in ["2027-06-30", "2028-02-29", "1970-01-01", "2000-02-29"] {
        assert_eq!(until(day).unwrap()[0].until.unwrap().to_string(), day);
    }
    for day in [
        "2027-02-29",
        "1900-02-29",
        "2027-13-01",
        "2027-4-30",
        "27-04-30",
        "2027/04/30",
        "20270430",
        "+027-04-30",
        "2027-04-30T12:00",
        "",
    ] {
        assert!(until(day).is_err(), "{day}");
    }
}

#[test]
fn expectations_are_about_globs_on_case_or_backend_and_case() {
    let one = finding("ru8/pytorch/f16/x", Outcome::Fail);
    for pattern in ["ru8/*", "*::*", "ADAPTER/*::*/f16/?", "ru8/pytorch/f16/x"] {
        assert!(is_about(pattern, &one), "{pattern}");
    }
    for pattern in ["adapter/*", "ru8", "adapter/torch::*/f32/*", "cpu::*"] {
        assert!(!is_about(pattern, &one), "{pattern}");
    }
}

#[test]
fn bless_writes_a_file_that_holds() {
    let odd = finding("ru8/pytorch/f32/d", Outcome::OrderDependentCrash);
    let mut all = as_expected();
    all.push((odd, None));
    all.push((
        finding("ru8/pytorch/f16/0", Outcome::OtherReading),
        Some("via-f32"),
    ));
    all.push((finding("dml/u", Outcome::Unsupported), None));
    let observed: Vec<Observed<'_>> = all
        .iter()
        .map(|(finding, diagnosis)| Observed {
            finding,
            diagnosis: *diagnosis,
        })
        .collect();
    let previous = parse("x.yaml", FILE).unwrap();
    let text = blessed(&observed, &previous);
    let entries = parse("blessed.yaml", &text).unwrap();
    let today = "2027-01-01".parse().unwrap();
    let found = review(&entries, &observed, &[&torch()], Extent::Whole, today);
    assert_eq!(found.violations, []);
    let expected: Vec<bool> = found.expected.iter().map(Option::is_some).collect();
    assert_eq!(expected, [true, true, false, true, true, true, false]);
    let halves = entries
        .iter()
        .find(|entry| entry.outcome == Outcome::OtherReading)
        .unwrap();
    assert_eq!(halves.reason, "halves are drawn through f32 since 2.12");
    assert_eq!(halves.until, previous[0].until);
    assert_eq!(
        halves.matches,
        [
            "adapter/torch::ru8/pytorch/f16/0",
            "adapter/torch::ru8/pytorch/f16/a"
        ]
    );
    let new = entries
        .iter()
        .find(|entry| entry.outcome == Outcome::Fail)
        .unwrap();
    assert_eq!(new.reason, "not looked into yet");
    assert_eq!(blessed(&observed, &entries), text);
    assert_eq!(parse("empty.yaml", &blessed(&[], &entries)), Ok(Vec::new()));
}

#[test]
fn bless_keeps_reasons_of_any_text() {
    let one = finding("ru8/x", Outcome::Fail);
    let observed = [Observed {
        finding: &one,
        diagnosis: Some("tail(group = 2, in order): 'x' # no comment"),
    }];
    for reason in [
        "two\nlines",
        "a: b",
        "- \"quoted\"",
        "true",
        "2027-06-30",
        "# é",
        " x ",
    ] {
        let previous = [Entry {
            line: 1,
            matches: vec!["adapter/torch::ru8/x".to_owned()],
            outcome: Outcome::Fail,
            reading: None,
            diagnosis: None,
            outputs: Vec::new(),
            reason: reason.to_owned(),
            issue: Some(format!("https://example.org/#{reason}")),
            until: None,
        }];
        let entries = parse("x.yaml", &blessed(&observed, &previous)).unwrap();
        assert_eq!(entries[0].reason, reason);
        assert_eq!(entries[0].issue, previous[0].issue);
        assert_eq!(entries[0].diagnosis.as_deref(), observed[0].diagnosis);
    }
}

#[test]
fn expectations_without_a_diagnosis_are_about_one_wrong_output() {
    let sums = ["1", "2", "3"].map(|digit| digit.repeat(32));
    let wrong = |case: &str, sum: &str| Finding {
        output: Some(sum.to_owned()),
        ..finding(case, Outcome::Fail)
    };
    let found = [
        wrong("ru8/a", &sums[0]),
        wrong("ru8/b", &sums[1]),
        wrong("ru8/c", &sums[2]),
    ];
    let diagnoses = [None, None, Some("fused-scale")];
    let observe = |findings: &'static [Finding]| -> Vec<Observed<'_>> {
        let pairs = findings.iter().zip(diagnoses);
        pairs
            .map(|(finding, diagnosis)| Observed { finding, diagnosis })
            .collect()
    };
    let observed = observe(Vec::leak(found.to_vec()));
    let entries = parse("x.yaml", &blessed(&observed, &[])).unwrap();
    assert_eq!(
        entries.len(),
        2,
        "one for both unexplained outputs, one for the cause"
    );
    assert_eq!(entries[0].outputs, sums[..2]);
    assert!(entries[1].outputs.is_empty());
    let today = "2026-01-01".parse().unwrap();
    let held = |observed: &[Observed<'_>]| review(&entries, observed, &[&torch()], Extent::Whole, today);
    assert_eq!(held(&observed).violations, []);
    let mut other = found.to_vec();
    other[1].output = Some("4".repeat(32));
    let review = held(&observe(Vec::leak(other)));
    assert_eq!(review.expected, [Some(0), None, Some(1)]);
    let text = review.violations[0].to_string();
    assert!(
        text.contains("expected fail with another output, found fail with the output 4444"),
        "{text}"
    );
    // An output without a sum does not match either.
    let mut unknown = found.to_vec();
    unknown[0].output = None;
    assert_eq!(held(&observe(Vec::leak(unknown))).expected[0], None);
    let short = blessed(&observed, &[]).replace(&sums[0], "11");
    let message = parse("x.yaml", &short).unwrap_err().to_string();
    assert!(message.contains("`11` is not the sum of an output"), "{message}");
}

const SEVERAL: &str = "\
schema: 1
expectations:
  - {match: [\"adapter/torch::ru8/a\", \"adapter/torch::ru8/b\", \"cpu::ru8/a\"], outcome: fail, reason: one}
  - {match: [\"adapter/torch::dml/*\"], outcome: timeout, reason: two}
  - {match: [ru8/d], outcome: error, reason: three}
  - {match: [\"*::ru8/?\", \"cpu*::dml/x\"], outcome: crash, reason: four}
";

/// The patterns of each reason, after a run of `cases` on one implementation. `rest` are the other cases of the corpus.
fn after(cases: &[(&str, Outcome)], rest: &[&str], extent: Extent) -> (Vec<(String, String)>, usize) {
    let found: Vec<Finding> = cases
        .iter()
        .map(|&(case, outcome)| finding(case, outcome))
        .collect();
    let observed: Vec<Observed<'_>> = found
        .iter()
        .map(|finding| Observed {
            finding,
            diagnosis: None,
        })
        .collect();
    let rest: Vec<CaseId> = rest.iter().map(|id| CaseId::new(id).unwrap()).collect();
    let backend = torch();
    let unseen = Unseen {
        implementations: &[&torch()],
        cases: &rest.iter().map(|case| (&backend, case)).collect::<Vec<_>>(),
        extent,
    };
    let blessed = bless(&observed, &parse("x.yaml", SEVERAL).unwrap(), unseen);
    let entries = parse("blessed.yaml", &blessed.text).unwrap();
    let today = "2026-01-01".parse().unwrap();
    assert_eq!(
        review(&entries, &observed, &[&torch()], extent, today).violations,
        []
    );
    let patterns = entries
        .iter()
        .map(|entry| (entry.reason.clone(), entry.matches.join(" ")));
    (patterns.collect(), blessed.narrowed.len())
}

fn kept(patterns: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(reason, patterns): &(&str, &str)| (reason.to_owned(), patterns.to_owned());
    patterns.iter().map(owned).collect()
}

#[test]
fn bless_keeps_what_a_narrower_run_did_not_look_at() {
    // One case of two that an entry names, one of two that a glob matches.
    let cases = [("ru8/a", Outcome::Pass), ("dml/x", Outcome::Timeout)];
    let (patterns, narrowed) = after(&cases, &["ru8/b", "ru8/d", "dml/y"], Extent::Part);
    let expected = kept(&[
        ("one", "adapter/torch::ru8/b cpu::ru8/a"),
        ("two", "adapter/torch::dml/x adapter/torch::dml/y"),
        // `*::ru8/?` is about a case that passes here; the other cases that it matches stay.
        ("four", "*::ru8/b *::ru8/d cpu*::dml/x"),
        ("three", "ru8/d"),
    ]);
    let sorted = |mut patterns: Vec<(String, String)>| {
        patterns.sort();
        patterns
    };
    assert_eq!((sorted(patterns), narrowed), (sorted(expected), 1));
    // A run that looked at nothing changes nothing.
    let (patterns, narrowed) = after(&[], &["ru8/a"], Extent::Part);
    assert_eq!((patterns.len(), narrowed), (4, 0));
}

#[test]
fn bless_keeps_entries_about_other_implementations() {
    let cases = [("ru8/a", Outcome::Pass), ("ru8/d", Outcome::Error)];
    let (patterns, _) = after(&cases, &[], Extent::Whole);
    let expected = kept(&[
        ("one", "cpu::ru8/a"),
        // It holds here, and may hold elsewhere.
        ("three", "ru8/d"),
        ("four", "cpu*::dml/x"),
    ]);
    assert_eq!(patterns, expected);
}

#[test]
fn bless_keeps_what_a_whole_run_did_not_judge() {
    // One case is unsupported, one was not run, and one has no finding.
    let cases = [
        ("ru8/a", Outcome::Unsupported),
        ("ru8/b", Outcome::NotRun),
        ("dml/x", Outcome::Timeout),
    ];
    let found = cases.map(|(case, outcome)| finding(case, outcome));
    let observed = found.each_ref().map(|finding| Observed {
        finding,
        diagnosis: None,
    });
    let (backend, absent) = (torch(), CaseId::new("ru8/d").unwrap());
    let unseen = Unseen {
        implementations: &[&backend],
        cases: &[(&backend, &absent)],
        extent: Extent::Whole,
    };
    let previous = parse("x.yaml", SEVERAL).unwrap();
    let blessed = bless(&observed, &previous, unseen);
    let entries = parse("blessed.yaml", &blessed.text).unwrap();
    let patterns = |entries: &[Entry]| {
        let of = |entry: &Entry| (entry.reason.clone(), entry.matches.clone());
        let mut patterns: Vec<_> = entries.iter().map(of).collect();
        patterns.sort();
        patterns
    };
    let dml = ("two".to_owned(), vec!["adapter/torch::dml/x".to_owned()]);
    let mut expected = patterns(&previous);
    expected.retain(|(reason, _)| reason != "two");
    expected.push(dml);
    expected.sort();
    assert_eq!((patterns(&entries), blessed.kept), (expected, 3));
    assert!(unseen.may_match("ru8/*") && !unseen.may_match("cpu::ru8/d"));
}

#[test]
fn bless_expects_no_request_that_was_not_asked() {
    let found = [("ru8/a", Outcome::NotRun), ("ru8/b", Outcome::Crash)];
    let found = found.map(|(case, outcome)| finding(case, outcome));
    let observed = found.each_ref().map(|finding| Observed {
        finding,
        diagnosis: None,
    });
    let text = blessed(&observed, &[]);
    assert!(text.contains("ru8/b") && !text.contains("ru8/a"), "{text}");
}

#[test]
fn bless_keeps_what_one_of_two_implementations_did_not_judge() {
    let (one, other) = (torch(), BackendId::new("cpu"));
    let passes = finding("ru8/d", Outcome::Pass);
    let observed = [Observed {
        finding: &passes,
        diagnosis: None,
    }];
    let case = CaseId::new("ru8/d").unwrap();
    let unseen = Unseen {
        implementations: &[&one, &other],
        cases: &[(&other, &case)],
        extent: Extent::Part,
    };
    let previous = "schema: 1\nexpectations:\n  - {match: [ru8/d], outcome: fail, reason: one}\n";
    let blessed = bless(&observed, &parse("x.yaml", previous).unwrap(), unseen);
    let entries = parse("blessed.yaml", &blessed.text).unwrap();
    assert_eq!(entries[0].matches, ["cpu::ru8/d"], "{}", blessed.text);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(256))]

    #[test]
    fn expectation_files_of_any_text_are_answered(text in "[ -~\n]{0,80}", at in 0..FILE.len(), cut in 0..20_usize) {
        proptest::prop_assert!(parse("x.yaml", &text).is_err());
        // An edited file is read or refused, with the place.
        let end = (at + cut).min(FILE.len());
        let edited = format!("{}{text}{}", &FILE[..at], &FILE[end..]);
        if let Err(error) = parse("x.yaml", &edited) {
            proptest::prop_assert!(error.to_string().contains("x.yaml:"));
        }
    }
}

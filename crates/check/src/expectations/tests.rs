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
        case: CaseId::new(case).unwrap(),
        backend: BackendId::new("adapter/torch"),
        outcome,
        readings: readings.iter().map(|&name| name.to_owned()).collect(),
        message: String::new(),
        mismatch: None,
        nans: None,
        stderr: String::new(),
        micros: None,
    }
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
    let review = review(&entries, &observed, extent, today.parse().unwrap(), &is_about);
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
    let found = review(&entries, &observed, Extent::Whole, today, &is_about);
    assert_eq!(found.expected, [Some(0)]);
    assert_eq!(found.violations[0].to_string(), "line 4: `ru8/*` matches nothing");
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
    let blessed = bless(&observed, &previous, &is_about);
    let entries = parse("blessed.yaml", &blessed).unwrap();
    let today = "2027-01-01".parse().unwrap();
    let found = review(&entries, &observed, Extent::Whole, today, &is_about);
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
    assert_eq!(bless(&observed, &entries, &is_about), blessed);
    assert_eq!(
        parse("empty.yaml", &bless(&[], &entries, &is_about)),
        Ok(Vec::new())
    );
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
            matches: vec!["ru8/x".to_owned()],
            outcome: Outcome::Fail,
            reading: None,
            diagnosis: None,
            reason: reason.to_owned(),
            issue: Some(format!("https://example.org/#{reason}")),
            until: None,
        }];
        let entries = parse("x.yaml", &bless(&observed, &previous, &is_about)).unwrap();
        assert_eq!(entries[0].reason, reason);
        assert_eq!(entries[0].issue, previous[0].issue);
        assert_eq!(entries[0].diagnosis.as_deref(), observed[0].diagnosis);
    }
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

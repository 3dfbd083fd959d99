//! Failures that are expected, in every document.

use seedproof_check::Finding;
use seedproof_ops::BackendId;
use seedproof_report::{
    Event, Expectations, Expected, Palette, Run, Unclaimed, failure, html, json, junit, markdown, summary,
};

use crate::browser::Page;
use crate::chromium::Browser;
use crate::formats::junit_errors;
use crate::sample::{CLEAN, FUSED, TORCH, events, found, log};

const REASON: &str = "fixed in the next release";

/// A run of a clean implementation and two failing ones, of which the first `known` failures are expected.
fn run(known: usize, violations: &[&str]) -> Run {
    let mut events = events(&[CLEAN, FUSED, TORCH], 0);
    let failing = |event: &Event| match event {
        Event::Finding(finding) if !finding.outcome.conforms() => Some(expected(finding)),
        _ => None,
    };
    let expectations = Expectations {
        file: "known.yaml".to_owned(),
        expected: events.iter().filter_map(failing).take(known).collect(),
        violations: violations.iter().map(|&it| it.to_owned()).collect(),
    };
    events.insert(events.len() - 1, Event::Expectations(expectations));
    Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log")
}

fn expected(finding: &Finding) -> Expected {
    Expected {
        backend: finding.backend.clone(),
        case: finding.case.clone(),
        reason: REASON.to_owned(),
    }
}

#[test]
fn expected_failures_are_marked_in_text_and_markdown() {
    let all = run(usize::MAX, &[]);
    assert!(all.is_as_expected());
    assert_eq!(all.headline(), "2 of 3 implementations fail, only as expected");
    let finding = found(&all, FUSED, "ru8/tensorflow/f16/range-negative");
    let text = failure(&all, finding, Palette::plain());
    assert!(text.contains(&format!("an expected failure: {REASON}")), "{text}");
    let text = summary(&all, Palette::plain());
    assert!(text.contains("12 failures, all expected"), "{text}");
    assert!(
        text.ends_with("28 findings fail as expected, no other does: 3 implementations, 135 findings\n"),
        "{text}"
    );
    let text = markdown(&all);
    assert!(text.contains("≈ 12 failures, all expected"), "{text}");
    let some = run(3, &[]);
    assert!(!some.is_as_expected());
    let text = summary(&some, Palette::plain());
    assert!(text.contains("explains 12 of 12, 2 of them expected"), "{text}");
    assert!(markdown(&some).contains("of them expected"));
}

#[test]
fn expected_failures_are_skipped_in_junit_and_counted_in_json() {
    let all = run(usize::MAX, &[]);
    let xml = junit(&all, Unclaimed::Skipped).unwrap();
    assert_eq!(junit_errors(&xml), Vec::<String>::new());
    assert!(!xml.contains("<failure"), "{xml}");
    assert!(
        xml.contains(&format!("message=\"expected fail: {REASON}\"")),
        "{xml}"
    );
    let document: serde_json::Value = serde_json::from_str(&json(&all).unwrap()).unwrap();
    assert_eq!(
        (&document["conforms"], &document["as_expected"]),
        (&false.into(), &true.into())
    );
    assert_eq!(document["implementations"][1]["expected"], 12);
    assert_eq!(document["failures"][0]["expected"], REASON);
}

#[test]
fn expectations_that_do_not_hold_are_a_banner() {
    let run = run(usize::MAX, &["line 6: `ru8/*` matches nothing"]);
    assert!(!run.is_as_expected());
    assert_eq!(
        run.caveats(),
        ["expectations: known.yaml: line 6: `ru8/*` matches nothing"]
    );
}

#[test]
fn expectations_are_about_failures_of_the_run() {
    for (backend, case) in [
        (CLEAN, "ru8/tensorflow/f16/range-negative"),
        ("nobody", "ru8/tensorflow/f16/range-negative"),
        (FUSED, "ru8/tensorflow/f16/absent"),
    ] {
        let mut events = events(&[CLEAN, FUSED], 0);
        let expectations = Expectations {
            file: "known.yaml".to_owned(),
            expected: vec![Expected {
                backend: BackendId::new(backend),
                case: seedproof_corpus::CaseId::new(case).unwrap(),
                reason: String::new(),
            }],
            violations: Vec::new(),
        };
        events.insert(events.len() - 1, Event::Expectations(expectations));
        let error = Run::from_events(&[("a", &log(&events))]).expect_err("it does not fail there");
        assert!(error.to_string().contains("find a failure of"), "{error}");
    }
}

#[test]
fn expected_failures_are_marked_in_the_page() {
    let all = run(usize::MAX, &[]);
    assert!(
        html(&all, &[])
            .unwrap()
            .contains("<h1 class=\"odd\">2 of 3 implementations fail, only as expected")
    );
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = Page::of(&all);
    browser.look(1280, 900, false, "light");
    browser.open(&page.url);
    browser.picture("expected.png", false);
    browser.click("[data-word=expected]");
    assert_eq!(
        browser.eval("document.querySelectorAll('#grid td.known').length"),
        28
    );
    assert_eq!(
        browser.eval("document.querySelector('#grid td.known').innerText"),
        "✗ fail expected"
    );
    browser.eval("document.querySelector('#grid td.known a').click()");
    browser.settle();
    assert_eq!(
        browser.eval("document.querySelector('#case p.known').innerText"),
        format!("Expected: {REASON}")
    );
    page.is_quiet(&browser);
}

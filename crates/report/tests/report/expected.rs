//! Failures that are expected, in every document.

use seedproof_ops::BackendId;
use seedproof_report::{
    Event, Expectations, Expected, Palette, Run, Unclaimed, failure, html, json, junit, markdown, summary,
};

use crate::formats::junit_errors;
use crate::sample::runs::{REASON, expecting};
use crate::sample::{CLEAN, FUSED, events, found, log};

#[test]
fn expected_failures_are_marked_in_text_and_markdown() {
    let all = expecting(usize::MAX, &[]);
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
    let some = expecting(3, &[]);
    assert!(!some.is_as_expected());
    let text = summary(&some, Palette::plain());
    assert!(text.contains("explains 12 of 12, 2 of them expected"), "{text}");
    assert!(markdown(&some).contains("of them expected"));
}

#[test]
fn expected_failures_are_skipped_in_junit_and_counted_in_json() {
    let all = expecting(usize::MAX, &[]);
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
    let run = expecting(usize::MAX, &["line 6: `ru8/*` matches nothing"]);
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
fn expected_failures_are_in_the_headline_of_the_page() {
    let page = html(&expecting(usize::MAX, &[]), &[]).unwrap();
    assert!(page.contains("<h1 class=\"odd\">2 of 3 implementations fail, only as expected"));
}

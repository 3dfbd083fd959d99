//! A NaN with other bits than expected: a note in every document, and a failure in none.

use seedproof_check::OtherNans;
use seedproof_ops::{Dtype, Scalar};
use seedproof_report::{Event, Palette, Run, Unclaimed, failure, html, json, junit, markdown, summary};

use crate::browser::Page;
use crate::chromium::Browser;
use crate::formats::junit_errors;
use crate::sample::{CLEAN, events, found, log};

const CASE: &str = "ru8/tensorflow/f16/range-negative";
const NOTE: &str = "2 NaNs have other bits than spec's: fe00 for 7e00";

/// A run of an implementation that passes, in one case with a NaN of its own.
fn noted() -> Run {
    let mut events = events(&[CLEAN], 0);
    for event in &mut events {
        if let Event::Finding(finding) = event
            && finding.case.as_str() == CASE
        {
            finding.nans = Some(OtherNans {
                count: 2,
                expected: Scalar::new(Dtype::F16, 0x7e00),
                actual: Scalar::new(Dtype::F16, 0xfe00),
            });
        }
    }
    Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log")
}

#[test]
fn notes_are_in_every_document() {
    let run = noted();
    let line = format!("note: NaNs with other bits in 1 passing case; first {CASE}: {NOTE}");
    let text = summary(&run, Palette::plain());
    assert!(text.contains(&line) && text.contains("all conform"), "{text}");
    let text = failure(&run, found(&run, CLEAN, CASE), Palette::plain());
    assert!(text.contains(&format!("  {NOTE}\n")), "{text}");
    assert!(markdown(&run).contains("2 NaNs have other bits than spec's\\: fe00 for 7e00"));
    let xml = junit(&run, Unclaimed::Skipped).unwrap();
    assert_eq!(junit_errors(&xml), Vec::<String>::new());
    assert!(
        xml.contains("fe00 for 7e00") && !xml.contains("<failure"),
        "{xml}"
    );
    let document: serde_json::Value = serde_json::from_str(&json(&run).unwrap()).unwrap();
    assert_eq!(document["conforms"], true);
    assert_eq!(document["notes"][0]["note"], NOTE);
    assert_eq!(document["notes"][0]["finding"]["nans"]["actual"]["bits"], "fe00");
    assert!(html(&run, &[]).unwrap().contains(NOTE));
}

#[test]
fn notes_are_on_the_page_of_their_case() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = Page::of(&noted());
    browser.look(1280, 900, false, "light");
    browser.open(&format!("{}#case={CASE}", page.url));
    browser.settle();
    assert_eq!(
        browser.eval("document.querySelector('#case p.found').innerText"),
        format!("✓ pass on {CLEAN}")
    );
    assert_eq!(
        browser.eval("document.querySelector('#case p.note:last-of-type').innerText"),
        format!("{CLEAN}: {NOTE}")
    );
    page.is_quiet(&browser);
}

#[test]
fn strict_runs_say_so_and_are_not_joined_with_others() {
    let strict = |strict_nan: bool, backend: &str| {
        let mut events = events(&[backend], 0);
        if let Event::Run(header) = &mut events[0] {
            header.strict_nan = strict_nan;
        }
        log(&events)
    };
    let run = Run::from_events(&[("a", &strict(true, CLEAN))]).unwrap();
    assert!(summary(&run, Palette::plain()).contains("reading spec, each NaN by its bits"));
    let logs = [strict(true, CLEAN), strict(false, CLEAN)];
    let error = Run::from_events(&[("a", &logs[0]), ("b", &logs[1])]).unwrap_err();
    assert!(error.to_string().contains("the rule for NaNs"), "{error}");
}

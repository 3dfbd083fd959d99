//! A NaN with other bits than expected: a note in every document, and a failure in none.

use seedproof_report::{Event, Palette, Run, Unclaimed, failure, html, json, junit, markdown, summary};

use crate::formats::junit_errors;
use crate::sample::runs::{NOTE, NOTED, noted};
use crate::sample::{CLEAN, events, found, log};

#[test]
fn notes_are_in_every_document() {
    let run = noted();
    let line = format!("note: NaNs with other bits in 1 passing case; first {NOTED}: {NOTE}");
    let text = summary(&run, Palette::plain());
    assert!(text.contains(&line) && text.contains("all conform"), "{text}");
    let text = failure(&run, found(&run, CLEAN, NOTED), Palette::plain());
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

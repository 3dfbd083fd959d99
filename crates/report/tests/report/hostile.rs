//! Text that others wrote and that wants to be more than text.

use seedproof_ops::BackendId;
use seedproof_report::{Event, Palette, Run, Unclaimed, failure, html, junit, markdown, summary};

use crate::formats::junit_errors;
use crate::sample::runs::{WICKED, wicked};
use crate::sample::{FALLS, events, log};

fn is_inert(text: &str) {
    let acting = |c: &char| {
        (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c) || *c == '\u{2066}'
    };
    assert_eq!(text.chars().find(acting), None);
    assert!(
        text.contains("more characters"),
        "what is long is cut with a mark"
    );
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(longest < 4_000, "a line of {longest} characters");
}

#[test]
fn hostile_text_is_inert_in_a_terminal() {
    let run = wicked();
    let finding = run
        .findings(&BackendId::new(WICKED))
        .find(|finding| !finding.outcome.conforms())
        .expect("a failure")
        .clone();
    let text = failure(&run, &finding, Palette::plain());
    is_inert(&text);
    assert!(
        text.contains("more lines before"),
        "the end of standard error has the reason: {text}"
    );
    is_inert(&summary(&run, Palette::plain()));
}

#[test]
fn hostile_text_is_inert_in_markdown_and_junit() {
    let run = wicked();
    let text = markdown(&run);
    is_inert(&text);
    assert!(text.len() < 1 << 20);
    assert!(
        !text
            .lines()
            .any(|line| line.trim_start().starts_with("# heading"))
    );
    let xml = junit(&run, Unclaimed::Skipped).unwrap();
    assert_eq!(junit_errors(&xml), Vec::<String>::new());
    assert!(xml.len() < 4 << 20, "{}", xml.len());
}

/// Eight implementations that fail with texts of the greatest length, in characters of three bytes.
#[test]
fn hostile_text_does_not_make_markdown_too_long_for_a_step_summary() {
    let long = "界".repeat(2_000);
    let logs: Vec<String> = (0..8)
        .map(|number| {
            let backend = BackendId::new(format!("{long}{number}"));
            let events = events(&[FALLS], 0).into_iter().map(|event| match event {
                Event::Run(mut header) => {
                    header.implementations[0].id = backend.clone();
                    header.implementations[0].rerun.clone_from(&long);
                    Event::Run(header)
                }
                Event::Finding(mut finding) => {
                    finding.backend = backend.clone();
                    if !finding.outcome.conforms() {
                        finding.message.clone_from(&long);
                        finding.stderr = format!("{long}\n").repeat(20);
                    }
                    Event::Finding(finding)
                }
                other => other,
            });
            log(&events.collect::<Vec<_>>())
        })
        .collect();
    let logs: Vec<(&str, &str)> = logs.iter().map(|log| ("events.jsonl", log.as_str())).collect();
    let text = markdown(&Run::from_events(&logs).expect("good logs"));
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
    assert!(
        text.ends_with("left out: this summary is as long as CI systems take\n"),
        "{}",
        &text[text.len() - 200..]
    );
}

#[test]
fn hostile_text_is_inert_in_the_page() {
    let page = html(&wicked(), &[]).unwrap();
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img"));
}

use seedproof_check::{Finding, Mismatch, Outcome};
use seedproof_report::{Event, Palette, Run, failure, summary};

use crate::golden::assert_golden;
use crate::sample::{ALL, CLEAN, FALLS, FORM, FUSED, SWAPPED, TAIL, TORCH, events, found, log, run};

/// The text of a failure of the run of all.
fn text(backend: &str, case: &str) -> String {
    let run = run(&ALL);
    failure(&run, found(&run, backend, case), Palette::plain())
}

#[test]
fn text_of_elements_that_differ() {
    let text = text(FUSED, "ru8/tensorflow/f16/range-negative");
    assert_golden!("failure_elements", text);
}

#[test]
fn text_of_words_that_differ() {
    assert_golden!(
        "failure_words",
        text(SWAPPED, "ru8/tensorflow/i32/spec-example-1")
    );
}

#[test]
fn text_of_another_reading() {
    assert_golden!("failure_reading", text(TORCH, "ru8/pytorch/f64/range-negative"));
}

#[test]
fn text_of_another_form() {
    assert_golden!("failure_form", text(FORM, "ru8/pytorch/f64/seeds-high"));
}

#[test]
fn text_of_a_wrong_refusal_and_a_missing_one() {
    assert_golden!("failure_rejects", text(FORM, "ru8/tensorflow/i64/range-wide"));
    assert_golden!(
        "failure_accepts",
        text(FORM, "mn13/replacement/f32/probs-negative")
    );
}

#[test]
fn text_of_a_broken_claim() {
    assert_golden!(
        "failure_claim_broken",
        text(FORM, "ru8/tensorflow/i32/range-wide")
    );
    assert_golden!(
        "failure_unsupported",
        text(FORM, "ru8/tensorflow/bf16/range-wide")
    );
}

#[test]
fn text_of_a_crash() {
    assert_golden!("failure_crash", text(FALLS, "ru8/tensorflow/f16/range-negative"));
    assert_golden!(
        "failure_crash_order_dependent",
        text(FALLS, "ru8/pytorch/f32/range-wide")
    );
}

#[test]
fn text_of_no_answer() {
    assert_golden!("failure_timeout", text(FALLS, "ru8/pytorch/f64/range-wide"));
    assert_golden!(
        "failure_protocol_error",
        text(FALLS, "ru8/pytorch/f32/spec-example-1")
    );
    assert_golden!("failure_error", text(FALLS, "ru8/tensorflow/i32/seeds-high"));
    assert_golden!(
        "failure_infrastructure",
        text(FALLS, "ru8/tensorflow/i64/seeds-high")
    );
    assert_golden!("failure_not_run", text(FALLS, "dml/feature-level-3.0/large"));
}

#[test]
fn text_of_chunks_state_and_statistics() {
    assert_golden!("failure_chunks", text(TAIL, "dml/feature-level-3.0/large"));
    assert_golden!(
        "failure_state",
        text(TAIL, "dml/feature-level-3.0/carry-into-word-1")
    );
    assert_golden!(
        "failure_statistics",
        text(TAIL, "mn13/replacement/f32/seeds-both-zero")
    );
}

#[test]
fn text_summary_of_a_clean_run() {
    assert_golden!("summary_clean", summary(&run(&[CLEAN]), Palette::plain()));
}

#[test]
fn text_summary_of_six_saboteurs() {
    assert_golden!("summary_saboteurs", summary(&run(&ALL), Palette::plain()));
}

#[test]
fn text_in_colour_has_the_same_words() {
    let run = run(&ALL);
    let finding = found(&run, FUSED, "ru8/tensorflow/f16/range-negative");
    let coloured = failure(&run, finding, Palette::ansi());
    assert!(
        coloured.contains("\u{1b}[1m\u{1b}[31mfail\u{1b}[0m"),
        "{coloured:?}"
    );
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain += before;
        rest = after.split_once('m').expect("an SGR sequence ends with m").1;
    }
    plain += rest;
    assert_eq!(plain, failure(&run, finding, Palette::plain()));
}

#[test]
fn headline_says_what_does_not_conform_and_why() {
    let headline = |backends: &[&str]| run(backends).headline();
    assert_eq!(
        headline(&[FUSED]),
        "12 of 45 cases do not conform, because the scale is computed as fma(x, max-min, min) (fused-scale)"
    );
    assert_eq!(
        headline(&[SWAPPED]),
        "30 of 45 cases do not conform, without a known cause"
    );
    assert_eq!(
        headline(&[TORCH]),
        "16 of 45 cases do not conform, right under torch-2.11 or torch-2.12"
    );
    assert_eq!(
        headline(&[TAIL]),
        "11 of 45 cases do not conform: 8 because of unwritten-tail + fused-scale, 2 without a known cause, 1 not diagnosed"
    );
    assert_eq!(headline(&[CLEAN]), "It conforms in all 45 cases");
    assert_eq!(
        headline(&[CLEAN, FUSED, SWAPPED]),
        "2 of 3 implementations do not conform: saboteur/fused-scale (fused-scale) and saboteur/swapped-words (no known cause)"
    );
}

#[test]
fn headline_names_at_most_three_implementations() {
    let headline = |backends: &[&str]| run(backends).headline();
    assert_eq!(
        headline(&[FUSED, SWAPPED, TORCH]),
        "None of the 3 implementations conforms: saboteur/fused-scale (fused-scale), \
         saboteur/swapped-words (no known cause) and saboteur/other-reading (as torch-2.11)"
    );
    let four = headline(&[FUSED, SWAPPED, TORCH, FORM]);
    assert!(four.ends_with("(as torch-2.11) and 1 more"), "{four}");
    assert_eq!(
        headline(&[CLEAN, "cpu/scalar"]),
        "2 implementations conform in all 45 cases"
    );
}

/// Beside one that conforms, an implementation of which nothing was tested is not a conforming one either.
#[test]
fn headline_says_of_which_implementation_nothing_was_tested() {
    let headline = |keeps: fn(&Finding) -> bool| {
        let mut events = events(&[CLEAN, FUSED], 0);
        events.retain(|event| !matches!(event, Event::Diagnosis(_)));
        for event in &mut events {
            if let Event::Finding(finding) = event
                && finding.backend.as_str() == FUSED
                && !keeps(finding)
            {
                finding.outcome = Outcome::Unsupported;
                (finding.mismatch, finding.output) = (None, None);
                finding.refused = false;
            }
        }
        Run::from_events(&[("events.jsonl", &log(&events))])
            .expect("a good log")
            .headline()
    };
    let who = "1 of 2 implementations does not conform: saboteur/fused-scale";
    assert_eq!(headline(|_| false), format!("{who} was asked nothing"));
    assert_eq!(
        headline(|finding| finding.refused),
        format!("{who} (no value was compared)")
    );
}

/// A cause of other cases leaves open what is drawn anew each time, and its output was neither too large nor a digest.
#[test]
fn summary_says_that_what_is_drawn_anew_has_no_cause_of_its_own() {
    let events: Vec<Event> = events(&[FUSED], 0)
        .into_iter()
        .map(|event| match event {
            Event::Finding(mut finding) if finding.case.as_str().ends_with("seeds-both-zero") => {
                finding.outcome = Outcome::Fail;
                finding.mismatch = Some(Mismatch::Statistics {
                    message: "values are not what chance makes them".to_owned(),
                });
                Event::Finding(finding)
            }
            other => other,
        })
        .collect();
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log");
    assert!(run.headline().ends_with(", 1 not random"), "{}", run.headline());
    let summary = summary(&run, Palette::plain());
    let says = "not random: 1 of 13: not reproducible, so not diagnosed on its own";
    assert!(summary.contains(says), "{summary}");
}

use std::path::Path;
use std::time::Instant;

use seedproof_check::Outcome;
use seedproof_ops::BackendId;
use seedproof_report::{Coverage, Event, Palette, Run, Unclaimed, html, json, junit, markdown, summary};
use uppsala::XsdValidator;

use crate::golden::assert_golden;
use crate::sample::{ALL, CLEAN, FALLS, FORM, FUSED, SWAPPED, events, log, run};

fn published(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(file);
    std::fs::read_to_string(path).expect("the schema is committed")
}

/// What is wrong with a document by the published JUnit schema.
pub(crate) fn junit_errors(xml: &str) -> Vec<String> {
    let schema = published("junit.xsd");
    let schema = uppsala::parse(&schema).expect("the schema is XML");
    let validator = XsdValidator::from_schema(&schema).expect("it is a schema");
    match uppsala::parse(xml) {
        Ok(document) => validator
            .validate(&document)
            .iter()
            .map(ToString::to_string)
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn junit_of_six_saboteurs_is_valid() {
    let xml = junit(&run(&ALL), Unclaimed::Skipped).unwrap();
    assert_eq!(junit_errors(&xml), Vec::<String>::new());
    let wrong = xml.replacen("<testcase name=", "<testcase title=", 1);
    assert!(
        !junit_errors(&wrong).is_empty(),
        "the validator sees a wrong attribute"
    );
}

#[test]
fn junit_tells_failures_errors_and_skips_apart() {
    let xml = junit(&run(&[FALLS, FORM]), Unclaimed::Skipped).unwrap();
    let some: String = xml
        .lines()
        .filter(|line| !line.contains("<testcase") || !line.ends_with("/>"))
        .collect::<Vec<_>>()
        .join("\n");
    assert_golden!("junit", some);
}

#[test]
fn junit_of_endless_findings_is_valid() {
    let events = events(&[CLEAN, FALLS], 0).into_iter().map(|event| match event {
        Event::Finding(mut finding) => {
            finding.micros = Some(u64::MAX);
            Event::Finding(finding)
        }
        other => other,
    });
    let run = Run::from_events(&[("log", &log(&events.collect::<Vec<_>>()))]).unwrap();
    let xml = junit(&run, Unclaimed::Skipped).unwrap();
    assert_eq!(junit_errors(&xml), Vec::<String>::new());
}

#[test]
fn markdown_of_a_clean_and_a_failing_run() {
    assert_golden!("markdown_clean", markdown(&run(&[CLEAN])));
    assert_golden!("markdown_saboteurs", markdown(&run(&[CLEAN, FUSED, FALLS])));
}

#[test]
fn markdown_fits_a_step_summary() {
    let events = events(&ALL, 40);
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).unwrap();
    let size = markdown(&run).len();
    assert!(size < 1 << 20, "{size} bytes");
}

#[test]
fn json_follows_the_published_schema() {
    let schema = serde_json::from_str(&published("report.schema.json")).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let text = json(&run(&ALL)).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&document)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(document["conforms"], false);
    assert_eq!(document["implementations"][1]["causes"][0]["name"], "fused-scale");
    assert_eq!(
        document["failures"].as_array().map(Vec::len),
        Some(90),
        "each failure once"
    );
    document["more"] = true.into();
    assert!(!validator.is_valid(&document));
}

/// What programs read: the verdict and the causes of each implementation, and the cause of each failure.
#[test]
fn json_has_verdicts_and_causes() {
    let document: serde_json::Value = serde_json::from_str(&json(&run(&ALL)).unwrap()).unwrap();
    let mut text = String::new();
    for implementation in document["implementations"].as_array().unwrap() {
        let mut implementation = implementation.clone();
        let coverage = implementation["coverage"].take();
        for cause in implementation["causes"].as_array_mut().unwrap() {
            // A few of the ids are enough.
            let cases = cause["cases"].as_array_mut().unwrap();
            let count = cases.len();
            cases.truncate(2);
            cases.push(count.into());
        }
        text += &serde_json::to_string_pretty(&implementation).unwrap();
        text += &format!(
            "\n{} parts, the first: {}\n",
            coverage.as_array().unwrap().len(),
            coverage[0]
        );
    }
    for failure in document["failures"].as_array().unwrap() {
        let (finding, nearest) = (&failure["finding"], &failure["nearest"]["cause"]["name"]);
        let line = [&finding["backend"], &finding["case"], &failure["causes"], nearest];
        text += &(line.map(ToString::to_string).join(" ") + "\n");
    }
    assert_golden!("json_verdicts", text);
}

#[test]
fn documents_are_the_same_bytes_from_the_same_events() {
    let text = log(&events(&ALL, 0));
    let documents = || {
        let run = Run::from_events(&[("events.jsonl", &text)]).unwrap();
        [
            html(&run, &[]).unwrap(),
            json(&run).unwrap(),
            junit(&run, Unclaimed::Skipped).unwrap(),
            markdown(&run),
        ]
    };
    assert_eq!(documents(), documents());
}

#[test]
fn documents_of_twenty_thousand_findings() {
    let text = log(&events(&[CLEAN, FUSED, FALLS, SWAPPED], 124));
    let begun = Instant::now();
    let run = Run::from_events(&[("events.jsonl", &text)]).unwrap();
    println!("reading {} bytes of events: {:?}", text.len(), begun.elapsed());
    let sizes = [
        ("page", html(&run, &[]).unwrap().len()),
        ("json", json(&run).unwrap().len()),
        ("junit", junit(&run, Unclaimed::Skipped).unwrap().len()),
        ("markdown", markdown(&run).len()),
    ];
    println!("and writing {sizes:?}: {:?}", begun.elapsed());
    let limits = [5 << 20, 11 << 20, 10 << 20, 1 << 20];
    for ((document, size), limit) in sizes.into_iter().zip(limits) {
        assert!(size < limit, "{document}: {size} bytes");
    }
}

#[test]
fn junit_counts_the_error_of_an_implementation_that_was_asked_nothing() {
    let mut events = events(&[CLEAN], 0);
    for event in &mut events {
        if let Event::Finding(finding) = event {
            finding.outcome = Outcome::Unsupported;
            finding.refused = false;
        }
    }
    let run = Run::from_events(&[("log", &log(&events))]).unwrap();
    for unclaimed in [Unclaimed::Skipped, Unclaimed::LeftOut] {
        let xml = junit(&run, unclaimed).unwrap();
        assert_eq!(junit_errors(&xml), Vec::<String>::new());
        assert!(
            xml.contains("errors=\"1\" failures=\"0\"") && xml.contains("<error type=\"unasked\""),
            "{xml}"
        );
    }
    assert_eq!(run.headline(), "It was asked nothing");
}

/// Whatever draws nothing is right about an output without elements.
#[test]
fn outputs_without_elements_alone_do_not_conform() {
    let mut events = events(&[CLEAN], 0);
    for event in &mut events {
        if let Event::Case(facts) = event {
            facts.shape = Some(vec![3, 0]);
        }
    }
    let run = Run::from_events(&[("log", &log(&events))]).unwrap();
    let tally = run.tally(&BackendId::new(CLEAN));
    assert_eq!(
        (tally.claimed > 1, tally.values, tally.is_untested()),
        (true, 0, true)
    );
    assert_eq!(run.headline(), "No value of it was compared");
    assert_eq!(Coverage::of(&run, &BackendId::new(CLEAN)).parts().count(), 0);
}

/// A server that reads JUnit alone would be green.
#[test]
fn junit_has_the_faults_of_the_run_itself() {
    let cut = log(&events(&[CLEAN], 0)[..20]);
    let run = Run::from_events(&[("log", &cut)]).unwrap();
    let xml = junit(&run, Unclaimed::Skipped).unwrap();
    assert!(xml.contains("<testsuite name=\"seedproof\" tests=\"2\""), "{xml}");
    assert!(
        xml.contains("<error type=\"run\" message=\"cut short: an event log has no end"),
        "{xml}"
    );
    let whole = Run::from_events(&[("log", &log(&events(&[CLEAN], 0)))]).unwrap();
    assert!(
        !junit(&whole, Unclaimed::Skipped)
            .unwrap()
            .contains("<testsuite name=\"seedproof\"")
    );
}

/// An implementation that claims nothing but what is refused, over a corpus in which most is not.
#[test]
fn refusals_alone_do_not_conform() {
    let mut events = events(&[CLEAN], 0);
    for event in &mut events {
        if let Event::Finding(finding) = event
            && !finding.refused
        {
            finding.outcome = Outcome::Unsupported;
        }
    }
    let run = Run::from_events(&[("log", &log(&events))]).unwrap();
    let tally = run.tally(&BackendId::new(CLEAN));
    assert_eq!(
        (tally.passed, tally.claimed, tally.values, tally.is_untested()),
        (1, 1, 0, true)
    );
    assert_eq!(run.headline(), "No value of it was compared");
    let xml = junit(&run, Unclaimed::Skipped).unwrap();
    assert!(
        xml.contains("no value of cpu/avx2 was compared, in 1 case that it claims"),
        "{xml}"
    );
    let document: serde_json::Value = serde_json::from_str(&json(&run).unwrap()).unwrap();
    assert_eq!(document["conforms"], false);
    let text = summary(&run, Palette::plain());
    assert!(
        text.contains("no value was compared: refusals alone") && !text.contains("conforms"),
        "{text}"
    );
    assert!(
        html(&run, &[])
            .unwrap()
            .contains("<h1 class=\"bad\">No value of it was compared")
    );
    // Where nothing else was selected, that is all there is to ask.
    events.retain(|event| !matches!(event, Event::Finding(finding) if !finding.refused));
    if let Event::Run(header) = &mut events[0] {
        header.filter = vec!["mn13/*/probs-negative".to_owned()];
        header.implementations[0].selected = 1;
    }
    if let Some(Event::End { findings }) = events.last_mut() {
        *findings = 1;
    }
    let run = Run::from_events(&[("log", &log(&events))]).unwrap();
    assert!(!run.tally(&BackendId::new(CLEAN)).is_untested());
    assert_eq!(
        run.headline(),
        "It conforms in the 1 of 45 cases that it claims, as far as it was judged"
    );
}

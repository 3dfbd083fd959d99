use std::path::Path;
use std::time::Instant;

use seedproof_report::{Event, Run, Unclaimed, html, json, junit, markdown};
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
    let limits = [5 << 20, 10 << 20, 10 << 20, 1 << 20];
    for ((document, size), limit) in sizes.into_iter().zip(limits) {
        assert!(size < limit, "{document}: {size} bytes");
    }
}

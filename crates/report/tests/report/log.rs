use std::path::Path;

use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;
use seedproof_report::{Event, Expectations, Expected, Header, ReportError, Run};

use crate::sample::{ALL, CLEAN, FORM, FUSED, events, log};

fn reason(logs: &[(&str, &str)]) -> String {
    Run::from_events(logs)
        .expect_err("a log that does not fit")
        .to_string()
}

#[test]
fn log_reads_back_every_event() {
    for event in events(&ALL, 0) {
        assert_eq!(
            Event::parse(&event.line()).as_ref(),
            Ok(&event),
            "{}",
            event.line()
        );
    }
}

#[test]
fn log_lines_follow_the_published_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/events.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema is committed");
    let schema = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let expectations = Event::Expectations(Expectations {
        file: "known.yaml".to_owned(),
        expected: vec![Expected {
            backend: BackendId::new(CLEAN),
            case: CaseId::new("ru8/tensorflow/f16/range-wide").unwrap(),
            reason: "a test".to_owned(),
        }],
        violations: vec!["line 6: `x` matches nothing".to_owned()],
    });
    assert_eq!(Event::parse(&expectations.line()).as_ref(), Ok(&expectations));
    for event in events(&ALL, 0).into_iter().chain([expectations]) {
        let line = serde_json::from_str(&event.line()).expect("a line is JSON");
        assert!(validator.is_valid(&line), "{line}");
    }
    for wrong in [
        r#"{"event":"end"}"#,
        r#"{"event":"end","findings":1,"more":2}"#,
        r#"{"event":"finding","case":"a/b","backend":"x","outcome":"wrong"}"#,
        r#"{"event":"begin"}"#,
    ] {
        assert!(
            !validator.is_valid(&serde_json::from_str(wrong).expect("JSON")),
            "{wrong}"
        );
        assert!(Event::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn log_without_its_end_is_cut_short() {
    let events = events(&[CLEAN], 0);
    let whole = log(&events);
    assert_eq!(Run::from_events(&[("a", &whole)]).unwrap().cut_short(), 0);
    let stopped = log(&events[..20]);
    // A writer that was killed leaves half a line.
    let torn = &stopped[..stopped.len() - 30];
    assert_eq!(
        Run::from_events(&[("a", whole.trim_end())]).unwrap().cut_short(),
        0
    );
    for text in [stopped.as_str(), torn] {
        let run = Run::from_events(&[("a", text)]).unwrap();
        assert_eq!(run.cut_short(), 1);
        assert!(run.caveats()[0].starts_with("cut short"), "{:?}", run.caveats());
    }
}

#[test]
fn log_errors_name_the_line() {
    let mut lines = events(&[CLEAN], 0);
    lines.truncate(3);
    let good = log(&lines);
    assert_eq!(
        reason(&[(
            "a.jsonl",
            &format!("{good}{{\"event\":\"end\",\"findings\":7}}\n")
        )]),
        "read a.jsonl:4: close the log: it counts 7 findings and holds 1"
    );
    let again = format!("{good}{}\n", lines[2].line());
    assert!(reason(&[("a.jsonl", &again)]).starts_with("read a.jsonl:4: add a second finding of `"));
    assert!(
        reason(&[("a.jsonl", &format!("{good}nonsense\n"))]).starts_with("read a.jsonl:4: read the event: ")
    );
    let stranger = lines[2].line().replace(CLEAN, "cpu/none");
    assert_eq!(
        reason(&[("a.jsonl", &format!("{good}{stranger}\n"))]),
        "read a.jsonl:4: find the implementation `cpu/none` among those of the run"
    );
    assert_eq!(
        reason(&[("a.jsonl", &log(&lines[1..]))]),
        "read a.jsonl:1: find the `run` event that begins an event log"
    );
    let undescribed = log(&[lines[0].clone(), lines[2].clone()]);
    assert!(reason(&[("a.jsonl", &undescribed)]).contains(":2: find the case `"));
    assert!(matches!(Run::from_events(&[]), Err(ReportError::NoHeader)));
    let later = good.replacen("\"schema\":4", "\"schema\":5", 1);
    assert!(reason(&[("a.jsonl", &later)]).contains("schema 5: this program reads schema 4"));
    let earlier = "{\"event\":\"run\",\"schema\":1,\"corpus\":\"9f2b\"}\n";
    assert!(reason(&[("a.jsonl", earlier)]).contains("schema 1: this program reads schema 4"));
}

/// The events of one implementation as the shard `shard` of 2.
fn shard(backend: &str, shard: u32) -> Vec<Event> {
    let mut events = events(&[backend], 0);
    let Event::Run(header) = &mut events[0] else {
        panic!("a log begins with its run");
    };
    header.shard = Some((shard, 2));
    events
}

#[test]
fn log_shards_join() {
    let (first, second) = (log(&shard(CLEAN, 1)), log(&shard(FUSED, 2)));
    let run = Run::from_events(&[("1", &first), ("2", &second)]).unwrap();
    assert_eq!(run.implementations().count(), 2);
    assert!(run.caveats().is_empty(), "{:?}", run.caveats());
    assert_eq!(run.left_out().len(), 1, "the same line once");
    let both = format!("{first}{second}");
    assert_eq!(Run::from_events(&[("both", &both)]).unwrap(), run);
    let alone = Run::from_events(&[("1", &first)]).unwrap();
    assert_eq!(alone.caveats(), ["sharded: only 1/2"]);
    assert!(alone.is_partial() && !run.is_partial());
}

#[test]
fn log_shards_of_different_runs_do_not_join() {
    let first = log(&shard(CLEAN, 1));
    let change = |change: fn(&mut Header)| {
        let mut events = shard(FORM, 2);
        if let Event::Run(header) = &mut events[0] {
            change(header);
        }
        reason(&[("1", &first), ("2", &log(&events))])
    };
    assert!(
        change(|header| header.corpus.hash = "0000".to_owned()).contains("2:1: join two logs: the corpus")
    );
    assert!(change(|header| header.seedproof = "0.2.0".to_owned()).contains("the program's version"));
    assert!(change(|header| header.reading = "torch-2.7".to_owned()).contains("the reading is `spec`"));
    assert!(reason(&[("1", &first), ("2", &first)]).contains("2:3: add a second finding"));
}

#[test]
fn log_gives_the_same_run_in_any_order_of_findings() {
    let mut events = events(&ALL, 0);
    let run = Run::from_events(&[("a", &log(&events))]).unwrap();
    let findings = events
        .iter()
        .filter(|event| matches!(event, Event::Finding(_)))
        .rev()
        .cloned()
        .collect::<Vec<_>>();
    let at = events
        .iter()
        .rposition(|event| matches!(event, Event::Finding(_)))
        .unwrap();
    let tail = events.split_off(at + 1);
    events.retain(|event| !matches!(event, Event::Finding(_)));
    let turned: Vec<Event> = events.into_iter().chain(findings).chain(tail).collect();
    assert_eq!(Run::from_events(&[("a", &log(&turned))]).unwrap(), run);
}

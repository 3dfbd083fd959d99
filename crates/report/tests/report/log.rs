use std::path::Path;

use seedproof_check::Finding;
use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;
use seedproof_report::{Ended, Event, Expectations, Expected, Header, LeftOut, ReportError, Run};

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
    // Of a second log there is half a header: its findings are missing.
    let begun = whole.clone() + &whole[..300];
    for text in [stopped.as_str(), torn, &begun] {
        let run = Run::from_events(&[("a", text)]).unwrap();
        assert_eq!(run.cut_short(), 1);
        assert!(run.caveats()[0].starts_with("cut short"), "{:?}", run.caveats());
    }
}

/// A field that this version does not know is a fault of the line, and one of another version is not.
#[test]
fn log_of_another_schema_says_so() {
    let line = events(&[CLEAN], 0)[0].line();
    let unknown = line.replacen('{', "{\"new\":1,", 1);
    assert!(
        matches!(Event::parse(&unknown), Err(ReportError::Syntax(_))),
        "{unknown}"
    );
    let schema = format!("\"schema\":{}", seedproof_report::EVENTS_SCHEMA);
    assert!(matches!(
        Event::parse(&unknown.replace(&schema, "\"schema\":9999")),
        Err(ReportError::Schema(9999, _))
    ));
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
    let later = good.replacen("\"schema\":5", "\"schema\":6", 1);
    assert!(reason(&[("a.jsonl", &later)]).contains("schema 6: this program reads schema 5"));
    let earlier = "{\"event\":\"run\",\"schema\":1,\"corpus\":\"9f2b\"}\n";
    assert!(reason(&[("a.jsonl", earlier)]).contains("schema 1: this program reads schema 5"));
}

/// The events of one shard of two.
fn shard(backends: &[&str], part: u32) -> Vec<Event> {
    let mut all = events(backends, 0);
    let Event::Run(header) = &mut all[0] else {
        panic!("a log begins with its run");
    };
    header.shard = Some((part, 2));
    let mut cases: Vec<CaseId> = all
        .iter()
        .filter_map(|event| match event {
            Event::Case(facts) => Some(facts.id.clone()),
            _ => None,
        })
        .collect();
    cases.retain({
        let mut number = 0;
        move |_| {
            number += 1;
            number % 2 == part % 2
        }
    });
    all.retain(|event| match event {
        Event::Case(facts) => cases.contains(&facts.id),
        Event::Finding(finding) => cases.contains(&finding.case),
        Event::Diagnosis(_) => false,
        _ => true,
    });
    let Some(Event::End { findings }) = all.last_mut() else {
        panic!("a log ends with its count");
    };
    *findings = cases.len() * backends.len();
    all
}

#[test]
fn log_shards_join() {
    let [first, second] = [1, 2].map(|part| log(&shard(&[CLEAN], part)));
    let run = Run::from_events(&[("1", &first), ("2", &second)]).unwrap();
    assert_eq!(run.implementations().count(), 1);
    assert!(run.caveats().is_empty(), "{:?}", run.caveats());
    assert_eq!(run.left_out().len(), 1, "the same line once");
    let both = format!("{first}{second}");
    assert_eq!(Run::from_events(&[("both", &both)]).unwrap(), run);
    let alone = Run::from_events(&[("1", &first)]).unwrap();
    assert_eq!(alone.caveats(), ["sharded: only 1/2"]);
    assert!(alone.is_partial() && !run.is_partial());
}

#[test]
fn log_shards_of_several_implementations_join() {
    let logs = [(CLEAN, 1), (CLEAN, 2), (FORM, 1), (FORM, 2)].map(|(id, part)| log(&shard(&[id], part)));
    let run = Run::from_events(&logs.each_ref().map(|log| ("log", log.as_str()))).unwrap();
    assert_eq!(run.caveats(), Vec::<String>::new());
    // A shard of one is no shard of the other.
    let parts = [("1", logs[0].as_str()), ("2", logs[3].as_str())];
    let parts = Run::from_events(&parts).unwrap();
    assert!(parts.is_partial());
    assert_eq!(
        parts.caveats(),
        [
            format!("sharded: only 1/2, of {CLEAN}"),
            format!("sharded: only 2/2, of {FORM}")
        ]
    );
}

#[test]
fn log_shards_of_different_runs_do_not_join() {
    let first = log(&shard(&[CLEAN], 1));
    let change = |backend: &str, change: fn(&mut Header)| {
        let mut events = shard(&[backend], 2);
        if let Event::Run(header) = &mut events[0] {
            change(header);
        }
        reason(&[("1", &first), ("2", &log(&events))])
    };
    let hash: fn(&mut Header) = |header| header.corpus.hash = "0000".to_owned();
    assert!(change(FORM, hash).contains("2:1: join two logs: the corpus"));
    assert!(change(FORM, |header| header.seedproof = "0.2.0".to_owned()).contains("the program's version"));
    assert!(change(FORM, |header| header.reading = "torch-2.7".to_owned()).contains("the reading is `spec`"));
    let filter: fn(&mut Header) = |header| header.filter.push("dml/*".to_owned());
    assert!(change(CLEAN, filter).contains("the filter of cpu/avx2 is `` in one and `dml/*` in another"));
    let options: fn(&mut Header) = |header| header.options.push("--max-output 9".to_owned());
    assert!(change(CLEAN, options).contains("the options of cpu/avx2"));
    let selected: fn(&mut Header) = |header| header.implementations[0].selected = 30;
    assert!(change(CLEAN, selected).contains("the number of selected cases"));
    assert!(change(CLEAN, |header| header.shard = Some((3, 3))).contains("the number of shards"));
    assert!(change(CLEAN, |header| header.shard = None).contains("the number of shards"));
    assert!(reason(&[("1", &first), ("2", &first)]).contains("2:3: add a second finding"));
}

#[test]
fn log_of_another_run_is_refused_without_shards_too() {
    let whole = |backend: &str, part: u32, change: fn(&mut Header)| {
        let mut events = shard(&[backend], part);
        if let Event::Run(header) = &mut events[0] {
            header.shard = None;
            header.implementations[0].selected = if part == 1 { 23 } else { 22 };
            change(header);
        }
        log(&events)
    };
    let first = whole(CLEAN, 1, |_| ());
    let join = |other: &str| Run::from_events(&[("1", &first), ("2", other)]);
    let refused = |other: &str| join(other).unwrap_err().to_string();
    assert!(join(&whole(CLEAN, 2, |header| header.filter.push("dml/*".to_owned()))).is_ok());
    let limit: fn(&mut Header) = |header| header.options.push("--max-output 9".to_owned());
    let reason = refused(&whole(CLEAN, 2, limit));
    assert!(
        reason.contains("the options of cpu/avx2 is `` in one and `--max-output 9`"),
        "{reason}"
    );
    // A limit of one implementation is not that of another.
    assert!(join(&whole(FORM, 2, limit)).is_ok());
    let answers: fn(&mut Header) = |header| header.answers = Some("ab".to_owned());
    for backend in [CLEAN, FORM] {
        let reason = refused(&whole(backend, 2, answers));
        assert!(reason.contains("the digest of the reading's answers"), "{reason}");
    }
}

/// What an edit of a finished log is refused for.
fn edited(edit: impl Fn(&mut Vec<Event>)) -> String {
    let mut events = events(&[CLEAN, FUSED], 0);
    edit(&mut events);
    reason(&[("a.jsonl", &log(&events))])
}

fn header(events: &mut [Event]) -> &mut Header {
    match &mut events[0] {
        Event::Run(header) => header,
        _ => panic!("a log begins with its run"),
    }
}

/// The findings of one implementation.
fn findings<'a>(events: &'a mut [Event], backend: &str) -> Vec<&'a mut Finding> {
    let of = |event: &'a mut Event| match event {
        Event::Finding(finding) if finding.backend.as_str() == backend => Some(&mut **finding),
        _ => None,
    };
    events.iter_mut().filter_map(of).collect()
}

#[test]
fn log_that_contradicts_itself_is_refused() {
    let twice = edited(|events| {
        let again = header(events).implementations[0].clone();
        header(events).implementations.push(again);
    });
    assert!(twice.contains("a.jsonl:1: read the `run` event: two implementations are named `cpu/avx2`"));
    for shard in [(3, 2), (0, 2), (0, 0)] {
        let shard = edited(|events| header(events).shard = Some(shard));
        assert!(shard.contains("there is no shard"), "{shard}");
    }
    let nothing = edited(|events| header(events).corpus.under_reading = 0);
    assert!(nothing.contains("45 cases selected for `cpu/avx2`, of 0 under the reading"));
    let more = edited(|events| header(events).corpus.under_reading = 46);
    assert!(more.contains("46 cases under the reading, of 45"));
    let few = edited(|events| header(events).implementations[0].selected = 44);
    assert!(few.contains("count the cases of `cpu/avx2`: more than the 44"));
    let left_out = edited(|events| {
        let left_out = LeftOut {
            cases: 1,
            ..LeftOut::new(CLEAN, "a reason")
        };
        events.insert(events.len() - 1, Event::LeftOut(left_out));
    });
    assert!(left_out.contains("count the cases of `cpu/avx2`"));
    let stranger = edited(|events| {
        let left_out = LeftOut {
            cases: 1,
            ..LeftOut::new("nobody", "a reason")
        };
        events.insert(1, Event::LeftOut(left_out));
    });
    assert!(stranger.contains("find the implementation `nobody`"));
}

#[test]
fn log_with_a_finding_that_contradicts_itself_is_refused() {
    let passes = edited(|events| {
        let mismatch = findings(events, FUSED).iter().find_map(|it| it.mismatch.clone());
        findings(events, CLEAN)[0].mismatch = mismatch;
    });
    assert!(passes.contains("it conforms, and has a mismatch"), "{passes}");
    let readings = edited(|events| findings(events, CLEAN)[0].readings.push("torch-2.12".to_owned()));
    assert!(
        readings.contains("the outcome `other-reading`, and no other"),
        "{readings}"
    );
    let output = edited(|events| findings(events, CLEAN)[0].output = Some("00".to_owned()));
    assert!(output.contains("has the digest of a wrong output"), "{output}");
    let unexplained = edited(|events| {
        let failing = findings(events, FUSED)
            .into_iter()
            .find(|it| !it.outcome.conforms());
        let case = failing.unwrap().case.clone();
        let expected = Expected {
            backend: BackendId::new(FUSED),
            case,
            reason: " ".to_owned(),
        };
        let expectations = Expectations {
            file: "known.yaml".to_owned(),
            expected: vec![expected],
            violations: Vec::new(),
        };
        events.insert(events.len() - 1, Event::Expectations(expectations));
    });
    assert!(
        unexplained.contains("a failure without a reason"),
        "{unexplained}"
    );
}

#[test]
fn log_has_nothing_after_its_end() {
    for event in [
        Event::LeftOut(LeftOut::new("gpu", "absent")),
        Event::End { findings: 90 },
        Event::Ended(Ended {
            backend: BackendId::new(CLEAN),
            how: "status 1".to_owned(),
        }),
    ] {
        let late = edited(|events| events.push(event.clone()));
        assert!(
            late.contains("read an event after the `end` of the log"),
            "{late}"
        );
    }
}

#[test]
fn log_without_some_of_its_findings_is_incomplete() {
    let mut events = events(&[CLEAN], 0);
    let at = events
        .iter()
        .rposition(|event| matches!(event, Event::Finding(_)))
        .unwrap();
    events.remove(at);
    if let Some(Event::End { findings }) = events.last_mut() {
        *findings -= 1;
    }
    let run = Run::from_events(&[("a", &log(&events))]).unwrap();
    assert!(run.is_partial());
    assert_eq!(
        run.caveats(),
        ["incomplete: cpu/avx2 has findings for 44 of 45 selected cases"]
    );
    // The same case, left out for a reason that the log has.
    let left_out = LeftOut {
        cases: 1,
        ..LeftOut::new(CLEAN, "judged by its own answers")
    };
    events.insert(1, Event::LeftOut(left_out));
    let run = Run::from_events(&[("a", &log(&events))]).unwrap();
    assert!(!run.is_partial() && run.caveats().is_empty());
    assert!(
        !run.verdict(&BackendId::new(CLEAN)).contains("all ops"),
        "one of them was left out"
    );
    assert!(
        seedproof_report::summary(&run, seedproof_report::Palette::plain())
            .contains("cpu/avx2: 1 case: judged by")
    );
}

#[test]
fn log_tells_of_a_process_that_did_not_end_in_order() {
    let mut events = events(&[CLEAN], 0);
    let ended = Ended {
        backend: BackendId::new(CLEAN),
        how: "its process ended with signal: 6 (SIGABRT)".to_owned(),
    };
    events.insert(events.len() - 1, Event::Ended(ended));
    let run = Run::from_events(&[("a", &log(&events))]).unwrap();
    assert_eq!(
        run.caveats(),
        ["ended: after the last answer of cpu/avx2, its process ended with signal: 6 (SIGABRT)"]
    );
    assert!(run.is_as_expected() && !run.is_partial());
    assert!(
        run.headline().ends_with(", as far as it was judged"),
        "{}",
        run.headline()
    );
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

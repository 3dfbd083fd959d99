//! Judged runs of a toy generator: a clean implementation and six saboteurs that fail in every way a finding can have.

mod cases;
mod catalogue;
mod diagnosed;
pub(crate) mod runs;
mod toy;

use seedproof_check::{Exchange, Finding, Judgement, Judges, examine};
use seedproof_corpus::{Case, CaseId};
use seedproof_ops::{Backend, BackendId, NanRule};
use seedproof_report::{
    CaseFacts, Corpus, Diagnosed, EVENTS_SCHEMA, Event, Header, Implementation, LeftOut, Run,
};

use cases::cases;
use catalogue::catalogue;
use diagnosed::diagnosis;
use toy::Toy;

pub(crate) const CLEAN: &str = "cpu/avx2";
pub(crate) const FUSED: &str = "saboteur/fused-scale";
pub(crate) const SWAPPED: &str = "saboteur/swapped-words";
pub(crate) const TORCH: &str = "saboteur/other-reading";
pub(crate) const FORM: &str = "saboteur/wrong-form";
pub(crate) const FALLS: &str = "saboteur/falls-over";
pub(crate) const TAIL: &str = "saboteur/lost-tail";

/// All of them, the clean one first.
pub(crate) const ALL: [&str; 7] = [CLEAN, FUSED, SWAPPED, TORCH, FORM, FALLS, TAIL];

fn header(backends: &[&str], cases: usize) -> Header {
    Header {
        schema: EVENTS_SCHEMA,
        seedproof: "0.1.0".to_owned(),
        date: "2026-11-21T02:43:18Z".to_owned(),
        command: "seedproof run".to_owned(),
        corpus: Corpus {
            hash: "9f2b1c7de04455aa".to_owned(),
            cases,
            under_reading: cases,
        },
        reading: "spec".to_owned(),
        answers: None,
        strict_nan: false,
        filter: Vec::new(),
        options: Vec::new(),
        shard: None,
        implementations: backends
            .iter()
            .map(|&id| Implementation {
                id: BackendId::new(id),
                description: format!("{id} 0.1.0"),
                selected: cases,
                claims: None,
                rerun: format!("seedproof run --backend {id}"),
            })
            .collect(),
    }
}

/// The judgements of one implementation, in the order of the cases, and their diagnosis.
fn judged(cases: &[Case], id: &str) -> (Vec<Judgement>, Diagnosed) {
    let readings = ["torch-2.11", "torch-2.12"].map(|name| (name, Toy::new(name)));
    let (oracle, toy) = (Toy::new("oracle"), Toy::new(id));
    let readings: Vec<(&str, &dyn Backend)> = readings.iter().map(|(name, toy)| (*name, toy as _)).collect();
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &readings,
        nan: NanRule::Class,
        repeat: 0,
    };
    let judge = |case| examine(case, &toy, &judges).expect("every case is about the specification");
    let judgements: Vec<Judgement> = cases.iter().map(judge).collect();
    let failing = judgements.iter().filter_map(|it| match &it.exchange {
        Some(Exchange::Failed(failed)) => Some(&failed.case),
        _ => None,
    });
    let diagnosed = Diagnosed {
        backend: BackendId::new(id),
        diagnosis: diagnosis(id, &failing.collect::<Vec<_>>()),
    };
    (judgements, diagnosed)
}

/// The events of a finished run of these implementations over [`cases`]`(more)`.
pub(crate) fn events(backends: &[&str], more: usize) -> Vec<Event> {
    let cases = cases(more);
    let all: Vec<(Vec<Judgement>, Diagnosed)> = backends.iter().map(|id| judged(&cases, id)).collect();
    let mut events = vec![Event::Run(Box::new(header(backends, cases.len())))];
    for (index, case) in cases.iter().enumerate() {
        events.push(Event::Case(Box::new(CaseFacts::of(case))));
        let findings = all
            .iter()
            .map(|(judgements, _)| judgements[index].finding.clone());
        events.extend(findings.map(|finding| Event::Finding(Box::new(finding))));
    }
    let failed = |it: &&(Vec<Judgement>, Diagnosed)| {
        let failed = |it: &Judgement| matches!(it.exchange, Some(Exchange::Failed(_)));
        it.0.iter().any(failed)
    };
    events.extend(all.iter().filter(failed).map(|it| Event::Diagnosis(it.1.clone())));
    events.extend(catalogue());
    events.push(Event::LeftOut(LeftOut::new("gpu", "no adapter was found")));
    events.push(Event::End {
        findings: cases.len() * backends.len(),
    });
    events
}

/// Events as a log.
pub(crate) fn log(events: &[Event]) -> String {
    events.iter().map(|event| event.line() + "\n").collect()
}

/// A finished run of these implementations.
pub(crate) fn run(backends: &[&str]) -> Run {
    Run::from_events(&[("events.jsonl", &log(&events(backends, 0)))]).expect("a good log")
}

/// The finding of a case on an implementation of a run.
pub(crate) fn found<'a>(run: &'a Run, backend: &str, case: &str) -> &'a Finding {
    let id = CaseId::new(case).expect("a plain id");
    run.case(&id)
        .expect("a case of the run")
        .finding(&BackendId::new(backend))
        .expect("its finding")
}

//! Made-up runs: a clean implementation and six saboteurs that fail in every way a finding can tell.

mod cases;
mod extras;
mod findings;

use std::collections::BTreeMap;

use seedproof_check::{Cause, CauseKind, Diagnosis, Evidence, Explanation, Finding, Outcome, Stage, Verdict};
use seedproof_ops::BackendId;
use seedproof_report::{CaseFacts, Corpus, Diagnosed, Event, Header, Implementation, LeftOut, Run};
use seedproof_vectors::CaseId;

use cases::cases;
use findings::judged;

pub(crate) use extras::extras;

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
        seedproof: "0.1.0".to_owned(),
        date: "2026-11-21T02:43:18Z".to_owned(),
        command: "seedproof run".to_owned(),
        corpus: Corpus {
            hash: "9f2b1c7de04455aa".to_owned(),
            cases,
        },
        reading: "spec".to_owned(),
        filter: Vec::new(),
        shard: None,
        implementations: backends
            .iter()
            .map(|&id| Implementation {
                id: BackendId::new(id),
                description: format!("{id} 0.1.0"),
                device: if id == CLEAN { "AVX2, 2 threads" } else { "" }.to_owned(),
                rerun: format!("seedproof run --backend {id}"),
            })
            .collect(),
    }
}

fn explanation(name: &str, kind: CauseKind, sentence: &str, cases: Vec<CaseId>, total: usize) -> Explanation {
    let count = |n: usize| u64::try_from(n).expect("small");
    Explanation {
        cause: Cause {
            name: name.to_owned(),
            kind,
            sentence: sentence.to_owned(),
            fix: "multiply and add with a rounding each".to_owned(),
            clause: "ru8.range.float".to_owned(),
            erratum: "ru8.range.fused".to_owned(),
        },
        stage: Some(Stage::Scale),
        evidence: Evidence {
            elements: 24 * count(cases.len()),
            elements_total: 24 * count(total),
            cases: count(cases.len()),
            cases_total: count(total),
            contradicted: 0,
        },
        cases,
    }
}

fn diagnosis(backend: &str, failing: &[CaseId]) -> Option<Diagnosed> {
    let (verdict, names, kind, sentence, skip) = match backend {
        FUSED => (
            Verdict::Explained,
            &["fused-scale"][..],
            CauseKind::Mistake,
            "the scale is computed as fma(x, max-min, min)",
            0,
        ),
        SWAPPED => (
            Verdict::Several,
            &["words-reversed"][..],
            CauseKind::Structure,
            "the four words of each block come in reverse order",
            2,
        ),
        FORM => (
            Verdict::Ambiguous,
            &[
                "rank-lost",
                "rank-flattened",
                "shape-ignored",
                "type-narrowed",
                "all-zero",
            ][..],
            CauseKind::Mistake,
            "the output has another form",
            0,
        ),
        TAIL => (
            Verdict::Unexplained,
            &["shifted(n = 1)"][..],
            CauseKind::Structure,
            "the output is shifted by n elements",
            failing.len(),
        ),
        _ => return None,
    };
    let given = failing[skip..].to_vec();
    Some(Diagnosed {
        backend: BackendId::new(backend),
        diagnosis: Diagnosis {
            verdict,
            explanations: names
                .iter()
                .map(|name| explanation(name, kind, sentence, given.clone(), failing.len()))
                .collect(),
        },
    })
}

/// The events of a finished run of these implementations over [`cases`]`(more)`.
pub(crate) fn events(backends: &[&str], more: usize) -> Vec<Event> {
    let cases = cases(more);
    let mut events = vec![Event::Run(Box::new(header(backends, cases.len())))];
    let mut failing: BTreeMap<&str, Vec<CaseId>> = BTreeMap::new();
    for case in &cases {
        events.push(Event::Case(Box::new(CaseFacts::of(case))));
        for &backend in backends {
            let finding = judged(case, backend);
            if finding.outcome == Outcome::Fail {
                failing.entry(backend).or_default().push(case.id.clone());
            }
            events.push(Event::Finding(Box::new(finding)));
        }
    }
    for &backend in backends {
        let failing = failing.get(backend).map_or(&[][..], Vec::as_slice);
        events.extend(diagnosis(backend, failing).map(Event::Diagnosis));
    }
    events.push(Event::LeftOut(LeftOut {
        what: "gpu".to_owned(),
        reason: "no adapter was found".to_owned(),
    }));
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
    &run.case(&id).expect("a case of the run").findings[&BackendId::new(backend)]
}

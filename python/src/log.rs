//! The event log of a run, and the page that is made of it.

use pyo3::prelude::*;
use seedproof::judging::{diagnosed, under_reading};
use seedproof_author::References;
use seedproof_check::{Exchange, Judgement};
use seedproof_ops::{Backend as _, NanRule};
use seedproof_report::{CaseFacts, Corpus, EVENTS_SCHEMA, Event, Header, Implementation, LeftOut, Run};

use crate::errors::exception;
use crate::judge::{Finding, Session};

/// The event log of what these sessions found. `command` and `date` are what the page says of the run; `filter` the
/// queries that selected cases; `shard` which part of how many it is; `left_out` the cases that were not asked, each with
/// the function and the reason. Each session comes with its number of cases in all shards together.
#[pyfunction]
pub(crate) fn log(
    py: Python<'_>,
    sessions: Vec<(Py<Session>, Vec<Py<Finding>>, usize)>,
    command: String,
    date: String,
    filter: Vec<String>,
    shard: Option<(u32, u32)>,
    left_out: Vec<(String, String, String)>,
) -> PyResult<String> {
    let Some((first, ..)) = sessions.first() else {
        return Err(exception(
            py,
            "InvalidArgument",
            ("a log is of at least one function",),
        ));
    };
    let (catalogue, reading) = (&first.get().catalogue, &first.get().reading);
    let corpus = seedproof::corpus();
    let header = Header {
        schema: EVENTS_SCHEMA,
        seedproof: env!("CARGO_PKG_VERSION").to_owned(),
        date,
        command,
        corpus: Corpus {
            hash: corpus.hash().to_owned(),
            cases: corpus.size(),
            under_reading: py.detach(|| under_reading(corpus, catalogue, reading)),
        },
        reading: reading.clone(),
        answers: None,
        strict_nan: catalogue.nan() == NanRule::Bits,
        filter,
        options: Vec::new(),
        shard,
        implementations: sessions
            .iter()
            .map(|(session, _, selected)| {
                let id = session.get().function.id().clone();
                Implementation {
                    description: id.to_string(),
                    id,
                    selected: *selected,
                    claims: None,
                    rerun: String::new(),
                }
            })
            .collect(),
    };
    let ids: Vec<String> = header
        .implementations
        .iter()
        .map(|it| it.id.to_string())
        .collect();
    let mut events = vec![Event::Run(Box::new(header))];
    events.extend(left_out.into_iter().map(|(function, case, reason)| {
        // If none of a function's cases was judged, the log does not list it as an implementation.
        let cases = usize::from(ids.contains(&function));
        let what = if cases == 0 { case } else { function };
        Event::LeftOut(LeftOut { what, reason, cases })
    }));
    let all = || sessions.iter().flat_map(|(_, findings, _)| findings).map(Py::get);
    let mut described = References::default();
    events.extend(described.describe(&References::of_cases(all().map(|it| it.case)), corpus, catalogue));
    let mut cases = std::collections::BTreeSet::new();
    for finding in all() {
        if cases.insert(&finding.case.id) {
            events.push(Event::Case(Box::new(CaseFacts::of(finding.case))));
        }
        events.push(Event::Finding(Box::new(finding.judgement.finding.clone())));
    }
    for (session, findings, _) in &sessions {
        let judgements: Vec<&Judgement> = findings.iter().map(|it| it.get().judgement.as_ref()).collect();
        let failed = |it: &&Judgement| matches!(it.exchange, Some(Exchange::Failed(_)));
        if judgements.iter().any(failed) {
            let id = session.get().function.id();
            let diagnosed = py.detach(|| {
                let exchanges = judgements.iter().filter_map(|it| it.exchange.clone());
                diagnosed(id, exchanges, catalogue, &|| ())
            });
            events.extend(described.describe(
                &References::of_diagnosis(&diagnosed.diagnosis),
                corpus,
                catalogue,
            ));
            events.push(Event::Diagnosis(diagnosed));
        }
    }
    events.push(Event::End {
        findings: all().count(),
    });
    Ok(events.iter().map(|event| event.line() + "\n").collect())
}

/// The page of one or several logs, each with its name.
#[pyfunction]
pub(crate) fn page(py: Python<'_>, logs: Vec<(String, String)>) -> PyResult<String> {
    let texts: Vec<(&str, &str)> = logs
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let page = py.detach(|| Run::from_events(&texts).and_then(|run| seedproof_report::html(&run, &[])));
    page.map_err(|error| exception(py, "SeedproofError", (format!("failed to {error}"),)))
}

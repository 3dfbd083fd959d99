//! `run --expect`: the findings held against an expectation file.

use std::collections::BTreeMap;
use std::path::Path;

use seedproof_check::Finding;
use seedproof_check::expectations::{Date, Entry, Extent, Observed, bless, is_about, parse, review};
use seedproof_report::{Expectations, Expected, Reason, Run, groups};
use seedproof_vectors::CaseId;

use crate::edge;
use crate::exit::Error;

/// What an expectation file says of the findings. With `rewrite` the file first becomes what was found.
pub(crate) fn review_of(run: &Run, path: &Path, rewrite: bool) -> Result<Expectations, Error> {
    let name = path.display().to_string();
    let mut entries = if rewrite && !path.exists() {
        Vec::new()
    } else {
        read(path, &name)?
    };
    let causes = causes(run);
    let observed: Vec<Observed<'_>> = causes
        .iter()
        .map(|&(finding, diagnosis)| Observed { finding, diagnosis })
        .collect();
    if rewrite {
        edge::write(path, &bless(&observed, &entries, &is_about))?;
        edge::print(&format!("wrote {name}\n"));
        entries = read(path, &name)?;
    }
    let whole = run
        .headers()
        .iter()
        .all(|header| header.filter.is_empty() && header.shard.is_none());
    let extent = if whole { Extent::Whole } else { Extent::Part };
    let review = review(&entries, &observed, extent, today(), &is_about);
    let expected = observed.iter().zip(&review.expected);
    Ok(Expectations {
        file: name,
        expected: expected
            .filter(|(it, _)| !it.finding.outcome.conforms())
            .filter_map(|(it, &entry)| {
                Some(Expected {
                    backend: it.finding.backend.clone(),
                    case: it.finding.case.clone(),
                    reason: reason(&entries[entry?]),
                })
            })
            .collect(),
        violations: review.violations.iter().map(ToString::to_string).collect(),
    })
}

/// The reason of an entry, with its issue.
fn reason(entry: &Entry) -> String {
    match &entry.issue {
        Some(issue) => format!("{} ({issue})", entry.reason),
        None => entry.reason.clone(),
    }
}

/// Prints how the expectations hold.
pub(crate) fn print(run: &Run, file: &Path) {
    let name = file.display();
    for violation in run.violations() {
        edge::print(&format!("{violation}\n"));
    }
    let (expected, unexpected) = run.implementations().fold((0, 0), |(expected, unexpected), it| {
        let tally = run.tally(&it.id);
        (expected + tally.expected, unexpected + tally.unexpected())
    });
    edge::print(&format!(
        "{name}: {expected} findings as expected, {unexpected} not, {} violations\n",
        run.violations().len()
    ));
}

fn read(path: &Path, name: &str) -> Result<Vec<Entry>, Error> {
    parse(name, &edge::read(path)?).map_err(|error| Error::Usage(format!("failed to {error}")))
}

/// Every finding, with the name of its explanation if it has one.
fn causes(run: &Run) -> Vec<(&Finding, Option<&str>)> {
    let mut found = Vec::new();
    for implementation in run.implementations() {
        let mut named: BTreeMap<&CaseId, &str> = BTreeMap::new();
        for group in groups(run, &implementation.id) {
            if let Reason::Explained(explanation) = group.reason {
                let cases = group.findings.iter().map(|finding| &finding.case);
                named.extend(cases.map(|case| (case, explanation.cause.name.as_str())));
            }
        }
        let findings = run.findings(&implementation.id);
        found.extend(findings.map(|finding| (finding, named.get(&finding.case).copied())));
    }
    found
}

fn today() -> Date {
    let today = jiff::Timestamp::now().to_string();
    today
        .get(..10)
        .and_then(|date| date.parse().ok())
        .expect("a time stamp begins with its date")
}

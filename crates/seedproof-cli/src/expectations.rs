//! `run --expect`: compares the findings with an expectation file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use seedproof_check::Finding;
use seedproof_check::expectations::{
    Date, Entry, Extent, Observed, Unseen, ViolationKind, bless, gone, parse, review,
};
use seedproof_corpus::{CaseId, Corpus};
use seedproof_ops::BackendId;
use seedproof_ops::untrusted::one_line;
use seedproof_report::{Expectations, Expected, Reason, Run, groups};

use crate::exit::Error;
use crate::io;

/// An expectation file.
pub(crate) struct ExpectationFile {
    path: PathBuf,
    entries: Vec<Entry>,
    /// Whether the file is rewritten to what was found.
    bless: bool,
    extent: Extent,
    /// Whether the run is of random requests, of which the corpus has none.
    is_random: bool,
}

impl ExpectationFile {
    /// A file that will be rewritten need not exist.
    ///
    /// # Errors
    /// [`Error::Infrastructure`] if it cannot be read, [`Error::Usage`] if it is not an expectation file.
    pub(crate) fn read(path: &Path, bless: bool, extent: Extent, is_random: bool) -> Result<Self, Error> {
        Ok(Self {
            path: path.to_owned(),
            entries: if bless && !path.exists() {
                Vec::new()
            } else {
                read(path)?
            },
            bless,
            extent,
            is_random,
        })
    }

    /// Holds the findings of a run over a corpus against the file, after rewriting it to them if that is asked for. The
    /// findings of a run that is an error by itself are not written: nobody accepts them as they are.
    ///
    /// # Errors
    /// [`Error::Infrastructure`] if it cannot be written.
    pub(crate) fn review(&self, run: &Run, corpus: &Corpus, is_error: bool) -> Result<Expectations, Error> {
        let name = self.path.display().to_string();
        let causes = causes(run);
        let observed: Vec<Observed<'_>> = causes
            .iter()
            .map(|&(finding, diagnosis)| Observed { finding, diagnosis })
            .collect();
        let mut entries = Cow::from(&self.entries);
        let implementations: Vec<&BackendId> = run.implementations().map(|it| &it.id).collect();
        let ids: Vec<CaseId> = corpus
            .ids()
            .map(|id| CaseId::new(id).expect("it is an id"))
            .collect();
        let pairs = implementations
            .iter()
            .flat_map(|&backend| ids.iter().map(move |case| (backend, case)));
        // Another reading and a limit leave cases out of a run of the whole corpus too.
        let cases: Vec<(&BackendId, &CaseId)> = pairs
            .filter(|(backend, case)| run.finding(case, backend).is_none())
            .collect();
        let unseen = Unseen {
            implementations: &implementations,
            cases: &cases,
            extent: self.extent,
        };
        if self.bless && is_error {
            io::note(&format!(
                "{name} was not written: too little is known of this run"
            ));
        } else if self.bless {
            let blessed = bless(&observed, &entries, unseen);
            io::write(&self.path, &blessed.text)?;
            io::print(&format!("wrote {name}\n"));
            if blessed.kept > 0 {
                let entries = if blessed.kept == 1 { "entry" } else { "entries" };
                io::print(&format!(
                    "{name}: kept {} {entries} about what this run did not judge\n",
                    blessed.kept
                ));
            }
            for (line, pattern) in &blessed.narrowed {
                let pattern = one_line(pattern);
                io::print(&format!(
                    "{name}: `{pattern}` (line {line}) did not hold, and was replaced by the findings of this run. Add \
                     entries that name the other implementations, if it was meant for them\n"
                ));
            }
            entries = read(&self.path)?.into();
        }
        let mut review = review(&entries, &observed, &implementations, self.extent, Date::today());
        review.violations.retain(|violation| match &violation.kind {
            ViolationKind::MatchesNothing { pattern } => !unseen.may_match(pattern),
            _ => true,
        });
        if self.extent == Extent::Part && !self.is_random {
            review.violations.extend(gone(&entries, corpus.ids()));
            review.violations.sort_by_key(|violation| violation.line);
        }
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

    /// Prints how the expectations hold.
    pub(crate) fn print(&self, run: &Run) {
        for violation in run.violations() {
            io::print(&format!("{}\n", one_line(violation)));
        }
        let (expected, unexpected) = run.implementations().fold((0, 0), |(expected, unexpected), it| {
            let tally = run.tally(&it.id);
            (expected + tally.expected, unexpected + tally.unexpected())
        });
        io::print(&format!(
            "{}: {expected} findings as expected, {unexpected} not, {} violations\n",
            self.path.display(),
            run.violations().len()
        ));
    }
}

/// The reason of an entry, with its issue.
fn reason(entry: &Entry) -> String {
    match &entry.issue {
        Some(issue) => format!("{} ({issue})", entry.reason),
        None => entry.reason.clone(),
    }
}

fn read(path: &Path) -> Result<Vec<Entry>, Error> {
    let name = path.display().to_string();
    parse(&name, &io::read(path)?).map_err(|error| Error::Usage(format!("failed to {error}")))
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

//! The model of one conformance run: a fold over its events.

mod diagnoses;
mod queries;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use seedproof_check::{Finding, Outcome};
use seedproof_corpus::{Case, CaseId, Name};
use seedproof_ops::BackendId;

use crate::event::{Clause, Diagnosed, Erratum, Event, Expectations, Header, LeftOut, Mistake};
use crate::{CaseFacts, ReportError};
use diagnoses::Diagnoses;

/// A case with its findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The case.
    pub facts: CaseFacts,
    /// By implementation.
    pub findings: BTreeMap<BackendId, Finding>,
}

/// How many findings of one implementation came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Findings.
    pub judged: usize,
    /// As expected by the case.
    pub passed: usize,
    /// Claimed: all but the unsupported.
    pub claimed: usize,
    /// Neither passed nor unsupported.
    pub failing: usize,
    /// Failing, as an expectation file expects.
    pub expected: usize,
}

impl Tally {
    /// Failing, and in no expectation file.
    pub const fn unexpected(&self) -> usize {
        self.failing - self.expected
    }
}

/// A conformance run, joined from one event log or several.
///
/// Cases are in the order of their ids and findings in the order of their implementations' names, so that no
/// document depends on which thread or shard was first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    headers: Vec<Header>,
    clauses: BTreeMap<Name, Clause>,
    errata: BTreeMap<Name, Erratum>,
    mistakes: BTreeMap<Name, Mistake>,
    cases: BTreeMap<CaseId, Judged>,
    tallies: BTreeMap<BackendId, Tally>,
    expected: BTreeMap<(BackendId, CaseId), String>,
    violations: Vec<String>,
    diagnoses: Diagnoses,
    left_out: Vec<LeftOut>,
    cut_short: usize,
    /// Number of findings in the log that has no `end` yet.
    open: Option<usize>,
}

impl Run {
    /// A run that has just begun.
    pub fn new(header: Header) -> Self {
        Self {
            headers: vec![header],
            open: Some(0),
            ..Self::default()
        }
    }

    /// A run from event logs, each with a name for error messages. A log that stops before its `end` event is
    /// read as far as it goes; see [`Self::cut_short`].
    ///
    /// # Errors
    /// [`ReportError::At`] with the line that is no event or does not fit; [`ReportError::NoHeader`] if a log has
    /// no `run` event.
    pub fn from_events(logs: &[(&str, &str)]) -> Result<Self, ReportError> {
        let mut run = Self::default();
        for (file, text) in logs {
            run.read(file, text)?;
        }
        if run.headers.is_empty() {
            return Err(ReportError::NoHeader);
        }
        // The order of shards' logs does not matter.
        run.left_out.sort();
        run.left_out.dedup();
        run.violations.sort();
        run.violations.dedup();
        Ok(run)
    }

    fn read(&mut self, file: &str, text: &str) -> Result<(), ReportError> {
        let mut begun = false;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let event = match Event::parse(line) {
                // A writer that was stopped in the middle of a line leaves half of it.
                Err(_) if !line.ends_with('\n') => break,
                parsed => parsed.map_err(|reason| reason.at(file, number))?,
            };
            if !begun && !matches!(event, Event::Run(_)) {
                return Err(ReportError::NoHeader.at(file, number));
            }
            begun = true;
            self.apply(event).map_err(|reason| reason.at(file, number))?;
        }
        if !begun {
            return Err(ReportError::NoHeader.at(file, 1));
        }
        self.cut_short += usize::from(self.open.take().is_some());
        Ok(())
    }

    /// Adds a finding of a case.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn push(&mut self, finding: Finding, case: &Case) -> Result<(), ReportError> {
        if !self.cases.contains_key(&case.id) {
            self.apply(Event::Case(Box::new(CaseFacts::of(case))))?;
        }
        self.apply(Event::Finding(Box::new(finding)))
    }

    /// Adds an event.
    ///
    /// # Errors
    /// [`ReportError`] if the event does not fit those before it: an unknown implementation or case, a second
    /// finding, another corpus, a wrong count.
    pub fn apply(&mut self, event: Event) -> Result<(), ReportError> {
        match event {
            Event::Run(header) => self.begin(*header),
            Event::Clause(clause) => describe(&mut self.clauses, clause.id.clone(), clause),
            Event::Erratum(erratum) => describe(&mut self.errata, erratum.id.clone(), erratum),
            Event::Mistake(mistake) => describe(&mut self.mistakes, mistake.id.clone(), mistake),
            Event::Case(facts) => self.add_case(*facts),
            Event::Finding(finding) => self.add_finding(*finding),
            Event::Diagnosis(diagnosed) => self.add_diagnosis(diagnosed),
            Event::LeftOut(left_out) => {
                self.left_out.push(left_out);
                Ok(())
            }
            Event::Expectations(expectations) => self.expect(expectations),
            Event::End { findings } => match self.open.take() {
                Some(counted) if counted == findings => Ok(()),
                Some(counted) => Err(ReportError::Count {
                    said: findings,
                    counted,
                }),
                None => Err(ReportError::NoHeader),
            },
        }
    }

    fn begin(&mut self, header: Header) -> Result<(), ReportError> {
        if self.open.is_some() {
            self.cut_short += 1;
        }
        if let Some(first) = self.headers.first() {
            let same = |what: &str, first: &dyn ToString, other: &dyn ToString| {
                let (first, other) = (first.to_string(), other.to_string());
                if first == other {
                    return Ok(());
                }
                Err(ReportError::OtherRun {
                    what: what.to_owned(),
                    first,
                    other,
                })
            };
            same("the corpus", &first.corpus.hash, &header.corpus.hash)?;
            same("the number of cases", &first.corpus.cases, &header.corpus.cases)?;
            same(
                "the number of cases under the reading",
                &first.corpus.under_reading,
                &header.corpus.under_reading,
            )?;
            same("the program's version", &first.seedproof, &header.seedproof)?;
            same("the reading", &first.reading, &header.reading)?;
            same(
                "the rule for NaNs",
                &first.judged_against(),
                &header.judged_against(),
            )?;
            for other in &header.implementations {
                if let Some(known) = self.implementation(&other.id) {
                    let what = format!("the implementation {}", known.id);
                    same(&what, &known.description, &other.description)?;
                }
            }
        }
        self.headers.push(header);
        self.open = Some(0);
        Ok(())
    }

    fn add_case(&mut self, facts: CaseFacts) -> Result<(), ReportError> {
        let id = facts.id.clone();
        match self.cases.get(&id) {
            Some(known) if known.facts == facts => Ok(()),
            Some(_) => Err(ReportError::Differs(id.to_string())),
            None => {
                let findings = BTreeMap::new();
                self.cases.insert(id, Judged { facts, findings });
                Ok(())
            }
        }
    }

    fn add_finding(&mut self, finding: Finding) -> Result<(), ReportError> {
        if self.implementation(&finding.backend).is_none() {
            return Err(ReportError::UnknownBackend(finding.backend.to_string()));
        }
        let open = self.open.as_mut().ok_or(ReportError::NoHeader)?;
        let judged = self
            .cases
            .get_mut(&finding.case)
            .ok_or_else(|| ReportError::UnknownCase(finding.case.to_string()))?;
        if judged.findings.contains_key(&finding.backend) {
            return Err(ReportError::Duplicate {
                case: finding.case.to_string(),
                backend: finding.backend.to_string(),
            });
        }
        *open += 1;
        let tally = self.tallies.entry(finding.backend.clone()).or_default();
        tally.judged += 1;
        tally.passed += usize::from(finding.outcome == Outcome::Pass);
        tally.claimed += usize::from(finding.outcome != Outcome::Unsupported);
        tally.failing += usize::from(!finding.outcome.conforms());
        judged.findings.insert(finding.backend.clone(), finding);
        Ok(())
    }

    fn add_diagnosis(&mut self, diagnosed: Diagnosed) -> Result<(), ReportError> {
        if self.implementation(&diagnosed.backend).is_none() {
            return Err(ReportError::UnknownBackend(diagnosed.backend.to_string()));
        }
        let cases = &self.cases;
        self.diagnoses.add(diagnosed, |case| cases.contains_key(case))
    }

    /// Marks the failures that are expected.
    fn expect(&mut self, expectations: Expectations) -> Result<(), ReportError> {
        for expected in expectations.expected {
            let finding = self
                .case(&expected.case)
                .and_then(|judged| judged.findings.get(&expected.backend));
            if finding.is_none_or(|finding| finding.outcome.conforms()) {
                return Err(ReportError::NotFailing {
                    case: expected.case.to_string(),
                    backend: expected.backend.to_string(),
                });
            }
            let key = (expected.backend.clone(), expected.case);
            if self.expected.insert(key, expected.reason).is_none() {
                self.tallies.entry(expected.backend).or_default().expected += 1;
            }
        }
        let file = &expectations.file;
        let violations = expectations.violations.iter();
        self.violations
            .extend(violations.map(|it| format!("{file}: {it}")));
        Ok(())
    }
}

/// Adds a description, which must be the known one if there is one.
fn describe<T: PartialEq>(
    known: &mut BTreeMap<Name, T>,
    id: Name,
    description: T,
) -> Result<(), ReportError> {
    match known.entry(id) {
        Entry::Vacant(place) => {
            place.insert(description);
            Ok(())
        }
        Entry::Occupied(place) if *place.get() == description => Ok(()),
        Entry::Occupied(place) => Err(ReportError::Differs(place.key().to_string())),
    }
}

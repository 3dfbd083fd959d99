//! The model of one conformance run: a fold over its events.

mod check;
mod diagnoses;
mod queries;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use seedproof_check::{Finding, Outcome};
use seedproof_corpus::{Case, CaseId, Name};
use seedproof_ops::BackendId;

use crate::error::ReportError;
use crate::event::{Clause, Diagnosed, Ended, Erratum, Event, Expectations, Header, LeftOut, Mistake};
use crate::facts::CaseFacts;
use diagnoses::Diagnoses;

/// A case with its findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The case.
    pub facts: CaseFacts,
    /// Sorted by their implementations.
    #[expect(
        clippy::vec_box,
        reason = "most runs have one finding a case, and a list has room for four as soon as it has one"
    )]
    findings: Vec<Box<Finding>>,
}

impl Judged {
    /// The findings, in the order of their implementations' names.
    pub fn findings(&self) -> impl ExactSizeIterator<Item = &Finding> {
        self.findings.iter().map(Box::as_ref)
    }

    /// The finding of an implementation.
    pub fn finding(&self, backend: &BackendId) -> Option<&Finding> {
        Some(&self.findings[self.place(backend).ok()?])
    }

    /// Where the finding of an implementation stands, or where it belongs.
    fn place(&self, backend: &BackendId) -> Result<usize, usize> {
        self.findings
            .binary_search_by(|finding| finding.backend.cmp(backend))
    }
}

/// Counts of the findings of one implementation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases that the run selects, over all logs.
    pub selected: usize,
    /// Selected cases that were left out for a reason that the run names.
    pub left_out: usize,
    /// Cases that have a finding.
    pub judged: usize,
    /// Cases whose expectation was met.
    pub passed: usize,
    /// Cases that the implementation claims: all but the unsupported ones.
    pub claimed: usize,
    /// Cases that neither passed nor are unsupported.
    pub failing: usize,
    /// Failing cases that an expectation file expects.
    pub expected: usize,
    /// Judged cases that do not expect a rejection.
    pub valued: usize,
    /// Judged cases in which a value was compared.
    pub values: usize,
}

impl Tally {
    /// Counts a finding.
    fn add(&mut self, finding: &Finding, case: &CaseFacts) {
        self.judged += 1;
        self.passed += usize::from(finding.outcome == Outcome::Pass);
        self.claimed += usize::from(finding.outcome != Outcome::Unsupported);
        self.failing += usize::from(!finding.outcome.conforms());
        // A case that expects whatever the oracle answers may expect a refusal. It counts as one of a value all the same, so
        // that an implementation that refuses all of a thousand random requests has not shown that it draws anything.
        self.valued += usize::from(!case.is_refusal());
        self.values += usize::from(finding.has_value() && case.has_elements());
    }

    /// The number of failing cases that no expectation file expects.
    pub const fn unexpected(&self) -> usize {
        self.failing - self.expected
    }

    /// The number of selected cases that have neither a finding nor a reason for having none.
    pub const fn missing(&self) -> usize {
        self.selected - self.left_out - self.judged
    }

    /// Whether no finding tests the values that the implementation draws: nothing was asked, or no value was compared
    /// although some cases expect one. A selection of nothing but rejections is tested by its rejections.
    pub const fn is_untested(&self) -> bool {
        self.claimed == 0 || (self.values == 0 && self.valued > 0)
    }
}

/// A conformance run, joined from one event log or several.
///
/// Cases are sorted by id and findings by implementation, so that no document depends on which
/// thread or shard was first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    headers: Vec<Header>,
    clauses: BTreeMap<Name, Clause>,
    errata: BTreeMap<Name, Erratum>,
    mistakes: BTreeMap<Name, Mistake>,
    cases: BTreeMap<CaseId, Box<Judged>>,
    tallies: BTreeMap<BackendId, Tally>,
    /// The findings of each log counted alone, in the order of the headers.
    logs: Vec<BTreeMap<BackendId, Tally>>,
    expected: BTreeMap<(BackendId, CaseId), String>,
    violations: Vec<String>,
    shortfalls: Vec<String>,
    diagnoses: Diagnoses,
    left_out: Vec<LeftOut>,
    ended: Vec<Ended>,
    cut_short: usize,
    /// The number of findings in the log that is being read; `None` between logs.
    open: Option<usize>,
}

impl Run {
    /// A run that has just begun.
    ///
    /// # Errors
    /// [`ReportError::Invalid`] if the header contradicts itself.
    pub fn new(header: Header) -> Result<Self, ReportError> {
        let mut run = Self::default();
        run.begin(header)?;
        Ok(run)
    }

    /// A run from event logs, each with a name for error messages. A log that stops before its `end` event is read as
    /// far as it goes; see [`Self::cut_short`].
    ///
    /// # Errors
    /// [`ReportError::At`] with the line that is not an event or contradicts an earlier one; [`ReportError::NoHeader`]
    /// if a log has no `run` event.
    pub fn from_events(logs: &[(&str, &str)]) -> Result<Self, ReportError> {
        let mut run = Self::default();
        for (file, text) in logs {
            run.read(file, text)?;
        }
        if run.headers.is_empty() {
            return Err(ReportError::NoHeader);
        }
        // Sorted, so that the order in which the logs of shards are given does not change a document.
        run.left_out.sort();
        run.violations.sort();
        run.violations.dedup();
        Ok(run)
    }

    fn read(&mut self, file: &str, text: &str) -> Result<(), ReportError> {
        let mut begun = false;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let event = match Event::parse(line) {
                // A run that was killed while it wrote leaves half a line. What came before it is still good. Behind the end of
                // a log it is the beginning of another.
                Err(_) if !line.ends_with('\n') => {
                    self.cut_short += usize::from(begun && self.open.is_none());
                    break;
                }
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
    /// [`ReportError`] if the event contradicts itself or those before it: an unknown implementation or case, a second
    /// finding, another corpus or selection, a wrong count, anything after the `end`.
    pub fn apply(&mut self, event: Event) -> Result<(), ReportError> {
        // Between logs only a header may come. Without this, events after an `end` would count for the next log.
        if self.open.is_none() && !matches!(event, Event::Run(_)) {
            return Err(if self.headers.is_empty() {
                ReportError::NoHeader
            } else {
                ReportError::AfterEnd
            });
        }
        match event {
            Event::Run(header) => self.begin(*header),
            Event::Clause(clause) => describe(&mut self.clauses, clause.id.clone(), clause),
            Event::Erratum(erratum) => describe(&mut self.errata, erratum.id.clone(), erratum),
            Event::Mistake(mistake) => describe(&mut self.mistakes, mistake.id.clone(), mistake),
            Event::Case(facts) => self.add_case(*facts),
            Event::Finding(finding) => self.add_finding(finding),
            Event::Diagnosis(diagnosed) => self.add_diagnosis(diagnosed),
            Event::LeftOut(left_out) => self.leave_out(left_out),
            Event::Ended(ended) => {
                self.is_of_log(&ended.backend)?;
                self.ended.push(ended);
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
        check::header(&header)?;
        if let Some(first) = self.headers.first() {
            check::same_run(first, &header)?;
        }
        for implementation in &header.implementations {
            let named = |it: &&Header| {
                it.implementations
                    .iter()
                    .any(|known| known.id == implementation.id)
            };
            let mut earlier = self.headers.iter().filter(named);
            if let Some(first) = earlier.next() {
                check::same_selection(&implementation.id, first, &header)?;
            }
            let tally = self.tallies.entry(implementation.id.clone()).or_default();
            // Every shard announces the whole selection, so it counts once. Other logs are separate runs of disjoint
            // cases, whose selections add up.
            if header.shard.is_none() || tally.selected == 0 {
                tally.selected += implementation.selected;
            }
        }
        // A header inside a log means that the log before it has no end, as when files of shards are concatenated.
        if self.open.is_some() {
            self.cut_short += 1;
        }
        self.headers.push(header);
        self.logs.push(BTreeMap::new());
        self.open = Some(0);
        Ok(())
    }

    /// Checks that the log that is being read names this implementation in its header.
    fn is_of_log(&self, backend: &BackendId) -> Result<(), ReportError> {
        let header = self.headers.last().ok_or(ReportError::NoHeader)?;
        let named = header.implementations.iter().any(|it| it.id == *backend);
        named
            .then_some(())
            .ok_or_else(|| ReportError::UnknownBackend(backend.to_string()))
    }

    fn leave_out(&mut self, left_out: LeftOut) -> Result<(), ReportError> {
        if left_out.cases > 0 {
            let backend = BackendId::new(left_out.what.as_str());
            self.is_of_log(&backend)?;
            let tally = self.tallies.entry(backend).or_default();
            if left_out.cases > tally.missing() {
                return Err(ReportError::TooMany {
                    backend: left_out.what,
                    selected: tally.selected,
                });
            }
            tally.left_out += left_out.cases;
        }
        // Each shard reports what it left out. The same part with the same reason becomes one
        // entry with all their cases.
        let known = self.left_out.iter_mut();
        let mut known = known.filter(|it| it.what == left_out.what && it.reason == left_out.reason);
        match known.next() {
            Some(known) => known.cases += left_out.cases,
            None => self.left_out.push(left_out),
        }
        Ok(())
    }

    fn add_case(&mut self, facts: CaseFacts) -> Result<(), ReportError> {
        let id = facts.id.clone();
        match self.cases.get(&id) {
            Some(known) if known.facts == facts => Ok(()),
            Some(_) => Err(ReportError::Differs(id.to_string())),
            None => {
                let findings = Vec::new();
                self.cases.insert(id, Box::new(Judged { facts, findings }));
                Ok(())
            }
        }
    }

    fn add_finding(&mut self, finding: Box<Finding>) -> Result<(), ReportError> {
        self.is_of_log(&finding.backend)?;
        if let Some(reason) = finding.contradiction() {
            return Err(ReportError::Invalid {
                what: format!("finding of `{}`", finding.case),
                reason: reason.to_owned(),
            });
        }
        let open = self.open.as_mut().ok_or(ReportError::NoHeader)?;
        let judged = self
            .cases
            .get_mut(&finding.case)
            .ok_or_else(|| ReportError::UnknownCase(finding.case.to_string()))?;
        let Err(place) = judged.place(&finding.backend) else {
            return Err(ReportError::Duplicate {
                case: finding.case.to_string(),
                backend: finding.backend.to_string(),
            });
        };
        let tally = self.tallies.entry(finding.backend.clone()).or_default();
        // Checked before it is counted: `missing` would wrap otherwise.
        if tally.missing() == 0 {
            return Err(ReportError::TooMany {
                backend: finding.backend.to_string(),
                selected: tally.selected,
            });
        }
        *open += 1;
        tally.add(&finding, &judged.facts);
        if let Some(log) = self.logs.last_mut() {
            let alone = log.entry(finding.backend.clone()).or_default();
            alone.add(&finding, &judged.facts);
        }
        judged.findings.insert(place, finding);
        Ok(())
    }

    fn add_diagnosis(&mut self, diagnosed: Diagnosed) -> Result<(), ReportError> {
        self.is_of_log(&diagnosed.backend)?;
        let cases = &self.cases;
        let backend = diagnosed.backend.clone();
        let is_judged = |case: &CaseId| {
            let judged = cases.get(case);
            judged.is_some_and(|judged| judged.finding(&backend).is_some())
        };
        self.diagnoses.add(diagnosed, is_judged)
    }

    /// Marks the failures that an expectation file expects.
    fn expect(&mut self, expectations: Expectations) -> Result<(), ReportError> {
        for expected in expectations.expected {
            let finding = self.finding(&expected.case, &expected.backend);
            // The program has applied the file before it wrote this event, so a failure that is missing here
            // means an inconsistent log.
            if finding.is_none_or(|finding| finding.outcome.conforms()) {
                return Err(ReportError::NotFailing {
                    case: expected.case.to_string(),
                    backend: expected.backend.to_string(),
                });
            }
            if expected.reason.trim().is_empty() {
                return Err(ReportError::Invalid {
                    what: format!("expectation of `{}`", expected.case),
                    reason: "a failure without a reason is not an expected one".to_owned(),
                });
            }
            let key = (expected.backend.clone(), expected.case);
            // Two entries of a file may match the same failure, which counts once.
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

/// Adds a description. If there is one already, it must be the same.
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

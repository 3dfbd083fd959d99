//! The model of one conformance run: a fold over its events.

use std::collections::BTreeMap;

use seedproof_check::{Diagnosis, Explanation, Finding, Outcome, Verdict, json};
use seedproof_ops::BackendId;
use seedproof_vectors::{Case, CaseId};
use serde::{Deserialize, Serialize};

use crate::{CaseFacts, Event, ReportError, inert};

/// What ran. One event log has one; a run joined from shards has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// This program's version.
    pub seedproof: String,
    /// When the run began, as the caller writes dates.
    pub date: String,
    /// The command line.
    pub command: String,
    /// The whole corpus, before any selection.
    pub corpus: Corpus,
    /// The reading that was judged against.
    pub reading: String,
    /// The queries that selected cases; empty for all cases.
    pub filter: Vec<String>,
    /// Which shard of how many, from 1.
    pub shard: Option<(u32, u32)>,
    /// The implementations, in the order of the report.
    pub implementations: Vec<Implementation>,
}

/// The corpus of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    /// A hash over all of it.
    pub hash: String,
    /// Number of cases.
    pub cases: usize,
}

impl Corpus {
    /// The first twelve characters of the hash: enough to tell two corpora apart by eye.
    pub fn short(&self) -> String {
        let short: String = self.hash.chars().take(12).collect();
        inert(&short, 12)
    }
}

/// An implementation that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// Its name.
    pub id: BackendId,
    /// Version and such.
    pub description: String,
    /// Device and driver; empty where there is nothing to say.
    pub device: String,
    /// The command that runs it; with a case after it, it reruns the case: `seedproof run --backend cpu/avx2`.
    pub rerun: String,
}

/// A case with what was found of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The case.
    pub facts: CaseFacts,
    /// By implementation.
    pub findings: BTreeMap<BackendId, Finding>,
}

/// A diagnosis of one implementation's failing cases in one log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagnosed {
    /// The implementation.
    #[serde(with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub backend: BackendId,
    /// Why they fail.
    pub diagnosis: Diagnosis,
}

/// Something that was not run, and why: an absent backend, cases left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// What.
    pub what: String,
    /// Why.
    pub reason: String,
}

/// How many findings of one implementation came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Findings.
    pub judged: usize,
    /// As expected.
    pub passed: usize,
    /// Claimed: all but the unsupported.
    pub claimed: usize,
    /// Neither passed nor unsupported.
    pub failing: usize,
    /// Failing, as an expectation file expects.
    pub expected: usize,
}

impl Tally {
    /// Failing, and nobody expected it.
    pub const fn unexpected(&self) -> usize {
        self.failing - self.expected
    }
}

/// By implementation and case, the explanations that hold: a diagnosis, and an explanation of it.
type Answers = BTreeMap<BackendId, BTreeMap<CaseId, Vec<(usize, usize)>>>;

/// A conformance run, joined from one event log or several.
///
/// Cases are in the order of their ids and findings in the order of their implementations' names, so that no
/// document depends on which thread or shard was first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    headers: Vec<Header>,
    cases: BTreeMap<CaseId, Judged>,
    pub(crate) tallies: BTreeMap<BackendId, Tally>,
    pub(crate) expected: BTreeMap<(BackendId, CaseId), String>,
    pub(crate) violations: Vec<String>,
    diagnoses: Vec<Diagnosed>,
    answers: Answers,
    left_out: Vec<LeftOut>,
    cut_short: usize,
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
                // Half a line is what a writer leaves that was stopped in the middle of it.
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

    /// Adds what an event tells.
    ///
    /// # Errors
    /// [`ReportError`] if the event does not fit what came before it: an unknown implementation or case, a second
    /// finding, another corpus, a wrong count.
    pub fn apply(&mut self, event: Event) -> Result<(), ReportError> {
        match event {
            Event::Run(header) => self.begin(*header),
            Event::Case(facts) => self.describe(*facts),
            Event::Finding(finding) => self.add(*finding),
            Event::Diagnosis(diagnosed) => self.diagnose(diagnosed),
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
            let same = |what: &str, first: String, other: String| {
                if first == other {
                    Ok(())
                } else {
                    Err(ReportError::OtherRun {
                        what: what.to_owned(),
                        first,
                        other,
                    })
                }
            };
            same(
                "the corpus",
                first.corpus.hash.clone(),
                header.corpus.hash.clone(),
            )?;
            same(
                "the number of cases",
                first.corpus.cases.to_string(),
                header.corpus.cases.to_string(),
            )?;
            same(
                "the program's version",
                first.seedproof.clone(),
                header.seedproof.clone(),
            )?;
            same("the reading", first.reading.clone(), header.reading.clone())?;
            for other in &header.implementations {
                if let Some(known) = self.implementations().find(|known| known.id == other.id) {
                    let told = |it: &Implementation| format!("{} ({})", it.description, it.device);
                    same(
                        &format!("the implementation {}", known.id),
                        told(known),
                        told(other),
                    )?;
                }
            }
        }
        self.headers.push(header);
        self.open = Some(0);
        Ok(())
    }

    fn describe(&mut self, facts: CaseFacts) -> Result<(), ReportError> {
        match self.cases.get(&facts.id) {
            Some(known) if known.facts == facts => Ok(()),
            Some(_) => Err(ReportError::CaseDiffers(facts.id.to_string())),
            None => {
                let findings = BTreeMap::new();
                self.cases.insert(facts.id.clone(), Judged { facts, findings });
                Ok(())
            }
        }
    }

    fn add(&mut self, finding: Finding) -> Result<(), ReportError> {
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

    fn diagnose(&mut self, diagnosed: Diagnosed) -> Result<(), ReportError> {
        if self.implementation(&diagnosed.backend).is_none() {
            return Err(ReportError::UnknownBackend(diagnosed.backend.to_string()));
        }
        let unknown = diagnosed
            .diagnosis
            .explanations
            .iter()
            .flat_map(|explanation| &explanation.cases)
            .find(|case| !self.cases.contains_key(case));
        if let Some(case) = unknown {
            return Err(ReportError::UnknownCase(case.to_string()));
        }
        // What an unexplained diagnosis lists came nearest and is no answer.
        if diagnosed.diagnosis.verdict != Verdict::Unexplained {
            let answers = self.answers.entry(diagnosed.backend.clone()).or_default();
            for (i, explanation) in diagnosed.diagnosis.explanations.iter().enumerate() {
                for case in &explanation.cases {
                    answers
                        .entry(case.clone())
                        .or_default()
                        .push((self.diagnoses.len(), i));
                }
            }
        }
        self.diagnoses.push(diagnosed);
        Ok(())
    }

    /// What ran; empty only for a run without events.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The implementations, each once, in the order in which the logs name them.
    pub fn implementations(&self) -> impl Iterator<Item = &Implementation> {
        self.headers.iter().enumerate().flat_map(|(i, header)| {
            let earlier = &self.headers[..i];
            header.implementations.iter().filter(move |implementation| {
                !earlier
                    .iter()
                    .flat_map(|header| &header.implementations)
                    .any(|known| known.id == implementation.id)
            })
        })
    }

    /// An implementation by its name.
    pub fn implementation(&self, id: &BackendId) -> Option<&Implementation> {
        self.implementations().find(|known| known.id == *id)
    }

    /// The cases with their findings, in the order of their ids.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = &Judged> {
        self.cases.values()
    }

    /// A case by its id.
    pub fn case(&self, id: &CaseId) -> Option<&Judged> {
        self.cases.get(id)
    }

    /// The findings of one implementation, in the order of the cases' ids.
    pub fn findings<'a>(&'a self, backend: &'a BackendId) -> impl Iterator<Item = &'a Finding> {
        self.cases
            .values()
            .filter_map(move |judged| judged.findings.get(backend))
    }

    /// The diagnoses, in the order of the logs.
    pub fn diagnoses(&self) -> &[Diagnosed] {
        &self.diagnoses
    }

    /// What was not run, and why.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Number of logs that stop before their `end` event.
    pub fn cut_short(&self) -> usize {
        self.cut_short + usize::from(self.open.is_some())
    }

    /// The explanations that give a case of an implementation in full, best first.
    pub fn explanations(&self, backend: &BackendId, case: &CaseId) -> impl Iterator<Item = &Explanation> {
        let places = self.answers.get(backend).and_then(|by_case| by_case.get(case));
        places
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .map(|&(diagnosis, i)| &self.diagnoses[diagnosis].diagnosis.explanations[i])
    }

    /// Number of an implementation's cases that explanations of this name give in full, over all logs.
    pub fn explained(&self, backend: &BackendId, name: &str) -> usize {
        self.diagnoses
            .iter()
            .filter(|it| it.backend == *backend && it.diagnosis.verdict != Verdict::Unexplained)
            .flat_map(|it| &it.diagnosis.explanations)
            .filter(|explanation| explanation.cause.name == name)
            .map(|explanation| explanation.cases.len())
            .sum()
    }

    /// Counts of one implementation.
    pub fn tally(&self, backend: &BackendId) -> Tally {
        self.tallies.get(backend).copied().unwrap_or_default()
    }
}

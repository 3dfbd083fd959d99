//! Failures by their cause, before any list of cases: "fused-scale explains 31 of 33".

use std::collections::{BTreeMap, BTreeSet};

use seedproof_check::{CauseKind, Explanation, Finding, Outcome};
use seedproof_ops::BackendId;

use crate::Run;
use crate::words::{of_them_expected, thousands};

/// Why a group of findings does not conform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason<'a> {
    /// An explanation gives them in full.
    Explained(&'a Explanation),
    /// They are right under this reading.
    Reading(&'a str),
    /// Wrong values or wrong rejections without an explanation.
    Unexplained,
    /// There is no value to explain: a crash, a timeout, a broken claim, ….
    NoAnswer(Outcome),
}

/// Findings of one implementation that fail for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<'a> {
    /// The reason of all of them.
    pub reason: Reason<'a>,
    /// Other explanations that give each of these cases as well.
    pub rivals: Vec<&'a str>,
    /// The findings, in the order of their cases' ids. Never empty.
    pub findings: Vec<&'a Finding>,
}

impl Group<'_> {
    /// Number of its findings that are expected failures.
    pub fn expected(&self, run: &Run) -> usize {
        self.findings
            .iter()
            .filter(|finding| run.expected(finding).is_some())
            .count()
    }

    /// The group's share of the failures: `explains 31 of 33, 3 of them expected`; `: 2 of 33` for what is no
    /// explanation.
    pub(crate) fn share(&self, run: &Run, failing: usize) -> String {
        let verb = match self.reason {
            Reason::Explained(_) => " explains",
            _ => ":",
        };
        let given = self.findings.len();
        let expected = of_them_expected(self.expected(run), given);
        format!("{verb} {} of {}{expected}", thousands(given), thousands(failing))
    }

    /// The name of the cause, with the number of others that explain as much: `carry-lost or 9 others`.
    pub fn name(&self) -> String {
        let name = self.reason.name();
        match self.rivals.len() {
            0 => name,
            1 => format!("{name} or {}", self.rivals[0]),
            n => format!("{name} or {n} others"),
        }
    }
}

impl Reason<'_> {
    /// The name of the cause: an explanation's id, `as NAME`, `no known cause`, an outcome's word.
    pub fn name(&self) -> String {
        match self {
            Self::Explained(explanation) => explanation.cause.name.clone(),
            Self::Reading(name) => format!("as {name}"),
            Self::Unexplained => "no known cause".to_owned(),
            Self::NoAnswer(outcome) => outcome.word().to_owned(),
        }
    }

    /// What it means, in one sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Explained(explanation) => explanation.cause.sentence.clone(),
            Self::Reading(name) => format!("wrong under the requested reading, right under {name}"),
            Self::Unexplained => {
                "no reading, mistake or structure that is known gives these outputs".to_owned()
            }
            Self::NoAnswer(outcome) => outcome.meaning().to_owned(),
        }
    }
}

/// The failing findings of one implementation by cause, the largest group first.
pub fn groups<'a>(run: &'a Run, backend: &'a BackendId) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<String, Group<'a>> = BTreeMap::new();
    for finding in run
        .findings(backend)
        .filter(|finding| !finding.outcome.conforms())
    {
        let explanations: Vec<&Explanation> = run.explanations(backend, &finding.case).collect();
        // The first explanation gives most cases, so that the failures of one fault are one group; the finding's own
        // readings are in no order.
        let reason = match (explanations.first(), finding.outcome) {
            (Some(it), _) if it.cause.kind == CauseKind::Reading => Reason::Reading(&it.cause.name),
            (Some(explanation), _) => Reason::Explained(explanation),
            (None, Outcome::OtherReading) => match finding.readings.first() {
                Some(reading) => Reason::Reading(reading),
                None => Reason::NoAnswer(Outcome::OtherReading),
            },
            (None, Outcome::Fail | Outcome::Rejects) => Reason::Unexplained,
            (None, outcome) => Reason::NoAnswer(outcome),
        };
        let others: BTreeSet<&str> = explanations
            .iter()
            .skip(1)
            .map(|it| it.cause.name.as_str())
            .collect();
        let group = groups.entry(reason.name()).or_insert_with(|| Group {
            reason,
            rivals: others.iter().copied().collect(),
            findings: Vec::new(),
        });
        group.rivals.retain(|rival| others.contains(rival));
        group.findings.push(finding);
    }
    let mut groups: Vec<Group<'a>> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.findings.len()));
    groups
}

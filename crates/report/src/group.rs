//! Failures by their cause, before any list of cases: "fused-scale explains 31 of 33".

use std::collections::{BTreeMap, BTreeSet};

use seedproof_check::{CauseKind, Diagnosis, Explanation, Finding, MOSTLY_RIGHT, Mismatch, Outcome};
use seedproof_ops::BackendId;
use serde::Serialize;

use crate::known::known;
use crate::run::Run;
use crate::untrusted::one_line;
use crate::why::{Why, equals, none_of};
use crate::words::{of_them_expected, thousands};

/// Why a group of findings does not conform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason<'a> {
    /// An explanation reproduces their outputs in full.
    Explained(&'a Explanation),
    /// They are right under this reading.
    Reading(&'a str),
    /// Wrong values or wrong rejections that no candidate of this diagnosis reproduces.
    Unexplained(&'a Diagnosis),
    /// Wrong values or wrong rejections that were not diagnosed.
    NotDiagnosed,
    /// The values are not distributed as they should be. Every execution draws other ones, so no candidate can be
    /// compared with them; the cause of other cases may apply.
    NotRandom,
    /// There is no value to explain: a crash, a timeout, a broken claim, ….
    NoAnswer(Outcome),
}

/// The kind of a [`Reason`], for programs. Its name and its sentence are for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// An explanation of the diagnosis.
    Explained,
    /// The findings are right under another reading.
    Reading,
    /// A diagnosis found no cause.
    Unexplained,
    /// The findings were not diagnosed.
    NotDiagnosed,
    /// Every execution draws other numbers, so that no cause can be compared with them.
    NotRandom,
    /// There is no value to explain.
    NoAnswer,
}

/// Findings of one implementation that fail for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<'a> {
    /// The reason for all of them.
    pub reason: Reason<'a>,
    /// The names of other explanations that reproduce every one of these cases as well.
    pub rivals: Vec<&'a str>,
    /// For unexplained findings, the candidate that is the nearest one in most cases, and the number of these cases.
    pub nearest: Option<(&'a str, usize)>,
    /// The findings, in the order of their cases' ids. Never empty.
    pub findings: Vec<&'a Finding>,
}

impl Group<'_> {
    /// The number of findings that are expected failures.
    pub fn expected(&self, run: &Run) -> usize {
        self.findings
            .iter()
            .filter(|finding| run.expected(finding).is_some())
            .count()
    }

    /// The group's share of the failures: ` explains 31 of 33, 3 of them expected`, or `: 2 of 33` if the reason is not
    /// an explanation. It follows the group's name.
    pub(crate) fn share(&self, run: &Run, failing: usize) -> String {
        let verb = match self.reason {
            Reason::Explained(_) => " explains",
            _ => ":",
        };
        let given = self.findings.len();
        let expected = of_them_expected(self.expected(run), given);
        format!("{verb} {} of {}{expected}", thousands(given), thousands(failing))
    }

    /// The property that the explained cases share; empty if there is none.
    pub fn shared_property(&self) -> &str {
        match self.reason {
            Reason::Explained(explanation) => &explanation.only,
            _ => "",
        }
    }

    /// The meaning of the reason; of unexplained findings what is known of them, and the nearest candidate.
    pub fn sentence(&self) -> String {
        let known = match self.reason {
            Reason::Unexplained(_) => known(&self.findings),
            _ => None,
        };
        let mut sentence = known.unwrap_or_else(|| self.reason.sentence());
        if let Some((name, cases)) = self.nearest {
            let cases = thousands(cases);
            sentence.push_str(&match name {
                MOSTLY_RIGHT => format!("; most elements of {cases} of them are right"),
                _ => format!("; nearest to {cases} of them is {}", one_line(name)),
            });
        }
        sentence
    }

    /// The name of the cause, with the number of others that explain as much: `carry-lost or 9 others`.
    pub fn name(&self) -> String {
        self.with_rivals(&self.reason.name())
    }

    /// A name of the cause with its rivals.
    pub(crate) fn with_rivals(&self, name: &str) -> String {
        match self.rivals[..] {
            [] => name.to_owned(),
            [rival] => format!("{name} or {rival}"),
            _ => format!("{name} or {} others", self.rivals.len()),
        }
    }
}

impl<'a> Reason<'a> {
    /// The key by which findings are grouped. Explanations count as equal by their name, since every shard of a run has
    /// its own diagnosis, with its own numbers for the same cause.
    fn key(&self) -> (ReasonKind, &'a str, Option<Outcome>) {
        match *self {
            Self::Explained(explanation) => (ReasonKind::Explained, &explanation.cause.name, None),
            Self::Reading(name) => (ReasonKind::Reading, name, None),
            Self::Unexplained(_) => (ReasonKind::Unexplained, "", None),
            Self::NotDiagnosed => (ReasonKind::NotDiagnosed, "", None),
            Self::NotRandom => (ReasonKind::NotRandom, "", None),
            Self::NoAnswer(outcome) => (ReasonKind::NoAnswer, "", Some(outcome)),
        }
    }

    /// The kind of reason, without its details.
    pub fn kind(&self) -> ReasonKind {
        self.key().0
    }

    /// The name of the cause: an explanation's id, `as NAME`, `no known cause`, an outcome's word.
    pub fn name(&self) -> String {
        match self {
            Self::Explained(explanation) => explanation.cause.name.clone(),
            Self::Reading(name) => format!("as {name}"),
            Self::Unexplained(_) => "no known cause".to_owned(),
            Self::NotDiagnosed => "not diagnosed".to_owned(),
            Self::NotRandom => "not random".to_owned(),
            Self::NoAnswer(outcome) => outcome.word().to_owned(),
        }
    }

    /// The meaning of the reason, in one sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Explained(it) if it.only.is_empty() => it.cause.sentence.clone(),
            Self::Explained(it) => format!("{}; {}", it.cause.sentence, it.only),
            Self::Reading(name) => format!("wrong under the requested reading, right under {name}"),
            Self::Unexplained(diagnosis) => match none_of(diagnosis) {
                Some(none) => format!("{none} these outputs"),
                None => "no candidate was tried".to_owned(),
            },
            Self::NotDiagnosed => {
                "the outputs are too large to be kept, or known only by their digests".to_owned()
            }
            Self::NotRandom => {
                "not reproducible, so not diagnosed on its own; the causes found for other cases may apply"
                    .to_owned()
            }
            Self::NoAnswer(outcome) => outcome.meaning().to_owned(),
        }
    }
}

/// The failing findings of one implementation by cause, the largest group first.
pub fn groups<'a>(run: &'a Run, backend: &'a BackendId) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<_, Group<'a>> = BTreeMap::new();
    let mut nearest: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in run
        .findings(backend)
        .filter(|finding| !finding.outcome.conforms())
    {
        let why = run.why(backend, &finding.case);
        let explanations: Vec<&Explanation> = match &why {
            Why::Explained(explanations) => equals(explanations)
                .into_iter()
                .map(|it| it.explanation)
                .collect(),
            _ => Vec::new(),
        };
        // A diagnosis lists the explanation of most cases first, so the failures of one fault become one group. The
        // readings in the finding itself have no such order.
        let reason = match (explanations.first(), finding.outcome, &why) {
            (Some(it), ..) if it.cause.kind == CauseKind::Reading => Reason::Reading(&it.cause.name),
            (Some(explanation), ..) => Reason::Explained(explanation),
            (None, Outcome::OtherReading, _) => match finding.readings.first() {
                Some(reading) => Reason::Reading(reading),
                None => Reason::NoAnswer(Outcome::OtherReading),
            },
            (None, Outcome::Fail | Outcome::Rejects, Why::Unexplained { diagnosis, .. }) => {
                Reason::Unexplained(diagnosis)
            }
            (None, Outcome::Fail, _) if matches!(finding.mismatch, Some(Mismatch::Statistics { .. })) => {
                Reason::NotRandom
            }
            (None, Outcome::Fail | Outcome::Rejects, _) => Reason::NotDiagnosed,
            (None, outcome, _) => Reason::NoAnswer(outcome),
        };
        let others: BTreeSet<&str> = explanations
            .iter()
            .skip(1)
            .map(|it| it.cause.name.as_str())
            .collect();
        let group = groups.entry(reason.key()).or_insert_with(|| Group {
            reason,
            rivals: others.iter().copied().collect(),
            nearest: None,
            findings: Vec::new(),
        });
        if let (
            Reason::Unexplained(_),
            Why::Unexplained {
                nearest: Some(it), ..
            },
        ) = (group.reason, why)
        {
            *nearest.entry(&it.cause.name).or_default() += 1;
        }
        // Only a name that explains every case of the group is a rival: one further case can rule it out.
        group.rivals.retain(|rival| others.contains(rival));
        group.findings.push(finding);
    }
    let mut groups: Vec<Group<'a>> = groups.into_values().collect();
    // Of equally frequent candidates the first by name, so that the report does not depend on the order of the cases.
    let most = nearest
        .into_iter()
        .max_by_key(|&(name, cases)| (cases, std::cmp::Reverse(name)));
    for group in &mut groups {
        group.nearest = most.filter(|_| matches!(group.reason, Reason::Unexplained(_)));
    }
    // Cases are not run because an adapter was given up, so the failure that caused this comes
    // first, however few cases it has.
    groups.sort_by_cached_key(|group| {
        let follows = group.reason == Reason::NoAnswer(Outcome::NotRun);
        (
            follows,
            std::cmp::Reverse(group.findings.len()),
            group.reason.name(),
        )
    });
    groups
}

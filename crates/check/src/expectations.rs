//! Expectation files: the known failures of an implementation, with the reasons to accept them for now.
//!
//! An entry names the outcome. It is a violation if it matches nothing, if a case that it matches passes or fails in
//! another way, or if its last day is over.
//!
//! An answer that is expected to change, such as unwritten memory, may also be wrong in the same way each time.
//!
//! ```yaml
//! schema: 1
//! expectations:
//!   - match: ["adapter/torch::ru8/pytorch/f16/*"]   # globs on `backend::case`, or on the case alone
//!     outcome: other-reading torch-2.12
//!     diagnosis: via-f32                            # optional: the name of the first explanation
//!     outputs: [5df6e0e2…]                          # optional, without a diagnosis: the sums of the wrong outputs
//!     reason: halves are drawn through f32 since 2.12
//!     issue: https://example.org/1                  # optional
//!     until: 2027-06-30                             # optional: the last day
//! ```
//!
//! A failure is expected only while it stays the same. An entry that no longer applies is an error rather than dead
//! text: otherwise a fix that is lost again would go unnoticed.
//!
//! ```
//! use seedproof_check::expectations::{Extent, Observed, ViolationKind, parse, review};
//! use seedproof_check::{Finding, Outcome};
//! use seedproof_corpus::CaseId;
//! use seedproof_ops::BackendId;
//!
//! let entries = parse(
//!     "expected.yaml",
//!     "schema: 1\nexpectations:\n  - match: ['mine::ru8/*']\n    outcome: crash\n    reason: see issue 1\n",
//! )?;
//! let mine = BackendId::new("mine");
//! let today = "2027-01-31".parse()?;
//! let passes = Finding::new(CaseId::new("ru8/a")?, mine.clone(), Outcome::Pass);
//! let observed = [Observed { finding: &passes, diagnosis: None }];
//! let review = review(&entries, &observed, &[&mine], Extent::Whole, today);
//! assert!(matches!(review.violations[0].kind, ViolationKind::Passes { .. }), "the entry is out of date");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bless;
mod date;
mod file;

use std::fmt;

pub use bless::{Blessed, Unseen, bless};
pub use date::{Date, InvalidDate};
pub use file::{ExpectationError, parse};

use seedproof_corpus::Glob;
use seedproof_ops::BackendId;

use crate::model::finding::Finding;
use crate::model::outcome::Outcome;

/// One entry of an expectation file.
///
/// ```
/// use seedproof_check::{Outcome, expectations::parse};
///
/// let yaml = "\
/// schema: 1
/// expectations:
///   - match: [ru8/pytorch/f16/*]
///     outcome: other-reading torch-2.12
///     reason: halves are drawn through f32 since 2.12
///     until: 2027-06-30
/// ";
/// let entries = parse("known.yaml", yaml)?;
/// assert_eq!((entries[0].line, entries[0].outcome), (3, Outcome::OtherReading));
/// assert_eq!(entries[0].reading.as_deref(), Some("torch-2.12"));
/// assert!(entries[0].until < Some("2027-07-01".parse()?), "the entry is valid until the last day of June");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line on which it begins, counted from 1.
    pub line: usize,
    /// Patterns of findings ([`is_about`]). Never empty.
    pub matches: Vec<String>,
    /// The outcome of all findings that match. Neither `pass` nor `infrastructure`.
    pub outcome: Outcome,
    /// With the outcome `other-reading`, a reading with the same answer as the implementation. There may be others.
    pub reading: Option<String>,
    /// The name of the first explanation in the diagnosis, where it is part of the expectation.
    pub diagnosis: Option<String>,
    /// The sums of the wrong outputs ([`Finding::output`]), of all matching cases together. If it is empty, any wrong
    /// output is expected.
    pub outputs: Vec<String>,
    /// Why the failure is accepted.
    pub reason: String,
    /// The address of an issue.
    pub issue: Option<String>,
    /// The last day on which the entry is valid.
    pub until: Option<Date>,
}

/// A finding with the name of the first explanation of its diagnosis, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// One finding of the run.
    pub finding: &'a Finding,
    /// The name of the explanation.
    pub diagnosis: Option<&'a str>,
}

/// The extent of a run. A pattern that matches nothing is a violation only if the run was of the whole corpus.
///
/// ```
/// use seedproof_check::expectations::{Extent, parse, review};
/// # use seedproof_ops::BackendId;
///
/// let yaml = "{schema: 1, expectations: [{match: [ru8/*], outcome: crash, reason: see issue 1}]}";
/// let entries = parse("known.yaml", yaml)?;
/// let (mine, today) = (BackendId::new("mine"), "2027-01-31".parse()?);
/// let violations = |extent| review(&entries, &[], &[&mine], extent, today).violations;
/// assert_eq!(violations(Extent::Whole)[0].to_string(), "line 1: `ru8/*` matches nothing");
/// assert!(violations(Extent::Part).is_empty(), "the cases may be in another part");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The whole corpus.
    Whole,
    /// The selection of a query, or a shard.
    Part,
}

/// A fault of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The line of the entry, from 1.
    pub line: usize,
    /// The sort of fault.
    pub kind: ViolationKind,
}

/// The sort of a fault of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The pattern matches no finding, or only findings that an earlier entry matches.
    MatchesNothing {
        /// The pattern.
        pattern: String,
    },
    /// The case passes.
    Passes {
        /// `backend::case`.
        trial: String,
    },
    /// The case has another outcome, or another diagnosis.
    Differs {
        /// `backend::case`.
        trial: String,
        /// The entry's outcome.
        expected: String,
        /// The finding's.
        found: String,
    },
    /// Its last day is over.
    Expired {
        /// The last day.
        until: Date,
    },
}

impl Violation {
    fn of_unused(line: usize, pattern: &str) -> Self {
        let pattern = pattern.to_owned();
        let kind = ViolationKind::MatchesNothing { pattern };
        Self { line, kind }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            ViolationKind::MatchesNothing { pattern } => write!(f, "`{pattern}` matches nothing"),
            ViolationKind::Passes { trial } => write!(f, "{trial} passes"),
            ViolationKind::Differs {
                trial,
                expected,
                found,
            } => write!(f, "{trial} fails differently: expected {expected}, found {found}"),
            ViolationKind::Expired { until } => write!(f, "expired: its last day was {until}"),
        }
    }
}

/// The result of comparing findings with an expectation file.
///
/// ```
/// use seedproof_check::expectations::{Extent, Observed, parse, review};
/// # use seedproof_check::{Finding, Outcome};
/// # use seedproof_corpus::CaseId;
/// # use seedproof_ops::BackendId;
///
/// let yaml = "{schema: 1, expectations: [{match: [ru8/a], outcome: fail, reason: see issue 1}]}";
/// let entries = parse("known.yaml", yaml)?;
/// let mine = BackendId::new("mine");
/// let cases = [CaseId::new("ru8/a")?, CaseId::new("ru8/b")?];
/// let findings = cases.map(|case| Finding::new(case, mine.clone(), Outcome::Fail));
/// let observed = findings.each_ref().map(|finding| Observed { finding, diagnosis: None });
/// let review = review(&entries, &observed, &[&mine], Extent::Whole, "2027-01-31".parse()?);
/// let reasons = review.expected.iter().map(|index| index.map(|index| entries[index].reason.as_str()));
/// assert!(reasons.eq([Some("see issue 1"), None]), "the second failure is new");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The faults of the file's entries, by line.
    pub violations: Vec<Violation>,
    /// For each finding, the index of the first entry that matches it, if that entry expects what was found.
    pub expected: Vec<Option<usize>>,
}

/// Compares findings with an expectation file.
///
/// The first entry that matches a finding decides. `implementations` are those of the run: a pattern for another
/// implementation is not stale, since this run cannot have a finding for it.
pub fn review(
    entries: &[Entry],
    observed: &[Observed<'_>],
    implementations: &[&BackendId],
    extent: Extent,
    today: Date,
) -> Review {
    let mut used: Vec<Vec<bool>> = entries
        .iter()
        .map(|entry| vec![false; entry.matches.len()])
        .collect();
    let mut violations = Vec::new();
    let mut expected = Vec::with_capacity(observed.len());
    for one in observed {
        let about = |entry: &Entry| entry.matches.iter().any(|pattern| is_about(pattern, one.finding));
        let Some(index) = entries.iter().position(about) else {
            expected.push(None);
            continue;
        };
        let entry = &entries[index];
        // Mark every pattern that matches. Two patterns may overlap, but a pattern that matches nothing is an error.
        for (used, pattern) in used[index].iter_mut().zip(&entry.matches) {
            *used |= is_about(pattern, one.finding);
        }
        let wrong = violation(entry, one);
        expected.push(wrong.is_none().then_some(index));
        violations.extend(wrong.map(|kind| Violation {
            line: entry.line,
            kind,
        }));
    }
    for (entry, used) in entries.iter().zip(&used) {
        let line = entry.line;
        if extent == Extent::Whole {
            let about = |pattern: &str| implementations.iter().any(|id| is_about_backend(pattern, id));
            let unused = entry.matches.iter().zip(used).filter(|(_, used)| !**used);
            let unused = unused.filter(|(pattern, _)| about(pattern));
            violations.extend(unused.map(|(pattern, _)| Violation::of_unused(line, pattern)));
        }
        if let Some(until) = entry.until
            && until < today
        {
            violations.push(Violation {
                line,
                kind: ViolationKind::Expired { until },
            });
        }
    }
    violations.sort_by_key(|violation| violation.line);
    Review { violations, expected }
}

/// The patterns that match no case of a corpus, whose ids these are. A part of a run shows them as well as the whole does, where
/// [`review`] cannot know what the other parts find.
pub fn gone<'a>(entries: &[Entry], ids: impl IntoIterator<Item = &'a str>) -> Vec<Violation> {
    let mut open = Vec::new();
    for entry in entries {
        let patterns = entry.matches.iter();
        open.extend(patterns.map(|pattern| (entry.line, pattern, Glob::new(parts(pattern).1))));
    }
    for id in ids {
        open.retain(|(.., glob)| !glob.matches(id));
    }
    let violation = |(line, pattern, _): &(usize, &String, Glob)| Violation::of_unused(*line, pattern);
    open.iter().map(violation).collect()
}

/// The fault that a finding shows in the entry that decides about it.
fn violation(entry: &Entry, one: &Observed<'_>) -> Option<ViolationKind> {
    let trial = trial(one.finding);
    if one.finding.outcome == Outcome::Pass {
        return Some(ViolationKind::Passes { trial });
    }
    let same_diagnosis = entry.diagnosis.is_none() || entry.diagnosis.as_deref() == one.diagnosis;
    let same_outcome = entry.has_outcome_of(one.finding) && same_diagnosis;
    // Without a diagnosis two different faults look the same, so that the entry may name the wrong outputs.
    let output = one.finding.output.as_ref();
    let same_output = entry.outputs.is_empty() || output.is_some_and(|output| entry.outputs.contains(output));
    if same_outcome && same_output {
        return None;
    }
    let with_diagnosis = |outcome: String, diagnosis: Option<&str>| match diagnosis {
        Some(diagnosis) => format!("{outcome}, {diagnosis}"),
        None => outcome,
    };
    let expected = outcome_text(entry.outcome, entry.reading.as_slice());
    let mut expected = with_diagnosis(expected, entry.diagnosis.as_deref());
    let found = outcome_text(one.finding.outcome, &one.finding.readings);
    let mut found = with_diagnosis(found, one.diagnosis);
    if same_outcome {
        expected += " with another output";
        if let Some(output) = output {
            found += &format!(" with the output {output}");
        }
    }
    Some(ViolationKind::Differs {
        trial,
        expected,
        found,
    })
}

impl Entry {
    /// Whether a finding has the outcome that the entry expects.
    fn has_outcome_of(&self, finding: &Finding) -> bool {
        // Unwritten memory may hold the same numbers twice. The outcome is then a failure, although nothing was fixed.
        let repeats = self.outcome == Outcome::NotRepeatable && finding.outcome == Outcome::Fail;
        (finding.outcome == self.outcome || repeats)
            && self
                .reading
                .as_ref()
                .is_none_or(|reading| finding.readings.contains(reading))
    }
}

/// Whether a pattern matches a finding: a glob on the case, or `backend::case` with a glob on either side.
///
/// ```
/// use seedproof_check::{Finding, Outcome, expectations::is_about};
/// use seedproof_corpus::CaseId;
/// use seedproof_ops::BackendId;
///
/// let case = CaseId::new("ru8/pytorch/f16/range-unit")?;
/// let finding = Finding::new(case, BackendId::new("adapter/torch"), Outcome::Fail);
/// assert!(is_about("ru8/*/f16/*", &finding));
/// assert!(is_about("adapter/*::ru8/*", &finding));
/// assert!(!is_about("mine::ru8/*", &finding));
/// # Ok::<(), seedproof_corpus::InvalidId>(())
/// ```
pub fn is_about(pattern: &str, finding: &Finding) -> bool {
    is_about_backend(pattern, &finding.backend) && Glob::new(parts(pattern).1).matches(finding.case.as_str())
}

/// Whether a pattern matches cases of this implementation.
fn is_about_backend(pattern: &str, backend: &BackendId) -> bool {
    parts(pattern)
        .0
        .is_none_or(|glob| Glob::new(glob).matches(backend.as_str()))
}

/// The globs of a pattern, on the implementation and on the case.
fn parts(pattern: &str) -> (Option<&str>, &str) {
    match pattern.split_once("::") {
        Some((backend, case)) => (Some(backend), case),
        None => (None, pattern),
    }
}

/// `backend::case`.
pub(crate) fn trial(finding: &Finding) -> String {
    format!("{}::{}", finding.backend, finding.case)
}

/// An outcome, with the first of the readings that have the same answer: `other-reading torch-2.12`.
pub(crate) fn outcome_text(outcome: Outcome, readings: &[String]) -> String {
    match readings {
        [first, ..] => format!("{} {first}", outcome.word()),
        [] => outcome.word().to_owned(),
    }
}

#[cfg(test)]
mod tests;

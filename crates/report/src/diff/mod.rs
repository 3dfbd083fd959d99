//! The difference between two runs, by implementation and case: failures that are new, that are fixed, and answers that
//! changed otherwise.

mod document;

use std::collections::BTreeSet;

use seedproof_check::{Finding, Outcome};
use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;
use serde::Serialize;

use crate::Run;

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// Why the runs are not quite of the same things, a sentence each.
    pub caveats: Vec<String>,
    /// The implementations that both runs judged.
    pub implementations: Vec<Changes>,
    /// The implementations that one run alone judged, with the name of that run: `old` or `new`.
    pub unmatched: Vec<(String, BackendId)>,
}

/// The differences of one implementation, each in the order of the cases' ids.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Changes {
    /// Its name.
    pub implementation: String,
    /// Cases that fail now, and did not before or were not judged.
    pub new_failures: Vec<Change>,
    /// Failures that pass now.
    pub fixed: Vec<Change>,
    /// Cases with another outcome or another wrong output, which are neither.
    pub changed: Vec<Change>,
    /// Cases that the new run did not judge.
    pub gone: Vec<Change>,
    /// Cases that pass or are unsupported, and were not judged before.
    pub added: usize,
    /// Number of cases with the same finding.
    pub unchanged: usize,
}

/// A case with its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The id.
    pub case: String,
    /// The outcome in the old run; absent where it was not judged.
    pub old: Option<Outcome>,
    /// The outcome in the new run; absent where it was not judged.
    pub new: Option<Outcome>,
    /// What the new finding says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// What became of a case.
enum Kind {
    New,
    Fixed,
    Changed,
    Gone,
    Added,
    Unchanged,
}

impl Diff {
    /// The difference between two runs. Cases are compared by their ids.
    pub fn of(old: &Run, new: &Run) -> Self {
        let both = new
            .implementations()
            .filter(|implementation| old.implementation(&implementation.id).is_some());
        Self {
            caveats: caveats(old, new),
            implementations: both
                .map(|implementation| Changes::of(old, new, &implementation.id))
                .collect(),
            unmatched: unmatched("old", old, new)
                .chain(unmatched("new", new, old))
                .collect(),
        }
    }

    /// Whether a case fails now that did not before.
    pub fn has_new_failures(&self) -> bool {
        self.implementations
            .iter()
            .any(|changes| !changes.new_failures.is_empty())
    }

    /// Whether there is nothing that both runs judged.
    pub fn is_empty(&self) -> bool {
        self.implementations.iter().all(Changes::is_apart)
    }
}

/// The implementations of one run that the other has not.
fn unmatched<'a>(
    name: &'a str,
    run: &'a Run,
    other: &'a Run,
) -> impl Iterator<Item = (String, BackendId)> + use<'a> {
    let alone = run
        .implementations()
        .filter(|implementation| other.implementation(&implementation.id).is_none());
    alone.map(move |implementation| (name.to_owned(), implementation.id.clone()))
}

fn caveats(old: &Run, new: &Run) -> Vec<String> {
    let (Some(before), Some(after)) = (old.headers().first(), new.headers().first()) else {
        return Vec::new();
    };
    let differ = |what: &str, before: &str, after: &str, so: &str| {
        (before != after).then(|| format!("the {what} differs, {before} and {after}{so}"))
    };
    let cut = |name: &str, run: &Run| {
        (run.cut_short() > 0).then(|| format!("the {name} log is cut short: findings are missing"))
    };
    [
        differ(
            "corpus",
            &before.corpus.short(),
            &after.corpus.short(),
            ": cases are compared by their ids",
        ),
        differ("reading", &before.reading, &after.reading, ""),
        differ("version of the program", &before.seedproof, &after.seedproof, ""),
        cut("old", old),
        cut("new", new),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Changes {
    fn of(old: &Run, new: &Run, backend: &BackendId) -> Self {
        let mut changes = Self {
            implementation: backend.to_string(),
            new_failures: Vec::new(),
            fixed: Vec::new(),
            changed: Vec::new(),
            gone: Vec::new(),
            added: 0,
            unchanged: 0,
        };
        let cases = |run: &Run| -> BTreeSet<CaseId> {
            run.findings(backend)
                .map(|finding| finding.case.clone())
                .collect()
        };
        for case in cases(old).union(&cases(new)) {
            let finding = |run: &Run| {
                run.case(case)
                    .and_then(|judged| judged.findings.get(backend))
                    .cloned()
            };
            let (before, after) = (finding(old), finding(new));
            let fails = |run: &Run, finding: &Option<Finding>| {
                finding
                    .as_ref()
                    .is_some_and(|it| !it.outcome.conforms() && run.expected(it).is_none())
            };
            let change = Change {
                case: case.to_string(),
                old: before.as_ref().map(|it| it.outcome),
                new: after.as_ref().map(|it| it.outcome),
                message: after.as_ref().map_or_else(String::new, |it| it.message.clone()),
            };
            match kind(
                before.as_ref(),
                after.as_ref(),
                fails(old, &before),
                fails(new, &after),
            ) {
                Kind::New => changes.new_failures.push(change),
                Kind::Fixed => changes.fixed.push(change),
                Kind::Changed => changes.changed.push(change),
                Kind::Gone => changes.gone.push(change),
                Kind::Added => changes.added += 1,
                Kind::Unchanged => changes.unchanged += 1,
            }
        }
        changes
    }

    /// Whether no case was judged in both runs.
    fn is_apart(&self) -> bool {
        let judged = |change: &Change| change.old.is_some() && change.new.is_some();
        let both = [&self.new_failures, &self.fixed, &self.changed];
        self.unchanged == 0 && !both.into_iter().flatten().any(judged)
    }
}

/// What became of a case, from its findings and from whether each is a failure that nobody expects.
fn kind(before: Option<&Finding>, after: Option<&Finding>, failed: bool, fails: bool) -> Kind {
    match (before, after) {
        (_, None) => Kind::Gone,
        (_, Some(_)) if fails && !failed => Kind::New,
        (None, Some(_)) => Kind::Added,
        (Some(_), Some(after)) if failed && after.outcome == Outcome::Pass => Kind::Fixed,
        // The wording of a message is no answer.
        (Some(before), Some(after)) => {
            let same = before.outcome == after.outcome
                && before.readings == after.readings
                && before.mismatch == after.mismatch;
            if same { Kind::Unchanged } else { Kind::Changed }
        }
    }
}

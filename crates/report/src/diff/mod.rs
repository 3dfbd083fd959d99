//! The difference between two runs, by implementation and case: new failures, fixed failures, passing cases that are no
//! longer judged, and other changes.

mod document;

use std::collections::BTreeSet;

use seedproof_check::{Finding, Outcome};
use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;
use serde::Serialize;

use crate::error::ReportError;
use crate::event::Header;
use crate::run::Run;

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The reasons why the runs are not entirely comparable, a sentence each.
    pub caveats: Vec<String>,
    /// The implementations that either run judged, those of the new run first.
    pub implementations: Vec<Changes>,
    /// The implementations that only one of the runs judged, with the name of that run: `old` or `new`.
    pub unmatched: Vec<(String, BackendId)>,
    /// The violations of expectations in the new run that the old one does not have.
    pub violations: Vec<String>,
    /// Whether a passing case may be missing from the new run.
    pub allow_lost: bool,
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
    /// Cases that passed, and are now unclaimed or not judged.
    pub lost: Vec<Change>,
    /// Cases with another outcome or another wrong output that are in no other list.
    pub changed: Vec<Change>,
    /// Cases that did not pass before, and that the new run did not judge.
    pub gone: Vec<Change>,
    /// The number of cases that pass or are unsupported, and were not judged before.
    pub added: usize,
    /// The number of cases with the same finding.
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
    /// The message of the new finding.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// How a case changed.
enum Kind {
    New,
    Fixed,
    Lost,
    Changed,
    Gone,
    Added,
    Unchanged,
}

impl Diff {
    /// The difference between two runs. Cases are compared by their ids. `allow_lost` is for a new run that judges less
    /// on purpose; see [`Self::is_worse`].
    pub fn of(old: &Run, new: &Run, allow_lost: bool) -> Self {
        let unmatched: Vec<(String, BackendId)> = unmatched("old", old, new)
            .chain(unmatched("new", new, old))
            .collect();
        let gone = unmatched.iter().filter(|(run, _)| run == "old").map(|(_, id)| id);
        let all = new.implementations().map(|it| &it.id).chain(gone);
        let violations = new.violations().iter();
        Self {
            caveats: caveats(old, new),
            implementations: all.map(|id| Changes::of(old, new, id)).collect(),
            violations: violations
                .filter(|it| !old.violations().contains(it))
                .cloned()
                .collect(),
            unmatched,
            allow_lost,
        }
    }

    /// Checks that two runs under a reading of the same name were judged by the same answers.
    ///
    /// # Errors
    /// [`ReportError::OtherAnswers`] if its user changed them in between. What changed then is not the implementation.
    pub fn check(old: &Run, new: &Run) -> Result<(), ReportError> {
        // Readings of the program have no digest, and neither have logs of earlier programs: `unknown_answers` says so.
        let answers = |run: &Run| {
            let header = run.headers().first()?;
            Some((header.reading.clone(), header.answers.clone()?))
        };
        match (answers(old), answers(new)) {
            (Some((reading, old)), Some((other, new))) if reading == other && old != new => {
                Err(ReportError::OtherAnswers { reading, old, new })
            }
            _ => Ok(()),
        }
    }

    /// Whether the new run is worse than the old one: a failure is new, an expectation no longer holds, or a case that
    /// passed is no longer judged.
    pub fn is_worse(&self) -> bool {
        // A lost case counts because a device that is no longer found takes its passing cases with
        // it, and no failure appears.
        let is_lost = self
            .implementations
            .iter()
            .any(|changes| !changes.lost.is_empty());
        self.has_new_failures() || !self.violations.is_empty() || (is_lost && !self.allow_lost)
    }

    /// Whether a case fails now that did not before.
    pub fn has_new_failures(&self) -> bool {
        self.implementations
            .iter()
            .any(|changes| !changes.new_failures.is_empty())
    }

    /// Whether the runs have no judged case in common.
    pub fn is_empty(&self) -> bool {
        self.implementations.iter().all(Changes::is_apart)
    }
}

/// The implementations of one run that the other one lacks.
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
    let cut = |name: &str, run: &Run| match (run.cut_short(), run.is_partial()) {
        (0, false) => None,
        (0, true) => Some(format!(
            "the {name} log is a part of its run: findings are missing"
        )),
        _ => Some(format!("the {name} log is cut short: findings are missing")),
    };
    let filter = |run: &Run| {
        // A joined run has a header for each log, and shards repeat the selection.
        let filters = run.headers().iter().map(|header| header.filter.join(" "));
        let filters: BTreeSet<String> = filters.filter(|it| !it.is_empty()).collect();
        match filters.len() {
            0 => "all cases".to_owned(),
            _ => filters.into_iter().collect::<Vec<_>>().join(" or "),
        }
    };
    let options = |header: &Header| match &header.options[..] {
        [] => "none".to_owned(),
        all => all.join(" "),
    };
    // A process that ended so in the old run too has not changed.
    let ended = new.ended().iter().filter(|it| !old.ended().contains(it));
    let ended = ended.map(|it| format!("a process of {} ended with {} in the new run", it.backend, it.how));
    // Each of these is legitimate, such as a newer corpus or version, so it is a caveat and not an error.
    [
        differ(
            "corpus",
            &before.corpus.short(),
            &after.corpus.short(),
            ": cases are compared by their ids",
        ),
        // With the rule for NaNs: `--strict-nan` alone makes failures.
        differ("reading", &before.judged_against(), &after.judged_against(), ""),
        unknown_answers(before, after),
        differ("selection", &filter(old), &filter(new), ""),
        differ("set of options", &options(before), &options(after), ""),
        differ("version of the program", &before.seedproof, &after.seedproof, ""),
        cut("old", old),
        cut("new", new),
    ]
    .into_iter()
    .flatten()
    .chain(ended)
    .collect()
}

/// The caveat that the answers of a reading that its user brought may differ: one of the logs does not have them.
fn unknown_answers(old: &Header, new: &Header) -> Option<String> {
    let log = match (&old.answers, &new.answers) {
        (None, Some(_)) => "old",
        (Some(_), None) => "new",
        _ => return None,
    };
    (old.reading == new.reading).then(|| {
        format!(
            "the {log} log does not say how `{}` answers, which may differ",
            old.reading
        )
    })
}

impl Changes {
    fn of(old: &Run, new: &Run, backend: &BackendId) -> Self {
        let mut changes = Self {
            implementation: backend.to_string(),
            new_failures: Vec::new(),
            fixed: Vec::new(),
            lost: Vec::new(),
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
            let (before, after) = (old.finding(case, backend), new.finding(case, backend));
            // An expectation that no longer holds is compared by itself, as a violation.
            let fails = |run: &Run, finding: Option<&Finding>| {
                finding.is_some_and(|it| !it.outcome.conforms() && run.expected(it).is_none())
            };
            let change = Change {
                case: case.to_string(),
                old: before.map(|it| it.outcome),
                new: after.map(|it| it.outcome),
                message: after.map_or_else(String::new, |it| it.message.clone()),
            };
            match kind(before, after, fails(old, before), fails(new, after)) {
                Kind::New => changes.new_failures.push(change),
                Kind::Fixed => changes.fixed.push(change),
                Kind::Lost => changes.lost.push(change),
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
        // Cases that are gone or added were judged in one of the runs alone.
        let both = [&self.new_failures, &self.fixed, &self.lost, &self.changed];
        self.unchanged == 0 && !both.into_iter().flatten().any(judged)
    }
}

/// How a case changed, given its two findings and whether each is an unexpected failure.
fn kind(before: Option<&Finding>, after: Option<&Finding>, failed: bool, fails: bool) -> Kind {
    let passed = before.is_some_and(|it| it.outcome == Outcome::Pass);
    let is_judged = after.is_some_and(|it| it.outcome != Outcome::Unsupported);
    match (before, after) {
        // The order matters: a passing case that became unsupported is lost, and not merely changed.
        _ if passed && !is_judged => Kind::Lost,
        (_, None) => Kind::Gone,
        (_, Some(_)) if fails && !failed => Kind::New,
        // Below the failures: a case that is new and fails is a new failure.
        (None, Some(_)) => Kind::Added,
        (Some(_), Some(after)) if failed && after.outcome == Outcome::Pass => Kind::Fixed,
        // Messages are not compared: a new wording is not a new answer.
        (Some(before), Some(after)) => {
            let same = before.outcome == after.outcome
                && before.readings == after.readings
                && before.mismatch == after.mismatch
                && before.output == after.output;
            if same { Kind::Unchanged } else { Kind::Changed }
        }
    }
}

//! Rewrites an expectation file so that the findings of a run satisfy it. What the run did not cover is kept.

use std::collections::{BTreeMap, BTreeSet};

use seedproof_corpus::yaml::scalar;
use seedproof_corpus::{CaseId, Glob};
use seedproof_ops::BackendId;

use super::{
    Date, Entry, Extent, Observed, is_about, is_about_backend, outcome_text, parts, trial, violation,
};
use crate::model::finding::Finding;
use crate::model::outcome::Outcome;

/// The reason of a new entry until somebody writes a better one.
const NO_REASON: &str = "not looked into yet";

/// The cases and implementations that a run did not cover.
#[derive(Clone, Copy, Debug)]
pub struct Unseen<'a> {
    /// The implementations that the run did cover.
    pub implementations: &'a [&'a BackendId],
    /// The cases of the corpus that have no finding, each with the implementation that was not judged on it.
    pub cases: &'a [(&'a BackendId, &'a CaseId)],
    /// Whether the run is one of the whole corpus.
    pub extent: Extent,
}

/// A rewritten expectation file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blessed {
    /// Its YAML.
    pub text: String,
    /// The patterns that were replaced although implementations outside of the run may depend on them, each with its
    /// line.
    pub narrowed: Vec<(usize, String)>,
    /// The number of earlier entries that are kept, in whole or in part, for cases or implementations that the run did not
    /// judge.
    pub kept: usize,
}

/// The findings that one entry will expect.
#[derive(Default)]
struct Group {
    trials: BTreeSet<String>,
    outputs: BTreeSet<String>,
}

/// The fields that the findings of a group have in common, and that its entry states once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    outcome: String,
    diagnosis: Option<String>,
    /// Whether the entry names the sums of the wrong outputs.
    by_output: bool,
    reason: String,
    issue: Option<String>,
    until: Option<Date>,
}

/// Rewrites an expectation file to what was found, with one entry for all failures of the same outcome, diagnosis and
/// reason. Where no diagnosis identifies a wrong output, its sum does, so that another wrong output is not expected
/// too.
///
/// Reasons, issues and last days of `previous` are kept where its entry named the right outcome. Also kept are the
/// parts of its entries about cases and implementations that the run did not cover or judge: a case that is unsupported, that
/// was not run or that the harness failed on says nothing about its entry, and gets none. A pattern that may match any
/// implementation stays as it is while it is valid; otherwise the findings of this run replace it, and
/// [`Blessed::narrowed`] names it.
///
/// ```
/// use seedproof_check::expectations::{Extent, Observed, Unseen, bless};
/// # use seedproof_check::{Finding, Outcome};
/// # use seedproof_corpus::CaseId;
/// # use seedproof_ops::BackendId;
///
/// let mine = BackendId::new("mine");
/// let crashes = Finding::new(CaseId::new("ru8/a")?, mine.clone(), Outcome::Crash);
/// let observed = [Observed { finding: &crashes, diagnosis: None }];
/// let unseen = Unseen { implementations: &[&mine], cases: &[], extent: Extent::Whole };
/// let blessed = bless(&observed, &[], unseen);
/// let entry = "- match:\n  - \"mine::ru8/a\"\n  outcome: crash\n  reason: not looked into yet\n";
/// assert_eq!(blessed.text, format!("schema: 1\nexpectations:\n{entry}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bless(observed: &[Observed<'_>], previous: &[Entry], unseen: Unseen<'_>) -> Blessed {
    let idle = observed.iter().filter(|one| !is_judged(one.finding));
    let idle = idle.map(|one| (&one.finding.backend, &one.finding.case));
    let cases: Vec<(&BackendId, &CaseId)> = unseen.cases.iter().copied().chain(idle).collect();
    let unseen = Unseen {
        cases: &cases,
        ..unseen
    };
    let mut entries = Entries::default();
    for entry in previous {
        entries.keep(entry, unseen, observed);
    }
    for (index, one) in observed.iter().enumerate() {
        if !entries.covered.contains(&index) {
            entries.add(one, previous);
        }
    }
    Blessed {
        text: entries.text(),
        narrowed: entries.narrowed,
        kept: entries.of_unseen,
    }
}

/// The entries of a file that is being written.
#[derive(Default)]
struct Entries<'a> {
    groups: BTreeMap<Key, Group>,
    /// Earlier patterns that may match several findings, with the outputs of their entry.
    globs: Vec<(Key, Vec<String>, &'a [String])>,
    /// As in [`Blessed`].
    narrowed: Vec<(usize, String)>,
    /// As `kept` in [`Blessed`].
    of_unseen: usize,
    /// The findings that earlier patterns still expect, by their index.
    covered: BTreeSet<usize>,
}

impl<'a> Entries<'a> {
    /// Keeps what still holds of an earlier entry, and what it says of cases that the run did not judge.
    fn keep(&mut self, entry: &'a Entry, unseen: Unseen<'_>, observed: &[Observed<'_>]) {
        let mut patterns = Vec::new();
        let mut is_unseen = false;
        for pattern in &entry.matches {
            let (kept, is_narrowed) = match unseen.keep(pattern, entry, observed, &mut self.covered) {
                Kept::Holding => {
                    patterns.push(pattern.clone());
                    continue;
                }
                Kept::Unseen => (vec![pattern.clone()], false),
                Kept::Part(cases) => (cases, false),
                Kept::Narrowed(cases) => (cases, true),
            };
            is_unseen |= !kept.is_empty();
            patterns.extend(kept);
            if is_narrowed {
                self.narrowed.push((entry.line, pattern.clone()));
            }
        }
        self.of_unseen += usize::from(is_unseen);
        let key = Key::of(entry);
        // An exact pattern matches one finding, so that its place in the file does not matter: it joins its group.
        let (exact, globs): (Vec<String>, Vec<String>) = patterns.into_iter().partition(|it| is_exact(it));
        if !exact.is_empty() {
            let group = self.groups.entry(key.clone()).or_default();
            group.trials.extend(exact);
            group.outputs.extend(entry.outputs.iter().cloned());
        }
        if !globs.is_empty() {
            self.globs.push((key, globs, &entry.outputs));
        }
    }

    /// Adds a finding, if it needs an entry. One that says nothing about its earlier entry, which is kept, gets none.
    fn add(&mut self, one: &Observed<'_>, previous: &[Entry]) {
        let finding = one.finding;
        let needs_none = finding.outcome.conforms()
            || matches!(finding.outcome, Outcome::Infrastructure | Outcome::NotRun);
        let is_about_it = |entry: &&Entry| entry.matches.iter().any(|pattern| is_about(pattern, finding));
        let earlier = previous.iter().find(is_about_it);
        if needs_none || !is_judged(finding) && earlier.is_some() {
            return;
        }
        let why = earlier.filter(|entry| entry.has_outcome_of(finding));
        // An answer that was expected to change and happened to repeat itself stays one that changes.
        let changes = why.is_some_and(|entry| entry.outcome == Outcome::NotRepeatable);
        let outcome = if changes {
            Outcome::NotRepeatable
        } else {
            finding.outcome
        };
        let output = finding.output.as_ref().filter(|_| {
            // With the name of a reading or of a cause in the entry, its sum would say nothing more.
            outcome == Outcome::Fail && one.diagnosis.is_none()
        });
        let key = Key {
            outcome: outcome_text(outcome, &finding.readings),
            diagnosis: one.diagnosis.map(str::to_owned),
            by_output: output.is_some(),
            reason: why.map_or_else(|| NO_REASON.to_owned(), |entry| entry.reason.clone()),
            issue: why.and_then(|entry| entry.issue.clone()),
            until: why.and_then(|entry| entry.until),
        };
        let group = self.groups.entry(key).or_default();
        group.trials.insert(trial(finding));
        group.outputs.extend(output.cloned());
    }

    /// The file as YAML.
    fn text(&self) -> String {
        let groups = self.groups.iter();
        let groups = groups.map(|(key, group)| key.entry(&group.trials, &group.outputs));
        // The first entry that matches decides: a glob before the exact patterns would hide them.
        let globs = self.globs.iter();
        let globs = globs.map(|(key, patterns, outputs)| key.entry(patterns, *outputs));
        let entries: String = groups.chain(globs).collect();
        if entries.is_empty() {
            "schema: 1\nexpectations: []\n".to_owned()
        } else {
            format!("schema: 1\nexpectations:\n{entries}")
        }
    }
}

/// Whether a finding says anything about the answer of its implementation.
fn is_judged(finding: &Finding) -> bool {
    let idle = [Outcome::Unsupported, Outcome::NotRun, Outcome::Infrastructure];
    !idle.contains(&finding.outcome)
}

/// The part of a pattern that is kept.
enum Kept {
    /// All of it, since it holds.
    Holding,
    /// All of it, since it is about nothing that the run judged.
    Unseen,
    /// Patterns for the cases that the run did not judge.
    Part(Vec<String>),
    /// Patterns for the cases that the run did not judge, where in the cases that it judged the pattern may also have
    /// matched other implementations.
    Narrowed(Vec<String>),
}

impl Unseen<'_> {
    /// Whether a pattern matches a case that the run has no finding of.
    pub fn may_match(&self, pattern: &str) -> bool {
        self.matched_by(pattern).next().is_some()
    }

    fn matched_by(&self, pattern: &str) -> impl Iterator<Item = (&BackendId, &CaseId)> {
        let glob = Glob::new(parts(pattern).1);
        let about: Vec<&BackendId> = self.about(pattern).collect();
        let cases = self.cases.iter().copied();
        cases.filter(move |(backend, case)| glob.matches(case.as_str()) && about.contains(backend))
    }

    /// The implementations of the run that a pattern matches.
    fn about(&self, pattern: &str) -> impl Iterator<Item = &BackendId> {
        let all = self.implementations.iter().copied();
        all.filter(move |id| is_about_backend(pattern, id))
    }

    /// Patterns for what a pattern matches and the run did not judge.
    fn rest(&self, pattern: &str) -> Vec<String> {
        let mut cases: BTreeMap<&CaseId, Vec<&BackendId>> = BTreeMap::new();
        for (backend, case) in self.matched_by(pattern) {
            cases.entry(case).or_default().push(backend);
        }
        let all = self.about(pattern).count();
        let rest = cases.into_iter().flat_map(|(case, backends)| {
            if backends.len() < all {
                // The run judged the case on another implementation, whose finding has an entry of its own.
                return backends
                    .iter()
                    .map(|backend| format!("{backend}::{case}"))
                    .collect();
            }
            vec![match parts(pattern).0 {
                Some(backend) => format!("{backend}::{case}"),
                None => case.to_string(),
            }]
        });
        rest.collect()
    }

    /// The part of a pattern that is kept. Adds to `covered` the findings that the pattern still expects.
    fn keep(
        &self,
        pattern: &str,
        entry: &Entry,
        observed: &[Observed<'_>],
        covered: &mut BTreeSet<usize>,
    ) -> Kept {
        if self.about(pattern).next().is_none() {
            return Kept::Unseen;
        }
        let seen = || {
            let all = observed.iter().enumerate();
            all.filter(|(_, one)| is_judged(one.finding) && is_about(pattern, one.finding))
        };
        // A whole run without a match shows that the pattern is stale, unless it left such a case out. A part of a run shows
        // nothing.
        if seen().next().is_none() {
            return if self.extent == Extent::Part || self.may_match(pattern) {
                Kept::Unseen
            } else {
                Kept::Part(Vec::new())
            };
        }
        // The pattern is about one implementation, which this run judged: new entries follow from its findings.
        if parts(pattern).0.is_some_and(is_literal) {
            return Kept::Part(self.rest(pattern));
        }
        let holding: Vec<usize> = seen()
            .filter(|(index, one)| !covered.contains(index) && violation(entry, one).is_none())
            .map(|(index, _)| index)
            .collect();
        // A pattern that also matches a passing case would be a violation of the file that is being written.
        if holding.is_empty() || seen().any(|(_, one)| one.finding.outcome.conforms()) {
            return Kept::Narrowed(self.rest(pattern));
        }
        covered.extend(holding);
        Kept::Holding
    }
}

fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?'])
}

/// Whether a pattern names one implementation and one case.
fn is_exact(pattern: &str) -> bool {
    let (backend, case) = parts(pattern);
    backend.is_some_and(is_literal) && is_literal(case)
}

impl Key {
    fn of(entry: &Entry) -> Self {
        Self {
            outcome: outcome_text(entry.outcome, entry.reading.as_slice()),
            diagnosis: entry.diagnosis.clone(),
            by_output: !entry.outputs.is_empty(),
            reason: entry.reason.clone(),
            issue: entry.issue.clone(),
            until: entry.until,
        }
    }

    /// An entry as YAML.
    fn entry<'a>(
        &self,
        patterns: impl IntoIterator<Item = &'a String>,
        outputs: impl IntoIterator<Item = &'a String>,
    ) -> String {
        let list = |name: &str, items: &mut dyn Iterator<Item = &'a String>| {
            let items: String = items.map(|item| format!("  - {}\n", scalar(item))).collect();
            (!items.is_empty()).then(|| format!("{name}:\n{items}"))
        };
        let mut text = String::new();
        text.extend(list("- match", &mut patterns.into_iter()));
        let line = |name: &str, value: Option<String>| value.map(|value| format!("  {name}: {value}\n"));
        text.extend(line("outcome", Some(scalar(&self.outcome))));
        text.extend(line("diagnosis", self.diagnosis.as_deref().map(scalar)));
        text.extend(list("  outputs", &mut outputs.into_iter()));
        text.extend(line("reason", Some(scalar(&self.reason))));
        text.extend(line("issue", self.issue.as_deref().map(scalar)));
        text.extend(line("until", self.until.map(|date| date.to_string())));
        text
    }
}

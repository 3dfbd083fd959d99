//! The parts of the page that are rendered here rather than by its script.

use std::collections::BTreeMap;

use seedproof_check::Finding;

use super::WIDTH;
use super::extras::{Extras, MistakeText};
use crate::text::{count, of_them_expected, thousands};
use crate::{Cause, Header, Implementation, Run, groups, inert};

/// How good the news is; the worst is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tone {
    /// Nothing failed.
    Good,
    /// Nothing failed but what was expected to.
    Odd,
    /// Something failed, or nothing was judged.
    Bad,
}

impl Tone {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Odd => "odd",
            Self::Bad => "bad",
        }
    }

    pub(super) const fn glyph(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Odd => "≈",
            Self::Bad => "✗",
        }
    }
}

/// The verdict on one implementation.
pub(super) struct Card {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) device: String,
    pub(super) tone: Tone,
    pub(super) verdict: String,
    pub(super) passed: String,
    pub(super) claimed: String,
    pub(super) corpus: String,
    /// Of 1,000 corpus cases: passed, failing though nobody expects it, failing as expected.
    pub(super) bar: (usize, usize, usize),
    /// Readings that its wrong answers follow: name and number of cases.
    pub(super) follows: Vec<(String, String)>,
    pub(super) causes: Vec<CauseLine>,
}

/// A group of failures on a card.
pub(super) struct CauseLine {
    pub(super) name: String,
    pub(super) lead: String,
    pub(super) sentence: String,
    /// The fragment that shows its cases in the matrix.
    pub(super) link: String,
}

impl Card {
    pub(super) fn of(run: &Run, implementation: &Implementation) -> Self {
        let tally = run.tally(&implementation.id);
        let corpus = run.headers().first().map_or(0, |header| header.corpus.cases);
        let id = inert(implementation.id.as_str(), WIDTH);
        let of_1000 = |n: usize| n.saturating_mul(1000) / corpus.max(1);
        let causes = groups(run, &implementation.id);
        Self {
            description: inert(&implementation.description, WIDTH),
            device: inert(&implementation.device, WIDTH),
            tone: match (tally.judged, tally.failing, tally.unexpected()) {
                (0, ..) => Tone::Bad,
                (_, 0, _) => Tone::Good,
                (_, _, 0) => Tone::Odd,
                _ => Tone::Bad,
            },
            verdict: crate::text::verdict(tally),
            passed: thousands(tally.passed),
            claimed: thousands(tally.claimed),
            corpus: thousands(corpus),
            bar: (
                of_1000(tally.passed),
                of_1000(tally.unexpected()),
                of_1000(tally.expected),
            ),
            follows: causes
                .iter()
                .filter_map(|group| match group.cause {
                    Cause::Reading(name) => Some((inert(name, WIDTH), count(group.findings.len(), "case"))),
                    _ => None,
                })
                .collect(),
            causes: causes
                .iter()
                .map(|group| {
                    let expected = of_them_expected(group.expected(run), group.findings.len());
                    let (given, failing) = (thousands(group.findings.len()), thousands(tally.failing));
                    CauseLine {
                        lead: if matches!(group.cause, Cause::Explained(_)) {
                            format!("explains {given} of {failing}{expected}")
                        } else {
                            format!("{given} of {failing}{expected}")
                        },
                        sentence: inert(&group.cause.sentence(), WIDTH),
                        link: format!(
                            "#on={}&cause={}",
                            escaped(&id),
                            escaped(&inert(&group.cause.name(), WIDTH))
                        ),
                        name: inert(&group.name(), WIDTH),
                    }
                })
                .collect(),
            id,
        }
    }
}

/// A text as a value in the page's fragment.
pub(super) fn escaped(text: &str) -> String {
    text.bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect()
}

pub(super) fn verdict(cards: &[Card], whole: bool) -> String {
    let of = |tone: Tone| cards.iter().filter(|card| card.tone == tone).count();
    let as_far = if whole { "" } else { ", as far as it was judged" };
    match (cards.len(), of(Tone::Bad), of(Tone::Odd)) {
        (0, ..) => "No implementation was asked".to_owned(),
        (1, 0, 0) => format!("It conforms{as_far}"),
        (1, 0, _) => format!("It fails only as expected{as_far}"),
        (1, ..) => "It does not conform".to_owned(),
        (all, 0, 0) => format!("All {all} implementations conform{as_far}"),
        (all, 0, 1) => format!("1 of {all} implementations fails, only as expected{as_far}"),
        (all, 0, odd) => format!("{odd} of {all} implementations fail, only as expected{as_far}"),
        (all, bad, _) if bad == all => format!("None of the {all} implementations conforms"),
        (all, 1, _) => format!("1 of {all} implementations does not conform"),
        (all, bad, _) => format!("{bad} of {all} implementations do not conform"),
    }
}

pub(super) fn title(implementations: usize, failing: usize) -> String {
    format!(
        "Seedproof: {} of {implementations} conform",
        implementations - failing
    )
}

pub(super) fn ran(run: &Run, header: &Header) -> Vec<(&'static str, String)> {
    vec![
        ("Corpus", count(header.corpus.cases, "case")),
        ("Corpus hash", header.corpus.short()),
        (
            "Judged against",
            format!("the reading {}", inert(&header.reading, WIDTH)),
        ),
        ("Seedproof", inert(&header.seedproof, WIDTH)),
        (
            "Findings",
            thousands(run.cases().map(|judged| judged.findings.len()).sum()),
        ),
    ]
}

/// A clause, and what covers it.
pub(super) struct Coverage {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) says: String,
    pub(super) level: String,
    pub(super) cases: usize,
    pub(super) failing: usize,
    /// Whether nothing covers it, though nothing was left out of the run.
    pub(super) uncovered: bool,
    pub(super) mistakes: Vec<String>,
    pub(super) link: String,
}

pub(super) fn coverage(run: &Run, extras: &Extras) -> Vec<Coverage> {
    let whole = run.reservations().is_empty();
    let mut covered: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for judged in run.cases() {
        let fails = |finding: &Finding| !finding.outcome.conforms();
        let failing = usize::from(judged.findings.values().any(fails));
        for clause in &judged.facts.clauses {
            let entry = covered.entry(clause.as_str()).or_default();
            *entry = (entry.0 + 1, entry.1 + failing);
        }
    }
    extras
        .clauses
        .iter()
        .map(|clause| {
            let (cases, failing) = covered.get(clause.id.as_str()).copied().unwrap_or_default();
            let killed = |mistake: &&MistakeText| mistake.clause == clause.id && mistake.killed() > 0;
            Coverage {
                id: inert(&clause.id, WIDTH),
                source: inert(&clause.source, WIDTH),
                says: inert(&clause.says, 4 * WIDTH),
                level: inert(&clause.level, WIDTH),
                cases,
                failing,
                uncovered: cases == 0 && whole,
                mistakes: extras
                    .mistakes
                    .iter()
                    .filter(killed)
                    .map(|mistake| inert(&mistake.id, WIDTH))
                    .collect(),
                link: format!("#q={}", escaped(&clause.id)),
            }
        })
        .collect()
}

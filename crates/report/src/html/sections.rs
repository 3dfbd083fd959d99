//! The parts of the page that are rendered here rather than by its script.

use std::collections::{BTreeMap, BTreeSet};

use seedproof_check::{Finding, Outcome};
use seedproof_vectors::CaseId;

use super::WIDTH;
use super::extras::{ErratumText, Extras, MistakeText};
use crate::text::{count, thousands};
use crate::{Cause, Header, Implementation, Run, groups, inert};

/// The verdict on one implementation.
pub(super) struct Card {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) device: String,
    pub(super) conforms: bool,
    pub(super) verdict: String,
    pub(super) passed: String,
    pub(super) claimed: String,
    pub(super) corpus: String,
    /// Of 1,000 corpus cases: passed, failing, unsupported.
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
        let mut follows: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in run.findings(&implementation.id) {
            if let Outcome::Reading(name) = &finding.outcome {
                *follows.entry(name).or_default() += 1;
            }
        }
        let id = inert(implementation.id.as_str(), WIDTH);
        let of_1000 = |n: usize| n.saturating_mul(1000) / corpus.max(1);
        let causes = groups(run, &implementation.id);
        Self {
            description: inert(&implementation.description, WIDTH),
            device: inert(&implementation.device, WIDTH),
            conforms: tally.failing == 0 && tally.judged > 0,
            verdict: match (tally.judged, tally.failing) {
                (0, _) => "nothing was judged".to_owned(),
                (_, 0) => "conforms".to_owned(),
                (_, failing) => count(failing, "failure"),
            },
            passed: thousands(tally.passed),
            claimed: thousands(tally.claimed),
            corpus: thousands(corpus),
            bar: (
                of_1000(tally.passed),
                of_1000(tally.failing),
                of_1000(tally.judged - tally.claimed),
            ),
            follows: follows
                .into_iter()
                .map(|(name, n)| (inert(name, WIDTH), count(n, "case")))
                .collect(),
            causes: causes
                .iter()
                .map(|group| {
                    let (given, failing) = (thousands(group.findings.len()), thousands(tally.failing));
                    CauseLine {
                        lead: if matches!(group.cause, Cause::Explained(_)) {
                            format!("explains {given} of {failing}")
                        } else {
                            format!("{given} of {failing}")
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
    let bad = cards.iter().filter(|card| !card.conforms).count();
    let as_far = if whole { "" } else { ", as far as it was judged" };
    match (cards.len(), bad) {
        (0, _) => "No implementation was asked".to_owned(),
        (1, 0) => format!("It conforms{as_far}"),
        (1, _) => "It does not conform".to_owned(),
        (all, 0) => format!("All {all} implementations conform{as_far}"),
        (all, bad) if bad == all => format!("None of the {all} implementations conforms"),
        (all, 1) => format!("1 of {all} implementations does not conform"),
        (all, bad) => format!("{bad} of {all} implementations do not conform"),
    }
}

pub(super) fn title(cards: &[Card]) -> String {
    let bad = cards.iter().filter(|card| !card.conforms).count();
    format!("Seedproof: {} of {} conform", cards.len() - bad, cards.len())
}

pub(super) fn ran(run: &Run, header: &Header) -> Vec<(&'static str, String)> {
    vec![
        ("Corpus", count(header.corpus.cases, "case")),
        ("Corpus hash", inert(&header.corpus.hash, WIDTH)),
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

/// Errata, with the readings that follow their answers as columns.
pub(super) struct Answers {
    pub(super) readings: Vec<String>,
    pub(super) rows: Vec<Question>,
}

/// An erratum.
pub(super) struct Question {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) asks: String,
    /// Letter, whether adopted, text.
    pub(super) answers: Vec<(char, bool, String)>,
    pub(super) evidence: Vec<String>,
    /// For each reading the letter of its answer, or a dash, and whether that is the adopted one.
    pub(super) cells: Vec<(char, bool)>,
}

impl Answers {
    pub(super) fn of(errata: &[ErratumText]) -> Self {
        let line = |text: &String| inert(text, 4 * WIDTH);
        let readings: BTreeSet<&String> = errata
            .iter()
            .flat_map(|erratum| &erratum.answers)
            .flat_map(|answer| &answer.followers)
            .collect();
        let rows = errata
            .iter()
            .map(|erratum| {
                let lettered = || ('A'..='Z').zip(&erratum.answers);
                let cell = |reading: &&String| {
                    lettered()
                        .find(|(_, answer)| answer.followers.contains(reading))
                        .map_or(('–', false), |(letter, answer)| {
                            (letter, answer.id == erratum.adopted)
                        })
                };
                Question {
                    id: line(&erratum.id),
                    source: line(&erratum.source),
                    asks: line(&erratum.question),
                    answers: lettered()
                        .map(|(letter, answer)| (letter, answer.id == erratum.adopted, line(&answer.says)))
                        .collect(),
                    evidence: erratum.evidence.iter().map(line).collect(),
                    cells: readings.iter().map(cell).collect(),
                }
            })
            .collect();
        Self {
            readings: readings.into_iter().map(line).collect(),
            rows,
        }
    }
}

/// A clause, and what covers it.
pub(super) struct Coverage {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) says: String,
    pub(super) level: String,
    pub(super) cases: usize,
    pub(super) failing: usize,
    pub(super) mistakes: Vec<String>,
    pub(super) link: String,
}

pub(super) fn coverage(run: &Run, extras: &Extras) -> Vec<Coverage> {
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
            let killed = |mistake: &&MistakeText| mistake.clause == clause.id && !mistake.kills.is_empty();
            Coverage {
                id: inert(&clause.id, WIDTH),
                source: inert(&clause.source, WIDTH),
                says: inert(&clause.says, 4 * WIDTH),
                level: inert(&clause.level, WIDTH),
                cases,
                failing,
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

/// Mistakes by groups of cases: how many cases of each group catch each mistake.
pub(super) struct Heat {
    pub(super) groups: Vec<String>,
    pub(super) rows: Vec<HeatRow>,
}

/// A mistake.
pub(super) struct HeatRow {
    pub(super) id: String,
    pub(super) sentence: String,
    pub(super) proof: String,
    pub(super) kills: usize,
    /// Number of cases, and a depth from 0 to 5 of their share of the group.
    pub(super) cells: Vec<(usize, usize)>,
}

impl Heat {
    pub(super) fn of(run: &Run, mistakes: &[MistakeText]) -> Self {
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        let mut group_of: BTreeMap<&CaseId, &str> = BTreeMap::new();
        for judged in run.cases() {
            *sizes.entry(judged.facts.group()).or_default() += 1;
            group_of.insert(&judged.facts.id, judged.facts.group());
        }
        let rows = mistakes
            .iter()
            .map(|mistake| {
                let mut kills: BTreeMap<&str, usize> = BTreeMap::new();
                for group in mistake.kills.iter().filter_map(|case| group_of.get(case)) {
                    *kills.entry(group).or_default() += 1;
                }
                let cell = |(group, &size): (&&str, &usize)| {
                    let n = kills.get(group).copied().unwrap_or(0);
                    (n, (n * 5).div_ceil(size.max(1)).min(5))
                };
                HeatRow {
                    id: inert(&mistake.id, WIDTH),
                    sentence: inert(&mistake.sentence, WIDTH),
                    proof: inert(&mistake.proof, WIDTH),
                    kills: mistake.kills.len(),
                    cells: sizes.iter().map(cell).collect(),
                }
            })
            .collect();
        Self {
            groups: sizes.keys().map(|group| (*group).to_owned()).collect(),
            rows,
        }
    }
}

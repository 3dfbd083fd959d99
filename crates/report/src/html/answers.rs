//! Errata by who follows which answer: the readings that are known, and the implementations of the run.

use std::collections::BTreeSet;

use seedproof_check::Outcome;
use seedproof_ops::BackendId;

use super::WIDTH;
use super::extras::ErratumText;
use crate::{Run, inert};

/// No case tells.
const UNKNOWN: char = '–';
/// Not the adopted answer; which other one is not known.
const OTHER: char = '≠';

/// Errata, with a column for each reading and each implementation.
pub(super) struct Answers {
    pub(super) readings: Vec<String>,
    pub(super) implementations: Vec<String>,
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
    /// For each reading, then each implementation, the letter of its answer, and whether that is the adopted one.
    pub(super) cells: Vec<(char, bool)>,
}

impl Answers {
    pub(super) fn of(run: &Run, errata: &[ErratumText]) -> Self {
        let line = |text: &String| inert(text, 4 * WIDTH);
        let readings: BTreeSet<&String> = errata
            .iter()
            .flat_map(|erratum| {
                erratum
                    .answers
                    .iter()
                    .flat_map(|it| &it.followers)
                    .chain(&erratum.others)
            })
            .collect();
        let rows = errata.iter().map(|erratum| {
            let of_readings = readings.iter().map(|reading| letter(erratum, reading));
            let of_implementations = run.implementations().map(|it| shown(run, erratum, &it.id));
            let adopted = adopted(erratum);
            Question {
                id: line(&erratum.id),
                source: line(&erratum.source),
                asks: line(&erratum.question),
                answers: ('A'..='Z')
                    .zip(&erratum.answers)
                    .map(|(letter, answer)| (letter, letter == adopted, line(&answer.says)))
                    .collect(),
                evidence: erratum.evidence.iter().map(line).collect(),
                cells: of_readings
                    .chain(of_implementations)
                    .map(|letter| (letter, letter == adopted))
                    .collect(),
            }
        });
        Self {
            rows: rows.collect(),
            readings: readings.into_iter().map(line).collect(),
            implementations: run
                .implementations()
                .map(|it| inert(it.id.as_str(), WIDTH))
                .collect(),
        }
    }
}

/// The letter of the adopted answer.
fn adopted(erratum: &ErratumText) -> char {
    ('A'..='Z')
        .zip(&erratum.answers)
        .find(|(_, answer)| answer.id == erratum.adopted)
        .map_or(UNKNOWN, |(letter, _)| letter)
}

/// The letter of the answer that a reading follows.
fn letter(erratum: &ErratumText, reading: &str) -> char {
    let named = ('A'..='Z')
        .zip(&erratum.answers)
        .find(|(_, answer)| answer.followers.iter().any(|it| it == reading));
    match named {
        Some((letter, _)) => letter,
        None if erratum.others.iter().any(|it| it == reading) => OTHER,
        None => UNKNOWN,
    }
}

/// The letter of the answer that an implementation's findings show: of those of the cases that tell the answers
/// apart, all passed, or all that did not are right under readings that follow the same one.
fn shown(run: &Run, erratum: &ErratumText, backend: &BackendId) -> char {
    let findings = run
        .cases()
        .filter(|judged| judged.facts.errata.iter().any(|id| id.as_str() == erratum.id))
        .filter_map(|judged| judged.findings.get(backend));
    let (mut passed, mut others) = (false, BTreeSet::new());
    for finding in findings {
        match finding.outcome {
            Outcome::Pass => passed = true,
            Outcome::OtherReading => {
                others.extend(finding.readings.first().map(|name| letter(erratum, name)));
            }
            Outcome::Fail | Outcome::Rejects => {
                others.insert(OTHER);
            }
            _ => {}
        }
    }
    let mut others = others.into_iter();
    match (others.next(), others.next(), passed) {
        (None, _, true) => adopted(erratum),
        (None, _, false) => UNKNOWN,
        (Some(UNKNOWN), ..) | (Some(_), Some(_), _) => OTHER,
        (Some(only), None, _) => only,
    }
}

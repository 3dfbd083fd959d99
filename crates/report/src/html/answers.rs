//! The table of errata: the answer that each implementation of the run and each known reading follows.

use std::collections::BTreeSet;

use seedproof_check::Outcome;
use seedproof_ops::BackendId;

use crate::Run;
use crate::event::Erratum;
use crate::untrusted::{one_line, paragraph, web};

/// No case tells the answers apart.
const UNKNOWN: char = '–';
/// Not the adopted answer; which other one is not known.
const OTHER: char = '≠';

/// Errata, with a column for each implementation and each reading.
pub(super) struct Answers {
    pub(super) readings: Vec<String>,
    pub(super) implementations: Vec<String>,
    pub(super) rows: Vec<Question>,
}

/// An erratum.
pub(super) struct Question {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) url: String,
    pub(super) asks: String,
    /// Letter, whether adopted, text.
    pub(super) answers: Vec<(char, bool, String)>,
    pub(super) evidence: Vec<String>,
    /// For each implementation, then each reading, the letter of its answer, and whether that is the adopted one.
    pub(super) cells: Vec<(char, bool)>,
}

impl Answers {
    pub(super) fn of(run: &Run) -> Self {
        let errata = run.errata();
        let line = |text: &String| paragraph(text);
        let readings: BTreeSet<&String> = errata
            .clone()
            .flat_map(|erratum| {
                erratum
                    .answers
                    .iter()
                    .flat_map(|it| &it.followers)
                    .chain(&erratum.others)
            })
            .collect();
        let rows = errata.map(|erratum| {
            let of_readings = readings.iter().map(|reading| letter(erratum, reading));
            let of_implementations = run.implementations().map(|it| shown(run, erratum, &it.id));
            let adopted = adopted(erratum);
            Question {
                id: erratum.id.to_string(),
                source: line(&erratum.source),
                url: web(&erratum.url).to_owned(),
                asks: line(&erratum.question),
                answers: ('A'..='Z')
                    .zip(&erratum.answers)
                    .map(|(letter, answer)| (letter, letter == adopted, line(&answer.says)))
                    .collect(),
                evidence: erratum.evidence.iter().map(line).collect(),
                cells: of_implementations
                    .chain(of_readings)
                    .map(|letter| (letter, letter == adopted))
                    .collect(),
            }
        });
        Self {
            rows: rows.collect(),
            readings: readings.into_iter().map(line).collect(),
            implementations: run.implementations().map(|it| one_line(it.id.as_str())).collect(),
        }
    }
}

/// The letter of the adopted answer.
fn adopted(erratum: &Erratum) -> char {
    ('A'..='Z')
        .zip(&erratum.answers)
        .find(|(_, answer)| answer.id == erratum.adopted)
        .map_or(UNKNOWN, |(letter, _)| letter)
}

/// The letter of the answer that a reading follows.
fn letter(erratum: &Erratum, reading: &str) -> char {
    let named = ('A'..='Z')
        .zip(&erratum.answers)
        .find(|(_, answer)| answer.followers.iter().any(|it| it == reading));
    match named {
        Some((letter, _)) => letter,
        None if erratum.others.iter().any(|it| it == reading) => OTHER,
        None => UNKNOWN,
    }
}

/// The letter of the answer that an implementation's findings show, of those cases that tell the answers apart. Where
/// all pass, it is the adopted one; else the one answer that is common to the readings of all that do not.
fn shown(run: &Run, erratum: &Erratum, backend: &BackendId) -> char {
    let findings = run
        .cases()
        .filter(|judged| judged.facts.errata.contains(&erratum.id))
        .filter_map(|judged| judged.findings.get(backend));
    let (mut passed, mut common) = (false, None::<BTreeSet<char>>);
    for finding in findings {
        let letters: BTreeSet<char> = match finding.outcome {
            Outcome::OtherReading => finding.readings.iter().map(|it| letter(erratum, it)).collect(),
            Outcome::Fail | Outcome::Rejects => [OTHER].into(),
            outcome => {
                passed |= outcome == Outcome::Pass;
                continue;
            }
        };
        common = Some(common.map_or(letters.clone(), |common| &common & &letters));
    }
    let Some(common) = common else {
        return if passed { adopted(erratum) } else { UNKNOWN };
    };
    let mut known = common.into_iter().filter(|&letter| letter != UNKNOWN);
    match (known.next(), known.next()) {
        (Some(only), None) => only,
        _ => OTHER,
    }
}

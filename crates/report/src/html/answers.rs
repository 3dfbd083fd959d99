//! The table of errata: the answers of each implementation of the run and of each known reading.

use std::collections::BTreeSet;

use seedproof_check::Outcome;
use seedproof_ops::BackendId;

use crate::event::Erratum;
use crate::run::Run;
use crate::untrusted::{one_line, paragraph, web};

/// The answer is unknown, because no case distinguishes the answers.
const UNKNOWN: char = '–';
/// Some answer other than the adopted one.
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
    /// The letter, whether the answer is adopted, and its text.
    pub(super) answers: Vec<(char, bool, String)>,
    pub(super) evidence: Vec<String>,
    /// For each implementation and then each reading, the letter of its answer, and whether that is the adopted one.
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
    // No erratum has more than a few answers; beyond 26, a log's answers would have no letter and be left out.
    let named = ('A'..='Z')
        .zip(&erratum.answers)
        .find(|(_, answer)| answer.followers.iter().any(|it| it == reading));
    match named {
        Some((letter, _)) => letter,
        None if erratum.others.iter().any(|it| it == reading) => OTHER,
        None => UNKNOWN,
    }
}

/// The letter of the answer that an implementation follows, as its findings on the cases about the erratum
/// show. If all pass, it is the adopted one. Else it is the only answer that is common to the readings under
/// which the wrong answers are right.
fn shown(run: &Run, erratum: &Erratum, backend: &BackendId) -> char {
    let findings = run
        .cases()
        .filter(|judged| judged.facts.errata.contains(&erratum.id))
        .filter_map(|judged| judged.finding(backend));
    let (mut passed, mut common) = (false, None::<BTreeSet<char>>);
    for finding in findings {
        let letters: BTreeSet<char> = match finding.outcome {
            Outcome::OtherReading => finding.readings.iter().map(|it| letter(erratum, it)).collect(),
            Outcome::Fail | Outcome::Rejects => [OTHER].into(),
            // A crash or an unclaimed case shows no answer.
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
    // Two answers left mean that the cases do not tell them apart. None left means that the wrong answers contradict
    // each other, so another fault is behind them.
    let mut known = common.into_iter().filter(|&letter| letter != UNKNOWN);
    match (known.next(), known.next()) {
        (Some(only), None) => only,
        _ => OTHER,
    }
}

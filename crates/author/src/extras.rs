//! What the page tells beside a run: the registries, who follows which answer, what the corpus catches.

use std::collections::BTreeMap;

use seedproof::judging::{Bank, elements};
use seedproof::registry;
use seedproof_ops::Support;
use seedproof_readings::MISTAKES;
use seedproof_report::{AnswerText, ClauseText, ErratumText, Extras, MistakeText};
use seedproof_vectors::{Answer, Case, Corpus, Erratum, Expectation, Name};

/// Which cases catch which mistakes, as `seedproof gen` last wrote it: see [`Matrix::csv`](crate::Matrix::csv).
pub const MUTANTS: &str = include_str!("../../../reports/mutants.csv");

/// The registries, with the readings that follow each answer as the corpus shows it, and the mistakes with the groups
/// of cases that catch them, from the CSV of a matrix.
pub fn extras(corpus: &Corpus, bank: &Bank, mutants: &str) -> Extras {
    let followers = Followers::of(corpus, bank);
    let mut lines = mutants.lines().map(|line| line.split(','));
    let groups: Vec<&str> = lines.next().into_iter().flatten().skip(1).collect();
    let mut rows: BTreeMap<&str, BTreeMap<String, usize>> = lines
        .filter_map(|mut cells| {
            let id = cells.next()?;
            let counts = cells.map(|cell| cell.parse().unwrap_or(0));
            let named = groups.iter().map(|&group| group.to_owned()).zip(counts);
            Some((id, named.filter(|(_, count)| *count > 0).collect()))
        })
        .collect();
    Extras {
        clauses: registry()
            .clauses()
            .map(|clause| ClauseText {
                id: clause.id.to_string(),
                source: format!("{}, {}", clause.document, clause.section),
                says: clause.says.clone(),
                level: clause.level.to_string(),
            })
            .collect(),
        errata: registry().errata().map(|it| erratum(it, &followers)).collect(),
        groups: rows.remove("cases").unwrap_or_default(),
        mistakes: MISTAKES
            .iter()
            .map(|mistake| MistakeText {
                id: mistake.id.to_owned(),
                sentence: mistake.sentence.to_owned(),
                clause: mistake.clause.to_owned(),
                kills: rows.remove(mistake.id).unwrap_or_default(),
                proof: String::new(),
            })
            .collect(),
        bench: Vec::new(),
    }
}

fn erratum(erratum: &Erratum, followers: &Followers) -> ErratumText {
    let (follow, depart) = followers.0.get(&erratum.id).cloned().unwrap_or_default();
    // Who does not follow one of two answers follows the other.
    let only_other = erratum.answers.len() == 2;
    let answer = |answer: &Answer| AnswerText {
        id: answer.id.to_string(),
        says: answer.says.clone(),
        followers: match answer.id == erratum.adopted {
            true => follow.clone(),
            false if only_other => depart.clone(),
            false => Vec::new(),
        },
    };
    ErratumText {
        id: erratum.id.to_string(),
        source: format!("{}, {}", erratum.document, erratum.section),
        question: erratum.question.clone(),
        answers: erratum.answers.iter().map(answer).collect(),
        others: if only_other { Vec::new() } else { depart.clone() },
        adopted: erratum.adopted.to_string(),
        evidence: erratum.evidence.clone(),
    }
}

/// For each erratum, the readings that follow the adopted answer and those that depart from it, as the cases show
/// that tell its answers apart.
struct Followers(BTreeMap<Name, (Vec<String>, Vec<String>)>);

impl Followers {
    fn of(corpus: &Corpus, bank: &Bank) -> Self {
        let mut all: BTreeMap<Name, (Vec<String>, Vec<String>)> = BTreeMap::new();
        for (name, reading) in bank.others() {
            let mut same: BTreeMap<&Name, bool> = BTreeMap::new();
            for case in corpus
                .cases()
                .filter(|case| tells(case) && reading.supports(&case.request) == Support::Yes)
            {
                let agrees = reading.run(&case.request) == bank.spec().run(&case.request);
                case.errata
                    .iter()
                    .for_each(|erratum| *same.entry(erratum).or_insert(true) &= agrees);
            }
            for (erratum, follows) in same {
                let (follow, depart) = all.entry(erratum.clone()).or_default();
                if follows {
                    follow.push(name.to_owned());
                } else {
                    depart.push(name.to_owned());
                }
            }
        }
        Self(all)
    }
}

/// Whether a case can tell the answers to its errata apart, and is small.
fn tells(case: &Case) -> bool {
    let decided = matches!(case.expect, Expectation::Bits(_) | Expectation::Oracle);
    decided && !case.errata.is_empty() && case.request.execution() == 0 && elements(&case.request) <= 4096
}

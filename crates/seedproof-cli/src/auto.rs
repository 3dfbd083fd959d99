//! `--reading auto`: which named reading explains an implementation best.
//!
//! The implementation is asked every small case once. Its answers are compared with those of each named reading, and the
//! run is judged by the reading that agrees most often. The judge takes the answers that are already known, so that no
//! case is asked twice unless an answer is to be repeated.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use seedproof::judging::Catalogue;
use seedproof_check::{Judges, Outcome};
use seedproof_corpus::{Case, Expectation};
use seedproof_ops::untrusted::one_line;
use seedproof_ops::{Answer, Ask, Backend, BackendId, Failure, Request, Response, Stages, Support, Want};
use seedproof_readings::{Answered, Reading};
use seedproof_report::plural;

use crate::exit::Error;
use crate::implementations::Implementation;
use crate::progress::Progress;
use crate::threads::threads;

/// The value of `--reading` that finds a reading.
pub(crate) const AUTO: &str = "auto";

/// A case with more elements is not asked: its answer would have to be kept until it is judged.
const MAX_ASKED_ELEMENTS: u64 = 4096;

/// An implementation and the reading that explains it best.
pub(crate) struct Found {
    /// The implementation, which knows its answers by now.
    pub(crate) implementation: Implementation,
    /// The name of the reading.
    pub(crate) reading: String,
    /// The number of answers to what the reading does not have.
    pub(crate) silent: usize,
    /// The scores of all readings, and the answers of the best one that are not those of `spec`.
    pub(crate) table: String,
}

/// Finds the reading that explains the implementation best.
///
/// # Errors
/// [`Error::Infrastructure`] if no threads can be started.
pub(crate) fn find(
    implementation: Implementation,
    cases: &[&Case],
    catalogue: &Catalogue,
) -> Result<Found, Error> {
    let small: Vec<&Case> = cases
        .iter()
        .copied()
        .filter(|case| seedproof::judging::elements(&case.request) <= MAX_ASKED_ELEMENTS)
        .collect();
    let pool = threads(&implementation)?;
    let id = implementation.backend.id().clone();
    let bar = Progress::new(&format!("{id} (which reading?)"), small.len());
    let asked = small
        .into_iter()
        // Where both seeds are zero a second answer must differ from the first: these are asked as they come up.
        .filter(|case| case.expect != Expectation::Statistical)
        .filter(|case| implementation.backend.supports(&case.request) == Support::Supported);
    let asked: Vec<&Case> = asked.collect();
    let caught = seedproof::judging::Caught(implementation.backend.as_ref());
    let answers: BTreeMap<String, Answer> = pool.install(|| {
        let ask = |case: &&Case| {
            let answer = caught.ask(&Ask {
                case: case.id.as_str(),
                request: &case.request,
                want: Want::Full,
            });
            bar.step();
            (case.id.to_string(), answer)
        };
        asked.par_iter().map(ask).collect()
    });
    drop(bar);
    let known = Known {
        id: BackendId::new(AUTO),
        inner: implementation.backend,
        answers,
        told: None,
    };
    let scores = scores(&known, &asked, catalogue);
    let best = best(&scores);
    let table = table(&id, &scores, best);
    let reading = scores[best].reading.name.to_string();
    let told = Some(Mutex::default());
    let backend = Box::new(Known { id, told, ..known });
    Ok(Found {
        implementation: Implementation {
            backend,
            ..implementation
        },
        silent: scores[best].silent,
        reading,
        table,
    })
}

/// How far a reading explains an implementation.
struct Score {
    reading: Reading,
    /// The number of answers that the reading reproduces.
    right: usize,
    /// Answers that are not.
    wrong: usize,
    /// Answers to what the reading does not have.
    silent: usize,
}

fn scores(known: &Known, asked: &[&Case], catalogue: &Catalogue) -> Vec<Score> {
    let answered = |case: &&&Case| {
        let answer = known.answers.get(case.id.as_str()).map(|answer| &answer.result);
        matches!(answer, Some(Ok(_) | Err(Failure::Rejected(_))))
    };
    let answered: Vec<&Case> = asked.iter().filter(answered).copied().collect();
    let readings: Vec<(&Reading, &dyn Backend)> = catalogue.readings().collect();
    readings
        .into_par_iter()
        .map(|(reading, engine)| {
            let judges = Judges {
                oracle: catalogue.reference(),
                requested: Some((&reading.name, engine)),
                readings: &[],
                nan: catalogue.nan(),
                repeat: 0,
            };
            let mut score = Score {
                right: 0,
                wrong: 0,
                silent: 0,
                reading: reading.clone(),
            };
            for case in &answered {
                match seedproof_check::judge(case, known, &judges) {
                    Ok(finding) if finding.outcome == Outcome::Pass => score.right += 1,
                    Ok(_) => score.wrong += 1,
                    Err(_) => score.silent += 1,
                }
            }
            score
        })
        .collect()
}

/// The place of the reading with most right answers; of those, the one that judges most; of those, the first, which is `spec` if
/// it is among them. Where a reading is silent a wrong answer is not told from a right one, so that silence explains nothing.
/// Without a right answer there is nothing to choose by, and it is `spec`.
fn best(scores: &[Score]) -> usize {
    let key = |index: &usize| (Reverse(scores[*index].right), scores[*index].silent);
    let explains = |index: &usize| scores[*index].right > 0;
    (0..scores.len()).filter(explains).min_by_key(key).unwrap_or(0)
}

fn table(id: &BackendId, scores: &[Score], best: usize) -> String {
    let id = one_line(id.as_str());
    let Score {
        reading,
        right,
        wrong,
        silent,
    } = &scores[best];
    let name = &reading.name;
    let answers = right + wrong + silent;
    let mut text = if *right == 0 {
        format!("{id}: no named reading explains any of its {answers} answers; judged against {name}\n")
    } else {
        format!(
            "{id}: the reading {name} explains it best, {right} of {answers} answers; judged against it\n"
        )
    };
    let mut line = |line: String| writeln!(text, "{line}").expect("a String takes every write");
    let rivals: Vec<&str> = scores
        .iter()
        .enumerate()
        .filter(|(index, score)| {
            *index != best && score.right == *right && score.silent == *silent && *right > 0
        })
        .map(|(_, score)| score.reading.name.as_ref())
        .collect();
    if !rivals.is_empty() {
        let verb = plural(rivals.len(), ["explains", "explain"]);
        line(format!(
            "  ambiguous: {} {verb} equally many answers; the first reading is used",
            rivals.join(", ")
        ));
    }
    let longest = scores.iter().map(|score| score.reading.name.len()).max();
    let width = longest.unwrap_or(0);
    line(format!(
        "\n  {:<width$} {:>7} {:>7} {:>7}",
        "reading", "right", "wrong", "silent"
    ));
    for score in scores {
        let Score {
            right, wrong, silent, ..
        } = score;
        line(format!(
            "  {:<width$} {right:>7} {wrong:>7} {silent:>7}",
            score.reading.name
        ));
    }
    let differing: Vec<Answered> = seedproof_readings::questions(reading)
        .into_iter()
        .filter(|it| it.spec.is_some())
        .collect();
    if differing.is_empty() {
        line(format!("\n  {name} answers every question as spec does\n"));
        return text;
    }
    let width = differing
        .iter()
        .map(|it| it.answer.chars().count())
        .chain([name.len()])
        .max()
        .unwrap_or(0);
    line(format!("\n  {:<36} {name:<width$}  spec", "question"));
    for Answered {
        question,
        answer,
        spec,
    } in differing
    {
        line(format!(
            "  {question:<36} {answer:<width$}  {}",
            spec.unwrap_or_default()
        ));
    }
    line(String::new());
    text
}

/// An implementation some of whose answers are known.
struct Known {
    id: BackendId,
    inner: Box<dyn Backend>,
    /// By the id of the case.
    answers: BTreeMap<String, Answer>,
    /// The cases whose answers were handed out. The next time the implementation itself is asked, because the kept answer
    /// would hide one that changes. `None` where the same answers are judged by one reading after another.
    told: Option<Mutex<BTreeSet<String>>>,
}

impl Backend for Known {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        self.inner.supports(request)
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.inner.run(request)
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        self.inner.stages(request)
    }

    fn end(&self) -> Vec<String> {
        self.inner.end()
    }

    fn description(&self) -> String {
        self.inner.description()
    }

    /// Small outputs are known. Large ones were not kept, and are asked for by their digest where that is enough.
    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let is_new = || match &self.told {
            Some(told) => {
                let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                told.insert(ask.case.to_owned())
            }
            None => true,
        };
        match self.answers.get(ask.case) {
            Some(answer) if !matches!(ask.want, Want::Window { .. }) && is_new() => answer.clone(),
            _ => self.inner.ask(ask),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reading that has nothing to compare most answers with was chosen, and a run in which three of four answers are wrong
    /// conformed in the fourth.
    #[test]
    fn readings_are_chosen_for_what_they_judge() {
        let chosen = |scores: &[[usize; 3]]| {
            let score = |&[right, wrong, silent]: &[usize; 3]| Score {
                reading: Reading::spec(),
                right,
                wrong,
                silent,
            };
            best(&scores.iter().map(score).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&[[46, 0, 134], [46, 134, 0]]), 1);
        assert_eq!(chosen(&[[46, 134, 0], [47, 0, 133]]), 1);
        assert_eq!(chosen(&[[46, 0, 0], [46, 0, 0]]), 0);
        assert_eq!(chosen(&[[0, 3, 0], [0, 0, 3]]), 0);
    }
}

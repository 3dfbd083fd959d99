//! The diagnosis: the causes of each failing case, and the fewest that explain them all.
//!
//! Each case is searched on its own, in stages that cost more and more: single candidates, candidates with a parameter,
//! structures; then structures of a mistake's stream and pairs of mistakes; then three mistakes. The next stage is
//! entered only where the last found nothing, and a case that a cause found in another one gives is not searched at all.
//! All causes are then tried on all cases, and a cover is chosen.
//!
//! The work is bounded by the number of trials and of elements drawn, not by time, so that a diagnosis is a function of
//! its inputs. A stage whose budget is spent is left out, and [`Diagnosis::tried`] says on how many cases it was tried.

mod combine;
mod cover;
mod hypothesis;
mod nearest;
mod only;
mod partly;
mod parts;
mod passes;
mod sample;
mod score;
mod search;
mod singles;
mod stage;
mod suspects;

pub use suspects::{Families, Found, Suspects, Together};

use seedproof_ops::standard;

use crate::model::diagnosis::{Diagnosis, Verdict};
use crate::model::exchange::{FailedCase, PassedCase};
use cover::Cover;
use passes::Passes;
use search::{CONFIRMING, Search};

/// The causes of the failing cases of one implementation.
///
/// `passes` are cases that it answers as expected: a candidate that would fail them is contradicted, and ranks below
/// one that would not. Hand over all; only the cheapest are tried.
/// Without failures there is nothing to explain: [`Verdict::Unexplained`], without explanations.
pub fn diagnose(failures: &[FailedCase], passes: &[PassedCase], suspects: &Suspects<'_>) -> Diagnosis {
    standard(|| search(failures, passes, suspects))
}

fn search(failures: &[FailedCase], passes: &[PassedCase], suspects: &Suspects<'_>) -> Diagnosis {
    let mut cases: Vec<&FailedCase> = failures.iter().collect();
    cases.sort_by_cached_key(|case| (case.request.work(), case.case.clone()));
    let passes = Passes::new(failures, passes);
    let mut search = Search::new(&cases, passes.clone(), suspects);
    for case in sample::in_turns(&cases) {
        search.examine(case);
    }
    search.confirming = CONFIRMING;
    let found = Cover::new(&cases, passes, suspects).choose(&mut search);
    let verdict = match (found.winners, found.open.is_empty()) {
        (0, _) => Verdict::Unexplained,
        (_, false) => Verdict::Partly,
        (1, true) if found.rivals == 0 => Verdict::Explained,
        (1, true) => Verdict::Ambiguous,
        _ => Verdict::Several,
    };
    let mut unexplained = nearest::unexplained(&search, &found.open, &found.doubtful);
    unexplained.sort_by(|a, b| a.case.cmp(&b.case));
    Diagnosis {
        verdict,
        explanations: found.explanations,
        tried: search.tried(&found.open),
        unexplained,
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

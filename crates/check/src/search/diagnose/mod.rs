//! The diagnosis: the causes of each failing case, and the fewest that explain them all.
//!
//! Each case is searched on its own, in stages of rising cost: single candidates, candidates with a parameter,
//! structures; then structures of a mistake's stream and pairs of mistakes; then three mistakes. A stage is entered
//! only where the earlier ones found nothing. A case that an earlier case's cause reproduces is not searched at all. In
//! the end all causes are tried on all cases, and a cover is chosen.
//!
//! The work is bounded by numbers of trials and of drawn elements rather than by time, so that a diagnosis is a
//! function of its inputs. A stage whose budget is spent is left out, and [`Diagnosis::tried`] says on how many cases
//! it was tried.

mod changing;
mod combine;
mod cover;
mod hypothesis;
mod items;
mod nearest;
mod only;
mod partly;
mod parts;
mod passes;
mod refuted;
mod sample;
mod score;
mod search;
mod singles;
mod sizes;
mod stage;
mod suspects;

pub use suspects::{Base, Families, Found, Suspects, Together};

use seedproof_ops::standard;

use crate::model::diagnosis::{Diagnosis, Verdict};
use crate::model::exchange::{FailedCase, PassedCase};
use cover::Cover;
use passes::Passes;
use search::{CONFIRMING, Search};

/// Finds the causes of the failing cases of one implementation.
///
/// `passes` are the cases that it answers as expected. A candidate that would fail them is contradicted, and ranks
/// below one that would not. Pass all of them; only the cheapest are tried. Without failures the verdict is
/// [`Verdict::Unexplained`], with no explanations.
///
/// ```
/// use seedproof_check::{Suspects, Verdict, diagnose};
///
/// let suspects = Suspects {
///     candidates: &[],
///     families: &|_| Vec::new(),
///     together: &|_| None,
///     oracle: None,
///     base: None,
/// };
/// let diagnosis = diagnose(&[], &[], &suspects);
/// assert_eq!(diagnosis.verdict, Verdict::Unexplained);
/// ```
pub fn diagnose(failures: &[FailedCase], passes: &[PassedCase], suspects: &Suspects<'_>) -> Diagnosis {
    diagnose_counted(failures, passes, suspects, &|| ())
}

/// [`diagnose`], with a call after each failing case that was searched, from which a caller can show how far it is: thousands
/// of cases take a quarter of a minute.
pub fn diagnose_counted(
    failures: &[FailedCase],
    passes: &[PassedCase],
    suspects: &Suspects<'_>,
    searched: &dyn Fn(),
) -> Diagnosis {
    standard(|| search(failures, passes, suspects, searched))
}

fn search(
    failures: &[FailedCase],
    passes: &[PassedCase],
    suspects: &Suspects<'_>,
    searched: &dyn Fn(),
) -> Diagnosis {
    let mut cases: Vec<&FailedCase> = failures.iter().collect();
    // Threads judge in any order, and shards are joined in any: the order must not depend on either.
    cases.sort_by_cached_key(|case| (case.request.work(), case.case.clone()));
    let (changing, cases): (Vec<&FailedCase>, _) = cases.into_iter().partition(|case| case.again.is_some());
    let passes = Passes::new(failures, passes, suspects.base);
    let mut search = Search::new(&cases, passes.clone(), suspects);
    for case in sample::in_turns(&cases) {
        search.examine(case);
        searched();
    }
    // A budget of its own: causes that were found must be tried on large outputs even if the search spent all on
    // others.
    search.confirming = CONFIRMING;
    let found = Cover::new(&cases, passes.clone(), suspects).choose(&mut search);
    let (goes_on, changing) = changing::going_on(changing, suspects);
    let mut explanations = changing::places(&changing, passes, suspects, searched);
    explanations.extend(goes_on);
    let winners = found.winners + explanations.len();
    let verdict = match (winners, found.open.is_empty()) {
        (0, _) => Verdict::Unexplained,
        (_, false) => Verdict::Partly,
        (1, true) if found.rivals == 0 => Verdict::Explained,
        (1, true) => Verdict::Ambiguous,
        _ => Verdict::Several,
    };
    let mut unexplained = nearest::unexplained(&search, &found.open, &found.doubtful);
    unexplained.sort_by(|a, b| a.case.cmp(&b.case));
    explanations.splice(0..0, found.explanations);
    Diagnosis {
        verdict,
        explanations,
        tried: search.tried(&found.open),
        unexplained,
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

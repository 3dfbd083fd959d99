//! Two wrong answers together, where no single one explains everything.

use seedproof_ops::Backend;

use crate::FailedCase;
use crate::score::{screened_cost, try_on};
use crate::trial::Trial;
use crate::{Candidate, CandidateKind, PairSource};

/// Elements of work that the search for pairs may take.
const BUDGET: u64 = 1 << 20;

/// Unexplained cases on which pairs are tried first.
const PROBES: usize = 4;

/// Pairs that are taken from the probes.
const TAKEN: usize = 32;

/// The pairs that give at least one case that no single candidate gives in full; or, if single candidates give
/// every case between them, those whose two members do.
///
/// `trials` are the single candidates, in the order of `candidates`, with their scores on `cases`.
pub(crate) fn pairs<'a>(
    cases: &[&FailedCase],
    candidates: &[Candidate<'a>],
    trials: &[Trial<'a>],
    source: &PairSource<'_>,
) -> Vec<Trial<'a>> {
    let mut budget = BUDGET;
    let mut found = Vec::new();
    let unexplained: Vec<usize> = (0..cases.len())
        .filter(|&case| !trials.iter().any(|trial| trial.is_full_on(case)))
        .collect();
    if unexplained.is_empty() {
        for (a, b) in all(candidates.len()) {
            let covers =
                (0..cases.len()).all(|case| trials[a].is_full_on(case) || trials[b].is_full_on(case));
            if covers && found.len() < TAKEN {
                found
                    .extend(source(&candidates[a], &candidates[b]).map(|pair| trial(candidates, a, b, pair)));
            }
        }
        return found;
    }
    for probe in probes(cases, &unexplained) {
        let case = cases[probe];
        // A candidate that changes nothing in a case has no part in what went wrong there.
        let active: Vec<bool> = (0..candidates.len())
            .map(|candidate| {
                trials[candidate]
                    .score_on(probe)
                    .is_some_and(|score| score.departs)
            })
            .collect();
        let (likely, unlikely): (Vec<_>, Vec<_>) =
            all(candidates.len()).partition(|&(a, b)| active[a] && active[b]);
        let before = found.len();
        for (a, b) in likely.into_iter().chain(unlikely) {
            let fits = active[a] && active[b] || found.len() == before;
            if !fits || found.len() >= TAKEN || budget == 0 {
                continue;
            }
            let Some(pair) = source(&candidates[a], &candidates[b]) else {
                continue;
            };
            budget = budget.saturating_sub(screened_cost(case));
            let mut large = budget;
            if try_on(&*pair, case, &mut large).is_some_and(|score| score.full)
                && !found
                    .iter()
                    .any(|trial: &Trial<'_>| trial.name == name(candidates, a, b))
            {
                found.push(trial(candidates, a, b, pair));
            }
            budget = budget.min(large);
        }
    }
    found
}

/// Every unordered pair.
fn all(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// Small cases first, yet not so small that anything fits.
fn probes(cases: &[&FailedCase], unexplained: &[usize]) -> Vec<usize> {
    let mut order = unexplained.to_vec();
    order.sort_by_key(|&case| {
        let elements = crate::score::elements(cases[case]);
        (elements < 8, screened_cost(cases[case]), case)
    });
    order.truncate(PROBES);
    order
}

fn name(candidates: &[Candidate<'_>], a: usize, b: usize) -> String {
    let (a, b) = (candidates[a].name, candidates[b].name);
    format!("{} + {}", a.min(b), a.max(b))
}

fn trial<'a>(candidates: &[Candidate<'a>], a: usize, b: usize, pair: Box<dyn Backend>) -> Trial<'a> {
    let name = name(candidates, a, b);
    let (a, b) = (&candidates[a], &candidates[b]);
    let (first, second) = if a.name <= b.name { (a, b) } else { (b, a) };
    let join = |first: &str, second: &str, between: &str| match (first, second) {
        ("", only) | (only, "") => only.to_owned(),
        _ => format!("{first}{between}{second}"),
    };
    Trial::owned(
        name,
        CandidateKind::Pair,
        [
            join(first.sentence, second.sentence, "; and "),
            join(first.mend, second.mend, "; and "),
            join(first.clause, second.clause, ", "),
            join(first.erratum, second.erratum, ", "),
        ],
        pair,
    )
}

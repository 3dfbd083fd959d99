//! Pairs of wrong answers, where no single one explains everything.

use std::cmp::Reverse;

use seedproof_ops::Backend;

use crate::candidate_run::CandidateRun;
use crate::score::{Trust, screened_cost, try_on};
use crate::{Candidate, Cause, CauseKind, FailedCase, PairSource};

/// Elements of work that the search for pairs may take.
const BUDGET: u64 = 2 << 20;

/// Unexplained cases on which pairs are tried first.
const PROBES: usize = 4;

/// Pairs tried on a probe of which one member alone changes nothing there.
const UNLIKELY: usize = 2048;

/// Pairs that are taken from the probes.
const TAKEN: usize = 48;

/// The pairs that give at least one case that no single candidate gives in full; or, if single candidates give
/// every case between them, those whose two members do.
///
/// `trials` are the single candidates, in the order of `candidates`, with their scores on the cases `tried`.
pub(crate) fn pairs<'a>(
    cases: &[&FailedCase],
    tried: &[usize],
    candidates: &[Candidate<'a>],
    trials: &[CandidateRun<'_>],
    source: &PairSource<'_>,
) -> Vec<CandidateRun<'a>> {
    let given: Vec<Vec<bool>> = trials
        .iter()
        .map(|trial| tried.iter().map(|&case| trial.is_full_on(case)).collect())
        .collect();
    let between = |a: usize, b: usize| {
        let both = given[a].iter().zip(&given[b]);
        both.filter(|&(&a, &b)| a || b).count()
    };
    // Pairs that give most between them come first: two independent mistakes have cases of their own.
    let mut all: Vec<(usize, usize, usize)> = all(candidates.len())
        .map(|(a, b)| (between(a, b), a, b))
        .collect();
    all.sort_by_key(|&(given, a, b)| (Reverse(given), a, b));
    let unexplained: Vec<usize> = tried
        .iter()
        .copied()
        .filter(|&case| !trials.iter().any(|trial| trial.is_full_on(case)))
        .collect();
    if unexplained.is_empty() {
        let whole = all.into_iter().take_while(|&(given, ..)| given == tried.len());
        return whole
            .filter_map(|(_, a, b)| {
                let pair = source(&candidates[a], &candidates[b])?;
                Some(trial(candidates, a, b, pair))
            })
            .take(TAKEN)
            .collect();
    }
    let mut budget = BUDGET;
    let mut found: Vec<CandidateRun<'_>> = Vec::new();
    for probe in probes(cases, &unexplained) {
        let case = cases[probe];
        // A candidate that changes nothing in a case seldom has a part in its failure.
        let active = |candidate: usize| trials[candidate].score_on(probe).is_some_and(|it| it.departs);
        let active: Vec<bool> = (0..candidates.len()).map(active).collect();
        let (likely, unlikely): (Vec<_>, Vec<_>) = all.iter().partition(|(_, a, b)| active[*a] && active[*b]);
        let before = found.len();
        for (_, a, b) in likely.into_iter().chain(unlikely.into_iter().take(UNLIKELY)) {
            let fits = active[a] && active[b] || found.len() == before;
            if !fits || found.len() >= TAKEN || budget == 0 {
                continue;
            }
            let Some(pair) = source(&candidates[a], &candidates[b]) else {
                continue;
            };
            budget = budget.saturating_sub(screened_cost(case));
            let mut large = budget;
            let score = try_on(&*pair, case, Trust::None, &mut large);
            if score.is_some_and(|score| score.full) {
                let new = trial(candidates, a, b, pair);
                if found.iter().all(|trial| trial.cause.name != new.cause.name) {
                    found.push(new);
                }
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

/// Small cases first; those under eight elements, which almost anything fits, come last.
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
    let (a, b) = (&candidates[a].cause.name, &candidates[b].cause.name);
    format!("{} + {}", a.min(b), a.max(b))
}

fn trial<'a>(candidates: &[Candidate<'a>], a: usize, b: usize, pair: Box<dyn Backend>) -> CandidateRun<'a> {
    let name = name(candidates, a, b);
    let (a, b) = (&candidates[a].cause, &candidates[b].cause);
    let (first, second) = if a.name <= b.name { (a, b) } else { (b, a) };
    let join = |first: &str, second: &str, between: &str| match (first, second) {
        ("", only) | (only, "") => only.to_owned(),
        _ => format!("{first}{between}{second}"),
    };
    let cause = Cause {
        name,
        kind: CauseKind::Combination,
        sentence: join(&first.sentence, &second.sentence, "; and "),
        fix: join(&first.fix, &second.fix, "; and "),
        clause: join(&first.clause, &second.clause, ", "),
        erratum: join(&first.erratum, &second.erratum, ", "),
    };
    CandidateRun::pair(cause, pair)
}

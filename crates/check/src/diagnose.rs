//! Why an implementation fails: structure, then every candidate, then pairs; ranked by evidence, never guessed.
//!
//! The work is bounded in elements drawn, not in time, so that a diagnosis is a function of its inputs.

use std::collections::{BTreeMap, BTreeSet};

use seedproof_ops::{Backend, Failure};

use crate::exchange::same;
use crate::locate::wide;
use crate::pairs::pairs;
use crate::score::{SMALL, baseline, cost, information, screened_cost};
use crate::structure::{ask, structures};
use crate::trial::Trial;
use crate::{Candidate, CandidateKind, Diagnosis, Explanation, FailedCase, PassedCase, Verdict, rank};

/// A backend with two wrong answers together, or `None` where the two exclude each other.
pub type PairSource<'a> = dyn Fn(&Candidate<'_>, &Candidate<'_>) -> Option<Box<dyn Backend>> + 'a;

/// Candidates with parameters, found by a search in one failing case: its words, or its values.
pub type Family<'a> = dyn Fn(&FailedCase) -> Vec<Found> + 'a;

/// A candidate that a [`Family`] found. What it says of the case that it was found in is tried on every other.
pub struct Found {
    /// Its id with its parameters: `per-thread(threads = 256)`.
    pub name: String,
    /// What sort of cause.
    pub kind: CandidateKind,
    /// One sentence: what the implementation does.
    pub sentence: String,
    /// How to mend it.
    pub mend: String,
    /// The clause that it departs from; empty if there are several.
    pub clause: String,
    /// The erratum that it answers otherwise; empty if none.
    pub erratum: String,
    /// A backend that does it.
    pub backend: Box<dyn Backend>,
}

/// Everything that is tried on the failing cases.
#[derive(Clone, Copy)]
pub struct Suspects<'a> {
    /// Readings and mistakes.
    pub candidates: &'a [Candidate<'a>],
    /// Candidates whose parameters are searched for.
    pub families: &'a [&'a Family<'a>],
    /// Two candidates together.
    pub pairs: &'a PairSource<'a>,
    /// Answers as what was expected: to follow the stream beyond an output, and to name the stage.
    pub oracle: Option<&'a dyn Backend>,
}

/// Elements of work for all single candidates together.
const SINGLES: u64 = 4 << 20;

/// Elements of outputs that are too large to be tried on sight.
const LARGE: u64 = 16 << 20;

/// Elements of passing cases that one explanation is held against.
const PASSES: u64 = 1 << 16;

/// Failing cases in which parameters are searched for.
const SEARCHED: usize = 4;

/// Explanations that are looked at closely.
const FINALISTS: usize = 32;

/// Causes that together are still an explanation, at most.
const CAUSES: usize = 6;

/// Bits of evidence under which agreement is no explanation.
const EVIDENCE: f64 = 12.0;

/// What the failing cases of one implementation have in common.
///
/// `passes` are cases that it answers as expected: a candidate that would fail them is contradicted, and ranks below
/// one that would not. Hand over what there is; only as much of it is tried as is quickly done: failures cheapest
/// first, small passes in the order given.
/// Without failures there is nothing to explain: [`Verdict::Unexplained`], without explanations.
pub fn diagnose(failures: &[FailedCase], passes: &[PassedCase], suspects: &Suspects<'_>) -> Diagnosis {
    let mut cases: Vec<&FailedCase> = failures.iter().collect();
    cases.sort_by_key(|case| (cost(&case.request), case.case.clone()));
    let at_first = affordable(&cases, suspects.candidates.len());
    let (tried, later) = cases.split_at(at_first);
    if tried.is_empty() {
        return rank::nearest(Vec::new(), 0);
    }
    let mut large = LARGE;
    let mut bench = Bench {
        tried,
        later,
        passes,
        oracle: suspects.oracle,
        large: &mut large,
    };

    let mut trials: Vec<Trial<'_>> = suspects.candidates.iter().map(Trial::borrowed).collect();
    trials.extend(searched(tried, suspects.families));
    for trial in &mut trials {
        trial.run(tried, bench.large);
    }
    let relations = structures(tried, suspects.oracle);
    if let Some(diagnosis) = bench.full(&mut trials, &relations) {
        return diagnosis;
    }

    let mut two = pairs(tried, suspects.candidates, &trials, suspects.pairs);
    for trial in &mut two {
        trial.run(tried, bench.large);
    }
    if let Some(diagnosis) = bench.full(&mut two, &relations) {
        return diagnosis;
    }
    trials.extend(two);
    if let Some(diagnosis) = bench.relation(&relations).or_else(|| bench.several(&mut trials)) {
        return diagnosis;
    }
    bench.nearest(&mut trials, relations)
}

/// How many of the cases, cheapest first, every candidate is tried on: at least one.
fn affordable(cases: &[&FailedCase], candidates: usize) -> usize {
    let each = SINGLES / wide(candidates.max(1));
    let mut spent = 0;
    cases
        .iter()
        .take_while(|case| {
            let first = spent == 0;
            spent += screened_cost(case);
            first || spent <= each
        })
        .count()
}

/// What the families find in the cases that say most, each name once.
fn searched<'a>(cases: &[&FailedCase], families: &[&Family<'_>]) -> Vec<Trial<'a>> {
    let mut telling: Vec<&&FailedCase> = cases.iter().collect();
    telling.sort_by(|a, b| information(b).total_cmp(&information(a)));
    let mut names = BTreeSet::new();
    telling
        .into_iter()
        .take(SEARCHED)
        .flat_map(|case| families.iter().flat_map(move |family| family(case)))
        .filter(|found| names.insert(found.name.clone()))
        .map(Trial::found)
        .collect()
}

/// The cases of a diagnosis, and what is left of its budget.
struct Bench<'a, 'b> {
    /// Every candidate is tried on these.
    tried: &'a [&'a FailedCase],
    /// Only explanations that are worth it are tried on these.
    later: &'a [&'a FailedCase],
    passes: &'a [PassedCase],
    oracle: Option<&'a dyn Backend>,
    large: &'b mut u64,
}

impl Bench<'_, '_> {
    /// The diagnosis if candidates give every case in full, and the cases say enough to believe it.
    fn full(&mut self, trials: &mut [Trial<'_>], relations: &[Explanation]) -> Option<Diagnosis> {
        let mut finalists: Vec<&mut Trial<'_>> = trials
            .iter_mut()
            .filter(|trial| trial.tally().0 == self.tried.len())
            .collect();
        finalists.truncate(FINALISTS);
        let explanations: Vec<Explanation> = finalists.into_iter().map(|trial| self.closely(trial)).collect();
        if !explanations.iter().any(rank::is_full) || !self.is_telling(0..self.tried.len()) {
            return None;
        }
        let relations = relations
            .iter()
            .filter(|relation| rank::is_full(relation))
            .cloned();
        rank::full(explanations.into_iter().chain(relations).collect())
    }

    /// The diagnosis if a relation gives every case in full.
    fn relation(&self, relations: &[Explanation]) -> Option<Diagnosis> {
        if !self.is_telling(0..self.tried.len()) {
            return None;
        }
        rank::full(relations.to_vec())
    }

    /// The diagnosis if a few candidates give every case between them: the fewest that greed finds.
    ///
    /// Of equals, the one that passing cases speak least against; among those the name decides, for the verdict says
    /// that these together suffice, not that nothing else would.
    fn several(&mut self, trials: &mut [Trial<'_>]) -> Option<Diagnosis> {
        let mut open: BTreeSet<usize> = (0..self.tried.len()).collect();
        let mut chosen: Vec<usize> = Vec::new();
        let mut against: BTreeMap<usize, u64> = BTreeMap::new();
        while !open.is_empty() && chosen.len() < CAUSES {
            let gain = |trial: &Trial<'_>| open.iter().filter(|&&case| trial.is_full_on(case)).count();
            let best = trials.iter().map(gain).max().filter(|&best| best > 0)?;
            let winner = (0..trials.len())
                .filter(|&trial| gain(&trials[trial]) == best)
                .min_by_key(|&trial| {
                    let against = against
                        .entry(trial)
                        .or_insert_with(|| self.contradicted(trials[trial].backend()));
                    (*against, trials[trial].name.clone())
                })?;
            let (its, rest): (BTreeSet<usize>, BTreeSet<usize>) =
                open.iter().partition(|&&case| trials[winner].is_full_on(case));
            if !self.is_telling(its.into_iter()) {
                return None;
            }
            open = rest;
            chosen.push(winner);
        }
        if !open.is_empty() {
            return None;
        }
        let mut explanations: Vec<Explanation> = chosen
            .iter()
            .map(|&trial| self.closely(&mut trials[trial]))
            .collect();
        let all = self.tried.len() + self.later.len();
        if !(0..all).all(|case| chosen.iter().any(|&trial| trials[trial].is_full_on(case))) {
            return None;
        }
        explanations.sort_by(rank::order);
        Some(Diagnosis {
            verdict: Verdict::Several,
            explanations,
        })
    }

    /// What came nearest.
    fn nearest(&mut self, trials: &mut [Trial<'_>], relations: Vec<Explanation>) -> Diagnosis {
        let mut order: Vec<usize> = (0..trials.len()).collect();
        order.sort_by_key(|&trial| {
            let (cases, elements) = trials[trial].tally();
            (std::cmp::Reverse((cases, elements)), trials[trial].name.clone())
        });
        let mut explanations = relations;
        for trial in order.into_iter().take(3) {
            explanations.push(self.closely(&mut trials[trial]));
        }
        let cases = self.tried.iter().chain(self.later);
        rank::nearest(explanations, cases.map(|case| baseline(case).elements).sum())
    }

    /// A candidate on every failing case, and held against the passing ones.
    fn closely(&mut self, trial: &mut Trial<'_>) -> Explanation {
        let all: Vec<&FailedCase> = self.tried.iter().chain(self.later).copied().collect();
        trial.run(&all, self.large);
        let contradicted = self.contradicted(trial.backend());
        trial.explanation(&all, self.oracle, contradicted)
    }

    /// How many passing cases a backend answers otherwise.
    fn contradicted(&self, backend: &dyn Backend) -> u64 {
        let mut spent = 0;
        let contradictions = self
            .passes
            .iter()
            .filter(|pass| cost(&pass.request) <= 4 * SMALL)
            .take_while(|pass| {
                spent += cost(&pass.request);
                spent <= PASSES
            })
            .filter(|pass| match ask(backend, &pass.request) {
                Some(Ok(response)) => !same(&pass.reply, &Ok(response)),
                Some(Err(Failure::Rejected(error))) => !same(&pass.reply, &Err(error)),
                _ => false,
            });
        wide(contradictions.count())
    }

    /// Whether these cases together say enough that giving them is no accident.
    fn is_telling(&self, cases: impl Iterator<Item = usize>) -> bool {
        cases.map(|case| information(self.tried[case])).sum::<f64>() >= EVIDENCE
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

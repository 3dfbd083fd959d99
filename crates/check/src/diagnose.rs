//! The diagnosis: structure, then every candidate, then pairs, ranked by evidence.
//!
//! The work is bounded by the number of elements drawn, not by time, so that a diagnosis is a function of its inputs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use seedproof_ops::{Backend, Failure};

use crate::candidate_run::{COINCIDENCE_BITS, CandidateRun};
use crate::chance::chance;
use crate::exchange::{ask, same};
use crate::pairs::pairs;
use crate::sample::{in_turns, sample, telling};
use crate::score::{SCREENED_ABOVE, Trust, as_u64, baseline, information, try_on};
use crate::structure::structures;
use crate::{Candidate, Cause, Diagnosis, Expected, Explanation, FailedCase, PassedCase, Verdict, rank};

/// A backend with two wrong answers together, or `None` where the two exclude each other.
pub type PairSource<'a> = dyn Fn(&Candidate<'_>, &Candidate<'_>) -> Option<Box<dyn Backend>> + 'a;

/// Makes the candidates with parameters: all members of all families.
pub type Families<'a> = dyn Fn() -> Vec<Found> + 'a;

/// A candidate with a parameter. It is dropped unless it gives one of the most informative failing cases.
pub struct Found {
    /// The cause; its name has the parameters: `per-thread(threads = 256)`.
    pub cause: Cause,
    /// Answers as the cause makes an implementation answer.
    pub backend: Box<dyn Backend>,
}

/// Everything that is tried on the failing cases.
#[derive(Clone, Copy)]
pub struct Suspects<'a> {
    /// Readings and mistakes.
    pub candidates: &'a [Candidate<'a>],
    /// Candidates whose parameters are searched for.
    pub families: &'a Families<'a>,
    /// Two candidates together.
    pub pairs: &'a PairSource<'a>,
    /// Gives the expected answers: to follow the stream beyond an output, and to name the stage.
    pub oracle: Option<&'a dyn Backend>,
}

/// Elements of work for the first trial of all single candidates together.
const SINGLES: u64 = 4 << 20;

/// Elements of outputs above [`SCREENED_ABOVE`] that are drawn in full.
const LARGE: u64 = 64 << 20;

/// The same for candidates with parameters, while they are searched for.
const FAMILIES: u64 = 4 << 20;

/// Elements of passing cases that an explanation is held against.
const PASSES: u64 = 1 << 16;

/// The same for all equally good explanations together.
const RIVALS: u64 = 8 << 20;

/// Rounds in which cases that the best candidates miss are added to those that all are tried on.
const ROUNDS: usize = 4;

/// The same for pairs, which are many.
const PAIR_ROUNDS: usize = 2;

/// Cases that are added in a round.
const OVERLOOKED: usize = 12;

/// The most failing cases whose structure is examined for hints. Of more, those that every candidate is tried on.
const STRUCTURED: usize = 256;

/// The most candidates that are tried on all cases.
const FINALISTS: usize = 32;

/// The most causes that together are an explanation.
const CAUSES: usize = 6;

/// Bits of evidence under which agreement is no explanation.
const EVIDENCE: f64 = 12.0;

/// The causes that the failing cases of one implementation have in common.
///
/// `passes` are cases that it answers as expected: a candidate that would fail them is contradicted, and ranks below
/// one that would not. Hand over all; only the cheapest are tried. Every candidate is tried on a few failures of each
/// sort, and those that give them on all.
/// Without failures there is nothing to explain: [`Verdict::Unexplained`], without explanations.
pub fn diagnose(failures: &[FailedCase], passes: &[PassedCase], suspects: &Suspects<'_>) -> Diagnosis {
    let (settled, open): (Vec<&FailedCase>, Vec<&FailedCase>) = failures
        .iter()
        .partition(|case| case.expected != Expected::Random);
    if settled.is_empty() {
        return diagnose_cases(open, passes, suspects);
    }
    let mut diagnosis = diagnose_cases(settled, passes, suspects);
    // An output of zero seeds proves a cause only if a candidate draws the same. An implementation with another fault
    // may fail there too, which cannot be told apart.
    let apart = alone(open, passes, suspects).map_or_else(Vec::new, |found| found.explanations);
    let known = |name: &str| diagnosis.explanations.iter().position(|it| it.cause.name == name);
    match apart.iter().find_map(|it| Some((known(&it.cause.name)?, it))) {
        Some((known, same)) => {
            let known = &mut diagnosis.explanations[known];
            known.cases.extend(same.cases.iter().cloned());
            known.evidence.cases += same.evidence.cases;
            known.evidence.cases_total += same.evidence.cases_total;
            known.evidence.elements += same.evidence.elements;
            known.evidence.elements_total += same.evidence.elements_total;
        }
        None if diagnosis.verdict == Verdict::Explained && !apart.is_empty() => {
            diagnosis.verdict = Verdict::Several;
            diagnosis.explanations.truncate(1);
            diagnosis.explanations.extend(apart);
        }
        None => {}
    }
    diagnosis
}

fn in_order_of_cost(mut cases: Vec<&FailedCase>) -> Vec<&FailedCase> {
    cases.sort_by_cached_key(|case| (case.request.work(), case.case.clone()));
    cases
}

/// The diagnosis if a single candidate gives these cases.
fn alone(cases: Vec<&FailedCase>, passes: &[PassedCase], suspects: &Suspects<'_>) -> Option<Diagnosis> {
    let cases = in_order_of_cost(cases);
    let mut trials: Vec<CandidateRun<'_>> = suspects.candidates.iter().map(CandidateRun::single).collect();
    Search::new(&cases, passes, suspects).explain_by_one(&mut trials, &[])
}

fn diagnose_cases(cases: Vec<&FailedCase>, passes: &[PassedCase], suspects: &Suspects<'_>) -> Diagnosis {
    let cases = in_order_of_cost(cases);
    if cases.is_empty() {
        return rank::nearest(Vec::new(), 0);
    }
    let mut search = Search::new(&cases, passes, suspects);
    let mut trials: Vec<CandidateRun<'_>> = suspects.candidates.iter().map(CandidateRun::single).collect();
    let singles = trials.len();
    trials.extend(search.searched(suspects.families));
    let tried: Vec<&FailedCase> = search.tried.iter().map(|&case| cases[case]).collect();
    let relations = structures(&tried, suspects.oracle);
    for _ in 0..ROUNDS {
        if let Some(diagnosis) = search.explain_by_one(&mut trials, &relations) {
            return diagnosis;
        }
        if !search.add_overlooked_cases(&mut trials) {
            break;
        }
    }
    for _ in 0..PAIR_ROUNDS {
        search.run(&mut trials);
        let mut two = pairs(
            &cases,
            &search.tried,
            suspects.candidates,
            &trials[..singles],
            suspects.pairs,
        );
        if let Some(diagnosis) = search.explain_by_one(&mut two, &relations) {
            return diagnosis;
        }
        let learned = search.add_overlooked_cases(&mut two);
        two.retain(|pair| trials.iter().all(|known| known.cause.name != pair.cause.name));
        trials.extend(two);
        if !learned {
            break;
        }
    }
    if let Some(diagnosis) = search
        .explain_by_relation(&relations)
        .or_else(|| search.explain_by_several(&mut trials))
    {
        return diagnosis;
    }
    search.nearest(&mut trials)
}

/// The cases of a diagnosis, and what is left of its budget.
struct Search<'a> {
    /// In order of cost.
    cases: &'a [&'a FailedCase],
    /// The cases that every candidate is tried on.
    tried: Vec<usize>,
    /// Per case, whether it comes out as it did without any mistake, because another reading was requested.
    plain: Vec<bool>,
    /// In order of cost.
    passes: Vec<&'a PassedCase>,
    oracle: Option<&'a dyn Backend>,
    large: u64,
}

impl<'a> Search<'a> {
    fn new(cases: &'a [&'a FailedCase], passes: &'a [PassedCase], suspects: &Suspects<'a>) -> Self {
        let mut passes: Vec<&PassedCase> = passes
            .iter()
            .filter(|pass| pass.request.work() <= 4 * SCREENED_ABOVE)
            .collect();
        passes.sort_by_cached_key(|pass| (pass.request.work(), pass.case.clone()));
        let mut search = Self {
            cases,
            tried: Vec::new(),
            plain: vec![false; cases.len()],
            passes,
            oracle: suspects.oracle,
            large: LARGE,
        };
        search.try_on(sample(cases, SINGLES / as_u64(suspects.candidates.len().max(1))));
        search
    }

    /// Adds cases to those that every candidate is tried on.
    fn try_on(&mut self, more: Vec<usize>) {
        for &case in &more {
            self.plain[case] = self.oracle.is_some_and(|oracle| {
                try_on(oracle, self.cases[case], Trust::None, &mut self.large).is_some_and(|score| score.full)
            });
        }
        self.tried.extend(more);
    }

    /// The members of families that give one of the most informative cases, each name once.
    fn searched<'t>(&self, families: &Families<'_>) -> Vec<CandidateRun<'t>> {
        let mut budget = FAMILIES;
        let mut names = BTreeSet::new();
        let mut trials = Vec::new();
        for case in telling(self.cases) {
            for found in families() {
                let score = try_on(&*found.backend, case, Trust::None, &mut budget);
                if score.is_some_and(|score| score.full) && names.insert(found.cause.name.clone()) {
                    trials.push(CandidateRun::found(found));
                }
            }
        }
        trials
    }

    /// Tries candidates on the cases of [`Self::tried`].
    fn run(&mut self, trials: &mut [CandidateRun<'_>]) {
        for trial in trials {
            trial.run(self.cases, &self.tried, &mut self.large);
        }
    }

    /// The diagnosis if candidates give every case in full, and the cases have enough information.
    fn explain_by_one(
        &mut self,
        trials: &mut [CandidateRun<'_>],
        relations: &[Explanation],
    ) -> Option<Diagnosis> {
        self.run(trials);
        if !self.is_telling(self.tried.iter().copied()) {
            return None;
        }
        let mut explanations = Vec::new();
        let finalists = trials
            .iter_mut()
            .filter(|trial| self.tried.iter().all(|&case| trial.is_full_on(case)))
            .filter(|trial| trial.may_be_a_cause(&self.plain))
            .take(FINALISTS);
        let mut large = self.large;
        for trial in finalists {
            if trial.gives_all(self.cases, &mut large) {
                let against = self.contradicted(trial.backend(), PASSES);
                explanations.push((trial.explanation(self.cases, self.oracle, against), trial));
            }
        }
        self.large = large;
        // Prefer a listed mistake to an equal parameterised one.
        if let Some(listed) = explanations
            .iter()
            .filter(|(_, trial)| !trial.is_found)
            .map(|(it, _)| it.evidence.contradicted)
            .min()
        {
            explanations.retain(|(it, trial)| !trial.is_found || it.evidence.contradicted < listed);
        }
        let fewest = explanations
            .iter()
            .map(|(it, _)| it.evidence.contradicted)
            .min()?;
        let rivals = explanations
            .iter_mut()
            .filter(|(it, _)| it.evidence.contradicted == fewest);
        let mut rivals: Vec<_> = rivals.collect();
        // More passing cases are tried only where they may decide.
        if let more @ 2.. = as_u64(rivals.len()) {
            for (explanation, trial) in &mut rivals {
                explanation.evidence.contradicted = self.contradicted(trial.backend(), RIVALS / more);
            }
        }
        let relations = relations
            .iter()
            .filter(|relation| rank::is_full(relation))
            .cloned();
        let explanations = explanations.into_iter().map(|(explanation, _)| explanation);
        rank::full(explanations.chain(relations).collect())
    }

    /// Adds cases that the best candidates miss to those that all are tried on; false if there are none.
    fn add_overlooked_cases(&mut self, trials: &mut [CandidateRun<'_>]) -> bool {
        let chosen = self.cover(trials);
        if chosen.is_empty() {
            return false;
        }
        let known: BTreeSet<usize> = self.tried.iter().copied().collect();
        let untried = (0..self.cases.len()).filter(|case| !known.contains(case));
        let mut large = self.large;
        let more: Vec<usize> = in_turns(self.cases, untried)
            .into_iter()
            .filter(|&case| {
                !chosen.iter().any(|&trial| {
                    trials[trial].run(self.cases, &[case], &mut large);
                    trials[trial].is_full_on(case)
                })
            })
            .take(OVERLOOKED)
            .collect();
        self.large = large;
        let learned = !more.is_empty();
        self.try_on(more);
        learned
    }

    /// A greedy cover of the tried cases by candidates that give them.
    ///
    /// Of equals the least contradicted is taken, then the first by name: the verdict says that these together suffice,
    /// not that nothing else would.
    fn cover(&self, trials: &[CandidateRun<'_>]) -> Vec<usize> {
        let mut open: BTreeSet<usize> = self.tried.iter().copied().collect();
        let mut chosen: Vec<usize> = Vec::new();
        let mut against: BTreeMap<usize, u64> = BTreeMap::new();
        let causes: Vec<usize> = (0..trials.len())
            .filter(|&trial| trials[trial].may_be_a_cause(&self.plain))
            .collect();
        while !open.is_empty() && chosen.len() < CAUSES {
            let gain = |trial: usize| {
                open.iter()
                    .filter(|&&case| trials[trial].is_full_on(case))
                    .count()
            };
            let gains: Vec<(usize, usize)> = causes.iter().map(|&trial| (gain(trial), trial)).collect();
            let best = gains.iter().map(|&(gain, _)| gain).max().unwrap_or(0);
            let equals = gains.iter().filter(|&&(gain, _)| gain == best && best > 0);
            let winner = equals.map(|&(_, trial)| trial).min_by_key(|&trial| {
                let against = against
                    .entry(trial)
                    .or_insert_with(|| self.contradicted(trials[trial].backend(), PASSES));
                (*against, trials[trial].cause.name.clone())
            });
            let Some(winner) = winner else { break };
            open.retain(|&case| !trials[winner].is_full_on(case));
            chosen.push(winner);
        }
        chosen
    }

    /// The diagnosis if a relation gives every case in full.
    fn explain_by_relation(&self, relations: &[Explanation]) -> Option<Diagnosis> {
        if !relations.iter().any(rank::is_full) || !self.is_telling(self.tried.iter().copied()) {
            return None;
        }
        rank::full(structures(self.cases, self.oracle))
    }

    /// The diagnosis if a few candidates give every case between them.
    fn explain_by_several(&mut self, trials: &mut [CandidateRun<'_>]) -> Option<Diagnosis> {
        self.run(trials);
        let chosen = self.cover(trials);
        let mut open: BTreeSet<usize> = (0..self.cases.len()).collect();
        for &winner in &chosen {
            let all: Vec<usize> = open.iter().copied().collect();
            trials[winner].run(self.cases, &all, &mut self.large);
            let (its, rest): (BTreeSet<usize>, BTreeSet<usize>) = open
                .into_iter()
                .partition(|&case| trials[winner].is_full_on(case));
            if !self.is_telling(its.into_iter()) {
                return None;
            }
            open = rest;
        }
        if !open.is_empty() {
            return None;
        }
        let mut explanations: Vec<Explanation> = chosen
            .iter()
            .map(|&trial| self.explain_closely(&mut trials[trial]))
            .collect();
        explanations.sort_by(rank::order);
        Some(Diagnosis {
            verdict: Verdict::Several,
            unexplained: Vec::new(),
            tried: Vec::new(),
            explanations,
        })
    }

    /// The explanations that come nearest.
    fn nearest(&mut self, trials: &mut [CandidateRun<'_>]) -> Diagnosis {
        let mut order: Vec<usize> = (0..trials.len())
            .filter(|&trial| trials[trial].may_be_a_cause(&self.plain))
            .collect();
        order.sort_by_cached_key(|&trial| {
            let trial = &trials[trial];
            let given = self.tried.iter().filter_map(|&case| trial.score_on(case));
            let (cases, elements) = given.fold((0, 0), |(cases, elements), score| {
                (cases + u64::from(score.full), elements + score.elements)
            });
            (
                Reverse((cases, elements)),
                trial.cause.kind,
                trial.cause.name.clone(),
            )
        });
        let some: Vec<&FailedCase> = self.tried.iter().map(|&case| self.cases[case]).collect();
        let few = self.cases.len() <= STRUCTURED;
        let mut explanations = structures(if few { self.cases } else { &some }, self.oracle);
        for trial in order.into_iter().take(3) {
            explanations.push(self.explain_closely(&mut trials[trial]));
        }
        let baseline = self.cases.iter().map(|case| baseline(case)).sum();
        let mut diagnosis = rank::nearest(explanations, baseline);
        // Bits that change from run to run prove nothing; the choice of cases that fail does.
        for trial in trials {
            if !self.passes.is_empty() && trial.draws_anew(self.cases, &self.tried) {
                let mut explanation = self.explain_closely(trial);
                explanation.evidence.contradicted = self.contradicted_clearly(trial.backend());
                if explanation.evidence.contradicted == 0 {
                    explanation.cause.sentence +=
                        "; its answers change from run to run in these cases and in no others";
                    diagnosis.explanations.insert(0, explanation);
                }
            }
        }
        diagnosis
    }

    /// A candidate on every failing case, and held against the passing ones.
    fn explain_closely(&mut self, trial: &mut CandidateRun<'_>) -> Explanation {
        let all: Vec<usize> = (0..self.cases.len()).collect();
        trial.run(self.cases, &all, &mut self.large);
        let contradicted = self.contradicted(trial.backend(), PASSES);
        trial.explanation(self.cases, self.oracle, contradicted)
    }

    /// Number of passing cases that a backend answers otherwise, or does not answer.
    fn contradicted(&self, backend: &dyn Backend, budget: u64) -> u64 {
        self.contradictions(backend, budget, 0.0)
    }

    /// The same over cases in which no answer is right by accident.
    fn contradicted_clearly(&self, backend: &dyn Backend) -> u64 {
        self.contradictions(backend, PASSES, COINCIDENCE_BITS)
    }

    /// The same over cases of at least so many bits of entropy.
    fn contradictions(&self, backend: &dyn Backend, budget: u64, bits: f64) -> u64 {
        let room = |pass: &PassedCase| {
            let count = pass.reply.as_ref().map_or(0, |reply| reply.output.count());
            bits <= 0.0 || chance(&pass.request, count) >= bits
        };
        let mut spent = 0;
        let contradictions = self
            .passes
            .iter()
            .filter(|pass| room(pass))
            .take_while(|pass| {
                spent += pass.request.work();
                spent <= budget
            })
            .filter(|pass| match ask(backend, &pass.request) {
                Some(Ok(response)) => !same(&pass.reply, &Ok(response), pass.nan),
                Some(Err(Failure::Rejected(error))) => !same(&pass.reply, &Err(error), pass.nan),
                // A candidate without the feature is not the implementation's behaviour.
                Some(Err(_)) | None => true,
            });
        as_u64(contradictions.count())
    }

    /// Whether these cases together have enough information that giving them is no accident.
    fn is_telling(&self, cases: impl Iterator<Item = usize>) -> bool {
        cases.map(|case| information(self.cases[case])).sum::<f64>() >= EVIDENCE
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

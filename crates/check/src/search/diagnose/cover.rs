//! The cover: the fewest causes that reproduce the failing cases, each with its evidence.
//!
//! It is chosen greedily: the cause of most open cases first, and then the cause of most cases that are left.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use seedproof_ops::{OpName, Request};

use super::hypothesis::Hypothesis;
use super::passes::{MAX_PASSING_WORK, Passes};
use super::refuted::{Choice, Chosen, Doubt, take_back};
use super::score::{DECISION, SCREENED_ABOVE, elements, information, is_few_valued, which};
use super::search::{Search, log2};
use super::suspects::Suspects;
use super::{only, parts};
use crate::judge::stages::compare_stages;
use crate::model::diagnosis::{CauseKind, Evidence, Explanation};
use crate::model::exchange::{FailedCase, PassedCase, as_u64};
use crate::model::expected::Expected;
use crate::model::stage::{Stage, first_difference};

/// The work of the passing cases on which equally good causes are tried, for all of them together: some ten
/// milliseconds.
const RIVALS: u64 = 1 << 20;

/// The bits of evidence that an explanation needs beyond the choice among all candidates. With 7 bits, one run in a
/// hundred has an explanation by chance.
const EVIDENCE: f64 = 7.0;

/// The most equally good causes that are listed.
// Eight readings of PyTorch draw the same integers and must not hide the mistake that they share.
pub(crate) const MAX_LISTED_CAUSES: usize = 10;

pub(crate) struct Cover<'a> {
    cases: &'a [&'a FailedCase],
    passes: Passes<'a>,
    suspects: Suspects<'a>,
    /// Of each case. They are asked for of every cause, and a distribution may have thousands of classes.
    information: Vec<f64>,
    is_few_valued: Vec<bool>,
}

/// The chosen causes, and the cases that they leave open.
pub(crate) struct Covered {
    pub(crate) explanations: Vec<Explanation>,
    /// The number of causes that are needed.
    pub(crate) winners: usize,
    /// The number of listed causes that are as good as one of those.
    pub(crate) rivals: usize,
    /// The cases that no chosen cause reproduces.
    pub(crate) open: BTreeSet<usize>,
    /// Causes that reproduce cases, and that too many others contradict.
    pub(crate) doubtful: Vec<Doubt>,
}

impl<'a> Cover<'a> {
    pub(crate) fn new(cases: &'a [&'a FailedCase], passes: Passes<'a>, suspects: &Suspects<'a>) -> Self {
        Self {
            cases,
            passes,
            suspects: *suspects,
            information: cases.iter().map(|case| information(case)).collect(),
            is_few_valued: cases.iter().map(|case| is_few_valued(case)).collect(),
        }
    }

    /// Whether a cause of a case or two, which later cases did not confirm, is contradicted by more cases than fail, and by one of
    /// its own op. There are dozens of these behind a mistake that acts in large outputs alone, and to try them on all of those
    /// took half a minute. Cases of other ops say nothing yet: in a run of all ops they are many, and later failures were not tried
    /// where another contradicted cause reproduces them.
    fn is_hopeless(&self, it: &Hypothesis<'_>) -> bool {
        const MANY: usize = 16;
        let cases = self.cases.len();
        let is_rare = cases > MANY && it.given <= FEW && it.contradictions > as_u64(cases);
        is_rare && {
            let given: Vec<usize> = (0..cases).filter(|&case| it.is_full_on(case)).collect();
            let is_of_given = |pass: &PassedCase| {
                given
                    .iter()
                    .any(|&case| self.cases[case].request.op() == pass.request.op())
            };
            self.passes.contradicting(it, RIVALS).any(is_of_given)
        }
    }

    /// Tries every cause on the cases, the small ones first: the causes that reproduce most of those are then the first to
    /// be tried on the large ones.
    fn try_all(&self, search: &mut Search<'_>) {
        let is_large = |case: usize| self.cases[case].request.work() > SCREENED_ABOVE;
        for (larges, patience) in [(false, MISSES), (true, FEW)] {
            for known in search.by_cases() {
                if self.is_hopeless(&search.found[known]) {
                    continue;
                }
                let mut misses = 0;
                for case in (0..self.cases.len()).filter(|&case| is_large(case) == larges) {
                    let it = &mut search.found[known];
                    if it.contradictions > 0 && it.given <= FEW && misses >= patience {
                        break;
                    }
                    misses += 1;
                    if it.gives(self.cases, case, &mut search.confirming) {
                        misses = 0;
                    }
                }
            }
        }
    }

    /// Tries the causes on the cases, and chooses causes until no case is left that one of them reproduces.
    pub(crate) fn choose(&self, search: &mut Search<'_>) -> Covered {
        self.try_all(search);
        // Whether a cause is one of first outputs alone shows only now, and changes which passing cases contradict it.
        for hypothesis in search.found.iter_mut().filter(|hypothesis| hypothesis.is_first) {
            hypothesis.contradictions = self.passes.contradictions(hypothesis, MAX_PASSING_WORK);
        }
        let found = &search.found;
        let mut open: BTreeSet<usize> = (0..self.cases.len()).collect();
        let mut chosen = Chosen::new();
        let mut doubtful: Vec<Doubt> = Vec::new();
        // Causes that are merely near come last, since an exact cause of fewer cases is a better explanation.
        let (vague, exact): (Vec<usize>, Vec<usize>) = (0..found.len()).partition(|&i| found[i].is_vague());
        for mut left in [exact, vague] {
            while let Some((ranked, its)) = self.next(found, &mut left, &open, &mut doubtful) {
                for case in &its {
                    open.remove(case);
                }
                chosen.push((ranked, its));
            }
        }
        doubtful.extend(take_back(&mut chosen, &mut open, found, self.cases));
        drop_needless(&mut chosen, found);
        // With both seeds zero every draw differs, a candidate's too, so that no cause can be shown to reproduce such a
        // case. If others have a cause, it may well be the cause of these.
        if !chosen.is_empty() {
            open.retain(|&case| self.cases[case].expected != Expected::Random);
        }
        let explanations = chosen
            .iter()
            .flat_map(|(ranked, _)| ranked.iter().take(MAX_LISTED_CAUSES))
            .map(|&i| self.explanation(search, i));
        let explanations: Vec<Explanation> = explanations.collect();
        Covered {
            winners: chosen.len(),
            rivals: explanations.len() - chosen.len(),
            explanations,
            open,
            doubtful,
        }
    }

    /// The next cause of the cover, and its equals, which are taken from `left`. `None` if no cause that is left reproduces enough
    /// of the open cases. What cannot be chosen any more is taken out too, and what passing cases contradict becomes doubtful.
    fn next(
        &self,
        found: &[Hypothesis<'_>],
        left: &mut Vec<usize>,
        open: &BTreeSet<usize>,
        doubtful: &mut Vec<Doubt>,
    ) -> Option<Choice> {
        let gain = |i: usize| {
            open.iter()
                .copied()
                .filter(move |&case| found[i].is_full_on(case))
        };
        let evidence = |i: usize| gain(i).filter(move |&case| !found[i].is_open_on(case));
        left.retain(|&i| {
            // Noise does not reproduce elements. Its evidence is which elements are wrong.
            let bits: f64 = if found[i].is_noise() {
                gain(i).map(|case| which(self.cases[case])).sum()
            } else {
                evidence(i).map(|case| self.information[case]).sum()
            };
            let bits = bits + self.foresight(&found[i], open);
            // A cause of three cases among a hundred might have been one of any three. The number of ways to choose
            // them counts against it.
            bits >= found[i].prior + EVIDENCE + choices(open.len(), evidence(i).count())
        });
        loop {
            // Prefer a cause without contradictions even if it reproduces up to a tenth fewer cases. The cases that it
            // leaves open then have another cause.
            let most = left.iter().map(|&i| gain(i).count()).max()?;
            let rank = |i: usize| (Reverse(found[i].contradictions), gain(i).count());
            let ranks = left.iter().map(|&i| rank(i));
            let best = ranks.filter(|(_, gained)| gained * 10 >= most * 9).max()?;
            let equals = left.iter().copied().filter(|&i| rank(i) == best);
            // A mistake that changes hardly any of these cases is no part of what reproduces them.
            let (idle, equals): (Vec<usize>, Vec<usize>) =
                equals.partition(|&i| self.is_idle(&found[i], gain(i)));
            left.retain(|i| !idle.contains(i));
            if equals.is_empty() {
                continue;
            }
            let mut ranked = self.ranked(found, &equals);
            ranked.retain(|&i| self.is_believed(found, i));
            let Some(&first) = ranked.first() else {
                left.retain(|i| !equals.contains(i));
                doubtful.extend(equals.into_iter().map(|cause| Doubt { cause, failing: 0 }));
                continue;
            };
            if let Some(plainer) = self.plainer(found, first, left, open) {
                ranked = vec![plainer];
            }
            let its: Vec<usize> = gain(ranked[0]).collect();
            // A rival must reproduce the same cases, and not merely as many.
            ranked.retain(|&i| its.iter().all(|&case| found[i].is_full_on(case)));
            left.retain(|i| !ranked.contains(i));
            return Some((ranked, its));
        }
    }

    /// Whether the mistakes before a structure leave most of these cases as they are. The structure alone would then be the cause,
    /// and was not found because it says too little of the one case in which the mistakes act.
    pub(super) fn is_idle(&self, it: &Hypothesis<'_>, given: impl Iterator<Item = usize>) -> bool {
        /// The cases that are asked, none of which takes more than a few milliseconds.
        const ASKED: usize = 12;
        let is_combined = it.structure.is_some() && !it.members.is_empty();
        let Some((mistakes, oracle)) = it.backend().zip(self.suspects.oracle).filter(|_| is_combined) else {
            return false;
        };
        let small = given.filter(|&case| self.cases[case].request.work() <= SCREENED_ABOVE);
        let outputs = small.take(ASKED).map(|case| {
            let request = &self.cases[case].request;
            [mistakes, oracle].map(|backend| backend.run(request).ok().map(|it| it.output))
        });
        let outputs: Vec<_> = outputs.collect();
        let idle = outputs.iter().filter(|[with, without]| with == without).count();
        idle * 4 > outputs.len() * 3
    }

    /// A cause with fewer members than a combination, where chance may account for the cases that the others add. Otherwise a
    /// mistake of all ops would be told with one of a single op, which reproduces some outputs of few values beside it.
    fn plainer(
        &self,
        found: &[Hypothesis<'_>],
        i: usize,
        among: &[usize],
        open: &BTreeSet<usize>,
    ) -> Option<usize> {
        let it = &found[i];
        let is_part = |other: &Hypothesis<'_>| {
            other.structure == it.structure
                && other.members.len() < it.members.len()
                && other.members.iter().all(|member| it.members.contains(member))
        };
        among.iter().copied().find(|&j| {
            let other = &found[j];
            is_part(other) && {
                let (with, without): (Vec<usize>, Vec<usize>) = open
                    .iter()
                    .filter(|&&case| it.is_full_on(case))
                    .partition(|&&case| other.is_full_on(case));
                let bits: f64 = without.iter().map(|&case| self.information[case]).sum();
                let chosen = choices(open.len() - with.len(), without.len());
                bits < it.prior - other.prior + EVIDENCE + chosen && self.is_believed(found, j)
            }
        })
    }

    /// The evidence that lies in which cases fail, where elements have few values. A comparison that is wrong where two numbers
    /// are equal fails one case among hundreds, in one flag; a cause that predicts this and no other failure predicts more
    /// than the flag. One that leaves failures of the op open predicts nothing of the kind.
    fn foresight(&self, it: &Hypothesis<'_>, open: &BTreeSet<usize>) -> f64 {
        let few = || open.iter().copied().filter(|&case| self.is_few_valued[case]);
        let ops: BTreeSet<OpName> = few()
            .filter(|&case| it.is_full_on(case))
            .map(|case| self.cases[case].request.op())
            .collect();
        let mut same = few().filter(|&case| ops.contains(&self.cases[case].request.op()));
        let is_foreseen = !ops.is_empty()
            && it.contradictions == 0
            && self.passes.has_values()
            && same.all(|case| it.is_full_on(case));
        if is_foreseen { DECISION } else { 0.0 }
    }

    /// Of causes that reproduce equally many cases, the best and its equals. Fewest contradictions count first. Then
    /// come mistakes before structures, few mistakes before many, and listed mistakes before those with a parameter.
    fn ranked(&self, found: &[Hypothesis<'_>], equals: &[usize]) -> Vec<usize> {
        // More passing cases are tried only where there are rivals to choose from.
        let budget = RIVALS / as_u64(equals.len()).max(1);
        let contradictions = |i: usize| {
            if equals.len() == 1 {
                found[i].contradictions
            } else {
                self.passes.contradictions(&found[i], budget)
            }
        };
        let mut ranked: Vec<(u64, usize)> = equals.iter().map(|&i| (contradictions(i), i)).collect();
        let key = |&(contradictions, i): &(u64, usize)| {
            let it = &found[i];
            let is_described = it.structure.is_some() || it.cause.kind == CauseKind::Structure;
            let members = it.members.len() + usize::from(it.is_each);
            // A cause that also reproduces the state after the draw says more than one that reproduces the draw alone.
            (contradictions, is_described, members, it.is_first, it.is_searched)
        };
        ranked.sort_by(|a, b| {
            let (this, other) = (&found[a.1], &found[b.1]);
            key(a)
                .cmp(&key(b))
                .then_with(|| this.cause.kind.cmp(&other.cause.kind))
                .then_with(|| this.prior.total_cmp(&other.prior))
                .then_with(|| self.is_foreign(this).cmp(&self.is_foreign(other)))
                .then_with(|| this.cause.name.cmp(&other.cause.name))
        });
        let best = ranked.first().map(key);
        let equals = ranked.iter().filter(|it| Some(key(it)) == best);
        equals.map(|&(_, i)| i).collect()
    }

    /// Whether a cause departs from a clause of another op than it reproduces. A reader of a failure looks for the words of the
    /// op that failed.
    fn is_foreign(&self, it: &Hypothesis<'_>) -> bool {
        let stem = it.cause.clause.split(['.', ',']).next();
        let mut given = (0..self.cases.len()).filter(|&case| it.is_full_on(case));
        !given.any(|case| stem == Some(self.cases[case].request.description().prefix))
    }

    /// Whether a cause is an explanation in spite of the passing cases that contradict it: they are few, or the cases
    /// that it reproduces share a property that those lack.
    fn is_believed(&self, found: &[Hypothesis<'_>], i: usize) -> bool {
        let mut given = self.given(&found[i]);
        given.retain(|&case| !found[i].is_open_on(case));
        // One contradiction for four cases is allowed: a passing case may be a capture of another version.
        found[i].contradictions * 4 <= as_u64(given.len()) || {
            let contradicting: Vec<&PassedCase> = self.passes.contradicting(&found[i], RIVALS).collect();
            !self.only(&given, &contradicting).is_empty()
        }
    }

    /// The cases that it reproduces.
    fn given(&self, it: &Hypothesis<'_>) -> Vec<usize> {
        (0..self.cases.len())
            .filter(|&case| it.is_full_on(case))
            .collect()
    }

    /// The property that the cases of a cause share and that the cases that contradict it lack.
    fn only(&self, given: &[usize], contradicting: &[&PassedCase]) -> String {
        let given: Vec<&Request> = given.iter().map(|&case| &self.cases[case].request).collect();
        let ops: HashSet<OpName> = given.iter().map(|request| request.op()).collect();
        let is_of_these = |case: &&FailedCase| ops.contains(&case.request.op());
        let failing = self.cases.iter().copied().filter(is_of_these).count();
        only::shared(&given, contradicting, given.len() * 10 >= failing * 9)
    }

    /// [`Self::only`], and whether the cause reproduces no output but the first of its cases: it is not to say of the others
    /// what is not so.
    fn only_of(&self, it: &Hypothesis<'_>, given: &[usize], contradicting: &[&PassedCase]) -> String {
        let only = self.only(given, contradicting);
        let is_first = |&case: &usize| it.score_on(case).is_some_and(|score| score.is_first);
        match (only.is_empty(), given.iter().all(is_first)) {
            (_, false) => only,
            (true, true) => "only in the first output".to_owned(),
            (false, true) => format!("{only}, and only in the first output"),
        }
    }

    fn explanation(&self, search: &Search<'_>, i: usize) -> Explanation {
        let it = &search.found[i];
        let given = self.given(it);
        let contradicting: Vec<&PassedCase> = self.passes.contradicting(it, RIVALS).collect();
        let scores = (0..self.cases.len()).filter_map(|case| it.score_on(case));
        Explanation {
            cause: it.cause.clone(),
            stage: self.stage(it, &given),
            evidence: Evidence {
                elements: scores.map(|score| u64::from(score.elements)).sum(),
                elements_total: self.cases.iter().map(|case| elements(case)).sum(),
                cases: as_u64(given.len()),
                cases_total: as_u64(self.cases.len()),
                contradicted: as_u64(contradicting.len()),
            },
            only: self.only_of(it, &given, &contradicting),
            parts: parts::of(search, it, &given),
            cases: given.iter().map(|&case| self.cases[case].case.clone()).collect(),
        }
    }

    /// The first stage in which it differs from the oracle, on the first case that it reproduces.
    fn stage(&self, hypothesis: &Hypothesis<'_>, given: &[usize]) -> Option<Stage> {
        let case = self.cases[*given.first()?];
        let request = &case.request;
        // A structure acts on the finished stream, after all stages. The stages of a large output take its size many
        // times.
        if request.work() > SCREENED_ABOVE || hypothesis.structure.is_some() {
            return None;
        }
        let expected = self.suspects.oracle?.stages(request)?;
        let given = hypothesis.backend()?.stages(request)?;
        first_difference(&compare_stages(&expected, &given, case.nan))
    }
}

/// The small cases in a row that a contradicted cause of hardly any case is tried on in vain. A tail that differs from type
/// to type leaves dozens of such causes, and to try them on all of 500 cases took half a minute.
const MISSES: usize = 64;

/// The cases that a cause may explain by chance, and the large ones that such a cause is tried on in vain.
const FEW: usize = 2;

/// The logarithm of the number of ways to choose `k` of `n`.
pub(super) fn choices(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).map(|i| log2(n - i) - log2(i + 1)).sum()
}

/// Drops causes whose cases the other causes reproduce too. A greedy choice may leave some: two later causes can share
/// out the cases of an earlier one between them.
fn drop_needless(chosen: &mut Chosen, found: &[Hypothesis<'_>]) {
    let mut i = 0;
    while i < chosen.len() {
        let needless = chosen[i].1.iter().all(|&case| {
            let mut others = chosen.iter().enumerate().filter(|(other, _)| *other != i);
            others.any(|(_, (ranked, _))| found[ranked[0]].is_full_on(case))
        });
        if needless {
            chosen.remove(i);
        } else {
            i += 1;
        }
    }
}

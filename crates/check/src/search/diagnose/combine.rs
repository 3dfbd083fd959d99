//! Combinations of causes: a structure of a mistake's stream, two mistakes, and three mistakes.

use std::collections::BTreeSet;

use super::hypothesis::Hypothesis;
use super::score::{SCREENED_ABOVE, Trust, try_on};
use super::search::{Search, log2, spend};
use super::singles::{SEARCHES, Single, TRIALS, at_once};
use super::stage::Stage;
use crate::model::exchange::as_u64;
use crate::search::structure::{View, bits_of, stream, structures};

/// The most combinations of one stage that are kept from a case. A case that fits more of them cannot tell them apart;
/// another case will.
const MAX_KEPT_OF_A_STAGE: usize = 24;

/// The most work of a case in which mistakes are combined: there are tens of thousands of pairs.
const MAX_COMBINED_WORK: u64 = SCREENED_ABOVE;

impl Search<'_> {
    /// Looks for structures of the streams of mistakes.
    pub(crate) fn try_streams(&mut self, case: usize, acting: &[usize]) -> bool {
        let Some(oracle) = self.suspects.oracle else {
            return false;
        };
        let Some(view) = View::new(self.cases[case], Some(oracle)) else {
            return false;
        };
        // There are hundreds of streams, so that each is followed less far than the oracle's: a few vectors, or one
        // workgroup, after the output.
        let beyond = 4 * view.count() + 64;
        let cost = 6 * as_u64(view.count()) * as_u64(acting.len());
        if self.cases[case].request.work() > MAX_COMBINED_WORK || !spend(&mut self.streams, cost) {
            return false;
        }
        let mut all = acting.to_vec();
        all.extend(self.members_of(&view, case));
        self.note(Stage::Streams, case, all.len());
        let (mut taken, mut clear) = (0, false);
        let (singles, request) = (&self.singles, &self.cases[case].request);
        let found = at_once(&all, SEARCHES, |&i| {
            structures(&view, singles[i].backend.get(), request, beyond)
        });
        for (i, structures) in all.into_iter().zip(found) {
            let source = self.singles[i].backend.clone();
            for structure in structures {
                // Noise after a mistake's stream would fit any output that the mistake reproduces the beginning of.
                if taken < MAX_KEPT_OF_A_STAGE && !structure.is_noise() {
                    let prior = log2(self.singles.len()) + structure.prior();
                    let structure = Some((structure, oracle));
                    let found =
                        Hypothesis::combined(&self.singles, vec![i], source.clone(), structure, prior);
                    clear |= self.keep(found);
                    taken += 1;
                }
            }
        }
        clear
    }

    /// The members of families whose stream has the elements of an output, in whatever order. There are thousands of them, so
    /// that a few elements decide.
    fn members_of(&mut self, view: &View, case: usize) -> Vec<usize> {
        const ASKED: usize = 8;
        let n = view.count();
        let request = &self.cases[case].request;
        let members = self.singles.iter().filter(|single| single.is_member).count();
        // There are thousands of members, and most kernels have none of their faults: charged at six times their elements,
        // they are compared with some fifteen outputs of 64 elements, and the rest of the budget is left to what follows.
        let cost = 6 * as_u64(n) * as_u64(members);
        // Elements of few bits occur in every stream.
        let is_asked = view.bits >= 16.0 && n >= ASKED && request.work() <= Trust::Little.whole();
        if !is_asked || !spend(&mut self.streams, cost) {
            return Vec::new();
        }
        let expected = self.cases[case]
            .values()
            .map(|(expected, _)| bits_of(&expected.output, view.nan));
        let has_elements = |single: &Single<'_>| {
            let stream = stream(single.backend.get(), request, view.nan, n, n).unwrap_or_default();
            // Where the beginning is right, every member that changes nothing has it. The oracle's own stream was searched before.
            if Some(&stream) == expected.as_ref() {
                return false;
            }
            let found = view.actual[..ASKED]
                .iter()
                .filter(|it| stream.contains(it))
                .count();
            found * 2 >= ASKED
        };
        let members: Vec<usize> = (0..self.singles.len())
            .filter(|&i| self.singles[i].is_member)
            .collect();
        let singles = &self.singles;
        let has = at_once(&members, TRIALS, |&i| has_elements(&singles[i]));
        let kept = members.into_iter().zip(has).filter(|(_, has)| *has);
        kept.map(|(i, _)| i).collect()
    }

    pub(crate) fn try_pairs(&mut self, case: usize, acting: &[usize]) -> bool {
        let members: Vec<usize> = acting.iter().copied().chain(self.known_beside(acting)).collect();
        let n = members.len();
        let all = n * n.saturating_sub(1) / 2;
        let cost = self.trials(case, all);
        if self.cases[case].request.work() > MAX_COMBINED_WORK || !spend(&mut self.pairs, cost) {
            return false;
        }
        self.note(Stage::Pairs, case, all);
        let members = &members;
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| vec![members[a], members[b]]));
        self.try_together(case, pairs, 2, acting)
    }

    /// The mistakes of other cases that are tried in pairs with these. All pairs with members of families would be millions, and one
    /// that is part of a cause of another case is likely here. And some mistakes change an answer beside another one alone: which
    /// bits of a word are taken does not matter where all of them are.
    fn known_beside(&self, acting: &[usize]) -> BTreeSet<usize> {
        // Chance explains one case in the whole of a search, and hardly two.
        const CASES: usize = 2;
        let is_known = |it: &&Hypothesis<'_>, i: usize| {
            self.singles[i].is_member || it.members.len() == 1 && it.structure.is_none() && it.given >= CASES
        };
        let known = self.found.iter();
        known
            .flat_map(|it| it.members.iter().map(move |&i| (it, i)))
            .filter(|(it, i)| is_known(it, *i) && !self.singles[*i].is_reading())
            .map(|(_, i)| i)
            .filter(|i| !acting.contains(i))
            .collect()
    }

    pub(crate) fn try_triples(&mut self, case: usize, acting: &[usize]) -> bool {
        let n = acting.len();
        let all = n * n.saturating_sub(1) * n.saturating_sub(2) / 6;
        let cost = self.trials(case, all);
        if self.cases[case].request.work() > MAX_COMBINED_WORK || !spend(&mut self.triples, cost) {
            return false;
        }
        self.note(Stage::Triples, case, all);
        let triples = (0..n).flat_map(|a| {
            (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| vec![acting[a], acting[b], acting[c]]))
        });
        self.try_together(case, triples, 3, acting)
    }

    /// What this number of combinations costs in a case, in trials of a small one: MT19937 makes its whole state before it
    /// draws the first word.
    fn trials(&self, case: usize, combinations: usize) -> u64 {
        const SMALLEST: u64 = 256;
        as_u64(combinations) * (1 + self.cases[case].request.work() / SMALLEST)
    }

    /// Whether one of these mistakes changes nothing in a case by itself, and another reproduces the case without it.
    fn has_idle(&mut self, case: usize, members: &[usize], acting: &[usize]) -> bool {
        members.iter().any(|i| !acting.contains(i))
            && members.iter().any(|&i| {
                let backend = self.singles[i].backend.get();
                let alone = try_on(backend, self.cases[case], Trust::Little, &mut self.large);
                alone.is_some_and(|alone| alone.full)
            })
    }

    fn try_together(
        &mut self,
        case: usize,
        all: impl Iterator<Item = Vec<usize>>,
        each: i32,
        acting: &[usize],
    ) -> bool {
        let (mut taken, mut clear) = (0, false);
        for members in all {
            if taken >= MAX_KEPT_OF_A_STAGE {
                break;
            }
            // Mistakes that exclude each other make no pair, and a pair in which one changes nothing is a single
            // mistake.
            let Some(source) = self.together(&members) else {
                continue;
            };
            let score = try_on(source.get(), self.cases[case], Trust::Little, &mut self.large);
            if score.is_some_and(|score| score.full) && !self.has_idle(case, &members, acting) {
                let prior = f64::from(each) * log2(self.singles.len());
                let found = Hypothesis::combined(&self.singles, members, source, None, prior);
                clear |= self.keep(found);
                taken += 1;
            }
        }
        clear
    }
}

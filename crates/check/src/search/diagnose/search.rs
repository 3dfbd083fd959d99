//! The search for the causes of one case: stage after stage, until one finds a cause.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use seedproof_ops::Request;

use super::hypothesis::Hypothesis;
use super::passes::{MAX_PASSING_WORK, Passes};
use super::score::{SCREENED_ABOVE, Score, Trust, screened, try_on};
use super::singles::{Single, Source, TRIALS, at_once, singles};
use super::sizes::sizes;
use super::stage::Stage;
use super::suspects::Suspects;
use crate::model::diagnosis::{Cause, Tried};
use crate::model::exchange::{FailedCase, as_u64};
use crate::model::expected::Expected;
use crate::search::structure::{LOOKAHEAD, SORTS, Structure, View, form, structures};

/// The budget of elements for outputs that are too large to be drawn by every candidate: a dozen seconds at most, at up to
/// 0.7 microseconds for an element of f64.
const LARGE_ELEMENTS: u64 = 16 << 20;

/// The same budget for the end of a diagnosis, when each cause is tried on every case: some 2^22 elements of
/// wrong outputs that a run keeps, for sixty causes.
pub(crate) const CONFIRMING: u64 = 32 << 20;

/// The budget of elements for structures of mistakes' streams: a second or two.
const STREAMS: u64 = 24 << 20;

/// The budget of trials for members of families: some 130 cases, taken in turns of every kind. A wrong kernel is explained
/// in the first few. One that draws other words altogether would otherwise be compared with every member in every case.
const MEMBERS: u64 = 1 << 19;

/// The budget of trials for pairs of mistakes. A trial takes a few microseconds, and all of them a second or two.
const PAIRS: u64 = 300_000;

/// The budget of trials for triples of mistakes.
const TRIPLES: u64 = 120_000;

/// The most cases that are searched although a cause reproduces them, because a passing case contradicts that cause.
/// Without a bound, all cases of a contradicted cause would be searched in vain.
const DOUBTS: usize = 24;

/// The most cases beyond these whose structure is searched, because all that is known of them is a vague form: that elements are
/// permuted says nothing of how, and hundreds of such cases would be left to it. Each takes some milliseconds, so that the 1,383
/// cases of an implementation that shuffles every output of RandomUniform stay below the time that is meant for 2,500.
const VAGUE: usize = 128;

/// The most work of a request for which is asked what its answer is made from: a few milliseconds.
const NOTED: u64 = 1 << 16;

/// The state of a diagnosis: what was found so far, and what is left of the budgets.
pub(crate) struct Search<'a> {
    pub(crate) cases: &'a [&'a FailedCase],
    pub(crate) suspects: Suspects<'a>,
    pub(crate) singles: Vec<Single<'a>>,
    pub(crate) found: Vec<Hypothesis<'a>>,
    /// For each case, the highest number of elements that a single candidate reproduces, and the candidates that do so.
    pub(crate) nearest: Vec<(u32, Vec<usize>)>,
    /// Where the wrong elements of a case stand, if that is all that is known of them.
    pub(crate) places: BTreeMap<usize, Cause>,
    pub(crate) large: u64,
    /// The budget like `large` for causes that are known. Were it the same one, trying them on every case would leave
    /// none for the search.
    pub(crate) confirming: u64,
    pub(crate) passes: Passes<'a>,
    /// The case that is examined.
    examined: usize,
    doubts: usize,
    vague: usize,
    /// Whether any answer of the implementation is a value.
    has_values: bool,
    /// Whether a failing case has a batch of keys.
    has_batches: bool,
    names: BTreeSet<String>,
    /// The number of candidates that were tried, by stage and case.
    tried: BTreeMap<Stage, BTreeMap<usize, u64>>,
    pub(crate) streams: u64,
    members: u64,
    pub(crate) pairs: u64,
    pub(crate) triples: u64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(cases: &'a [&'a FailedCase], passes: Passes<'a>, suspects: &Suspects<'a>) -> Self {
        Self {
            cases,
            suspects: *suspects,
            singles: singles(suspects, &sizes(cases)),
            found: Vec::new(),
            nearest: vec![(0, Vec::new()); cases.len()],
            places: BTreeMap::new(),
            large: LARGE_ELEMENTS,
            confirming: LARGE_ELEMENTS,
            has_values: passes.has_values() || cases.iter().any(|case| case.actual.is_ok()),
            has_batches: cases.iter().any(|case| case.request.items().is_some()),
            passes,
            examined: 0,
            doubts: DOUBTS,
            vague: VAGUE,
            names: BTreeSet::new(),
            tried: BTreeMap::new(),
            streams: STREAMS,
            members: MEMBERS,
            pairs: PAIRS,
            triples: TRIPLES,
        }
    }

    /// The stages that were tried on these cases, each with the number of candidates.
    pub(crate) fn tried(&self, on: &BTreeSet<usize>) -> Vec<Tried> {
        let of = |(stage, by_case): (&Stage, &BTreeMap<usize, u64>)| {
            let numbers = on.iter().filter_map(|case| by_case.get(case));
            let (cases, candidates) =
                numbers.fold((0, 0), |(cases, most), &number| (cases + 1, number.max(most)));
            (cases > 0).then(|| Tried {
                what: stage.what().to_owned(),
                candidates,
                cases,
            })
        };
        self.tried.iter().filter_map(of).collect()
    }

    /// The known causes, those that reproduce most cases first. Otherwise causes of a few cases would spend the budget
    /// for large outputs before the cause of most cases is tried on them.
    pub(crate) fn by_cases(&self) -> Vec<usize> {
        let mut known: Vec<usize> = (0..self.found.len()).collect();
        known.sort_by_key(|&i| Reverse(self.found[i].given));
        known
    }

    /// Finds the causes of a case, unless a known cause reproduces it. A stage returns whether it has a cause that no passing case
    /// contradicts, as [`Self::keep`] does: most of the later ones are not entered then.
    pub(crate) fn examine(&mut self, case: usize) {
        self.examined = case;
        let (mut is_doubtful, mut is_described) = (false, false);
        for known in self.by_cases() {
            let known = &mut self.found[known];
            // One contradicted cause is enough to make the case doubtful, and another would spend the budget.
            if is_described && known.contradictions > 0 {
                continue;
            }
            if known.gives(self.cases, case, &mut self.confirming) {
                if known.contradictions == 0 {
                    return;
                }
                is_doubtful = true;
                is_described |= !known.is_vague();
            }
        }
        if is_doubtful {
            let Some(left) = self.doubts.checked_sub(1) else {
                if !is_described && let Some(left) = self.vague.checked_sub(1) {
                    self.vague = left;
                    self.try_structures(case);
                }
                return;
            };
            self.doubts = left;
        }
        let failed = self.cases[case];
        // An implementation that refuses everything states its reason in its messages. No mistake in drawing explains
        // it.
        if failed.actual.is_err() && !self.has_values {
            return;
        }
        // A wrong form is seen at once. Single candidates come first all the same: a reading or a mistake may say why.
        let plain = form(failed, None).filter(|form| form.is_plain());
        let Some(acting) = self.try_singles(case) else {
            return;
        };
        if let Some(form) = plain {
            self.keep(Hypothesis::form(form));
            return;
        }
        // If fresh entropy is expected, every draw differs, also a candidate's. Only a deterministic mistake can reproduce the
        // answer, and the single candidates include it.
        if matches!(failed.expected, Expected::Random) {
            return;
        }
        if self.try_members(case) {
            return;
        }
        let partly = self.try_partly(case, &acting);
        let before = self.found.len();
        if self.try_structures(case) || partly {
            // A long list of places is a poor explanation: a structure of some mistake's stream may be a short one. And
            // two mistakes that make a structure between them say more than the structure.
            if self.found[before..].iter().all(Hypothesis::is_list) {
                self.try_streams(case, &acting);
            }
            self.try_pairs(case, &acting);
            return;
        }
        let streams = self.try_streams(case, &acting);
        let pairs = self.try_pairs(case, &acting);
        if !streams && !pairs {
            self.try_triples(case, &acting);
        }
    }

    pub(crate) fn note(&mut self, stage: Stage, case: usize, number: usize) {
        self.tried.entry(stage).or_default().insert(case, as_u64(number));
    }

    /// The backend of these candidates together; without any, the oracle. `None` where they exclude each other.
    pub(crate) fn together(&self, members: &[usize]) -> Option<Source<'a>> {
        match members {
            [] => self.suspects.oracle.map(Source::Borrowed),
            [only] => Some(self.singles[*only].backend.clone()),
            _ => {
                let names = members.iter().map(|&i| self.singles[i].cause.name.as_str());
                let together = (self.suspects.together)(&names.collect::<Vec<&str>>())?;
                Some(Source::Owned(together.into()))
            }
        }
    }

    /// Keeps a cause that reproduces a case. Returns whether no passing case contradicts it.
    pub(crate) fn keep(&mut self, hypothesis: Hypothesis<'a>) -> bool {
        // A case with a single key does not say which of the two it is.
        let each = if self.has_batches {
            hypothesis.of_each_key()
        } else {
            None
        };
        let is_clear = self.keep_one(hypothesis);
        is_clear | each.is_some_and(|each| self.keep_one(each))
    }

    fn keep_one(&mut self, mut hypothesis: Hypothesis<'a>) -> bool {
        if !self.names.insert(hypothesis.cause.name.clone()) {
            let name = &hypothesis.cause.name;
            return self
                .found
                .iter()
                .any(|known| known.cause.name == *name && known.contradictions == 0);
        }
        hypothesis.contradictions = self.passes.contradictions(&hypothesis, MAX_PASSING_WORK);
        let is_clear = hypothesis.contradictions == 0;
        // Noise leaves elements open, and a mask is fitted to the case. Each is dropped for a single contradiction, of noise by
        // a case of its type, while other causes are kept, because they may act only where some property holds.
        let is_kept = match (hypothesis.mask.is_some(), hypothesis.is_noise()) {
            (true, _) => false,
            (false, true) => self.is_of_another_type(&hypothesis),
            (false, false) => true,
        };
        if is_clear || is_kept {
            self.found.push(hypothesis);
        }
        is_clear
    }

    /// Whether no passing case of the type of the examined one contradicts a cause: a kernel has a path for each type.
    fn is_of_another_type(&self, hypothesis: &Hypothesis<'_>) -> bool {
        let kind = |request: &Request| (request.op(), request.filed_type());
        let own = self.cases.get(self.examined).map(|case| kind(&case.request));
        let mut contradicting = self.passes.contradicting(hypothesis, MAX_PASSING_WORK);
        contradicting.all(|pass| own.as_ref().is_some_and(|own| kind(&pass.request) != *own))
    }

    /// Whether an answer is the oracle's. It is wrong only because the run is judged under another reading, and every
    /// mistake that changes nothing in this case would seem to explain it.
    fn is_plain(&mut self, case: usize) -> bool {
        let case = self.cases[case];
        self.suspects.oracle.is_some_and(|oracle| {
            try_on(oracle, case, Trust::Some, &mut self.large).is_some_and(|score| score.full)
        })
    }

    /// What the answer to a case is made from, as far as a candidate must change it to reproduce the case.
    fn reads(&self, case: usize) -> u64 {
        let case = self.cases[case];
        let Some(base) = self.suspects.base else {
            return u64::MAX;
        };
        if case.request.work() <= NOTED {
            return base(&case.request).1;
        }
        // A candidate that changes nothing up to the first wrong element has it right. To draw the whole output would take longer
        // than all candidates take for this prefix.
        screened(case).map_or(u64::MAX, |prefix| base(&prefix).1)
    }

    /// Tries readings and mistakes. Returns the mistakes that change the output, from which the later stages combine; `None` if
    /// one of them reproduces the case, so that no later stage is entered.
    fn try_singles(&mut self, case: usize) -> Option<Vec<usize>> {
        let is_plain = self.is_plain(case);
        let (mut acting, mut full) = (Vec::new(), Vec::new());
        let (mut readings, mut mistakes, mut departing) = (0, 0, 0);
        let reads = self.reads(case);
        for single in self.singles.iter().filter(|single| !single.is_member) {
            *(if single.is_reading() {
                &mut readings
            } else {
                &mut mistakes
            }) += 1;
        }
        let scores = self.scores(
            case,
            |_| Trust::Some,
            |single| !single.is_member && single.may_act(reads),
        );
        for (i, score) in scores {
            let single = &self.singles[i];
            if score.full && (single.is_reading() || !is_plain) {
                full.push(i);
            }
            if score.departs {
                departing += 1;
                if !single.is_reading() {
                    acting.push(i);
                }
                let (most, equals) = &mut self.nearest[case];
                match score.elements.cmp(most) {
                    Ordering::Greater => (*most, *equals) = (score.elements, vec![i]),
                    Ordering::Equal => equals.push(i),
                    Ordering::Less => {}
                }
            }
        }
        self.note(Stage::Readings, case, readings);
        self.note(Stage::Mistakes, case, mistakes);
        // Only candidates that change this output could have matched it by chance.
        (!self.keep_singles(&full, departing)).then_some(acting)
    }

    /// The scores in a case of these candidates, as far as they answer, in their order.
    fn scores(
        &mut self,
        case: usize,
        trust: impl Fn(&Single<'_>) -> Trust + Sync,
        of: impl Fn(&Single<'_>) -> bool,
    ) -> Vec<(usize, Score)> {
        let (singles, case) = (&self.singles, self.cases[case]);
        let tried: Vec<usize> = (0..singles.len()).filter(|&i| of(&singles[i])).collect();
        let try_one = |&i: &usize, budget: &mut u64| {
            let score = try_on(singles[i].backend.get(), case, trust(&singles[i]), budget)?;
            Some((i, score))
        };
        // A small output is charged to no budget, whose rest would depend on which thread is first.
        let scores: Vec<Option<(usize, Score)>> = if case.request.work() <= SCREENED_ABOVE {
            at_once(&tried, TRIALS, |i| try_one(i, &mut 0))
        } else {
            tried.iter().map(|i| try_one(i, &mut self.large)).collect()
        };
        scores.into_iter().flatten().collect()
    }

    /// Keeps the single candidates that reproduce a case, which were found among `among` candidates, as [`Self::keep`] does.
    fn keep_singles(&mut self, full: &[usize], among: usize) -> bool {
        let prior = log2(among);
        let mut clear = false;
        for &i in full {
            let hypothesis = Hypothesis::single(i, &self.singles[i], prior);
            clear |= self.keep(hypothesis);
        }
        clear
    }

    fn try_members(&mut self, case: usize) -> bool {
        let all = self.singles.iter().filter(|single| single.is_member).count();
        if !spend(&mut self.members, as_u64(all)) {
            return false;
        }
        let reads = self.reads(case);
        // What is done to whole groups is not seen in the beginning of an output that is smaller than a group.
        let trust = |single: &Single<'_>| {
            if single.is_shown {
                Trust::Some
            } else {
                Trust::Little
            }
        };
        let scores = self.scores(case, trust, |single| single.is_member && single.may_act(reads));
        let full: Vec<usize> = scores
            .into_iter()
            .filter(|(_, score)| score.full)
            .map(|(i, _)| i)
            .collect();
        self.note(Stage::Members, case, all);
        self.keep_singles(&full, self.singles.len())
    }

    fn try_structures(&mut self, case: usize) -> bool {
        let Some(oracle) = self.suspects.oracle else {
            return false;
        };
        let view = View::new(self.cases[case], Some(oracle));
        self.note(Stage::Structures, case, SORTS);
        let mut clear = false;
        let request = &self.cases[case].request;
        // The simpler of the two comes first, and is kept where no other case decides.
        let with_left = |view: &View, it: Structure| {
            let left = it.left_in_order(&view.layout);
            iter::once(it).chain(left)
        };
        let found = view.iter().flat_map(|view| {
            let found = structures(view, oracle, request, LOOKAHEAD).into_iter();
            found.flat_map(|it| with_left(view, it))
        });
        for structure in found {
            if structure.is_place() {
                self.places.insert(case, structure.cause());
                continue;
            }
            let source = Source::Borrowed(oracle);
            let prior = structure.prior();
            let found = Hypothesis::combined(
                &self.singles,
                Vec::new(),
                source,
                Some((structure, oracle)),
                prior,
            );
            clear |= self.keep(found);
        }
        if !clear && let Some(form) = form(self.cases[case], view.as_ref()) {
            clear |= self.keep(Hypothesis::form(form));
        }
        clear
    }
}

/// Takes a cost off a budget if that suffices: a stage is tried on a case with all candidates or not at all.
pub(crate) const fn spend(budget: &mut u64, cost: u64) -> bool {
    let suffices = *budget >= cost;
    if suffices {
        *budget -= cost;
    }
    suffices
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn log2(number: usize) -> f64 {
    (number.max(1) as f64).log2()
}

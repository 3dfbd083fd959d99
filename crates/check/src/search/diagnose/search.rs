//! The search in one case: stage after stage, until one finds what gives it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::hypothesis::Hypothesis;
use super::passes::{FEW, Passes};
use super::score::{Trust, try_on};
use super::singles::{Single, Source, singles};
use super::stage::Stage;
use super::suspects::Suspects;
use crate::model::diagnosis::Tried;
use crate::model::exchange::FailedCase;
use crate::model::exchange::as_u64;
use crate::search::structure::{BEYOND, SORTS, View, form, structures};

/// Elements of outputs of more than a thousand that are drawn in full: a second or two.
const LARGE: u64 = 64 << 20;

/// Elements of such outputs on which causes are tried in the end: all that a run keeps, by sixteen causes.
pub(crate) const CONFIRMING: u64 = 256 << 20;

/// Elements of mistakes' streams in which structures are looked for: a second or two.
const STREAMS: u64 = 24 << 20;

/// Trials of several mistakes together: a trial costs a few microseconds, and all of them a second or two.
const PAIRS: u64 = 300_000;

/// The same for three.
const TRIPLES: u64 = 120_000;

/// Cases that are searched although a cause gives them, because a passing case speaks against it: there may be a
/// better one.
const DOUBTS: usize = 24;

/// What was found so far.
pub(crate) struct Search<'a> {
    pub(crate) cases: &'a [&'a FailedCase],
    pub(crate) suspects: Suspects<'a>,
    pub(crate) singles: Vec<Single<'a>>,
    pub(crate) found: Vec<Hypothesis<'a>>,
    /// By case: the score of the single candidates that come nearest, and these.
    pub(crate) nearest: Vec<(u64, Vec<usize>)>,
    pub(crate) large: u64,
    /// The same for causes that are known.
    pub(crate) confirming: u64,
    pub(crate) passes: Passes<'a>,
    doubts: usize,
    /// Whether a value is among all answers.
    has_values: bool,
    names: BTreeSet<String>,
    /// By stage and case: the number of candidates that were tried.
    tried: BTreeMap<Stage, BTreeMap<usize, u64>>,
    pub(crate) streams: u64,
    pub(crate) pairs: u64,
    pub(crate) triples: u64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(cases: &'a [&'a FailedCase], passes: Passes<'a>, suspects: &Suspects<'a>) -> Self {
        Self {
            cases,
            suspects: *suspects,
            singles: singles(suspects),
            found: Vec::new(),
            nearest: vec![(0, Vec::new()); cases.len()],
            large: LARGE,
            confirming: LARGE,
            has_values: passes.has_values() || cases.iter().any(|case| case.actual.is_ok()),
            passes,
            doubts: DOUBTS,
            names: BTreeSet::new(),
            tried: BTreeMap::new(),
            streams: STREAMS,
            pairs: PAIRS,
            triples: TRIPLES,
        }
    }

    /// The stages that were tried on these cases.
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

    /// The causes that are known, those that give most cases first: a budget bounds the large outputs that are drawn.
    pub(crate) fn by_cases(&self) -> Vec<usize> {
        let mut known: Vec<usize> = (0..self.found.len()).collect();
        known.sort_by_key(|&i| Reverse(self.found[i].given));
        known
    }

    /// Finds the causes of a case, unless one that is known gives it.
    pub(crate) fn examine(&mut self, case: usize) {
        let mut is_doubtful = false;
        for known in self.by_cases() {
            let known = &mut self.found[known];
            // A second doubtful cause would tell nothing more.
            if is_doubtful && known.against > 0 {
                continue;
            }
            if known.gives(self.cases, case, &mut self.confirming) {
                if known.against == 0 {
                    return;
                }
                is_doubtful = true;
            }
        }
        if is_doubtful {
            let Some(left) = self.doubts.checked_sub(1) else {
                return;
            };
            self.doubts = left;
        }
        let failed = self.cases[case];
        // A refusal of everything is explained by its own words.
        if failed.actual.is_err() && !self.has_values {
            return;
        }
        let plain = form(failed, None).filter(|form| form.is_plain());
        let acting = match self.try_singles(case) {
            Ok(acting) => acting,
            Err(Given) => return,
        };
        if let Some(form) = plain {
            self.keep(Hypothesis::form(form));
            return;
        }
        if self.try_members(case).is_err() {
            return;
        }
        let partly = self.try_partly(case, &acting);
        let before = self.found.len();
        if self.try_structures(case).is_err() || partly.is_err() {
            // A mistake says more than a list of places, and mistakes that make the structure together more than it does.
            if self.found[before..].iter().all(Hypothesis::is_list) {
                let _: Step = self.try_streams(case, &acting);
            }
            let _: Step = self.try_pairs(case, &acting);
            return;
        }
        let streams = self.try_streams(case, &acting);
        let pairs = self.try_pairs(case, &acting);
        if streams.is_ok() && pairs.is_ok() {
            let _: Step = self.try_triples(case, &acting);
        }
    }

    pub(crate) fn note(&mut self, stage: Stage, case: usize, number: usize) {
        self.tried.entry(stage).or_default().insert(case, as_u64(number));
    }

    /// Keeps a cause that gives a case. Returns whether no passing case speaks against it.
    pub(crate) fn keep(&mut self, mut hypothesis: Hypothesis<'a>) -> bool {
        if !self.names.insert(hypothesis.cause.name.clone()) {
            let name = &hypothesis.cause.name;
            return self
                .found
                .iter()
                .any(|known| known.cause.name == *name && known.against == 0);
        }
        hypothesis.against = self.passes.against(&hypothesis, FEW);
        let is_clear = hypothesis.against == 0;
        // Noise proves little, and so does a mistake in a part: one passing case is enough against them.
        if is_clear || !(hypothesis.is_noise() || hypothesis.mask.is_some()) {
            self.found.push(hypothesis);
        }
        is_clear
    }

    /// Whether an answer is the oracle's, because another reading was asked for: then no mistake is its cause.
    fn is_plain(&mut self, case: usize) -> bool {
        let case = self.cases[case];
        self.suspects.oracle.is_some_and(|oracle| {
            try_on(oracle, case, Trust::Some, &mut self.large).is_some_and(|score| score.full)
        })
    }

    /// Tries readings and mistakes. Returns the mistakes that change the output.
    fn try_singles(&mut self, case: usize) -> Result<Vec<usize>, Given> {
        let is_plain = self.is_plain(case);
        let (mut acting, mut full) = (Vec::new(), Vec::new());
        let (mut readings, mut mistakes, mut departing) = (0, 0, 0);
        for (i, single) in self
            .singles
            .iter()
            .enumerate()
            .filter(|(_, single)| !single.is_member)
        {
            *(if single.is_reading() {
                &mut readings
            } else {
                &mut mistakes
            }) += 1;
            let score = try_on(
                single.backend.get(),
                self.cases[case],
                Trust::Some,
                &mut self.large,
            );
            let Some(score) = score else { continue };
            if score.full && (single.is_reading() || !is_plain) {
                full.push(i);
            }
            if score.departs {
                departing += 1;
                if !single.is_reading() {
                    acting.push(i);
                }
                let (most, equals) = &mut self.nearest[case];
                if score.elements > *most {
                    (*most, *equals) = (score.elements, vec![i]);
                } else if score.elements == *most {
                    equals.push(i);
                }
            }
        }
        self.note(Stage::Readings, case, readings);
        self.note(Stage::Mistakes, case, mistakes);
        // Those that change nothing are no rivals.
        self.keep_singles(&full, departing)?;
        Ok(acting)
    }

    /// Keeps single candidates that give a case, of so many that were in question.
    fn keep_singles(&mut self, full: &[usize], among: usize) -> Step {
        let prior = log2(among);
        let mut clear = false;
        for &i in full {
            let hypothesis = Hypothesis::single(i, &self.singles[i], prior);
            clear |= self.keep(hypothesis);
        }
        if clear { Err(Given) } else { Ok(()) }
    }

    fn try_members(&mut self, case: usize) -> Step {
        let mut full = Vec::new();
        let mut tried = 0;
        for (i, single) in self
            .singles
            .iter()
            .enumerate()
            .filter(|(_, single)| single.is_member)
        {
            tried += 1;
            let score = try_on(
                single.backend.get(),
                self.cases[case],
                Trust::Little,
                &mut self.large,
            );
            if score.is_some_and(|score| score.full) {
                full.push(i);
            }
        }
        self.note(Stage::Members, case, tried);
        self.keep_singles(&full, self.singles.len())
    }

    fn try_structures(&mut self, case: usize) -> Step {
        let Some(oracle) = self.suspects.oracle else {
            return Ok(());
        };
        let view = View::new(self.cases[case], Some(oracle));
        self.note(Stage::Structures, case, SORTS);
        let mut clear = false;
        let request = &self.cases[case].request;
        for structure in view
            .iter()
            .flat_map(|view| structures(view, oracle, request, BEYOND))
        {
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
        if clear { Err(Given) } else { Ok(()) }
    }
}

/// A stage gave the case: the next one is not entered.
pub(crate) struct Given;

pub(crate) type Step = Result<(), Given>;

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn log2(number: usize) -> f64 {
    (number.max(1) as f64).log2()
}

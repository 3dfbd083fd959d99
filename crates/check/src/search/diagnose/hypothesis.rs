//! A hypothesis: a cause that reproduces at least one failing case in full, with its scores on the others.

use seedproof_ops::{Backend, Failure, Tensor};

use super::items;
use super::score::{SCREENED_ABOVE, Score, Trust, are_further_known, counted, elements, try_on};
use super::singles::{Single, Source};
use crate::model::diagnosis::Cause;
use crate::model::exchange::{FailedCase, PassedCase, as_u64, ask, same};
use crate::model::expected::Expected;
use crate::search::structure::{Form, Layout, Mask, Structure, View};

/// The most work of a request that is drawn whole before the hypothesis has reproduced a case. It is higher than for
/// one of hundreds of candidates, since a hypothesis was found in some case already.
const AT_ONCE: u64 = 8 * SCREENED_ABOVE;

/// A cause with its scores, case by case.
#[derive(Clone)]
pub(crate) struct Hypothesis<'a> {
    pub(crate) cause: Cause,
    /// The single candidates that it consists of.
    pub(crate) members: Vec<usize>,
    /// What they change, as bits of [`Base`](super::Base); all bits where a structure changes any answer.
    pub(crate) changes: u64,
    /// The part of the output in which the last of them acts, if that is not everywhere.
    pub(crate) mask: Option<Mask>,
    /// What happened to their stream.
    pub(crate) structure: Option<Structure>,
    /// The logarithm of the number of candidates among which it was found.
    pub(crate) prior: f64,
    /// Whether a parameter or a combination was searched for.
    pub(crate) is_searched: bool,
    /// The number of passing cases that contradict it, of those that every cause is tried on.
    pub(crate) contradictions: u64,
    body: Body<'a>,
    scores: Vec<Reaction>,
    /// The number of cases that it is known to reproduce in full.
    pub(crate) given: usize,
    /// Whether it reproduces the first output of a case, and not the further ones.
    pub(crate) is_first: bool,
    /// Whether it acts in what each key of a batch draws, and not in the output as a whole.
    pub(crate) is_each: bool,
}

/// How a hypothesis did on a case: eight bytes, since each of thousands of hypotheses has one for each of thousands of cases.
#[derive(Clone, Copy)]
enum Reaction {
    NotTried,
    NoAnswer,
    Answer(Score),
}

const _: () = assert!(size_of::<Reaction>() == 8);

#[derive(Clone)]
enum Body<'a> {
    Backend(Source<'a>),
    /// A structure of the backend's stream. The size of a block is taken from the oracle.
    Structure(Source<'a>, Structure, &'a dyn Backend),
    Form(Form),
}

impl<'a> Hypothesis<'a> {
    fn new(cause: Cause, members: Vec<usize>, prior: f64, body: Body<'a>) -> Self {
        Self {
            cause,
            members,
            changes: u64::MAX,
            mask: None,
            structure: None,
            prior,
            is_searched: false,
            contradictions: 0,
            body,
            scores: Vec::new(),
            given: 0,
            is_first: false,
            is_each: false,
        }
    }

    /// The same in what each key of a batch draws, where that is something else: a kernel may draw a batch key by key.
    pub(crate) fn of_each_key(&self) -> Option<Self> {
        let is_placed = self.structure.is_some() || self.mask.is_some();
        is_placed.then(|| Self {
            cause: Cause {
                name: format!("{} of each key", self.cause.name),
                sentence: format!("{}, in what each key draws", self.cause.sentence),
                ..self.cause.clone()
            },
            prior: self.prior + 1.0,
            is_each: true,
            ..self.clone()
        })
    }

    /// A single candidate.
    pub(crate) fn single(index: usize, single: &Single<'a>, prior: f64) -> Self {
        let body = Body::Backend(single.backend.clone());
        Self {
            is_searched: single.is_member,
            changes: single.changes,
            ..Self::new(single.cause.clone(), vec![index], prior, body)
        }
    }

    /// A wrong form, which is seen rather than searched for, so that its prior is 0.
    pub(crate) fn form(form: Form) -> Self {
        Self::new(form.cause(), Vec::new(), 0.0, Body::Form(form))
    }

    /// A combination of candidates. `source` is the backend that draws with all of them, and `structure` is what happened
    /// to its stream.
    pub(crate) fn combined(
        singles: &[Single<'a>],
        members: Vec<usize>,
        source: Source<'a>,
        structure: Option<(Structure, &'a dyn Backend)>,
        prior: f64,
    ) -> Self {
        let mut causes: Vec<Cause> = members
            .iter()
            .map(|&member| singles[member].cause.clone())
            .collect();
        // The order in which mistakes are combined does not matter. Sorted, the same combination has one name in all
        // cases.
        causes.sort_by(|a, b| a.name.cmp(&b.name));
        causes.extend(structure.iter().map(|(structure, _)| structure.cause()));
        let cause = Cause::joined(&causes);
        let changes = match structure {
            Some(_) => u64::MAX,
            None => members
                .iter()
                .fold(0, |all, &member| all | singles[member].changes),
        };
        let (body, structure) = match structure {
            Some((structure, oracle)) => (
                Body::Structure(source, structure.clone(), oracle),
                Some(structure),
            ),
            None => (Body::Backend(source), None),
        };
        Self {
            structure,
            changes,
            is_searched: true,
            ..Self::new(cause, members, prior, body)
        }
    }

    /// Several candidates together, the last of which acts in a part of the output.
    pub(crate) fn partly(
        singles: &[Single<'a>],
        members: Vec<usize>,
        mask: Mask,
        source: Source<'a>,
        structure: Option<(Structure, &'a dyn Backend)>,
        prior: f64,
    ) -> Self {
        let (last, others) = members.split_last().expect("a mistake acts in a part");
        let mut causes: Vec<Cause> = others.iter().map(|&i| singles[i].cause.clone()).collect();
        causes.push(mask.acting(&singles[*last].cause));
        causes.extend(structure.iter().map(|(structure, _)| structure.cause()));
        let cause = Cause::joined(&causes);
        Self {
            cause,
            mask: Some(mask),
            ..Self::combined(singles, members, source, structure, prior)
        }
    }

    /// Whether it only says how near an output is.
    pub(crate) fn is_vague(&self) -> bool {
        matches!(self.body, Body::Form(form) if form.is_vague())
    }

    /// Whether it leaves some elements open.
    pub(crate) fn is_noise(&self) -> bool {
        self.structure.as_ref().is_some_and(Structure::is_noise)
    }

    /// Whether it is a structure that lists many places.
    pub(crate) fn is_list(&self) -> bool {
        self.structure.as_ref().is_some_and(Structure::is_list)
    }

    /// The backend whose stream the output is made of; `None` for a wrong form.
    pub(crate) fn backend(&self) -> Option<&dyn Backend> {
        match &self.body {
            Body::Backend(source) | Body::Structure(source, ..) => Some(source.get()),
            Body::Form(_) => None,
        }
    }

    /// Whether it reproduces a case in full, of which it predicts something. Remembers the result.
    pub(crate) fn gives(&mut self, cases: &[&FailedCase], case: usize, budget: &mut u64) -> bool {
        self.run(cases, case, budget)
            .is_some_and(|score| score.full && !self.is_open(score))
    }

    /// Whether it reproduces a case only by leaving every element open, as a stale tail does with an output that is
    /// smaller than the tail. Such a case is not evidence for it, and needs no other cause either.
    pub(crate) fn is_open_on(&self, case: usize) -> bool {
        self.score_on(case).is_some_and(|score| self.is_open(score))
    }

    /// Noise leaves elements open too, but which of them are wrong is evidence.
    fn is_open(&self, score: Score) -> bool {
        matches!(self.body, Body::Structure(..)) && !self.is_noise() && score.full && score.elements == 0
    }

    /// Whether it is known to reproduce a case in full.
    pub(crate) fn is_full_on(&self, case: usize) -> bool {
        self.score_on(case).is_some_and(|score| score.full)
    }

    /// Whether it would answer a case otherwise than the implementation does, and otherwise than is expected.
    pub(crate) fn is_wrong_on(&self, case: usize) -> bool {
        match self.scores.get(case) {
            Some(Reaction::Answer(score)) => score.departs && !score.full,
            // A form that is vague says of each case how near it is.
            Some(Reaction::NoAnswer) => self.is_vague(),
            Some(Reaction::NotTried) | None => false,
        }
    }

    pub(crate) fn score_on(&self, case: usize) -> Option<Score> {
        match self.scores.get(case)? {
            Reaction::Answer(score) => Some(*score),
            Reaction::NotTried | Reaction::NoAnswer => None,
        }
    }

    fn run(&mut self, cases: &[&FailedCase], case: usize, budget: &mut u64) -> Option<Score> {
        self.scores.resize(cases.len(), Reaction::NotTried);
        if !matches!(self.scores[case], Reaction::NotTried) {
            return self.score_on(case);
        }
        // A mistake may depend on the size of the output, so that the first elements of a large one are not a smaller
        // output. A hypothesis that has reproduced a case is therefore tried without a screen.
        let trust = if self.given > 0 || cases[case].request.work() <= AT_ONCE {
            Trust::Earned
        } else {
            Trust::Some
        };
        let score = self.try_on(cases[case], trust, budget);
        self.given += usize::from(score.is_some_and(|score| score.full && !self.is_open(score)));
        self.is_first |= score.is_some_and(|score| score.is_first);
        self.scores[case] = score.map_or(Reaction::NoAnswer, Reaction::Answer);
        score
    }

    fn try_on(&self, case: &FailedCase, trust: Trust, budget: &mut u64) -> Option<Score> {
        let Some(items) = self.is_each.then(|| items::failed(case)).flatten() else {
            return self.try_on_one(case, trust, budget);
        };
        let mut all = Score {
            full: true,
            ..Score::default()
        };
        for item in &items {
            let score = self.try_on_one(item, trust, budget)?;
            all.elements = all.elements.saturating_add(score.elements);
            all.full &= score.full;
            all.departs |= score.departs;
        }
        Some(all)
    }

    fn try_on_one(&self, case: &FailedCase, trust: Trust, budget: &mut u64) -> Option<Score> {
        match &self.body {
            Body::Backend(source) => try_on(source.get(), case, trust, budget),
            Body::Form(wrong) => {
                let full = wrong.describes(case, View::new(case, None).as_ref());
                full.then_some(Score {
                    elements: counted(elements(case)),
                    full,
                    ..Score::default()
                })
            }
            Body::Structure(source, structure, oracle) => {
                if case.request.work() > SCREENED_ABOVE {
                    let count = screen(case);
                    // Where a part of an output begins depends on its size, so that a mistake in a part has no beginning. And of an
                    // output that is right up to its end all would be drawn twice.
                    let has_beginning = self.mask.is_none() && as_u64(count) < elements(case);
                    let screened = if has_beginning {
                        Some(structured(case, source.get(), structure, *oracle, count)?)
                    } else {
                        None
                    };
                    if let Some(screened) = screened.filter(|screened| !screened.full) {
                        return Some(screened);
                    }
                    *budget = budget.checked_sub(case.request.work())?;
                }
                structured(case, source.get(), structure, *oracle, usize::MAX)
            }
        }
    }

    /// Whether a passing case contradicts it: it would answer the case differently, or not at all.
    pub(crate) fn is_contradicted_by(&self, pass: &PassedCase) -> bool {
        match self.is_each.then(|| items::passed(pass)).flatten() {
            Some(items) => items.iter().any(|item| self.is_contradicted_by_one(item)),
            None => self.is_contradicted_by_one(pass),
        }
    }

    fn is_contradicted_by_one(&self, pass: &PassedCase) -> bool {
        let differs = |backend: &dyn Backend| match ask(backend, &pass.request) {
            Some(Ok(response)) => match &pass.reply {
                // The hypothesis explains first outputs only, so that it says nothing about further ones.
                Ok(actual) if self.is_first => !pass.nan.same(&actual.output, &response.output),
                reply => !same(reply, &Ok(response), pass.nan),
            },
            Some(Err(Failure::Rejected(error))) => !same(&pass.reply, &Err(error), pass.nan),
            // The implementation answers requests that this candidate cannot, so that it does not behave like it.
            Some(Err(_)) | None => true,
        };
        match (&self.body, &pass.reply) {
            (Body::Backend(source), _) | (Body::Structure(source, ..), Err(_)) => differs(source.get()),
            // A wrong rounding, a few digits or a wrong state leave some outputs right by chance, and keys may be read right where
            // each has one place.
            (Body::Form(Form::Rounding | Form::Further(..) | Form::Decimals(_) | Form::OtherKeys), _) => {
                false
            }
            (Body::Form(_), _) => pass.reply.is_ok(),
            (Body::Structure(source, structure, oracle), Ok(response)) => {
                let layout = Layout::of(&response.output, &pass.request, Some(*oracle));
                structure
                    .apply(source.get(), &pass.request, &layout, pass.nan, layout.count)
                    .is_some_and(|given| {
                        let actual = response.output.scalars().map(|scalar| Some(pass.nan.key(scalar)));
                        // If the structure leaves every element open, a right answer agrees with it. Noise is the
                        // exception: elements that are not from the stream are hardly ever right.
                        let says = structure.is_noise() || given.iter().any(Option::is_some);
                        says && !given.into_iter().eq(actual)
                    })
            }
        }
    }
}

/// The number of elements of a large output that are compared with a structure before all of them are drawn.
///
/// Up to the first wrong element a tail and a period are alike, and up to twice as far a tail that begins again and an
/// output that repeats itself are.
fn screen(case: &FailedCase) -> usize {
    let first = case
        .values()
        .and_then(|(expected, actual)| case.nan.first_difference(&expected.output, &actual.output));
    64 + 2 * first.unwrap_or(0)
}

/// The score of a structure of a backend's stream, on the first `count` elements.
fn structured(
    case: &FailedCase,
    backend: &dyn Backend,
    structure: &Structure,
    oracle: &dyn Backend,
    count: usize,
) -> Option<Score> {
    let (Expected::Value(expected), Ok(actual)) = (&case.expected, &case.actual) else {
        return None;
    };
    let (wanted, given) = (&expected.output, &actual.output);
    let is_alike = |other: &Tensor| (other.dtype(), other.shape()) == (given.dtype(), given.shape());
    if !is_alike(wanted) {
        return None;
    }
    // What a structure leaves open may change. All else is the same in both answers.
    let again = case.again.as_ref().map(|again| &again.output);
    if again.is_some_and(|again| !structure.is_noise() || !is_alike(again)) {
        return None;
    }
    let layout = Layout::of(given, &case.request, Some(oracle));
    let predicted = structure.apply(backend, &case.request, &layout, case.nan, count.min(layout.count))?;
    let mut wrong = 0;
    let mut score = Score {
        full: true,
        ..Score::default()
    };
    for ((predicted, actual), wanted) in predicted.iter().zip(given.scalars()).zip(wanted.scalars()) {
        score.departs |= *predicted != Some(case.nan.key(wanted));
        match predicted {
            Some(bits) if *bits == case.nan.key(actual) => score.elements = score.elements.saturating_add(1),
            Some(_) => score.full = false,
            // An element that a structure leaves open is expected to be wrong.
            None => wrong += usize::from(!case.nan.same_element(actual, wanted)),
        }
    }
    if let Some(again) = again {
        let pairs = predicted.iter().zip(again.scalars());
        let mut known = pairs.filter_map(|(predicted, again)| predicted.map(|bits| (bits, again)));
        score.full &= known.all(|(bits, again)| bits == case.nan.key(again));
    }
    // If more than two in ten of the open elements are right, they are not noise, and the structure does not fit.
    let any = predicted.iter().filter(|predicted| predicted.is_none()).count();
    score.full &= wrong * 10 >= any * 8;
    if score.full && count >= layout.count && !actual.more.is_empty() {
        let more = ask(backend, &case.request).and_then(Result::ok).map(|it| it.more);
        score.full = more
            .as_ref()
            .is_some_and(|more| are_further_known(case, more, &actual.more));
        score.is_first = score.full && more.as_ref() != Some(&actual.more);
    }
    Some(score)
}

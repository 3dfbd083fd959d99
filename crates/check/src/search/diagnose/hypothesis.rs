//! A hypothesis: a cause that gives at least one failing case in full, with its scores on the others.

use seedproof_ops::{Backend, Failure};

use super::score::{SCREENED_ABOVE, Score, Trust, try_on};
use super::singles::{Single, Source};
use crate::model::diagnosis::Cause;
use crate::model::exchange::{FailedCase, PassedCase};
use crate::model::exchange::{ask, same};
use crate::model::expected::Expected;
use crate::search::structure::{Form, Layout, Mask, Structure, View, form};

/// The most work of a hypothesis's first request that needs no screen.
const AT_ONCE: u64 = 8 * SCREENED_ABOVE;

/// A cause with its scores, case by case.
pub(crate) struct Hypothesis<'a> {
    pub(crate) cause: Cause,
    /// The single candidates that it consists of.
    pub(crate) members: Vec<usize>,
    /// Where the last of them acts, if that is not everywhere.
    pub(crate) mask: Option<Mask>,
    /// What became of their stream.
    pub(crate) structure: Option<Structure>,
    /// Logarithm of the number of candidates among which it was found.
    pub(crate) prior: f64,
    /// Whether a parameter was searched for.
    pub(crate) is_searched: bool,
    /// Number of passing cases that speak against it, of those that every cause is held against.
    pub(crate) against: u64,
    body: Body<'a>,
    scores: Vec<Reaction>,
    /// Number of cases that it is known to give in full.
    pub(crate) given: usize,
    /// Whether it is the cause of the first output alone.
    pub(crate) is_first: bool,
}

/// The reaction to a case.
#[derive(Clone, Copy)]
enum Reaction {
    NotTried,
    NoAnswer,
    Answer(Score),
}

impl Reaction {
    const fn score(self) -> Option<Score> {
        match self {
            Self::Answer(score) => Some(score),
            Self::NotTried | Self::NoAnswer => None,
        }
    }
}

enum Body<'a> {
    Backend(Source<'a>),
    /// A structure of the backend's stream. The oracle says how many elements a block has.
    Structure(Source<'a>, Structure, &'a dyn Backend),
    Form(Form),
}

impl<'a> Hypothesis<'a> {
    fn new(cause: Cause, members: Vec<usize>, prior: f64, body: Body<'a>) -> Self {
        Self {
            cause,
            members,
            mask: None,
            structure: None,
            prior,
            is_searched: false,
            against: 0,
            body,
            scores: Vec::new(),
            given: 0,
            is_first: false,
        }
    }

    /// A single candidate.
    pub(crate) fn single(index: usize, single: &Single<'a>, prior: f64) -> Self {
        let body = Body::Backend(single.backend.clone());
        Self {
            is_searched: single.is_member,
            ..Self::new(single.cause.clone(), vec![index], prior, body)
        }
    }

    /// A wrong form.
    pub(crate) fn form(form: Form) -> Self {
        Self::new(form.cause(), Vec::new(), 0.0, Body::Form(form))
    }

    /// Several candidates, whose backend together is `source`, and what became of its stream.
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
        causes.sort_by(|a, b| a.name.cmp(&b.name));
        causes.extend(structure.iter().map(|(structure, _)| structure.cause()));
        let cause = Cause::joined(&causes);
        let (body, structure) = match structure {
            Some((structure, oracle)) => (
                Body::Structure(source, structure.clone(), oracle),
                Some(structure),
            ),
            None => (Body::Backend(source), None),
        };
        Self {
            structure,
            is_searched: true,
            ..Self::new(cause, members, prior, body)
        }
    }

    /// The same, the last of them in a part of the output.
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

    /// Whether it says how near an output is, and not what it is.
    pub(crate) fn is_vague(&self) -> bool {
        matches!(self.body, Body::Form(form) if form.is_vague())
    }

    /// Whether some elements may be anything.
    pub(crate) fn is_noise(&self) -> bool {
        self.structure.as_ref().is_some_and(Structure::is_noise)
    }

    /// Whether it is a structure that lists many places.
    pub(crate) fn is_list(&self) -> bool {
        self.structure.as_ref().is_some_and(Structure::is_list)
    }

    /// The backend whose stream it is; `None` for a wrong form.
    pub(crate) fn backend(&self) -> Option<&dyn Backend> {
        match &self.body {
            Body::Backend(source) | Body::Structure(source, ..) => Some(source.get()),
            Body::Form(_) => None,
        }
    }

    /// Whether it gives a case in full. Remembers the answer.
    pub(crate) fn gives(&mut self, cases: &[&FailedCase], case: usize, budget: &mut u64) -> bool {
        self.run(cases, case, budget).is_some_and(|score| score.full)
    }

    /// Whether it is known to give a case in full.
    pub(crate) fn is_full_on(&self, case: usize) -> bool {
        self.score_on(case).is_some_and(|score| score.full)
    }

    pub(crate) fn score_on(&self, case: usize) -> Option<Score> {
        self.scores.get(case)?.score()
    }

    fn run(&mut self, cases: &[&FailedCase], case: usize, budget: &mut u64) -> Option<Score> {
        self.scores.resize(cases.len(), Reaction::NotTried);
        if !matches!(self.scores[case], Reaction::NotTried) {
            return self.scores[case].score();
        }
        // A layout may depend on the size of the output, and then a prefix is not what a smaller output would be.
        let trust = if self.given > 0 || cases[case].request.work() <= AT_ONCE {
            Trust::Earned
        } else {
            Trust::Some
        };
        let score = self.try_on(cases[case], trust, budget);
        self.given += usize::from(score.is_some_and(|score| score.full));
        self.is_first |= score.is_some_and(|score| score.is_first);
        self.scores[case] = score.map_or(Reaction::NoAnswer, Reaction::Answer);
        score
    }

    fn try_on(&self, case: &FailedCase, trust: Trust, budget: &mut u64) -> Option<Score> {
        match &self.body {
            Body::Backend(source) => try_on(source.get(), case, trust, budget),
            Body::Form(wrong) => {
                let full = form(case, View::new(case, None).as_ref()) == Some(*wrong);
                full.then_some(Score {
                    elements: super::score::elements(case),
                    full,
                    ..Score::default()
                })
            }
            Body::Structure(source, structure, oracle) => {
                if case.request.work() > SCREENED_ABOVE {
                    let screened = structured(case, source.get(), structure, *oracle, SCREEN)?;
                    if !screened.full {
                        return Some(screened);
                    }
                    *budget = budget.checked_sub(case.request.work())?;
                }
                structured(case, source.get(), structure, *oracle, usize::MAX)
            }
        }
    }

    /// Whether it would give a passing case otherwise, or not at all.
    pub(crate) fn is_contradicted_by(&self, pass: &PassedCase) -> bool {
        let differs = |backend: &dyn Backend| match ask(backend, &pass.request) {
            Some(Ok(response)) => match &pass.reply {
                Ok(actual) if self.is_first => !pass.nan.same(&actual.output, &response.output),
                reply => !same(reply, &Ok(response), pass.nan),
            },
            Some(Err(Failure::Rejected(error))) => !same(&pass.reply, &Err(error), pass.nan),
            // A candidate without the feature is not the implementation's behaviour.
            Some(Err(_)) | None => true,
        };
        match (&self.body, &pass.reply) {
            (Body::Backend(source), _) | (Body::Structure(source, ..), Err(_)) => differs(source.get()),
            // A further output may be right by chance, and so may a rounding.
            (Body::Form(Form::Rounding | Form::Further(..) | Form::Decimals(_)), _) => false,
            (Body::Form(_), _) => pass.reply.is_ok(),
            (Body::Structure(source, structure, oracle), Ok(response)) => {
                let layout = Layout::of(&response.output, &pass.request, Some(*oracle));
                structure
                    .apply(source.get(), &pass.request, &layout, pass.nan, layout.count)
                    .is_some_and(|given| {
                        let actual = response.output.scalars().map(|scalar| Some(pass.nan.key(scalar)));
                        // Where every element is what memory held, the answer may be right; noise hardly ever is.
                        let says = structure.is_noise() || given.iter().any(Option::is_some);
                        says && !given.into_iter().eq(actual)
                    })
            }
        }
    }
}

/// Elements of a large output that are held against a structure before the others.
const SCREEN: usize = 64;

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
    if (wanted.dtype(), wanted.shape()) != (given.dtype(), given.shape()) {
        return None;
    }
    let layout = Layout::of(given, &case.request, Some(oracle));
    let predicted = structure.apply(backend, &case.request, &layout, case.nan, count.min(layout.count))?;
    let mut wrong = 0;
    let mut score = Score {
        full: true,
        departs: true,
        ..Score::default()
    };
    for ((predicted, actual), wanted) in predicted.iter().zip(given.scalars()).zip(wanted.scalars()) {
        match predicted {
            Some(bits) if *bits == case.nan.key(actual) => score.elements += 1,
            Some(_) => score.full = false,
            // What may be anything is hardly ever right.
            None => wrong += usize::from(!case.nan.same_element(actual, wanted)),
        }
    }
    let any = predicted.iter().filter(|predicted| predicted.is_none()).count();
    score.full &= wrong * 10 >= any * 8;
    if score.full && count >= layout.count && !actual.more.is_empty() {
        score.full =
            ask(backend, &case.request).is_some_and(|answer| answer.is_ok_and(|it| it.more == actual.more));
    }
    Some(score)
}

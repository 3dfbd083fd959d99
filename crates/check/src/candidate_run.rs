//! A candidate with its scores, case by case.

use seedproof_ops::Backend;

use crate::chance::chance;
use crate::exchange::ask;
use crate::score::{SCREENED_ABOVE, Score, Trust, as_u64, elements, try_on};
use crate::stages::{compare_stages, first_difference};
use crate::{Candidate, Cause, CauseKind, Evidence, Explanation, FailedCase, Found, Stage};

/// The most work of a candidate's first request that needs no screen.
const AT_ONCE: u64 = 8 * SCREENED_ABOVE;

/// Entropy in bits of an output that two random draws hardly ever have in common.
pub(crate) const COINCIDENCE_BITS: f64 = 32.0;

/// A candidate with its scores on the cases that it was tried on.
pub(crate) struct CandidateRun<'a> {
    pub(crate) cause: Cause,
    backend: Backing<'a>,
    /// Whether it comes from a family, with a parameter.
    pub(crate) is_found: bool,
    /// By case.
    scores: Vec<Reaction>,
    /// Number of cases that it was tried on.
    asked: usize,
    /// Number of them that it gives in full.
    given: usize,
}

/// The reaction of a candidate to a case.
#[derive(Clone, Copy)]
enum Reaction {
    NotTried,
    NoAnswer,
    Answer(Score),
}

impl Reaction {
    fn score(self) -> Option<Score> {
        match self {
            Self::Answer(score) => Some(score),
            Self::NotTried | Self::NoAnswer => None,
        }
    }
}

enum Backing<'a> {
    Borrowed(&'a dyn Backend),
    Owned(Box<dyn Backend>),
}

impl<'a> CandidateRun<'a> {
    fn new(cause: Cause, backend: Backing<'a>, is_found: bool) -> Self {
        Self {
            cause,
            backend,
            is_found,
            scores: Vec::new(),
            asked: 0,
            given: 0,
        }
    }

    pub(crate) fn single(candidate: &Candidate<'a>) -> Self {
        Self::new(
            candidate.cause.clone(),
            Backing::Borrowed(candidate.backend),
            false,
        )
    }

    pub(crate) fn pair(cause: Cause, backend: Box<dyn Backend>) -> Self {
        Self::new(cause, Backing::Owned(backend), false)
    }

    pub(crate) fn found(found: Found) -> Self {
        Self::new(found.cause, Backing::Owned(found.backend), true)
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        match &self.backend {
            Backing::Borrowed(backend) => *backend,
            Backing::Owned(backend) => &**backend,
        }
    }

    /// Tries it on those of `on`, indices of `cases`, that it was not tried on.
    pub(crate) fn run(&mut self, cases: &[&FailedCase], on: &[usize], budget: &mut u64) {
        for &case in on {
            self.run_one(cases, case, budget);
        }
    }

    /// Whether it gives all of `cases` in full. Stops at the first that it does not give.
    pub(crate) fn gives_all(&mut self, cases: &[&FailedCase], budget: &mut u64) -> bool {
        (0..cases.len()).all(|case| {
            self.run_one(cases, case, budget);
            self.is_full_on(case)
        })
    }

    fn run_one(&mut self, cases: &[&FailedCase], case: usize, budget: &mut u64) {
        if self.scores.len() < cases.len() {
            self.scores.resize(cases.len(), Reaction::NotTried);
        }
        if matches!(self.scores[case], Reaction::NotTried) {
            let at_once = self.asked > 0 || cases[case].request.work() <= AT_ONCE;
            let trust = if self.given == self.asked && at_once {
                Trust::Earned
            } else {
                Trust::None
            };
            let score = try_on(self.backend(), cases[case], trust, budget);
            self.asked += 1;
            self.given += usize::from(score.is_some_and(|score| score.full));
            self.scores[case] = score.map_or(Reaction::NoAnswer, Reaction::Answer);
        }
    }

    pub(crate) fn score_on(&self, case: usize) -> Option<Score> {
        self.scores.get(case).and_then(|reaction| reaction.score())
    }

    pub(crate) fn is_full_on(&self, case: usize) -> bool {
        self.score_on(case).is_some_and(|score| score.full)
    }

    /// Cases and elements that it gives, of those that it was tried on.
    pub(crate) fn tally(&self) -> (usize, u64) {
        let scores = self.scores.iter().filter_map(|reaction| reaction.score());
        (self.given, scores.map(|score| score.elements).sum())
    }

    /// Whether its answer to each of these cases changes from run to run. Cases with little entropy are left aside.
    pub(crate) fn draws_anew(&self, cases: &[&FailedCase], on: &[usize]) -> bool {
        let answer = |case: usize| match ask(self.backend(), &cases[case].request) {
            Some(Ok(response)) => Some(response),
            _ => None,
        };
        let count = |case: usize| {
            cases[case]
                .actual
                .as_ref()
                .map_or(0, |actual| actual.output.count())
        };
        let mut telling = on
            .iter()
            .copied()
            .filter(|&case| chance(&cases[case].request, count(case)) >= COINCIDENCE_BITS)
            .peekable();
        self.cause.kind != CauseKind::Combination
            && telling.peek().is_some()
            && telling.all(|case| answer(case).is_some_and(|one| answer(case).is_some_and(|two| one != two)))
    }

    /// Whether it may be a cause: a reading always, any other only if it gives a case that does not come out alike
    /// without it. `plain` says which cases come out as they did without any mistake.
    pub(crate) fn may_be_a_cause(&self, plain: &[bool]) -> bool {
        self.cause.kind == CauseKind::Reading
            || (0..self.scores.len()).any(|case| self.is_full_on(case) && plain.get(case) != Some(&true))
    }

    /// The explanation with its evidence over the cases tried, and the stage where it departs from the oracle.
    pub(crate) fn explanation(
        &self,
        cases: &[&FailedCase],
        oracle: Option<&dyn Backend>,
        contradicted: u64,
    ) -> Explanation {
        let (full, given) = self.tally();
        Explanation {
            cause: self.cause.clone(),
            stage: oracle.and_then(|oracle| self.stage(cases, oracle)),
            only: String::new(),
            parts: Vec::new(),
            evidence: Evidence {
                elements: given,
                elements_total: cases.iter().map(|case| elements(case)).sum(),
                cases: as_u64(full),
                cases_total: as_u64(cases.len()),
                contradicted,
            },
            cases: (0..cases.len())
                .filter(|&case| self.is_full_on(case))
                .map(|case| cases[case].case.clone())
                .collect(),
        }
    }

    /// The first stage in which it differs from the oracle, on the first case that it gives.
    fn stage(&self, cases: &[&FailedCase], oracle: &dyn Backend) -> Option<Stage> {
        let case = (0..cases.len()).find(|&case| self.is_full_on(case))?;
        let request = &cases[case].request;
        if request.work() > SCREENED_ABOVE {
            return None;
        }
        let (expected, given) = (oracle.stages(request)?, self.backend().stages(request)?);
        first_difference(&compare_stages(&expected, &given, cases[case].nan))
    }
}

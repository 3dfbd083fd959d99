//! A candidate on trial: what it is, and how it did case by case.

use seedproof_ops::Backend;

use crate::score::{Score, Trust, cost, elements, try_on};
use crate::stages::{compare_stages, first_difference};
use crate::structure::ask;
use crate::{Candidate, CandidateKind, Evidence, Explanation, FailedCase, Found, Stage};

/// A request up to this cost is asked at once, if it is the first that a candidate is asked.
const AT_ONCE: u64 = 8 * crate::score::SMALL;

/// A candidate with its scores on the cases that it was tried on.
pub(crate) struct Trial<'a> {
    pub(crate) name: String,
    pub(crate) kind: CandidateKind,
    sentence: String,
    mend: String,
    clause: String,
    erratum: String,
    backend: Backing<'a>,
    /// Per case, where it was tried; within, `None` where it does not answer.
    scores: Vec<Option<Option<Score>>>,
    /// How many cases it was tried on.
    asked: usize,
    /// How many of them it gives in full.
    given: usize,
}

enum Backing<'a> {
    Borrowed(&'a dyn Backend),
    Owned(Box<dyn Backend>),
}

impl<'a> Trial<'a> {
    pub(crate) fn borrowed(candidate: &Candidate<'a>) -> Self {
        Self {
            name: candidate.name.to_owned(),
            kind: candidate.kind,
            sentence: candidate.sentence.to_owned(),
            mend: candidate.mend.to_owned(),
            clause: candidate.clause.to_owned(),
            erratum: candidate.erratum.to_owned(),
            backend: Backing::Borrowed(candidate.backend),
            scores: Vec::new(),
            asked: 0,
            given: 0,
        }
    }

    /// `texts` are sentence, mend, clause and erratum.
    pub(crate) fn owned(
        name: String,
        kind: CandidateKind,
        texts: [String; 4],
        backend: Box<dyn Backend>,
    ) -> Self {
        let [sentence, mend, clause, erratum] = texts;
        Self {
            name,
            kind,
            sentence,
            mend,
            clause,
            erratum,
            backend: Backing::Owned(backend),
            scores: Vec::new(),
            asked: 0,
            given: 0,
        }
    }

    pub(crate) fn found(found: Found) -> Self {
        let texts = [found.sentence, found.mend, found.clause, found.erratum];
        Self::owned(found.name, found.kind, texts, found.backend)
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        match &self.backend {
            Backing::Borrowed(backend) => *backend,
            Backing::Owned(backend) => &**backend,
        }
    }

    /// Tries it on those of `on`, places in `cases`, that it was not tried on.
    pub(crate) fn run(&mut self, cases: &[&FailedCase], on: &[usize], budget: &mut u64) {
        for &case in on {
            self.run_one(cases, case, budget);
        }
    }

    /// Whether it gives all of `cases` in full; tried no further than the first that it does not give.
    pub(crate) fn gives_all(&mut self, cases: &[&FailedCase], budget: &mut u64) -> bool {
        (0..cases.len()).all(|case| {
            self.run_one(cases, case, budget);
            self.is_full_on(case)
        })
    }

    fn run_one(&mut self, cases: &[&FailedCase], case: usize, budget: &mut u64) {
        if self.scores.len() < cases.len() {
            self.scores.resize(cases.len(), None);
        }
        if self.scores[case].is_none() {
            let at_once = self.asked > 0 || cost(&cases[case].request) <= AT_ONCE;
            let trust = if self.given == self.asked && at_once {
                Trust::Earned
            } else {
                Trust::None
            };
            let score = try_on(self.backend(), cases[case], trust, budget);
            self.asked += 1;
            self.given += usize::from(score.is_some_and(|score| score.full));
            self.scores[case] = Some(score);
        }
    }

    pub(crate) fn score_on(&self, case: usize) -> Option<Score> {
        self.scores.get(case).copied().flatten().flatten()
    }

    pub(crate) fn is_full_on(&self, case: usize) -> bool {
        self.score_on(case).is_some_and(|score| score.full)
    }

    /// Cases and elements that it gives, of those that it was tried on.
    pub(crate) fn tally(&self) -> (usize, u64) {
        let scores = self.scores.iter().flatten().flatten();
        (self.given, scores.map(|score| score.elements).sum())
    }

    /// Whether it answers each of these cases otherwise every time that it is asked.
    pub(crate) fn draws_anew(&self, cases: &[&FailedCase], on: &[usize]) -> bool {
        let answer = |case: usize| match ask(self.backend(), &cases[case].request) {
            Some(Ok(response)) => Some(response),
            _ => None,
        };
        self.kind != CandidateKind::Pair
            && on.iter().all(|&case| {
                answer(case).is_some_and(|first| answer(case).is_some_and(|again| again != first))
            })
    }

    /// Whether it may be a cause: a reading always, any other only if it gives something that the implementation
    /// would not have given without it. `plain` says which cases come out as they did without any mistake.
    pub(crate) fn may_be_a_cause(&self, plain: &[bool]) -> bool {
        self.kind == CandidateKind::Reading
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
        let wide = crate::locate::wide;
        Explanation {
            name: self.name.clone(),
            kind: self.kind,
            sentence: self.sentence.clone(),
            mend: self.mend.clone(),
            stage: oracle.and_then(|oracle| self.stage(cases, oracle)),
            clause: self.clause.clone(),
            erratum: self.erratum.clone(),
            evidence: Evidence {
                elements: given,
                elements_total: cases.iter().map(|case| elements(case)).sum(),
                cases: wide(full),
                cases_total: wide(cases.len()),
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
        if crate::score::cost(request) > crate::score::SMALL {
            return None;
        }
        let (expected, given) = (oracle.stages(request)?, self.backend().stages(request)?);
        first_difference(&compare_stages(&expected, &given))
    }
}

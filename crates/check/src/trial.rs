//! A candidate on trial: what it is, and how it did case by case.

use seedproof_ops::Backend;

use crate::score::{Score, elements, try_on};
use crate::stages::{compare_stages, first_difference};
use crate::{Candidate, CandidateKind, Evidence, Explanation, FailedCase, Found, Stage};

/// A candidate with its scores on the cases that it was tried on.
pub(crate) struct Trial<'a> {
    pub(crate) name: String,
    kind: CandidateKind,
    sentence: String,
    mend: String,
    clause: String,
    erratum: String,
    backend: Backing<'a>,
    /// Per case; `None` where it does not answer.
    scores: Vec<Option<Score>>,
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

    /// Tries it on those of `cases` that it was not tried on: the first ones are known.
    pub(crate) fn run(&mut self, cases: &[&FailedCase], budget: &mut u64) {
        for case in &cases[self.scores.len()..] {
            let score = try_on(self.backend(), case, budget);
            self.scores.push(score);
        }
    }

    pub(crate) fn score_on(&self, case: usize) -> Option<Score> {
        self.scores.get(case).copied().flatten()
    }

    pub(crate) fn is_full_on(&self, case: usize) -> bool {
        self.score_on(case).is_some_and(|score| score.full)
    }

    /// Cases and elements that it gives.
    pub(crate) fn tally(&self) -> (usize, u64) {
        let scores = self.scores.iter().flatten();
        let full = scores.clone().filter(|score| score.full).count();
        (full, scores.map(|score| score.elements).sum())
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

//! Passing cases. A cause that would fail one of them is contradicted by it.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;

use seedproof_ops::{Failure, OpName};

use super::hypothesis::Hypothesis;
use super::score::SCREENED_ABOVE;
use super::suspects::Base;
use crate::model::exchange::{FailedCase, PassedCase, as_u64, same};

/// The work of the passing cases that every cause is tried on, which takes a few milliseconds for each cause.
pub(crate) const MAX_PASSING_WORK: u64 = 1 << 16;

/// What a passing case tells of the base.
#[derive(Clone, Copy)]
struct Note {
    /// What the answer is made from.
    reads: u64,
    /// Whether the base has the answer of the implementation.
    is_agreed: bool,
}

/// Passing cases: those of the ops that fail, and then the others, both in order of cost.
#[derive(Clone)]
pub(crate) struct Passes<'a> {
    small: Vec<&'a PassedCase>,
    base: Option<&'a Base<'a>>,
    /// The note of each case, made when it is first needed.
    notes: Rc<[OnceCell<Note>]>,
}

impl<'a> Passes<'a> {
    pub(crate) fn new(failures: &[FailedCase], passes: &'a [PassedCase], base: Option<&'a Base<'a>>) -> Self {
        let failing: HashSet<OpName> = failures.iter().map(|case| case.request.op()).collect();
        let is_small = |pass: &&PassedCase| pass.request.work() <= 4 * SCREENED_ABOVE;
        let mut small: Vec<&PassedCase> = passes.iter().filter(is_small).collect();
        // A cause seldom acts in an op without failures. If the cases of all ops were taken by cost alone, the budget
        // would be spent before the cases that tell two causes apart, and sooner the more ops the corpus has.
        small.sort_by_cached_key(|pass| {
            let is_of_another = !failing.contains(&pass.request.op());
            (is_of_another, pass.request.work(), pass.case.clone())
        });
        Self {
            notes: small.iter().map(|_| OnceCell::new()).collect(),
            small,
            base,
        }
    }

    /// Whether one of the cases was answered with a value.
    pub(crate) fn has_values(&self) -> bool {
        self.small.iter().any(|pass| pass.reply.is_ok())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.small.is_empty()
    }

    /// The first cases, whose work together is at most `budget`.
    pub(crate) fn within(&self, budget: u64) -> impl Iterator<Item = &'a PassedCase> + '_ {
        let mut spent = 0;
        let cheap = move |pass: &&&PassedCase| {
            spent += pass.request.work();
            spent <= budget
        };
        self.small.iter().take_while(cheap).copied()
    }

    /// The number of cases that contradict a cause.
    pub(crate) fn contradictions(&self, hypothesis: &Hypothesis<'_>, budget: u64) -> u64 {
        as_u64(self.contradicting(hypothesis, budget).count())
    }

    /// The cases that contradict a cause.
    pub(crate) fn contradicting(
        &self,
        hypothesis: &Hypothesis<'_>,
        budget: u64,
    ) -> impl Iterator<Item = &'a PassedCase> {
        let is_contradicted = |(at, pass): &(usize, &PassedCase)| {
            !self.is_left_right(*at, pass, hypothesis) && hypothesis.is_contradicted_by(pass)
        };
        let all = self.within(budget).enumerate();
        all.filter(is_contradicted).map(|(_, pass)| pass)
    }

    /// Whether the base answers a case as the implementation does, and a cause changes nothing of that.
    fn is_left_right(&self, at: usize, pass: &PassedCase, hypothesis: &Hypothesis<'_>) -> bool {
        self.base.is_some_and(|base| {
            let note = self.notes[at].get_or_init(|| {
                let (answer, reads) = base(&pass.request);
                let is_agreed = match answer {
                    Ok(response) => same(&pass.reply, &Ok(response), pass.nan),
                    Err(Failure::Rejected(error)) => same(&pass.reply, &Err(error), pass.nan),
                    Err(_) => false,
                };
                Note { reads, is_agreed }
            });
            note.is_agreed && hypothesis.changes & note.reads == 0
        })
    }
}

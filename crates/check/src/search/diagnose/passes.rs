//! Passing cases. A cause that would fail one of them is contradicted by it.

use std::collections::HashSet;

use seedproof_ops::OpName;

use super::hypothesis::Hypothesis;
use super::score::SCREENED_ABOVE;
use crate::model::exchange::as_u64;
use crate::model::exchange::{FailedCase, PassedCase};

/// The work of the passing cases that every cause is tried on, which takes a few milliseconds for each cause.
pub(crate) const FEW: u64 = 1 << 16;

/// Passing cases: those of the ops that fail, and then the others, both in order of cost.
#[derive(Clone)]
pub(crate) struct Passes<'a> {
    small: Vec<&'a PassedCase>,
}

impl<'a> Passes<'a> {
    pub(crate) fn new(failures: &[FailedCase], passes: &'a [PassedCase]) -> Self {
        let failing: HashSet<OpName> = failures.iter().map(|case| case.request.op()).collect();
        let is_small = |pass: &&PassedCase| pass.request.work() <= 4 * SCREENED_ABOVE;
        let mut small: Vec<&PassedCase> = passes.iter().filter(is_small).collect();
        // A cause seldom acts in an op without failures. If the cases of all ops were taken by cost alone, the budget
        // would be spent before the cases that tell two causes apart, and sooner the more ops the corpus has.
        small.sort_by_cached_key(|pass| {
            let is_of_another = !failing.contains(&pass.request.op());
            (is_of_another, pass.request.work(), pass.case.clone())
        });
        Self { small }
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
    pub(crate) fn against(&self, hypothesis: &Hypothesis<'_>, budget: u64) -> u64 {
        let against = self
            .within(budget)
            .filter(|pass| hypothesis.is_contradicted_by(pass));
        as_u64(against.count())
    }
}

//! Answers that change from run to run: which elements do so, where a rule says it of all cases. Nothing writes those, or
//! threads race for them. What they are cannot be compared, and no candidate is asked for them.

use super::cover::Cover;
use super::hypothesis::Hypothesis;
use super::passes::Passes;
use super::sample;
use super::search::{CONFIRMING, Search};
use super::singles::Source;
use super::suspects::Suspects;
use crate::model::diagnosis::{Cause, Explanation};
use crate::model::exchange::FailedCase;
use crate::search::structure::{LOOKAHEAD, View, structures};

/// The places in which answers change, and in which nothing else does. Cases that fit none have no explanation.
pub(super) fn places(
    cases: &[&FailedCase],
    passes: Passes<'_>,
    suspects: &Suspects<'_>,
    searched: &dyn Fn(),
) -> Vec<Explanation> {
    let suspects = Suspects {
        candidates: &[],
        families: &|_| Vec::new(),
        ..*suspects
    };
    let mut search = Search::new(cases, passes.clone(), &suspects);
    for case in sample::in_turns(cases) {
        search.try_open(case);
        searched();
    }
    search.confirming = CONFIRMING;
    let found = Cover::new(cases, passes, &suspects).choose(&mut search);
    let changing = |it: Explanation| Explanation {
        cause: Cause {
            sentence: format!(
                "{}, and change from run to run: nothing writes them",
                it.cause.sentence
            ),
            ..it.cause
        },
        ..it
    };
    found.explanations.into_iter().map(changing).collect()
}

impl Search<'_> {
    /// Keeps the places outside of which both answers to a case are right.
    fn try_open(&mut self, case: usize) {
        let Some(oracle) = self.suspects.oracle else {
            return;
        };
        for known in self.by_cases() {
            if self.found[known].gives(self.cases, case, &mut self.confirming) {
                return;
            }
        }
        let Some(view) = View::new(self.cases[case], Some(oracle)) else {
            return;
        };
        for structure in structures(&view, oracle, &self.cases[case].request, LOOKAHEAD) {
            // Some lanes of every vector are a race as well as memory that nothing writes.
            if structure.is_noise() && !structure.is_place() {
                let (prior, source) = (structure.prior(), Source::Borrowed(oracle));
                let structure = Some((structure, oracle));
                self.keep(Hypothesis::combined(
                    &self.singles,
                    Vec::new(),
                    source,
                    structure,
                    prior,
                ));
            }
        }
    }
}

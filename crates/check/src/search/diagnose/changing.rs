//! Answers that change from run to run: which elements do so, where a rule says it of all cases. Nothing writes those, or
//! threads race for them. What they are cannot be compared, and no candidate is asked for them. The exception is a generator that
//! goes on from request to request, whose answers follow each other in the stream of the seed.

use seedproof_ops::Backend;

use super::cover::Cover;
use super::hypothesis::Hypothesis;
use super::passes::Passes;
use super::sample;
use super::score::elements;
use super::search::{CONFIRMING, Search};
use super::singles::Source;
use super::suspects::Suspects;
use crate::model::diagnosis::{Cause, Evidence, Explanation};
use crate::model::exchange::{FailedCase, as_u64};
use crate::search::structure::{LOOKAHEAD, ORDER_BITS, View, bits_of, stream, structures};

/// The elements of a seed's stream in which the answers to a request are looked for, beside some times as many as it asks for.
const STREAM: usize = 1 << 16;
const TIMES: usize = 8;
/// The most cases of which one is to show it: of a race, none does.
const ASKED: usize = 256;
/// The largest output that is looked for.
const LARGEST: usize = 1 << 16;

/// The cause that a generator is kept, with the cases whose answers follow each other, and the other cases.
pub(super) fn going_on<'a>(
    cases: Vec<&'a FailedCase>,
    suspects: &Suspects<'_>,
) -> (Option<Explanation>, Vec<&'a FailedCase>) {
    let Some(oracle) = suspects.oracle else {
        return (None, cases);
    };
    let of = |cases: &[&FailedCase]| (cases.iter().map(|case| elements(case)).sum(), as_u64(cases.len()));
    let (elements_total, cases_total) = of(&cases);
    // Answers of few bits stand in the stream by chance. They tell nothing by themselves, and nothing against what others tell.
    let is_told = cases
        .iter()
        .take(ASKED)
        .any(|case| goes_on(case, oracle, ORDER_BITS));
    let (on, others): (Vec<_>, _) = cases
        .into_iter()
        .partition(|case| is_told && goes_on(case, oracle, 0.0));
    let (elements, count) = of(&on);
    let explanation = (!on.is_empty()).then(|| Explanation {
        cause: Cause::structure(
            "goes-on",
            "the generator goes on from request to request: the second answer to a request follows the first one in the stream of \
             its seed",
            "seed the generator for every request",
        ),
        stage: None,
        evidence: Evidence {
            elements,
            elements_total,
            cases: count,
            cases_total,
            contradicted: 0,
        },
        cases: on.iter().map(|case| case.case.clone()).collect(),
        only: String::new(),
        parts: Vec::new(),
    });
    (explanation, others)
}

/// Whether both answers to a case stand in the stream of its seed, the second one behind the first, and have these bits of evidence.
fn goes_on(case: &FailedCase, oracle: &dyn Backend, evidence: f64) -> bool {
    let (Some(view), Some(again)) = (View::new(case, Some(oracle)), &case.again) else {
        return false;
    };
    let n = view.count();
    let again = bits_of(&again.output, case.nan);
    if again.len() != n || n > LARGEST || view.evidence(n) < evidence {
        return false;
    }
    let Some(stream) = stream(oracle, &case.request, case.nan, n, TIMES * n + STREAM) else {
        return false;
    };
    // Only together: each alone stands in the stream too where a kernel begins at random places of it.
    let mut both = view.actual;
    both.extend(again);
    stream.windows(2 * n).any(|window| window == both)
}

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
                "{}; what stands in the wrong elements changes from run to run: nothing writes them",
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

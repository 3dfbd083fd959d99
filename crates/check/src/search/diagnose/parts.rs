//! The parts of a combination, each with the cases in which it acts.

use super::hypothesis::Hypothesis;
use super::partly;
use super::score::{Trust, try_on};
use super::search::Search;
use crate::model::diagnosis::{Cause, CauseKind, Part};
use crate::model::exchange::FailedCase;
use crate::search::structure::Structure;

/// The most elements that are drawn to see which parts of one combination act: a quarter of the budget of a whole
/// search.
const BUDGET: u64 = 16 << 20;

/// The parts of a combination that reproduces these cases; none for any other cause.
///
/// A part acts in a case unless the other parts reproduce the case without it. Where each of two parts would do alone,
/// the first counts as the acting one.
pub(crate) fn of(search: &Search<'_>, hypothesis: &Hypothesis<'_>, given: &[usize]) -> Vec<Part> {
    let pieces = hypothesis
        .structure
        .as_ref()
        .map_or(Vec::new(), Structure::causes);
    if hypothesis.members.is_empty() && pieces.len() > 1 {
        let cases: Vec<_> = given
            .iter()
            .map(|&case| search.cases[case].case.clone())
            .collect();
        let part = |cause| Part {
            cause,
            cases: cases.clone(),
        };
        return pieces.into_iter().map(part).collect();
    }
    if hypothesis.cause.kind != CauseKind::Combination || hypothesis.members.is_empty() {
        return Vec::new();
    }
    let mut budget = BUDGET;
    let members = hypothesis.members.len();
    let count = members + usize::from(hypothesis.structure.is_some());
    let mut acting: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &case in given {
        let mut kept: Vec<usize> = (0..count).collect();
        // From the last part to the first, so that of two parts which would each do alone the first is kept.
        for part in (0..count).rev() {
            let without: Vec<usize> = kept.iter().copied().filter(|&other| other != part).collect();
            if !without.is_empty() && gives(search, hypothesis, &without, search.cases[case], &mut budget) {
                kept = without;
            }
        }
        for part in kept {
            acting[part].push(case);
        }
    }
    let causes = |part: usize| -> Vec<Cause> {
        match (hypothesis.members.get(part), &hypothesis.mask) {
            (Some(&member), Some(mask)) if part + 1 == members => {
                vec![mask.acting(&search.singles[member].cause)]
            }
            (Some(&member), _) => vec![search.singles[member].cause.clone()],
            (None, _) => pieces.clone(),
        }
    };
    let mut parts = Vec::new();
    for (part, cases) in acting.into_iter().enumerate() {
        let cases: Vec<_> = cases
            .into_iter()
            .map(|case| search.cases[case].case.clone())
            .collect();
        // An order and its tail are found together: neither explains the case without the other.
        parts.extend(causes(part).into_iter().map(|cause| Part {
            cause,
            cases: cases.clone(),
        }));
    }
    parts
}

/// Whether some of a combination's parts reproduce a case.
fn gives(
    search: &Search<'_>,
    hypothesis: &Hypothesis<'_>,
    parts: &[usize],
    case: &FailedCase,
    budget: &mut u64,
) -> bool {
    let members: Vec<usize> = parts
        .iter()
        .filter_map(|&part| hypothesis.members.get(part).copied())
        .collect();
    let is_structured = parts.len() > members.len();
    let is_partly = hypothesis.mask.is_some() && members.last() == hypothesis.members.last();
    let mask = hypothesis.mask.as_ref().filter(|_| is_partly);
    let Some(source) = partly::source(search, &members, mask) else {
        return false;
    };
    let structure = hypothesis
        .structure
        .clone()
        .filter(|_| is_structured)
        .zip(search.suspects.oracle);
    if structure.is_none() && !hypothesis.is_each {
        return try_on(source.get(), case, Trust::Earned, budget).is_some_and(|score| score.full);
    }
    let mut alone = Hypothesis::combined(&search.singles, members, source, structure, 0.0);
    alone.is_each = hypothesis.is_each;
    alone.gives(&[case], 0, budget)
}

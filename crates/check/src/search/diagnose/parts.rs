//! The parts of a combination, each with the cases in which it acts.

use super::hypothesis::{Hypothesis, join};
use super::score::{Trust, try_on};
use super::search::Search;
use super::singles::Source;
use crate::model::diagnosis::{Cause, CauseKind, Part};
use crate::model::exchange::FailedCase;

/// Elements of outputs that are drawn to see which parts act.
const BUDGET: u64 = 16 << 20;

/// The parts of a combination that gives these cases; none for any other cause.
///
/// A part acts in a case unless the others give it too. Where each of two would do alone, the first is said to act.
pub(crate) fn of(search: &Search<'_>, hypothesis: &Hypothesis<'_>, given: &[usize]) -> Vec<Part> {
    if hypothesis.cause.kind != CauseKind::Combination || hypothesis.members.is_empty() {
        return Vec::new();
    }
    let mut budget = BUDGET;
    let members = hypothesis.members.len();
    let count = members + usize::from(hypothesis.structure.is_some());
    let mut acting: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &case in given {
        let mut kept: Vec<usize> = (0..count).collect();
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
    let cause = |part: usize| -> Cause {
        match (hypothesis.members.get(part), &hypothesis.structure) {
            (Some(&member), _) => search.singles[member].cause.clone(),
            (None, Some(structure)) => structure.cause(),
            (None, None) => join(&[]),
        }
    };
    let parts = acting.into_iter().enumerate().map(|(part, cases)| Part {
        cause: cause(part),
        cases: cases
            .into_iter()
            .map(|case| search.cases[case].case.clone())
            .collect(),
    });
    parts.collect()
}

/// Whether some of a combination's parts give a case.
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
    let names: Vec<&str> = members
        .iter()
        .map(|&i| search.singles[i].cause.name.as_str())
        .collect();
    let source = match (&members[..], search.suspects.oracle) {
        ([], Some(oracle)) => Source::Borrowed(oracle),
        ([], None) => return false,
        ([only], _) => search.singles[*only].backend.clone(),
        _ => match (search.suspects.together)(&names) {
            Some(together) => Source::Owned(together.into()),
            None => return false,
        },
    };
    match (is_structured, &hypothesis.structure, search.suspects.oracle) {
        (true, Some(structure), Some(oracle)) => {
            let structure = Some((structure.clone(), oracle));
            let mut alone = Hypothesis::combined(&search.singles, members, source, structure, 0.0);
            alone.gives(&[case], 0, budget)
        }
        _ => try_on(source.get(), case, Trust::Earned, budget).is_some_and(|score| score.full),
    }
}

//! Chosen causes that failing cases contradict: those of the same sort that they would answer in another way, and that nothing
//! explains.
//!
//! A cause of a few small outputs is often a coincidence of their sizes or of their seeds: it has all the bits of these
//! outputs, and says of every other one something that is not so. Passing cases cannot show it where a mistake acts in all.

use std::collections::BTreeSet;

use super::hypothesis::Hypothesis;
use super::sample::sort;
use crate::model::exchange::{FailedCase, as_u64};

/// The unexplained cases for each case of a cause from which on these refute it. A second mistake, which is not known, may
/// well be the reason for as many and some more.
const EACH: usize = 2;

/// A cause that reproduces cases and that is no explanation all the same.
pub(crate) struct Doubt {
    /// Its index among the causes that were found.
    pub(crate) cause: usize,
    /// The failing cases that contradict it; none where passing ones alone do.
    pub(crate) failing: u64,
}

/// A cause of a cover with its equals, the best first, and the cases that it is chosen for.
pub(super) type Choice = (Vec<usize>, Vec<usize>);

pub(super) type Chosen = Vec<Choice>;

/// Takes back the chosen causes that open cases refute, those of the fewest cases first, and opens their cases.
pub(super) fn take_back(
    chosen: &mut Chosen,
    open: &mut BTreeSet<usize>,
    found: &[Hypothesis<'_>],
    cases: &[&FailedCase],
) -> Vec<Doubt> {
    let sorts: Vec<String> = cases.iter().map(|case| sort(case)).collect();
    let mut doubts = Vec::new();
    // Each one that is taken back leaves more cases open, which may refute another.
    while let Some((at, failing)) = first_refuted(chosen, open, found, &sorts) {
        let (ranked, _) = chosen.remove(at);
        let is_explained = |case: usize| chosen.iter().any(|(others, _)| found[others[0]].is_full_on(case));
        open.extend(
            (0..cases.len()).filter(|&case| found[ranked[0]].is_full_on(case) && !is_explained(case)),
        );
        doubts.extend(ranked.into_iter().map(|cause| Doubt { cause, failing }));
    }
    doubts
}

/// The place of the last chosen cause that the open cases refute, and their number.
fn first_refuted(
    chosen: &Chosen,
    open: &BTreeSet<usize>,
    found: &[Hypothesis<'_>],
    sorts: &[String],
) -> Option<(usize, u64)> {
    chosen.iter().enumerate().rev().find_map(|(at, (ranked, _))| {
        let it = &found[ranked[0]];
        let given = (0..sorts.len()).filter(|&case| it.is_full_on(case) && !it.is_open_on(case));
        let given: Vec<usize> = given.collect();
        let its: BTreeSet<&String> = given.iter().map(|&case| &sorts[case]).collect();
        let contradictions = open
            .iter()
            .filter(|&&case| its.contains(&sorts[case]) && it.is_wrong_on(case));
        let contradictions = contradictions.count();
        (contradictions > EACH * given.len()).then_some((at, as_u64(contradictions)))
    })
}

//! The draw that comes nearest to an array, where none reproduces it.

use std::cell::LazyCell;

use seedproof_check::ulps;
use seedproof_ops::{Request, Scalar, Tensor};

use super::answer::{Draw, Near};
use super::elements::{PREFIX, drawn, head, noted};
use super::evidence::{agree, by_chance, is_certain};
use super::sought::Sought;
use crate::catalogue::{Asked, Catalogue};

/// The number of elements that are compared.
const NEAR: u64 = 1024;

/// The draw that agrees in most of the first elements, if that is more than half of them beyond chance. `first` has the
/// few elements that were drawn already.
pub(super) fn nearest(
    sought: &Sought,
    requests: &[Request],
    candidates: &[Asked<'_>],
    first: &[Vec<Option<Tensor>>],
    catalogue: &Catalogue,
) -> Option<Near> {
    // Numbers with few digits agree with a draw or do not: the last digits, in which a near draw differs, are not
    // known.
    if sought.within.is_some() {
        return None;
    }
    let actual = head(&sought.actual, NEAR);
    let count = u64::try_from(actual.count()).unwrap_or(u64::MAX);
    let short = head(&actual, PREFIX);
    // A candidate that has less than a quarter of the few elements right is not expected to have half of many. Of flags every
    // candidate has half of them by chance, which counts for nothing here either.
    let is_near = |first: &Tensor| {
        let few = catalogue.nan().agreeing(first, &short);
        4 * few >= short.count() && {
            let chance = by_chance(&short, first);
            4 * few.saturating_sub(chance) >= short.count().saturating_sub(chance)
        }
    };
    let mut best: Option<(usize, &str, &Request, Tensor)> = None;
    for (request, first) in requests.iter().zip(first) {
        // Most candidates draw what the base does. The first of them speaks for all.
        let reads = LazyCell::new(|| noted(catalogue.base(), request, count).1);
        let mut is_usual_known = false;
        for (candidate, first) in candidates.iter().zip(first) {
            if !first.as_ref().is_some_and(is_near) {
                continue;
            }
            let is_usual = !candidate.may_differ(request.op(), *reads);
            if is_usual && std::mem::replace(&mut is_usual_known, true) {
                continue;
            }
            let Some(drawn) = drawn(candidate.backend, request, count) else {
                continue;
            };
            let equal = catalogue.nan().agreeing(&drawn, &actual);
            if agree(&actual, &drawn, equal) && best.as_ref().is_none_or(|(most, ..)| equal > *most) {
                best = Some((equal, candidate.name, request, drawn));
            }
        }
    }
    let (elements, name, request, drawn) = best?;
    let pairs = || drawn.scalars().zip(actual.scalars());
    let differs = |(one, other): (Scalar, Scalar)| !catalogue.nan().same_element(one, other);
    let first_missed = pairs().position(differs)?;
    let apart: Option<Vec<u64>> = pairs()
        .filter(|&pair| differs(pair))
        .map(|(one, other)| ulps(one, other))
        .collect();
    let near = Draw {
        names: Vec::new(),
        from: None,
        request: request.clone(),
    };
    // Only the elements that agree beyond chance are evidence.
    let beyond = elements.saturating_sub(by_chance(&actual, &drawn));
    let evidence = Sought {
        actual: head(&actual, u64::try_from(beyond).unwrap_or(u64::MAX)),
        ..sought.clone()
    };
    if !is_certain(&evidence, 2, &[near], requests.len() * candidates.len()) {
        return None;
    }
    Some(Near {
        name: name.to_owned(),
        request: request.clone(),
        elements,
        of: actual.count(),
        first_missed,
        expected: drawn.get(first_missed)?,
        max_ulps: apart.and_then(|apart| apart.into_iter().max()),
    })
}

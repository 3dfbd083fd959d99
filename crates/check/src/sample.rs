//! The failing cases that every candidate is tried on: a few of each sort, cheapest first.

use std::collections::BTreeMap;

use seedproof_ops::{Kind, Request};

use crate::score::{SCREENED_ABOVE, information, screened_cost};
use crate::{Expected, FailedCase};

/// Cases in which parameters are searched for.
const SEARCHED: usize = 6;

/// The most work of a case in which parameters are searched for.
const SEARCHABLE: u64 = 8 * SCREENED_ABOVE;

/// A key that cases share which the same parts of an implementation answer: the op, its modes and element type,
/// the optional inputs, whether a value was expected and whether one came.
fn sort(case: &FailedCase) -> String {
    let request = &case.request;
    let attributes = request.attributes();
    let modes: Vec<String> = attributes
        .iter()
        .filter(|(info, _)| matches!(info.kind, Kind::Enumeration(_) | Kind::Boolean))
        .map(|(_, value)| format!("{value:?}"))
        .collect();
    let inputs = request.inputs();
    let optional: Vec<&str> = inputs
        .iter()
        .filter(|(info, _)| !info.required)
        .map(|(info, _)| info.name)
        .collect();
    let expected = match case.expected {
        Expected::Random => None,
        Expected::Rejection(_) => Some(false),
        Expected::Value(_) | Expected::Digest(_) => Some(true),
    };
    let key = (
        request.op(),
        request.filed_type(),
        modes,
        optional,
        expected,
        case.actual.is_ok(),
    );
    format!("{key:?}")
}

/// Places of cases by their sort, in the order given.
fn by_sort(cases: &[&FailedCase], places: impl Iterator<Item = usize>) -> BTreeMap<String, Vec<usize>> {
    let mut sorts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for place in places {
        sorts.entry(sort(cases[place])).or_default().push(place);
    }
    sorts
}

/// Each place with its turn: the first of every sort, then the second of every sort, and so on.
fn turns(cases: &[&FailedCase], places: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let sorts = by_sort(cases, places);
    let mut turns: Vec<(usize, usize)> = sorts
        .into_values()
        .flat_map(|places| places.into_iter().enumerate())
        .collect();
    turns.sort_unstable();
    turns
}

/// These places, of every sort in turns.
pub(crate) fn in_turns(cases: &[&FailedCase], places: impl Iterator<Item = usize>) -> Vec<usize> {
    turns(cases, places).into_iter().map(|(_, place)| place).collect()
}

/// The cases that all candidates are tried on, for at most `each` of work per candidate: one of each sort, if that is
/// small, and more of each in turns. `cases` are in order of cost.
pub(crate) fn sample(cases: &[&FailedCase], each: u64) -> Vec<usize> {
    let mut spent = 0;
    turns(cases, 0..cases.len())
        .into_iter()
        .filter(|&(turn, place)| {
            let more = screened_cost(cases[place]);
            let taken = spent == 0 || turn == 0 && more <= 4 * SCREENED_ABOVE || spent + more <= each;
            spent += if taken { more } else { 0 };
            taken
        })
        .map(|(_, place)| place)
        .collect()
}

/// The cases in which parameters are searched for: the most informative of each sort, and of those the best few.
pub(crate) fn telling<'a>(cases: &[&'a FailedCase]) -> Vec<&'a FailedCase> {
    let searchable = |request: &Request| {
        let work = request.work();
        // Without a prefix, each member of a family costs a whole output.
        work <= SCREENED_ABOVE || work <= SEARCHABLE && request.prefix(1).is_some()
    };
    // The first is the cheapest. Where all are large, it alone is searched.
    let small = (0..cases.len()).filter(|&place| place == 0 || searchable(&cases[place].request));
    let mut best: Vec<(f64, usize)> = by_sort(cases, small)
        .into_values()
        .filter_map(|places| {
            let said = places.into_iter().map(|place| (information(cases[place]), place));
            said.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        })
        .collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    best.truncate(SEARCHED);
    best.into_iter().map(|(_, place)| cases[place]).collect()
}

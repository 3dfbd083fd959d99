//! The order in which failing cases are searched: one of each sort in turns, the most telling first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use seedproof_ops::Kind;

use super::score::{SCREENED_ABOVE, information};
use crate::{Expected, FailedCase};

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

/// The places of all cases: the first of every sort, then the second of every sort, and so on.
///
/// In a sort, small cases come first, and of those the ones with most information: what is found in them is no
/// coincidence, and gives most of the others, which need no search of their own.
pub(crate) fn in_turns(cases: &[&FailedCase]) -> Vec<usize> {
    let mut sorts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, case) in cases.iter().enumerate() {
        sorts.entry(sort(case)).or_default().push(place);
    }
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for mut places in sorts.into_values() {
        places.sort_by_cached_key(|&place| {
            let case = cases[place];
            let is_large = case.request.work() > SCREENED_ABOVE;
            // Bits of evidence are whole numbers here, for an order that no rounding changes.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "an estimate"
            )]
            let information = information(case) as u64;
            (is_large, Reverse(if is_large { 0 } else { information }), place)
        });
        turns.extend(places.into_iter().enumerate());
    }
    turns.sort_unstable();
    turns.into_iter().map(|(_, place)| place).collect()
}

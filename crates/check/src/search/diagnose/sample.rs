//! The order in which failing cases are searched: one of each kind in turns, and those with the most information first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use seedproof_ops::Kind;

use super::score::{SCREENED_ABOVE, Trust, information};
use crate::model::exchange::FailedCase;
use crate::model::expected::Expected;

/// The bits of a case that leave nothing to chance among all candidates and their pairs.
const ENOUGH: u64 = 256;

/// A key that is equal for cases which the same parts of an implementation answer. It consists of the op, its modes and
/// element type, the optional inputs, whether a value was expected and whether one was returned.
pub(super) fn sort(case: &FailedCase) -> String {
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

/// The indices of all cases: the first of every kind, then the second of every kind, and so on.
///
/// Budgets are spent in this order. In turns, a fault in a rare kind of case is searched for before hundreds of cases
/// of a common kind. Small cases of a kind come first, and among them those with the most information. What is found in
/// these is not a coincidence, and it reproduces most of the others, which then need no search of their own.
pub(crate) fn in_turns(cases: &[&FailedCase]) -> Vec<usize> {
    let mut sorts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, case) in cases.iter().enumerate() {
        sorts.entry(sort(case)).or_default().push(place);
    }
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for mut places in sorts.into_values() {
        places.sort_by_cached_key(|&place| {
            let case = cases[place];
            let work = case.request.work();
            let is_large = work > SCREENED_ABOVE;
            // Whole bits, so that the order does not depend on how a platform rounds logarithms.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "an estimate"
            )]
            let information = information(case) as u64;
            // An output that every candidate draws whole tells candidates apart sooner than a large one.
            let is_enough = work <= Trust::Little.whole() && information >= ENOUGH;
            let size = if is_large { 2 } else { u8::from(!is_enough) };
            (size, Reverse(if is_large { 0 } else { information }), place)
        });
        turns.extend(places.into_iter().enumerate());
    }
    turns.sort_unstable();
    turns.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{multinomial, uniform};
    use seedproof_corpus::CaseId;
    use seedproof_ops::{Alignment, Dtype, ErrorKind, NanRule, OpError, Request, Response, Tensor};

    fn failed(request: Request, expected: Expected, actual: Option<Tensor>) -> FailedCase {
        FailedCase {
            case: CaseId::new("ru8/toy/any").unwrap(),
            request,
            expected,
            actual: actual.map(Response::of).ok_or(OpError::new(ErrorKind::Range, "")),
            again: None,
            nan: NanRule::Class,
        }
    }

    /// A case that expects zeros and was answered with these numbers.
    fn numbers(alignment: Alignment, numbers: &[i32]) -> FailedCase {
        let request = uniform(alignment, Dtype::I32, &[i64::try_from(numbers.len()).unwrap()]);
        let expected = Expected::Value(Response::of(Tensor::vector(&vec![0; numbers.len()])));
        failed(request, expected, Some(Tensor::vector(numbers)))
    }

    fn order(cases: &[FailedCase]) -> Vec<usize> {
        in_turns(&cases.iter().collect::<Vec<_>>())
    }

    #[test]
    fn turns_begin_with_one_of_each_sort() {
        let one = |alignment| numbers(alignment, &[3, 5]);
        let tensorflow = || one(Alignment::Tensorflow);
        let expecting = |expected| FailedCase {
            expected,
            ..tensorflow()
        };
        let weighted = |log_probs, draws: Option<Tensor>| {
            let Request::Multinomial(op) = multinomial(&[0.5, 0.5], 2) else {
                unreachable!()
            };
            let request = Request::Multinomial(seedproof_ops::Multinomial {
                log_probs,
                draws,
                ..op
            });
            failed(request, Expected::Random, None)
        };
        let draws = || Some(Tensor::vector(&[0.5_f32; 2]));
        let sorts = || {
            vec![
                tensorflow(),
                one(Alignment::Pytorch),
                expecting(Expected::Random),
                expecting(Expected::Rejection(Some(ErrorKind::Range))),
                FailedCase {
                    actual: Err(OpError::new(ErrorKind::Range, "")),
                    ..tensorflow()
                },
                weighted(false, None),
                weighted(true, None),
                weighted(false, draws()),
            ]
        };
        let mut cases = sorts();
        let count = cases.len();
        cases.splice(0..0, sorts().into_iter().rev());
        let turns = order(&cases);
        assert!(turns[..count].iter().copied().eq(0..count), "{turns:?}");
        assert!(turns[count..].iter().copied().eq(count..2 * count), "{turns:?}");
    }

    #[test]
    fn turns_of_a_sort_begin_with_the_most_telling() {
        let of = |count: i32| numbers(Alignment::Tensorflow, &(1..=count).collect::<Vec<_>>());
        // Large cases keep their order, whatever their information.
        let cases = [of(2000), of(2500), of(3), of(1008), of(30), of(1)];
        assert_eq!(order(&cases), [4, 3, 2, 5, 0, 1]);
    }
}

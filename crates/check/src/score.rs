//! How well a backend gives what an implementation gave, within a budget of elements.

use seedproof_ops::{Alignment, Backend, Failure, Request, Response, Tensor};

use crate::FailedCase;
use crate::chance::chance;
use crate::exchange::{Reply, same};
use crate::locate::{output_form, wide, with_count};
use crate::seedless::out_of_range;
use crate::structure::ask;

/// A request that costs more is screened by a prefix of its output first.
pub(crate) const SMALL: u64 = 1024;

/// Whether a backend is asked for a large output at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Not before it gives a prefix.
    None,
    /// Yes: it has given what it was asked for so far.
    Earned,
}

/// How well one case is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    /// Elements that agree.
    pub(crate) elements: u64,
    /// Whether everything agrees: every element, the state, a rejection's kind.
    pub(crate) full: bool,
    /// Whether it is another answer than the expected one.
    pub(crate) departs: bool,
}

/// About how many elements' work a request is.
pub(crate) fn cost(request: &Request) -> u64 {
    let count = output_form(request).map_or(0, |(_, shape)| wide(shape.count()));
    match request {
        Request::RandomUniform(op) if op.alignment.known() == Some(Alignment::Pytorch) => {
            count.saturating_add(624)
        }
        Request::Multinomial(op) => {
            let classes = op.probs.shape().dims().get(1).copied().unwrap_or(0);
            wide(op.probs.count()).saturating_add(count.saturating_mul(wide(classes) + 1))
        }
        _ => count.saturating_add(16),
    }
}

/// The cost of a case to a candidate that does not pass the screen.
pub(crate) fn screened_cost(case: &FailedCase) -> u64 {
    cost(&case.request).min(SMALL)
}

/// Elements that an implementation gave.
pub(crate) fn elements(case: &FailedCase) -> u64 {
    case.actual
        .as_ref()
        .map_or(0, |actual| wide(actual.output.count()))
}

/// How well what was expected gives a case: what any candidate must beat.
pub(crate) fn baseline(case: &FailedCase) -> Score {
    let expected = case.expected.clone();
    expected
        .and_then(|expected| score(case, expected.map_err(Failure::Rejected)))
        .unwrap_or_default()
}

/// Bits of evidence that giving a case in full is: which elements differ, and how.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn information(case: &FailedCase) -> f64 {
    /// A rejection or an acceptance that was not due is seldom an accident.
    const DECISION: f64 = 16.0;
    let impossible = match &case.actual {
        Ok(actual) if out_of_range(&case.request, &actual.output).is_some() => DECISION,
        _ => 0.0,
    };
    let Some((expected, actual)) = case.values() else {
        return match (&case.expected, &case.actual) {
            (None, Ok(actual)) => impossible + chance(&case.request, actual.output.count()),
            _ => DECISION,
        };
    };
    if expected.output == actual.output || expected.output.count() != actual.output.count() {
        return 2.0 * DECISION;
    }
    let total = actual.output.count();
    let differing = total - usize::try_from(baseline(case).elements).unwrap_or(0);
    // Which ones: about log2 of the ways to choose them, from below.
    let which = differing.min(total - differing) as f64 * (total as f64 / differing as f64).log2();
    impossible + chance(&case.request, differing) + which
}

/// An answer against what the implementation gave; `None` if it is no reply.
fn score(case: &FailedCase, given: Result<Response, Failure>) -> Option<Score> {
    let given: Reply = match given {
        Ok(response) => Ok(response),
        Err(Failure::Rejected(error)) => Err(error),
        Err(_) => return None,
    };
    let elements = match (&case.actual, &given) {
        (Ok(actual), Ok(given)) => agreeing(&actual.output, &given.output),
        _ => 0,
    };
    Some(Score {
        elements,
        full: same(&case.actual, &given),
        departs: !case
            .expected
            .as_ref()
            .is_some_and(|expected| same(expected, &given)),
    })
}

/// Elements that two outputs of one form have in common.
fn agreeing(a: &Tensor, b: &Tensor) -> u64 {
    if (a.dtype(), a.shape()) != (b.dtype(), b.shape()) {
        return 0;
    }
    if a.bytes() == b.bytes() {
        return wide(a.count());
    }
    let size = a.dtype().size();
    let pairs = a.bytes().chunks_exact(size).zip(b.bytes().chunks_exact(size));
    wide(pairs.filter(|(a, b)| a == b).count())
}

/// Tries a backend on a case. `None` if it does not answer, or the budget does not reach.
///
/// A large output is screened, unless the backend is trusted, by a prefix that reaches past the first wrong element:
/// who does not give that is not asked for the rest. Who has given smaller cases is to be trusted: of a generator
/// that lays its stream out by the size of the output, a prefix is not what it gives for a smaller size.
pub(crate) fn try_on(
    backend: &dyn Backend,
    case: &FailedCase,
    trust: Trust,
    budget: &mut u64,
) -> Option<Score> {
    let cost = cost(&case.request);
    if cost > SMALL {
        if trust == Trust::None
            && let Some(score) = fails_screen(backend, case)
        {
            return Some(score);
        }
        *budget = budget.checked_sub(cost)?;
    }
    score(case, ask(backend, &case.request)?)
}

/// How a backend does on a prefix, if it does not give all of it.
fn fails_screen(backend: &dyn Backend, case: &FailedCase) -> Option<Score> {
    let (expected, actual) = case.values()?;
    let (expected, actual) = (&expected.output, &actual.output);
    let size = actual.dtype().size();
    let first = expected
        .bytes()
        .chunks(size)
        .zip(actual.bytes().chunks(size))
        .position(|(expected, actual)| expected != actual)
        .unwrap_or(0);
    let count = first.saturating_add(64).clamp(256, 4096).min(actual.count());
    let prefix = actual.bytes().get(..count * size)?;
    let given = ask(backend, &with_count(&case.request, count)?)?.ok()?.output;
    if given.dtype() != actual.dtype() || given.bytes() == prefix {
        return None;
    }
    let pairs = given.bytes().chunks(size).zip(prefix.chunks(size));
    Some(Score {
        elements: wide(pairs.filter(|(given, actual)| given == actual).count()),
        full: false,
        departs: expected.bytes().get(..count * size) != Some(given.bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Fake, multinomial, uniform};
    use seedproof_ops::{Dtype, ErrorKind, OpError, Shape};
    use seedproof_vectors::CaseId;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn case(expected: &[i32], actual: &[i32]) -> FailedCase {
        let count = i64::try_from(actual.len()).unwrap();
        FailedCase {
            case: CaseId::new("ru8/tensorflow/i32/x").unwrap(),
            request: uniform(Alignment::Tensorflow, Dtype::I32, &[count]),
            expected: Some(Ok(Response::of(Tensor::vector(expected)))),
            actual: Ok(Response::of(Tensor::vector(actual))),
        }
    }

    #[test]
    fn score_counts_what_agrees() {
        let case = case(&[1, 2, 3], &[1, 9, 9]);
        assert_eq!(elements(&case), 3);
        assert_eq!(baseline(&case).elements, 1);
        let mut budget = 0;
        let full = |elements, full| {
            Some(Score {
                elements,
                full,
                departs: true,
            })
        };
        let right = Fake::giving("a", Tensor::vector(&[1, 9, 9]));
        assert_eq!(try_on(&right, &case, Trust::None, &mut budget), full(3, true));
        let near = Fake::giving("a", Tensor::vector(&[0, 9, 9]));
        assert_eq!(try_on(&near, &case, Trust::None, &mut budget), full(2, false));
        let form = Fake::giving("a", Tensor::vector(&[1, 9]));
        assert_eq!(try_on(&form, &case, Trust::None, &mut budget), full(0, false));
        let silent = Fake::always("a", Err(Failure::error("no")));
        assert_eq!(try_on(&silent, &case, Trust::None, &mut budget), None);
    }

    #[test]
    fn score_of_a_rejection_is_its_kind() {
        let mut case = case(&[1], &[1]);
        case.actual = Err(OpError::new(ErrorKind::Range, "x"));
        let fake = |kind| Fake::always("a", Err(Failure::rejected(kind, "y")));
        assert!(
            try_on(&fake(ErrorKind::Range), &case, Trust::None, &mut 0)
                .unwrap()
                .full
        );
        assert!(
            !try_on(&fake(ErrorKind::Shape), &case, Trust::None, &mut 0)
                .unwrap()
                .full
        );
    }

    #[test]
    fn large_cases_are_screened_by_a_prefix() {
        let numbers: Vec<i32> = (0..100_000).collect();
        let mut actual = numbers.clone();
        actual[300] = -1;
        let case = case(&numbers, &actual);
        let largest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&largest);
        let spec = Fake::new("spec", move |request| {
            let count = output_form(request).unwrap().1.count();
            seen.fetch_max(wide(count), Ordering::Relaxed);
            Ok(Response::of(Tensor::vector(&numbers[..count])))
        });
        let mut budget = 1 << 20;
        let score = try_on(&spec, &case, Trust::None, &mut budget).unwrap();
        assert_eq!((score.elements, score.full, score.departs), (363, false, false));
        assert_eq!((largest.load(Ordering::Relaxed), budget), (364, 1 << 20));
        let same = Fake::new("same", move |request| {
            let count = output_form(request).unwrap().1.count();
            Ok(Response::of(Tensor::vector(&actual[..count])))
        });
        assert!(try_on(&same, &case, Trust::None, &mut budget).unwrap().full);
        assert_eq!(budget, (1 << 20) - 100_016);
        assert_eq!(try_on(&same, &case, Trust::None, &mut 10), None);
    }

    #[test]
    fn information_grows_with_what_differs() {
        let few = information(&case(&[1; 24], &{
            let mut actual = [1; 24];
            actual[3] = 2;
            actual
        }));
        let many = information(&case(&[1; 24], &[2; 24]));
        assert!((9.0..20.0).contains(&few), "{few}");
        assert!(many > 200.0, "{many}");
    }

    #[test]
    fn cost_of_multinomial_grows_with_its_classes() {
        assert_eq!(cost(&multinomial(&[0.5, 0.5], 10)), 2 + 30);
        let mut case = case(&[1], &[2]);
        let shape = Shape::new(&[1, 1, 1]).unwrap();
        case.request = uniform(Alignment::Pytorch, Dtype::F32, &[1, 1, 1]);
        assert_eq!(cost(&case.request), 625);
        assert_eq!(shape.count(), 1);
    }
}

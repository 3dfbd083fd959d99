//! How far the answers of a backend agree with those of an implementation, within a budget of elements.

use std::collections::BTreeSet;

use seedproof_ops::{Backend, Distribution, Failure, NanRule, Request, Response, Scalar, Tensor};

use crate::judge::nondeterministic::out_of_range;
use crate::model::chance::chance;
use crate::model::exchange::{FailedCase, Reply, as_u64, ask, same};
use crate::model::expected::Expected;

/// The most work of a request that every candidate draws whole. For a larger one a prefix of its output is compared
/// first.
pub(crate) const SCREENED_ABOVE: u64 = 1024;

/// The elements that are compared first where an answer goes wrong much later: four blocks of Philox.
const BRIEF: usize = 16;

/// How large an output a backend draws whole, before a prefix of it was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Only a small output: the backend is one of tens of thousands.
    Little,
    /// Outputs up to [`SCREENED_ABOVE`].
    Some,
    /// Any output: the backend has reproduced another case.
    Earned,
}

impl Trust {
    /// The most work of a request for which no prefix is compared.
    pub(crate) const fn whole(self) -> u64 {
        match self {
            Self::Little => 128,
            Self::Some => SCREENED_ABOVE,
            Self::Earned => u64::MAX,
        }
    }
}

/// The agreement on one case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    /// Elements that agree; of an output with more of them than the type holds, as many as it holds.
    pub(crate) elements: u32,
    /// Whether everything agrees: every element of every output, or the kind of a rejection.
    pub(crate) full: bool,
    /// Whether the first output agrees and the further ones do not all, but are as expected in the implementation's
    /// answer.
    pub(crate) is_first: bool,
    /// Whether the backend's answer differs from the expected one.
    pub(crate) departs: bool,
}

/// A number of elements as a score has it.
pub(crate) fn counted(elements: impl TryInto<u32>) -> u32 {
    elements.try_into().unwrap_or(u32::MAX)
}

/// The number of elements of the implementation's answer.
pub(crate) fn elements(case: &FailedCase) -> u64 {
    case.actual
        .as_ref()
        .map_or(0, |actual| as_u64(actual.output.count()))
}

/// The number of elements of a case that are right. A candidate must agree in more of them to explain anything.
pub(crate) fn baseline(case: &FailedCase) -> u64 {
    case.values().map_or(0, |(expected, actual)| {
        as_u64(case.nan.agreeing(&actual.output, &expected.output))
    })
}

/// The evidence in bits that lies in the choice of the differing elements, whatever their values.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn which(case: &FailedCase) -> f64 {
    let total = elements(case);
    let differing = total.saturating_sub(baseline(case));
    if differing == 0 {
        return 0.0;
    }
    // A lower bound of the logarithm of the binomial coefficient.
    differing.min(total - differing) as f64 * (total as f64 / differing as f64).log2()
}

/// The bits of an unexpected rejection or acceptance, which an implementation rarely makes by accident.
pub(crate) const DECISION: f64 = 16.0;

/// Whether the elements of a case have so few values that one case is hardly any evidence.
pub(crate) fn is_few_valued(case: &FailedCase) -> bool {
    matches!(
        case.request.distribution(),
        Some(Distribution::Choices { .. } | Distribution::Order { .. })
    )
}

/// The evidence in bits for a candidate that reproduces a case in full: which elements differ, and their values.
pub(crate) fn information(case: &FailedCase) -> f64 {
    let impossible = match &case.actual {
        Ok(actual) if out_of_range(&case.request, &actual.output).is_some() => DECISION,
        _ => 0.0,
    };
    let Some((expected, actual)) = case.values() else {
        return match (&case.expected, &case.actual) {
            (Expected::Random, Ok(actual)) => impossible + chance(&case.request, actual.output.count()),
            _ => DECISION,
        };
    };
    // The first output is right, so that a further one is wrong, or its length is wrong. Few candidates do either.
    if case.nan.same(&expected.output, &actual.output) || expected.output.count() != actual.output.count() {
        return 2.0 * DECISION;
    }
    if let Some(Distribution::Order { of }) = case.request.distribution() {
        return impossible + order(case, of);
    }
    let pairs = expected.output.scalars().zip(actual.output.scalars());
    let wrong = pairs.filter(|&(a, b)| !case.nan.same_element(a, b));
    let values: Vec<u64> = wrong.map(|(_, b)| case.nan.key(b)).collect();
    // A constant is as much evidence as one element, since a candidate that predicts one predicts them all.
    let is_constant = values.iter().all(|value| *value == values[0]);
    let count = if is_constant { 1 } else { values.len() };
    // An answer that follows from the request without a draw, such as the key of a seed or a token at temperature 0, has no
    // entropy. A candidate still rarely predicts a wrong one by accident.
    let decided = match case.request.distribution() {
        None => DECISION,
        Some(Distribution::Choices { bits }) if bits <= 0.0 => DECISION,
        Some(_) => 0.0,
    };
    impossible + decided + chance(&case.request, count) + which(case)
}

/// The evidence in an order of this number of things: the logarithm of the number of orders in which as many of them stand in
/// other places than expected. A row of elements is in its place or not as a whole, so that neither the number of elements nor
/// which of them differ is evidence.
fn order(case: &FailedCase, of: u64) -> f64 {
    let all = elements(case);
    let things = of.clamp(1, all.max(1));
    let each = all.div_ceil(things).max(1);
    let right = things - (all - baseline(case)).div_ceil(each).min(things);
    let orders = |things: u64| chance(&case.request, usize::try_from(things).unwrap_or(usize::MAX));
    orders(things) - orders(right)
}

/// Compares a backend's answer with the implementation's; `None` if the backend did not answer.
fn score(case: &FailedCase, given: Result<Response, Failure>) -> Option<Score> {
    let given: Reply = match given {
        Ok(response) => Ok(response),
        Err(Failure::Rejected(error)) => Err(error),
        Err(_) => return None,
    };
    let elements = match (&case.actual, &given) {
        (Ok(actual), Ok(given)) => counted(case.nan.agreeing(&actual.output, &given.output)),
        _ => 0,
    };
    let same = same(&case.actual, &given, case.nan);
    let is_first = !same && is_first_output(case, &given);
    Some(Score {
        elements,
        full: same || is_first,
        is_first,
        departs: !match &given {
            Ok(response) => case.expected.is_value(&case.request, response, case.nan),
            Err(error) => case.expected.is_rejection(&case.request, error),
        },
    })
}

/// Whether each further output of an answer is the backend's or the expected one, or is made of words of these and of the
/// request's inputs. A mistake in drawing need not be a mistake in the state after the draw, and a state that is read in
/// another order is often written in the right one, so that its words change places.
pub(super) fn are_further_known(case: &FailedCase, given: &[Tensor], actual: &[Tensor]) -> bool {
    let Some((expected, _)) = case.values() else {
        return false;
    };
    if [expected.more.len(), given.len()] != [actual.len(); 2] {
        return false;
    }
    let others = expected.more.iter().zip(given).zip(actual);
    let inputs = case.request.inputs();
    others.into_iter().all(|((expected, given), actual)| {
        let has_form = [expected, given]
            .iter()
            .all(|it| (it.dtype(), it.shape()) == (actual.dtype(), actual.shape()));
        let known = || -> BTreeSet<u64> {
            let inputs = inputs.iter().map(|(_, input)| *input);
            let all = [expected, given].into_iter().chain(inputs);
            all.flat_map(Tensor::scalars).map(Scalar::bits).collect()
        };
        case.nan.same(expected, actual)
            || case.nan.same(given, actual)
            || has_form && {
                let known = known();
                actual.scalars().all(|word| known.contains(&word.bits()))
            }
    })
}

/// Whether a backend reproduces the first output, which is wrong, and the further outputs are known.
fn is_first_output(case: &FailedCase, given: &Reply) -> bool {
    let (Some((expected, actual)), Ok(given)) = (case.values(), given) else {
        return false;
    };
    !actual.more.is_empty()
        && !case.nan.same(&expected.output, &actual.output)
        && case.nan.same(&given.output, &actual.output)
        && are_further_known(case, &given.more, &actual.more)
}

/// Tries a backend on a case. `None` if it does not answer, or if the budget is spent.
///
/// A large output is screened first by a prefix that reaches past the first wrong element: a backend that misses it
/// is not run in full. A backend that is trusted skips the screen: its layout may depend on the size of the output, and
/// then a prefix is not its output of a smaller size.
pub(crate) fn try_on(
    backend: &dyn Backend,
    case: &FailedCase,
    trust: Trust,
    budget: &mut u64,
) -> Option<Score> {
    let cost = case.request.work();
    if cost > trust.whole()
        && let Some(score) = fails_screen(backend, case, budget)?
    {
        return Some(score);
    }
    if cost > SCREENED_ABOVE {
        *budget = budget.checked_sub(cost)?;
    }
    score(case, ask(backend, &case.request)?)
}

/// The number of elements by which a large output is screened. Most mistakes change nothing up to the first wrong element, so
/// that a prefix that ends before it would let all of them pass. The 32 elements after it exclude a coincidence.
fn screen([expected, actual]: [&Tensor; 2], nan: NanRule) -> usize {
    let first = nan.first_difference(expected, actual).unwrap_or(0);
    first.saturating_add(32).min(actual.count())
}

/// The request for the elements by which a case is screened, if there is one.
pub(crate) fn screened(case: &FailedCase) -> Option<Request> {
    let (expected, actual) = case.values()?;
    let count = screen([&expected.output, &actual.output], case.nan);
    case.request.prefix(as_u64(count))
}

/// The score of a backend on a prefix that reaches past the first wrong element, if it does not reproduce all of the
/// prefix. `None` if the budget is spent.
#[expect(clippy::option_option, reason = "two answers and no answer")]
fn fails_screen(backend: &dyn Backend, case: &FailedCase, budget: &mut u64) -> Option<Option<Score>> {
    let Some((expected, actual)) = case.values() else {
        return Some(None);
    };
    let (expected, actual) = (&expected.output, &actual.output);
    let count = screen([expected, actual], case.nan);
    // Most candidates act from the beginning on, where an answer that goes wrong late is right: a few elements reject them.
    // Without this, an answer that is wrong from its 623rd element on costs that many elements of each candidate.
    let counts = [(count >= 6 * BRIEF).then_some(BRIEF), Some(count)];
    for count in counts.into_iter().flatten() {
        let Some(prefix) = case.request.prefix(as_u64(count)) else {
            return Some(None);
        };
        *budget = budget.checked_sub(as_u64(count).saturating_sub(SCREENED_ABOVE))?;
        let given = match ask(backend, &prefix) {
            Some(Ok(given)) if given.output.dtype() == actual.dtype() => given.output,
            _ => return Some(None),
        };
        let agrees = |output: &Tensor, index: usize| {
            let pair = output.get(index).zip(given.get(index));
            pair.is_some_and(|(element, given)| case.nan.same_element(element, given))
        };
        let elements = (0..count).filter(|&index| agrees(actual, index)).count();
        if elements < count || given.count() != count {
            return Some(Some(Score {
                elements: counted(elements),
                full: false,
                is_first: false,
                departs: given.count() != count || !(0..count).all(|index| agrees(expected, index)),
            }));
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Fake, uniform};
    use crate::model::finding::Form;
    use seedproof_corpus::CaseId;
    use seedproof_ops::{Alignment, Dtype, ErrorKind, OpError, RandomShuffle, Shape};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn case(expected: &[i32], actual: &[i32]) -> FailedCase {
        let count = i64::try_from(actual.len()).unwrap();
        FailedCase {
            case: CaseId::new("ru8/tensorflow/i32/x").unwrap(),
            request: uniform(Alignment::Tensorflow, Dtype::I32, &[count]),
            expected: Expected::Value(Response::of(Tensor::vector(expected))),
            actual: Ok(Response::of(Tensor::vector(actual))),
            again: None,
            nan: NanRule::Class,
        }
    }

    #[test]
    fn score_counts_what_agrees() {
        let case = case(&[1, 2, 3], &[1, 9, 9]);
        assert_eq!(elements(&case), 3);
        assert_eq!(baseline(&case), 1);
        let mut budget = 0;
        let full = |elements, full| {
            Some(Score {
                elements,
                full,
                is_first: false,
                departs: true,
            })
        };
        let right = Fake::giving("a", Tensor::vector(&[1, 9, 9]));
        assert_eq!(try_on(&right, &case, Trust::Some, &mut budget), full(3, true));
        let near = Fake::giving("a", Tensor::vector(&[0, 9, 9]));
        assert_eq!(try_on(&near, &case, Trust::Some, &mut budget), full(2, false));
        let form = Fake::giving("a", Tensor::vector(&[1, 9]));
        assert_eq!(try_on(&form, &case, Trust::Some, &mut budget), full(0, false));
        let silent = Fake::always("a", Err(Failure::error("no")));
        assert_eq!(try_on(&silent, &case, Trust::Some, &mut budget), None);
    }

    #[test]
    fn score_of_a_rejection_is_its_kind() {
        let mut case = case(&[1], &[1]);
        case.actual = Err(OpError::new(ErrorKind::Range, "x"));
        let fake = |kind| Fake::always("a", Err(Failure::rejected(kind, "y")));
        assert!(
            try_on(&fake(ErrorKind::Range), &case, Trust::Some, &mut 0)
                .unwrap()
                .full
        );
        assert!(
            !try_on(&fake(ErrorKind::Shape), &case, Trust::Some, &mut 0)
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
            let count = Form::requested(request).unwrap().shape.count();
            seen.fetch_max(as_u64(count), Ordering::Relaxed);
            Ok(Response::of(Tensor::vector(&numbers[..count])))
        });
        let mut budget = 1 << 20;
        let score = try_on(&spec, &case, Trust::Some, &mut budget).unwrap();
        assert_eq!((score.elements, score.full, score.departs), (331, false, false));
        assert_eq!((largest.load(Ordering::Relaxed), budget), (332, 1 << 20));
        let same = Fake::new("same", move |request| {
            let count = Form::requested(request).unwrap().shape.count();
            Ok(Response::of(Tensor::vector(&actual[..count])))
        });
        assert!(try_on(&same, &case, Trust::Some, &mut budget).unwrap().full);
        assert_eq!(budget, (1 << 20) - 100_016);
        assert_eq!(try_on(&same, &case, Trust::Some, &mut 10), None);
    }

    #[test]
    fn information_grows_with_what_differs() {
        let few = information(&case(&[1; 24], &{
            let mut actual = [1; 24];
            actual[3] = 2;
            actual
        }));
        let different: Vec<i32> = (2..26).collect();
        let many = information(&case(&[1; 24], &different));
        let alike = information(&case(&[1; 24], &[2; 24]));
        assert!((9.0..20.0).contains(&few), "{few}");
        assert!(many > 200.0, "{many}");
        assert!(alike < 20.0, "{alike}");
    }

    #[test]
    fn evidence_of_which_elements_differ_is_greatest_for_a_few() {
        let of = |differing: usize| {
            let mut actual = [1; 24];
            actual[..differing].fill(2);
            which(&case(&[1; 24], &actual))
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(of(0), 0.0);
        near(of(1), 24.0_f64.log2());
        near(of(6), 12.0);
        near(of(12), 12.0);
        near(of(16), 8.0 * 1.5_f64.log2());
        near(of(24), 0.0);
    }

    #[test]
    fn information_of_decisions_and_of_what_is_drawn_anew() {
        // A range of 1000 has nine bits.
        let drawn = FailedCase {
            expected: Expected::Random,
            ..case(&[], &[1, 2, 3])
        };
        assert_eq!(information(&drawn), 27.0);
        let outside = FailedCase {
            actual: Ok(Response::of(Tensor::vector(&[1, 2, 1000]))),
            ..drawn.clone()
        };
        assert_eq!(information(&outside), 16.0 + 27.0);
        let refused = FailedCase {
            actual: Err(OpError::new(ErrorKind::Range, "")),
            ..drawn.clone()
        };
        assert_eq!(information(&refused), 16.0);
        let accepted = FailedCase {
            expected: Expected::Rejection(Some(ErrorKind::Range)),
            ..drawn
        };
        assert_eq!(information(&accepted), 16.0);
        // Another number of elements, or another output than the first.
        assert_eq!(information(&case(&[1, 2], &[1, 2, 3])), 32.0);
        assert_eq!(information(&case(&[1, 2, 3], &[1, 2, 3])), 32.0);
        // One wrong value of three, and an impossible one.
        assert_eq!(information(&case(&[1, 2, 3], &[1, 2, 4])), 9.0 + 3.0_f64.log2());
        assert_eq!(
            information(&case(&[1, 2, 3], &[1, 2, -1])),
            16.0 + 9.0 + 3.0_f64.log2()
        );
        assert_eq!(information(&case(&[1, 2, 3], &[1, 7, 8])), 18.0 + 1.5_f64.log2());
    }

    /// Three rows of an array have six orders, however many elements a row has.
    #[test]
    fn information_of_an_order_is_that_of_its_things() {
        let tensor = |rows: [i32; 3]| {
            let list = rows
                .into_iter()
                .flat_map(|row| (0..64).map(move |i| 64 * row + i));
            let shape = Shape::new(&[3, 64]).unwrap();
            Tensor::from_elements(shape, &list.collect::<Vec<i32>>()).unwrap()
        };
        let shuffled = |rows| FailedCase {
            request: Request::RandomShuffle(RandomShuffle {
                seed: 1,
                seed2: 2,
                value: tensor([0, 1, 2]),
                execution: 0,
            }),
            expected: Expected::Value(Response::of(tensor([0, 1, 2]))),
            actual: Ok(Response::of(tensor(rows))),
            ..case(&[], &[])
        };
        assert_eq!(information(&shuffled([2, 0, 1])), 6.0_f64.log2());
        assert_eq!(information(&shuffled([1, 0, 2])), 6.0_f64.log2());
    }

    #[test]
    fn cases_are_screened_and_paid_for_by_their_work() {
        let ask = |count: i32, trust, mut budget| {
            let numbers: Vec<i32> = (0..count).collect();
            let mut actual = numbers.clone();
            actual[0] = -1;
            let case = case(&numbers, &actual);
            let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
            let noted = Arc::clone(&asked);
            let same = Fake::new("same", move |request| {
                let count = Form::requested(request).unwrap().shape.count();
                noted.lock().unwrap().push(count);
                Ok(Response::of(Tensor::vector(&actual[..count])))
            });
            let is_full = try_on(&same, &case, trust, &mut budget).is_some_and(|score| score.full);
            (std::mem::take(&mut *asked.lock().unwrap()), is_full, budget)
        };
        assert_eq!(ask(112, Trust::Little, 0), (vec![112], true, 0));
        assert_eq!(ask(113, Trust::Little, 0), (vec![32, 113], true, 0));
        assert_eq!(ask(1008, Trust::Some, 0), (vec![1008], true, 0));
        assert_eq!(ask(1009, Trust::Some, 1025), (vec![32, 1009], true, 0));
        assert_eq!(ask(1009, Trust::Some, 1024), (vec![32], false, 1024));
        assert_eq!(ask(1009, Trust::Earned, 1025), (vec![1009], true, 0));
    }

    #[test]
    fn screens_tell_another_number_of_elements_and_leave_another_type_to_the_whole() {
        let numbers: Vec<i32> = (0..2000).collect();
        let mut actual = numbers.clone();
        actual[0] = -1;
        let case = case(&numbers, &actual);
        let long = Fake::new("long", move |request| {
            let count = Form::requested(request).unwrap().shape.count();
            Ok(Response::of(Tensor::vector(&actual[..(count + 1).min(2000)])))
        });
        let score = try_on(&long, &case, Trust::Some, &mut (1 << 20)).unwrap();
        assert_eq!((score.elements, score.full, score.departs), (32, false, true));
        // A backend with the expected elements departs only if it returns another number of them.
        let given = |more: usize, add: i32| {
            let fake = Fake::new("given", move |request| {
                let count = Form::requested(request).unwrap().shape.count() + more;
                let elements: Vec<i32> = (add..).take(count).collect();
                Ok(Response::of(Tensor::vector(&elements)))
            });
            let score = try_on(&fake, &case, Trust::Some, &mut (1 << 20)).unwrap();
            (score.elements, score.departs)
        };
        assert_eq!(
            [given(0, 0), given(1, 0), given(0, 7)],
            [(31, false), (31, true), (0, true)]
        );
        let floats = Fake::giving("floats", Tensor::vector(&[0.0_f32; 2000]));
        let mut budget = 3000;
        assert!(!try_on(&floats, &case, Trust::Some, &mut budget).unwrap().full);
        assert_eq!(budget, 3000 - 2016);
    }

    #[test]
    fn score_is_of_the_first_output_where_others_are_right() {
        let with_state = |output: &[i32], state: u32| Response {
            output: Tensor::vector(output),
            more: vec![Tensor::scalar(state)],
        };
        let failed = |state| FailedCase {
            expected: Expected::Value(with_state(&[1, 2], 7)),
            actual: Ok(with_state(&[1, 9], state)),
            ..case(&[1, 2], &[1, 9])
        };
        let mistake = Fake::new("a", move |_| Ok(with_state(&[1, 9], 8)));
        let told = |state| try_on(&mistake, &failed(state), Trust::Some, &mut 0).unwrap();
        assert_eq!((told(7).full, told(7).is_first), (true, true));
        assert_eq!((told(8).full, told(8).is_first), (true, false));
        assert!(!told(6).full);
    }

    #[test]
    fn score_is_of_the_first_output_where_words_of_a_state_change_places() {
        let with_state = |output: &[i32], state: [u32; 2]| Response {
            output: Tensor::vector(output),
            more: vec![Tensor::vector(&state)],
        };
        let mistake = Fake::new("a", move |_| Ok(with_state(&[1, 9], [70, 90])));
        let told = |state| {
            let failed = FailedCase {
                expected: Expected::Value(with_state(&[1, 2], [70, 80])),
                actual: Ok(with_state(&[1, 9], state)),
                ..case(&[1, 2], &[1, 9])
            };
            let score = try_on(&mistake, &failed, Trust::Some, &mut 0).unwrap();
            (score.full, score.is_first)
        };
        assert_eq!([[80, 70], [90, 80]].map(told), [(true, true); 2]);
        assert_eq!(told([80, 71]), (false, false));
    }
}

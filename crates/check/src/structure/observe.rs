//! Observations: descriptions of an output that no relation gives in full.

use seedproof_ops::{Dtype, Scalar};

use super::view::View;
use crate::FailedCase;
use crate::ulp::ulps;

/// A description of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observation {
    /// Its id, without parameters.
    pub(crate) id: &'static str,
    /// Its parameters, as a name shows them.
    pub(crate) parameter: Option<String>,
    /// One sentence.
    pub(crate) sentence: String,
    /// How to fix it; empty where there is no one way.
    pub(crate) fix: &'static str,
    /// Elements that it accounts for.
    pub(crate) elements: usize,
    /// Whether it accounts for the whole output.
    pub(crate) full: bool,
}

/// A difference in form.
pub(crate) fn form(case: &FailedCase) -> Option<Observation> {
    let (expected, actual) = case.values()?;
    let (expected, actual) = (&expected.output, &actual.output);
    let size = expected.dtype().size().min(actual.dtype().size());
    let equal = if expected.dtype() == actual.dtype() {
        expected
            .bytes()
            .chunks(size)
            .zip(actual.bytes().chunks(size))
            .take_while(|(expected, actual)| expected == actual)
            .count()
    } else {
        0
    };
    if expected.dtype() != actual.dtype() {
        return Some(Observation {
            id: "wrong-type",
            parameter: Some(actual.dtype().to_string()),
            sentence: format!(
                "the output's type is {}, not {}",
                actual.dtype(),
                expected.dtype()
            ),
            fix: "give the output the type that the request asks for",
            elements: 0,
            full: expected.bytes() == actual.bytes(),
        });
    }
    if expected.count() != actual.count() {
        return Some(Observation {
            id: "wrong-element-count",
            parameter: None,
            sentence: format!(
                "the output has {} elements, not {}; the first {equal} are right",
                actual.count(),
                expected.count()
            ),
            fix: "give the output the shape that the request asks for",
            elements: equal,
            full: equal == expected.count().min(actual.count()),
        });
    }
    (expected.shape() != actual.shape()).then(|| Observation {
        id: "wrong-shape",
        parameter: None,
        sentence: format!(
            "the output's shape is {}, not {}",
            actual.shape(),
            expected.shape()
        ),
        fix: "give the output the shape that the request asks for",
        elements: equal,
        full: equal == expected.count(),
    })
}

/// The observations of a case's elements.
pub(crate) fn elements(view: &View) -> Vec<Observation> {
    [
        other_type(view),
        permuted(view),
        every_mth(view),
        rounding(view),
        prefix(view),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The bits of the right values in another type of the same width.
fn other_type(view: &View) -> Option<Observation> {
    let near = |other: Dtype| {
        view.expected
            .iter()
            .zip(&view.actual)
            .all(|(&expected, &actual)| {
                let expected = view.scalar(expected).to_f64();
                let actual = Scalar::new(other, actual).to_f64();
                // The other type may have rounded: to eight bits at worst.
                (expected - actual).abs() <= expected.abs() / 128.0
            })
    };
    let other = Dtype::ALL
        .iter()
        .copied()
        .filter(|other| other.size() == view.dtype.size() && other.is_float() | view.dtype.is_float())
        .find(|&other| other != view.dtype && near(other))?;
    (enough(view.count(), view.bits)).then(|| Observation {
        id: "bits-of-another-type",
        parameter: Some(other.to_string()),
        sentence: format!("the elements are right, as bits of {other}"),
        fix: "convert the values to the output's type before they are stored",
        elements: view.count(),
        full: true,
    })
}

/// The right elements in another order.
fn permuted(view: &View) -> Option<Observation> {
    let sorted = |bits: &[u64]| {
        let mut bits = bits.to_vec();
        bits.sort_unstable();
        bits
    };
    (enough(view.count(), view.bits) && sorted(&view.expected) == sorted(&view.actual)).then(|| Observation {
        id: "permuted",
        parameter: None,
        sentence: "the elements are right, in another order".to_owned(),
        fix: "let element i take the i-th value of the stream, whatever thread writes it",
        elements: equal(view),
        full: false,
    })
}

/// One of every m elements right, and the others wrong.
fn every_mth(view: &View) -> Option<Observation> {
    let right: Vec<usize> = (0..view.count())
        .filter(|&i| view.expected[i] == view.actual[i])
        .collect();
    let (&first, &second) = (right.first()?, right.get(1)?);
    let m = second - first;
    let is_grid = m >= 2 && first < m && right.windows(2).all(|pair| pair[1] - pair[0] == m);
    let is_whole = view.count() - right.last()? <= m;
    (is_grid && is_whole && right.len() >= 4).then(|| Observation {
        id: "every-mth-right",
        parameter: Some(format!("m = {m}, first = {first}")),
        sentence: format!("one of every {m} elements is right, from element {first} on"),
        fix: "",
        elements: right.len(),
        full: false,
    })
}

/// Small differences everywhere: the numbers are right and the rounding is not.
fn rounding(view: &View) -> Option<Observation> {
    const NEAR: u64 = 4;
    if !view.dtype.is_float() {
        return None;
    }
    let farthest = view
        .expected
        .iter()
        .zip(&view.actual)
        .map(|(&expected, &actual)| ulps(view.scalar(expected), view.scalar(actual)))
        .try_fold(0, |farthest: u64, distance| Some(farthest.max(distance?)))?;
    (farthest <= NEAR && enough(view.count(), view.bits - 3.0)).then(|| Observation {
        id: "rounding",
        parameter: Some(format!("ulps = {farthest}")),
        sentence: format!("every element is within {farthest} ulp: the words are right, a rounding is not"),
        fix: "round after each operation, in the output's type, without fused multiply-add",
        elements: equal(view),
        full: false,
    })
}

/// Right up to a point, and wrong from there on.
fn prefix(view: &View) -> Option<Observation> {
    let rest = view.count() - view.first;
    let wrong = view.count() - equal(view);
    // From there on, a tenth may agree by chance.
    (view.first > 0 && wrong * 10 >= rest * 9 && rest >= 4).then(|| Observation {
        id: "prefix-right",
        parameter: Some(format!("n = {}", view.first)),
        sentence: format!(
            "right up to element {}{}, wrong from there on",
            view.first,
            landmark(view)
        ),
        fix: "",
        elements: view.first,
        full: false,
    })
}

/// The meaning of the place where an output goes wrong.
fn landmark(view: &View) -> String {
    let (n, first) = (view.count(), view.first);
    match view.per_block {
        Some(per_block) if first == n - n % per_block => " (the last, partial block)".to_owned(),
        None if first.is_multiple_of(624) => format!(" ({} times 624: the next state)", first / 624),
        _ if first.is_power_of_two() && first >= 32 => " (a power of two)".to_owned(),
        Some(per_block) if first.is_multiple_of(per_block) => format!(" (block {})", first / per_block),
        _ => String::new(),
    }
}

fn equal(view: &View) -> usize {
    view.expected
        .iter()
        .zip(&view.actual)
        .filter(|(expected, actual)| expected == actual)
        .count()
}

fn enough(count: usize, bits: f64) -> bool {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) * bits >= 24.0
}

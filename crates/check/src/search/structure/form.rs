//! Forms: an output of another type, shape or rounding than the right one.

use seedproof_ops::{Dtype, Scalar};

use super::view::{View, bits_of};
use crate::model::chance::arrangements;
use crate::model::diagnosis::{Cause, CauseKind};
use crate::model::exchange::FailedCase;
use crate::model::ulp::ulps;

/// What is wrong with the form of an output whose elements are right as far as they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Form {
    /// Its element type is another.
    Type(Dtype),
    /// It has another shape.
    Shape,
    /// It has too few elements, or too many.
    Count,
    /// Its elements are the bits of another type.
    BitsOf(Dtype),
    /// Its elements are in an order that is not known.
    Permuted,
}

/// The distance up to which an element is called badly rounded.
const NEAR: u64 = 4;

/// What is wrong with the form of a case's output.
pub(crate) fn form(case: &FailedCase, view: Option<&View>) -> Option<Form> {
    let (expected, actual) = case.values()?;
    let (expected, actual) = (&expected.output, &actual.output);
    if expected.dtype() != actual.dtype() {
        return (expected.bytes() == actual.bytes()).then_some(Form::Type(actual.dtype()));
    }
    let size = expected.dtype().size();
    let mut pairs = expected.bytes().chunks(size).zip(actual.bytes().chunks(size));
    if expected.shape() != actual.shape() {
        let is_count = expected.count() != actual.count();
        return pairs
            .all(|(a, b)| a == b)
            .then_some(if is_count { Form::Count } else { Form::Shape });
    }
    let view = view?;
    other_type(case, view)
        .map(Form::BitsOf)
        .or_else(|| is_permuted(case, view).then_some(Form::Permuted))
}

/// Whether the elements are the right ones in another order, which means nothing where any output has them: all classes of a
/// row that are drawn once each.
fn is_permuted(case: &FailedCase, view: &View) -> bool {
    let Some((expected, _)) = case.values() else {
        return false;
    };
    let sorted = |mut bits: Vec<u64>| {
        bits.sort_unstable();
        bits
    };
    let elements = sorted(bits_of(&expected.output, view.nan));
    view.evidence(view.count()) - arrangements(&elements) >= 24.0 && elements == sorted(view.actual.clone())
}

/// The type of which the elements are the right values.
fn other_type(case: &FailedCase, view: &View) -> Option<Dtype> {
    let (expected, _) = case.values()?;
    let dtype = view.layout.dtype;
    let near = |other: Dtype| {
        expected
            .output
            .scalars()
            .zip(&view.actual)
            .all(|(expected, &actual)| {
                let (expected, actual) = (expected.to_f64(), Scalar::new(other, actual).to_f64());
                // The other type may have rounded: to eight bits at worst.
                (expected - actual).abs() <= expected.abs() / 128.0
            })
    };
    let others = Dtype::ALL.iter().copied().filter(|other| {
        *other != dtype && other.size() == dtype.size() && (other.is_float() || dtype.is_float())
    });
    (view.evidence(view.count()) >= 24.0).then_some(())?;
    others.into_iter().find(|&other| near(other))
}

/// The largest distance in ulps, if every element is within a few of the right one: the words are right, and a rounding
/// is not.
pub(crate) fn rounding(case: &FailedCase, view: &View) -> Option<u64> {
    let (expected, actual) = case.values()?;
    if !view.layout.dtype.is_float() || view.evidence(view.count()) < 24.0 {
        return None;
    }
    expected
        .output
        .scalars()
        .zip(actual.output.scalars())
        .map(|(expected, actual)| ulps(expected, actual).filter(|&distance| distance <= NEAR))
        .try_fold(0, |farthest: u64, distance| Some(farthest.max(distance?)))
}

impl Form {
    /// The form as a cause.
    pub(crate) fn cause(self) -> Cause {
        let (name, sentence, fix) = match self {
            Self::Type(dtype) => (
                format!("wrong-type({dtype})"),
                format!("the elements are right, and the output's type is {dtype}"),
                "give the output the type that the request asks for",
            ),
            Self::Shape => (
                "wrong-shape".to_owned(),
                "the elements are right, and the output's shape is not".to_owned(),
                "give the output the shape that the request asks for",
            ),
            Self::Count => (
                "wrong-element-count".to_owned(),
                "the elements are right, and there are too few of them or too many".to_owned(),
                "give the output the shape that the request asks for",
            ),
            Self::Permuted => (
                "permuted".to_owned(),
                "the elements are right, in an order that is not known".to_owned(),
                "let element i take the i-th value of the stream, whatever thread writes it",
            ),
            Self::BitsOf(dtype) => (
                format!("bits-of-another-type({dtype})"),
                format!("the elements are right, as bits of {dtype}"),
                "convert the values to the output's type before they are stored",
            ),
        };
        Cause {
            name,
            kind: CauseKind::Structure,
            sentence,
            fix: fix.to_owned(),
            clause: String::new(),
            erratum: String::new(),
        }
    }
}

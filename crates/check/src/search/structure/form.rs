//! Forms: an output of another type, shape or rounding than the right one.

use seedproof_ops::{Dtype, Scalar, Tensor};

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
    /// Its elements were cut to this number of digits after the point.
    Decimals(u32),
    /// Its elements are within a few ulps of the right ones.
    Rounding,
    /// The output is right. Of a further output, counted from the first, the words of these bits are what this says.
    Further(usize, u64, FurtherWords),
}

/// What stands in some words of a further output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum FurtherWords {
    Zero,
    /// Those of the input from which the output comes.
    Unchanged,
    /// The right ones, each with its bytes in the opposite order.
    BytesReversed,
    /// The right ones from the last to the first.
    Reversed,
}

/// The distance up to which an element is called badly rounded.
const NEAR: u64 = 4;

/// What is wrong with the form of a case's output.
pub(crate) fn form(case: &FailedCase, view: Option<&View>) -> Option<Form> {
    let (expected, actual) = case.values()?;
    let (expected, actual) = (&expected.output, &actual.output);
    if expected.dtype() != actual.dtype() {
        return Some(Form::Type(actual.dtype()));
    }
    let size = expected.dtype().size();
    let mut pairs = expected.bytes().chunks(size).zip(actual.bytes().chunks(size));
    if expected.shape() != actual.shape() {
        let is_count = expected.count() != actual.count();
        return pairs
            .all(|(a, b)| a == b)
            .then_some(if is_count { Form::Count } else { Form::Shape });
    }
    if case.nan.same(expected, actual) {
        return further(case);
    }
    if let Some(digits) = decimals(case) {
        return Some(Form::Decimals(digits));
    }
    let view = view?;
    other_type(case, view)
        .map(Form::BitsOf)
        .or_else(|| is_permuted(case, view).then_some(Form::Permuted))
        .or_else(|| rounding(case, view).map(|_| Form::Rounding))
}

/// The digits after the point to which all elements were cut or rounded, as a person copies them; of at least two elements
/// that digits tell apart.
fn decimals(case: &FailedCase) -> Option<u32> {
    let (expected, actual) = case.values()?;
    if !expected.output.dtype().is_float() || expected.output.count() < 2 {
        return None;
    }
    let mantissa = expected.output.dtype().mantissa_bits().cast_signed();
    // Finer decimals than these are all that the type has.
    let most = ((mantissa - 3) * 3 / 10).clamp(0, 6);
    (1..=most.cast_unsigned()).find(|&digits| {
        let unit = 10_f64.powi(-digits.cast_signed());
        // Among large floats each is near to a decimal, and in a range that is narrower than a digit all are near to one.
        let given = actual.output.scalars().map(Scalar::to_f64);
        let telling = given.filter(|given| given.abs() * 2_f64.powi(2 - mantissa) < unit);
        let mut decimals = telling.map(|given| (given / unit).round());
        let first = decimals.next();
        if decimals.all(|decimal| Some(decimal) == first) {
            return false;
        }
        let pairs = expected.output.scalars().zip(actual.output.scalars());
        let mut pairs = pairs.map(|(a, b)| (a.to_f64(), b.to_f64()));
        pairs.all(|(right, given)| {
            let decimal = (given / unit).round() * unit;
            let is_decimal = (given - decimal).abs() <= decimal.abs() * 2_f64.powi(-mantissa);
            given.is_finite() && is_decimal && (right - given).abs() < unit
        })
    })
}

/// What is wrong with a further output where the first one is right: words that are zero, or those that came in.
fn further(case: &FailedCase) -> Option<Form> {
    let (expected, actual) = case.values()?;
    let words = |tensor: &Tensor| tensor.scalars().map(Scalar::bits).collect::<Vec<u64>>();
    let mut pairs = expected.more.iter().zip(&actual.more).enumerate();
    let (output, (right, given)) = pairs.find(|(_, (right, given))| !case.nan.same(right, given))?;
    if (right.dtype(), right.shape()) != (given.dtype(), given.shape()) || right.count() > 64 {
        return None;
    }
    let inputs = case.request.inputs();
    let came = inputs
        .iter()
        .map(|(_, input)| words(input))
        .find(|input| input.len() == right.count());
    let size = 8 * u32::try_from(right.dtype().size()).ok()?;
    let (right, given) = (words(right), words(given));
    let wrong: Vec<usize> = (0..right.len()).filter(|&i| right[i] != given[i]).collect();
    let is = |what: &dyn Fn(usize) -> u64| wrong.iter().all(|&i| given[i] == what(i));
    let what = if is(&|_| 0) {
        FurtherWords::Zero
    } else if came.is_some_and(|came| is(&|i| came[i])) {
        FurtherWords::Unchanged
    } else if is(&|i| right[i].swap_bytes() >> (64 - size)) {
        FurtherWords::BytesReversed
    } else if is(&|i| right[right.len() - 1 - i]) {
        FurtherWords::Reversed
    } else {
        return None;
    };
    Some(Form::Further(
        output,
        wrong.iter().fold(0, |all, i| all | 1 << i),
        what,
    ))
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
    /// Whether it says how near an output is, and not what it is: any exact cause is a better one.
    pub(crate) fn is_vague(self) -> bool {
        matches!(self, Self::Rounding | Self::Permuted)
    }

    /// Whether it is seen without a search.
    pub(crate) fn is_plain(self) -> bool {
        matches!(
            self,
            Self::Type(_) | Self::Shape | Self::Count | Self::Decimals(_)
        )
    }

    /// The form as a cause.
    pub(crate) fn cause(self) -> Cause {
        let (name, sentence, fix) = match self {
            Self::Type(dtype) => (
                format!("wrong-type({dtype})"),
                format!("the output's type is {dtype}, which is not the one that the request asks for"),
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
            Self::Decimals(digits) => (
                format!("decimals(digits = {digits})"),
                format!("the elements are right as far as they go: they have {digits} {} after the point", if digits == 1 { "digit" } else { "digits" }),
                "compare bits, or enough digits to tell every value from the next: 9 of f32, 17 of f64",
            ),
            Self::Rounding => (
                "scale-rounded-otherwise".to_owned(),
                "the words are right, and every element is within a few ulps: the order or the precision of the operations in the scale is another"
                    .to_owned(),
                "round after each operation, in the output's type, without fused multiply-add",
            ),
            Self::Further(output, words, what) => {
                let listed: Vec<String> = (0..64).filter(|i| words >> i & 1 == 1).map(|i| i.to_string()).collect();
                let (listed, output) = (listed.join(" "), output + 1);
                let (name, holds) = match what {
                    FurtherWords::Zero => ("zero", "are zero"),
                    FurtherWords::Unchanged => ("unchanged", "are those of the input"),
                    FurtherWords::BytesReversed => ("bytes reversed", "have their bytes in the opposite order"),
                    FurtherWords::Reversed => ("reversed", "are in the opposite order"),
                };
                (
                    format!("further-output({output}, words {listed}, {name})"),
                    format!("the output is right, and words {listed} of the state after it {holds}"),
                    "see how the state after the draw is written",
                )
            }
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

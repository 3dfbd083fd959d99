//! Forms: outputs whose type, shape or rounding is wrong and whose elements are otherwise right.

use std::collections::BTreeSet;

use seedproof_ops::{Dtype, Scalar, Tensor};

use super::view::{PLAIN_BITS, View, bits_of};
use crate::model::chance::arrangements;
use crate::model::diagnosis::Cause;
use crate::model::exchange::FailedCase;
use crate::model::ulp::ulps;

/// What is wrong with the form of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Form {
    /// The element type is wrong.
    Type(Dtype),
    /// The shape is wrong, and the number of elements is right.
    Shape,
    /// There are too few elements or too many. Those that are there are right.
    Count,
    /// The elements are the right values in this type, stored as bits of the requested type.
    BitsOf(Dtype),
    /// What each key of a batch draws is right, and stands in the place of another key's.
    OtherKeys,
    /// The elements are the right ones, in an unknown order.
    Permuted,
    /// The elements were rounded to this number of digits after the point.
    Decimals(u32),
    /// The elements are within a few ulps of the right ones.
    Rounding,
    /// The first output is right. In the further output of this index, the words whose bits are set here are wrong in
    /// this way.
    Further(usize, u64, FurtherWords),
}

/// How some words of a further output are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum FurtherWords {
    Zero,
    /// They are the words of the input state: the draw did not advance it.
    Unchanged,
    /// Each has its bytes in the opposite order.
    BytesReversed,
    /// They are in the opposite order.
    Reversed,
}

/// The distance in ulps up to which a wrong element is called badly rounded.
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
    // From here on the exact descriptions come before the vague ones: rounded decimals are near the right values too.
    if let Some(digits) = decimals(case) {
        return Some(Form::Decimals(digits));
    }
    if is_of_other_keys(case) {
        return Some(Form::OtherKeys);
    }
    let view = view?;
    other_type(case, view)
        .map(Form::BitsOf)
        .or_else(|| is_permuted(case, view).then_some(Form::Permuted))
        .or_else(|| rounding(case, view).map(|_| Form::Rounding))
}

/// The number of digits after the point to which all elements were cut or rounded, as printed numbers are. At least two
/// elements must have different digits.
fn decimals(case: &FailedCase) -> Option<u32> {
    let (expected, actual) = case.values()?;
    if !expected.output.dtype().is_float() || expected.output.count() < 2 {
        return None;
    }
    let mantissa = expected.output.dtype().mantissa_bits().cast_signed();
    // With more digits every value of the type is near a decimal. Three bits are left to tell decimals from other
    // values, and three digits are about ten bits.
    let most = ((mantissa - 3) * 3 / 10).clamp(0, 6);
    (1..=most.cast_unsigned()).find(|&digits| {
        let unit = 10_f64.powi(-digits.cast_signed());
        // Every large float is near some decimal, and in a range that is narrower than a digit all floats are near the
        // same one. Neither shows that digits were cut off.
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

impl Form {
    /// Whether it describes what is wrong with a case. Words that are zero in any case belong to the words that a program
    /// zeroes, although nothing shows it in this one.
    pub(crate) fn describes(self, case: &FailedCase, view: Option<&View>) -> bool {
        match (form(case, view), self) {
            (Some(Self::Further(output, wrong, what)), Self::Further(of, all, how)) => {
                let unchanged = || {
                    case.values().is_some_and(|(_, actual)| {
                        let words = actual.more.get(output).into_iter().flat_map(Tensor::scalars);
                        words
                            .enumerate()
                            .all(|(i, word)| (all & !wrong) >> i & 1 == 0 || word.bits() == 0)
                    })
                };
                (of, how) == (output, what)
                    && (all == wrong || what == FurtherWords::Zero && all & wrong == wrong && unchanged())
            }
            (found, form) => found == Some(form),
        }
    }
}

/// How a further output is wrong where the first one is right.
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
    // Only the wrong words are described: words that a draw does not change, such as a key, are right in any case.
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

/// Whether what each key of a batch draws is what one of the keys draws: a batch is broadcast the wrong way, or a key is read from
/// another's place.
fn is_of_other_keys(case: &FailedCase) -> bool {
    let (Some(items), Some((expected, _))) = (case.request.items(), case.values()) else {
        return false;
    };
    let Some(view) = View::new(case, None) else {
        return false;
    };
    let expected = bits_of(&expected.output, view.nan);
    let each = expected.len() / items.len().max(1);
    if each == 0 || items.len() < 2 {
        return false;
    }
    let runs: BTreeSet<&[u64]> = expected.chunks(each).collect();
    // Each run may be of any key.
    let [of, among] = [items.len(), runs.len()].map(|it| u32::try_from(it).map_or(f64::INFINITY, f64::from));
    let free = of * among.log2();
    view.evidence(view.count()) - free >= PLAIN_BITS && view.actual.chunks(each).all(|run| runs.contains(run))
}

/// Whether the elements are the right ones in another order. This is not evidence if every output has the same elements,
/// as a draw of all classes without replacement does, so the entropy of the order is subtracted from that of the elements.
fn is_permuted(case: &FailedCase, view: &View) -> bool {
    let Some((expected, _)) = case.values() else {
        return false;
    };
    let sorted = |mut bits: Vec<u64>| {
        bits.sort_unstable();
        bits
    };
    let elements = sorted(bits_of(&expected.output, view.nan));
    view.evidence(view.count()) - arrangements(&elements) >= PLAIN_BITS
        && elements == sorted(view.actual.clone())
}

/// The type in which the bits of the elements are the right values.
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
                // The values may have been rounded to the other type. The coarsest is bf16, with eight bits.
                (expected - actual).abs() <= expected.abs() / 128.0
            })
    };
    let others = Dtype::ALL.iter().copied().filter(|other| {
        *other != dtype && other.size() == dtype.size() && (other.is_float() || dtype.is_float())
    });
    (view.evidence(view.count()) >= PLAIN_BITS).then_some(())?;
    others.into_iter().find(|&other| near(other))
}

/// The largest distance in ulps, if every element is within a few ulps of the right one, and enough of them are not right.
/// The words are then right, and a rounding is not.
pub(crate) fn rounding(case: &FailedCase, view: &View) -> Option<u64> {
    let (expected, actual) = case.values()?;
    if !view.layout.dtype.is_float() || view.evidence(view.count()) < PLAIN_BITS {
        return None;
    }
    let distances = expected
        .output
        .scalars()
        .zip(actual.output.scalars())
        .map(|(expected, actual)| ulps(expected, actual).filter(|&distance| distance <= NEAR))
        .collect::<Option<Vec<u64>>>()?;
    // Another order of operations shows in one element of eight and more. A single one is an element that was changed.
    let wrong = distances.iter().filter(|&&distance| distance > 0).count();
    let is_scale = 32 * wrong >= distances.len() && (wrong > 1 || distances.len() < 16);
    distances.into_iter().max().filter(|_| is_scale)
}

impl Form {
    /// Whether it only says how near an output is. Any cause that reproduces the output is a better explanation.
    pub(crate) fn is_vague(self) -> bool {
        matches!(self, Self::Rounding | Self::Permuted)
    }

    /// Whether it is seen from the two outputs alone, without a search for candidates.
    pub(crate) fn is_plain(self) -> bool {
        matches!(
            self,
            Self::Type(_) | Self::Shape | Self::Count | Self::Decimals(_) | Self::OtherKeys
        )
    }

    /// The form as a cause.
    pub(crate) fn cause(self) -> Cause {
        match self {
            Self::Type(dtype) => Cause::structure(
                format!("wrong-type({dtype})"),
                format!("the output's type is {dtype}, which is not the one that the request asks for"),
                "give the output the type that the request asks for",
            ),
            Self::Shape => Cause::structure(
                "wrong-shape",
                "the elements are right, and the output's shape is not",
                "give the output the shape that the request asks for",
            ),
            Self::Count => Cause::structure(
                "wrong-element-count",
                "the elements are right, and there are too few of them or too many",
                "give the output the shape that the request asks for",
            ),
            Self::Decimals(digits) => Cause::structure(
                format!("decimals(digits = {digits})"),
                format!(
                    "the elements are right as far as they go: they have {digits} {} after the point",
                    if digits == 1 { "digit" } else { "digits" }
                ),
                "compare bits, or enough significant digits to tell every value from the next: 9 of f32, 17 of f64",
            ),
            Self::Rounding => Cause::structure(
                "rounded-otherwise",
                "the words are right, and every element is within a few ulps: an operation on the way to the elements differs in order or in precision",
                "round after each operation, in the output's type, without fused multiply-add",
            ),
            Self::Further(output, words, what) => {
                let listed: Vec<String> = (0..64)
                    .filter(|i| words >> i & 1 == 1)
                    .map(|i| i.to_string())
                    .collect();
                let (listed, output) = (listed.join(" "), output + 1);
                let (name, holds) = match what {
                    FurtherWords::Zero => ("zero", "are zero"),
                    FurtherWords::Unchanged => ("unchanged", "are those of the input"),
                    FurtherWords::BytesReversed => {
                        ("bytes reversed", "have their bytes in the opposite order")
                    }
                    FurtherWords::Reversed => ("reversed", "are in the opposite order"),
                };
                Cause::structure(
                    format!("further-output({output}, words {listed}, {name})"),
                    format!("the output is right, and words {listed} of the state after it {holds}"),
                    "see how the state after the draw is written",
                )
            }
            Self::OtherKeys => Cause::structure(
                "runs-of-other-keys",
                "each key's part of the output is what some key of the batch draws, and not always what its own key does",
                "see which key is read for each part of the output, where keys are broadcast too",
            ),
            Self::Permuted => Cause::structure(
                "permuted",
                "the elements are right, in an order of no known rule",
                "let element i take the i-th value of the stream, whatever thread writes it",
            ),
            Self::BitsOf(dtype) => Cause::structure(
                format!("bits-of-another-type({dtype})"),
                format!("the elements are right, as bits of {dtype}"),
                "convert the values to the output's type before they are stored",
            ),
        }
    }
}

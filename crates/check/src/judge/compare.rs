//! An answer, compared with the expected one: values element by element, digests chunk by chunk, rejections by their
//! kind.
//!
//! There is no tolerance, since one unit in the last place is the size of the faults that are sought: a fused
//! multiplication, another logarithm. The only choice is which NaNs count as the same element ([`NanRule`]).

use seedproof_corpus::{Digested, OutputDigest};
use seedproof_ops::{
    Digest, Failure, Fault, NanRule, OpError, Request, Response, Scalar, Shape, Tensor, Value, Want,
};

use crate::judge::nondeterministic;
use crate::judge::question::Question;
use crate::model::comparison::{Comparison, Differences, Element};
use crate::model::expected::{Expected, drawn, has_more};
use crate::model::finding::{Form, Mismatch, OtherNans};
use crate::model::outcome::Outcome;
use crate::model::ulp::ulps;

/// The most elements of a further output that a finding lists. The states and counters of all ops have fewer; an answer
/// of the wrong form may have any number.
const MAX_LISTED: usize = 64;

/// The most cells of a mismatch strip ([`Comparison::strip`]).
pub const STRIP: usize = 256;

/// An answer that was compared with the expected one.
#[derive(Debug)]
pub(crate) struct Compared {
    /// The expected answer. The value stands in the place of its digest, if it had to be drawn for the comparison.
    pub(crate) expected: Expected,
    /// The answer that was compared. A random request is asked several times, and a later rejection takes the place of
    /// the first output.
    pub(crate) answer: Result<Value, OpError>,
    pub(crate) agreement: Agreement,
}

#[derive(Debug)]
pub(crate) enum Agreement {
    /// The answer is the expected one, except for the bits of these NaNs.
    Same(Option<OtherNans>),
    /// The outputs differ in this way. There is no mismatch where one of the two answers is a rejection, or both are.
    Differs(Option<Mismatch>),
}

impl Agreement {
    /// The agreement of two values, by their mismatch. Only the first outputs may have NaNs to note.
    fn of(mismatch: Option<Mismatch>, [expected, actual]: [&Tensor; 2]) -> Self {
        match mismatch {
            None => Self::Same(OtherNans::between(expected, actual)),
            differs => Self::Differs(differs),
        }
    }
}

impl Expected {
    /// The part of an answer that suffices to judge it.
    pub(crate) fn want(&self) -> Want {
        match self.chunks() {
            Some(_) => Want::Digest,
            None => Want::Full,
        }
    }

    /// The digests of chunks, where they are all that is expected. The sum over a whole output does not follow from the
    /// chunks of a protocol answer, and further outputs are compared in full.
    fn chunks(&self) -> Option<&[[u8; 32]]> {
        match self {
            Self::Digest(Digested {
                digest: OutputDigest::Chunks(chunks),
                more,
                ..
            }) if more.is_empty() => Some(chunks),
            _ => None,
        }
    }

    /// Compares an answer with this one. Further questions are asked where the answer alone does not decide: for the
    /// elements of a chunk whose digest differs, and for a random output once more.
    ///
    /// # Errors
    /// The outcome of a request without an answer, with a message.
    pub(crate) fn compare(
        mut self,
        question: &Question<'_>,
        answer: Result<Value, Failure>,
    ) -> Result<Compared, (Outcome, String)> {
        let (answer, agreement) = match answer {
            Ok(Value::Full(actual)) => match self.compare_value(question, &actual) {
                Ok(agreement) => (Ok(Value::Full(actual)), agreement),
                Err(failure) => return self.compare(question, Err(failure)),
            },
            // A backend that sends a digest where it does not show that the answer is right breaks its interface.
            Ok(Value::Digest(actual, more)) => match self.chunks() {
                Some(expected) => {
                    let agreement = compare_digests(question, expected, &actual);
                    (Ok(Value::Digest(actual, more)), agreement)
                }
                None => return self.compare(question, Err(unasked())),
            },
            Ok(Value::Window(_)) => return self.compare(question, Err(unasked())),
            Err(Failure::Rejected(error)) if self.is_rejection(&question.case.request, &error) => {
                (Err(error), Agreement::Same(None))
            }
            Err(Failure::Rejected(error)) => (Err(error), Agreement::Differs(None)),
            Err(Failure::Unsupported(reason)) => {
                let message = format!("claimed, then answered as unsupported: {reason}");
                return Err((Outcome::ClaimBroken, message));
            }
            Err(Failure::Broken(Fault { kind, message })) => return Err((kind.into(), message)),
        };
        Ok(Compared {
            expected: self,
            answer,
            agreement,
        })
    }

    /// Compares a value with this answer. If elements have to be compared, the value behind a digest takes its place.
    ///
    /// # Errors
    /// The failure of a random request that was asked once more.
    fn compare_value(&mut self, question: &Question<'_>, actual: &Response) -> Result<Agreement, Failure> {
        let (request, nan) = (&question.case.request, question.judges.nan);
        let digested = match self {
            Self::Value(expected) => {
                let mismatch = compare(request, expected, actual, nan);
                return Ok(Agreement::of(mismatch, [&expected.output, &actual.output]));
            }
            Self::Digest(digested) => digested,
            Self::Rejection(_) => return Ok(Agreement::Differs(None)),
            Self::Random => {
                let again = || match question.ask(Want::Full).result? {
                    Value::Full(response) => Ok(response),
                    _ => Err(unasked()),
                };
                let mismatch = nondeterministic::check(request, actual, question.oracle(), again)?;
                return Ok(match mismatch {
                    None => Agreement::Same(None),
                    differs => Agreement::Differs(differs),
                });
            }
        };
        // Two forms are compared without elements, so that the oracle need not draw a large output.
        if let Some(mismatch) = Mismatch::of_form(request, Form::of(&actual.output)) {
            return Ok(Agreement::Differs(Some(mismatch)));
        }
        let (differing, total) = match &digested.digest {
            OutputDigest::Chunks(chunks) => differing(chunks, &Digest::of(&actual.output).chunks),
            // The sum over the whole output is reported as a single chunk.
            OutputDigest::Whole(whole) => differing(&[*whole], &[Digest::whole(&actual.output)]),
        };
        // A digest is enough to see that an answer is right. The oracle draws the elements behind it only for a wrong
        // answer, which keeps a run over large outputs fast.
        let value = if differing.is_empty() {
            if has_more(&digested.more, &actual.more, nan) {
                return Ok(Agreement::Same(None));
            }
            // The first output is right as it is. The answer differs in a further output.
            Some(Response {
                output: actual.output.clone(),
                more: std::mem::take(&mut digested.more),
            })
        } else {
            drawn(digested, request, question.oracle())
        };
        let Some(value) = value else {
            let first = first_known(digested, &actual.output);
            return Ok(Agreement::Differs(Some(Mismatch::Chunks {
                differing,
                total,
                first,
            })));
        };
        let mismatch = compare(request, &value, actual, nan);
        let agreement = Agreement::of(mismatch, [&value.output, &actual.output]);
        *self = Self::Value(value);
        Ok(agreement)
    }
}

fn unasked() -> Failure {
    Failure::error("answered with a part of the output, which was not asked for")
}

/// How an answer differs from the expected one, or `None` if every element is as expected.
///
/// The first output is compared by its form and then by its elements. The further outputs follow only if it is right,
/// because a finding has one mismatch.
pub(crate) fn compare(
    request: &Request,
    expected: &Response,
    actual: &Response,
    nan: NanRule,
) -> Option<Mismatch> {
    compare_outputs(&expected.output, &actual.output, nan)
        .or_else(|| compare_more(request, &expected.more, &actual.more, nan))
}

fn compare_outputs(expected: &Tensor, actual: &Tensor, nan: NanRule) -> Option<Mismatch> {
    if (expected.dtype(), expected.shape()) != (actual.dtype(), actual.shape()) {
        return Some(Mismatch::Form {
            expected: Form::of(expected),
            actual: Form::of(actual),
        });
    }
    // Equal bytes are equal under every rule for NaNs.
    if expected.bytes() == actual.bytes() {
        return None;
    }
    let total = expected.count();
    let mut strip = vec![0; total.min(STRIP)];
    let mut first = None;
    let mut differing = 0;
    let mut max_ulps = None;
    let mut differences = Differences::default();
    for (index, (expected, actual)) in expected.scalars().zip(actual.scalars()).enumerate() {
        if nan.same_element(expected, actual) {
            continue;
        }
        first.get_or_insert((index, expected, actual));
        differing += 1;
        differences.push(index, expected, actual);
        max_ulps = max_ulps.max(ulps(expected, actual));
        strip[strip_cell(index, total)] += 1;
    }
    // Where the rule for NaNs has excused every difference, there is no first one.
    let (index, first_expected, first_actual) = first?;
    Some(Mismatch::Elements(Box::new(Comparison {
        total,
        differing,
        first: element(expected.shape(), index, first_expected, first_actual),
        max_ulps,
        strip,
        differences,
        stages: Vec::new(),
        expected_stages: None,
        actual_stages: None,
    })))
}

/// The cell of a strip to which element `index` of `total` belongs. Cells are runs of elements whose lengths differ by
/// one at most, the longer ones first.
///
/// ```
/// use seedproof_check::{STRIP, strip_cell};
///
/// assert_eq!(strip_cell(9, 10), 9, "a small output has a cell for each element");
/// assert_eq!(strip_cell(999, 1000), STRIP - 1);
/// ```
pub const fn strip_cell(index: usize, total: usize) -> usize {
    if total <= STRIP {
        return index;
    }
    // Divided first, since 256 times the size of an output may overflow.
    let (whole, rest) = (total / STRIP, total % STRIP);
    let long = (whole + 1) * rest;
    if index < long {
        index / (whole + 1)
    } else {
        rest + (index - long) / whole
    }
}

/// An element that differs. [`mod@crate::judge::locate`] fills its block in later, because a comparison does not know the
/// generator.
fn element(shape: &Shape, index: usize, expected: Scalar, actual: Scalar) -> Element {
    Element {
        index,
        coordinates: shape.coordinates(index),
        block: None,
        expected,
        actual,
        ulps: ulps(expected, actual),
    }
}

/// The first further output that differs from the expected one.
fn compare_more(request: &Request, expected: &[Tensor], actual: &[Tensor], nan: NanRule) -> Option<Mismatch> {
    let is_right = |index: usize| {
        let actual = actual.get(index);
        actual.is_some_and(|actual| nan.same(&expected[index], actual))
    };
    let index = (0..expected.len()).find(|&index| !is_right(index))?;
    let listed = |output: &Tensor| output.scalars().take(MAX_LISTED).collect();
    let outputs = request.outputs();
    Some(Mismatch::Output {
        name: outputs.get(index + 1).map_or("", |info| info.name).to_owned(),
        expected: listed(&expected[index]),
        actual: actual.get(index).map_or_else(Vec::new, listed),
    })
}

/// Compares the digests of an output's chunks with the expected ones. A NaN with other bits is no difference, where the
/// rule says so: the elements of a differing chunk are asked for, chunk by chunk, until one differs in more than such
/// NaNs.
fn compare_digests(question: &Question<'_>, expected: &[[u8; 32]], sent: &Digest) -> Agreement {
    let (request, nan) = (&question.case.request, question.judges.nan);
    let form = Form::of_digest(sent);
    let shape = form.shape.clone();
    if let Some(mismatch) = Mismatch::of_form(request, form) {
        return Agreement::Differs(Some(mismatch));
    }
    let (mut differing, total) = differing(expected, &sent.chunks);
    // The oracle has to draw the whole output, and does so only where there is a difference to locate.
    let right = match differing.first() {
        Some(_) => question.oracle().run(request).ok(),
        None => None,
    };
    let mut nans = None;
    while let Some(&chunk) = differing.first() {
        let elements = right.as_ref().and_then(|right| {
            let start = chunk.checked_mul(Digest::CHUNK)?;
            let count = shape.count().checked_sub(start)?.min(Digest::CHUNK);
            let actual = ask_window(question, start, count)?;
            Some((start, window(&right.output, start, count)?, actual))
        });
        let first = match &elements {
            Some((start, right, actual)) => {
                // The case decides. If the oracle's chunk has another digest, agreement with it excuses nothing, and neither
                // do elements that are not those of the digest.
                let is_known = Digest::of(right).chunks.first() == expected.get(chunk)
                    && Digest::of(actual).chunks.get(..) == sent.chunks.get(chunk..=chunk);
                if is_known && right != actual && nan.same(right, actual) {
                    nans = OtherNans::joined(nans, OtherNans::between(right, actual));
                    differing.remove(0);
                    continue;
                }
                first_difference(&shape, nan, (*start..).zip(right.scalars().zip(actual.scalars())))
            }
            None => None,
        };
        return Agreement::Differs(Some(Mismatch::Chunks {
            differing,
            total,
            first,
        }));
    }
    Agreement::Same(nans)
}

/// The indices at which two lists of sums differ, and the length of the longer list. A missing sum differs.
pub(super) fn differing(expected: &[[u8; 32]], actual: &[[u8; 32]]) -> (Vec<usize>, usize) {
    let total = expected.len().max(actual.len());
    let differing = (0..total)
        .filter(|&chunk| expected.get(chunk) != actual.get(chunk))
        .collect();
    (differing, total)
}

/// The first difference among the elements that the case states beside the digest: some at the beginning of the output
/// and some at its end.
fn first_known(expected: &Digested, actual: &Tensor) -> Option<Element> {
    let tail = actual.count().checked_sub(expected.last.len())?;
    let head = expected.first.iter().enumerate();
    let stated = head.chain((tail..).zip(&expected.last));
    let elements = stated.filter_map(|(index, &expected)| Some((index, (expected, actual.get(index)?))));
    first_difference(actual.shape(), NanRule::Bits, elements)
}

/// The first pair of an expected and an actual element that differ, from pairs with their indices.
fn first_difference(
    shape: &Shape,
    nan: NanRule,
    mut elements: impl Iterator<Item = (usize, (Scalar, Scalar))>,
) -> Option<Element> {
    let (index, (expected, actual)) =
        elements.find(|&(_, (expected, actual))| !nan.same_element(expected, actual))?;
    Some(element(shape, index, expected, actual))
}

/// Some elements of an output, as a list.
fn window(output: &Tensor, start: usize, count: usize) -> Option<Tensor> {
    let size = output.dtype().size();
    let bytes = output.bytes().get(start * size..(start + count) * size)?;
    Tensor::new(output.dtype(), Shape::vector(count), bytes.to_vec()).ok()
}

fn ask_window(question: &Question<'_>, start: usize, count: usize) -> Option<Tensor> {
    match question.ask(Want::Window { start, count }).result.ok()? {
        Value::Full(response) => window(&response.output, start, count),
        Value::Window(elements) => Some(elements),
        Value::Digest(..) => None,
    }
}

#[cfg(test)]
mod tests;

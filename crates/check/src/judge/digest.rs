//! Outputs by their SHA-256, chunk by chunk.
//!
//! A backend may answer with the digest of a large output, and with the elements of a chunk when they are asked for.

use seedproof_corpus::{Case, Digested, OutputDigest};
use seedproof_ops::{Ask, Backend, Digest, NanRule, Request, Response, Shape, Tensor, Value, Want};

use crate::judge::compare::{compare_more, element};
use crate::model::comparison::Element;
use crate::model::expected::is_digest_of;
use crate::model::finding::{Form, Mismatch, OtherNans};

/// The part of an answer that suffices to judge a case whose expectation is a digest.
pub(crate) fn want(expected: &Digested) -> Want {
    match expected.digest {
        // A protocol answer has the digests of chunks, from which the sum over the whole output does not follow.
        OutputDigest::Chunks(_) if expected.more.is_empty() => Want::Digest,
        _ => Want::Full,
    }
}

/// How an answer differs from one that is known by its digest. A NaN with other bits counts as a difference, because
/// the expected elements are not known.
pub(crate) fn compare_digest(request: &Request, expected: &Digested, actual: &Response) -> Option<Mismatch> {
    let output = &actual.output;
    if let Some(mismatch) = compare_form(request, &Form::of(output)) {
        return Some(mismatch);
    }
    let (differing, total) = match &expected.digest {
        OutputDigest::Chunks(chunks) => differing(chunks, &Digest::of(output).chunks),
        // The sum over the whole output is reported as a single chunk.
        whole if is_digest_of(whole, output) => (Vec::new(), 1),
        OutputDigest::Whole(_) => (vec![0], 1),
    };
    if differing.is_empty() {
        return compare_more(request, &expected.more, &actual.more, NanRule::Bits);
    }
    Some(Mismatch::Chunks {
        differing,
        total,
        first: first_known(expected, output),
    })
}

/// How the digest of an output differs from the expected one; if it does not, the NaNs with other bits.
///
/// The elements of a differing chunk are asked for, chunk by chunk, until one differs in more than such NaNs.
pub(crate) fn compare_remote(
    case: &Case,
    expected: &Digested,
    actual: &Digest,
    [backend, oracle]: [&dyn Backend; 2],
    nan: NanRule,
) -> Result<Option<OtherNans>, Box<Mismatch>> {
    let OutputDigest::Chunks(chunks) = &expected.digest else {
        return Ok(None);
    };
    let form = Form {
        dtype: actual.dtype,
        shape: actual.shape.clone(),
    };
    if let Some(mismatch) = compare_form(&case.request, &form) {
        return Err(Box::new(mismatch));
    }
    let (mut differing, total) = differing(chunks, &actual.chunks);
    // The oracle has to draw the whole output, and does so only where there is a difference to locate.
    let oracle = match differing.first() {
        Some(_) => oracle.run(&case.request).ok(),
        None => None,
    };
    let mut nans = None;
    while let Some(&chunk) = differing.first() {
        let elements = oracle.as_ref().and_then(|oracle| {
            let (start, count) = window_of(chunk, &form)?;
            let actual = ask_window(case, backend, start, count)?;
            Some((start, window(&oracle.output, start, count)?, actual))
        });
        let first = match &elements {
            Some((start, expected, actual)) => {
                // The case decides. If the oracle's chunk has another digest, agreement with it excuses nothing.
                let is_known = Digest::of(expected).chunks.first() == chunks.get(chunk);
                if is_known && expected != actual && nan.same(expected, actual) {
                    nans = OtherNans::joined(nans, OtherNans::between(expected, actual));
                    differing.remove(0);
                    continue;
                }
                first_differing(*start, expected, actual, nan, &form)
            }
            None => None,
        };
        return Err(Box::new(Mismatch::Chunks {
            differing,
            total,
            first,
        }));
    }
    Ok(nans)
}

fn compare_form(request: &Request, actual: &Form) -> Option<Mismatch> {
    let expected = Form::requested(request)?;
    (expected != *actual).then(|| Mismatch::Form {
        expected,
        actual: actual.clone(),
    })
}

/// The indices at which two lists of sums differ, and the length of the longer list. A missing sum differs.
fn differing(expected: &[[u8; 32]], actual: &[[u8; 32]]) -> (Vec<usize>, usize) {
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
    let head = expected.first.iter().copied().enumerate();
    let last = (tail..).zip(expected.last.iter().copied());
    head.chain(last).find_map(|(index, expected)| {
        let actual_element = actual.get(index)?;
        (actual_element != expected).then(|| {
            let coordinates = actual.shape().coordinates(index);
            element(coordinates, index, expected, actual_element)
        })
    })
}

/// The index of the first element of a chunk, and the number of its elements.
fn window_of(chunk: usize, form: &Form) -> Option<(usize, usize)> {
    let start = chunk.checked_mul(Digest::CHUNK)?;
    Some((start, form.shape.count().checked_sub(start)?.min(Digest::CHUNK)))
}

/// Some elements of an output, as a list.
fn window(output: &Tensor, start: usize, count: usize) -> Option<Tensor> {
    let size = output.dtype().size();
    let bytes = output.bytes().get(start * size..(start + count) * size)?;
    Tensor::new(output.dtype(), Shape::vector(count), bytes.to_vec()).ok()
}

fn ask_window(case: &Case, backend: &dyn Backend, start: usize, count: usize) -> Option<Tensor> {
    let ask = Ask {
        case: case.id.as_str(),
        request: &case.request,
        want: Want::Window { start, count },
    };
    match backend.ask(&ask).result.ok()? {
        Value::Full(response) => window(&response.output, start, count),
        Value::Window(elements) => Some(elements),
        Value::Digest(..) => None,
    }
}

/// The first element of a chunk that differs from the oracle's element.
fn first_differing(
    start: usize,
    expected: &Tensor,
    actual: &Tensor,
    nan: NanRule,
    form: &Form,
) -> Option<Element> {
    let (offset, (expected, actual)) = expected
        .scalars()
        .zip(actual.scalars())
        .enumerate()
        .find(|&(_, (expected, actual))| !nan.same_element(expected, actual))?;
    let index = start + offset;
    Some(element(form.shape.coordinates(index), index, expected, actual))
}

#[cfg(test)]
mod tests;

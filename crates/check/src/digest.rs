//! Outputs by their SHA-256, chunk by chunk.
//!
//! Of a large output a backend may tell the digest alone, and a chunk's elements when asked.

use seedproof_ops::{Ask, Backend, Digest, Request, Response, Scalar, Tensor, Value, Want};
use seedproof_vectors::{Case, Digested, OutputDigest};

use crate::compare::{compare_more, element};
use crate::expected::is_digest_of;
use crate::{Element, Form, Mismatch};

/// The part of an answer that is enough to judge a case whose expectation is a digest: the digest, unless there is
/// more to compare.
pub(crate) fn want(expected: &Digested) -> Want {
    match expected.digest {
        OutputDigest::Chunks(_) if expected.more.is_empty() => Want::Digest,
        _ => Want::Full,
    }
}

/// How an answer differs from one that is known by its digest.
pub(crate) fn compare_digest(request: &Request, expected: &Digested, actual: &Response) -> Option<Mismatch> {
    let output = &actual.output;
    if let Some(mismatch) = compare_form(request, &Form::of(output)) {
        return Some(mismatch);
    }
    let (differing, total) = match &expected.digest {
        OutputDigest::Chunks(chunks) => differing(chunks, &Digest::of(output).chunks),
        // One sum over everything counts as one chunk.
        whole if is_digest_of(whole, output) => (Vec::new(), 1),
        OutputDigest::Whole(_) => (vec![0], 1),
    };
    if differing.is_empty() {
        return compare_more(request, &expected.more, &actual.more);
    }
    Some(Mismatch::Chunks {
        differing,
        total,
        first: first_known(expected, output),
    })
}

/// How the digest of an output differs from the expected one. The elements of the first chunk that differs are asked
/// for.
pub(crate) fn compare_remote(
    case: &Case,
    expected: &Digested,
    actual: &Digest,
    backend: &dyn Backend,
    oracle: &dyn Backend,
) -> Option<Mismatch> {
    let OutputDigest::Chunks(chunks) = &expected.digest else {
        return None;
    };
    let form = Form {
        dtype: actual.dtype,
        shape: actual.shape.clone(),
    };
    if let Some(mismatch) = compare_form(&case.request, &form) {
        return Some(mismatch);
    }
    let (differing, total) = differing(chunks, &actual.chunks);
    let first = first_in_chunk(case, backend, oracle, *differing.first()?, &form);
    Some(Mismatch::Chunks {
        differing,
        total,
        first,
    })
}

fn compare_form(request: &Request, actual: &Form) -> Option<Mismatch> {
    let expected = Form::requested(request)?;
    (expected != *actual).then(|| Mismatch::Form {
        expected,
        actual: actual.clone(),
    })
}

/// The indices at which two lists of sums differ, and the length of the longer.
fn differing(expected: &[[u8; 32]], actual: &[[u8; 32]]) -> (Vec<usize>, usize) {
    let total = expected.len().max(actual.len());
    let differing = (0..total)
        .filter(|&chunk| expected.get(chunk) != actual.get(chunk))
        .collect();
    (differing, total)
}

/// The first of the elements that the case spells out which differs.
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

/// The first element of a chunk that differs from the oracle's.
fn first_in_chunk(
    case: &Case,
    backend: &dyn Backend,
    oracle: &dyn Backend,
    chunk: usize,
    form: &Form,
) -> Option<Element> {
    let start = chunk.checked_mul(Digest::CHUNK)?;
    let count = form.shape.count().checked_sub(start)?.min(Digest::CHUNK);
    let window = |backend: &dyn Backend| -> Option<Vec<Scalar>> {
        let ask = Ask {
            case: case.id.as_str(),
            request: &case.request,
            want: Want::Window { start, count },
        };
        match backend.ask(&ask).result.ok()? {
            Value::Full(response) => Some(response.output.scalars().skip(start).take(count).collect()),
            Value::Window(elements) => Some(elements.scalars().collect()),
            Value::Digest(..) => None,
        }
    };
    let (offset, (expected, actual)) = window(oracle)?
        .into_iter()
        .zip(window(backend)?)
        .enumerate()
        .find(|(_, (expected, actual))| expected != actual)?;
    let index = start + offset;
    Some(element(form.shape.coordinates(index), index, expected, actual))
}

#[cfg(test)]
mod tests;

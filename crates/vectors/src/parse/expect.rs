//! Expectations and what documents print.

use std::collections::BTreeMap;

use seedproof_ops::{Digest, Dtype, ErrorKind, Request, Scalar, Shape, Tensor};

use super::raw::{self, At, Field, List, Literal};
use super::reader::{Keys, Reader, Sort};
use super::request::tensor;
use crate::error::Position;
use crate::hex::sum_from_hex;
use crate::output::element_count;
use crate::{Bits, Digested, Expectation, Name, OutputDigest, output_form};

/// The most elements at either end that a digest shows.
pub const SHOWN: usize = 8;

/// The expectation of a case.
pub(super) fn expectation(
    reader: &mut Reader<'_>,
    request: &Request,
    expect: At<raw::Expect>,
) -> Option<Expectation> {
    let at = expect.at;
    let raw::Expect {
        bits,
        digest,
        rejected,
        by,
        state,
    } = expect.value;
    let given = [
        bits.0.is_some(),
        digest.0.is_some(),
        rejected.0.is_some(),
        by.0.is_some(),
    ];
    if given.into_iter().filter(|&given| given).count() != 1 {
        reader.fail(
            at,
            "read an expectation: expected exactly one of bits, digest, rejected, by",
        );
        return None;
    }
    if let (Some(state), None, None) = (&state.0, &bits.0, &digest.0) {
        reader.fail(
            state.at,
            "use `state` here: expected it only beside bits or digest",
        );
    }
    if let Some(bits) = bits.0 {
        let output = output(reader, request, &bits);
        let state = state_after(reader, request, state);
        return Some(Expectation::Bits(Bits {
            output: output?,
            state: state?,
        }));
    }
    if let Some(digest) = digest.0 {
        let state = state_after(reader, request, state);
        let digested = digested(reader, request, digest);
        return Some(Expectation::Digest(Digested {
            state: state?,
            ..digested?
        }));
    }
    if let Some(kind) = rejected.0 {
        return reader
            .one_of::<ErrorKind>("the kind of a rejection", &kind)
            .map(Expectation::Rejected);
    }
    let by = by.0?;
    match by.value.as_str() {
        "oracle" => Some(Expectation::Oracle),
        "statistics" => Some(Expectation::Statistical),
        "readings" => Some(Expectation::Unspecified),
        other => {
            reader.fail(
                by.at,
                format!("read `by: {other}`: expected one of oracle, statistics, readings"),
            );
            None
        }
    }
}

/// What other readings answer.
pub(super) fn readings(
    reader: &mut Reader<'_>,
    request: &Request,
    field: Field<BTreeMap<String, At<raw::Expect>>>,
) -> BTreeMap<Name, Expectation> {
    let mut readings = BTreeMap::new();
    for (text, expect) in field.0.map_or_else(BTreeMap::new, |readings| readings.value) {
        let Some(name) = reader.name(&text, expect.at) else {
            continue;
        };
        reader.mention(Some(Sort::Reading), &name, expect.at);
        if let Some(by) = &expect.value.by.0 {
            reader.fail(by.at, "use `by` for a reading: expected bits, digest or rejected");
        } else if let Some(expectation) = expectation(reader, request, expect) {
            readings.insert(name, expectation);
        }
    }
    readings
}

/// The type and extents of the output and their element count, which bits and digests need.
fn form(reader: &mut Reader<'_>, request: &Request, at: Position) -> Option<(Dtype, Vec<u64>, usize)> {
    let Some((dtype, dims)) = output_form(request) else {
        reader.fail(
            at,
            "know the type and shape of this output, which the request does not say: expected `rejected`",
        );
        return None;
    };
    let count = element_count(&dims);
    if count.is_none() {
        reader.fail(
            at,
            format!("count the elements of {dims:?}: expected a number that this machine can address"),
        );
    }
    Some((dtype, dims, count?))
}

fn output(reader: &mut Reader<'_>, request: &Request, bits: &At<List<Literal>>) -> Option<Tensor> {
    let (dtype, dims, count) = form(reader, request, bits.at)?;
    let scalars = reader.scalars(dtype, &bits.value);
    if bits.value.len() != count {
        reader.fail(
            bits.at,
            format!(
                "read {} elements as {dtype} {dims:?}: expected {count}",
                bits.value.len()
            ),
        );
        return None;
    }
    tensor(dtype, Shape::new(&dims).ok()?, &scalars?)
}

/// `None` if it is wrong, `Some(None)` if there is none.
#[expect(clippy::option_option, reason = "wrong, absent and present are three things")]
fn state_after(
    reader: &mut Reader<'_>,
    request: &Request,
    state: Field<List<Literal>>,
) -> Option<Option<Tensor>> {
    let Some(state) = state.0 else {
        return Some(None);
    };
    let shape = match request {
        Request::DmlRandomGenerator(request) if request.output_state => request.input_state.shape().clone(),
        _ => {
            reader.fail(
                state.at,
                "use `state`: expected it only for directml.RandomGenerator with output_state: true",
            );
            return None;
        }
    };
    let scalars = reader.scalars(Dtype::U32, &state.value);
    if state.value.len() != shape.count() {
        reader.fail(
            state.at,
            format!(
                "read {} words as a state: expected {}, as in input_state",
                state.value.len(),
                shape.count()
            ),
        );
        return None;
    }
    tensor(Dtype::U32, shape, &scalars?).map(Some)
}

fn digested(reader: &mut Reader<'_>, request: &Request, digest: At<raw::Digest>) -> Option<Digested> {
    let keys = Keys {
        owner: "`digest`",
        at: digest.at,
        allowed: &["chunks", "whole", "first", "last"],
    };
    let (dtype, _, count) = form(reader, request, digest.at)?;
    let first = reader.require(&keys, "first", digest.value.first);
    let last = reader.require(&keys, "last", digest.value.last);
    let first = first.and_then(|list| end(reader, "first", dtype, count, &list));
    let last = last.and_then(|list| end(reader, "last", dtype, count, &list));
    let sums = match (digest.value.chunks.0, digest.value.whole.0) {
        (Some(chunks), None) => {
            let expected = count.div_ceil(Digest::CHUNK);
            if chunks.value.len() != expected {
                reader.fail(
                    chunks.at,
                    format!(
                        "read {} chunks of {count} elements: expected {expected}, one for each {} elements",
                        chunks.value.len(),
                        Digest::CHUNK
                    ),
                );
                return None;
            }
            let sums: Vec<[u8; 32]> = chunks
                .value
                .iter()
                .filter_map(|chunk| sha256(reader, chunk))
                .collect();
            (sums.len() == expected).then_some(OutputDigest::Chunks(sums))
        }
        (None, Some(whole)) => sha256(reader, &whole).map(OutputDigest::Whole),
        _ => {
            reader.fail(digest.at, "read a digest: expected exactly one of chunks, whole");
            None
        }
    };
    Some(Digested {
        digest: sums?,
        first: first?,
        last: last?,
        state: None,
    })
}

fn end(
    reader: &mut Reader<'_>,
    key: &str,
    dtype: Dtype,
    count: usize,
    list: &At<List<Literal>>,
) -> Option<Vec<Scalar>> {
    let expected = count.min(SHOWN);
    if list.value.len() != expected {
        reader.fail(
            list.at,
            format!(
                "read {} elements of `{key}` of {count}: expected {expected}",
                list.value.len()
            ),
        );
        return None;
    }
    reader.scalars(dtype, &list.value)
}

fn sha256(reader: &mut Reader<'_>, text: &At<String>) -> Option<[u8; 32]> {
    let sum = sum_from_hex(&text.value);
    if sum.is_none() {
        reader.fail(
            text.at,
            format!(
                "read `{}` as a SHA-256: expected 64 hexadecimal digits in lower case",
                text.value
            ),
        );
    }
    sum
}

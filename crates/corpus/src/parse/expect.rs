//! Expectations: a value in full or by its digest, a rejection, or the name of what decides (`by: oracle`).

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use seedproof_ops::{Digest, Dtype, ErrorKind, OutputForm, Request, Scalar, Tensor};

use super::raw::{At, Entries, List, Value};
use super::reader::{Reader, Sort};
use crate::error::Position;
use crate::{Bits, Digested, Expectation, Name, OutputDigest};

/// The most elements at either end that a digest shows.
pub const SHOWN_AT_EITHER_END: usize = 8;

/// The keys that state an expectation. The last one is not allowed for a reading.
const FORMS: [&str; 4] = ["bits", "digest", "rejected", "by"];

/// The expectation of a case.
pub(super) fn expectation(
    reader: &mut Reader<'_>,
    request: &Request,
    value: At<Value>,
) -> Option<Expectation> {
    by_form(reader, request, "`expect`", &FORMS, value)
}

/// The answers of other readings.
pub(super) fn readings(
    reader: &mut Reader<'_>,
    request: &Request,
    case: &mut Entries,
) -> BTreeMap<Name, Box<Expectation>> {
    let mut readings = BTreeMap::new();
    let answers = reader.take::<Entries>(case, "readings");
    for (text, value) in answers.map_or_else(Entries::new, |answers| answers.value) {
        let Some(name) = reader.name(&text, value.at) else {
            continue;
        };
        reader.mention(Some(Sort::Reading), &name, value.at);
        if let Some(answer) = by_form(reader, request, "the answer of a reading", &FORMS[..3], value) {
            readings.insert(name, Box::new(answer));
        }
    }
    readings
}

fn by_form(
    reader: &mut Reader<'_>,
    request: &Request,
    owner: &str,
    forms: &[&str],
    value: At<Value>,
) -> Option<Expectation> {
    let at = value.at;
    let further: Vec<&str> = request.outputs().iter().skip(1).map(|info| info.name).collect();
    let mut entries = reader.entries(owner, value, &[], &[forms, &further].concat())?;
    let given: Vec<&str> = FORMS
        .into_iter()
        .filter(|form| entries.contains_key(*form))
        .collect();
    let [form] = given[..] else {
        let forms = forms.join(", ");
        reader.fail(
            at,
            format!("read an expectation: expected exactly one of {forms}"),
        );
        return None;
    };
    let value = entries.remove(form)?;
    match form {
        "bits" => {
            let output = outputs(reader, request, value.at);
            let output = output.and_then(|forms| reader.tensor("bits", forms.first()?, value));
            let more = further_outputs(reader, request, entries, at);
            Some(Expectation::Bits(Bits {
                output: output?,
                more: more?,
            }))
        }
        "digest" => {
            let digested = digested(reader, request, value);
            let more = further_outputs(reader, request, entries, at);
            Some(Expectation::Digest(Digested {
                more: more?,
                ..digested?
            }))
        }
        _ => {
            for (name, value) in entries
                .iter()
                .filter(|(name, _)| further.contains(&name.as_str()))
            {
                reader.fail(
                    value.at,
                    format!("use `{name}` here: expected it only beside bits or digest"),
                );
            }
            let text = reader.read::<String>(form, value)?;
            if form == "rejected" {
                let kind = reader.one_of::<ErrorKind>("the kind of a rejection", &text);
                return kind.map(Expectation::Rejected);
            }
            match text.value.as_str() {
                "oracle" => Some(Expectation::Oracle),
                "statistics" => Some(Expectation::Statistical),
                "readings" => Some(Expectation::Unspecified),
                other => {
                    let message = format!("read `by: {other}`: expected one of oracle, statistics, readings");
                    reader.fail(text.at, message);
                    None
                }
            }
        }
    }
}

/// The forms of the outputs, which bits and digests need.
fn outputs(reader: &mut Reader<'_>, request: &Request, at: Position) -> Option<Vec<OutputForm>> {
    let forms = request.output_forms();
    if forms.is_none() {
        reader.fail(
            at,
            "know the type and shape of this output, which the request does not say: expected `rejected`",
        );
    }
    forms
}

/// The outputs after the first, each under its name.
fn further_outputs(
    reader: &mut Reader<'_>,
    request: &Request,
    mut entries: Entries,
    at: Position,
) -> Option<Vec<Tensor>> {
    let forms = request.output_forms()?;
    let further = request.outputs().into_iter().zip(forms).skip(1);
    let tensors: Vec<Option<Tensor>> = further
        .map(|(info, form)| {
            let name = info.name;
            let Some(value) = entries.remove(name) else {
                reader.fail(
                    at,
                    format!("find `{name}` beside the first output: expected it, as the request asks for it"),
                );
                return None;
            };
            reader.tensor(name, &form, value)
        })
        .collect();
    tensors.into_iter().collect()
}

fn digested(reader: &mut Reader<'_>, request: &Request, value: At<Value>) -> Option<Digested> {
    let at = value.at;
    let mut entries = reader.entries("`digest`", value, &["first", "last"], &["chunks", "whole"])?;
    let forms = outputs(reader, request, at)?;
    let (dtype, dims) = forms.first()?;
    let count = reader.shape(dims, at)?.count();
    let first = end(reader, &mut entries, "first", *dtype, count);
    let last = end(reader, &mut entries, "last", *dtype, count);
    let sums = match (entries.contains_key("chunks"), entries.remove("whole")) {
        (true, None) => {
            let chunks = reader.take_all::<String>(&mut entries, "chunks")?;
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
        (false, Some(whole)) => {
            let whole = reader.read::<String>("whole", whole)?;
            sha256(reader, &whole).map(OutputDigest::Whole)
        }
        _ => {
            reader.fail(at, "read a digest: expected exactly one of chunks, whole");
            None
        }
    };
    Some(Digested {
        digest: sums?,
        first: first?,
        last: last?,
        more: Vec::new(),
    })
}

/// The first or the last elements of an output of `count`.
fn end(
    reader: &mut Reader<'_>,
    entries: &mut Entries,
    key: &str,
    dtype: Dtype,
    count: usize,
) -> Option<Vec<Scalar>> {
    let list = reader.take::<List>(entries, key)?;
    let (length, expected) = (list.value.len(), count.min(SHOWN_AT_EITHER_END));
    if length != expected {
        reader.fail(
            list.at,
            format!("read {length} elements of `{key}` of {count}: expected {expected}"),
        );
        return None;
    }
    reader.scalars(dtype, &list.value)
}

fn sha256(reader: &mut Reader<'_>, text: &At<String>) -> Option<[u8; 32]> {
    let bytes = HEXLOWER.decode(text.value.as_bytes()).ok();
    let sum = bytes.and_then(|bytes| bytes.try_into().ok());
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

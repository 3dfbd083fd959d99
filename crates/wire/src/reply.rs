//! Converts answers to reply messages and back.

use std::time::Duration;

use seedproof_ops::{
    Digest, ErrorKind, Failure, Named, OpError, OutputInfo, Request, Response, Tensor, Value, Want, shortened,
};
use serde::Deserialize;

use crate::framing::{Framing, Limits, MAX_HEADER, Message, Outgoing, quote};
use crate::message::{ErrorReply, OkReply, Probe, RejectedReply, UnsupportedReply, to_json};
use crate::request::output_bytes;
use crate::strict::{Fields, Object};
use crate::tensor::Writer;
use crate::tensor_reader::{Flaw, Reader, digest};

/// An `ok` reply with the requested part of the first output and the further outputs whole. The caller has checked that
/// a window lies inside the output.
pub(crate) fn encode_ok<'a>(
    framing: Framing,
    seq: u64,
    infos: &[&'static OutputInfo],
    first: &Shown<'a>,
    more: &'a [Tensor],
    elapsed: Duration,
) -> Outgoing<'a> {
    let mut writer = Writer::new(framing);
    let mut outputs = vec![match first {
        Shown::Full(tensor) => writer.tensor(tensor),
        Shown::Digest(digest) => Writer::digest(digest),
        Shown::Window(tensor, start, count) => writer.window(tensor, *start, *count),
    }];
    outputs.extend(more.iter().map(|tensor| writer.tensor(tensor)));
    let names = infos.iter().map(|info| info.name.into());
    let header = to_json(&OkReply {
        seq,
        status: "ok".into(),
        outputs: Fields(names.zip(outputs.into_iter().map(Object)).collect()),
        elapsed_ns: u64::try_from(elapsed.as_nanos()).ok(),
    });
    Outgoing {
        header,
        parts: writer.parts,
    }
}

/// The part of the first output that a reply contains.
pub(crate) enum Shown<'a> {
    Full(&'a Tensor),
    Digest(Digest),
    /// The output, the index of the window's first element, and the number of its elements.
    Window(&'a Tensor, usize, usize),
}

/// A reply without outputs. Without a sequence number it can only be an `error`.
pub(crate) fn encode_failure(seq: Option<u64>, failure: Failure) -> Outgoing<'static> {
    // A panic may say anything, but the harness reads at most 1 MiB beside the outputs: hence `shortened`.
    let header = match (seq, failure) {
        (Some(seq), Failure::Rejected(error)) => to_json(&RejectedReply {
            seq,
            status: "rejected".into(),
            kind: error.kind.map(|kind| kind.name().to_owned()),
            reason: shortened(&error.message).into_owned(),
        }),
        (Some(seq), Failure::Unsupported(reason)) => to_json(&UnsupportedReply {
            seq,
            status: "unsupported".into(),
            reason: shortened(&reason).into_owned(),
            issue: None,
        }),
        // The wire has one status for everything else. Timeouts, crashes and broken protocols are what a harness finds,
        // and are not for an adapter to report.
        (seq, failure) => {
            let message = match failure {
                Failure::Broken(fault) => fault.message,
                other => other.to_string(),
            };
            to_json(&ErrorReply {
                seq,
                status: "error".into(),
                message: shortened(&message).into_owned(),
                trace: None,
            })
        }
    };
    Outgoing {
        header,
        parts: Vec::new(),
    }
}

/// A decoded reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) result: Result<Value, Failure>,
    /// The stack trace or similar text that came with an `error`.
    pub(crate) trace: Option<String>,
}

/// The question to which a reply is expected.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) seq: u64,
    pub(crate) want: Want,
    pub(crate) outputs: Vec<&'static OutputInfo>,
}

/// The most bytes that are read of a reply: the requested outputs in the given framing, and 1 MiB for the rest.
pub(crate) fn limits(framing: Framing, request: &Request, want: Want, max_body: u64) -> Limits {
    let forms = request.output_forms().unwrap_or_default();
    let (first, more) = forms.split_at(forms.len().min(1));
    let shown = match want {
        Want::Full => output_bytes(first),
        // A chunk of 65,536 elements is at least 2^16 bytes of output and 67 bytes of reply: 64 digits, quotes and a
        // comma. 2^16 >> 9 is 128, the least power of two that holds them.
        Want::Digest => output_bytes(first) >> 9,
        // No element type is wider than 8 bytes.
        Want::Window { count, .. } => u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(8),
    };
    let bytes = shown.saturating_add(output_bytes(more));
    let bytes = bytes.min(max_body);
    let written = match framing {
        Framing::Lines => bytes.saturating_mul(2),
        Framing::Frames => bytes,
    };
    Limits {
        message: written.saturating_add(MAX_HEADER),
        body: max_body,
    }
}

/// Decodes the reply to a question.
///
/// # Errors
/// How the reply breaks the protocol.
pub(crate) fn decode(framing: Framing, message: Message, asked: &Asked) -> Result<Reply, String> {
    let Message { header, body } = message;
    let probe = Probe::of(&header).map_err(|error| {
        format!(
            "read a reply: {error}; it begins with {}: does the program print to stdout?",
            quote(&header)
        )
    })?;
    let status = probe.status().unwrap_or_default();
    // One request is in flight at a time, so an `error` without a number can only mean that one: the adapter
    // could not parse it far enough to know its number. Any other reply must repeat the number, or a late reply
    // would answer the next request.
    if probe.seq() != Some(asked.seq) && !(status == "error" && probe.seq().is_none()) {
        let seq = probe
            .seq()
            .map_or_else(|| "none".to_owned(), |seq| seq.to_string());
        return Err(format!(
            "read a reply: its seq is {seq} where {} was asked",
            asked.seq
        ));
    }
    let mut tensors = Reader::new(framing, body);
    let (result, trace) = match status.as_str() {
        "ok" => (Ok(value(&object(&header)?, tensors, asked)?), None),
        "rejected" => {
            // Without outputs the body must be empty.
            tensors.finish()?;
            let reply: RejectedReply<'_> = object(&header)?;
            let kind = reply.kind.as_deref().map(kind).transpose()?;
            (
                Err(Failure::Rejected(OpError {
                    kind,
                    message: reply.reason,
                })),
                None,
            )
        }
        "unsupported" => {
            tensors.finish()?;
            let reply: UnsupportedReply<'_> = object(&header)?;
            let issue = reply.issue.map(|issue| format!(" ({issue})")).unwrap_or_default();
            (Err(Failure::Unsupported(reply.reason + &issue)), None)
        }
        "error" => {
            tensors.finish()?;
            let reply: ErrorReply<'_> = object(&header)?;
            (Err(Failure::error(reply.message)), reply.trace)
        }
        _ => {
            return Err(format!(
                "read a reply: it has no status that is known; it begins with {}",
                quote(&header)
            ));
        }
    };
    Ok(Reply { result, trace })
}

fn object<'a, T: Deserialize<'a>>(header: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice::<Object<T>>(header)
        .map(|object| object.0)
        .map_err(|error| format!("read a reply: {error}; it begins with {}", quote(header)))
}

fn kind(name: &str) -> Result<ErrorKind, String> {
    let known = ErrorKind::ALL.iter().find(|kind| kind.name() == name);
    known.copied().ok_or_else(|| {
        let names: Vec<_> = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
        format!(
            "read a reply: `{name}` is not a kind of rejection ({})",
            names.join(", ")
        )
    })
}

fn value(reply: &OkReply<'_>, mut tensors: Reader, asked: &Asked) -> Result<Value, String> {
    let found = &reply.outputs;
    let known = |name: &str| asked.outputs.iter().any(|info| info.name == name);
    if let Some((name, _)) = found.0.iter().find(|(name, _)| !known(name)) {
        return Err(format!("read a reply: the output `{name}` was not asked for"));
    }
    let mut wanted = asked.outputs.iter().map(|info| {
        let missing = || format!("read a reply: the output `{}` is missing", info.name);
        found.get(info.name).map(|tensor| &tensor.0).ok_or_else(missing)
    });
    let first = wanted.next().ok_or("read a reply: no output was asked for")??;
    // The first output is decoded last, since it may take over the buffer of the body.
    let more = wanted
        .map(|tensor| tensors.tensor(tensor?).map_err(Flaw::message))
        .collect::<Result<Vec<_>, _>>()?;
    match asked.want {
        Want::Full => Ok(Value::Full(Response {
            output: tensors.last(first, None)?,
            more,
        })),
        Want::Digest => {
            tensors.finish()?;
            digest(first).map(|digest| Value::Digest(digest, more))
        }
        Want::Window { start, count } => tensors.last(first, Some([start, count])).map(Value::Window),
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;

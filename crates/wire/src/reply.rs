//! Replies: from the vocabulary of ops to messages and back.

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

/// An `ok` reply: what is shown of the first of these outputs, and the further ones.
///
/// A window lies within the output: the caller has looked.
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

/// How much of an output a reply shows.
pub(crate) enum Shown<'a> {
    /// All of it.
    Full(&'a Tensor),
    /// Its digest.
    Digest(Digest),
    /// So many elements from an index on.
    Window(&'a Tensor, usize, usize),
}

/// A reply without a value. Without a sequence number it can only be an `error`.
pub(crate) fn encode_failure(seq: Option<u64>, failure: Failure) -> Outgoing<'static> {
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

/// A reply that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The value, the rejection, or no answer.
    pub(crate) result: Result<Value, Failure>,
    /// Where the implementation went wrong, in its own words.
    pub(crate) trace: Option<String>,
}

/// What a reply must answer.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) seq: u64,
    pub(crate) want: Want,
    /// The outputs that were asked for.
    pub(crate) outputs: Vec<&'static OutputInfo>,
}

/// How much of a reply is read: what was asked for, as the framing writes it, and 1 MiB.
pub(crate) fn limits(framing: Framing, request: &Request, want: Want, max_body: u64) -> Limits {
    let forms = request.output_forms().unwrap_or_default();
    let (first, more) = forms.split_at(forms.len().min(1));
    let shown = match want {
        Want::Full => output_bytes(first),
        // A chunk of 65,536 elements is at least 2^16 bytes of output, and 64 digits with their punctuation.
        Want::Digest => output_bytes(first) >> 9,
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

/// Reads a reply to what was asked.
///
/// # Errors
/// How it breaks the protocol.
pub(crate) fn decode(framing: Framing, message: Message, asked: &Asked) -> Result<Reply, String> {
    let Message { header, body } = message;
    let probe = Probe::of(&header).map_err(|error| {
        format!(
            "read a reply: {error}; it begins with {}: does the program print to stdout?",
            quote(&header)
        )
    })?;
    let status = probe.status().unwrap_or_default();
    if probe.seq() != Some(asked.seq) && !(status == "error" && probe.seq().is_none()) {
        let seq = probe
            .seq()
            .map_or_else(|| "none".to_owned(), |seq| seq.to_string());
        return Err(format!(
            "read a reply: its seq is {seq} where {} was asked",
            asked.seq
        ));
    }
    let tensors = Reader::new(framing, body);
    let (result, trace) = match status.as_str() {
        "ok" => (Ok(value(&object(&header)?, tensors, asked)?), None),
        "rejected" => {
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
            "read a reply: `{name}` is no kind of rejection ({})",
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

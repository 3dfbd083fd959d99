//! Replies: from the vocabulary of ops to messages and back.

use std::time::Duration;

use seedproof_ops::{Digest, ErrorKind, Failure, Named, OpError, Response, Tensor, Value};
use serde::Deserialize;

use crate::framing::{Framing, Message, Outgoing, quote};
use crate::message::{ErrorReply, OkReply, Outputs, Probe, RejectedReply, UnsupportedReply, Want, to_json};
use crate::strict::Object;
use crate::tensor::{Flaw, Reader, WireTensor, Writer, digest};

/// An `ok` reply.
///
/// A window lies within the output: the caller has looked.
pub(crate) fn encode_ok<'a>(
    framing: Framing,
    seq: u64,
    output: Shown<'a>,
    more: &[(&'static str, &'a Tensor)],
    elapsed: Duration,
) -> Outgoing<'a> {
    let mut writer = Writer::new(framing);
    let output = match output {
        Shown::Full(tensor) => writer.tensor(tensor),
        Shown::Digest(digest) => Writer::digest(&digest),
        Shown::Window(tensor, start, count) => writer.window(tensor, start, count),
    };
    let header = to_json(&OkReply {
        seq,
        status: "ok".into(),
        outputs: Object(Outputs {
            output: Object(output),
            output_state: more.first().map(|(_, state)| Object(writer.tensor(state))),
        }),
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
            reason: error.message,
        }),
        (Some(seq), Failure::Unsupported(reason)) => to_json(&UnsupportedReply {
            seq,
            status: "unsupported".into(),
            reason,
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
                message,
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
    /// The names of the further outputs that were asked for.
    pub(crate) more: Vec<&'static str>,
}

/// Reads a reply to what was asked.
///
/// # Errors
/// How it breaks the protocol.
pub(crate) fn decode(framing: Framing, message: Message, asked: Asked) -> Result<Reply, String> {
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
        "ok" => (Ok(value(object(&header)?, tensors, asked)?), None),
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

fn value(reply: OkReply<'_>, mut tensors: Reader, asked: Asked) -> Result<Value, String> {
    let Outputs {
        output: Object(output),
        output_state,
    } = reply.outputs.0;
    let more = match output_state {
        Some(_) if asked.more.is_empty() => {
            return Err("read a reply: `output_state` was not asked for".into());
        }
        state => state
            .map(|state| tensors.tensor(&state.0))
            .transpose()
            .map_err(Flaw::message)?
            .into_iter()
            .collect(),
    };
    let whole = |tensors: Reader, output: &WireTensor<'_>| tensors.last_tensor(output).map_err(Flaw::message);
    match asked.want {
        Want::Full => Ok(Value::Full(Response {
            output: whole(tensors, &output)?,
            more,
        })),
        Want::Digest => {
            tensors.finish()?;
            digest(&output).map(|digest| Value::Digest(digest, more))
        }
        Want::Window(window) => tensors
            .last_window(&output, window)
            .map(Value::Window)
            .map_err(Flaw::message),
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;

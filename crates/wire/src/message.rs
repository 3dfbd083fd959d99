//! The protocol's messages as JSON has them. Conversions to and from the vocabulary of ops are elsewhere
//! (`request`, `reply`, `capabilities`); here are only the fields.
//!
//! The protocol is closed: an unknown field is an error, on both sides.

use std::borrow::Cow;

use seedproof_ops::Want;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::framing::Framing;
use crate::strict::{Fields, Object, nullable, present, want};
use crate::tensor::WireTensor;

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u64 = 1;

/// As much of a message as says what it is. Everything else is looked at once that is known.
#[derive(Deserialize)]
pub(crate) struct Probe<'a> {
    #[serde(borrow)]
    cmd: Option<&'a RawValue>,
    #[serde(borrow)]
    seq: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
}

impl<'a> Probe<'a> {
    /// Looks at a message.
    ///
    /// # Errors
    /// If it is no JSON object, or names one of these fields twice.
    pub(crate) fn of(message: &'a [u8]) -> serde_json::Result<Self> {
        serde_json::from_slice::<Object<Self>>(message).map(|probe| probe.0)
    }

    /// The command, if there is one and it is text.
    pub(crate) fn cmd(&self) -> Option<String> {
        self.cmd.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// The sequence number, if there is one and it is a u64.
    pub(crate) fn seq(&self) -> Option<u64> {
        self.seq.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// The status of a reply, if there is one and it is text.
    pub(crate) fn status(&self) -> Option<String> {
        self.status.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }
}

/// The harness's first message.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hello<'a> {
    #[serde(borrow)]
    pub(crate) cmd: Cow<'a, str>,
    pub(crate) protocol: u64,
    #[serde(borrow)]
    pub(crate) harness: Cow<'a, str>,
    pub(crate) max_body: u64,
}

/// The harness's last message.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bye<'a> {
    #[serde(borrow)]
    pub(crate) cmd: Cow<'a, str>,
}

/// The adapter's first message.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HelloReply {
    pub(crate) protocol: u64,
    pub(crate) framing: Framing,
    pub(crate) implementation: Object<Implementation>,
    pub(crate) capabilities: Vec<Map<String, Value>>,
}

/// What an adapter says of the implementation behind it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language that it is written in.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What it computes on.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Where to read about it.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// Where to report what is wrong with it.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub issues: Option<String>,
}

/// A request. What `attrs` and `inputs` have depends on the op.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run<'a> {
    #[serde(borrow)]
    pub(crate) cmd: Cow<'a, str>,
    pub(crate) seq: u64,
    #[serde(borrow, default)]
    pub(crate) case: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) op: Cow<'a, str>,
    pub(crate) attrs: Fields<Value>,
    #[serde(borrow)]
    pub(crate) inputs: Fields<Object<WireTensor<'a>>>,
    #[serde(default)]
    pub(crate) execution: u32,
    #[serde(default, with = "want")]
    pub(crate) want: Want,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) deadline_ms: Option<u64>,
}

/// A value.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OkReply<'a> {
    pub(crate) seq: u64,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) outputs: Fields<Object<WireTensor<'a>>>,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) elapsed_ns: Option<u64>,
}

/// A refusal of an invalid request.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RejectedReply<'a> {
    pub(crate) seq: u64,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
    pub(crate) reason: String,
}

/// A request that the implementation cannot answer.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnsupportedReply<'a> {
    pub(crate) seq: u64,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    pub(crate) reason: String,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) issue: Option<String>,
}

/// A request that could not be answered or did not parse. `seq` is null where there was none to read.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorReply<'a> {
    #[serde(deserialize_with = "nullable")]
    pub(crate) seq: Option<u64>,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    pub(crate) message: String,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<String>,
}

/// A message's JSON.
pub(crate) fn to_json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("no message has a map with keys that are not text")
}

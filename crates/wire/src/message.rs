//! The fields of the protocol's JSON messages. Conversions to and from the types of `seedproof_ops` are in `request`,
//! `reply` and `capabilities`.
//!
//! The protocol is closed: an unknown field is an error on both sides, so that a misspelt one is noticed. Strings are
//! `Cow`s, borrowed from the message unless they have escapes, since the hex of a tensor can be 512 MiB long.

use std::borrow::Cow;

use seedproof_ops::Want;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::framing::Framing;
use crate::strict::{self, Fields, Object, nullable, present, want};
use crate::tensor::WireTensor;

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u64 = 1;

/// The three fields that tell which kind of message this is. The others are parsed once the kind is known.
///
/// The values are kept raw. If `seq` were a `u64` here, a message with a negative one would not parse at all, and the
/// error could not name its command.
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
    /// Parses the three fields of a message.
    ///
    /// # Errors
    /// If the message is not a JSON object, or has one of these fields twice.
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
    #[serde(deserialize_with = "strict::objects")]
    pub(crate) capabilities: Vec<Map<String, Value>>,
}

/// What an adapter says about the implementation behind it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// The name, from which the backend's id is made.
    pub name: String,
    /// The version, in whatever form the implementation uses.
    pub version: String,
    /// The programming language.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The device that computes, such as `NPU 3`.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The address of its documentation.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// The address where bugs are reported.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub issues: Option<String>,
}

/// A request. The fields of `attrs` and `inputs` depend on the op, so `request` checks them against its description.
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

/// A reply with outputs.
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

/// The op forbids this request.
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

/// The op may allow this request, but the implementation cannot answer it.
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

/// The request failed or did not parse. `seq` is null where none could be read.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorReply<'a> {
    // Required although it may be null: an adapter that forgets `seq` in its errors should hear about it.
    #[serde(deserialize_with = "nullable")]
    pub(crate) seq: Option<u64>,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    pub(crate) message: String,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<String>,
}

pub(crate) fn to_json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("all keys of messages are strings")
}

//! The protocol's messages as JSON has them. Conversions to and from the vocabulary of ops are elsewhere
//! (`request`, `reply`, `capabilities`); here are only the fields.
//!
//! The protocol is closed: an unknown field is an error, on both sides.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::framing::Framing;
use crate::strict::{Decimal, Object, nullable, present};
use crate::tensor::WireTensor;

/// As much of a message as tells what it is. Everything else is looked at once that is known.
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
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub language: Option<String>,
    /// What it computes on.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub device: Option<String>,
    /// Where to read about it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub homepage: Option<String>,
    /// Where to report what is wrong with it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub issues: Option<String>,
}

/// How much of the output is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Want {
    /// All elements.
    #[default]
    Full,
    /// SHA-256 per chunk of elements.
    Digest,
    /// First element and number of elements, row-major.
    Window([u64; 2]),
}

impl From<seedproof_ops::Want> for Want {
    fn from(want: seedproof_ops::Want) -> Self {
        match want {
            seedproof_ops::Want::Full => Self::Full,
            seedproof_ops::Want::Digest => Self::Digest,
            seedproof_ops::Want::Window { start, count } => {
                Self::Window([start, count].map(|n| u64::try_from(n).unwrap_or(u64::MAX)))
            }
        }
    }
}

/// A request. `A` and `I` are an op's attributes and inputs; a reader that does not know the op yet takes them raw.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run<'a, A, I> {
    #[serde(borrow)]
    pub(crate) cmd: Cow<'a, str>,
    pub(crate) seq: u64,
    #[serde(borrow, default)]
    pub(crate) case: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) op: Cow<'a, str>,
    pub(crate) attrs: A,
    pub(crate) inputs: I,
    #[serde(default)]
    pub(crate) execution: u32,
    #[serde(default)]
    pub(crate) want: Want,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) deadline_ms: Option<u64>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RandomUniformAttrs<'a> {
    #[serde(borrow)]
    pub(crate) output_type: Cow<'a, str>,
    pub(crate) global_seed: Decimal,
    pub(crate) op_seed: Decimal,
    #[serde(borrow)]
    pub(crate) alignment: Cow<'a, str>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RandomUniformInputs<'a> {
    #[serde(borrow)]
    pub(crate) shape: Object<WireTensor<'a>>,
    #[serde(borrow)]
    pub(crate) minval: Object<WireTensor<'a>>,
    #[serde(borrow)]
    pub(crate) maxval: Object<WireTensor<'a>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MultinomialAttrs<'a> {
    #[serde(borrow)]
    pub(crate) convert_type: Cow<'a, str>,
    pub(crate) with_replacement: bool,
    pub(crate) log_probs: bool,
    pub(crate) global_seed: Decimal,
    pub(crate) op_seed: Decimal,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MultinomialInputs<'a> {
    #[serde(borrow)]
    pub(crate) probs: Object<WireTensor<'a>>,
    #[serde(borrow)]
    pub(crate) num_samples: Object<WireTensor<'a>>,
    #[serde(
        borrow,
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) draws: Option<Object<WireTensor<'a>>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DmlAttrs<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) generator: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) feature_level: Cow<'a, str>,
    pub(crate) output_sizes: Vec<u64>,
    pub(crate) output_state: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DmlInputs<'a> {
    #[serde(borrow)]
    pub(crate) input_state: Object<WireTensor<'a>>,
}

/// A value.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OkReply<'a> {
    pub(crate) seq: u64,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) outputs: Object<Outputs<'a>>,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) elapsed_ns: Option<u64>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outputs<'a> {
    #[serde(borrow)]
    pub(crate) output: Object<WireTensor<'a>>,
    #[serde(
        borrow,
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) output_state: Option<Object<WireTensor<'a>>>,
}

/// A refusal of an invalid request.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RejectedReply<'a> {
    pub(crate) seq: u64,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
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
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
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
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) trace: Option<String>,
}

/// A message's JSON.
pub(crate) fn to_json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("no message has a map with keys that are not text")
}

//! Converts requests to `run` messages and back.
//!
//! The backend decides whether a request is valid. Only three things are refused here: messages that do not parse,
//! element types that do not exist, and unknown ops.

use std::collections::BTreeMap;

use seedproof_ops::{Attribute, ErrorKind, Failure, Named, OpName, OutputForm, Request, Want};

use crate::attribute;
use crate::framing::{Framing, Outgoing, quote};
use crate::message::{Run, to_json};
use crate::strict::{Fields, Object};
use crate::tensor::Writer;
use crate::tensor_reader::{Flaw, Reader};

/// The fields of a `run` message that are not part of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope<'a> {
    pub(crate) seq: u64,
    pub(crate) case: &'a str,
    pub(crate) want: Want,
    pub(crate) deadline_ms: u64,
}

/// A `run` message.
pub(crate) fn encode<'a>(framing: Framing, envelope: Envelope<'_>, request: &'a Request) -> Outgoing<'a> {
    let mut writer = Writer::new(framing);
    let attrs = request.attributes().into_iter();
    let inputs = request.inputs().into_iter();
    let header = to_json(&Run {
        cmd: "run".into(),
        seq: envelope.seq,
        case: envelope.case.into(),
        op: request.op().name().into(),
        attrs: Fields(
            attrs
                .map(|(info, value)| (info.name.into(), attribute::encode(&value)))
                .collect(),
        ),
        inputs: Fields(
            inputs
                .map(|(info, tensor)| (info.name.into(), Object(writer.tensor(tensor))))
                .collect(),
        ),
        execution: request.execution(),
        want: envelope.want,
        deadline_ms: Some(envelope.deadline_ms),
    });
    Outgoing {
        header,
        parts: writer.parts,
    }
}

/// The request of a `run` message.
///
/// # Errors
/// [`Failure::Broken`] if the message does not parse, [`Failure::Rejected`] for an unknown element type,
/// [`Failure::Unsupported`] for an unknown op.
pub(crate) fn decode(run: &Run<'_>, mut tensors: Reader) -> Result<Request, Failure> {
    let Some(op) = Attribute::<OpName>::parse(&run.op).known() else {
        // Unsupported rather than an error: a newer harness may know more ops than this program.
        return Err(Failure::Unsupported(format!("no op is called `{}`", run.op)));
    };
    let description = op.description();
    let names: Vec<_> = description
        .attributes
        .iter()
        .map(|info| (info.name, info.required))
        .collect();
    check("attrs", &run.attrs, &names)?;
    let names: Vec<_> = description
        .inputs
        .iter()
        .map(|info| (info.name, info.required))
        .collect();
    check("inputs", &run.inputs, &names)?;

    // From here on the order is that of the op's description, not of the message, so that a request with two faults is
    // refused for the same one in whatever order its fields were written.
    let mut attributes = BTreeMap::new();
    for info in description.attributes {
        let Some(json) = run.attrs.get(info.name) else {
            continue;
        };
        let value = attribute::decode(info.kind, json).ok_or_else(|| {
            let (form, found) = (attribute::form(info.kind), quote(json.to_string().as_bytes()));
            Failure::error(format!("read attrs: `{}` is {form}, not {found}", info.name))
        })?;
        attributes.insert(info.name, value);
    }
    let mut inputs = BTreeMap::new();
    let mut unknown = None;
    for info in description.inputs {
        match run.inputs.get(info.name).map(|tensor| tensors.tensor(&tensor.0)) {
            Some(Ok(tensor)) => drop(inputs.insert(info.name, tensor)),
            // Keep looking: another input that does not parse at all outweighs an unknown element type, since an
            // `error` must not be taken for the rejection that a case expects.
            Some(Err(Flaw::UnknownDtype(message))) => unknown = unknown.or(Some(message)),
            Some(Err(Flaw::Malformed(message))) => return Err(Failure::error(message)),
            None => {}
        }
    }
    tensors.finish().map_err(Failure::error)?;
    if let Some(message) = unknown {
        return Err(Failure::rejected(ErrorKind::Dtype, message));
    }
    Request::build(
        op,
        &mut |info| attributes.remove(info.name),
        &mut |info| inputs.remove(info.name),
        run.execution,
    )
    .map_err(|name| Failure::error(format!("read a request: it has no `{name}`")))
}

fn check<T>(part: &str, fields: &Fields<T>, names: &[(&str, bool)]) -> Result<(), Failure> {
    fields
        .check(names)
        .map_err(|error| Failure::error(format!("read {part}: {error}")))
}

/// The bytes that outputs of these forms take, or `u64::MAX` if the number does not fit.
pub(crate) fn output_bytes(forms: &[OutputForm]) -> u64 {
    let bytes = |(dtype, dims): &OutputForm| {
        let size = u64::try_from(dtype.size()).unwrap_or(u64::MAX);
        // Checked first: other extents of an empty output may overflow the product before the zero is reached.
        if dims.contains(&0) {
            0
        } else {
            dims.iter().fold(size, |bytes, &dim| bytes.saturating_mul(dim))
        }
    };
    forms.iter().map(bytes).fold(0, u64::saturating_add)
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;

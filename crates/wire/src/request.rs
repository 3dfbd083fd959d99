//! Requests: from the vocabulary of ops to `run` messages and back.
//!
//! Whether a request is valid is for whoever runs it. What is found here is what does not parse, and the element
//! types and ops that the vocabulary has no word for.

use seedproof_ops::{
    Attribute, DmlRandomGenerator, Dtype, Failure, Multinomial, Named, OpName, RandomUniform, Request, Tensor,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::framing::{Framing, Outgoing};
use crate::message::{
    DmlAttrs, DmlInputs, MultinomialAttrs, MultinomialInputs, RandomUniformAttrs, RandomUniformInputs, Run,
    Want, to_json,
};
use crate::strict::{Decimal, Object};
use crate::tensor::{Flaw, Reader, WireTensor, Writer};

/// What goes with a request.
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
    let header = match request {
        Request::RandomUniform(r) => {
            let attrs = RandomUniformAttrs {
                output_type: r.output_type.text().into(),
                global_seed: Decimal(r.global_seed),
                op_seed: Decimal(r.op_seed),
                alignment: r.alignment.text().into(),
            };
            let inputs = RandomUniformInputs {
                shape: Object(writer.tensor(&r.shape)),
                minval: Object(writer.tensor(&r.minval)),
                maxval: Object(writer.tensor(&r.maxval)),
            };
            run(envelope, request, attrs, inputs)
        }
        Request::Multinomial(r) => {
            let attrs = MultinomialAttrs {
                convert_type: r.convert_type.text().into(),
                with_replacement: r.with_replacement,
                log_probs: r.log_probs,
                global_seed: Decimal(r.global_seed),
                op_seed: Decimal(r.op_seed),
            };
            let inputs = MultinomialInputs {
                probs: Object(writer.tensor(&r.probs)),
                num_samples: Object(writer.tensor(&r.num_samples)),
                draws: r.draws.as_ref().map(|draws| Object(writer.tensor(draws))),
            };
            run(envelope, request, attrs, inputs)
        }
        Request::DmlRandomGenerator(r) => {
            let attrs = DmlAttrs {
                generator: r.generator.text().into(),
                feature_level: r.feature_level.text().into(),
                output_sizes: r.output_sizes.clone(),
                output_state: r.output_state,
            };
            let inputs = DmlInputs {
                input_state: Object(writer.tensor(&r.input_state)),
            };
            run(envelope, request, attrs, inputs)
        }
    };
    Outgoing {
        header,
        parts: writer.parts,
    }
}

fn run(envelope: Envelope<'_>, request: &Request, attrs: impl Serialize, inputs: impl Serialize) -> Vec<u8> {
    to_json(&Run {
        cmd: "run".into(),
        seq: envelope.seq,
        case: envelope.case.into(),
        op: request.op().name().into(),
        attrs,
        inputs,
        execution: request.execution(),
        want: envelope.want,
        deadline_ms: Some(envelope.deadline_ms),
    })
}

/// A `run` message whose op has not been looked at.
pub(crate) type RawRun<'a> = Run<'a, &'a RawValue, &'a RawValue>;

/// The request of a `run` message.
///
/// # Errors
/// [`Failure::Broken`] for what does not parse, [`Failure::Rejected`] for element types that no op knows,
/// [`Failure::Unsupported`] for an op of another name.
pub(crate) fn decode(run: &RawRun<'_>, mut tensors: Reader) -> Result<Request, Failure> {
    let Some(op) = Attribute::<OpName>::parse(&run.op).known() else {
        return Err(Failure::Unsupported(format!("no op is called `{}`", run.op)));
    };
    match op {
        OpName::RandomUniform => {
            let attrs: RandomUniformAttrs<'_> = object("attrs", run.attrs)?;
            let inputs: RandomUniformInputs<'_> = object("inputs", run.inputs)?;
            let [shape, minval, maxval] = all(
                &mut tensors,
                [&inputs.shape.0, &inputs.minval.0, &inputs.maxval.0],
            )?;
            Ok(Request::RandomUniform(RandomUniform {
                shape,
                minval,
                maxval,
                output_type: Attribute::parse(&attrs.output_type),
                global_seed: attrs.global_seed.0,
                op_seed: attrs.op_seed.0,
                alignment: Attribute::parse(&attrs.alignment),
                execution: run.execution,
            }))
        }
        OpName::Multinomial => {
            let attrs: MultinomialAttrs<'_> = object("attrs", run.attrs)?;
            let inputs: MultinomialInputs<'_> = object("inputs", run.inputs)?;
            let (probs, num_samples, draws) = if let Some(draws) = &inputs.draws {
                let [probs, num_samples, draws] =
                    all(&mut tensors, [&inputs.probs.0, &inputs.num_samples.0, &draws.0])?;
                (probs, num_samples, Some(draws))
            } else {
                let [probs, num_samples] = all(&mut tensors, [&inputs.probs.0, &inputs.num_samples.0])?;
                (probs, num_samples, None)
            };
            Ok(Request::Multinomial(Multinomial {
                probs,
                num_samples,
                draws,
                convert_type: Attribute::parse(&attrs.convert_type),
                with_replacement: attrs.with_replacement,
                log_probs: attrs.log_probs,
                global_seed: attrs.global_seed.0,
                op_seed: attrs.op_seed.0,
                execution: run.execution,
            }))
        }
        OpName::DmlRandomGenerator => {
            let attrs: DmlAttrs<'_> = object("attrs", run.attrs)?;
            let inputs: DmlInputs<'_> = object("inputs", run.inputs)?;
            let [input_state] = all(&mut tensors, [&inputs.input_state.0])?;
            Ok(Request::DmlRandomGenerator(DmlRandomGenerator {
                input_state,
                output_sizes: attrs.output_sizes,
                generator: Attribute::parse(&attrs.generator),
                feature_level: Attribute::parse(&attrs.feature_level),
                output_state: attrs.output_state,
            }))
        }
    }
}

fn object<'a, T: Deserialize<'a>>(what: &str, raw: &'a RawValue) -> Result<T, Failure> {
    serde_json::from_str::<Object<T>>(raw.get())
        .map(|object| object.0)
        .map_err(|error| Failure::error(format!("read {what}: {error}")))
}

/// All of some tensors. What does not parse in any of them comes before an unknown element type in another.
fn all<const N: usize>(tensors: &mut Reader, wire: [&WireTensor<'_>; N]) -> Result<[Tensor; N], Failure> {
    let read: Vec<Result<Tensor, Flaw>> = wire.into_iter().map(|tensor| tensors.tensor(tensor)).collect();
    let mut whole = Vec::with_capacity(N);
    let mut rejection = None;
    for tensor in read {
        match tensor.map_err(Flaw::rejection) {
            Ok(tensor) => whole.push(tensor),
            Err(Ok(error)) => rejection = rejection.or(Some(error)),
            Err(Err(message)) => return Err(Failure::error(message)),
        }
    }
    tensors.finish().map_err(Failure::error)?;
    match rejection {
        Some(error) => Err(Failure::Rejected(error)),
        None => Ok(whole.try_into().expect("each of the tensors was read")),
    }
}

/// Bytes that the request's outputs take, as far as the request says; 0 where it does not, `u64::MAX` where they
/// cannot be counted.
pub(crate) fn output_bytes(request: &Request) -> u64 {
    let integers = |tensor: &Tensor| -> Vec<u64> {
        let wide: Vec<i64> = match (tensor.elements::<i32>(), tensor.elements::<i64>()) {
            (Ok(narrow), _) => narrow.map(i64::from).collect(),
            (_, Ok(wide)) => wide.collect(),
            _ => vec![0],
        };
        wide.into_iter().map(|n| u64::try_from(n).unwrap_or(0)).collect()
    };
    let product = |dims: &[u64], size: u64| {
        if dims.contains(&0) {
            0
        } else {
            dims.iter().fold(size, |n, &dim| n.saturating_mul(dim))
        }
    };
    let size = |dtype: &Attribute<Dtype>| match dtype.known().map(Dtype::size) {
        Some(2) => 2,
        Some(4) => 4,
        _ => 8,
    };
    match request {
        Request::RandomUniform(r) => product(&integers(&r.shape), size(&r.output_type)),
        Request::Multinomial(r) => {
            let batch = r
                .probs
                .shape()
                .dims()
                .first()
                .map_or(1, |&n| u64::try_from(n).unwrap_or(u64::MAX));
            let samples = integers(&r.num_samples).first().copied().unwrap_or(0);
            product(&[batch, samples], size(&r.convert_type))
        }
        Request::DmlRandomGenerator(r) => {
            let state = if r.output_state {
                crate::framing::length(r.input_state.bytes())
            } else {
                0
            };
            product(&r.output_sizes, 4).saturating_add(state)
        }
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;

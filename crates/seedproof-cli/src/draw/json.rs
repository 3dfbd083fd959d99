//! What was drawn, as JSON.

use std::collections::BTreeMap;

use seedproof::judging::ad_hoc;
use seedproof_ops::{Failure, Request, Response, Scalar, Tensor};
use seedproof_report::CaseFacts;
use serde_json::{Map, Value, json};

use super::answer::{Drawn, Other, Shown};
use crate::elements::{bits, unit, words};

/// The request, the outputs as values and as bits, the stages, and the readings that draw otherwise.
pub(super) fn document(request: &Request, drawn: &Drawn, shown: Shown) -> String {
    let mut document = json!({
        "request": asked(request),
        "reading": drawn.reading,
        "random": drawn.is_random,
    });
    match &drawn.answer {
        Ok(response) => document["outputs"] = outputs(request, response, shown.elements),
        Err(Failure::Rejected(error)) => {
            let kind = error.kind.map(|kind| kind.to_string());
            document["rejected"] = json!({"kind": kind, "reason": error.message});
        }
        Err(_) => {}
    }
    if let (true, Some(stages)) = (shown.stages, &drawn.stages) {
        let count = stages.scaled.count().min(shown.elements);
        let element = |index| {
            let place = stages.place(index);
            json!({
                "words": words(stages, index).iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>(),
                "block": place.map(|(block, _)| block),
                "word": place.map(|(_, word)| word),
                "unit": unit(stages, index).map(scalar),
                "value": stages.scaled.get(index).map(scalar),
            })
        };
        document["stages"] = (0..count).map(element).collect();
    }
    let others = drawn.others.iter().map(|(name, other)| {
        let other = match other {
            Other::Same => json!({"draws": "the same"}),
            Other::Differs(response, differing) => {
                let mut value = json!({"draws": "otherwise", "differing": differing});
                if shown.others {
                    value["outputs"] = outputs(request, response, shown.elements);
                }
                value
            }
            Other::Rejects(reason) => json!({"draws": "rejects", "reason": reason}),
            Other::Unanswered(reason) => json!({"draws": "no answer", "reason": reason}),
        };
        (name.clone(), other)
    });
    document["readings"] = Value::Object(others.collect());
    if let Some(compared) = drawn.compared {
        document["compared"] = compared.into();
    }
    format!("{document}\n")
}

/// The request, with seeds as decimal text, as in the protocol.
fn asked(request: &Request) -> Value {
    let attributes: Map<String, Value> = request
        .attributes()
        .into_iter()
        .map(|(info, value)| (info.name.to_owned(), seedproof_wire::attribute(&value)))
        .collect();
    let inputs: BTreeMap<&str, Value> = request
        .inputs()
        .into_iter()
        .map(|(info, input)| (info.name, tensor(input, usize::MAX)))
        .collect();
    json!({
        "op": request.op().to_string(),
        "line": CaseFacts::of(&ad_hoc(request.clone())).line(),
        "attrs": attributes,
        "inputs": inputs,
        "execution": request.execution(),
    })
}

/// Outputs by their names.
fn outputs(request: &Request, response: &Response, most: usize) -> Value {
    let outputs = request.outputs().into_iter().zip(response.outputs());
    let outputs = outputs.map(|(info, output)| (info.name.to_owned(), tensor(output, most)));
    Value::Object(outputs.collect())
}

fn tensor(tensor: &Tensor, most: usize) -> Value {
    let texts = |write: fn(Scalar) -> String| tensor.scalars().take(most).map(write).collect::<Vec<_>>();
    json!({
        "dtype": tensor.dtype().name(),
        "shape": tensor.shape().dims(),
        "count": tensor.count(),
        "values": texts(Scalar::decimal),
        "bits": texts(bits),
    })
}

fn scalar(scalar: Scalar) -> Value {
    json!({"value": scalar.decimal(), "bits": bits(scalar)})
}

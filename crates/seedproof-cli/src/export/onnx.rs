//! Cases as tests of ONNX nodes: a model of one node, and its data sets.

use seedproof_convert::{OnnxAttribute, OnnxModel, OnnxValue, onnx_tensor};
use seedproof_corpus::Case;
use seedproof_ops::{AttributeValue, Dtype, OpName, Request, Tensor};
use seedproof_report::CaseFacts;

use super::answer::{Answer, Answered, Common};
use super::document::Indexed;
use super::folder::Folder;
use crate::exit::Error;

/// The reason of what has no form as a node.
pub(super) const NO_OP: &str = "of an op that ONNX does not have";

/// The inputs of this project's ops that are attributes of ONNX's. They are inputs here so that their bits travel.
const ATTRIBUTES: [&str; 5] = ["high", "low", "mean", "scale", "seed"];

/// The op set of a model that has no bfloat16: the first with all of the ops, and one for which every runtime has kernels.
/// ONNX Runtime has none for the random ops of op set 22.
const OPSET: i64 = 15;
/// The first op set whose random ops take bfloat16.
const OPSET_BF16: i64 = 22;
/// The op set that the drafts onnx/onnx#8161 and onnx/onnx#8420 are written for.
const OPSET_DRAFTS: i64 = 28;

/// The most outputs of one node. Each is a file.
const MOST_OUTPUTS: usize = 1024;

/// The most runs of one model. Each is a data set.
const MOST_RUNS: u32 = 64;

/// The name that ONNX has for the op of a case.
pub(super) fn name(case: &Case) -> Option<&'static str> {
    case.request.description().name.strip_prefix("onnx.")
}

/// A test that is not yet written.
pub(super) struct Test {
    model: Vec<u8>,
    inputs: Vec<(OnnxValue, Tensor)>,
    /// The outputs of each run.
    runs: Vec<Vec<(OnnxValue, Tensor)>>,
}

/// # Errors
/// Why the case is left out, as it reads after a number of cases.
pub(super) fn test(answered: &Answered<'_>, common: &Common<'_>) -> Result<Test, &'static str> {
    let case = answered.case;
    let op = name(case).ok_or(NO_OP)?;
    let Answer::Outputs(outputs) = &answered.answer else {
        return Err("refused, which a node test cannot express");
    };
    let mut attributes = attributes(&case.request)?;
    let mut inputs = Vec::new();
    for (info, tensor) in case.request.inputs() {
        if is_attribute(&case.request, info.name) {
            attributes.push((info.name, OnnxAttribute::Float(scalar(tensor)?)));
        } else {
            inputs.push((value(info.name, tensor), tensor.clone()));
        }
    }
    // Inputs add some of them. Sorting gives equal nodes equal bytes.
    attributes.sort_by_key(|(name, _)| *name);
    let mut runs = earlier_runs(&case.request, common)?;
    runs.push(self::outputs(case, outputs)?);
    let last = runs.last().expect("it was pushed");
    let model = OnnxModel {
        op,
        opset: opset(&case.request, outputs),
        attributes,
        inputs: inputs.iter().map(|(value, _)| value.clone()).collect(),
        outputs: last.iter().map(|(value, _)| value.clone()).collect(),
        doc: doc(case, common),
        metadata: metadata(answered, common),
    };
    Ok(Test {
        model: model.encode(),
        inputs,
        runs,
    })
}

impl Test {
    /// Writes the folder of the test.
    pub(super) fn write(&self, answered: &Answered<'_>, folder: &mut Folder) -> Result<Indexed, Error> {
        // ONNX asks for this beginning. Parts of an id are set apart by `/`, which no name of a folder has.
        let path = format!("test_{}", answered.case.id.as_str().replace('/', "__"));
        folder.write(&format!("{path}/model.onnx"), &self.model)?;
        // Without this file ONNX's own runner takes 1.001 for 1.
        folder.write(&format!("{path}/data.json"), b"{\"rtol\": 0, \"atol\": 0}\n")?;
        for (run, outputs) in self.runs.iter().enumerate() {
            for (role, tensors) in [("input", &self.inputs), ("output", outputs)] {
                for (index, (value, tensor)) in tensors.iter().enumerate() {
                    let file = format!("{path}/test_data_set_{run}/{role}_{index}.pb");
                    folder.write(&file, &onnx_tensor(&value.name, tensor))?;
                }
            }
        }
        Ok(Indexed::new(answered.case, &path))
    }
}

/// Of InitPRNG the seed is an input, whose generator state a graph computes.
fn is_attribute(request: &Request, input: &str) -> bool {
    request.op() != OpName::OnnxInitPrng && ATTRIBUTES.contains(&input)
}

const NO_NODE: &str = "that no node can ask";

fn attributes(request: &Request) -> Result<Vec<(&'static str, OnnxAttribute)>, &'static str> {
    let mut attributes = Vec::new();
    for (info, value) in request.attributes() {
        let integer = |number: i128| i64::try_from(number).map_err(|_| NO_NODE);
        attributes.push(match (info.name, value) {
            // A node of SplitPRNG has as many outputs instead.
            ("num_outputs", _) => continue,
            ("output_type", AttributeValue::Text(name)) => {
                ("dtype", OnnxAttribute::Dtype(name.parse().map_err(|_| NO_NODE)?))
            }
            ("output_sizes", AttributeValue::Extents(extents)) => {
                let extents = extents.into_iter().map(|extent| integer(extent.into()));
                (
                    "shape",
                    OnnxAttribute::Integers(extents.collect::<Result<_, _>>()?),
                )
            }
            (name, AttributeValue::Text(text)) => (name, OnnxAttribute::Text(text)),
            (name, AttributeValue::Number(number)) => (name, OnnxAttribute::Integer(integer(number)?)),
            _ => return Err(NO_NODE),
        });
    }
    Ok(attributes)
}

/// The element of a scalar f32.
fn scalar(tensor: &Tensor) -> Result<f32, &'static str> {
    let mut elements = tensor.elements::<f32>().map_err(|_| NO_NODE)?;
    match (tensor.shape().rank(), elements.next()) {
        (0, Some(element)) => Ok(element),
        _ => Err(NO_NODE),
    }
}

fn value(name: &str, tensor: &Tensor) -> OnnxValue {
    OnnxValue {
        name: name.to_owned(),
        dtype: tensor.dtype(),
        shape: tensor.shape().to_u64(),
    }
}

/// The outputs as a node has them: the states of SplitPRNG are an output each.
fn outputs(
    case: &Case,
    outputs: &[(&'static str, Tensor)],
) -> Result<Vec<(OnnxValue, Tensor)>, &'static str> {
    if case.request.op() != OpName::OnnxSplitPrng {
        let outputs = outputs.iter();
        return Ok(outputs
            .map(|(name, tensor)| (value(name, tensor), tensor.clone()))
            .collect());
    }
    let [(name, states)] = outputs else {
        return Err(NO_NODE);
    };
    if states.count() > 2 * MOST_OUTPUTS {
        return Err("with more outputs than a test keeps");
    }
    let words: Vec<i64> = states.elements().map_err(|_| NO_NODE)?.collect();
    let states = words.chunks_exact(2).enumerate().map(|(index, state)| {
        let tensor = Tensor::vector(state);
        (value(&format!("{name}_{index}"), &tensor), tensor)
    });
    Ok(states.collect())
}

/// The outputs of the runs of the model before that of the case: a data set is run after those before it.
fn earlier_runs(
    request: &Request,
    common: &Common<'_>,
) -> Result<Vec<Vec<(OnnxValue, Tensor)>>, &'static str> {
    let execution = request.execution();
    if execution >= MOST_RUNS {
        return Err("of a later run than a test repeats");
    }
    let backend = common.catalogue.reading(common.reading).ok_or(NO_NODE)?;
    let run = |execution| {
        let earlier = Request::build(
            request.op(),
            &mut |info| request.attribute(info.name),
            &mut |info| request.input(info.name).cloned(),
            execution,
        );
        let response = backend.run(&earlier.map_err(|_| NO_NODE)?);
        let response = response.map_err(|_| "without an answer to an earlier run")?;
        let names = request.outputs().into_iter().map(|info| info.name);
        let outputs = names.zip(response.outputs());
        Ok(outputs
            .map(|(name, tensor)| (value(name, tensor), tensor.clone()))
            .collect())
    };
    (0..execution).map(run).collect()
}

fn opset(request: &Request, outputs: &[(&str, Tensor)]) -> i64 {
    let is_draft = match request {
        Request::OnnxRandomUniform(request) => {
            request.generator.is_some() || request.seed_int64.is_some() || request.offset.is_some()
        }
        Request::OnnxInitPrng(_) | Request::OnnxSplitPrng(_) => true,
        _ => false,
    };
    let inputs = request.inputs();
    let tensors = inputs.iter().map(|(_, tensor)| *tensor);
    let mut tensors = tensors.chain(outputs.iter().map(|(_, tensor)| tensor));
    if is_draft {
        OPSET_DRAFTS
    } else if tensors.any(|tensor| tensor.dtype() == Dtype::Bf16) {
        OPSET_BF16
    } else {
        OPSET
    }
}

/// The documentation string of a model: the request and the source of the expected outputs.
fn doc(case: &Case, common: &Common<'_>) -> String {
    let mut doc = format!(
        "Seedproof's case {}: {}. The expected outputs are those of the reading {}.",
        case.id,
        CaseFacts::of(case).line(),
        common.reading
    );
    if let Some(note) = &case.note {
        doc.push_str(&format!(" {note}"));
    }
    if let Some(license) = common.license {
        doc.push_str(&format!(" License: {license}."));
    }
    doc
}

fn metadata(answered: &Answered<'_>, common: &Common<'_>) -> Vec<(&'static str, String)> {
    let case = answered.case;
    let registry = seedproof::registry();
    let clauses = case.clauses.iter().map(ToString::to_string);
    let sections = case.clauses.iter().filter_map(|name| {
        let clause = registry.clause(name)?;
        Some(format!("{}, {}", clause.document, clause.section))
    });
    let mut sections: Vec<String> = sections.collect();
    sections.sort();
    sections.dedup();
    let provenance = serde_json::to_string(&case.provenance).expect("a provenance is texts and numbers");
    let answer = if answered.computed { "computed" } else { "stated" };
    let mut metadata = vec![
        ("seedproof.case", case.id.to_string()),
        ("seedproof.reading", common.reading.to_owned()),
        ("seedproof.answer", answer.to_owned()),
        ("seedproof.provenance", provenance),
        ("seedproof.clauses", clauses.collect::<Vec<_>>().join(" ")),
        ("seedproof.documents", sections.join("; ")),
        ("seedproof.corpus", common.corpus.to_owned()),
    ];
    metadata.extend(common.license.map(|license| ("license", license.to_owned())));
    metadata
}

#[cfg(test)]
mod tests {
    use seedproof::judging::ad_hoc;
    use seedproof_ops::OnnxSplitPrng;

    use super::*;

    #[test]
    fn node_of_split_prng_has_1024_outputs_at_most() {
        let kept = |states: usize| {
            let case = ad_hoc(Request::OnnxSplitPrng(OnnxSplitPrng {
                num_outputs: i128::try_from(states).unwrap(),
                prng_state: Tensor::vector(&[0_i64, 1]),
                data: None,
            }));
            let words = Tensor::vector(&vec![0_i64; 2 * states]);
            outputs(&case, &[("split_prng_states", words)]).map(|states| states.len())
        };
        assert_eq!(kept(1024), Ok(1024));
        assert_eq!(kept(1025), Err("with more outputs than a test keeps"));
    }
}

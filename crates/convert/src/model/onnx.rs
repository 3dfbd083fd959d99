//! ONNX: the fields of `onnx.proto` that say what is random.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;

use super::found::{Found, Model};
use super::protobuf::decode;
use crate::source::{Framework, Source, Value};

#[derive(Clone, PartialEq, prost::Message)]
struct ModelProto {
    #[prost(message, optional, tag = "7")]
    graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "25")]
    functions: Vec<FunctionProto>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct OperatorSet {
    #[prost(string, tag = "1")]
    domain: String,
    #[prost(int64, tag = "2")]
    version: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    node: Vec<NodeProto>,
    #[prost(message, repeated, tag = "5")]
    initializer: Vec<TensorProto>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct FunctionProto {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "7")]
    node: Vec<NodeProto>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    output: Vec<String>,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(string, tag = "4")]
    op_type: String,
    #[prost(message, repeated, tag = "5")]
    attribute: Vec<AttributeProto>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct AttributeProto {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(float, tag = "2")]
    f: f32,
    #[prost(int64, tag = "3")]
    i: i64,
    #[prost(message, optional, boxed, tag = "5")]
    t: Option<Box<TensorProto>>,
    #[prost(message, optional, boxed, tag = "6")]
    g: Option<Box<GraphProto>>,
    #[prost(int64, repeated, tag = "8")]
    ints: Vec<i64>,
    #[prost(message, repeated, tag = "11")]
    graphs: Vec<GraphProto>,
    #[prost(int32, tag = "20")]
    kind: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct TensorProto {
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(int32, repeated, tag = "5")]
    int32_data: Vec<i32>,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "bytes", tag = "9")]
    raw_data: Bytes,
}

/// An attribute of type FLOAT.
const FLOAT: i32 = 1;

/// The element types that random ops may have, by their number.
fn kind(number: i64) -> &'static str {
    match number {
        1 => "f32",
        6 => "i32",
        7 => "i64",
        9 => "bool",
        10 => "f16",
        11 => "f64",
        16 => "bf16",
        _ => "unknown",
    }
}

pub(super) fn read(bytes: Vec<u8>) -> Result<Model, String> {
    let model: ModelProto = decode(bytes, "the ONNX model")?;
    let opset = model
        .opset_import
        .iter()
        .find(|set| set.domain.is_empty() || set.domain == "ai.onnx");
    let graph = model
        .graph
        .ok_or("failed to find a graph in the ONNX model: is it an ONNX file?")?;
    let mut found = Vec::new();
    graph_ops(&graph, "", &HashMap::new(), &mut found);
    for function in &model.functions {
        nodes(
            &function.node,
            &format!("{}/", function.name),
            &HashMap::new(),
            &mut found,
        );
    }
    Ok(Model {
        opset: opset.map_or(0, |set| set.version),
        found,
    })
}

/// Tensors of a graph that are known before it runs: whether the first element of each is true.
fn graph_ops<'a>(
    graph: &'a GraphProto,
    prefix: &str,
    outer: &HashMap<&'a str, bool>,
    found: &mut Vec<Found>,
) {
    let mut known = outer.clone();
    known.extend(
        graph
            .initializer
            .iter()
            .map(|tensor| (tensor.name.as_str(), is_true(tensor))),
    );
    nodes(&graph.node, prefix, &known, found);
}

fn is_true(tensor: &TensorProto) -> bool {
    tensor.raw_data.first().is_some_and(|&byte| byte != 0)
        || tensor.int32_data.first().is_some_and(|&number| number != 0)
}

fn nodes<'a>(nodes: &'a [NodeProto], prefix: &str, outer: &HashMap<&'a str, bool>, found: &mut Vec<Found>) {
    let mut known = outer.clone();
    for node in nodes {
        if let ("Constant", [output], Some(tensor)) = (
            node.op_type.as_str(),
            node.output.as_slice(),
            node.attribute.iter().find_map(|attribute| attribute.t.as_ref()),
        ) {
            known.insert(output, is_true(tensor));
        }
        let output = node.output.first().map_or("", String::as_str);
        let name = if node.name.is_empty() {
            output
        } else {
            node.name.as_str()
        };
        let name = format!("{prefix}{name}");
        found.extend(source(node, &known).map(|source| Found {
            name: name.clone(),
            source,
        }));
        for attribute in &node.attribute {
            for graph in attribute.g.as_deref().into_iter().chain(&attribute.graphs) {
                graph_ops(graph, &format!("{name}/"), &known, found);
            }
        }
    }
}

/// What a node asks, if it is random.
fn source(node: &NodeProto, known: &HashMap<&str, bool>) -> Option<Source> {
    let default = match node.op_type.as_str() {
        "RandomUniform" | "RandomNormal" | "RandomUniformLike" | "RandomNormalLike" | "Bernoulli" => "f32",
        "Multinomial" => "i32",
        // Dropout draws only in training mode, which is its third input.
        "Dropout"
            if node
                .input
                .get(2)
                .is_some_and(|name| known.get(name.as_str()).copied().unwrap_or(!name.is_empty())) =>
        {
            "f32"
        }
        _ => return None,
    };
    let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name == name);
    let extents: Option<Option<Vec<u64>>> = attribute("shape").map(|shape| {
        shape
            .ints
            .iter()
            .map(|&extent| u64::try_from(extent).ok())
            .collect()
    });
    let mut parameters = BTreeMap::new();
    for (name, whole) in [
        ("seed", false),
        ("low", false),
        ("high", false),
        ("mean", false),
        ("scale", false),
        ("sample_size", true),
    ] {
        if let Some(attribute) = attribute(name) {
            let value = if whole {
                Value::Integer(attribute.i)
            } else {
                Value::Real(attribute.f.into())
            };
            parameters.insert(name.to_owned(), value);
        }
    }
    if attribute("seed").is_some_and(|seed| seed.kind != 0 && seed.kind != FLOAT) {
        parameters.remove("seed");
    }
    Some(Source {
        framework: Framework::Onnxruntime,
        op: node.op_type.clone(),
        kind: attribute("dtype")
            .map_or(default, |dtype| kind(dtype.i))
            .to_owned(),
        shape: extents.flatten(),
        parameters,
    })
}

//! ONNX: the random ops of a graph, of its subgraphs, and of every call of the model's own functions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::found::{Found, Model};
use super::protobuf::decode;
use crate::source::{BETWEEN, Body, Framework, Source, Value, shortest};
use seedproof_ops::Scalar;

mod proto;
pub(super) mod write;

use proto::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfo, dtype, kind,
};

/// The numbers of the attribute types FLOAT and INT. Files from before 2017 leave the type out.
const FLOAT: i32 = 1;
const INT: i32 = 2;

/// The most nodes of called functions. Each call goes through the body of its function, so in a file of a kilobyte,
/// functions that call functions could make 2^64 calls.
const MAX_CALLED_NODES: usize = 1 << 20;
/// The most numbers of constants that random ops take. Each op has a copy of its own, so in a file of a megabyte, ops
/// that share a constant could have as many as its square.
const MAX_NUMBERS: usize = 1 << 20;
/// The most calls inside calls: each takes a frame of the stack.
const MAX_DEPTH: u32 = 64;

pub(super) fn read(bytes: Vec<u8>) -> Result<Model, String> {
    let model: ModelProto = decode(bytes, "the ONNX model")?;
    let opset = model
        .opset_import
        .iter()
        .find(|set| is_standard(&set.domain))
        .map_or(0, |set| set.version);
    let graph = model
        .graph
        .as_ref()
        .ok_or("failed to find a graph in the ONNX model: is it an ONNX file?")?;
    let mut reader = Reader {
        functions: model
            .functions
            .iter()
            .map(|function| {
                let FunctionProto {
                    domain,
                    name,
                    overload,
                    ..
                } = function;
                ((domain.as_str(), name.as_str(), overload.as_str()), function)
            })
            .collect(),
        called_nodes: 0,
        numbers: 0,
        without_rule: BTreeSet::new(),
        found: Vec::new(),
    };
    reader.graph(graph, Scope::default())?;
    Ok(Model {
        opset,
        producer: model.producer.clone(),
        without_rule: reader.without_rule,
        found: reader.found,
    })
}

fn is_standard(domain: &str) -> bool {
    matches!(domain, "" | "ai.onnx")
}

/// The names and tensors that a node can refer to.
#[derive(Default)]
struct Scope<'a, 's> {
    /// The graph around this one, whose tensors are visible here. Copies of them for each subgraph would
    /// take the square of the file.
    outer: Option<&'s Scope<'a, 's>>,
    /// The names of the nodes and calls around this graph, each followed by a slash.
    prefix: String,
    body: Option<Body>,
    /// The outermost function of the model's own whose body this is: `domain.name`.
    function: Option<Rc<str>>,
    /// Within a function, the attributes of its call.
    attributes: Attributes<'a>,
    /// Tensors that are known before the model runs.
    known: HashMap<&'a str, &'a TensorProto>,
    /// The element types and extents of tensors, as far as the model has them.
    types: HashMap<&'a str, TensorKind>,
    /// The values that a node or an initialiser of this graph makes, without those that only repeat an input.
    made: HashSet<&'a str>,
    /// The values that leave this graph, and those that a node takes.
    outputs: HashSet<&'a str>,
    taken: HashSet<&'a str>,
    depth: u32,
}

/// Attributes by their names.
type Attributes<'a> = Rc<HashMap<&'a str, &'a AttributeProto>>;

/// Element type and extents.
type TensorKind = (i32, Option<Vec<u64>>);

/// Adds the values that a node takes, also within its subgraphs.
fn taken<'a>(node: &'a NodeProto, all: &mut HashSet<&'a str>) {
    all.extend(node.input.iter().map(String::as_str));
    for attribute in &node.attribute {
        for graph in attribute.g.as_deref().into_iter().chain(&attribute.graphs) {
            all.extend(graph.output.iter().map(|value| value.name.as_str()));
            graph.node.iter().for_each(|node| taken(node, all));
        }
    }
}

impl<'a> Scope<'a, '_> {
    /// Whether a Dropout stands between nodes: ONNX Runtime 1.31 then removes it, unless its mask is used.
    fn is_between(&self, node: &NodeProto) -> bool {
        let is_made = node
            .input
            .first()
            .is_some_and(|input| self.made.contains(input.as_str()));
        let leaves = |output: &String| self.outputs.contains(output.as_str());
        let mask = node.output.get(1);
        is_made
            && !node.output.iter().any(leaves)
            && mask.is_none_or(|mask| mask.is_empty() || !self.taken.contains(mask.as_str()))
    }

    fn known(&self, name: &str) -> Option<&'a TensorProto> {
        self.known.get(name).copied().or_else(|| self.outer?.known(name))
    }

    fn kind(&self, name: &str) -> Option<&TensorKind> {
        self.types.get(name).or_else(|| self.outer?.kind(name))
    }
}

struct Reader<'a> {
    functions: HashMap<(&'a str, &'a str, &'a str), &'a FunctionProto>,
    called_nodes: usize,
    numbers: usize,
    without_rule: BTreeSet<String>,
    found: Vec<Found>,
}

impl<'a> Reader<'a> {
    fn graph(&mut self, graph: &'a GraphProto, mut scope: Scope<'a, '_>) -> Result<(), String> {
        let tensors = graph.initializer.iter();
        scope
            .known
            .extend(tensors.clone().map(|tensor| (tensor.name.as_str(), tensor)));
        scope
            .types
            .extend(tensors.map(|tensor| (tensor.name.as_str(), (tensor.data_type, extents(&tensor.dims)))));
        let values = graph.input.iter().chain(&graph.value_info).chain(&graph.output);
        scope
            .types
            .extend(values.filter_map(|value| Some((value.name.as_str(), tensor_type(value)?))));
        scope
            .made
            .extend(graph.initializer.iter().map(|tensor| tensor.name.as_str()));
        scope
            .outputs
            .extend(graph.output.iter().map(|value| value.name.as_str()));
        self.nodes(&graph.node, scope)
    }

    fn nodes(&mut self, nodes: &'a [NodeProto], mut scope: Scope<'a, '_>) -> Result<(), String> {
        for node in nodes {
            taken(node, &mut scope.taken);
        }
        for node in nodes {
            let constant = node.attribute.iter().find_map(|attribute| attribute.t.as_ref());
            if let ("Constant", [output], Some(tensor)) =
                (node.op_type.as_str(), node.output.as_slice(), constant)
            {
                scope.known.insert(output, tensor);
                let kind = (tensor.data_type, extents(&tensor.dims));
                scope.types.insert(output, kind);
            }
            let output = node.output.first().map_or("", String::as_str);
            // Names are optional in ONNX, but outputs are not.
            let name = if node.name.is_empty() { output } else { &node.name };
            let name = format!("{}{name}", scope.prefix);
            if let Some(function) = self.functions.get(&(
                node.domain.as_str(),
                node.op_type.as_str(),
                node.overload.as_str(),
            )) {
                self.call(node, function, &name, &scope)?;
                scope.made.extend(node.output.iter().map(String::as_str));
                continue;
            }
            // After the model's own functions, which may have the name of a standard op.
            if is_standard(&node.domain)
                && let Some(mut source) = source(node, &scope)
            {
                self.constants(node, &scope, &mut source);
                if source.op == "Dropout" && scope.is_between(node) {
                    source.parameters.insert(BETWEEN.to_owned(), Value::Flag(true));
                }
                let name = name.clone();
                self.found.push(Found { name, source });
            }
            // ONNX Runtime removes an Identity before it looks at a Dropout.
            let repeats_input = node.op_type == "Identity"
                && node
                    .input
                    .first()
                    .is_some_and(|input| !scope.made.contains(input.as_str()));
            if !repeats_input {
                scope.made.extend(node.output.iter().map(String::as_str));
            }
            let body = match node.op_type.as_str() {
                "Loop" | "Scan" => Body::Loop,
                _ => Body::Branch,
            };
            for attribute in &node.attribute {
                for graph in attribute.g.as_deref().into_iter().chain(&attribute.graphs) {
                    let inner = Scope {
                        outer: Some(&scope),
                        prefix: format!("{name}/"),
                        body: Some(body).max(scope.body),
                        function: scope.function.clone(),
                        attributes: Rc::clone(&scope.attributes),
                        depth: scope.depth,
                        ..Scope::default()
                    };
                    self.graph(graph, inner)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the numbers of a constant from which an op draws.
    fn constants(&mut self, node: &NodeProto, scope: &Scope<'a, '_>, source: &mut Source) {
        let (name, index) = match source.op.as_str() {
            "Bernoulli" => ("p", 0),
            "Multinomial" => ("logits", 0),
            "Dropout" => ("rate", 1),
            _ => return,
        };
        let input = node.input.get(index).filter(|input| !input.is_empty());
        if name == "rate" && input.is_none() {
            source.parameters.insert(name.to_owned(), Value::Real(0.5));
        }
        let Some(tensor) = input.and_then(|name| scope.known(name)) else {
            return;
        };
        let lists = tensor.float_data.len() + tensor.double_data.len() + tensor.int32_data.len();
        // An element of raw data has two bytes or more.
        self.numbers += lists + tensor.raw_data.len() / 2;
        let is_few = self.numbers <= MAX_NUMBERS;
        let Some(numbers) = is_few.then(|| numbers(tensor)).flatten() else {
            return;
        };
        let value = match numbers.as_slice() {
            [first, rest @ ..] if name != "logits" && rest.iter().all(|p| p.to_bits() == first.to_bits()) => {
                Value::Real(*first)
            }
            all => Value::List(all.iter().copied().map(Value::Real).collect()),
        };
        source.parameters.insert(name.to_owned(), value);
    }

    /// Goes through the body of a function with the attributes and inputs of one call.
    fn call(
        &mut self,
        node: &'a NodeProto,
        function: &'a FunctionProto,
        name: &str,
        scope: &Scope<'a, '_>,
    ) -> Result<(), String> {
        // At least one per call, or empty functions would call each other without end.
        self.called_nodes += function.node.len().max(1);
        if self.called_nodes > MAX_CALLED_NODES || scope.depth == MAX_DEPTH {
            return Err(format!(
                "failed to follow the functions of the model at the call of `{}`: they are called more than {MAX_DEPTH} \
                 levels deep, or have more than {MAX_CALLED_NODES} nodes in all",
                function.name
            ));
        }
        let outermost = scope.function.clone().unwrap_or_else(|| {
            let name = format!("{}.{}", node.domain, node.op_type);
            self.without_rule.insert(name.clone());
            name.into()
        });
        let defaults = function
            .defaults
            .iter()
            .map(|attribute| (attribute.name.as_str(), attribute));
        let given = node
            .attribute
            .iter()
            .filter_map(|attribute| Some((attribute.name.as_str(), resolved(attribute, &scope.attributes)?)));
        let inputs = || {
            let pairs = function.input.iter().map(String::as_str).zip(&node.input);
            pairs.filter(|(_, outer)| !outer.is_empty())
        };
        let outputs = || function.output.iter().map(String::as_str).zip(&node.output);
        // Without the outer graph: a function sees only its inputs and attributes.
        let inner = Scope {
            outer: None,
            prefix: format!("{name}/"),
            body: scope.body,
            function: Some(outermost),
            attributes: Rc::new(defaults.chain(given).collect()),
            known: inputs()
                .filter_map(|(inner, outer)| Some((inner, scope.known(outer)?)))
                .collect(),
            types: inputs()
                .filter_map(|(inner, outer)| Some((inner, scope.kind(outer)?.clone())))
                .collect(),
            made: inputs()
                .filter(|(_, outer)| scope.made.contains(outer.as_str()))
                .map(|(inner, _)| inner)
                .collect(),
            outputs: outputs()
                .filter(|(_, outer)| scope.outputs.contains(outer.as_str()))
                .map(|(inner, _)| inner)
                .collect(),
            taken: outputs().map(|(inner, _)| inner).collect(),
            depth: scope.depth + 1,
        };
        self.nodes(&function.node, inner)
    }
}

/// An attribute, or the call's attribute to which it refers; `None` if the call does not have it.
fn resolved<'a>(attribute: &'a AttributeProto, of_call: &Attributes<'a>) -> Option<&'a AttributeProto> {
    if attribute.reference.is_empty() {
        Some(attribute)
    } else {
        of_call.get(attribute.reference.as_str()).copied()
    }
}

fn extents(dims: &[i64]) -> Option<Vec<u64>> {
    dims.iter().map(|&extent| u64::try_from(extent).ok()).collect()
}

fn tensor_type(value: &ValueInfo) -> Option<TensorKind> {
    let tensor = value.kind.as_ref()?.tensor.as_ref()?;
    let shape = tensor.shape.as_ref().and_then(|shape| {
        let known = shape.dim.iter().map(|dim| u64::try_from(dim.value?).ok());
        known.collect()
    });
    Some((tensor.element, shape))
}

fn is_true(tensor: &TensorProto) -> bool {
    tensor.raw_data.first().is_some_and(|&byte| byte != 0)
        || tensor.int32_data.first().is_some_and(|&number| number != 0)
}

/// The elements of a tensor of floats; `None` if it has another type, or if they are not in the file.
fn numbers(tensor: &TensorProto) -> Option<Vec<f64>> {
    let dtype = dtype(tensor.data_type.into()).filter(|dtype| dtype.is_float())?;
    let numbers: Vec<f64> = if !tensor.raw_data.is_empty() {
        let elements = tensor.raw_data.chunks_exact(dtype.size());
        elements
            .map(|bytes| shortest(Scalar::from_le_bytes(dtype, bytes)))
            .collect()
    } else if !tensor.float_data.is_empty() {
        let single = |number: &f32| Scalar::new(dtype, number.to_bits().into());
        tensor.float_data.iter().map(single).map(shortest).collect()
    } else if !tensor.double_data.is_empty() {
        tensor.double_data.clone()
    } else {
        // Halves, each with its bits in a number.
        let bits = tensor.int32_data.iter().map(|&bits| u16::try_from(bits).ok());
        bits.map(|bits| Some(shortest(Scalar::new(dtype, bits?.into()))))
            .collect::<Option<_>>()?
    };
    let extents = extents(&tensor.dims)?;
    let count = extents
        .iter()
        .try_fold(1_u64, |count, &extent| count.checked_mul(extent))?;
    (u64::try_from(numbers.len()) == Ok(count)).then_some(numbers)
}

/// The source for a node, if it is random.
fn source(node: &NodeProto, scope: &Scope<'_, '_>) -> Option<Source> {
    let op = node.op_type.as_str();
    let input = node.input.first().and_then(|name| scope.kind(name)).cloned();
    // The `Like` ops, Bernoulli and Dropout take the type and the extents of their first input.
    let (of_input, shape) = match &input {
        Some((number, shape)) => (Some(kind(i64::from(*number))), shape.clone()),
        None => (None, None),
    };
    let (default, shape) = match op {
        "RandomUniform" | "RandomNormal" => ("f32", None),
        "RandomUniformLike" | "RandomNormalLike" | "Bernoulli" => (of_input.unwrap_or("f32"), shape),
        "Multinomial" => ("i32", None),
        // Dropout draws only in training mode, its third input. A mode that the model computes counts as training.
        "Dropout"
            if node.input.get(2).is_some_and(|name| {
                let known = scope.known(name);
                known.map_or(!name.is_empty(), is_true)
            }) =>
        {
            (of_input.unwrap_or("f32"), shape)
        }
        _ => return None,
    };
    let attribute = |name: &str| {
        let attribute = node.attribute.iter().find(|attribute| attribute.name == name)?;
        resolved(attribute, &scope.attributes)
    };
    let mut parameters = BTreeMap::new();
    for name in ["seed", "low", "high", "mean", "scale", "sample_size"] {
        if let Some(attribute) = attribute(name) {
            let is_whole = match attribute.kind {
                FLOAT => false,
                INT => true,
                _ => name == "sample_size" || op == "Dropout",
            };
            let value = if is_whole {
                Value::Integer(attribute.i())
            } else {
                Value::Real(attribute.f().into())
            };
            parameters.insert(name.to_owned(), value);
        }
    }
    let mut shape = attribute("shape").map_or(shape, |shape| extents(&shape.ints));
    if let Some((number, rows)) = input.filter(|_| matches!(op, "Bernoulli" | "Multinomial")) {
        let name = kind(i64::from(number)).to_owned();
        parameters.insert("input_type".to_owned(), Value::Text(name));
        if op == "Multinomial" {
            let samples = attribute("sample_size").map_or(1, AttributeProto::i);
            let rows = rows.and_then(|rows| rows.first().copied());
            shape = rows
                .zip(u64::try_from(samples).ok())
                .map(|(rows, samples)| vec![rows, samples]);
        }
    }
    if let Some(function) = &scope.function {
        parameters.insert("function".to_owned(), Value::Text(function.to_string()));
    }
    if let Some(body) = scope.body {
        parameters.insert(Body::KEY.to_owned(), Value::Text(body.to_string()));
    }
    Some(Source {
        framework: Framework::Onnxruntime,
        op: op.to_owned(),
        kind: attribute("dtype")
            .map_or(default, |dtype| kind(dtype.i()))
            .to_owned(),
        shape,
        parameters,
    })
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::proto::OperatorSet;
    use super::*;

    /// Each op has a copy of the constant that all of them share.
    #[test]
    fn numbers_of_constants_are_bounded() {
        let coins = |index: usize| NodeProto {
            input: vec!["p".to_owned()],
            output: vec![index.to_string()],
            op_type: "Bernoulli".to_owned(),
            ..NodeProto::default()
        };
        let p = TensorProto {
            dims: vec![1 << 16],
            data_type: 1,
            float_data: (0..1_u16 << 15)
                .flat_map(|number| [f32::from(number), 0.5])
                .collect(),
            name: "p".to_owned(),
            ..TensorProto::default()
        };
        let model = ModelProto {
            graph: Some(GraphProto {
                node: (0..20).map(coins).collect(),
                initializer: vec![p],
                ..GraphProto::default()
            }),
            opset_import: vec![OperatorSet::default()],
            ..ModelProto::default()
        };
        let found = read(model.encode_to_vec()).expect("it is a model").found;
        let has_numbers = |found: &&Found| found.source.get("p").is_some();
        assert_eq!((found.len(), found.iter().filter(has_numbers).count()), (20, 16));
    }
}

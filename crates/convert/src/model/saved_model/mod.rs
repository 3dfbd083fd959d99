//! TensorFlow's SavedModel: the fields of `saved_model.proto` that say what is random.

use std::collections::{BTreeMap, HashMap};

use crate::model::found::{Found, Model};
use crate::model::protobuf::decode;
use crate::source::{Framework, Source, Value};

mod proto;

use proto::{NodeDef, SavedModel, TensorProto, kind};

/// The random kernels of TensorFlow. Each is listed; what is known of it, its rule says.
const RANDOM: [&str; 20] = [
    "Multinomial",
    "ParameterizedTruncatedNormal",
    "RandomGamma",
    "RandomPoissonV2",
    "RandomShuffle",
    "RandomStandardNormal",
    "RandomUniform",
    "RandomUniformInt",
    "StatefulStandardNormalV2",
    "StatefulUniform",
    "StatefulUniformInt",
    "StatelessMultinomial",
    "StatelessRandomNormal",
    "StatelessRandomNormalV2",
    "StatelessRandomUniform",
    "StatelessRandomUniformFullIntV2",
    "StatelessRandomUniformIntV2",
    "StatelessRandomUniformV2",
    "StatelessTruncatedNormalV2",
    "TruncatedNormal",
];

/// The most extents of a shape that is believed.
const MOST_RANK: usize = 64;

pub(super) fn read(bytes: Vec<u8>) -> Result<Model, String> {
    let model: SavedModel = decode(bytes, "the SavedModel")?;
    let mut found = Vec::new();
    let graphs = model.meta_graphs.iter().filter_map(|meta| meta.graph.as_ref());
    for graph in graphs.clone() {
        nodes(&graph.node, "", &mut found);
        for function in graph.library.iter().flat_map(|library| &library.function) {
            let name = function
                .signature
                .as_ref()
                .map_or("", |signature| signature.name.as_str());
            nodes(&function.node, &format!("{name}/"), &mut found);
        }
    }
    if graphs.count() == 0 {
        return Err(
            "failed to find a graph in the file: is it the saved_model.pb of a SavedModel?".to_owned(),
        );
    }
    Ok(Model { opset: 0, found })
}

/// The nodes of one graph by their names, and who takes the output of each.
struct Graphs<'a> {
    nodes: HashMap<&'a str, &'a NodeDef>,
    takers: HashMap<&'a str, Vec<&'a NodeDef>>,
}

/// The node that an input names: `node`, `node:0`, `node:output:0` and `^node`, which only orders.
fn node_of(input: &str) -> &str {
    input.split(':').next().unwrap_or("").trim_start_matches('^')
}

fn nodes(nodes: &[NodeDef], prefix: &str, found: &mut Vec<Found>) {
    let mut takers: HashMap<&str, Vec<&NodeDef>> = HashMap::new();
    for node in nodes {
        for input in &node.input {
            takers.entry(node_of(input)).or_default().push(node);
        }
    }
    let graph = Graphs {
        nodes: nodes.iter().map(|node| (node.name.as_str(), node)).collect(),
        takers,
    };
    for node in nodes.iter().filter(|node| RANDOM.contains(&node.op.as_str())) {
        found.push(Found {
            name: format!("{prefix}{}", node.name),
            source: graph.source(node),
        });
    }
}

impl Graphs<'_> {
    fn source(&self, node: &NodeDef) -> Source {
        let attribute = |name: &str| node.attr.get(name);
        let kind = ["dtype", "Tout", "output_dtype", "T"]
            .iter()
            .find_map(|name| attribute(name)?.kind)
            .map_or("unknown", kind);
        let mut parameters = BTreeMap::new();
        for seed in ["seed", "seed2"] {
            if let Some(value) = attribute(seed).and_then(|value| value.i) {
                parameters.insert(seed.to_owned(), Value::Integer(value));
            }
        }
        let mut op = node.op.clone();
        if op == "RandomUniformInt" {
            for (index, name) in [(1, "low"), (2, "high")] {
                if let Some(value) = node.input.get(index).and_then(|input| self.number(input, 2)) {
                    parameters.insert(name.to_owned(), value);
                }
            }
        } else if let Some((low, high)) = self.scaled(node).filter(|_| op == "RandomUniform") {
            // `tf.random.uniform` is this op, a multiplication and an addition.
            let raw = ["seed", "seed2"]
                .iter()
                .filter_map(|seed| parameters.remove(*seed))
                .collect();
            parameters.insert("raw_seeds".to_owned(), Value::List(raw));
            parameters.insert("low".to_owned(), Value::Real(low));
            parameters.insert("high".to_owned(), Value::Real(high));
            "tf.random.uniform".clone_into(&mut op);
        }
        // The others begin with what is drawn from.
        let begins_with_shape = !node.op.ends_with("Multinomial") && node.op != "RandomShuffle";
        let first = node.input.first().filter(|_| begins_with_shape);
        let shape = first.and_then(|input| self.extents(input));
        Source {
            framework: Framework::Tensorflow,
            op,
            kind: kind.to_owned(),
            shape,
            parameters,
        }
    }

    /// The bounds that a multiplication and an addition give to a draw in [0, 1).
    fn scaled(&self, node: &NodeDef) -> Option<(f64, f64)> {
        let only = |of: &NodeDef, ops: &[&str]| {
            let takers = self.takers.get(of.name.as_str())?;
            let [taker] = takers.as_slice() else { return None };
            ops.contains(&taker.op.as_str()).then_some(*taker)
        };
        let other = |of: &NodeDef, taker: &NodeDef| {
            let input = taker.input.iter().find(|input| node_of(input) != of.name)?;
            self.number(input, 2)?.real()
        };
        let product = only(node, &["Mul"])?;
        let range = other(node, product)?;
        let sum = only(product, &["Add", "AddV2"])?;
        let low = other(product, sum)?;
        Some((low, low + range))
    }

    /// The number that an input is known to be: a constant, or the difference of two.
    fn number(&self, input: &str, depth: u32) -> Option<Value> {
        let node = self.nodes.get(node_of(input))?;
        match node.op.as_str() {
            "Const" => first(node.attr.get("value")?.tensor.as_ref()?),
            "Sub" if depth > 0 => {
                let [a, b, ..] = node.input.as_slice() else {
                    return None;
                };
                let (a, b) = (
                    self.number(a, depth - 1)?.real()?,
                    self.number(b, depth - 1)?.real()?,
                );
                Some(Value::Real(a - b))
            }
            "Identity" | "Cast" if depth > 0 => self.number(node.input.first()?, depth - 1),
            _ => None,
        }
    }

    /// The extents that an input is known to have as its values.
    fn extents(&self, input: &str) -> Option<Vec<u64>> {
        let node = self.nodes.get(node_of(input)).filter(|node| node.op == "Const")?;
        let tensor = node.attr.get("value")?.tensor.as_ref()?;
        let width = match kind(tensor.dtype) {
            "i32" => 4,
            "i64" => 8,
            _ => return None,
        };
        let little = |bytes: &[u8]| {
            let sign = if bytes.last().is_some_and(|&byte| byte > 127) {
                -1
            } else {
                0
            };
            bytes
                .iter()
                .rev()
                .fold(sign, |all: i64, &byte| all << 8 | i64::from(byte))
        };
        let given: Vec<i64> = if tensor.content.is_empty() {
            tensor
                .longs
                .iter()
                .copied()
                .chain(tensor.ints.iter().map(|&extent| extent.into()))
                .collect()
        } else {
            tensor.content.chunks_exact(width).map(little).collect()
        };
        // The last number that is given stands for those after it.
        let rank = tensor
            .shape
            .as_ref()
            .and_then(|shape| shape.dim.first())
            .map_or(0, |dim| dim.size);
        let rank = usize::try_from(rank).ok().filter(|&rank| rank <= MOST_RANK)?;
        let extent = |index: usize| u64::try_from(*given.get(index).or(given.last())?).ok();
        (0..rank).map(extent).collect()
    }
}

/// The first element of a constant.
fn first(tensor: &TensorProto) -> Option<Value> {
    let bytes = &tensor.content;
    let element = kind(tensor.dtype)
        .parse()
        .ok()
        .and_then(|dtype: seedproof_ops::Dtype| {
            Some(seedproof_ops::Scalar::from_le_bytes(
                dtype,
                bytes.get(..dtype.size())?,
            ))
        });
    if let Some(element) = element {
        let is_float = element.dtype().is_float();
        return Some(if is_float {
            Value::Real(element.to_f64())
        } else {
            Value::Integer(element.to_i64())
        });
    }
    let half = || {
        let bits = u64::try_from(*tensor.halves.first()?).ok()?;
        let dtype = kind(tensor.dtype).parse().ok()?;
        Some(Value::Real(seedproof_ops::Scalar::new(dtype, bits).to_f64()))
    };
    let real = |number: f64| Value::Real(number);
    tensor
        .floats
        .first()
        .map(|&number| real(number.into()))
        .or_else(|| tensor.doubles.first().copied().map(real))
        .or_else(|| tensor.ints.first().map(|&number| Value::Integer(number.into())))
        .or_else(|| tensor.longs.first().copied().map(Value::Integer))
        .or_else(half)
}

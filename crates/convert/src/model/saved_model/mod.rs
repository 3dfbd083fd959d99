//! TensorFlow's SavedModel: the fields of `saved_model.proto` that concern random ops.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::model::found::{Found, Model};
use crate::model::protobuf::decode;
use crate::source::{Body, Framework, Source, Step, Value, shortest};

mod proto;
mod reached;

pub(crate) use proto::NodeDef;
use proto::{Function, Graph, MetaGraph, SavedModel, TensorProto, kind};
use reached::{Reached, bodies, node_of};

/// The random kernels of TensorFlow 2.21: every op of its registry that draws. One without a rule is listed too, so that
/// a model is never said to keep its bits because an op was overlooked.
pub(crate) const RANDOM: [&str; 49] = [
    "AllCandidateSampler",
    "FixedUnigramCandidateSampler",
    "FractionalAvgPool",
    "FractionalMaxPool",
    "LearnedUnigramCandidateSampler",
    "LogUniformCandidateSampler",
    "Multinomial",
    "ParameterizedTruncatedNormal",
    "RandomCrop",
    "RandomGamma",
    "RandomIndexShuffle",
    "RandomPoisson",
    "RandomPoissonV2",
    "RandomShuffle",
    "RandomStandardNormal",
    "RandomUniform",
    "RandomUniformInt",
    "RiscRandomUniform",
    "SampleDistortedBoundingBox",
    "SampleDistortedBoundingBoxV2",
    "StatefulRandomBinomial",
    "StatefulStandardNormal",
    "StatefulStandardNormalV2",
    "StatefulTruncatedNormal",
    "StatefulUniform",
    "StatefulUniformFullInt",
    "StatefulUniformInt",
    "StatelessMultinomial",
    "StatelessParameterizedTruncatedNormal",
    "StatelessRandomBinomial",
    "StatelessRandomGammaV2",
    "StatelessRandomGammaV3",
    "StatelessRandomNormal",
    "StatelessRandomNormalV2",
    "StatelessRandomPoisson",
    "StatelessRandomUniform",
    "StatelessRandomUniformFullInt",
    "StatelessRandomUniformFullIntV2",
    "StatelessRandomUniformInt",
    "StatelessRandomUniformIntV2",
    "StatelessRandomUniformV2",
    "StatelessSampleDistortedBoundingBox",
    "StatelessShuffle",
    "StatelessTruncatedNormal",
    "StatelessTruncatedNormalV2",
    "ThreadUnsafeUnigramCandidateSampler",
    "TruncatedNormal",
    "UniformCandidateSampler",
    "XlaRngBitGenerator",
];

/// The most extents of a shape. TensorFlow allows 254, but a shape of random numbers has a few, and the number
/// in a file may be anything.
const MOST_RANK: usize = 64;

/// The most operations after a draw that are followed.
const MOST_STEPS: usize = 8;

/// Other ops for which OpenVINO has no rule: they make keys and counters.
const WITHOUT_RULE: [&str; 5] = [
    "Bitcast",
    "RngReadAndSkip",
    "StatelessRandomGetAlg",
    "StatelessRandomGetKeyCounter",
    "StatelessRandomGetKeyCounterAlg",
];

pub(super) fn read(bytes: Vec<u8>) -> Result<Model, String> {
    let model: SavedModel = decode(bytes, "the SavedModel")?;
    let mut read = Model::default();
    for (meta, graph) in graphs(&model) {
        let functions = graph.library.iter().flat_map(|library| &library.function);
        let functions: Vec<(&str, &Function)> =
            functions.map(|function| (function.name(), function)).collect();
        let bodies = bodies(&functions);
        let reached = Reached::of(meta, graph, &functions);
        nodes(&reached.nodes, "", None, &mut read);
        for (name, function) in functions {
            if reached.functions.contains(name) {
                let all: Vec<&NodeDef> = function.node.iter().collect();
                nodes(&all, &format!("{name}/"), bodies.get(name).copied(), &mut read);
            }
        }
    }
    if graphs(&model).count() == 0 {
        return Err(
            "failed to find a graph in the file: is it the saved_model.pb of a SavedModel?".to_owned(),
        );
    }
    Ok(read)
}

fn graphs(model: &SavedModel) -> impl Iterator<Item = (&MetaGraph, &Graph)> {
    model
        .meta_graphs
        .iter()
        .filter_map(|meta| Some((meta, meta.graph.as_ref()?)))
}

impl Function {
    fn name(&self) -> &str {
        self.signature
            .as_ref()
            .map_or("", |signature| signature.name.as_str())
    }
}

/// The nodes of one graph by name, and the nodes that take the output of each.
struct Graphs<'a> {
    nodes: HashMap<&'a str, &'a NodeDef>,
    takers: HashMap<&'a str, Vec<&'a NodeDef>>,
}

fn nodes(nodes: &[&NodeDef], prefix: &str, body: Option<Body>, read: &mut Model) {
    let mut takers: HashMap<&str, Vec<&NodeDef>> = HashMap::new();
    for &node in nodes {
        for input in &node.input {
            takers.entry(node_of(input)).or_default().push(node);
        }
    }
    let graph = Graphs {
        nodes: nodes.iter().map(|&node| (node.name.as_str(), node)).collect(),
        takers,
    };
    for node in nodes.iter().filter(|node| RANDOM.contains(&node.op.as_str())) {
        let mut source = graph.source(node);
        source
            .parameters
            .extend(body.map(|body| (Body::KEY.to_owned(), Value::Text(body.to_string()))));
        read.found.push(Found {
            name: format!("{prefix}{}", node.name),
            source,
        });
    }
    let missing = nodes.iter().map(|node| node.op.as_str());
    let missing: BTreeSet<&str> = missing.filter(|op| WITHOUT_RULE.contains(op)).collect();
    read.without_rule.extend(missing.into_iter().map(str::to_owned));
}

/// The default of an op's element type. Files leave out attributes with their default.
fn default_kind(op: &str) -> Option<&'static str> {
    Some(match op {
        "Multinomial" | "RandomPoissonV2" | "StatelessMultinomial" => "i64",
        "StatefulStandardNormalV2"
        | "StatefulTruncatedNormal"
        | "StatefulUniform"
        | "StatelessRandomNormal"
        | "StatelessRandomNormalV2"
        | "StatelessRandomUniform"
        | "StatelessRandomUniformV2"
        | "StatelessTruncatedNormal"
        | "StatelessTruncatedNormalV2" => "f32",
        "StatefulUniformFullInt" => "u64",
        _ => return None,
    })
}

impl Graphs<'_> {
    fn source(&self, node: &NodeDef) -> Source {
        let attribute = |name: &str| node.attr.get(name);
        // Only the attribute of the output counts. Multinomial's `T` is the type of its logits.
        let names: &[&str] = match node.op.as_str() {
            "Multinomial" | "StatelessMultinomial" => &["output_dtype"],
            op if default_kind(op).is_some() => &["dtype"],
            _ => &["dtype", "Tout", "T"],
        };
        let kind = names
            .iter()
            .find_map(|name| attribute(name)?.kind)
            .map(kind)
            .or(default_kind(&node.op))
            .unwrap_or("unknown");
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
        } else if op.starts_with("Stateless") && op != "StatelessMultinomial" {
            parameters.extend(self.key(node));
        } else if op == "RandomUniform"
            && let Some((function, given)) = self.function(node)
        {
            // Protocol Buffers leave out a seed of zero.
            let seed = |name| parameters.get(name).cloned().unwrap_or(Value::Integer(0));
            let raw = Value::List(vec![seed("seed"), seed("seed2")]);
            parameters = BTreeMap::from([("raw_seeds".to_owned(), raw)]);
            parameters.extend(
                given
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), Value::Real(value))),
            );
            function.clone_into(&mut op);
        } else if op == "RandomUniform" {
            let steps = self.arithmetic(node);
            if !steps.is_empty() {
                parameters.insert(Step::KEY.to_owned(), Step::list(&steps));
            }
        }
        // The first input of the others is the tensor from which they draw.
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

    /// The key of a stateless kernel and, for integers, its bounds, as far as they are constants of the model.
    fn key(&self, node: &NodeDef) -> Vec<(String, Value)> {
        let constant = |name: &str, index: usize| {
            let input = node.input.get(index)?;
            Some((name.to_owned(), integers(self.integers(input)?)))
        };
        let is_keyed = node.op.ends_with("V2");
        let made = is_keyed
            .then(|| self.nodes.get(node_of(node.input.get(1)?)))
            .flatten();
        let seed = match made.filter(|made| made.op == "StatelessRandomGetKeyCounter") {
            Some(made) => made.input.first(),
            None => node.input.get(1).filter(|_| !is_keyed),
        };
        let seed = seed.and_then(|input| self.integers(input));
        let mut all: Vec<(String, Value)> = match seed {
            Some(seed) => vec![("stateless_seed".to_owned(), integers(seed))],
            // A key without a counter, or a counter without a key, cannot seed the op.
            None => match (constant("key", 1), constant("counter", 2)) {
                (Some(key), Some(counter)) if is_keyed => vec![key, counter],
                _ => Vec::new(),
            },
        };
        let first = if is_keyed { 4 } else { 2 };
        for (name, index) in [("low", first), ("high", first + 1)] {
            let bound = node.input.get(index).and_then(|input| self.number(input, 2));
            all.extend(bound.map(|bound| (name.to_owned(), bound)));
        }
        all
    }

    /// The only node that takes the output of another, if it is one of these ops. With a second taker it is not clear
    /// which function made the draw.
    fn only(&self, of: &NodeDef, ops: &[&str]) -> Option<&NodeDef> {
        let [taker] = self.takers.get(of.name.as_str())?.as_slice() else {
            return None;
        };
        ops.contains(&taker.op.as_str()).then_some(*taker)
    }

    /// The other operand of a node, if it is a constant.
    fn other(&self, of: &NodeDef, taker: &NodeDef) -> Option<f64> {
        let input = taker.input.iter().find(|input| node_of(input) != of.name)?;
        self.number(input, 2)?.real()
    }

    /// The multiplications by constants and additions of constants after a draw, as long as nothing else takes a result.
    fn arithmetic(&self, node: &NodeDef) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut of = node;
        while let Some(taker) = self.only(of, &["Mul", "Add", "AddV2", "Sub"])
            && let Some(number) = self.other(of, taker)
        {
            let is_first = taker.input.first().is_some_and(|input| node_of(input) == of.name);
            steps.push(match taker.op.as_str() {
                "Mul" => Step::Mul(number),
                "Sub" if is_first => Step::Add(-number),
                "Sub" => break,
                _ => Step::Add(number),
            });
            // A chain is short; the bound ends a circle of nodes.
            if steps.len() == MOST_STEPS {
                break;
            }
            of = taker;
        }
        steps
    }

    /// The function of TensorFlow's interface that made a RandomUniform, recognised by the nodes after it, with its
    /// parameters. Any other RandomUniform is treated as the bare kernel.
    fn function(&self, node: &NodeDef) -> Option<(&'static str, Vec<(&'static str, f64)>)> {
        // `tf.random.uniform` multiplies by the range and adds the lower bound.
        if let Some(product) = self.only(node, &["Mul"]) {
            let range = self.other(node, product)?;
            let sum = self.only(product, &["Add", "AddV2"])?;
            let low = self.other(product, sum)?;
            return Some(("tf.random.uniform", vec![("low", low), ("high", low + range)]));
        }
        // `tf.nn.dropout` compares with the rate, and selects from the scaled input.
        let kept = self.only(node, &["GreaterEqual"])?;
        let is_first = node_of(kept.input.first()?) == node.name;
        let rate = self.other(node, kept).filter(|_| is_first)?;
        self.only(kept, &["SelectV2", "Select"])?;
        Some(("tf.nn.dropout", vec![("input", 1.0), ("rate", rate)]))
    }

    /// The number at an input, if it is a constant or the difference of two, which is how a range is written. `depth`
    /// limits the search, so that a circle of nodes ends.
    fn number(&self, input: &str, depth: u32) -> Option<Value> {
        let node = self.nodes.get(node_of(input))?;
        match node.op.as_str() {
            "Const" => single(node.attr.get("value")?.tensor.as_ref()?),
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

    /// The extents at an input, if they are a constant.
    fn extents(&self, input: &str) -> Option<Vec<u64>> {
        let extents = self.integers(input)?;
        extents
            .into_iter()
            .map(|extent| u64::try_from(extent).ok())
            .collect()
    }

    /// The list of a few integers at an input, if it is a constant; those of u64 in two's complement.
    fn integers(&self, input: &str) -> Option<Vec<i64>> {
        let node = self.nodes.get(node_of(input)).filter(|node| node.op == "Const")?;
        let tensor = node.attr.get("value")?.tensor.as_ref()?;
        let width = match kind(tensor.dtype) {
            "i32" => 4,
            "i64" | "u64" => 8,
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
                .chain(tensor.ints.iter().map(|&number| number.into()))
                .chain(tensor.unsigned.iter().map(|number| number.cast_signed()))
                .collect()
        } else {
            tensor.content.chunks_exact(width).map(little).collect()
        };
        // TensorProto may leave out elements at the end that repeat the last one.
        let rank = tensor
            .shape
            .as_ref()
            .and_then(|shape| shape.dim.first())
            .map_or(0, |dim| dim.size);
        let rank = usize::try_from(rank).ok().filter(|&rank| rank <= MOST_RANK)?;
        (0..rank)
            .map(|index| given.get(index).or(given.last()).copied())
            .collect()
    }
}

fn integers(numbers: Vec<i64>) -> Value {
    Value::List(numbers.into_iter().map(Value::Integer).collect())
}

/// The element of a constant that has only one. A longer constant has a number for each element of the output.
fn single(tensor: &TensorProto) -> Option<Value> {
    let mut extents = tensor.shape.iter().flat_map(|shape| &shape.dim);
    extents
        .all(|extent| extent.size == 1)
        .then(|| first(tensor))
        .flatten()
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
            Value::Real(shortest(element))
        } else {
            Value::Integer(element.to_i64())
        });
    }
    let half = || {
        let bits = u64::try_from(*tensor.halves.first()?).ok()?;
        let dtype = kind(tensor.dtype).parse().ok()?;
        Some(Value::Real(shortest(seedproof_ops::Scalar::new(dtype, bits))))
    };
    let real = |number: f64| Value::Real(number);
    let single = |number: f32| seedproof_ops::Scalar::new(seedproof_ops::Dtype::F32, number.to_bits().into());
    tensor
        .floats
        .first()
        .map(|&number| real(shortest(single(number))))
        .or_else(|| tensor.doubles.first().copied().map(real))
        .or_else(|| tensor.ints.first().map(|&number| Value::Integer(number.into())))
        .or_else(|| tensor.longs.first().copied().map(Value::Integer))
        .or_else(half)
}

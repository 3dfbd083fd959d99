//! PyTorch's exported programs: the graph in an archive of `torch.export.save`. The graph is JSON, and nothing in the
//! archive is executed or unpickled.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde_json::Value as Json;

use super::found::{Found, Model};
use super::slices::{Node, Slices};
use crate::source::{Framework, IN_PLACE, REFUSED_BY, Source, TAKEN_BY, Value};
use seedproof_read::zip::{self, Archive, Entry};

/// The most bytes of a graph. The parser needs about twenty times the memory of the text. The
/// graph of a model with ten thousand nodes has 20 MB.
const MAX_GRAPH: usize = 1 << 28;

pub(super) fn read(bytes: &[u8]) -> Result<Model, String> {
    let graphs = graphs(bytes)?;
    let mut found = Vec::new();
    for text in &graphs {
        let document: Json = serde_json::from_slice(text)
            .map_err(|error| format!("failed to read the graph of the exported program: {error}"))?;
        graph(&document["graph_module"], "", &mut found);
    }
    if graphs.is_empty() {
        return Err(
            "failed to find a graph `models/*.json` in the archive: expected a file of torch.export.save"
                .to_owned(),
        );
    }
    Ok(Model {
        producer: "pytorch".to_owned(),
        found,
        ..Model::default()
    })
}

/// The graphs of an archive. Its members are stored uncompressed, because PyTorch maps them into memory.
fn graphs(bytes: &[u8]) -> Result<Vec<Cow<'_, [u8]>>, String> {
    if !zip::is(bytes) {
        return Err("failed to find a zip archive: this is not a file of torch.export.save".to_owned());
    }
    let archive = Archive::open(bytes).map_err(|error| format!("failed to read {error}"))?;
    let graphs = archive.entries().filter(|entry| is_graph(&entry.name));
    let graph = |entry: &Entry| {
        // A small file could expand to more memory than its own scale.
        if entry.is_stored() {
            archive
                .bytes(entry, MAX_GRAPH)
                .map_err(|error| format!("failed to read {error}"))
        } else {
            Err(format!(
                "failed to read `{}` of the archive: it is compressed, which torch.export.save does not do",
                entry.name
            ))
        }
    };
    graphs.map(graph).collect()
}

/// Whether a member is a graph: `name/models/<method>.json`, where the method is `model` unless there are several, or
/// `serialized_exported_program.json` before PyTorch 2.8.
fn is_graph(file: &str) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let is_model = folder.ends_with("models") && name.strip_suffix(".json").is_some();
    is_model || name == "serialized_exported_program.json"
}

/// Finds the random ops of a graph and of the graphs in its arguments, which are branches and bodies of control flow.
/// The JSON parser limits the depth, and so this recursion.
fn graph(module: &Json, prefix: &str, found: &mut Vec<Found>) {
    let graph = &module["graph"];
    let empty = Vec::new();
    let mut slices = Slices::default();
    for node in graph["nodes"].as_array().unwrap_or(&empty) {
        let target = node["target"].as_str().unwrap_or("");
        let inputs = node["inputs"].as_array().unwrap_or(&empty);
        let arguments: HashMap<&str, &Json> = inputs
            .iter()
            .filter_map(|input| Some((input["name"].as_str()?, &input["arg"])))
            .collect();
        let first = &node["outputs"][0];
        let output = first["as_tensor"]["name"].as_str();
        // Of an op with a list of outputs, such as `split`.
        let output = output
            .or_else(|| first["as_tensors"][0]["name"].as_str())
            .unwrap_or("");
        let name = format!("{prefix}{output}");
        let values = &graph["tensor_values"];
        let source = source(target, &arguments, &values[output]);
        let is_dropout = source
            .as_ref()
            .is_some_and(|it| it.op == "torch.nn.functional.dropout");
        let dropout = is_dropout.then_some(found.len());
        found.extend(source.map(|source| Found { name, source }));
        let node = Node {
            target,
            arguments: &arguments,
            output,
            values,
        };
        if let Some((cut, is_refused)) = slices.follow(&node, dropout) {
            let op = Value::Text(target.trim_start_matches("torch.ops.").to_owned());
            let what = if is_refused { REFUSED_BY } else { TAKEN_BY };
            found[cut].source.parameters.entry(what.to_owned()).or_insert(op);
        }
        for input in inputs {
            let inner = &input["arg"]["as_graph"];
            if inner.is_object() {
                let name = inner["name"].as_str().unwrap_or("");
                self::graph(inner, &format!("{prefix}{name}/"), found);
            }
        }
    }
}

/// The function of PyTorch's interface for a random op of ATen; `None` for an op that is not random.
fn function(op: &str) -> Option<&'static str> {
    Some(match op {
        "rand" => "torch.rand",
        "rand_like" => "torch.rand_like",
        "randn" => "torch.randn",
        "randn_like" => "torch.randn_like",
        "randint" => "torch.randint",
        "randint_like" => "torch.randint_like",
        "randperm" => "torch.randperm",
        "bernoulli" => "torch.bernoulli",
        "bernoulli_" => "Tensor.bernoulli_",
        "multinomial" => "torch.multinomial",
        "poisson" => "torch.poisson",
        "normal" => "torch.normal",
        "normal_" | "normal_functional" => "Tensor.normal_",
        "dropout" | "dropout_" | "native_dropout" => "torch.nn.functional.dropout",
        "feature_dropout" | "feature_dropout_" => "torch.nn.functional.dropout1d",
        "alpha_dropout" | "alpha_dropout_" | "feature_alpha_dropout" => "torch.nn.functional.alpha_dropout",
        "rrelu" | "rrelu_" | "rrelu_with_noise" | "rrelu_with_noise_functional" => {
            "torch.nn.functional.rrelu"
        }
        "uniform" | "uniform_" => "Tensor.uniform_",
        "exponential" | "exponential_" => "Tensor.exponential_",
        "cauchy" | "cauchy_" => "Tensor.cauchy_",
        "geometric" | "geometric_" => "Tensor.geometric_",
        "log_normal" | "log_normal_" => "Tensor.log_normal_",
        "random" | "random_" => "Tensor.random_",
        "binomial" => "torch.binomial",
        "_standard_gamma" => "torch._standard_gamma",
        "_sample_dirichlet" => "torch._sample_dirichlet",
        "lstm" => "torch.nn.LSTM",
        "gru" => "torch.nn.GRU",
        "rnn_tanh" | "rnn_relu" => "torch.nn.RNN",
        "scaled_dot_product_attention" => "torch.nn.functional.scaled_dot_product_attention",
        _ => return None,
    })
}

/// The source for a node, if it is random.
fn source(target: &str, arguments: &HashMap<&str, &Json>, tensor: &Json) -> Option<Source> {
    let op = target.strip_prefix("torch.ops.aten.")?;
    let (name, overload) = op.split_once('.').unwrap_or((op, ""));
    let mut function = function(name)?;
    let argument = |name: &str| arguments.get(name).copied();
    // Outside training, dropout and the like pass their input on. The file leaves out an argument with its default, which
    // is false for rrelu alone.
    let flag = |name| argument(name).and_then(|argument| argument["as_bool"].as_bool());
    let trains = flag("train").or(flag("training"));
    if !trains.unwrap_or(!name.starts_with("rrelu")) {
        return None;
    }
    let number = |name: &str| {
        let argument = argument(name)?;
        let value = argument.get("as_float").or_else(|| argument.get("as_int"))?;
        value
            .as_i64()
            .map(Value::Integer)
            .or_else(|| value.as_f64().map(Value::Real))
    };
    // A probability of zero draws nothing: that is how attention without dropout is exported.
    let is_zero = |value: Value| value.real() == Some(0.0);
    let is_recurrent = function.starts_with("torch.nn.") && !function.contains("functional");
    let draws_with_probability =
        name.contains("dropout") || is_recurrent || name == "scaled_dot_product_attention";
    let probability = number("p")
        .or_else(|| number("dropout_p"))
        .or_else(|| number("dropout"));
    if draws_with_probability && probability.is_none_or(is_zero) {
        return None;
    }
    // The dropout of a recurrent network lies between its layers.
    if is_recurrent
        && number("num_layers").is_none_or(|layers| layers.real().is_none_or(|layers| layers < 2.0))
    {
        return None;
    }
    if name == "bernoulli" && matches!(overload, "p" | "float") {
        function = "Tensor.bernoulli_";
    }
    if name == "normal" && overload != "float_float" {
        function = "torch.normal-tensor";
    }
    let mut parameters: BTreeMap<String, Value> = ["low", "high", "mean", "std", "p"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), number(name)?)))
        .collect();
    parameters.insert("aten".to_owned(), Value::Text(op.to_owned()));
    if name.ends_with('_') {
        parameters.insert(IN_PLACE.to_owned(), Value::Flag(true));
    }
    let sizes = tensor["sizes"].as_array();
    Some(Source {
        framework: Framework::Torch,
        op: function.to_owned(),
        kind: element(tensor["dtype"].as_u64()).to_owned(),
        shape: sizes.and_then(|sizes| sizes.iter().map(|size| size["as_int"].as_u64()).collect()),
        parameters,
    })
}

/// The element types, by their numbers in the schema of exported programs.
fn element(number: Option<u64>) -> &'static str {
    match number {
        Some(4) => "i32",
        Some(5) => "i64",
        Some(6) => "f16",
        Some(7) => "f32",
        Some(8) => "f64",
        Some(12) => "bool",
        Some(13) => "bf16",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Its entries have extra fields, whose lengths are others in the directory.
    const MODEL: &[u8] = include_bytes!("../../tests/models/sampler.pt2");

    #[test]
    fn entries_with_extra_fields_are_read() {
        let archive = Archive::open(MODEL).unwrap();
        let order = archive
            .entries()
            .find(|entry| entry.name == "a/byteorder")
            .unwrap();
        assert_eq!(archive.bytes(order, 6).unwrap().as_ref(), b"little");
        assert_eq!(archive.entries().count(), 11);
    }

    /// What is claimed of a dropout of `x` where `op` follows with these arguments beside it, and another dropout behind it.
    fn claim(shape: &[u64], op: &str, arguments: &[Json], output: &[u64]) -> &'static str {
        let sizes = |shape: &[u64]| json!({ "dtype": 7, "sizes": shape.iter().map(|size| json!({ "as_int": size })).collect::<Vec<_>>() });
        let tensor = |name| json!({ "as_tensor": { "name": name } });
        let mut inputs = vec![json!({ "name": "input", "arg": tensor("dropped") })];
        inputs.extend(arguments.iter().cloned());
        if op == "cat" {
            inputs[0] = json!({ "name": "tensors", "arg": { "as_tensors": [{ "name": "x" }, { "name": "dropped" }] } });
        }
        let dropout = |of, to| {
            let arguments = json!([
                { "name": "input", "arg": tensor(of) },
                { "name": "p", "arg": { "as_float": 0.5 } },
                { "name": "train", "arg": { "as_bool": true } },
            ]);
            json!({ "target": "torch.ops.aten.dropout.default", "inputs": arguments, "outputs": [tensor(to)] })
        };
        let op = json!({ "target": format!("torch.ops.aten.{op}.default"), "inputs": inputs, "outputs": [tensor("made")] });
        let values = json!({ "x": sizes(shape), "dropped": sizes(shape), "made": sizes(output), "last": sizes(output), "w": sizes(&[4, 8]) });
        let nodes = [dropout("x", "dropped"), op, dropout("made", "last")];
        let module = json!({ "graph": { "tensor_values": values, "nodes": nodes } });
        let mut found = Vec::new();
        graph(&module, "", &mut found);
        let has = |name| found[0].source.get(name).is_some();
        match (has(REFUSED_BY), has(TAKEN_BY)) {
            (true, _) => "refused",
            (false, true) => "open",
            (false, false) => "fits",
        }
    }

    /// What the first op of each row does was measured with OpenVINO 2026.4 and PyTorch 2.15; the
    /// second dropout refuses a scalar.
    #[test]
    fn slices_of_dropouts_are_refused_by_what_needs_their_extents() {
        let named = |name: &str, value: Json| vec![json!({ "name": name, "arg": value })];
        let axis = |axis: i64| named("dim", json!({ "as_int": axis }));
        let sizes = |sizes: &[i64]| named("size", json!({ "as_ints": sizes }));
        let normed = |sizes: &[i64]| named("normalized_shape", json!({ "as_ints": sizes }));
        let weight = || named("weight", json!({ "as_tensor": { "name": "w" } }));
        let other = || named("other", json!({ "as_tensor": { "name": "x" } }));
        let kept = || [axis(1), named("keepdim", json!({ "as_bool": true }))].concat();
        let assert = |shape: &[u64], op: &str, arguments: &[Json], output: &[u64], expected| {
            assert_eq!(
                claim(shape, op, arguments, output),
                expected,
                "{op} {shape:?} {arguments:?}"
            );
        };
        assert(&[2, 8], "relu", &[], &[2, 8], "fits");
        assert(&[8], "relu", &[], &[8], "refused");
        assert(&[8], "dropout", &[], &[8], "refused");
        assert(&[2, 8], "add", &other(), &[2, 8], "fits");
        assert(&[8], "add", &other(), &[8], "fits");
        assert(&[], "relu", &[], &[], "refused");
        assert(&[2, 3, 8], "linear", &weight(), &[2, 3, 4], "fits");
        assert(&[8], "linear", &weight(), &[4], "refused");
        assert(&[8, 8], "matmul", &weight(), &[8, 8], "fits");
        assert(&[2, 3, 4], "matmul", &weight(), &[2, 3, 8], "refused");
        assert(&[1, 3, 4], "matmul", &weight(), &[1, 3, 8], "fits");
        assert(&[2, 3, 8], "conv1d", &weight(), &[2, 3, 8], "refused");
        assert(&[2, 3, 4, 4], "batch_norm", &[], &[2, 3, 4, 4], "refused");
        assert(&[2, 4, 4, 4], "batch_norm", &[], &[2, 4, 4, 4], "fits");
        assert(&[2, 3, 4, 4], "max_pool2d", &[], &[2, 3, 2, 2], "fits");
        assert(&[2, 3, 8], "layer_norm", &normed(&[8]), &[2, 3, 8], "fits");
        assert(&[2, 8], "layer_norm", &normed(&[2, 8]), &[2, 8], "refused");
        assert(
            &[2, 8],
            "mean",
            &named("dim", json!({ "as_none": true })),
            &[],
            "fits",
        );
        assert(
            &[2, 8],
            "sum",
            &named("dim", json!({ "as_ints": [] })),
            &[],
            "fits",
        );
        assert(&[2, 3, 4], "flatten", &[], &[2, 12], "refused");
        assert(&[1, 3, 4], "flatten", &[], &[1, 12], "fits");
        assert(&[2, 3, 4], "flatten", &[], &[24], "fits");
        assert(&[2, 8], "flatten", &[], &[2, 8], "fits");
        assert(&[2, 3, 4], "view", &sizes(&[2, 12]), &[2, 12], "refused");
        assert(&[1, 3, 4], "view", &sizes(&[1, 12]), &[1, 12], "fits");
        assert(&[2, 3, 4], "view", &sizes(&[2, -1]), &[2, 12], "fits");
        assert(&[2, 3, 4], "view", &sizes(&[8, -1]), &[8, 3], "open");
        assert(&[2, 3, 4], "transpose", &[], &[2, 4, 3], "refused");
        assert(&[1, 8], "cumsum", &axis(1), &[1, 8], "refused");
        assert(&[8, 8], "mean", &kept(), &[8, 1], "refused");
        assert(&[2, 8], "cat", &axis(1), &[2, 16], "refused");
        assert(&[2, 8], "softmax", &axis(-1), &[2, 8], "fits");
        assert(&[2, 8], "softmax", &axis(1), &[2, 8], "refused");
        assert(&[2, 8], "mean", &axis(1), &[2], "refused");
        assert(&[2, 3, 8], "mean", &kept(), &[2, 1, 8], "fits");
        assert(&[2, 8], "unsqueeze", &axis(2), &[2, 8, 1], "refused");
        assert(&[2, 8], "unsqueeze", &axis(1), &[2, 1, 8], "fits");
        assert(&[2, 8], "select", &axis(0), &[8], "open");
        assert(&[2, 8], "select", &axis(0), &[], "open");
    }
}

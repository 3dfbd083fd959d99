//! What becomes of the values after a dropout of an exported program that OpenVINO converts.
//!
//! OpenVINO's rule of `native_dropout`, which has two outputs, passes its input on, and the `getitem` for the first output
//! becomes a Gather of the first slice. Measured with OpenVINO 2026.4 (`harness/conversion/others.py torch`).

use std::collections::HashMap;

use serde_json::Value as Json;

/// What OpenVINO has of each value: its rule of a dropout takes the first slice of the input, so that an extent is
/// missing from there on, which some ops refuse.
#[derive(Default)]
pub(super) struct Slices<'a> {
    /// The extents that a value lacks, and the index of the dropout that took the first.
    lacks: HashMap<&'a str, (usize, usize)>,
}

impl<'a> Slices<'a> {
    /// The dropout because of which OpenVINO refuses a node.
    pub(super) fn unfit(
        &self,
        target: &str,
        arguments: &HashMap<&str, &'a Json>,
        values: &Json,
    ) -> Option<usize> {
        let tensors = tensors(arguments);
        let &(_, cut) = tensors.iter().find_map(|name| self.lacks.get(name))?;
        let left = |name: &str| self.left(values, name);
        let first = left(tensors[0]);
        let integers = |name: &str| {
            let argument = arguments.get(name)?;
            let list = argument["as_ints"].as_array();
            Some(list.map_or_else(
                || vec![argument["as_int"].as_i64()],
                |list| list.iter().map(Json::as_i64).collect(),
            ))
        };
        let axes = integers("dim").unwrap_or_default();
        let is_beyond = |axis: Option<i64>| {
            axis.and_then(|axis| usize::try_from(axis).ok())
                .is_some_and(|axis| axis >= first)
        };
        let is_refused = match base(target) {
            "transpose" | "permute" | "t" | "flatten" => true,
            op if op.starts_with("conv") || op.contains("batch_norm") => true,
            // An extent that is left open takes what there is.
            "view" | "reshape" => {
                let extents = integers("size").or_else(|| integers("shape"));
                extents.is_some_and(|extents| !extents.contains(&Some(-1)))
            }
            "linear" | "dropout" => first == 0,
            "cat" => tensors.iter().any(|name| left(name) != first) || axes.into_iter().any(is_beyond),
            _ => axes.into_iter().any(is_beyond),
        };
        is_refused.then_some(cut)
    }

    /// The rank of a value in OpenVINO.
    fn left(&self, values: &Json, name: &str) -> usize {
        let lacks = self.lacks.get(name).map_or(0, |&(lacks, _)| lacks);
        rank(values, name).saturating_sub(lacks)
    }

    /// Notes what the output of a node lacks. `dropout` is the index of the node among what was found, if it is one.
    pub(super) fn follow(
        &mut self,
        target: &str,
        arguments: &HashMap<&str, &'a Json>,
        values: &Json,
        output: &'a str,
        dropout: Option<usize>,
    ) {
        let tensors = tensors(arguments);
        let Some(&first) = tensors.first() else { return };
        let before = self.lacks.get(first).copied();
        let after = match (base(target), dropout) {
            (_, Some(index)) => before.map_or(Some((1, index)), |(lacks, cut)| Some((lacks + 1, cut))),
            // They keep the rank of their first input, whatever the others are.
            (
                "linear" | "layer_norm" | "softmax" | "max_pool2d" | "avg_pool2d" | "adaptive_avg_pool2d",
                _,
            ) => before,
            (op, _) if ELEMENTWISE.contains(&op.trim_end_matches('_')) => {
                // The operand with the most extents decides, to which the others are broadcast.
                let lacking = tensors.iter().filter_map(|name| self.lacks.get(name));
                let left = tensors.iter().map(|name| self.left(values, name));
                let lacks = rank(values, output).saturating_sub(left.max().unwrap_or(0));
                lacking.map(|&(_, cut)| (lacks, cut)).next().filter(|_| lacks > 0)
            }
            // What another op makes of the slice is not known, and nothing is said of it.
            _ => None,
        };
        if let Some(after) = after {
            self.lacks.insert(output, after);
        }
    }
}

/// Ops whose output has the broadcast shape of their inputs.
const ELEMENTWISE: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "selu",
    "gelu",
    "silu",
    "hardswish",
    "hardsigmoid",
    "hardtanh",
    "sigmoid",
    "tanh",
    "exp",
    "clone",
    "contiguous",
];

/// The name of an op of ATen without its overload.
fn base(target: &str) -> &str {
    let op = target.strip_prefix("torch.ops.aten.").unwrap_or("");
    op.split_once('.').map_or(op, |(name, _)| name)
}

/// The names of the tensors among a node's arguments, its `self` and `input` first.
fn tensors<'a>(arguments: &HashMap<&str, &'a Json>) -> Vec<&'a str> {
    let of = |argument: &'a Json| {
        let one = argument["as_tensor"]["name"].as_str();
        let many = argument["as_tensors"].as_array().into_iter().flatten();
        one.into_iter()
            .chain(many.filter_map(|tensor| tensor["name"].as_str()))
    };
    let is_first = |name: &&str| matches!(*name, "self" | "input" | "tensors");
    let mut names: Vec<&&str> = arguments.keys().collect();
    names.sort_by_key(|name| (!is_first(name), **name));
    names.into_iter().flat_map(|name| of(arguments[*name])).collect()
}

/// The rank of a value in PyTorch.
fn rank(values: &Json, name: &str) -> usize {
    values[name]["sizes"].as_array().map_or(0, Vec::len)
}

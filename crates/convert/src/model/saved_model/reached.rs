//! The part of a SavedModel that a converter sees, and the functions in it that are bodies.

use std::collections::{HashMap, HashSet};

use super::proto::{Function, Graph, MetaGraph, NodeDef};
use crate::source::Body;

/// The signature that both converters take unless another one is named.
const SERVED: &str = "serving_default";

/// The signature of the nodes that initialise a restored model, which no converter takes over.
const INITIALISES: &str = "__saved_model_init_op";

/// The part of a graph that a converter sees: what the outputs of its signature need. A model also contains its
/// initialisers, its saver and functions that other signatures call, such as a step of training.
pub(super) struct Reached<'a> {
    pub(super) nodes: Vec<&'a NodeDef>,
    pub(super) functions: HashSet<&'a str>,
}

impl<'a> Reached<'a> {
    pub(super) fn of(meta: &'a MetaGraph, graph: &'a Graph, functions: &[(&'a str, &'a Function)]) -> Self {
        let by_name: HashMap<&str, &NodeDef> =
            graph.node.iter().map(|node| (node.name.as_str(), node)).collect();
        let mut pending: Vec<&NodeDef> = Vec::new();
        let signatures = meta.signatures.iter();
        let is_served = meta.signatures.contains_key(SERVED);
        let signatures = signatures.filter(|(name, _)| {
            if is_served {
                *name == SERVED
            } else {
                *name != INITIALISES
            }
        });
        let outputs = signatures.flat_map(|(_, signature)| signature.outputs.values());
        pending.extend(outputs.filter_map(|output| by_name.get(node_of(&output.name))));
        // Without a signature, nothing says which part is used.
        if pending.is_empty() {
            pending.extend(&graph.node);
        }
        let functions: HashMap<&str, &Function> = functions.iter().copied().collect();
        let mut reached = Self {
            nodes: Vec::new(),
            functions: HashSet::new(),
        };
        let mut seen = HashSet::new();
        let mut called = Vec::new();
        while let Some(node) = pending.pop() {
            if seen.insert(node.name.as_str()) {
                reached.nodes.push(node);
                pending.extend(node.input.iter().filter_map(|input| by_name.get(node_of(input))));
                called.extend(callees(node));
            }
        }
        // A whole function counts: TensorFlow runs its stateful nodes even if no output needs them.
        while let Some(name) = called.pop() {
            if let Some((name, function)) = functions.get_key_value(name)
                && reached.functions.insert(name)
            {
                called.extend(function.node.iter().flat_map(callees));
            }
        }
        // In the model's order, in which the ops are listed.
        reached.nodes = graph
            .node
            .iter()
            .filter(|node| seen.contains(node.name.as_str()))
            .collect();
        reached
    }
}

/// The names of the functions that a node calls: in its attributes, or as its op.
fn callees(node: &NodeDef) -> impl Iterator<Item = &str> {
    let named = node.attr.values().flat_map(|value| {
        let listed = value.list.iter().flat_map(|list| &list.functions);
        value.function.iter().chain(listed)
    });
    named.map(|callee| callee.name.as_str()).chain([node.op.as_str()])
}

/// The functions that are branches of conditions or bodies of loops, or are called from one of these.
pub(super) fn bodies<'a>(functions: &[(&'a str, &'a Function)]) -> HashMap<&'a str, Body> {
    let by_name: HashMap<&str, &Function> = functions.iter().copied().collect();
    let mut bodies = HashMap::new();
    // A function is entered again only if its kind of body rises, which can happen twice. So this ends even if
    // functions call each other in a circle.
    let mut pending: Vec<(&'a str, Option<Body>)> = functions.iter().map(|(name, _)| (*name, None)).collect();
    while let Some((caller, around)) = pending.pop() {
        for node in by_name.get(caller).iter().flat_map(|function| &function.node) {
            let body = match node.op.as_str() {
                "While" | "StatelessWhile" => Some(Body::Loop),
                "If" | "StatelessIf" | "Case" | "StatelessCase" => Some(Body::Branch),
                _ => None,
            };
            let body = body.max(around);
            for callee in callees(node) {
                if let Some(inner) = body
                    && bodies.get(callee).copied() < body
                {
                    bodies.insert(callee, inner);
                    pending.push((callee, body));
                }
            }
        }
    }
    bodies
}

/// The name of the node in an input: `node`, `node:0`, `node:output:0`, or `^node` for an order
/// of execution without data.
pub(super) fn node_of(input: &str) -> &str {
    input.split(':').next().unwrap_or("").trim_start_matches('^')
}

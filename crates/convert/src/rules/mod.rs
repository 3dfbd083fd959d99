//! Rules for the conversion of each random op, one module for each framework.
//!
//! A rule describes how the source draws and what the op becomes: nodes of the target's graph and how these draw, or a
//! refusal. The verdict and its stages are computed from the two sides.

mod litert;
mod onnx;
mod outcome;
mod tensorflow;
mod torch;

use crate::asked::{Asked, weights};
use crate::node::Node;
use crate::side::{Side, State};
use crate::source::{Body, Framework, Path, Source, Target};

pub use outcome::{At, Converted, Refusal, Rule};

/// The rule for an op on a path, if there is one.
pub fn rule(source: &Source, path: &Path) -> Option<Rule> {
    let mut rule = at_top(source, path)?;
    // Only the target's state changes: a kernel of TensorFlow keeps one state for all its calls. A model that is in
    // OpenVINO's form already has the same runtime at both ends.
    if let (Some(body), Ok(Converted { side: Some(side), .. })) = (source.body(), &mut rule.target) {
        side.state = in_body(body, path.target, side.state);
        if source.framework == Framework::Openvino {
            rule.source = Ok(side.clone());
        }
    }
    if path.target == Target::Openvino && is_scalar_uniform(source, &rule) {
        let converted = rule.target.unwrap_or_default();
        rule.target = Ok(Converted {
            nodes: converted.nodes,
            ..Converted::vanished(
                "the CPU plugin does not write an output without extents: it holds whatever its memory held",
            )
        });
    }
    // The readings know of more refusals than the rules do, such as a mean that is not an f16.
    let shape = source.shape.as_deref().unwrap_or(&[1]);
    let refusal = |side: &Side, at| Some(Refusal::at(at, side.refusal(shape)?));
    if let Some(refused) = rule
        .source
        .as_ref()
        .ok()
        .and_then(|side| refusal(side, At::Source))
    {
        rule.source = Err(refused);
    }
    let target = rule
        .target
        .as_ref()
        .ok()
        .and_then(|converted| converted.side.as_ref());
    if let Some(refused) = target.and_then(|side| refusal(side, At::Compile)) {
        rule.target = Err(refused);
    }
    Some(rule)
}

/// Whether the converted op is a RandomUniform that draws a scalar.
fn is_scalar_uniform(source: &Source, rule: &Rule) -> bool {
    let nodes = rule.target.iter().flat_map(|converted| &converted.nodes);
    source.shape.as_ref().is_some_and(Vec::is_empty)
        && nodes.into_iter().any(|node| node.op == "RandomUniform")
}

/// The state of an op in a subgraph, as each runtime treats it.
fn in_body(body: Body, target: Target, state: State) -> State {
    match (target, body) {
        (_, Body::Loop) if state == State::Repeats => state,
        // LiteRT prepares a subgraph again at each inference, which seeds its ops again. Within one inference, the
        // kernel of Multinomial continues as TensorFlow's does, and the other kernels continue at another block.
        (Target::Litert, Body::Branch) => State::Repeats,
        (Target::Litert, Body::Loop) if state == State::GoesOn => State::Repeats,
        (Target::Litert, Body::Loop) => State::InLoop,
        // OpenVINO's CPU plugin keeps the nodes of a body, and their streams go on as at the top.
        (Target::Openvino | Target::Onnxruntime, _) => state,
    }
}

/// The rule for an op that each inference runs once.
fn at_top(source: &Source, path: &Path) -> Option<Rule> {
    match (source.framework, path.target) {
        (Framework::Tensorflow, Target::Openvino) if path.mode == "litert" => {
            litert::to_openvino(source, path)
        }
        (Framework::Tensorflow, Target::Openvino) => tensorflow::to_openvino(source, path),
        (Framework::Tensorflow, Target::Litert) => litert::from_tensorflow(source, path),
        (Framework::Onnx | Framework::Onnxruntime, Target::Openvino) => onnx::to_openvino(source, path),
        (Framework::Onnx, Target::Onnxruntime) => onnx::to_onnxruntime(source, path),
        (Framework::Torch, _) if path.mode.starts_with(outcome::ONNX_FILE) => onnx::from_torch(source, path),
        (Framework::Torch, Target::Openvino) => torch::to_openvino(source, path),
        (Framework::Openvino, Target::Openvino) => openvino(source, path),
        _ => None,
    }
}

/// The rule for a model in OpenVINO's own representation: its nodes are not converted.
fn openvino(source: &Source, path: &Path) -> Option<Rule> {
    let dtype = source.dtype()?;
    let seeds = (source.seed("global_seed")?, source.seed("op_seed")?);
    let alignment = source.get("alignment").map(ToString::to_string);
    let is = |name: &str| alignment.as_ref().is_some_and(|it| it.eq_ignore_ascii_case(name));
    let is_pytorch = is("PYTORCH");
    if let Some(alignment) = alignment.as_ref().filter(|_| !is_pytorch && !is("TENSORFLOW")) {
        let refusal = Refusal::at(At::Source, format!("alignment is {alignment}"));
        return Some(Rule {
            source: Err(refusal.clone()),
            target: Err(refusal),
        });
    }
    // NaN stands for an absent bound, which the filter removes; a bound of 0 would look like one that the model has.
    let bounds = source
        .bound("minval", f64::NAN)
        .zip(source.bound("maxval", f64::NAN))
        .filter(|_| source.get("minval").is_some() && source.get("maxval").is_some());
    let node = match source.op.as_str() {
        "RandomUniform" if is_pytorch => Node::mersenne(dtype, seeds, bounds),
        "RandomUniform" => Node::philox(dtype, seeds, bounds),
        "Multinomial" => {
            let kind = source
                .get("probs_type")
                .and_then(|kind| kind.to_string().parse().ok());
            let weights = kind.and_then(|kind| weights(source, "probs", kind, |weight| weight));
            Node::multinomial(
                dtype,
                seeds,
                weights.and_then(|weights| Asked::multinomial(source, weights)),
            )
        }
        _ => return None,
    };
    let side = node.side(path.hint);
    Some(Rule {
        source: Ok(side.clone()),
        target: Ok(Converted::to(node, side)),
    })
}

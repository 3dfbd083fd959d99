//! ONNX: its reference evaluator, ONNX Runtime, and OpenVINO's frontend for ONNX.

use std::collections::BTreeMap;

use seedproof_ops::{AttributeValue, Dtype, OpName, Scalar, Tensor};

use super::outcome::{At, Converted, ONNX_FILE, Refusal, Rule};
use crate::asked::{self, Asked};
use crate::node::Node;
use crate::side::{Choice, Comparison, Generator, Seeds, Side, State, Values};
use crate::source::{BETWEEN, Framework, Hint, Path, Source, Target, Value, number};

/// The seed that ONNX Runtime and the reference evaluator use: the integer part of the float, and the integer of
/// Dropout.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the integer part is what they take"
)]
fn whole(source: &Source) -> Option<Seeds> {
    if source.op == "Dropout" {
        return Some(Seeds::Fixed(source.seed("seed")?, 0));
    }
    let seed = source.real("seed")?;
    Some(Seeds::Fixed(u64::from(seed as i64 as u32), 0))
}

/// The seed that OpenVINO's frontend passes on: the bits of the float.
#[expect(clippy::cast_possible_truncation, reason = "ONNX's attribute is an f32")]
fn bits(source: &Source) -> u64 {
    source
        .real("seed")
        .map_or(0, |seed| u64::from((seed as f32).to_bits()))
}

fn bounds(source: &Source, dtype: Dtype) -> Option<(Scalar, Scalar)> {
    let bound = |name, default| number(dtype, source.real(name).unwrap_or(default));
    Some((bound("low", 0.0)?, bound("high", 1.0)?))
}

/// The element type of the first input of Bernoulli and Multinomial.
fn input_type(source: &Source) -> Option<Dtype> {
    match source.get("input_type") {
        Some(name) => name.to_string().parse().ok(),
        None if source.op == "Multinomial" => Some(Dtype::F32),
        None => source.dtype(),
    }
}

/// The logarithms that Multinomial takes, or those of the probabilities that a source has.
fn logits(source: &Source) -> Option<Tensor> {
    let dtype = input_type(source)?;
    asked::weights(source, "logits", dtype, |logit| logit)
        .or_else(|| asked::weights(source, "probabilities", dtype, f64::ln))
}

/// The op as the readings of ONNX's runtimes have it; `None` if they do not have it, or if the model computes an input.
fn asked(source: &Source) -> Option<Asked> {
    let single = |name, default| {
        let number = number(Dtype::F32, source.real(name).unwrap_or(default))?;
        Some((name, Tensor::from_scalar(number)))
    };
    let uniform = || Some(vec![single("low", 0.0)?, single("high", 1.0)?]);
    let normal = || Some(vec![single("mean", 0.0)?, single("scale", 1.0)?]);
    let (op, inputs) = match source.op.as_str() {
        "RandomUniform" => (OpName::OnnxRandomUniform, uniform()?),
        "RandomUniformLike" => (OpName::OnnxRandomUniformLike, uniform()?),
        "RandomNormal" => (OpName::OnnxRandomNormal, normal()?),
        "RandomNormalLike" => (OpName::OnnxRandomNormalLike, normal()?),
        "Bernoulli" => {
            let p = asked::list(source, "p", input_type(source)?, |p| p)?;
            (OpName::OnnxBernoulli, vec![("input", p)])
        }
        "Multinomial" => (OpName::OnnxMultinomial, vec![("input", logits(source)?)]),
        _ => return None,
    };
    let sample_size = asked::samples(source).map(|samples| AttributeValue::Number(samples.into()));
    Some(Asked {
        op,
        inputs,
        attributes: sample_size
            .map(|size| ("sample_size", size))
            .into_iter()
            .collect(),
    })
}

/// Dropout of ones: `u >= ratio` keeps `1 / (1 - ratio)`, in f32. The reference evaluator draws a double.
fn dropout(source: &Source, reading: &'static str, plain: &Side) -> Option<Side> {
    if source.op != "Dropout" || source.dtype() != Some(Dtype::F32) {
        return None;
    }
    let ratio = number(Dtype::F32, source.real("rate")?)?.to_f64();
    let kept = number(Dtype::F32, 1.0 - ratio)?;
    let choice = Choice {
        comparison: Comparison::AtLeast,
        than: ratio,
        kind: source.kind.clone(),
        yes: number(Dtype::F32, 1.0 / kept.to_f64())?.bits(),
        no: 0,
    };
    let is_runtime = source.framework == Framework::Onnxruntime;
    let uniform = Source {
        op: "RandomUniform".to_owned(),
        parameters: BTreeMap::new(),
        ..source.clone()
    };
    Some(Side {
        values: Values::reading(reading),
        dtype: Some(if is_runtime { Dtype::F32 } else { Dtype::F64 }),
        // Each run of a session makes a generator of the next seed.
        state: if is_runtime { State::NextSeed } else { plain.state },
        asked: asked(&uniform),
        choice: Some(choice),
        ..plain.clone()
    })
}

/// The side that draws an op of ONNX by the reading of its runtime, if it has the op.
fn drawing(source: &Source, reading: &'static str, plain: Side) -> Side {
    if let Some(dropout) = dropout(source, reading, &plain) {
        return dropout;
    }
    let Some(asked) = asked(source) else {
        return plain;
    };
    // The readings know no booleans, which only Bernoulli makes.
    let is_bool = source.kind == "bool";
    let choice = is_bool.then(|| Choice {
        comparison: Comparison::AtLeast,
        than: 1.0,
        kind: source.kind.clone(),
        yes: 1,
        no: 0,
    });
    Side {
        values: Values::reading(reading),
        dtype: if is_bool { Some(Dtype::U8) } else { source.dtype() },
        asked: Some(asked),
        choice,
        ..plain
    }
}

/// The message of ONNX Runtime for an op without a kernel. It has the version of the op set in
/// which the op last changed.
fn no_kernel(op: &str, opset: u32) -> String {
    // Bernoulli is a function, so the missing kernel is that of the random op in its body.
    let op = if op == "Bernoulli" {
        "RandomUniformLike"
    } else {
        op
    };
    let since = match op {
        _ if opset >= 22 => 22,
        "Multinomial" => 7,
        _ => 1,
    };
    format!("{NO_KERNEL} {op}({since}) node")
}

const NO_KERNEL: &str = "Could not find an implementation for";

/// The version of the op set, which ends the mode of a path: `opset-15`, `path-opset-15`.
fn opset(path: &Path) -> u32 {
    path.mode
        .rsplit_once('-')
        .and_then(|(_, version)| version.parse().ok())
        .unwrap_or(0)
}

/// Whether the model is read from its file. OpenVINO expands functions of the op set, such as Bernoulli, only in a
/// model that is given as bytes: erratum `onnx-bernoulli-path`.
fn is_read_from_file(path: &Path) -> bool {
    path.mode.starts_with("path-")
}

/// How the source draws, or its refusal.
fn side(source: &Source, path: &Path) -> Option<Result<Side, Refusal>> {
    let refused = |message: &str| Some(Err(Refusal::at(At::Source, message)));
    let is_runtime = source.framework == Framework::Onnxruntime;
    // Functions of the op set consist of other ops, so these two need no kernel of their own.
    let is_kernel = source.op != "Dropout" && (source.op != "Bernoulli" || opset(path) >= 22);
    // ONNX Runtime inserts conversions around the `Like` ops with an f16 input, and so can run them.
    let is_converted = is_runtime && source.kind == "f16" && source.op.ends_with("Like");
    let has_type = match source.op.as_str() {
        "Multinomial" => input_type(source) != Some(Dtype::F64),
        _ => matches!(source.kind.as_str(), "f32" | "f64") || is_converted,
    };
    if is_runtime && is_kernel && (opset(path) >= 22 || !has_type) {
        return refused(&no_kernel(&source.op, opset(path)));
    }
    // ONNX declares the seed of Dropout as an integer and every other seed as a float.
    let is_whole = |value: &Value| matches!(value, Value::Integer(_));
    if is_runtime
        && source
            .get("seed")
            .is_some_and(|seed| is_whole(seed) != (source.op == "Dropout"))
    {
        return refused("Mismatched attribute type in ' : seed'");
    }
    if is_runtime
        && source.op.starts_with("RandomNormal")
        && source.real("scale").is_some_and(|scale| scale <= 0.0)
    {
        // `std::normal_distribution` of libstdc++ asserts that the deviation is positive, and the
        // package is built with assertions.
        return refused("the process ends with signal 6");
    }
    if !is_runtime && source.op.ends_with("Like") && source.dtype().is_none_or(|dtype| !dtype.is_float()) {
        return refused("Issues with types");
    }
    if !is_runtime && source.op == "Multinomial" {
        return refused("No registered implementation for operator 'Multinomial'");
    }
    let has_extents = source.shape.as_ref().is_none_or(|shape| !shape.is_empty());
    if !is_runtime && !has_extents && ["RandomNormal", "RandomUniform"].contains(&source.op.as_str()) {
        return refused(&format!("shape cannot be empty for operator {}.", source.op));
    }
    let range = 0.0..4_294_967_296.0;
    if !is_runtime
        && source
            .real("seed")
            .is_some_and(|seed| !range.contains(&seed.trunc()))
    {
        return refused("Seed must be between 0 and 2**32 - 1");
    }
    // Without a seed, the random kernels share one generator of the process; captures show that Dropout does not.
    let unseeded = if source.op == "Dropout" {
        Seeds::AtRun
    } else {
        Seeds::AtProcess
    };
    let (generator, state, reading, unseeded) = if is_runtime {
        (Generator::Minstd, State::GoesOn, "onnxruntime-1.31", unseeded)
    } else {
        (
            Generator::RandomState,
            State::Repeats,
            "onnx-reference-1.23",
            Seeds::AtRun,
        )
    };
    let plain = Side::unmodelled(generator, whole(source).unwrap_or(unseeded), state);
    if is_runtime && is_removed(source) {
        // The optimiser removed the op, so no reading answers for the result.
        return Some(Ok(plain));
    }
    let side = drawing(source, reading, plain);
    Some(Ok(if is_converted {
        Side {
            dtype: Some(Dtype::F32),
            cast: source.dtype(),
            ..side
        }
    } else {
        side
    }))
}

const OTHER_TYPE: &str = "'min_val' and 'max_val' should have the same type as 'out_type' attribute";

/// ONNX to OpenVINO, by `read_model`.
pub(super) fn to_openvino(source: &Source, path: &Path) -> Option<Rule> {
    let refused = |message| Err(Refusal::at(At::Convert, message));
    let node = |low: f64, seed: u64, dtype: Dtype| {
        let bounds = number(dtype, low).zip(number(dtype, 1.0));
        Node::philox(dtype, (0, seed), bounds)
    };
    let single = |node: Node| {
        let side = node.side(path.hint);
        Ok(Converted::to(node, side))
    };
    // At the hint f16, what follows the draws is rounded in a way that no reading has.
    let followed = |nodes: Vec<Node>, plain: Side| {
        let side = if path.hint == Hint::F16 {
            plain
        } else {
            drawing(source, "openvino-onnx-2026.4", plain)
        };
        Ok(Converted {
            nodes,
            ..Converted::without_nodes(side)
        })
    };
    let seed = bits(source);
    let target = match source.op.as_str() {
        _ if source.get("function").is_some() => {
            let function = source.get("function").map_or(String::new(), ToString::to_string);
            Err(Refusal::no_rule(&function))
        }
        "Bernoulli" if is_read_from_file(path) => {
            Err(Refusal::no_rule(&format!("Bernoulli-{}", opset(path))))
        }
        "RandomUniform" | "RandomUniformLike" if source.dtype()? == Dtype::F32 => {
            single(Node::philox(Dtype::F32, (0, seed), bounds(source, Dtype::F32)))
        }
        "RandomUniform" | "RandomUniformLike" => refused(OTHER_TYPE),
        "RandomNormal" | "RandomNormalLike" => {
            let (dtype, least) = (source.dtype()?, f64::from(f32::MIN_POSITIVE));
            // Box-Muller needs two uniform draws. The frontend adds 10,000 to the seed of the second node, unless it is
            // 0, which means no seed for both. The lower bound keeps the logarithm finite.
            let second = if seed == 0 { 0 } else { seed + 10_000 };
            let nodes = vec![node(least, seed, dtype), node(least, second, dtype)];
            let plain = Side::unmodelled(Generator::Philox, nodes[0].seeds, State::GoesOn);
            followed(nodes, plain)
        }
        "Bernoulli" if source.get("seed").is_none() => {
            refused("Invalid attribute type UNDEFINED expected: INT, FLOAT")
        }
        "Bernoulli" if input_type(source) != Some(Dtype::F32) => refused(OTHER_TYPE),
        "Bernoulli" => {
            let node = node(0.0, seed, Dtype::F32);
            let plain = Side::unmodelled(Generator::Philox, node.seeds, State::GoesOn);
            followed(vec![node], plain)
        }
        "Multinomial" => {
            let asked = logits(source).and_then(|logits| Asked::multinomial(source, logits));
            single(Node::multinomial(source.dtype()?, (seed, 0), asked))
        }
        "Dropout" => refused("Training mode is not supported for Dropout op"),
        _ => return None,
    };
    Some(Rule {
        source: side(source, path)?,
        target,
    })
}

/// ONNX to ONNX Runtime, whose source is the reference evaluator.
pub(super) fn to_onnxruntime(source: &Source, path: &Path) -> Option<Rule> {
    Some(Rule {
        source: side(source, path)?,
        target: in_runtime(source, path)?,
    })
}

/// A file that PyTorch exported to ONNX. Its ops are those of ONNX; PyTorch's seed is not exported.
pub(super) fn from_torch(source: &Source, path: &Path) -> Option<Rule> {
    let source = Source {
        framework: Framework::Onnxruntime,
        ..source.clone()
    };
    let path = Path {
        mode: path.mode.trim_start_matches(ONNX_FILE).to_owned(),
        ..path.clone()
    };
    let target = match path.target {
        Target::Openvino => to_openvino(&source, &path)?.target,
        Target::Onnxruntime => in_runtime(&source, &path)?,
        Target::Litert => return None,
    };
    Some(Rule {
        source: Ok(Side::unmodelled(
            Generator::Mt19937,
            Seeds::OutsideModel,
            State::GoesOn,
        )),
        target,
    })
}

/// Whether ONNX Runtime's optimiser removes a Dropout, in training mode too: the reader marks one between two nodes.
fn is_removed(source: &Source) -> bool {
    source.get(BETWEEN).and_then(Value::flag) == Some(true)
}

/// The result of running an op in ONNX Runtime.
fn in_runtime(source: &Source, path: &Path) -> Option<Result<Converted, Refusal>> {
    let runtime = Source {
        framework: Framework::Onnxruntime,
        ..source.clone()
    };
    let target = side(&runtime, path)?
        .map(|side| {
            if is_removed(source) {
                Converted::vanished(
                    "the optimiser of ONNX Runtime removes a Dropout between two nodes, in training mode too",
                )
            } else {
                Converted::without_nodes(side)
            }
        })
        .map_err(|refusal| Refusal {
            // As a source, a refusal is one step; as a target, the session refuses the model before any inference,
            // or the kernel fails in it.
            at: if refusal.message.starts_with(NO_KERNEL) || refusal.message.starts_with("Mismatched") {
                At::Compile
            } else {
                At::Infer
            },
            ..refusal
        });
    Some(target)
}

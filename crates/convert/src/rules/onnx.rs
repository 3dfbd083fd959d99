//! ONNX: its reference evaluator, ONNX Runtime, and what OpenVINO's frontend makes of its ops.

use seedproof_ops::{Dtype, Scalar};

use super::outcome::{At, Converted, Refusal, Rule};
use crate::node::Node;
use crate::side::{Choice, Comparison, Generator, Seeds, Side, State};
use crate::source::{Framework, Path, Source, number};
use crate::weights::Weights;

/// A float seed as ONNX Runtime and the reference evaluator take it: the integer part.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the integer part is what they take"
)]
fn whole(source: &Source) -> Option<Seeds> {
    let seed = source.real("seed")?;
    Some(Seeds::Fixed(u64::from(seed as i64 as u32), 0))
}

/// A float seed as OpenVINO's frontend takes it: the bits of the float.
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

/// Ones of the output's type where a draw is above the probability.
fn coin(source: &Source) -> Option<Choice> {
    let one = source
        .dtype()
        .map_or(Some(1), |dtype| Some(number(dtype, 1.0)?.bits()))?;
    Some(Choice {
        comparison: Comparison::Above,
        than: source.real("p")?,
        kind: source.kind.clone(),
        yes: one,
        no: 0,
    })
}

/// The parameter from whose logarithms Multinomial draws.
const PROBABILITIES: &str = "probabilities";

/// What ONNX Runtime says of an op that it has no kernel for.
const NO_KERNEL: &str = "Could not find an implementation for";

/// The version of the op set of a path.
fn opset(path: &Path) -> u32 {
    path.mode
        .strip_prefix("opset-")
        .and_then(|version| version.parse().ok())
        .unwrap_or(0)
}

/// How the source draws, or why it does not.
fn side(source: &Source, path: &Path) -> Option<Result<Side, Refusal>> {
    let refused = |message| Some(Err(Refusal::at(At::Source, message)));
    let is_runtime = source.framework == Framework::Onnxruntime;
    // Functions of the op set are made of other ops.
    let is_kernel = source.op != "Dropout" && (source.op != "Bernoulli" || opset(path) >= 22);
    // Conversions stand around an op of the form of another tensor, whose input is f16.
    let is_converted = is_runtime && source.kind == "f16" && source.op.ends_with("Like");
    if is_runtime && is_kernel && (opset(path) >= 22 || source.kind == "f16" && !is_converted) {
        return refused(NO_KERNEL);
    }
    if is_runtime
        && source.op.starts_with("RandomNormal")
        && source.real("scale").is_some_and(|scale| scale <= 0.0)
    {
        // libstdc++ asserts that a deviation is positive.
        return refused("the process ends with signal 6");
    }
    if !is_runtime && source.op == "Multinomial" {
        return refused("No registered implementation for operator 'Multinomial'");
    }
    let range = 0.0..4_294_967_296.0;
    if !is_runtime
        && source
            .real("seed")
            .is_some_and(|seed| !range.contains(&seed.trunc()))
    {
        return refused("Seed must be between 0 and 2**32 - 1");
    }
    let unseeded = if source.op == "Dropout" {
        Seeds::AtRun
    } else {
        Seeds::AtProcess
    };
    let (generator, state, reading, unseeded) = if is_runtime {
        (Generator::Minstd, State::GoesOn, "onnxruntime-1.31", unseeded)
    } else {
        (Generator::RandomState, State::Repeats, "onnx", Seeds::AtRun)
    };
    let plain = Side::unmodelled(generator, whole(source).unwrap_or(unseeded), state);
    let dtype = source.dtype();
    if source.op == "Multinomial" {
        let weights = Weights::of_probabilities(source, PROBABILITIES);
        return Some(Ok(Side {
            reading,
            dtype: dtype.filter(|_| weights.is_some()),
            weights,
            ..plain
        }));
    }
    if !source.op.starts_with("RandomUniform") {
        return Some(Ok(plain));
    }
    let dtype = dtype?;
    Some(Ok(Side {
        reading,
        dtype: Some(dtype),
        bounds: bounds(source, dtype),
        ..plain
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
    let single = |node: Node, choice: Option<Choice>| {
        let side = Side {
            choice,
            ..node.side(path.hint)
        };
        Ok(Converted::to(node, side))
    };
    let seed = bits(source);
    let target = match source.op.as_str() {
        "RandomUniform" | "RandomUniformLike" if source.dtype()? == Dtype::F32 => single(
            Node::philox(Dtype::F32, (0, seed), bounds(source, Dtype::F32)),
            None,
        ),
        "RandomUniform" | "RandomUniformLike" => refused(OTHER_TYPE),
        "RandomNormal" | "RandomNormalLike" => {
            let (dtype, least) = (source.dtype()?, f64::from(f32::MIN_POSITIVE));
            // A seed without bits leaves both nodes without one.
            let second = if seed == 0 { 0 } else { seed + 10_000 };
            let nodes = vec![node(least, seed, dtype), node(least, second, dtype)];
            let side = Side::unmodelled(Generator::Philox, nodes[0].seeds, State::GoesOn);
            Ok(Converted {
                nodes,
                ..Converted::without_nodes(side)
            })
        }
        "Bernoulli" if source.get("seed").is_none() => {
            refused("Invalid attribute type UNDEFINED expected: INT, FLOAT")
        }
        "Bernoulli"
            if source
                .get("input_type")
                .map_or(source.kind.clone(), ToString::to_string)
                != "f32" =>
        {
            refused(OTHER_TYPE)
        }
        "Bernoulli" => single(node(0.0, seed, Dtype::F32), coin(source)).map(|converted| {
            // A model computes the probabilities.
            let known = |side: Side| {
                if side.choice.is_some() {
                    side
                } else {
                    Side { dtype: None, ..side }
                }
            };
            Converted {
                side: converted.side.map(known),
                ..converted
            }
        }),
        "Multinomial" => {
            let weights = Weights::of_probabilities(source, PROBABILITIES);
            single(Node::multinomial(source.dtype()?, (seed, 0), weights), None)
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
    let runtime = Source {
        framework: Framework::Onnxruntime,
        ..source.clone()
    };
    let target = side(&runtime, path)?
        .map(Converted::without_nodes)
        .map_err(|refusal| Refusal {
            at: if refusal.message == NO_KERNEL {
                At::Compile
            } else {
                At::Infer
            },
            ..refusal
        });
    Some(Rule {
        source: side(source, path)?,
        target,
    })
}

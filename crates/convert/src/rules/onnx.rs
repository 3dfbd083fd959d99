//! ONNX: its reference evaluator, ONNX Runtime, and OpenVINO's frontend for ONNX.

use seedproof_ops::{Dtype, Scalar};

use super::outcome::{At, Converted, ONNX_FILE, Refusal, Rule};
use crate::node::Node;
use crate::side::{Choice, Comparison, Generator, Seeds, Side, State, Values};
use crate::source::{Framework, Path, Source, Target, Value, number};
use crate::weights::Weights;

/// The seed that ONNX Runtime and the reference evaluator use: the integer part of the float.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the integer part is what they take"
)]
fn whole(source: &Source) -> Option<Seeds> {
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

/// Bernoulli: an element is one if its draw is above the probability. The op's function body says `Greater`, so it is
/// one with the probability `1 - p`: erratum `onnx-bernoulli-sense`.
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

/// The parameter of a Multinomial's probabilities. The op takes their logarithms.
const PROBABILITIES: &str = "probabilities";

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
    if is_runtime && is_kernel && (opset(path) >= 22 || source.kind == "f16" && !is_converted) {
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
    // Without a seed, the random kernels share one generator of the process; captures show that Dropout does not.
    let unseeded = if source.op == "Dropout" {
        Seeds::AtRun
    } else {
        Seeds::AtProcess
    };
    let (generator, state, values, unseeded) = if is_runtime {
        (
            Generator::Minstd,
            State::GoesOn,
            Values::reading("onnxruntime-1.31"),
            unseeded,
        )
    } else {
        (
            Generator::RandomState,
            State::Repeats,
            Values::Kernel("numpy"),
            Seeds::AtRun,
        )
    };
    let plain = Side::unmodelled(generator, whole(source).unwrap_or(unseeded), state);
    let dtype = source.dtype();
    if source.op == "Multinomial" {
        let weights = Weights::of_probabilities(source, PROBABILITIES);
        return Some(Ok(Side {
            values,
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
        values,
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
        _ if source.get("function").is_some() => {
            let function = source.get("function").map_or(String::new(), ToString::to_string);
            Err(Refusal::no_rule(&function))
        }
        "Bernoulli" if is_read_from_file(path) => {
            Err(Refusal::no_rule(&format!("Bernoulli-{}", opset(path))))
        }
        "RandomUniform" | "RandomUniformLike" if source.dtype()? == Dtype::F32 => single(
            Node::philox(Dtype::F32, (0, seed), bounds(source, Dtype::F32)),
            None,
        ),
        "RandomUniform" | "RandomUniformLike" => refused(OTHER_TYPE),
        "RandomNormal" | "RandomNormalLike" => {
            let (dtype, least) = (source.dtype()?, f64::from(f32::MIN_POSITIVE));
            // Box-Muller needs two uniform draws. The frontend adds 10,000 to the seed of the second node, unless it is
            // 0, which means no seed for both. The lower bound keeps the logarithm finite.
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
            // Without a known probability, the model computes it, and the values are not modelled.
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

/// The result of running an op in ONNX Runtime.
fn in_runtime(source: &Source, path: &Path) -> Option<Result<Converted, Refusal>> {
    let runtime = Source {
        framework: Framework::Onnxruntime,
        ..source.clone()
    };
    let target = side(&runtime, path)?
        .map(Converted::without_nodes)
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

//! TensorFlow 2.21: its kernels, and OpenVINO's frontend for TensorFlow.

use seedproof_ops::{
    Backend as _, Dtype, Limits, OpName, Request, Scalar, StatelessRandomGetKeyCounter, Tensor,
};
use seedproof_readings::{Engine, find};

use super::outcome::{At, Converted, Refusal, Rule};
use crate::asked::{Asked, weights};
use crate::node::{Node, arithmetic, fixed};
use crate::side::{Affine, Choice, Comparison, Generator, Rounding, Seeds, Side, State, Values};
use crate::source::{Path, Source, Step, Value, low_64, number};

/// `_MAXINT32` of TensorFlow's `random_seed.py`: `get_seed` reduces both seeds modulo this number, and uses it as the
/// second seed if both would be zero.
const MODULUS: u64 = 2_147_483_647;

/// `DEFAULT_GRAPH_SEED` of `random_seed.py`, which `get_seed` uses if only the op has a seed.
const DEFAULT_GRAPH_SEED: u64 = 87_654_321;

/// The seeds of the kernel of an op or function. A kernel's attributes are used as they are. A function's come from
/// `get_seed`, which combines the global seed with the op's own, or else with the number of the op in its graph.
fn seeds(source: &Source) -> Option<Seeds> {
    if let Some(Value::List(raw)) = source.get("raw_seeds") {
        let raw: Vec<u64> = raw.iter().filter_map(|seed| seed.integer().map(low_64)).collect();
        let [first, second] = *raw else { return None };
        return Some(fixed((first, second)));
    }
    if let Some((first, second)) = source
        .pair("key", "counter")
        .or_else(|| source.pair("stateless_seed", ""))
    {
        return Some(Seeds::Fixed(first, second));
    }
    if !source.op.starts_with("tf.") {
        return Some(fixed((
            source.seed("seed").unwrap_or(0),
            source.seed("seed2").unwrap_or(0),
        )));
    }
    let reduced = |name| {
        source
            .integer(name)
            .map(|seed: i128| low_64(seed.rem_euclid(MODULUS.into())))
    };
    match (
        reduced("global_seed"),
        reduced("seed").or_else(|| reduced("op_id")),
    ) {
        (None, None) => Some(Seeds::AtRun),
        (None, Some(own)) => Some(Seeds::Fixed(DEFAULT_GRAPH_SEED, own)),
        (Some(0), Some(0)) => Some(Seeds::Fixed(0, MODULUS)),
        (Some(global), Some(own)) => Some(Seeds::Fixed(global, own)),
        // The number of the op in its graph is unknown.
        (Some(_), None) => None,
    }
}

/// The random kernel that a function calls.
pub(super) fn kernel(op: &str) -> &str {
    match op {
        "tf.random.uniform" => "RandomUniform",
        "tf.random.categorical" => "Multinomial",
        "tf.random.normal" => "RandomStandardNormal",
        "tf.random.truncated_normal" => "TruncatedNormal",
        "tf.random.shuffle" => "RandomShuffle",
        "tf.random.gamma" => "RandomGamma",
        "tf.random.poisson" => "RandomPoissonV2",
        "tf.random.stateless_uniform" | "tf.nn.experimental.stateless_dropout" => "StatelessRandomUniform",
        "tf.random.stateless_normal" => "StatelessRandomNormal",
        "tf.random.stateless_categorical" => "StatelessMultinomial",
        op => op,
    }
}

/// The ops that a converter names in its refusal of an op or function without a rule.
pub(super) fn missing(op: &str) -> String {
    let keys = match op {
        "tf.random.stateless_uniform"
        | "tf.random.stateless_normal"
        | "tf.nn.experimental.stateless_dropout" => "StatelessRandomGetKeyCounter, ",
        _ => "",
    };
    format!("{keys}{}", kernel(op))
}

/// The bounds of the source, or the unit interval for floats. `None` if the model computes them.
fn bounds(source: &Source) -> Option<(Scalar, Scalar)> {
    let is_given = source.get("low").is_some() && source.get("high").is_some();
    if !is_given && !source.dtype()?.is_float() {
        return None;
    }
    Some((source.bound("low", 0.0)?, source.bound("high", 1.0)?))
}

fn unit(dtype: Dtype) -> Option<(Scalar, Scalar)> {
    number(dtype, 0.0).zip(number(dtype, 1.0))
}

/// How TensorFlow itself draws; `None` if the seeds or the element type are unknown.
pub(super) fn side(source: &Source) -> Option<Side> {
    let plain = Side::unmodelled(Generator::Philox, seeds(source)?, State::GoesOn);
    let uniform = |dtype, bounds| Side {
        values: Values::reading(READING),
        dtype: Some(dtype),
        bounds,
        ..plain.clone()
    };
    Some(match source.op.as_str() {
        "RandomUniform" | "RandomUniformInt" | "tf.random.uniform" => Side {
            then: Step::of(source),
            ..uniform(source.dtype()?, bounds(source))
        },
        "tf.nn.dropout" => {
            let dtype = source.dtype()?;
            Side {
                choice: Some(kept(source, dtype)?),
                ..uniform(dtype, unit(dtype))
            }
        }
        op => {
            let side = match asked(source) {
                Some(asked) => Side {
                    affine: affine(source),
                    choice: source.dtype().and_then(|dtype| kept(source, dtype)),
                    asked: Some(asked),
                    ..uniform(source.dtype()?, None)
                },
                // LiteRT shares the kernel of Multinomial, whose values no reading has.
                None if kernel(op) == "Multinomial" => Side {
                    values: Values::Kernel("Multinomial"),
                    ..plain
                },
                None => plain,
            };
            // Key and counter are inputs, so every call with the same ones draws the same.
            let is_stateless = kernel(op).starts_with("Stateless");
            Side {
                state: if is_stateless { State::Repeats } else { side.state },
                ..side
            }
        }
    })
}

/// The op of a kernel, for the reading of TensorFlow; `None` if the reading does not have it, or if the model computes
/// its key.
fn asked(source: &Source) -> Option<Asked> {
    let op = match kernel(&source.op).trim_end_matches("V2") {
        "RandomStandardNormal" => return Some(Asked::op(OpName::RandomStandardNormal)),
        "TruncatedNormal" => return Some(Asked::op(OpName::TruncatedNormal)),
        "StatelessRandomNormal" => OpName::StatelessRandomNormal,
        "StatelessTruncatedNormal" => OpName::StatelessTruncatedNormal,
        "StatelessRandomUniform" => OpName::StatelessRandomUniform,
        "StatelessRandomUniformInt" => OpName::StatelessRandomUniformInt,
        "StatelessRandomUniformFullInt" => OpName::StatelessRandomUniformFullInt,
        _ => return None,
    };
    let [key, counter] = key_and_counter(source)?;
    let mut inputs = vec![("key", key), ("counter", counter), ("alg", Tensor::scalar(1_i32))];
    if op == OpName::StatelessRandomUniformInt {
        let (low, high) = bounds(source)?;
        inputs.extend([("minval", low), ("maxval", high)].map(|(name, it)| (name, Tensor::from_scalar(it))));
    }
    Some(Asked {
        inputs,
        ..Asked::op(op)
    })
}

/// The key and the counter of a stateless kernel, given or made from a seed of two numbers.
fn key_and_counter(source: &Source) -> Option<[Tensor; 2]> {
    let words = |name: &str| match source.get(name)? {
        Value::List(values) => values.iter().map(|value| value.integer().map(low_64)).collect(),
        _ => None::<Vec<u64>>,
    };
    if let Some(seed) = words("stateless_seed") {
        let seed: Vec<i64> = seed.into_iter().map(u64::cast_signed).collect();
        let request = Request::StatelessRandomGetKeyCounter(StatelessRandomGetKeyCounter {
            seed: Tensor::vector(&seed),
        });
        let engine = Engine::new(find(READING)?, Limits::default(), || 0);
        let made = engine.run(&request).ok()?;
        return Some([made.output, made.more.into_iter().next()?]);
    }
    Some([Tensor::vector(&words("key")?), Tensor::vector(&words("counter")?)])
}

/// The scaling that functions of TensorFlow add to the draw of a kernel.
fn affine(source: &Source) -> Option<Affine> {
    let (scale, shift) = match source.op.as_str() {
        "tf.random.normal" | "tf.random.truncated_normal" | "tf.random.stateless_normal" => {
            (source.bound("scale", 1.0)?, source.bound("mean", 0.0)?)
        }
        "tf.random.stateless_uniform" => {
            let (low, high) = bounds(source)?;
            (number(low.dtype(), high.to_f64() - low.to_f64())?, low)
        }
        _ => return None,
    };
    let rounding = Rounding::Twice;
    Some(Affine {
        scale,
        shift,
        rounding,
    })
}

/// The reading of TensorFlow's kernels.
const READING: &str = "tensorflow-2.21";

/// Dropout of ones: `u >= rate` keeps `1 / (1 - rate)`, rounded to `arithmetic` and then to the output's type.
fn kept(source: &Source, arithmetic: Dtype) -> Option<Choice> {
    let (rate, dtype) = (source.real("rate")?, source.dtype()?);
    let than = number(arithmetic, number(dtype, rate)?.to_f64())?.to_f64();
    let scale = number(arithmetic, number(dtype, 1.0 / (1.0 - rate))?.to_f64())?;
    let yes = number(dtype, scale.to_f64())?.bits();
    Some(Choice {
        comparison: Comparison::AtLeast,
        than,
        kind: source.kind.clone(),
        yes,
        no: 0,
    })
}

/// TensorFlow to OpenVINO, by `convert_model` of a function or of a SavedModel. Both make the same graph.
pub(super) fn to_openvino(source: &Source, path: &Path) -> Option<Rule> {
    let from = side(source)?;
    let pair = match from.seeds {
        Seeds::Fixed(first, second) => (first, second),
        _ => (0, 0),
    };
    let plain = |node: Node| {
        let side = node.side(path.hint);
        Converted::to(node, side)
    };
    let dtype = source.dtype();
    let refused = |message: &str| Err(Refusal::at(At::Convert, message));
    let target = match source.op.as_str() {
        "RandomUniform" if dtype? == Dtype::Bf16 => refused("Element not supported"),
        "tf.random.uniform" if dtype? == Dtype::Bf16 => refused("Const of unknown type"),
        "RandomUniform" if dtype? == Dtype::F32 && !from.then.is_empty() => {
            // The optimiser folds each operation after the draw into its bounds, and rounds the bounds as elements are rounded.
            let (mut low, mut high) = bounds(source)?;
            for step in &from.then {
                (low, high) = (step.apply(low)?, step.apply(high)?);
            }
            Ok(Converted {
                is_folded: true,
                ..plain(Node::philox(Dtype::F32, pair, Some((low, high))))
            })
        }
        "RandomUniform" => {
            let mut converted = plain(Node::philox(dtype?, pair, bounds(source)));
            // Operations on other types stay behind the draw.
            if let Some(side) = &mut converted.side {
                side.then.clone_from(&from.then);
            }
            Ok(converted)
        }
        "RandomUniformInt" => integers(source, pair, path)?,
        "tf.random.uniform" if !dtype?.is_float() => integers(source, pair, path)?,
        "tf.random.uniform" if dtype? == Dtype::F64 => {
            let (low, high) = bounds(source)?;
            let node = Node::philox(Dtype::F64, pair, unit(Dtype::F64));
            // The plugin computes f64 in f32 and widens the result. It does not fold these bounds, so
            // the arithmetic stays apart.
            let narrow = |bound: Scalar| Some(number(Dtype::F32, bound.to_f64())?.to_f64());
            let range = narrow(high)? - narrow(low)?;
            let affine = Affine {
                scale: number(Dtype::F32, range)?,
                shift: number(Dtype::F32, low.to_f64())?,
                rounding: Rounding::Once,
            };
            let side = Side {
                affine: Some(affine),
                cast: Some(Dtype::F64),
                ..node.side(path.hint)
            };
            Ok(Converted::to(node, side))
        }
        "tf.random.uniform" => Ok(Converted {
            is_folded: true,
            ..plain(Node::philox(dtype?, pair, bounds(source)))
        }),
        "tf.nn.dropout" => {
            let node = Node::philox(dtype?, pair, unit(dtype?));
            let choice = Some(kept(source, arithmetic(path.hint))?);
            let side = Side {
                choice,
                ..node.side(path.hint)
            };
            Ok(Converted::to(node, side))
        }
        // A SavedModel leaves out attributes with their default value, here i64, and the frontend requires this one:
        // erratum `tf-default-attribute`.
        "Multinomial" | "tf.random.categorical" if path.mode == "saved_model" && dtype? == Dtype::I64 => {
            refused("Attribute with name 'output_dtype' does not exist")
        }
        "Multinomial" | "tf.random.categorical" => {
            let asked = weights(source, "logits", Dtype::F32, |logit| logit)
                .and_then(|logits| Asked::multinomial(source, logits));
            Ok(plain(Node::multinomial(dtype?, pair, asked)))
        }
        op => Err(Refusal::no_rule(&missing(op))),
    };
    Some(Rule {
        source: Ok(from),
        target,
    })
}

/// Integers within bounds. In the graph, bounds of i64 are as in the source, but the plugin draws i32 and clips them.
fn integers(source: &Source, pair: (u64, u64), path: &Path) -> Option<Result<Converted, Refusal>> {
    let (low, high) = bounds(source)?;
    let node = Node::philox(source.dtype()?, pair, Some((low, high)));
    let clip = |bound: Scalar| bound.to_i128().clamp(i32::MIN.into(), i32::MAX.into());
    let (least, most) = (clip(low), clip(high));
    if least >= most {
        return Some(Err(Refusal::at(
            At::Compile,
            "Min value must be less than max value",
        )));
    }
    let bounds = Scalar::from_i128(low.dtype(), least).zip(Scalar::from_i128(high.dtype(), most));
    let side = Side {
        bounds,
        ..node.side(path.hint)
    };
    Some(Ok(Converted::to(node, side)))
}

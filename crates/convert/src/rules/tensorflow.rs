//! TensorFlow 2.21: its kernels, and what OpenVINO's frontend makes of them.

use seedproof_ops::{Dtype, Scalar};

use super::outcome::{At, Converted, Refusal, Rule};
use crate::node::{Node, arithmetic, fixed};
use crate::side::{Choice, Comparison, Generator, Seeds, Side, State, Values};
use crate::source::{Path, Source, Value, low_64, number};
use crate::weights::Weights;

/// The modulus of both seeds in `get_seed`, and the second seed where both would be zero.
const MODULUS: u64 = 2_147_483_647;

/// The first seed of an op that alone has a seed.
const DEFAULT_GRAPH_SEED: u64 = 87_654_321;

/// The seeds of the kernel below an op or a function: attributes as they are, or what `get_seed` makes of a global
/// seed and the op's own, for which a function of the graph takes the number of its op.
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
        (Some(_), None) => None,
    }
}

/// The kernel that a function is made of.
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

/// The ops that a converter without a rule for an op or a function names.
pub(super) fn missing(op: &str) -> String {
    let keys = match op {
        "tf.random.stateless_uniform"
        | "tf.random.stateless_normal"
        | "tf.nn.experimental.stateless_dropout" => "StatelessRandomGetKeyCounter, ",
        _ => "",
    };
    format!("{keys}{}", kernel(op))
}

/// The bounds of the source, or the unit interval of floats. `None` where a model computes them.
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

/// How TensorFlow itself draws; `None` for an op of which nothing is known.
pub(super) fn side(source: &Source) -> Option<Side> {
    let plain = Side::unmodelled(Generator::Philox, seeds(source)?, State::GoesOn);
    let uniform = |dtype, bounds| Side {
        values: Values::reading("tensorflow-2.21"),
        dtype: Some(dtype),
        bounds,
        ..plain.clone()
    };
    Some(match source.op.as_str() {
        "RandomUniform" | "RandomUniformInt" | "tf.random.uniform" => {
            uniform(source.dtype()?, bounds(source))
        }
        "tf.nn.dropout" => {
            let dtype = source.dtype()?;
            Side {
                choice: Some(kept(source, dtype)?),
                ..uniform(dtype, unit(dtype))
            }
        }
        // Key and counter come with each call.
        op if kernel(op).starts_with("Stateless") => Side {
            state: State::Repeats,
            values: Values::Kernel("stateless"),
            ..plain
        },
        op => Side {
            values: shared_kernel(op),
            ..plain
        },
    })
}

/// The kernels that LiteRT has too, of values without a model here.
fn shared_kernel(op: &str) -> Values {
    match kernel(op) {
        "RandomStandardNormal" => Values::Kernel("RandomStandardNormal"),
        "Multinomial" => Values::Kernel("Multinomial"),
        _ => Values::Unknown,
    }
}

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

/// TensorFlow to OpenVINO, by `convert_model` of a function or of a saved model, which give one graph.
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
        "RandomUniform" => Ok(plain(Node::philox(dtype?, pair, bounds(source)))),
        "RandomUniformInt" => integers(source, pair, path)?,
        "tf.random.uniform" if !dtype?.is_float() => integers(source, pair, path)?,
        "tf.random.uniform" if dtype? == Dtype::F64 => {
            let (low, high) = bounds(source)?;
            let node = Node::philox(Dtype::F64, pair, unit(Dtype::F64));
            // The plugin computes f64 in f32, and widens the result.
            let narrow = |bound: Scalar| Some(number(Dtype::F32, bound.to_f64())?.to_f64());
            let range = narrow(high)? - narrow(low)?;
            let affine = number(Dtype::F32, range).zip(number(Dtype::F32, low.to_f64()));
            let side = Side {
                affine,
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
        // A SavedModel leaves out an attribute that has its default, which is i64.
        "Multinomial" | "tf.random.categorical" if path.mode == "saved_model" && dtype? == Dtype::I64 => {
            refused("Attribute with name 'output_dtype' does not exist")
        }
        "Multinomial" | "tf.random.categorical" => {
            let weights = Weights::of(source, "logits", Dtype::F32);
            Ok(plain(Node::multinomial(dtype?, pair, weights)))
        }
        op => Err(Refusal::no_rule(&missing(op))),
    };
    Some(Rule {
        source: Ok(from),
        target,
    })
}

/// Bounds of i64 are constants of the graph; the plugin draws them as i32, to which it clips them.
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

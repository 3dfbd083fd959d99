//! PyTorch 2.15, and OpenVINO's frontend for TorchScript and exported programs.

use seedproof_ops::{AttributeValue, Dtype, OpName, Tensor};

use super::outcome::{At, Converted, Refusal, Rule};
use crate::asked::{self, Asked};
use crate::node::Node;
use crate::side::{Choice, Comparison, Generator, Seeds, Side, State, Values};
use crate::source::{IN_PLACE, Path, REFUSED_BY, Source, TAKEN_BY, Value, number};

/// How PyTorch itself draws: after `manual_seed`, or from a generator that the model creates in each call.
fn side(source: &Source) -> Side {
    let own = source.seed("generator_seed");
    // Without a seed in the capture, it is that of the process, which the model does not contain.
    let seeds = own
        .or_else(|| source.seed("manual_seed"))
        .map_or(Seeds::OutsideModel, |seed| Seeds::Fixed(seed, 0));
    let state = if own.is_some() {
        State::Repeats
    } else {
        State::GoesOn
    };
    // With one probability for all elements, PyTorch calls MKL, which takes only its seed from the generator.
    let is_mkl = source.op == "Tensor.bernoulli_";
    let generator = if is_mkl {
        Generator::Mcg31
    } else {
        Generator::Mt19937
    };
    let plain = Side::unmodelled(generator, seeds, state);
    let reading = Values::reading("torch-2.15");
    let coin = coin(source).filter(|_| !is_mkl);
    let is_uniform = matches!(
        source.op.as_str(),
        "torch.rand" | "torch.rand_like" | "Tensor.uniform_"
    );
    if coin.is_some() || is_uniform {
        // A coin of a half falls as one of f32 does.
        let dtype = match source.dtype() {
            Some(Dtype::F16 | Dtype::Bf16) if coin.is_some() => Some(Dtype::F32),
            dtype => dtype,
        };
        let bound = |name, default| number(dtype?, source.real(name).unwrap_or(default));
        return Side {
            values: reading,
            dtype,
            bounds: bound("low", 0.0).zip(bound("high", 1.0)),
            choice: coin,
            ..plain
        };
    }
    let Some(asked) = asked(source) else {
        return plain;
    };
    Side {
        values: reading,
        dtype: source.dtype(),
        asked: Some(asked),
        ..plain
    }
}

/// The op that draws, for the reading of PyTorch; `None` for one that it does not have.
fn asked(source: &Source) -> Option<Asked> {
    let double = |name, from: &str, default| (name, Tensor::scalar(source.real(from).unwrap_or(default)));
    let list = |name, dtype| asked::list(source, name, dtype, |number| number);
    let first = source.extents().first().copied();
    let count = |name| Some((name, AttributeValue::Number(first?.into())));
    let (op, inputs, attributes) = match source.op.as_str() {
        "torch.randn" | "torch.randn_like" | "torch.normal" | "Tensor.normal_" => (
            OpName::TorchNormal,
            vec![double("mean", "mean", 0.0), double("std", "scale", 1.0)],
            Vec::new(),
        ),
        "Tensor.bernoulli_" => (
            OpName::TorchBernoulliInPlace,
            vec![double("p", "p", 0.5)],
            Vec::new(),
        ),
        "Tensor.exponential_" => (
            OpName::TorchExponential,
            vec![double("lambd", "rate", 1.0)],
            Vec::new(),
        ),
        "torch.nn.functional.dropout" => {
            let input = ("input", list("input", source.dtype()?)?);
            (
                OpName::TorchDropout,
                vec![input, double("p", "p", 0.5)],
                Vec::new(),
            )
        }
        "torch.randperm" => (OpName::TorchRandperm, Vec::new(), vec![count("n")?]),
        "torch.multinomial" => {
            let weights = ("weights", list("probabilities", Dtype::F32)?);
            let replaced = source.get("replacement").and_then(Value::flag) == Some(true);
            let replaced = ("replacement", AttributeValue::Boolean(replaced));
            (
                OpName::TorchMultinomial,
                vec![weights],
                vec![count("num_samples")?, replaced],
            )
        }
        _ => return None,
    };
    Some(Asked {
        op,
        inputs,
        attributes,
    })
}

/// Bernoulli: an element is one if its draw is below the probability.
fn coin(source: &Source) -> Option<Choice> {
    let one = source
        .dtype()
        .and_then(|dtype| number(dtype, 1.0))
        .filter(|_| source.op.contains("bernoulli"))?;
    let than = number(one.dtype(), source.real("p")?)?.to_f64();
    Some(Choice {
        comparison: Comparison::Below,
        than,
        kind: source.kind.clone(),
        yes: one.bits(),
        no: 0,
    })
}

/// The names of an op in an exported program and in TorchScript that appear in OpenVINO's refusal. An empty name
/// means that there is a rule.
fn without_rule(op: &str) -> (&'static str, &'static str) {
    match op {
        "torch.rand_like" => ("aten.rand_like.default", ""),
        "torch.randint" => ("aten.randint.low", ""),
        "torch.randint_like" => ("aten.randint_like.low_dtype", "aten::randint_like"),
        "torch.randperm" => ("aten.randperm.default", ""),
        "torch.randn" => ("aten.randn.default", ""),
        "torch.randn_like" => ("aten.randn_like.default", ""),
        "torch.normal" => ("aten.normal.float_float", ""),
        "torch.normal-tensor" => ("aten.normal.Tensor_float", ""),
        "torch.multinomial" => ("aten.multinomial.default", ""),
        "torch.poisson" => ("aten.poisson.default", "aten::poisson"),
        "torch.nn.functional.alpha_dropout" => ("aten.bernoulli.p", "aten::alpha_dropout"),
        "torch.nn.functional.dropout1d" | "Tensor.bernoulli_" => ("aten.bernoulli.p", ""),
        "torch.nn.functional.gumbel_softmax" | "Tensor.exponential_" => {
            ("aten.exponential.default", "aten::exponential_")
        }
        "Tensor.cauchy_" => ("aten.cauchy.default", "aten::cauchy_"),
        "Tensor.geometric_" => ("aten.geometric.default", "aten::geometric_"),
        "Tensor.log_normal_" => ("aten.log_normal.default", "aten::log_normal_"),
        "Tensor.normal_" => ("aten.normal_functional.default", ""),
        "Tensor.random_" => ("", "aten::random_"),
        "Tensor.uniform_" => ("aten.uniform.default", "aten::uniform_"),
        _ => ("", ""),
    }
}

/// ATen's name: `bernoulli` for `torch.bernoulli`.
fn aten(op: &str) -> &str {
    op.rsplit('.').next().unwrap_or(op)
}

/// PyTorch to OpenVINO, by `convert_model` of a traced or scripted module or of an exported program.
pub(super) fn to_openvino(source: &Source, path: &Path) -> Option<Rule> {
    let (exported, scripted) = without_rule(&source.op);
    let is_exported = path.mode == "export";
    let missing = if is_exported { exported } else { scripted };
    let target = if let Some(seed) = source.integer("generator_seed")
        && !source.op.starts_with("Tensor.")
    {
        of_generator(source, seed, path)?
    } else if path.mode == "script" && source.get("generator_seed").is_some() {
        Err(Refusal::no_rule("aten::manual_seed"))
    } else if !missing.is_empty() {
        Err(Refusal::no_rule(missing))
    } else if is_exported {
        of_export(source, path)?
    } else {
        of_script(source, path)?
    };
    Some(Rule {
        source: Ok(side(source)),
        target,
    })
}

/// A model that creates a generator of its own.
fn of_generator(source: &Source, seed: i128, path: &Path) -> Option<Result<Converted, Refusal>> {
    let op = aten(&source.op);
    Some(match path.mode.as_str() {
        "script" => Err(Refusal::no_rule("aten::manual_seed")),
        // `torch.export` decomposes bernoulli into a comparison with a uniform draw.
        "export" => Err(Refusal::no_rule(&format!(
            "aten.{}.generator",
            if op == "bernoulli" { "rand" } else { op }
        ))),
        _ if op == "bernoulli" && seed >= 0 => return of_script(source, path),
        _ => Err(Refusal::at(
            At::Convert,
            match op {
                "bernoulli" => "aten::bernoulli expects a constant representing a generator seed".to_owned(),
                "multinomial" => "aten::multinomial conversion with generator is not supported".to_owned(),
                op => format!("aten::{op} conversion with generator does not supported"),
            },
        )),
    })
}

/// A draw without seeds. Its values are random in any case, so its bounds are not modelled.
fn unseeded(dtype: Dtype, path: &Path) -> Converted {
    let node = Node::philox(dtype, (0, 0), None);
    let side = node.side(path.hint);
    Converted::to(node, side)
}

fn of_script(source: &Source, path: &Path) -> Option<Result<Converted, Refusal>> {
    Some(Ok(match source.op.as_str() {
        "torch.rand" | "torch.rand_like" | "torch.randint" => unseeded(source.dtype()?, path),
        "torch.randperm" => unseeded(Dtype::F32, path),
        "torch.randn" | "torch.randn_like" | "Tensor.normal_" | "torch.normal" | "torch.normal-tensor" => {
            let node = Node {
                seeds: Seeds::AtConversion,
                ..Node::philox(source.dtype()?, (0, 0), None)
            };
            let side = Side::unmodelled(Generator::Philox, Seeds::AtConversion, State::GoesOn);
            Converted {
                nodes: vec![node.clone(), node],
                ..Converted::without_nodes(side)
            }
        }
        "torch.bernoulli" | "Tensor.bernoulli_" => {
            let dtype = source.dtype()?;
            let bounds = number(dtype, 0.0).zip(number(dtype, 1.0));
            let node = Node::mersenne(dtype, (source.seed("generator_seed").unwrap_or(0), 0), bounds);
            let side = Side {
                choice: coin(source),
                ..node.side(path.hint)
            };
            Converted::to(node, side)
        }
        "torch.multinomial" => {
            let node = Node::multinomial(source.dtype()?, (0, 0), None);
            let side = node.side(path.hint);
            Converted::to(node, side)
        }
        "torch.nn.functional.dropout" | "torch.nn.functional.dropout1d" => {
            Converted::vanished("the op is gone without a warning: the output is the input")
        }
        "torch.nn.functional.rrelu" => {
            Converted::vanished("the op is gone: the slope is the mean of both bounds")
        }
        _ => return None,
    }))
}

fn of_export(source: &Source, path: &Path) -> Option<Result<Converted, Refusal>> {
    let is_in_place = source.get(IN_PLACE).and_then(Value::flag) == Some(true);
    Some(Ok(match source.op.as_str() {
        "torch.rand" | "torch.bernoulli" => unseeded(Dtype::F32, path),
        "torch.nn.functional.dropout" if is_in_place => {
            return Some(Err(Refusal::no_rule("aten.bernoulli.p")));
        }
        "torch.nn.functional.dropout" if let Some(Value::Text(op)) = source.get(REFUSED_BY) => {
            let message =
                format!("a Gather takes the first slice of the dropout's input, which {op} refuses");
            return Some(Err(Refusal::at(At::Convert, message)));
        }
        "torch.nn.functional.dropout" => {
            let gather = "a Gather takes the first slice of the input along its first axis";
            Converted::vanished(match source.get(TAKEN_BY) {
                Some(Value::Text(op)) => {
                    format!("{gather}, which {op} may refuse: then the model is refused")
                }
                _ => gather.to_owned(),
            })
        }
        "torch.nn.functional.scaled_dot_product_attention" => {
            Converted::vanished("the attention is computed without its dropout")
        }
        "torch.nn.LSTM" | "torch.nn.GRU" | "torch.nn.RNN" => {
            Converted::vanished("the layers are computed without the dropout between them")
        }
        "torch.nn.functional.rrelu" if is_in_place => {
            return Some(Err(Refusal::no_rule("aten.rrelu_with_noise_functional.default")));
        }
        "torch.nn.functional.rrelu" => {
            Converted::vanished("the op is gone: the slope is the mean of both bounds")
        }
        "Tensor.random_" => return Some(Err(Refusal::at(At::Convert, "invalid syntax"))),
        _ => return None,
    }))
}

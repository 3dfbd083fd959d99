//! A random op of a model with its parameters, and the path on which the model is converted.

use std::collections::BTreeMap;
use std::fmt;

use seedproof_ops::{Dtype, Scalar};
use serde::{Deserialize, Serialize};

/// The framework in which a model is written, whose bits are to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Framework {
    /// TensorFlow 2.21 on a CPU.
    Tensorflow,
    /// ONNX, run by ONNX Runtime 1.31 on a CPU.
    Onnxruntime,
    /// ONNX, run by the reference evaluator of the package `onnx` 1.23.
    Onnx,
    /// PyTorch 2.15 on a CPU.
    Torch,
    /// A model that is already in the target's form.
    Openvino,
}

impl fmt::Display for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tensorflow => "TensorFlow",
            Self::Onnxruntime => "ONNX Runtime",
            Self::Onnx => "ONNX reference evaluator",
            Self::Torch => "PyTorch",
            Self::Openvino => "OpenVINO",
        })
    }
}

/// The parameter of PyTorch's dropout that names the op after it which refuses the slice that OpenVINO's rule takes.
pub(crate) const REFUSED_BY: &str = "refused by";
/// The parameter of PyTorch's dropout that names the op after it of which it is not known whether it refuses that slice.
pub(crate) const TAKEN_BY: &str = "taken by";
/// The parameter of PyTorch's ops that overwrite their input.
pub(crate) const IN_PLACE: &str = "in place";

/// The value of a parameter.
// Serde takes the first variant that fits: a whole number must be an `Integer` before it is a `Real`, since a seed over
// 2^53 would be rounded, and an `Unsigned` only if an i64 cannot hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A whole number that fits an i64.
    Integer(i64),
    /// A whole number from 2^63.
    Unsigned(u64),
    /// Any other number.
    Real(f64),
    /// A word.
    Text(String),
    /// Several values.
    List(Vec<Value>),
}

impl Value {
    /// The whole number. A `Real` is not one even if it has no fraction: ONNX Runtime refuses a seed of the wrong kind.
    pub fn integer(&self) -> Option<i128> {
        match self {
            Self::Integer(number) => Some((*number).into()),
            Self::Unsigned(number) => Some((*number).into()),
            _ => None,
        }
    }

    /// The flag. OpenVINO's XML files have the words `true` and `false`.
    pub fn flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Text(text) => text.to_ascii_lowercase().parse().ok(),
            _ => None,
        }
    }

    /// The number, whole or not.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a parameter of a float is rounded to it"
    )]
    pub fn real(&self) -> Option<f64> {
        match self {
            Self::Real(number) => Some(*number),
            _ => self.integer().map(|number| number as f64),
        }
    }
}

/// The most elements of a list that are printed: weights may have thousands.
const MAX_PRINTED_ELEMENTS: usize = 16;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Unsigned(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number:?}"),
            Self::Text(text) => f.write_str(text),
            Self::List(values) => {
                let words: Vec<String> = values
                    .iter()
                    .take(MAX_PRINTED_ELEMENTS)
                    .map(Self::to_string)
                    .collect();
                match values.len().saturating_sub(MAX_PRINTED_ELEMENTS) {
                    0 => write!(f, "[{}]", words.join(", ")),
                    more => write!(f, "[{}, and {more} more]", words.join(", ")),
                }
            }
        }
    }
}

/// One random op of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// The framework that draws.
    pub framework: Framework,
    /// The op, or the function of the framework's interface: `RandomUniform`, `tf.random.uniform`, `torch.rand`.
    pub op: String,
    /// The output's element type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The output's extents; absent if the model leaves them open.
    #[serde(default)]
    pub shape: Option<Vec<u64>>,
    /// Seeds, bounds and other parameters by the framework's names. Only those that the model sets.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, Value>,
}

/// The kind of subgraph that contains an op. Runtimes treat the state of random ops differently in each.
// Ordered: a loop inside a branch counts as a loop, and so does a branch inside a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// One of the branches of a condition.
    Branch,
    /// The body of a loop.
    Loop,
}

impl Body {
    /// The parameter of a source that names its body.
    pub(crate) const KEY: &str = "body";
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Branch => "branch",
            Self::Loop => "loop",
        })
    }
}

impl Source {
    /// The kind of subgraph that contains the op; `None` if every inference runs the op once.
    pub fn body(&self) -> Option<Body> {
        match self.get(Body::KEY)? {
            Value::Text(name) if name == "branch" => Some(Body::Branch),
            Value::Text(name) if name == "loop" => Some(Body::Loop),
            _ => None,
        }
    }

    /// The parameter `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)
    }

    /// The parameter `name` as a number.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.get(name)?.real()
    }

    /// The parameter `name` as a whole number.
    pub fn integer(&self, name: &str) -> Option<i128> {
        self.get(name)?.integer()
    }

    /// The parameter `name` as a seed: its low 64 bits in two's complement, which is how
    /// frameworks take a negative one.
    pub fn seed(&self, name: &str) -> Option<u64> {
        self.integer(name).map(low_64)
    }

    /// The first elements of two lists, or the first two elements of one: a key and a counter, or a seed of two words.
    pub(crate) fn pair(&self, first: &str, second: &str) -> Option<(u64, u64)> {
        let list = |name: &str| match self.get(name)? {
            Value::List(values) => Some(
                values
                    .iter()
                    .filter_map(|value| value.integer().map(low_64))
                    .collect::<Vec<_>>(),
            ),
            _ => None,
        };
        let all = [list(first)?, list(second).unwrap_or_default()].concat();
        all.first().copied().zip(all.get(1).copied())
    }

    /// The element type, if Seedproof has it.
    pub fn dtype(&self) -> Option<Dtype> {
        self.kind.parse().ok()
    }

    /// The parameter `name` as an element of the output, or `default`.
    pub fn bound(&self, name: &str, default: f64) -> Option<Scalar> {
        let dtype = self.dtype()?;
        match self.get(name) {
            // Not by way of a double, which would round a bound of i64 beyond 2^53.
            Some(value) if !dtype.is_float() => Scalar::from_i128(dtype, value.integer()?),
            value => number(dtype, value.map_or(Some(default), Value::real)?),
        }
    }

    /// The output's extents, or those of a scalar if they are open.
    pub fn extents(&self) -> &[u64] {
        self.shape.as_deref().unwrap_or_default()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.op, self.kind)?;
        for (name, value) in &self.parameters {
            // As an f32, 0.1 is printed as 0.1; as the double of the same value, as 0.10000000149011612.
            let is_bound = matches!(value, Value::Real(_)) && self.dtype().is_some_and(Dtype::is_float);
            match self.bound(name, 0.0).filter(|_| is_bound) {
                Some(bound) => write!(f, ", {name} {}", bound.decimal())?,
                None => write!(f, ", {name} {value}")?,
            }
        }
        Ok(())
    }
}

/// The parameter of ONNX's Dropout whose data a node or an initialiser makes, and whose output other nodes take.
pub(crate) const BETWEEN: &str = "between_nodes";

/// An operation with a constant on each element of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// The element is multiplied by this number.
    Mul(f64),
    /// This number is added.
    Add(f64),
}

impl Step {
    /// The parameter that has the operations after a draw, in their order.
    pub(crate) const KEY: &str = "then";

    pub(crate) fn list(steps: &[Self]) -> Value {
        let words = steps.iter().flat_map(|step| {
            let (name, number) = match step {
                Self::Mul(number) => ("mul", number),
                Self::Add(number) => ("add", number),
            };
            [Value::Text(name.to_owned()), Value::Real(*number)]
        });
        Value::List(words.collect())
    }

    /// The operations after the draw of a source.
    pub(crate) fn of(source: &Source) -> Vec<Self> {
        let Some(Value::List(words)) = source.get(Self::KEY) else {
            return Vec::new();
        };
        let step = |pair: &[Value]| match pair {
            [Value::Text(name), number] if name == "mul" => number.real().map(Self::Mul),
            [_, number] => number.real().map(Self::Add),
            _ => None,
        };
        words.chunks(2).filter_map(step).collect()
    }

    /// The result for one element, rounded to its type.
    pub(crate) fn apply(self, element: Scalar) -> Option<Scalar> {
        let dtype = element.dtype();
        let of_type = |number: f64| Some(self::number(dtype, number)?.to_f64());
        // A double has more than twice the digits of the narrower types, so that rounding to it first changes nothing.
        let result = match self {
            Self::Mul(factor) => element.to_f64() * of_type(factor)?,
            Self::Add(number) => element.to_f64() + of_type(number)?,
        };
        number(dtype, result)
    }
}

/// The low 64 bits of a number in two's complement.
pub(crate) fn low_64(number: i128) -> u64 {
    let bytes = number.to_le_bytes();
    u64::from_le_bytes(*bytes.first_chunk().expect("sixteen bytes begin with eight"))
}

/// The element of a type that is nearest to a number.
pub(crate) fn number(dtype: Dtype, value: f64) -> Option<Scalar> {
    match dtype {
        // Not by way of a decimal: the shortest of a double may lie on the other side of the middle between two f32.
        #[expect(clippy::cast_possible_truncation, reason = "it is rounded to nearest")]
        Dtype::F32 => Some(Scalar::new(dtype, (value as f32).to_bits().into())),
        _ if dtype.is_float() => Scalar::from_decimal(dtype, &format!("{value:?}")),
        #[expect(clippy::cast_possible_truncation, reason = "what is out of range is refused")]
        _ => Scalar::from_i128(dtype, value as i128),
    }
}

/// An element as the double with its shortest decimal. A rate of 0.3 is 0.3 again and not the nearest f32, because
/// TensorFlow computed `1 / (1 - rate)` with the double before it made the constant.
pub(crate) fn shortest(element: Scalar) -> f64 {
    element.decimal().parse().unwrap_or_else(|_| element.to_f64())
}

/// The runtime for which a model is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Target {
    /// OpenVINO 2026.4, CPU plugin.
    Openvino,
    /// ONNX Runtime 1.31, CPU.
    Onnxruntime,
    /// LiteRT 2.3, CPU.
    Litert,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Openvino => "OpenVINO",
            Self::Onnxruntime => "ONNX Runtime",
            Self::Litert => "LiteRT",
        })
    }
}

/// OpenVINO's `INFERENCE_PRECISION_HINT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Hint {
    /// None: the plugin chooses.
    #[default]
    Default,
    /// Inference in f32.
    F32,
    /// Inference in f16.
    F16,
    /// Inference in bf16.
    Bf16,
}

/// The way from a model to its runtime.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Path {
    /// The runtime.
    pub target: Target,
    /// The form in which the converter is given the model: `function`, `saved_model`, `trace`, `script`, `export`,
    /// or the version of the op set, `opset-15`.
    pub mode: String,
    /// The precision that is requested at compilation.
    #[serde(default)]
    pub hint: Hint,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 + 2^-24 lies in the middle of two f32, and its shortest decimal, 1.0000000596046448, above it.
    #[test]
    fn a_number_between_two_floats_goes_to_the_even_one() {
        let bits = |value: f64| number(Dtype::F32, value).expect("a number").bits();
        assert_eq!(bits(1.0 + 0.5_f64.powi(24)), 0x3f80_0000);
        assert_eq!(bits(1.0 + 3.0 * 0.5_f64.powi(24)), 0x3f80_0002);
    }
}

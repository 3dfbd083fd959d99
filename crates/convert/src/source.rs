//! What a model asks of its framework, and the way on which it is converted.

use std::collections::BTreeMap;
use std::fmt;

use seedproof_ops::{Dtype, Scalar};
use serde::{Deserialize, Serialize};

/// The framework that a model is written in, and that draws its first bits.
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

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A number that an i64 has.
    Integer(i64),
    /// A number from 2^63 on.
    Unsigned(u64),
    /// Any other number.
    Real(f64),
    /// A word.
    Text(String),
    /// Several.
    List(Vec<Value>),
}

impl Value {
    /// A whole number; a real one is none, even if it has no fraction.
    pub fn integer(&self) -> Option<i128> {
        match self {
            Self::Integer(number) => Some((*number).into()),
            Self::Unsigned(number) => Some((*number).into()),
            _ => None,
        }
    }

    /// A flag, which files of XML write as the words `true` and `false`.
    pub fn flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Text(text) => text.to_ascii_lowercase().parse().ok(),
            _ => None,
        }
    }

    /// Any number.
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

/// Elements of a list that are printed.
const SHOWN: usize = 16;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Unsigned(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number:?}"),
            Self::Text(text) => f.write_str(text),
            Self::List(values) => {
                let words: Vec<String> = values.iter().take(SHOWN).map(Self::to_string).collect();
                match values.len().saturating_sub(SHOWN) {
                    0 => write!(f, "[{}]", words.join(", ")),
                    more => write!(f, "[{}, and {more} more]", words.join(", ")),
                }
            }
        }
    }
}

/// One op of a model: what the framework is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// Who is asked.
    pub framework: Framework,
    /// The op, or the function of the framework's interface: `RandomUniform`, `tf.random.uniform`, `torch.rand`.
    pub op: String,
    /// The output's element type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The output's extents; absent where a model leaves them open.
    #[serde(default)]
    pub shape: Option<Vec<u64>>,
    /// Seeds, bounds and the like, by the framework's names. A parameter that is not given is absent.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, Value>,
}

/// The subgraph of a control-flow op in which an op stands. What its state does there is the runtime's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// One of the branches of a condition.
    Branch,
    /// The body of a loop.
    Loop,
}

impl Body {
    /// The name of the parameter of a source that has it.
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
    /// The subgraph in which the op stands; `None` of an op that each inference runs once.
    pub fn body(&self) -> Option<Body> {
        match self.get(Body::KEY)? {
            Value::Text(name) if name == "branch" => Some(Body::Branch),
            Value::Text(name) if name == "loop" => Some(Body::Loop),
            _ => None,
        }
    }

    /// The parameter of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)
    }

    /// The number of this name.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.get(name)?.real()
    }

    /// The whole number of this name.
    pub fn integer(&self, name: &str) -> Option<i128> {
        self.get(name)?.integer()
    }

    /// A seed as the 64 bits that a framework makes of it: two's complement.
    pub fn seed(&self, name: &str) -> Option<u64> {
        self.integer(name).map(low_64)
    }

    /// The first numbers of two lists, or the first two of one.
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

    /// The element type, if an op of Seedproof can have it.
    pub fn dtype(&self) -> Option<Dtype> {
        self.kind.parse().ok()
    }

    /// The parameter `name` as an element of the output, or `default`.
    pub fn bound(&self, name: &str, default: f64) -> Option<Scalar> {
        let dtype = self.dtype()?;
        match self.get(name) {
            Some(value) if !dtype.is_float() => Scalar::from_i128(dtype, value.integer()?),
            value => number(dtype, value.map_or(Some(default), Value::real)?),
        }
    }

    /// The output's extents, those of a scalar where they are open.
    pub fn extents(&self) -> &[u64] {
        self.shape.as_deref().unwrap_or_default()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.op, self.kind)?;
        for (name, value) in &self.parameters {
            // A bound as an element of the output has fewer digits than as a double.
            let is_bound = matches!(value, Value::Real(_)) && self.dtype().is_some_and(Dtype::is_float);
            match self.bound(name, 0.0).filter(|_| is_bound) {
                Some(bound) => write!(f, ", {name} {}", bound.decimal())?,
                None => write!(f, ", {name} {value}")?,
            }
        }
        Ok(())
    }
}

/// The low 64 bits of a number in two's complement.
pub(crate) fn low_64(number: i128) -> u64 {
    let bytes = number.to_le_bytes();
    u64::from_le_bytes(*bytes.first_chunk().expect("sixteen bytes begin with eight"))
}

/// The element of a type that is nearest to a number.
pub(crate) fn number(dtype: Dtype, value: f64) -> Option<Scalar> {
    if dtype.is_float() {
        return Scalar::from_decimal(dtype, &format!("{value:?}"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "what is out of range is refused")]
    let whole = value as i128;
    Scalar::from_i128(dtype, whole)
}

/// The runtime that a model is converted for.
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
    /// Not given.
    #[default]
    Default,
    /// f32.
    F32,
    /// f16.
    F16,
    /// bf16.
    Bf16,
}

/// How a model gets to its runtime.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Path {
    /// The runtime.
    pub target: Target,
    /// The form in which the converter is given the model: `function`, `saved_model`, `trace`, `script`, `export`,
    /// or the version of the op set, `opset-15`.
    pub mode: String,
    /// The precision that is asked for at compilation.
    #[serde(default)]
    pub hint: Hint,
}

/// `element * scale + shift`, rounded once to an f32.
pub(crate) fn fused(element: Scalar, scale: Scalar, shift: Scalar) -> Option<Scalar> {
    let single = |scalar: Scalar| {
        let bits = number(Dtype::F32, scalar.to_f64())?.bits();
        Some(f32::from_bits(u32::try_from(bits).ok()?))
    };
    let sum = single(element)?.mul_add(single(scale)?, single(shift)?);
    Some(Scalar::new(Dtype::F32, sum.to_bits().into()))
}

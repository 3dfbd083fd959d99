//! What the three StatelessRandomUniform ops of TensorFlow share: the shape, the key, the counter and the algorithm.
//!
//! The ops have no formal text. What decides is their documentation and what TensorFlow 2.21 answers eagerly on a CPU.
//! A request is checked in this order: `output_type`; `shape`; `key`; `counter`; `alg`; the bounds' types and forms.
//! Then, unless the output has no elements, the algorithm's number and the range.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, OpError, Scalar, Shape, Stages, StatelessRandomNormal,
    StatelessRandomUniform, StatelessRandomUniformFullInt, StatelessRandomUniformInt,
    StatelessTruncatedNormal, Tensor,
};

use crate::fill::Filled;
use crate::{philox, validate};

/// The inputs that the three ops have.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) shape: &'a Tensor,
    pub(crate) key: &'a Tensor,
    pub(crate) counter: &'a Tensor,
    pub(crate) alg: &'a Tensor,
}

/// Inputs whose types and forms are right.
pub(crate) struct Checked {
    extents: Vec<u64>,
    key: u64,
    counter: u128,
    alg: i64,
}

/// A stream of words and the shape that it fills.
pub(crate) struct Stream {
    pub(crate) shape: Shape,
    pub(crate) key: u64,
    pub(crate) counter: u128,
}

macro_rules! inputs_of {
    ($($op:ty),*) => {$(
        impl<'a> From<&'a $op> for Inputs<'a> {
            fn from(request: &'a $op) -> Self {
                Self {
                    shape: &request.shape,
                    key: &request.key,
                    counter: &request.counter,
                    alg: &request.alg,
                }
            }
        }
    )*};
}

inputs_of!(
    StatelessRandomUniform,
    StatelessRandomUniformInt,
    StatelessRandomUniformFullInt,
    StatelessRandomNormal,
    StatelessTruncatedNormal
);

impl Checked {
    pub(crate) fn new<'a>(request: impl Into<Inputs<'a>>) -> Result<Self, OpError> {
        let inputs = request.into();
        Ok(Self {
            extents: extents(inputs.shape)?,
            key: key(inputs.key)?,
            counter: counter(inputs.counter)?,
            alg: alg(inputs.alg)?,
        })
    }

    /// The inputs of an op that has no others, with an algorithm where there is anything to draw.
    pub(crate) fn with_algorithm<'a>(request: impl Into<Inputs<'a>>) -> Result<Self, OpError> {
        let checked = Self::new(request)?;
        if checked.draws() {
            checked.algorithm()?;
        }
        Ok(checked)
    }

    /// `[tfsu.empty]`: whether there is anything to draw; only then the algorithm and the range are looked at.
    ///
    /// Erratum `tfsu.empty.unchecked`.
    pub(crate) fn draws(&self) -> bool {
        !self.extents.contains(&0)
    }

    /// `[tfsu.algorithm]`: Philox is 1, and so is 3, which leaves the choice to the device. ThreeFry, 2, is refused.
    ///
    /// Errata `tfsu.algorithm.three-fry` and `tfsu.algorithm.auto`.
    pub(crate) fn algorithm(&self) -> Result<(), OpError> {
        is_philox(self.alg)
    }

    /// The extents, the key and the counter.
    pub(crate) fn parts(self) -> (Vec<u64>, u64, u128) {
        (self.extents, self.key, self.counter)
    }

    /// The stream, if the output is within the limit.
    pub(crate) fn stream(self, dtype: Dtype, limits: Limits) -> Result<Stream, Failure> {
        let shape = limits.shape(dtype, &self.extents)?;
        Ok(Stream::new(shape, self.key, self.counter))
    }
}

impl Stream {
    pub(crate) const fn new(shape: Shape, key: u64, counter: u128) -> Self {
        Self { shape, key, counter }
    }

    /// `[tfsu.stream]`: the words of the blocks with the key and the counters from the given one on, modulo 2^128.
    pub(crate) fn words(&self) -> impl Iterator<Item = u32> {
        philox::words(self.key, self.counter)
    }

    /// The stages of an output without a range of its own.
    pub(crate) fn stages(&self, filled: Filled, unit: Option<Tensor>) -> Option<Stages> {
        let per_element = filled.words_per_element;
        let counter = |element: usize| {
            let block =
                u64::try_from(element * per_element / 4).expect("a machine counts in 64 bits at most");
            self.counter.wrapping_add(u128::from(block))
        };
        Some(Stages {
            words: self
                .words()
                .take(self.shape.count().checked_mul(per_element)?)
                .collect(),
            words_per_element: per_element,
            words_per_block: 4,
            counters: (0..self.shape.count()).map(counter).collect(),
            unit,
            scaled: filled.tensor,
        })
    }
}

fn is_philox(alg: i64) -> Result<(), OpError> {
    match alg {
        1 | 3 => Ok(()),
        other => validate::refuse(
            ErrorKind::Attribute,
            format!("draw by algorithm {other} on a CPU"),
        ),
    }
}

/// The key and the counter of an op that looks at the algorithm before it knows whether there is anything to draw.
pub(crate) fn key_and_counter(inputs: [&Tensor; 3]) -> Result<(u64, u128), OpError> {
    let [key_input, counter_input, alg_input] = inputs;
    let (key, counter) = (key(key_input)?, counter(counter_input)?);
    is_philox(alg(alg_input)?)?;
    Ok((key, counter))
}

/// `[tfsu.shape.form]`: a list of i32 or i64, none negative.
pub(crate) fn extents(shape: &Tensor) -> Result<Vec<u64>, OpError> {
    validate::dtype("shape", shape, &[Dtype::I32, Dtype::I64])?;
    if shape.shape().rank() != 1 {
        return validate::shape("shape", shape, "[rank]");
    }
    let extent = |extent: i64| {
        u64::try_from(extent)
            .or_else(|_| validate::refuse(ErrorKind::Shape, format!("make an extent of {extent}")))
    };
    validate::integers(shape).into_iter().map(extent).collect()
}

/// `[tfsu.key.form]`: a list of one u64.
fn key(key: &Tensor) -> Result<u64, OpError> {
    match *words("key", key)? {
        [word] if key.shape().rank() == 1 => Ok(word),
        _ => validate::shape("key", key, "[1]"),
    }
}

/// `[tfsu.counter.form]`: a list of two u64, the low half first; more are ignored.
///
/// Erratum `tfsu.counter.length`.
fn counter(counter: &Tensor) -> Result<u128, OpError> {
    match *words("counter", counter)? {
        [low, high, ..] if counter.shape().rank() == 1 => Ok(u128::from(high) << 64 | u128::from(low)),
        _ => validate::shape("counter", counter, "[2] or more"),
    }
}

fn words(name: &str, tensor: &Tensor) -> Result<Vec<u64>, OpError> {
    validate::dtype(name, tensor, &[Dtype::U64])?;
    Ok(tensor.scalars().map(Scalar::bits).collect())
}

/// `[tfsu.algorithm.form]`: one i32.
fn alg(alg: &Tensor) -> Result<i64, OpError> {
    validate::dtype("alg", alg, &[Dtype::I32])?;
    scalar("alg", alg).map(Scalar::to_i64)
}

/// The element of a tensor of shape `[]`.
pub(crate) fn scalar(name: &str, tensor: &Tensor) -> Result<Scalar, OpError> {
    match tensor.get(0) {
        Some(element) if tensor.shape().rank() == 0 => Ok(element),
        _ => validate::shape(name, tensor, "[]"),
    }
}

//! The weights of Multinomial, if they are constants of the model.

use seedproof_ops::{Attribute, Backend as _, Dtype, Limits, Multinomial, Request, Scalar, Shape, Tensor};
use seedproof_readings::{Engine, Reading};

use crate::source::{Source, Value, number};

/// The most samples times weights for which classes are drawn: without replacement, every
/// sample goes through all of them.
const MOST: u64 = 1 << 24;

/// Rows of weights, and the way in which Multinomial draws from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// `[batch, classes]`.
    pub probs: Tensor,
    /// The number of samples of each row.
    pub samples: u64,
    /// Whether a class may be drawn more than once.
    pub with_replacement: bool,
    /// Whether the weights are logarithms.
    pub log_probs: bool,
}

impl Weights {
    /// The weights in a parameter of a source whose output is `[batch, samples]`. Unless the source says otherwise,
    /// they are logarithms and are drawn with replacement. `None` if the model computes them.
    pub(crate) fn of(source: &Source, name: &str, dtype: Dtype) -> Option<Self> {
        Self::made(source, name, dtype, |weight| weight)
    }

    /// The logarithms of the probabilities in a parameter, for an op that takes logarithms.
    pub(crate) fn of_probabilities(source: &Source, name: &str) -> Option<Self> {
        Self::made(source, name, Dtype::F32, f64::ln)
    }

    fn made(source: &Source, name: &str, dtype: Dtype, map: fn(f64) -> f64) -> Option<Self> {
        let (Value::List(values), &[batch, samples]) = (source.get(name)?, source.extents()) else {
            return None;
        };
        let weights = values.iter().map(|value| number(dtype, map(value.real()?)));
        let weights = weights.collect::<Option<Vec<Scalar>>>()?;
        let classes = u64::try_from(weights.len()).ok()?.checked_div(batch)?;
        let bytes = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        // An absent flag is true: TensorFlow's and ONNX's Multinomial have no such flags, take logarithms and replace.
        let is = |flag| source.get(flag).is_none_or(|value| value.flag() == Some(true));
        Some(Self {
            probs: Tensor::new(dtype, Shape::new(&[batch, classes]).ok()?, bytes).ok()?,
            samples,
            with_replacement: is("with_replacement"),
            log_probs: is("log_probs"),
        })
    }

    /// The classes that a reading draws; `None` if it refuses the request, or if there are too many steps.
    pub(crate) fn draw(
        &self,
        reading: Reading,
        dtype: Dtype,
        seeds: (u64, u64),
        execution: u32,
    ) -> Option<Vec<Scalar>> {
        let weights = u64::try_from(self.probs.count()).ok()?;
        if weights.checked_mul(self.samples).is_none_or(|steps| steps > MOST) {
            return None;
        }
        let request = Request::Multinomial(Multinomial {
            probs: self.probs.clone(),
            num_samples: Tensor::scalar(i64::try_from(self.samples).ok()?),
            draws: None,
            convert_type: Attribute::Known(dtype),
            with_replacement: self.with_replacement,
            log_probs: self.log_probs,
            global_seed: seeds.0,
            op_seed: seeds.1,
            execution,
        });
        let engine = Engine::new(reading, Limits::default(), || 0);
        Some(engine.run(&request).ok()?.output.scalars().collect())
    }
}

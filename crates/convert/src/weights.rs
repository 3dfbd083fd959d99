//! What Multinomial chooses by, where a model has it as constants.

use seedproof_ops::{Attribute, Backend as _, Dtype, Limits, Multinomial, Request, Scalar, Shape, Tensor};
use seedproof_readings::{Engine, Reading};

use crate::source::{Source, Value, number};

/// The most samples times classes that are gone through.
const MOST: u64 = 1 << 24;

/// Rows of weights, and how they are drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// `[batch, classes]`.
    pub probs: Tensor,
    /// Samples of each row.
    pub samples: u64,
    /// Whether a class may be drawn more than once.
    pub with_replacement: bool,
    /// Whether the weights are logarithms.
    pub log_probs: bool,
}

impl Weights {
    /// The rows in a parameter of a source whose output is `[batch, samples]`: logarithms, drawn with replacement, where
    /// the source does not say otherwise. `None` where the model computes them.
    pub(crate) fn of(source: &Source, name: &str, dtype: Dtype) -> Option<Self> {
        Self::made(source, name, dtype, |weight| weight)
    }

    /// The rows in a parameter that has probabilities where the op takes logarithms.
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
        let is = |flag| source.get(flag).is_none_or(|value| value.flag() == Some(true));
        Some(Self {
            probs: Tensor::new(dtype, Shape::new(&[batch, classes]).ok()?, bytes).ok()?,
            samples,
            with_replacement: is("with_replacement"),
            log_probs: is("log_probs"),
        })
    }

    /// The classes that a reading draws; `None` where it refuses, or where they are too many.
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

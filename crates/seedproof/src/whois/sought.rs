//! The question: an array, and what is known of the request that drew it.

use std::sync::Arc;

use seedproof_ops::{AttributeValue, Dtype, NanRule, Scalar, Tensor};

use super::elements::head;
use super::values::{agreeing, in_type};

/// An array, the seeds that may have drawn it, and what else is known of the request.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The array.
    pub actual: Tensor,
    /// For each element, the least and the greatest number that would be printed as it was. It is `None` unless the
    /// array was read from decimals with fewer digits than its type has.
    pub within: Option<Arc<[[f64; 2]]>>,
    /// The first seed of an op, or its key.
    pub seed: u64,
    /// The seeds after the first, or the counter.
    pub op_seed: u64,
    /// The lower and the upper bound, if they are known. Otherwise round numbers around the elements are tried, and
    /// then bounds that are computed from the elements and the words of a stream.
    pub range: Option<(Scalar, Scalar)>,
    /// Attributes and inputs that are known, by the names in the ops' documents. An op that lacks one of them is not
    /// asked.
    pub known: Vec<(String, Known)>,
    /// The number of executions of the same op instance before this one.
    pub execution: u32,
    /// The number of pairs of seeds among which this one is tried; 1 if the seeds are known. Every attempt counts once per pair:
    /// among thousands a short array would be named by chance.
    pub among: u64,
    /// The name that the array has in its file, of which Flax makes keys: `params/encoder/Dense_0/kernel`. It may be empty.
    pub name: String,
    /// The integer type in which the same numbers were asked about before. What does not depend on the type is not looked for
    /// again.
    pub asked: Option<Dtype>,
}

/// A part of the request that is known.
///
/// ```
/// use seedproof::ops::{AttributeValue, OpName, Tensor};
/// use seedproof::whois::{Known, Sought};
///
/// let alignment = Known::Attribute(AttributeValue::Text("PYTORCH".to_owned()));
/// let sought = Sought {
///     known: vec![("alignment".to_owned(), alignment)],
///     ..Sought::new(Tensor::vector(&[0.25_f32, 0.5]), 42, 0)
/// };
/// // No other op has an attribute of this name.
/// assert!(sought.requests().iter().all(|it| it.op() == OpName::RandomUniform));
/// ```
#[derive(Clone, Debug)]
pub enum Known {
    /// An attribute.
    Attribute(AttributeValue),
    /// An input.
    Input(Tensor),
}

impl Sought {
    /// A question of which nothing but the array and the seeds is known: the first seed or the key, and the seeds after it or
    /// the counter.
    ///
    /// ```
    /// use seedproof::ops::{Dtype, Scalar, Tensor};
    /// use seedproof::whois::Sought;
    ///
    /// let sought = Sought::new(Tensor::vector(&[0.25_f32, -0.5]), 42, 0);
    /// assert!(sought.range.is_none() && sought.known.is_empty());
    /// let within_one = Sought {
    ///     range: Scalar::from_decimal(Dtype::F32, "-1").zip(Scalar::from_decimal(Dtype::F32, "1")),
    ///     ..sought
    /// };
    /// assert_eq!(within_one.seed, 42);
    /// ```
    pub const fn new(actual: Tensor, seed: u64, op_seed: u64) -> Self {
        Self {
            actual,
            within: None,
            seed,
            op_seed,
            range: None,
            known: Vec::new(),
            execution: 0,
            among: 1,
            name: String::new(),
            asked: None,
        }
    }

    /// This number of attempts at each pair of seeds.
    #[expect(clippy::cast_precision_loss, reason = "a number of seeds need not be exact")]
    pub(super) fn attempts(&self, at_each: f64) -> f64 {
        at_each.max(1.0) * self.among as f64
    }

    /// The same question in another type; `None` if that type cannot represent every element and every bound.
    pub(super) fn in_type(&self, dtype: Dtype) -> Option<Self> {
        let range = match self.range {
            Some((low, high)) => Some((low.to_dtype(dtype)?, high.to_dtype(dtype)?)),
            None => None,
        };
        Some(Self {
            actual: in_type(&self.actual, dtype)?,
            range,
            ..self.clone()
        })
    }

    /// The same question about a list of the elements in ascending order; `None` for other elements than floats.
    pub(super) fn sorted(&self) -> Option<Self> {
        if !self.actual.dtype().is_float() {
            return None;
        }
        let numbers: Vec<f64> = self.actual.scalars().map(Scalar::to_f64).collect();
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        self.gather(&order)
    }

    /// The same question about a list of some of the elements, in this order.
    pub(super) fn gather(&self, places: &[usize]) -> Option<Self> {
        let within = self.within.as_ref();
        Some(Self {
            actual: self.actual.gather(places.iter().copied())?,
            within: within.map(|all| places.iter().map(|&place| all[place]).collect()),
            ..self.clone()
        })
    }

    /// The number of elements that tell the bounds, where these are not known and are chosen to fit the array.
    pub(super) fn free(&self) -> usize {
        if self.range.is_some() { 0 } else { 2 }
    }

    /// Whether the array may begin with the drawn elements, which are a list.
    pub(super) fn is_begun_by(&self, drawn: &Tensor, nan: NanRule) -> bool {
        let count = u64::try_from(drawn.count()).unwrap_or(u64::MAX);
        self.equal(drawn, nan) == drawn.count() && drawn.dtype() == self.actual.dtype() && count > 0
            || drawn.count() == 0
    }

    /// The number of drawn elements that may be the array's elements of the same index.
    pub(super) fn equal(&self, drawn: &Tensor, nan: NanRule) -> usize {
        let count = u64::try_from(drawn.count()).unwrap_or(u64::MAX);
        match &self.within {
            Some(within) if drawn.dtype().is_float() => agreeing(within, drawn),
            _ => nan.agreeing(drawn, &head(&self.actual, count)),
        }
    }
}

//! OpenVINO Multinomial-13: class indices drawn by their probabilities. All arithmetic is f64.
//!
//! [`Plan::new`] checks a request in this order: `convert_type`; `probs` (type, form); `num_samples` (type,
//! form, sign); `draws` (type, form, range); the values of `probs`; whether there are as many classes as
//! samples. Only a valid request is then checked for what cannot be answered: a second execution, more output
//! than the limit, and more draws without replacement than anybody waits for.

mod cdf;
mod check;

use seedproof_ops::{Dtype, Elements, Failure, Limits, Multinomial, Response, Scalar, Shape, Stages, Tensor};

use self::cdf::Cdf;
use crate::convert;
use crate::fill::{fill, take};
use crate::random_uniform::Seeds;
use crate::validate;

/// A valid request.
pub struct Plan {
    /// Weights, row by row: not negative; each row has a finite sum over zero.
    weights: Vec<f64>,
    class_size: usize,
    /// `[batch_size, num_samples]`.
    shape: Shape,
    num_samples: usize,
    draws: Option<Tensor>,
    replacement: Replacement,
    convert_type: Dtype,
    seeds: Seeds,
}

/// Whether a class may be drawn again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replacement {
    With,
    Without,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an execution after the
    /// first and for an output over the limit.
    pub fn new(request: &Multinomial, limits: Limits) -> Result<Self, Failure> {
        let convert_type = check::convert_type(request)?;
        let (batch_size, class_size) = check::probs(request)?;
        let num_samples = check::num_samples(request)?;
        check::draws(request, batch_size, num_samples)?;
        let weights = weights(&request.probs, request.log_probs);
        check::weights(request, &weights, class_size)?;
        let replacement = if request.with_replacement {
            Replacement::With
        } else {
            check::enough_classes(&weights, class_size, num_samples)?;
            Replacement::Without
        };
        validate::first_execution(request.execution)?;
        let shape = output_shape(batch_size, num_samples, convert_type, limits)?;
        if replacement == Replacement::Without {
            let size = |size| u64::try_from(size).unwrap_or(u64::MAX);
            Limits::steps(size(batch_size), num_samples, size(class_size))?;
        }
        Ok(Self {
            weights,
            class_size,
            num_samples: shape.dims()[1],
            shape,
            draws: request.draws.clone(),
            replacement,
            convert_type,
            seeds: Seeds {
                global_seed: request.global_seed,
                op_seed: request.op_seed,
            },
        })
    }

    /// The op's output. `entropy` is used if both seeds are zero.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, entropy: u64) -> Result<Response, Failure> {
        let classes = match &self.draws {
            Some(draws) => self.classes(given(draws))?,
            None => self.classes(generated(self.seeds.or_entropy(entropy)))?,
        };
        Ok(Response::of(classes))
    }

    /// The words, the draws and the output; `None` if both seeds are zero, or the draws are given.
    pub fn stages(&self) -> Option<Stages> {
        if self.seeds.are_zero() || self.draws.is_some() {
            return None;
        }
        let draws = fill(&self.shape, self.seeds.philox_words(), draw).ok()?;
        let word_count = self.shape.count().checked_mul(draws.words_per_element)?;
        Some(Stages {
            words: self.seeds.philox_words().take(word_count).collect(),
            words_per_element: draws.words_per_element,
            words_per_block: 4,
            counters: Vec::new(),
            scaled: self.classes(given(&draws.tensor)).ok()?,
            unit: Some(draws.tensor),
        })
    }

    /// The classes that the draws select, row by row.
    fn classes(&self, mut draws: impl Iterator<Item = f64>) -> Result<Tensor, Failure> {
        let mut output = Elements::reserve(self.convert_type, &self.shape)?;
        for weights in self.weights.chunks_exact(self.class_size) {
            let mut cdf = Cdf::new(weights);
            for u in draws.by_ref().take(self.num_samples) {
                let k = cdf.select(u);
                if self.replacement == Replacement::Without {
                    cdf.remove(k);
                }
                convert_index(k, self.convert_type, &mut output);
            }
        }
        Ok(output.into_tensor())
    }
}

/// `[mn13.output.form]`: `[batch_size, num_samples]`, of `convert_type`.
fn output_shape(batch: usize, samples: u64, convert_type: Dtype, limits: Limits) -> Result<Shape, Failure> {
    let batch = u64::try_from(batch).unwrap_or(u64::MAX);
    limits.shape(convert_type, &[batch, samples])
}

/// `[mn13.log-probs]`: each probability x is replaced by e^x if it is a logarithm.
///
/// Erratum `mn13.cdf.type`: in f64, whatever the type of `probs`. Erratum `mn13.log-probs.exp`: the last bit is that of
/// FreeBSD's function.
fn weights(probs: &Tensor, log_probs: bool) -> Vec<f64> {
    let widened = probs.scalars().map(Scalar::to_f64);
    if log_probs {
        widened.map(libm::exp).collect()
    } else {
        widened.collect()
    }
}

/// `[mn13.draws.generated]`: the RandomUniform-8 numbers of type f64 in `[0, 1)` for the same seeds under
/// TENSORFLOW, in row-major order of the output.
///
/// Errata `mn13.draws.generator`, `mn13.draws.type`.
fn generated(seeds: Seeds) -> impl Iterator<Item = f64> {
    let mut words = seeds.philox_words();
    std::iter::repeat_with(move || draw(take(&mut words)))
}

/// `[mn13.draws.generated]`: two words make a draw.
fn draw([x0, x1]: [u32; 2]) -> f64 {
    convert::f64::in_range(convert::f64::tensorflow(x0, x1), 0.0, 1.0)
}

/// `[mn13.draws.given]`: the input `draws`, in row-major order.
fn given(draws: &Tensor) -> impl Iterator<Item = f64> {
    draws.scalars().map(Scalar::to_f64)
}

/// `[mn13.output.form]`: the index as `convert_type`.
///
/// Erratum `mn13.convert-type.generator`: the type has no influence on which classes are drawn.
fn convert_index(k: usize, convert_type: Dtype, output: &mut Elements) {
    if convert_type == Dtype::I32 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "a conversion of the index, as the document has it; one over 2^31 wraps"
        )]
        output.push(k as i32);
    } else {
        output.push(i64::try_from(k).expect("a row has fewer than 2^63 classes"));
    }
}

#[cfg(test)]
mod tests;

//! JAX categorical: a class for each row of logits.

use seedproof_ops::{Dtype, Elements, Failure, JaxCategorical, JaxGumbel, Limits, Response, Shape};

use super::{gumbel, keys};
use crate::validate;

/// A valid request.
pub struct Plan {
    gumbel: gumbel::Plan,
    logits: Vec<f32>,
    classes: usize,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxc.logits.form]`: f32, of one extent at least, whose last is not zero.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxCategorical, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        keys::given(implementation, request.partitionable, &request.key)?;
        validate::dtype("logits", &request.logits, &[Dtype::F32])?;
        let dims = request.logits.shape().to_u64();
        let (classes, rows) = match request.logits.shape().dims() {
            [.., classes] if *classes > 0 => (*classes, &dims[..dims.len() - 1]),
            _ => return Ok(validate::shape("logits", &request.logits, "[..., classes]")?),
        };
        let gumbel = gumbel::Plan::new(
            &JaxGumbel {
                key: request.key.clone(),
                implementation: request.implementation.clone(),
                partitionable: request.partitionable,
                output_type: Dtype::F32.into(),
                output_sizes: dims.clone(),
            },
            // The noise takes as many bytes as the logits, which are in memory already.
            Limits {
                max_output_bytes: u64::MAX,
            },
        )?;
        let logits = request.logits.elements().expect("they are f32").collect();
        Ok(Self {
            gumbel,
            logits,
            classes,
            shape: limits.shape(Dtype::I64, rows)?,
        })
    }

    /// `[jxc.noise]`: an element of gumbel is added to each logit. `[jxc.greatest]`: a row's class is the first of the
    /// greatest sums.
    ///
    /// Erratum `jxc.nan`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let sums: Vec<f32> = self
            .gumbel
            .numbers()
            .zip(&self.logits)
            .map(|(noise, logit)| noise + logit)
            .collect();
        let mut elements = Elements::reserve(Dtype::I64, &self.shape)?;
        for row in sums.chunks(self.classes) {
            elements.push(greatest(row));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// The first of the greatest numbers, where NaN is greater than any.
fn greatest(row: &[f32]) -> i64 {
    let mut best = (0, f32::NEG_INFINITY);
    for (class, &sum) in (0..).zip(row) {
        if sum.is_nan() {
            return class;
        }
        if sum > best.1 {
            best = (class, sum);
        }
    }
    best.0
}

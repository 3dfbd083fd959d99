//! SGLang `murmur_hash32`: the words of the first tokens for each row.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, SglangMurmurHash32, Shape, Tensor};

use super::{count, murmur, per_row};
use crate::validate;

/// A valid request.
pub struct Plan {
    seeds: Vec<u64>,
    positions: Vec<u64>,
    columns: u64,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[smh.rows]`: seeds are u64 of the shape `[n]`, positions i64 of the same.
    ///
    /// Errata `smh.position.width` and `smh.seed.width`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &SglangMurmurHash32, limits: Limits) -> Result<Self, Failure> {
        let columns = count("num_cols", request.num_cols)?;
        validate::dtype("seed", &request.seed, &[Dtype::U64])?;
        let &[rows] = request.seed.shape().to_u64().as_slice() else {
            return Ok(validate::shape("seed", &request.seed, "[n]")?);
        };
        Ok(Self {
            seeds: per_row("seed", &request.seed, Dtype::U64, rows)?,
            positions: per_row("positions", &request.positions, Dtype::I64, rows)?,
            columns,
            shape: limits.shape(Dtype::U32, &[rows, columns])?,
        })
    }

    /// The words, row by row.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::U32, &self.shape)?;
        for (&seed, &position) in self.seeds.iter().zip(&self.positions) {
            for token in 0..self.columns {
                elements.push(murmur::hash(0, seed, position, token));
            }
        }
        let output: Tensor = elements.into_tensor();
        Ok(Response::of(output))
    }
}

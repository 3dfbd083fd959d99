//! TensorFlow TruncatedNormal: normals of magnitude below 2 from two seeds.
//!
//! There are no stages: the words of normals that are drawn again stand for no element.

use seedproof_ops::{Failure, Limits, Response, TruncatedNormal};

use crate::tensorflow_normal::{Kind, Normals, output_type};

/// A valid request.
pub struct Plan(Normals);

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for f64, for two seeds of zero and for an output
    /// over the limit.
    pub fn new(request: &TruncatedNormal, limits: Limits) -> Result<Self, Failure> {
        let dtype = output_type(&request.output_type)?;
        let seeds = [request.seed, request.seed2];
        Normals::seeded(
            Kind::Truncated,
            dtype,
            &request.shape,
            seeds,
            request.execution,
            limits,
        )
        .map(Self)
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.0.run()
    }
}

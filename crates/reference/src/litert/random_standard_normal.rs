//! LiteRT RANDOM_STANDARD_NORMAL: normals from two seeds.

use seedproof_ops::{Dtype, Failure, Limits, LitertRandomStandardNormal, Response, Stages};

use super::Start;
use crate::tensorflow_normal::{Kind, Normals};

/// A valid request.
pub struct Plan(Normals);

impl Plan {
    /// The plan for a request.
    ///
    /// `[ltn.normal]`: the normals of TensorFlow's RandomStandardNormal in f32.
    ///
    /// Erratum `ltn.normal.libm`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for two seeds of zero and for an output over the
    /// limit.
    pub fn new(request: &LitertRandomStandardNormal, limits: Limits) -> Result<Self, Failure> {
        let start = Start::new(&request.shape, [request.seed, request.seed2], request.execution)?;
        let Start {
            extents,
            key,
            counter,
        } = start;
        Normals::new(Kind::All, Dtype::F32, &extents, key, counter, limits).map(Self)
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.0.run()
    }

    /// The words and the output.
    pub fn stages(&self) -> Option<Stages> {
        self.0.stages()
    }
}

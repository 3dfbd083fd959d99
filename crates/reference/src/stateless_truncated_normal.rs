//! TensorFlow StatelessTruncatedNormalV2: normals of magnitude below 2 from a key and a counter.
//!
//! There are no stages: the words of normals that are drawn again stand for no element.

use seedproof_ops::{Failure, Limits, Response, StatelessTruncatedNormal};

use crate::stateless::Checked;
use crate::tensorflow_normal::{Kind, Normals, output_type};

/// A valid request.
pub struct Plan(Normals);

impl Plan {
    /// The plan for a request.
    ///
    /// `[tfst.stream]`: the normals are made of the blocks from the counter on, as those of the op with two seeds are.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for f64 and for an output over the limit.
    pub fn new(request: &StatelessTruncatedNormal, limits: Limits) -> Result<Self, Failure> {
        let dtype = output_type(&request.output_type)?;
        let (extents, key, counter) = Checked::with_algorithm(request)?.parts();
        Normals::new(Kind::Truncated, dtype, &extents, key, counter, limits).map(Self)
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.0.run()
    }
}

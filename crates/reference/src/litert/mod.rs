//! LiteRT's RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL: TensorFlow's kernels with seeds of 32 bits.

pub mod random_standard_normal;
pub mod random_uniform;

use seedproof_ops::{Dtype, Failure, OpError, Tensor};

use crate::{philox, stateless, validate};

/// What the two ops have in common.
struct Start {
    extents: Vec<u64>,
    key: u64,
    counter: u128,
}

impl Start {
    /// Where an execution begins.
    ///
    /// `[ltu.seeds]`: the low 32 bits of each seed, sign-extended to 64; the first is the key, the second the high half of
    /// the counter. `[ltu.advance]`: each execution before this one advanced the counter by the blocks that it used.
    ///
    /// Errata `ltu.seeds.width`, `ltu.seeds.zero` and `ltu.advance.blocks`.
    fn new(shape: &Tensor, seeds: [u64; 2], execution: u32) -> Result<Self, Failure> {
        let extents = extents(shape)?;
        let [key, high] = seeds.map(sign_extended);
        if (key, high) == (0, 0) {
            let message =
                "both seeds are zero in their low 32 bits, in whose place LiteRT draws from entropy";
            return Err(Failure::Unsupported(message.to_owned()));
        }
        let count: u128 = extents
            .iter()
            .map(|&extent| u128::from(extent))
            .fold(1, u128::saturating_mul);
        let earlier = count.div_ceil(4).wrapping_mul(u128::from(execution));
        let counter = (u128::from(high) << 64).wrapping_add(earlier);
        Ok(Self {
            extents,
            key,
            counter,
        })
    }
}

/// `[ltu.shape]`: a list of i32, none negative.
fn extents(shape: &Tensor) -> Result<Vec<u64>, OpError> {
    validate::dtype("shape", shape, &[Dtype::I32])?;
    stateless::extents(shape)
}

fn sign_extended(seed: u64) -> u64 {
    i64::from(philox::split(seed).r.cast_signed()).cast_unsigned()
}

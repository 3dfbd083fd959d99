//! Triton's generators and those of PyTorch's compiler: a block of Philox4x32-10 for each element.

pub mod inductor_randint;
pub mod inductor_random;
pub mod rand;
pub mod randint;

use seedproof_ops::{Dtype, Failure, Limits, Shape, Tensor};

use crate::{philox, servers, validate};

/// The words of a request of `tl.rand` or `tl.randint`.
struct Words {
    seed: u64,
    offset: u64,
    shape: Shape,
}

impl Words {
    /// `[tri.num]`: a number that is not negative. `[tri.seed]`: seed and offset are scalars of i64.
    fn new(num: i128, seed: &Tensor, offset: &Tensor, dtype: Dtype, limits: Limits) -> Result<Self, Failure> {
        let count = servers::count("num", num)?;
        Ok(Self {
            seed: validate::scalar::<i64>("seed", seed)?.cast_unsigned(),
            offset: validate::scalar::<i64>("offset", offset)?.cast_unsigned(),
            shape: limits.shape(dtype, &[count])?,
        })
    }

    /// `[tri.counter]`: element i has the first word of the block whose key is the seed and whose counter is `offset + i`,
    /// 64 bits wide.
    ///
    /// Errata `tri.offset.width` and `tri.words`.
    fn of(&self) -> impl Iterator<Item = u32> + '_ {
        let offsets = (0_u64..).take(self.shape.count());
        offsets.map(|i| philox::block(self.seed, u128::from(self.offset.wrapping_add(i)))[0])
    }
}

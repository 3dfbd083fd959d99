//! NumPy's `Generator`: five bit generators, each seeded by a `SeedSequence`, and what is drawn from them.
//!
//! Normals are absent, because the f64 tables of their ziggurat follow from no formula that is known here. The legacy generator
//! is [`crate::random_state`], which has the shapes, the pieces and the shuffle from here.

pub(crate) mod bit_generator;
pub mod integers;
pub mod permutation;
pub mod random;
mod seed_sequence;

use seedproof_ops::{
    Attribute, Dtype, Elements, ErrorKind, Failure, Limits, Named as _, NumpyBitGenerator, Response, Shape,
};

use crate::validate;
use bit_generator::BitGenerator;

/// A bit generator at its seed, and the call that is asked.
pub(crate) struct Start {
    pub(crate) generator: BitGenerator,
    pub(crate) execution: u32,
}

impl Start {
    /// `[npr.generators]`: one of five. `[npr.seed]`: a number that is not negative.
    fn new(kind: &Attribute<NumpyBitGenerator>, seed: i128, execution: u32) -> Result<Self, Failure> {
        let kind = validate::attribute("bit_generator", kind, NumpyBitGenerator::ALL)?;
        let Ok(seed) = u128::try_from(seed) else {
            let message = format!("take the seed {seed}: expected 0 to 2^127 - 1");
            return Ok(validate::refuse(ErrorKind::Attribute, message)?);
        };
        Ok(Self::of(BitGenerator::new(kind, seed), execution))
    }

    pub(crate) fn of(generator: BitGenerator, execution: u32) -> Self {
        Self { generator, execution }
    }

    /// `[npr.calls]`: a call begins where the one before ended; all are of the same request, which draws this number of numbers.
    pub(crate) fn drawing(self, numbers: usize) -> Result<Self, Failure> {
        Limits::skipped(self.execution, as_u64(numbers))?;
        Ok(self)
    }

    /// What the last call draws. A call rejects as many words as it has to, so that the calls before it are made as well.
    pub(crate) fn last(
        &self,
        mut call: impl FnMut(&mut BitGenerator) -> Result<Elements, Failure>,
    ) -> Result<Response, Failure> {
        let mut generator = self.generator.clone();
        for _ in 0..self.execution {
            call(&mut generator)?;
        }
        Ok(Response::of(call(&mut generator)?.into_tensor()))
    }
}

/// `[npr.extents]`: the extents that are not 0, and the size of an element, have a product below 2^63.
///
/// Erratum `npr.extents.zero`.
pub(crate) fn extents(dtype: Dtype, extents: &[u64], limits: Limits) -> Result<Shape, Failure> {
    let size = i64::try_from(dtype.size()).expect("an element has at most eight bytes");
    let mut others = extents.iter().filter(|&&extent| extent != 0);
    let bytes = others.try_fold(size, |bytes, &extent| {
        bytes.checked_mul(i64::try_from(extent).ok()?)
    });
    if bytes.is_none() {
        let message =
            format!("store an array of {extents:?}: expected less than 2^63 bytes without the zeros");
        return Ok(validate::refuse(ErrorKind::Shape, message)?);
    }
    limits.shape(dtype, extents)
}

/// As a number of draws.
pub(crate) fn as_u64(count: usize) -> u64 {
    u64::try_from(count).expect("a count fits into 64 bits")
}

/// `[rsi.mask]`: the low bits of a draw, as many as the greatest number has, drawn again while they are greater.
fn masked(max: u64, mut word: impl FnMut() -> u64) -> u64 {
    let mask = u64::MAX >> max.leading_zeros();
    // The upper bits are not used, and fewer than half of the draws are rejected.
    loop {
        let low = word() & mask;
        if low <= max {
            return low;
        }
    }
}

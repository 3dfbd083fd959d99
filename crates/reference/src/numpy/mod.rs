//! NumPy's `Generator`: five bit generators, each seeded by a `SeedSequence`, and what is drawn from them.
//!
//! Normals are absent, because the f64 tables of their ziggurat follow from no formula that is known here, and so is the
//! legacy `RandomState`.

mod bit_generator;
pub mod integers;
pub mod permutation;
pub mod random;
mod seed_sequence;

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, Failure, Limits, Named as _, NumpyBitGenerator, Response, Shape,
};

use crate::fill::Elements;
use crate::validate;
use bit_generator::BitGenerator;

/// A bit generator at the beginning of a call.
struct Start {
    kind: NumpyBitGenerator,
    seed: u128,
    execution: u32,
}

impl Start {
    /// `[npr.generators]`: one of five. `[npr.seed]`: a number that is not negative. `[npr.calls]`: a call begins where the
    /// one before ended; all are of the same request, which draws `draws` numbers.
    fn new(
        kind: &Attribute<NumpyBitGenerator>,
        seed: i128,
        execution: u32,
        draws: u64,
    ) -> Result<Self, Failure> {
        let kind = validate::attribute("bit_generator", kind, NumpyBitGenerator::ALL)?;
        let Ok(seed) = u128::try_from(seed) else {
            let message = format!("take the seed {seed}: expected 0 to 2^127 - 1");
            return Ok(validate::refuse(ErrorKind::Attribute, message)?);
        };
        Limits::skipped(execution, draws)?;
        Ok(Self {
            kind,
            seed,
            execution,
        })
    }

    /// What the last call draws. A call rejects as many words as it has to, so that the calls before it are made as well.
    fn last(
        &self,
        mut call: impl FnMut(&mut BitGenerator) -> Result<Elements, Failure>,
    ) -> Result<Response, Failure> {
        let mut generator = BitGenerator::new(self.kind, self.seed);
        for _ in 0..self.execution {
            call(&mut generator)?;
        }
        Ok(Response::of(call(&mut generator)?.into_tensor()))
    }
}

/// `[npr.extents]`: the extents that are not 0, and the size of an element, have a product below 2^63.
///
/// Erratum `npr.extents.zero`.
fn extents(dtype: Dtype, extents: &[u64], limits: Limits) -> Result<Shape, Failure> {
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
fn as_u64(count: usize) -> u64 {
    u64::try_from(count).expect("a count fits into 64 bits")
}

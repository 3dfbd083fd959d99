//! JAX's keys and what they draw.
//!
//! Absent are normals, Gumbel noise and categorical samples, which need a logarithm.

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, Failure, JaxBernoulli, JaxBits, JaxFoldIn, JaxKey, JaxKeyImpl,
    JaxPermutation, JaxRandint, JaxSplit, JaxUniform, Named as _, Tensor,
};

use super::keyed::{Checked, What};
use super::{check_dtype, check_rank, check_shape, known, refuse, scalar};
use crate::bits::halves;
use crate::jax::{Integers, Key};

/// Refuses what is invalid of key, in the order implementation, seed.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_key(request: &JaxKey) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let Ok(seed) = i64::try_from(request.seed) else {
        let message = format!("seed {} is not from -2^63 to 2^63 - 1", request.seed);
        return refuse(ErrorKind::Attribute, message);
    };
    let key = Key::of_seed(implementation, seed.cast_unsigned());
    Ok((Dtype::U32, vec![implementation.words()], What::Words(key)))
}

/// Refuses what is invalid of split, in the order implementation, number, key.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_split(request: &JaxSplit) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let Ok(Ok(num)) = i64::try_from(request.num).map(u64::try_from) else {
        let message = format!("num {} is not from 0 to 2^63 - 1", request.num);
        return refuse(ErrorKind::Attribute, message);
    };
    let key = key(implementation, request.partitionable, &request.key)?;
    Ok((Dtype::U32, vec![num, key.implementation.words()], What::Keys(key)))
}

/// Refuses what is invalid of fold_in, in the order implementation, number, key.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_fold_in(request: &JaxFoldIn) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let Ok(data) = u32::try_from(request.data) else {
        let message = format!("data {} is not from 0 to 2^32 - 1", request.data);
        return refuse(ErrorKind::Attribute, message);
    };
    let key = key(implementation, request.partitionable, &request.key)?;
    let dims = vec![key.implementation.words()];
    Ok((Dtype::U32, dims, What::Folded(key, data)))
}

/// Refuses what is invalid of bits, in the order implementation, element type, key.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_bits(request: &JaxBits) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let types = [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64];
    let dtype = known("output_type", &request.output_type, &types)?;
    let key = key(implementation, request.partitionable, &request.key)?;
    Ok((dtype, request.output_sizes.clone(), What::Bits(key)))
}

/// Refuses what is invalid of uniform, in the order implementation, element type, key, bounds.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_uniform(request: &JaxUniform) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let types = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    let dtype = known("output_type", &request.output_type, &types)?;
    let key = key(implementation, request.partitionable, &request.key)?;
    let bounds = [("minval", &request.minval), ("maxval", &request.maxval)];
    for (name, bound) in bounds {
        check_dtype(name, bound, &[dtype])?;
        check_rank(name, bound, 0)?;
    }
    let bounds = bounds.map(|(_, bound)| scalar(bound).to_f64());
    Ok((dtype, request.output_sizes.clone(), What::Floats(key, bounds)))
}

/// Refuses what is invalid of randint, in the order implementation, element type, bounds, key.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_randint(request: &JaxRandint) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let dtype = known("output_type", &request.output_type, Dtype::INTEGERS)?;
    let bound = |name: &str, bound: i128| {
        i64::try_from(bound).map_err(|_| {
            let message = format!("{name} {bound} is not from -2^63 to 2^63 - 1");
            Failure::rejected(ErrorKind::Range, message)
        })
    };
    let bounds = [bound("minval", request.minval)?, bound("maxval", request.maxval)?];
    let key = key(implementation, request.partitionable, &request.key)?;
    let what = What::Integers(key, Integers::new(dtype, bounds));
    Ok((dtype, request.output_sizes.clone(), what))
}

/// Refuses what is invalid of bernoulli, in the order implementation, key, probability.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_bernoulli(request: &JaxBernoulli) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let key = key(implementation, request.partitionable, &request.key)?;
    check_dtype("p", &request.p, &[Dtype::F32])?;
    check_rank("p", &request.p, 0)?;
    let p = super::bounds::single(scalar(&request.p).to_f64());
    Ok((Dtype::U8, request.output_sizes.clone(), What::Flags(key, p)))
}

/// Refuses what is invalid of permutation, in the order implementation, key.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_permutation(request: &JaxPermutation) -> Checked {
    let implementation = implementation(&request.implementation)?;
    let key = key(implementation, request.partitionable, &request.key)?;
    let n = u64::try_from(request.n.max(0)).unwrap_or(u64::MAX);
    Ok((Dtype::I64, vec![n], What::Order(key)))
}

fn implementation(attribute: &Attribute<JaxKeyImpl>) -> Result<JaxKeyImpl, Failure> {
    known("impl", attribute, JaxKeyImpl::ALL)
}

/// Refuses what is not a key, in the order element type, shape.
fn key(implementation: JaxKeyImpl, partitionable: bool, key: &Tensor) -> Result<Key, Failure> {
    check_dtype("key", key, &[Dtype::U32])?;
    let count = usize::try_from(implementation.words()).expect("a key has few words");
    check_shape("key", key, &[count])?;
    let mut words = [0; 4];
    for (word, scalar) in words.iter_mut().zip(key.scalars()) {
        [*word, _] = halves(scalar.bits());
    }
    Ok(Key {
        implementation,
        partitionable,
        words,
    })
}

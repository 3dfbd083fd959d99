//! PyTorch's `torch.func._random`: split, fold_in, uniform and randint.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, PhiloxKeyFoldIn, PhiloxKeySplit, PhiloxRandint, PhiloxUniform, Tensor,
};

use super::draw::{Conversion, Draw, Keys, Source};
use super::{check_dtype, check_rank, known, refuse, scalar, u64s};
use crate::bits::low64;
use crate::philox::PhiloxKey;

/// From this range on, PyTorch refuses remainders of a 32-bit word as too uneven, unless the range divides 2^32.
const LIMIT: i128 = 1 << 28;

/// Refuses what is invalid of split, in the order number, element type, shape.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_split(request: &PhiloxKeySplit, limits: Limits) -> Result<Draw, Failure> {
    let splits = u64::try_from(request.num_splits).ok();
    let Some(splits) = splits.filter(|&splits| splits >= 1 && i64::try_from(splits).is_ok()) else {
        let message = format!("num_splits {} is not from 1 to 2^63 - 1", request.num_splits);
        return refuse(ErrorKind::Attribute, message);
    };
    let keys = keys(&request.key)?;
    let mut dims = vec![splits];
    dims.extend(request.key.shape().to_u64());
    folded(keys, 0, &dims, limits)
}

/// Refuses what is invalid of fold_in, in the order number, element type, shape.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_fold_in(request: &PhiloxKeyFoldIn, limits: Limits) -> Result<Draw, Failure> {
    if !(-1 << 63..1 << 64).contains(&request.data) {
        let message = format!("data {} is not from -2^63 to 2^64 - 1", request.data);
        return refuse(ErrorKind::Attribute, message);
    }
    let keys = keys(&request.key)?;
    // A negative number is taken modulo 2^64.
    let data = low64(request.data.cast_unsigned());
    folded(keys, data, &request.key.shape().to_u64(), limits)
}

/// New keys: a block for each, of all keys from the block `first` on.
fn folded(keys: Vec<PhiloxKey>, first: u64, dims: &[u64], limits: Limits) -> Result<Draw, Failure> {
    let shape = limits.shape(Dtype::U64, dims)?;
    // With one key, all blocks are one stream. With several, the output alternates between them: one block of two words
    // of 64 bits of each key, then the next block of each.
    let (each, period) = match keys.len() {
        1 => (shape.count(), 0),
        many => (2, many),
    };
    let source = Source::Keys(Keys {
        extents: vec![[keys.len(), 1]],
        keys,
        each,
        first,
        period,
    });
    Ok(Draw {
        dtype: Dtype::U64,
        shape,
        source,
        conversion: Conversion::BITS,
        more: Vec::new(),
        beyond: 0,
    })
}

/// Refuses what is invalid of uniform, in the order element type, key, bounds.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_uniform(request: &PhiloxUniform, limits: Limits) -> Result<Draw, Failure> {
    let types = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    let dtype = known("output_type", &request.output_type, &types)?;
    let sizes = &request.output_sizes;
    let keys = batch(&request.key, sizes)?;
    for (name, bound) in [("low", &request.low), ("high", &request.high)] {
        check_dtype(name, bound, &[Dtype::F64])?;
        check_rank(name, bound, 0)?;
    }
    let conversion = Conversion::Floats {
        low: scalar(&request.low).to_f64(),
        high: scalar(&request.high).to_f64(),
    };
    drawn(dtype, sizes, &request.key, keys, conversion, limits)
}

/// Refuses what is invalid of randint, in the order element type, bounds, key.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_randint(request: &PhiloxRandint, limits: Limits) -> Result<Draw, Failure> {
    let dtype = known("output_type", &request.output_type, Dtype::INTEGERS)?;
    let limit = dtype.integers().expect("the type is one of integers");
    let [low, high] = [
        request.low.unwrap_or(*limit.start()),
        request.high.unwrap_or(limit.end() + 1),
    ];
    if low < *limit.start() || high > limit.end() + 1 || low >= high {
        let message = format!("{low} to {high} is not a range of {dtype}");
        return refuse(ErrorKind::Range, message);
    }
    let range = high - low;
    if dtype.size() == 4 && range >= LIMIT && (1 << 32) % range != 0 {
        let message = format!("{low} to {high} is a range of 2^28 or more that does not divide 2^32");
        return refuse(ErrorKind::Range, message);
    }
    let sizes = &request.output_sizes;
    let keys = batch(&request.key, sizes)?;
    // For the full range of a type, PyTorch returns the words without adding the lower bound.
    let is_whole = range == limit.end() - limit.start() + 1;
    let conversion = Conversion::Integers {
        min: if is_whole { 0 } else { low64(low.cast_unsigned()) },
        range: if is_whole { 0 } else { low64(range.cast_unsigned()) },
        high_first: true,
    };
    drawn(dtype, sizes, &request.key, keys, conversion, limits)
}

/// The keys of a tensor, whose last extent has the seed and the offset.
fn keys(key: &Tensor) -> Result<Vec<PhiloxKey>, Failure> {
    check_dtype("key", key, &[Dtype::U64])?;
    if key.shape().dims().last() != Some(&2) {
        let message = format!("key has the shape {}, not one that ends in 2", key.shape());
        return refuse(ErrorKind::Shape, message);
    }
    let words = u64s(key);
    let (pairs, _) = words.as_chunks();
    Ok(pairs
        .iter()
        .map(|&[seed, offset]| PhiloxKey { seed, offset })
        .collect())
}

/// The keys of a tensor, each of which draws a part of an output of these extents.
pub(super) fn batch(key: &Tensor, dims: &[u64]) -> Result<Vec<PhiloxKey>, Failure> {
    let keys = keys(key)?;
    let batch = key.shape().to_u64();
    let batch = &batch[..batch.len() - 1];
    let mut pairs = batch.iter().zip(dims);
    let fits = batch.len() == dims.len() && pairs.all(|(&keys, &dim)| keys == dim || keys == 1);
    if batch.is_empty() || fits {
        return Ok(keys);
    }
    let message = format!("keys of the shape {} are not a batch for {dims:?}", key.shape());
    refuse(ErrorKind::Shape, message)
}

/// The draw of a batch of keys: each fills the trailing extents in which the batch has 1.
pub(super) fn drawn(
    dtype: Dtype,
    dims: &[u64],
    key: &Tensor,
    keys: Vec<PhiloxKey>,
    conversion: Conversion,
    limits: Limits,
) -> Result<Draw, Failure> {
    let shape = limits.shape(dtype, dims)?;
    let batch = &key.shape().dims()[..key.shape().rank() - 1];
    let last = batch.iter().rposition(|&keys| keys != 1);
    let leading = last.map_or(0, |last| last + 1);
    let (mut extents, mut stride, mut streams) = (Vec::new(), 1, 1);
    // The extents of an output without elements may have a product that overflows.
    if shape.count() > 0 {
        for (&extent, &keys) in shape.dims().iter().zip(batch).take(leading).rev() {
            extents.insert(0, [extent, if keys == 1 { 0 } else { stride }]);
            stride *= keys;
            streams *= extent;
        }
    }
    let source = Source::Keys(Keys {
        keys,
        each: shape.count() / streams,
        extents,
        first: 0,
        period: 0,
    });
    Ok(Draw {
        dtype,
        shape,
        source,
        conversion,
        more: Vec::new(),
        beyond: 0,
    })
}

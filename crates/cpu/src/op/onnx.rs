//! ONNX's drafts: RandomUniform with a generator, InitPRNG and SplitPRNG.

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, Failure, Named as _, OnnxGenerator, OnnxInitPrng, OnnxRandomUniform,
    OnnxSplitPrng, Tensor,
};

use super::keyed::{Checked, What};
use super::{check_dtype, check_rank, check_shape, known, refuse, scalar, u64s};
use crate::bits::{halves, join, join64};
use crate::philox::Philox;

/// Refuses what is invalid of RandomUniform, in the order attributes, shape, bounds, offset.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for a generator that is not named.
pub(super) fn check_uniform(request: &OnnxRandomUniform) -> Checked {
    let types = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    let dtype = known("output_type", &request.output_type, &types)?;
    let unspecified = Attribute::Known(OnnxGenerator::Unspecified);
    let generator = request.generator.as_ref().unwrap_or(&unspecified);
    if known("generator", generator, OnnxGenerator::ALL)? == OnnxGenerator::Unspecified {
        let message = "an unspecified generator: nothing says what it draws";
        return Err(Failure::Unsupported(message.to_owned()));
    }
    let seed = request.seed_int64.and_then(|seed| i64::try_from(seed).ok());
    let Some(seed) = seed.filter(|_| request.seed.is_none()) else {
        let message = "philox4x32_10 takes a seed_int64 from -2^63 to 2^63 - 1, and no seed of f32";
        return refuse(ErrorKind::Attribute, message);
    };
    if request.output_sizes.is_empty() {
        return refuse(ErrorKind::Shape, "output_sizes has no extent");
    }
    let bounds = [("low", &request.low), ("high", &request.high)];
    for (name, bound) in bounds {
        check_dtype(name, bound, &[Dtype::F32])?;
        check_rank(name, bound, 0)?;
    }
    let offset = match &request.offset {
        Some(offset) => i64_bits("offset", offset)?,
        None => 0,
    };
    let philox = Philox {
        key: seed.cast_unsigned(),
        counter: join64(offset, 0),
    };
    let bounds = bounds.map(|(_, bound)| scalar(bound).to_f64());
    let dims = request.output_sizes.clone();
    Ok((dtype, dims, What::Digits(philox, bounds)))
}

/// Refuses what is invalid of InitPRNG.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_init(request: &OnnxInitPrng) -> Checked {
    let [low, high] = halves(i64_bits("seed", &request.seed)?);
    Ok((Dtype::I64, vec![2], What::State([high, low])))
}

/// Refuses what is invalid of SplitPRNG, in the order number, state, data.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_split(request: &OnnxSplitPrng) -> Checked {
    let number = request.num_outputs;
    let Some(count) = i64::try_from(number).ok().filter(|&count| count > 0) else {
        let message = format!("num_outputs {number} is not from 1 to 2^63 - 1");
        return refuse(ErrorKind::Attribute, message);
    };
    check_dtype("prng_state", &request.prng_state, &[Dtype::I64])?;
    check_shape("prng_state", &request.prng_state, &[2])?;
    let words: Vec<[u32; 2]> = u64s(&request.prng_state).into_iter().map(halves).collect();
    let &[[k0, 0], [k1, 0]] = &words[..] else {
        let message = "a word of prng_state is not from 0 to 2^32 - 1";
        return refuse(ErrorKind::Range, message);
    };
    if let Some(data) = &request.data {
        check_dtype("data", data, &[Dtype::I64])?;
        check_shape("data", data, &[usize::try_from(count).unwrap_or(usize::MAX)])?;
    }
    let data = request.data.as_ref().map(u64s);
    let dims = vec![count.unsigned_abs(), 2];
    Ok((Dtype::I64, dims, What::States(join(k1, k0), data)))
}

/// The bits of an i64.
fn i64_bits(name: &str, tensor: &Tensor) -> Result<u64, Failure> {
    check_dtype(name, tensor, &[Dtype::I64])?;
    check_rank(name, tensor, 0)?;
    Ok(scalar(tensor).bits())
}

//! TensorFlow's RandomStandardNormal and StatelessRandomNormalV2, PyTorch's `normal_` and `philox_normal`.

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, Failure, Limits, PhiloxNormal, RandomStandardNormal, StatelessRandomNormal,
    Tensor, TorchNormal,
};

use super::draw::{Conversion, Draw, Source};
use super::stateless::Formed;
use super::{check_dtype, check_execution, check_rank, extents, known, philox_keys, refuse, scalar};
use crate::bits::{halves, join64};
use crate::philox::Philox;

const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

/// The normals of TensorFlow, which have no parameters.
const STANDARD: Conversion = Conversion::Normals { mean: 0.0, std: 1.0 };

/// The blocks by which a call of RandomStandardNormal advances for each element.
const RESERVED: u64 = 256;

/// Refuses what is invalid of RandomStandardNormal, in the order output type, shape.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for two seeds of zero, for f64 and for more output than the limit.
pub(super) fn check_seeded(request: &RandomStandardNormal, limits: Limits) -> Result<Draw, Failure> {
    let dtype = output_type(&request.output_type)?;
    let dims = extents("shape", &request.shape)?;
    if [request.seed, request.seed2] == [0, 0] {
        let message = "both seeds are zero, for which TensorFlow takes others at random";
        return Err(Failure::Unsupported(message.to_owned()));
    }
    let shape = limits.shape(narrow(dtype)?, &dims)?;
    let count = u64::try_from(shape.count()).expect("a count fits 64 bits");
    // A product of 32 and 64 bits times 2^8 fits, and the counter wraps.
    let blocks = u128::from(request.execution) * u128::from(count) * u128::from(RESERVED);
    Ok(Draw {
        dtype,
        shape,
        source: Source::Philox(Philox {
            key: request.seed,
            counter: join64(request.seed2, 0).wrapping_add(blocks),
        }),
        conversion: STANDARD,
        more: Vec::new(),
        beyond: 0,
    })
}

/// Refuses what is invalid of StatelessRandomNormalV2, in the order output type, shape, key, counter, algorithm.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for f64 and for more output than the limit.
pub(super) fn check_stateless(request: &StatelessRandomNormal, limits: Limits) -> Result<Draw, Failure> {
    let inputs = [&request.shape, &request.key, &request.counter, &request.alg];
    let formed = Formed::of(&request.output_type, &FLOATS, inputs)?;
    formed.check_algorithm()?;
    narrow(formed.dtype)?;
    formed.draw(STANDARD, limits)
}

/// Refuses what is invalid of `normal_`, in the order output type, parameters.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for later executions, for f64 and for more output than the limit.
pub(super) fn check_torch(request: &TorchNormal, limits: Limits) -> Result<Draw, Failure> {
    let dtype = output_type(&request.output_type)?;
    let [mean, std] = parameters([&request.mean, &request.std])?;
    if std < 0.0 || std.is_nan() {
        let message = format!("std {std} is not a standard deviation of zero or more");
        return refuse(ErrorKind::Range, message);
    }
    check_execution(request.execution)?;
    Ok(Draw {
        dtype,
        shape: limits.shape(narrow(dtype)?, &request.output_sizes)?,
        source: Source::Mt19937(halves(request.seed)[0]),
        conversion: Conversion::Normals { mean, std },
        more: Vec::new(),
        beyond: 0,
    })
}

/// Refuses what is invalid of `philox_normal`, in the order output type, key, parameters.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for f64 and for more output than the limit.
pub(super) fn check_keyed(request: &PhiloxNormal, limits: Limits) -> Result<Draw, Failure> {
    let dtype = output_type(&request.output_type)?;
    let sizes = &request.output_sizes;
    let keys = philox_keys::batch(&request.key, sizes)?;
    let [mean, std] = parameters([&request.mean, &request.std])?;
    let conversion = Conversion::Normals { mean, std };
    philox_keys::drawn(narrow(dtype)?, sizes, &request.key, keys, conversion, limits)
}

fn output_type(attribute: &Attribute<Dtype>) -> Result<Dtype, Failure> {
    known("output_type", attribute, &FLOATS)
}

/// The mean and the standard deviation.
fn parameters(tensors: [&Tensor; 2]) -> Result<[f64; 2], Failure> {
    for (name, tensor) in ["mean", "std"].into_iter().zip(tensors) {
        check_dtype(name, tensor, &[Dtype::F64])?;
        check_rank(name, tensor, 0)?;
    }
    Ok(tensors.map(|tensor| scalar(tensor).to_f64()))
}

/// A type whose normals are made in f32. Those of f64 depend on the C library's double functions.
fn narrow(dtype: Dtype) -> Result<Dtype, Failure> {
    if dtype == Dtype::F64 {
        let message = "normals of f64: they differ by the version of the C library, whose double functions are not restated";
        return Err(Failure::Unsupported(message.to_owned()));
    }
    Ok(dtype)
}

//! What a logarithm makes of uniform numbers: normals, and Gumbel noise.

use seedproof_ops::Dtype;
use seedproof_transcend::{cuda, glibc, xla};

use super::values::Floats;
use crate::answers::{ErrorInverse, GumbelFrom, NoiseLog, NormalFrom, RootOfTwo};
use crate::engine::arithmetic::Arithmetic;
use crate::engine::units::two_to;
use crate::reading::Reading;
use crate::round::f32_of;

/// The numbers that normals of a type are made of.
pub(super) fn of_normals(reading: &Reading, dtype: Dtype) -> Floats {
    let step = two_to(-1 - dtype.mantissa_bits().cast_signed());
    let from = match reading.jax_noise.normal_from {
        NormalFrom::AfterMinusOne => step - 1.0,
        NormalFrom::MinusOne => -1.0,
    };
    Floats::new(reading, dtype, [from, 1.0])
}

/// The normal of a number, in its type.
pub(super) fn normal(reading: &Reading, dtype: Dtype, number: f64) -> f64 {
    let number = f32_of(number);
    let inverse = f64::from(match reading.jax_noise.erf_inv {
        ErrorInverse::Both => xla::erf_inv(number),
        ErrorInverse::Middle => xla::erf_inv_of_middle(number),
    });
    let arithmetic = Arithmetic::ieee(dtype);
    let root = match reading.jax_noise.root {
        RootOfTwo::Single => arithmetic.of_f64(f64::from(std::f32::consts::SQRT_2)),
        RootOfTwo::Double => std::f64::consts::SQRT_2,
    };
    arithmetic.of_f64(arithmetic.of_f64(inverse) * root)
}

/// The numbers that noise is made of.
pub(super) fn of_noise(reading: &Reading) -> Floats {
    let from = match reading.jax_noise.gumbel_from {
        GumbelFrom::LeastNormal => two_to(-126),
        GumbelFrom::Zero => 0.0,
        GumbelFrom::Epsilon => two_to(-23),
    };
    Floats::new(reading, Dtype::F32, [from, 1.0])
}

/// The noise of numbers in a tensor of these extents.
pub(super) fn noise(reading: &Reading, dims: &[u64], numbers: &[f64]) -> Vec<f32> {
    let answer = reading.jax_noise.noise_log;
    let rest = match dims {
        [count] if *count < 16 && matches!(count % 8, 3 | 5..=7) => numbers.len() % 8,
        _ => 0,
    };
    let log = |place: usize, x: f32| match answer {
        NoiseLog::XlaByItself if place + rest >= numbers.len() => glibc::logf(x),
        NoiseLog::Xla | NoiseLog::XlaByItself => xla::log(x),
        NoiseLog::Cuda => cuda::logf(x),
        NoiseLog::Glibc => glibc::logf(x),
        NoiseLog::Correct => f32_of(libm::log(f64::from(x))),
    };
    let noise = |(place, &number)| -log(place, -log(place, f32_of(number)));
    numbers.iter().enumerate().map(noise).collect()
}

/// The first of the greatest sums of a row, where NaN is greater than any.
pub(super) fn greatest(sums: &[f32]) -> usize {
    if let Some(nan) = sums.iter().position(|sum| sum.is_nan()) {
        return nan;
    }
    let greatest = sums.iter().copied().reduce(f32::max);
    sums.iter().position(|&sum| Some(sum) == greatest).unwrap_or(0)
}

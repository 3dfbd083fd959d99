//! Dispatches requests for ops that draw element by element, and for what keys make. Multinomial-13 is separate, because
//! its classes depend on a whole row.

use seedproof_ops::{Failure, Limits, Request, standard};

use super::draw::Draw;
use super::keyed::Keyed;
use super::{bit_generator, dml, jax, normals, onnx, philox_keys, random_uniform, stateless};

/// The draw for a request, or `None` for an op that does not draw element by element. `entropy` seeds a
/// request whose seeds are all zero.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub fn draw(request: &Request, limits: Limits, entropy: &dyn Fn() -> u64) -> Option<Result<Draw, Failure>> {
    // Comparisons of bounds are floating-point operations, which a host may have set to flush subnormals.
    standard(|| checked(request, limits, entropy))
}

fn checked(request: &Request, limits: Limits, entropy: &dyn Fn() -> u64) -> Option<Result<Draw, Failure>> {
    Some(match request {
        Request::RandomUniform(request) => random_uniform::check(request, limits, entropy),
        Request::DmlRandomGenerator(request) => dml::check(request, limits),
        Request::RngBitGenerator(request) => bit_generator::check(request, limits),
        Request::PhiloxKeySplit(request) => philox_keys::check_split(request, limits),
        Request::PhiloxKeyFoldIn(request) => philox_keys::check_fold_in(request, limits),
        Request::PhiloxUniform(request) => philox_keys::check_uniform(request, limits),
        Request::PhiloxRandint(request) => philox_keys::check_randint(request, limits),
        Request::StatelessRandomGetKeyCounter(request) => stateless::check_key_counter(request, limits),
        Request::StatelessRandomUniform(request) => stateless::check_uniform(request, limits),
        Request::StatelessRandomUniformInt(request) => stateless::check_uniform_int(request, limits),
        Request::StatelessRandomUniformFullInt(request) => stateless::check_uniform_full_int(request, limits),
        Request::RandomStandardNormal(request) => normals::check_seeded(request, limits),
        Request::StatelessRandomNormal(request) => normals::check_stateless(request, limits),
        Request::TorchNormal(request) => normals::check_torch(request, limits),
        Request::PhiloxNormal(request) => normals::check_keyed(request, limits),
        _ => return None,
    })
}

/// The valid request of JAX's keys or ONNX's drafts, or `None` for another op.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub fn keyed(request: &Request, limits: Limits) -> Option<Result<Keyed, Failure>> {
    // Bounds are converted to f64, by which a host may have set subnormal ones to be flushed.
    let checked = standard(|| {
        Some(match request {
            Request::JaxKey(request) => jax::check_key(request),
            Request::JaxSplit(request) => jax::check_split(request),
            Request::JaxFoldIn(request) => jax::check_fold_in(request),
            Request::JaxBits(request) => jax::check_bits(request),
            Request::JaxUniform(request) => jax::check_uniform(request),
            Request::JaxRandint(request) => jax::check_randint(request),
            Request::JaxBernoulli(request) => jax::check_bernoulli(request),
            Request::JaxPermutation(request) => jax::check_permutation(request),
            Request::OnnxRandomUniform(request) => onnx::check_uniform(request),
            Request::OnnxInitPrng(request) => onnx::check_init(request),
            Request::OnnxSplitPrng(request) => onnx::check_split(request),
            _ => return None,
        })
    })?;
    Some(checked.and_then(|checked| Keyed::new(checked, limits)))
}

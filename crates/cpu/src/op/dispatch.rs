//! Checks a request and dispatches it: to a draw element by element, to the classes of Multinomial-13, which depend on a
//! whole row, or to what keys make.

use seedproof_ops::{Failure, Limits, Request, standard};

use super::draw::Draw;
use super::keyed::Keyed;
use super::{bit_generator, dml, jax, multinomial, normals, onnx, philox_keys, random_uniform, stateless};

/// A request that will be answered.
pub enum Checked<'a> {
    /// Elements of one stream.
    Elements(Draw),
    /// Classes of rows of weights.
    Classes(multinomial::Formed<'a>),
    /// What keys make.
    Keyed(Keyed),
}

/// Checks a request. `entropy` seeds one whose seeds are all zero.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for another op, and for more output than the limit.
pub fn checked<'a>(
    request: &'a Request,
    limits: Limits,
    entropy: &dyn Fn() -> u64,
) -> Result<Checked<'a>, Failure> {
    if let Request::Multinomial(request) = request {
        return multinomial::check(request, limits).map(Checked::Classes);
    }
    if let Some(checked) = keyed(request, limits) {
        return checked.map(Checked::Keyed);
    }
    // Comparisons of bounds are floating-point operations, which a host may have set to flush subnormals.
    standard(|| draw(request, limits, entropy)).map(Checked::Elements)
}

fn draw(request: &Request, limits: Limits, entropy: &dyn Fn() -> u64) -> Result<Draw, Failure> {
    match request {
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
        _ => Err(Failure::no_op(request.op())),
    }
}

/// The valid request of JAX's keys or ONNX's drafts, or `None` for another op.
fn keyed(request: &Request, limits: Limits) -> Option<Result<Keyed, Failure>> {
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

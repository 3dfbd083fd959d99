//! Dispatches requests for ops that draw element by element. Multinomial-13 is separate, because its
//! classes depend on a whole row.

use seedproof_ops::{Failure, Limits, Request, standard};

use super::draw::Draw;
use super::{bit_generator, dml, normals, philox_keys, random_uniform, stateless};

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

//! The stateless ops by their requests.

use seedproof_ops::{Failure, Limits, Request};

use super::draw::Draw;
use super::{bit_generator, philox_keys, stateless};
use crate::environment::standard;

/// What a request of a stateless op asks of kernels; `None` for other ops.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub fn draw(request: &Request, limits: Limits) -> Option<Result<Draw, Failure>> {
    standard(|| checked(request, limits))
}

fn checked(request: &Request, limits: Limits) -> Option<Result<Draw, Failure>> {
    Some(match request {
        Request::RngBitGenerator(request) => bit_generator::check(request, limits),
        Request::PhiloxKeySplit(request) => philox_keys::check_split(request, limits),
        Request::PhiloxKeyFoldIn(request) => philox_keys::check_fold_in(request, limits),
        Request::PhiloxUniform(request) => philox_keys::check_uniform(request, limits),
        Request::PhiloxRandint(request) => philox_keys::check_randint(request, limits),
        Request::StatelessRandomGetKeyCounter(request) => stateless::check_key_counter(request, limits),
        Request::StatelessRandomUniform(request) => stateless::check_uniform(request, limits),
        Request::StatelessRandomUniformInt(request) => stateless::check_uniform_int(request, limits),
        Request::StatelessRandomUniformFullInt(request) => stateless::check_uniform_full_int(request, limits),
        _ => return None,
    })
}

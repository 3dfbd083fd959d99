//! What named readings begin with.

use std::borrow::Cow;

use crate::answers::{Forms, Has, Nan, Scope, SeedCount, UniformTypes};
use crate::reading::Reading;

/// The answers of `spec`, with NaN as x86 makes it.
pub(super) fn reading(name: &'static str, observed: &'static str) -> Reading {
    Reading {
        name: Cow::Borrowed(name),
        observed,
        nan: Nan::Indefinite,
        ..Reading::spec()
    }
}

/// No op.
pub(super) const NOTHING: Scope = Scope {
    tensorflow: Has::No,
    pytorch: Has::No,
    uniform_types: UniformTypes::All,
    seeds: SeedCount::Two,
    forms: Forms::All,
    scalar_shape: Has::Yes,
    multinomial: Has::No,
    draws: Has::No,
    dml: Has::No,
    bit_generator: Has::No,
    key_counter: Has::No,
    stateless_uniform: Has::No,
    philox_keys: Has::No,
    philox_randint: Has::No,
    jax: Has::No,
    jax_wide: Has::No,
    onnx_prng: Has::No,
    normal: Has::No,
    stateless_normal: Has::No,
    stateless_truncated: Has::No,
    torch_normal: Has::No,
    philox_normal: Has::No,
    vllm: Has::No,
    sglang: Has::No,
    triton: Has::No,
    inductor: Has::No,
    torch_samplers: Has::No,
};

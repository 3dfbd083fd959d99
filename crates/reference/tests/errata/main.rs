//! The errata that touch numbers, one test each, named after its erratum.
//!
//! A test computes what the adopted answer gives, by the crate, and what another answer gives, written out
//! here; the evidence (what a document prints, or what a real implementation drew) agrees with the first and
//! not with the second.
#![expect(
    clippy::unwrap_used,
    reason = "a test whose request cannot be made has failed"
)]

mod curand;
mod dml_random_generator;
mod jax;
mod key_counter;
mod litert;
mod mersenne_twister;
mod multinomial;
mod normals;
mod numpy;
mod onnx;
mod philox;
mod philox_keys;
mod random_state;
mod random_uniform;
mod request;
mod rng_bit_generator;
mod samplers;
mod stateless;
mod tensorflow_samplers;
mod torch_cuda;
mod torch_samplers;

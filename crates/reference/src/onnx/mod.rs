//! ONNX's random generation with a generator that is named, and its generator states, as two drafts define them.
//!
//! * onnx/onnx#8161: `RandomUniform` with `generator`, `seed_int64` and `offset`.
//! * onnx/onnx#8420: `InitPRNG` and `SplitPRNG`.

pub mod init_prng;
pub mod open;
pub mod random_uniform;
pub mod split_prng;

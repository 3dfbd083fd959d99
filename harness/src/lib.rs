//! Seedproof's own conformance run under `cargo test`, and what its tests share.
#![forbid(unsafe_code)]

pub mod agree;
pub mod requests;

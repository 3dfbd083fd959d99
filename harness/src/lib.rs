//! Seedproof's own conformance run under `cargo test`.
#![forbid(unsafe_code)]

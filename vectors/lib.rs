//! The files of Seedproof's corpus, as text. The crate `seedproof-vectors` reads them.
#![no_std]
#![forbid(unsafe_code)]

/// Name and text of each file, sorted by name: every `.yaml` file, and `retired.txt`.
///
/// Names are relative to the corpus, with `/` between their parts.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

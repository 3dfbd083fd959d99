//! Seedproof: given the same seed, does your implementation draw the bits that the specification promises, and if
//! not, why?
//!
//! A [`Backend`] is an implementation, a [`Case`] is one request with its expected answer, and the [`corpus`] has over
//! 14,500 of them. To judge an implementation of your own in `cargo test`, implement [`Backend`] and call
//! [`conformance_main`] from a test target without the standard harness:
//!
//! ```toml
//! [dev-dependencies]
//! seedproof = "0.1"
//!
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! [`judge`] judges a single case. The module [`judging`] has what other programs need: readings other than `spec`, and
//! the diagnosis of what failing cases have in common.
#![forbid(unsafe_code)]

mod bounded;
mod catalogue;
mod change;
mod conformance;
mod corpus;
pub mod judging;
mod kept;
pub mod libm;
mod registry;
mod runner;
mod seeds;
pub mod whois;

pub use conformance::{conformance_main, conformance_of, trials};
pub use corpus::corpus;
pub use judging::judge;
pub use registry::registry;
pub use runner::{Trial, TrialOutcome};
pub use seedproof_check::{Finding, NotApplicable, Outcome};
pub use seedproof_corpus::{Case, Corpus, Registry};
pub use seedproof_ops as ops;
pub use seedproof_ops::{Backend, BackendId, Failure, Request, Response, Support};

/// A corpus from files, either your own or one of the built-in ones.
pub mod files {
    pub use crate::bounded::{read_plain, read_stream};
    pub use crate::corpus::{LoadError, load, parse, read_files};
}

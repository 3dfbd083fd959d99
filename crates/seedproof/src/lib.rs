//! Seedproof: given the same seed, does your implementation draw the bits that the specification promises, and if
//! not, why?
//!
//! To judge an implementation of your own in
//! `cargo test`, implement [`Backend`](ops::Backend) and give it to [`conformance_main`] from a test target without
//! the standard harness:
//!
//! ```no_run
//! # use seedproof::ops::{Backend, BackendId, Failure, Request, Response, Support};
//! # struct MyBackend(BackendId);
//! # impl Backend for MyBackend {
//! #     fn id(&self) -> &BackendId { &self.0 }
//! #     fn supports(&self, _: &Request) -> Support { Support::Yes }
//! #     fn run(&self, _: &Request) -> Result<Response, Failure> { Err(Failure::error("")) }
//! # }
//! # let backend = MyBackend(BackendId::new("mine"));
//! // tests/conformance.rs
//! let exit = seedproof::conformance_main(vec![Box::new(backend)]);
//! ```
#![forbid(unsafe_code)]

mod bank;
mod conformance;
mod corpus;
mod judging;

pub use bank::{Bank, entropy};
pub use conformance::conformance_main;
pub use corpus::{LoadError, corpus, load, parse, read_files, registry};
pub use judging::{Caught, applies, diagnose, diagnosed, elements, failure_text, judge_case, quiet_panics};
pub use seedproof_ops as ops;

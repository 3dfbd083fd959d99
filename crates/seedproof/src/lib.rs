//! Seedproof: given the same seed, does your implementation draw the bits that the specification promises, and if
//! not, why?
//!
//! This crate is the program and the library that others depend on. To judge an implementation of your own in
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
mod extras;
mod generated;
mod goldens;
mod judging;
mod mutants;
mod sample;
mod scores;

pub use bank::{Bank, entropy};
pub use conformance::conformance_main;
pub use corpus::{LoadError, corpus, load, parse, read_files, registry};
pub use extras::{MUTANTS, extras};
pub use generated::{errata_markdown, generated};
pub use goldens::{change, digest, goldens, missing_line, summary, table};
pub use judging::{Caught, applies, diagnose, diagnosed, elements, judge_case, quiet_panics, tell};
pub use mutants::Matrix;
pub use sample::{SAMPLE, Sample, sample_page};
pub use scores::{outcomes, readings_table, rows};
pub use seedproof_check as check;
pub use seedproof_cpu as cpu;
#[cfg(feature = "gpu")]
pub use seedproof_gpu as gpu;
pub use seedproof_ops as ops;
pub use seedproof_readings as readings;
pub use seedproof_reference as reference;
pub use seedproof_report as report;
pub use seedproof_vectors as vectors;
pub use seedproof_wire as wire;

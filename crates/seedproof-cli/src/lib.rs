//! The program `seedproof` as a function, for whoever brings it along in another form, such as the Python package.
#![forbid(unsafe_code)]

mod args;
mod ask;
mod auto;
mod brought;
mod claimed;
mod convert;
mod corpus_command;
mod documents;
mod draw;
mod dump;
mod elements;
mod examples;
mod exit;
mod expectations;
mod explain;
mod export;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod generate;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "no_gpu.rs"]
mod gpu;
mod implementations;
mod inspect;
mod interrupt;
mod io;
mod libm;
mod nan;
mod plan;
mod program;
mod progress;
mod quoting;
mod random;
mod registry;
mod run;
mod run_args;
mod same;
mod seed;
mod selection;
mod serve;
mod shard;
mod smoke;
mod starter;
mod threads;
mod whois;
mod width;
mod words;

pub use program::main;
pub use threads::bound_threads;

//! The corpus: what a case is, how it is written in YAML, and how derived cases are generated.
#![forbid(unsafe_code)]

mod case;
mod error;
mod grid;
mod output;
mod parse;

pub use case::{
    Bits, Case, CaseId, Digested, Expectation, InvalidId, Location, Name, OutputDigest, Printed, Provenance,
};
pub use error::{VectorError, VectorErrors};
pub use output::output_form;
pub use parse::{ParsedFile, parse};

pub use grid::{Draft, GridFile, Planned, files as grid_files};

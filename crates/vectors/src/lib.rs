//! The corpus: what a case is, and how it is read from YAML.
//!
//! Text goes in; files are for the caller to read. The crate `seedproof-corpus` has the repository's own corpus.
#![forbid(unsafe_code)]

mod case;
mod corpus;
mod error;
mod glob;
mod parse;
mod query;
mod registry;

pub use case::{
    Bits, Case, CaseId, Digested, Expectation, InvalidId, Location, Name, OutputDigest, Printed, Provenance,
};
pub use corpus::{Corpus, RETIRED};
pub use error::{VectorError, VectorErrors};
pub use glob::Glob;
pub use parse::{ParsedFile, SCHEMA, SHOWN, parse, short_form};
pub use query::{Query, QueryError, Selection};
pub use registry::{Answer, Clause, Erratum, Level, Registry};

//! The corpus: what a case is, how it is written in YAML, and how derived cases are generated.
//!
//! Text goes in and comes out; files are for the caller to read and to write. The repository's own corpus is part
//! of the program ([`embedded`]).
#![forbid(unsafe_code)]

mod case;
mod corpus;
mod cover;
mod embedded;
mod emit;
mod error;
mod facets;
pub mod grid;
mod hex;
mod lint;
mod output;
mod parse;
mod query;
mod regenerate;
mod registry;
mod schema;
mod stats;

pub use case::{
    Bits, Case, CaseId, Digested, Expectation, InvalidId, Location, Name, OutputDigest, Printed, Provenance,
};
pub use corpus::Corpus;
pub use cover::{ClauseCover, Cover, ErratumCover, cover};
pub use embedded::embedded;
pub use emit::emit;
pub use error::{VectorError, VectorErrors};
pub use lint::lint;
pub use output::output_form;
pub use parse::{ParsedFile, parse};
pub use query::{Query, QueryError, Selection};
pub use regenerate::{MOST_BITS, SPEC, SPEC_REVISION, regenerate};
pub use registry::{Answer, Clause, Erratum, Level, Registry};
pub use schema::schema;
pub use stats::stats;

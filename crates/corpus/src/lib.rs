//! The corpus: what a case is, and how it is read from YAML.
//!
//! Text goes in; files are for the caller to read. The crate `seedproof-vectors` has the repository's own corpus.
//!
//! ```
//! use seedproof_corpus::{Expectation, Selection, parse};
//!
//! let yaml = r#"
//! schema: 2
//! op: directml.RandomGenerator
//! clauses: [ru8.philox.rounds]
//! cases:
//!   - id: dml/feature-level-3.0/random123-kat-zeros
//!     provenance: { kind: known-answer, source: Random123 kat_vectors }
//!     attrs: { type: PHILOX_4X32_10, feature_level: "3.0", output_sizes: [1, 1, 1, 4], output_state: false }
//!     inputs: { input_state: { dtype: u32, shape: [1, 1, 1, 6], bits: [0, 0, 0, 0, 0, 0] } }
//!     expect:
//!       bits: [1713891541, 3781805453, 3159862348, 2600524760]
//! "#;
//! let file = parse("philox.yaml", yaml)?;
//! let case = &file.cases[0];
//! assert!(matches!(case.expect, Expectation::Bits(_)));
//! // Queries choose cases by any part of them.
//! let queries = ["op:directml.RandomGenerator", "!clause:*carry*"].map(str::to_owned);
//! assert!(Selection::parse(&queries).expect("both are queries").matches(case));
//! # Ok::<(), seedproof_corpus::VectorErrors>(())
//! ```
#![forbid(unsafe_code)]

mod case;
mod corpus;
mod error;
mod glob;
mod parse;
mod query;
mod registry;
pub mod yaml;

pub use case::{
    Bits, Case, CaseId, Digested, Expectation, InvalidId, Location, Name, OutputDigest, Printed, Provenance,
};
pub use corpus::{CONVERSIONS, Canonical, Corpus, RETIRED};
pub use error::{VectorError, VectorErrors};
pub use glob::Glob;
pub use parse::{ParsedFile, SCHEMA, SHOWN_AT_EITHER_END, parse, short_form};
pub use query::{Query, QueryError, Selection};
pub use registry::{Answer, Clause, Document, Erratum, Level, Registry};

//! The corpus: what a case is, how it is written in YAML, and how derived cases are generated.
#![forbid(unsafe_code)]

mod case;

pub use case::{
    Bits, Case, CaseId, Digested, Expectation, InvalidId, Location, Name, OutputDigest, Printed, Provenance,
};

//! The judge: one case, one backend, one finding. Pure: no files, no clocks, no globals.
#![forbid(unsafe_code)]

mod diagnosis;
mod finding;

pub use diagnosis::{Candidate, CandidateKind, Diagnosis, Evidence, Explanation, Verdict};
pub use finding::{Comparison, Element, Finding, Mismatch, Outcome, Stage, StageVerdict};

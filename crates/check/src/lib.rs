//! The judge: one case, one backend, one finding; and the diagnosis of what many findings have in common.
//!
//! Pure: no files, no clocks, no globals. What is judged comes in as values and [`seedproof_ops::Backend`]s, and
//! readings and mistakes come in as backends too, so that this crate knows no generator at all.
#![forbid(unsafe_code)]

mod chance;
mod compare;
mod diagnose;
mod diagnosis;
mod digest;
mod due;
mod exchange;
pub mod expectations;
mod finding;
#[cfg(test)]
mod fixtures;
pub mod json;
mod judge;
mod locate;
mod pairs;
mod rank;
mod remote;
mod sample;
mod score;
mod seedless;
mod stages;
pub mod statistics;
mod structure;
mod trial;
mod ulp;

pub use compare::{compare, compare_outputs};
pub use diagnose::{Family, Found, PairSource, Suspects, diagnose};
pub use diagnosis::{Candidate, Cause, CauseKind, Diagnosis, Evidence, Explanation, Verdict};
pub use digest::{chunks, compare_digest, whole};
pub use due::{Judges, LeftOut, SPEC, applies};
pub use exchange::{FailedCase, PassedCase, Reply};
pub use finding::{
    Comparison, Element, Finding, Form, Mismatch, Outcome, Stage, StageResult, StageValues, TestResult, Tone,
};
pub use judge::{Exchange, Judgement, examine, judge};
pub use locate::{block_and_word, elements_per_block, output_form};
pub use stages::{compare_stages, infer_stages};
pub use ulp::ulps;

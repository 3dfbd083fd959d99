//! The judge: one case, one backend, one finding; and the diagnosis of what many findings have in common.
//!
//! Pure: no files, no clocks, no globals. Cases come in as values; implementations, readings and mistakes come in as
//! [`seedproof_ops::Backend`]s, so that this crate knows no generator and no op.
//!
//! The way of the data: a case gives the [`Expected`] answer and a backend the actual one (`expected`, `judge`); the
//! two are compared (`compare`, `digest`, `nondeterministic`), which makes a [`Finding`]; answers that are not the
//! expected ones are [`Exchange`]s, from which a [`Diagnosis`] is made (`diagnose`).
#![forbid(unsafe_code)]

mod chance;
mod compare;
mod comparison;
mod diagnose;
mod diagnosis;
mod differences;
mod digest;
mod exchange;
pub mod expectations;
mod expected;
mod finding;
#[cfg(test)]
mod fixtures;
mod invert;
pub mod json;
mod judge;
mod locate;
mod nondeterministic;
mod outcome;
mod stages;
mod statistics;
mod structure;
mod ulp;

pub use compare::{STRIP, strip_cell};
pub use comparison::{Comparison, Element, Stage, StageResult, StageValues};
pub use diagnose::{Families, Found, Suspects, Together, diagnose};
pub use diagnosis::{
    Candidate, Cause, CauseKind, Diagnosis, Evidence, Explanation, Nearest, Part, Tried, Unexplained, Verdict,
};
pub use differences::{Differences, Places};
pub use exchange::{Exchange, FailedCase, Judgement, PassedCase, Reply};
pub use expected::{Expected, Judges, NotApplicable, SPEC, applies};
pub use finding::{Finding, Form, Mismatch, OtherNans};
pub use invert::LowBits;
pub use judge::{examine, judge};
pub use outcome::{Outcome, TestResult, Tone};
pub use stages::Blocks;
pub use ulp::ulps;

//! The judge: one case, one backend, one finding; and the diagnosis of what many findings have in common.
//!
//! Pure: no files, no clocks, no globals. Cases come in as values; implementations, readings and mistakes come in as
//! [`seedproof_ops::Backend`]s, so that this crate knows no generator and no op.
//!
//! The way of the data: a case gives the [`Expected`] answer and a backend the actual one (`expected`, `judge`); the
//! two are compared (`compare`, `digest`, `nondeterministic`), which makes a [`Finding`]; answers that are not the
//! expected ones are [`Exchange`]s, from which a [`Diagnosis`] is made (`diagnose`).
//!
//! ```
//! use seedproof_check::{Judges, Outcome, judge};
//! use seedproof_ops::{Backend, BackendId, Failure, NanRule, Request, Response, Shape, Support, Tensor};
//!
//! /// Answers everything with the same four words.
//! struct Fixed(BackendId, [u32; 4]);
//!
//! impl Backend for Fixed {
//!     fn id(&self) -> &BackendId {
//!         &self.0
//!     }
//!
//!     fn supports(&self, _: &Request) -> Support {
//!         Support::Yes
//!     }
//!
//!     fn run(&self, _: &Request) -> Result<Response, Failure> {
//!         let shape = Shape::new(&[1, 1, 1, 4]).expect("four elements fit any machine");
//!         Ok(Response::of(Tensor::from_elements(shape, &self.1).expect("the shape has four elements")))
//!     }
//! }
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
//! let file = seedproof_corpus::parse("philox.yaml", yaml)?;
//! let right = [1713891541, 3781805453, 3159862348, 2600524760];
//! let oracle = Fixed(BackendId::new("oracle"), right);
//! let judges = Judges { oracle: &oracle, requested: None, readings: &[], nan: NanRule::default(), repeat: 0 };
//! let outcome = |words| {
//!     let mine = Fixed(BackendId::new("mine"), words);
//!     judge(&file.cases[0], &mine, &judges).expect("the case is about the specification").outcome
//! };
//! assert_eq!(outcome(right), Outcome::Pass);
//! assert_eq!(outcome([0; 4]), Outcome::Fail);
//! # Ok::<(), seedproof_corpus::VectorErrors>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    expect(clippy::float_cmp, reason = "tests compare numbers that are exact")
)]

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
mod repeat;
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
pub use finding::{Finding, Form, Mismatch, OtherNans, differ};
pub use invert::LowBits;
pub use judge::{examine, judge};
pub use outcome::{Outcome, TestResult, Tone};
pub use stages::Blocks;
pub use ulp::ulps;

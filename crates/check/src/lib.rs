//! The judge: one case, one backend, one finding; and the diagnosis of what many findings have in common.
//!
//! There are no files and no globals here, and the clock only says how long an answer took and what day it is. Cases come in as values; implementations, readings and mistakes come in as
//! [`seedproof_ops::Backend`]s, so that this crate knows no generator and no op.
//!
//! Data flows one way through four folders. `model` holds what the others exchange: the [`Expected`] answer of a case, a
//! [`Finding`], an [`Exchange`], a [`Diagnosis`]. `judge` compares one answer with the expected one, which makes a finding.
//! `search` looks for what the wrong answers of a run have in common, which makes a diagnosis. `expectations` reads the
//! files in which users list known failures.
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
//!         Support::Supported
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

pub mod expectations;
#[cfg(test)]
mod fixtures;
mod judge;
mod model;
mod search;

pub use judge::compare::{STRIP, strip_cell};
pub use judge::{examine, judge};
pub use model::comparison::{Comparison, Differences, Element, Places};
pub use model::diagnosis::{
    Candidate, Cause, CauseKind, Diagnosis, Evidence, Explanation, MOSTLY_RIGHT, Nearest, Part, Tried,
    Unexplained, Verdict,
};
pub use model::exchange::{Exchange, FailedCase, Judgement, PassedCase, Reply};
pub use model::expected::{Expected, Judges, NotApplicable, SPEC, applies, is_computed};
pub use model::finding::{Finding, Form, Mismatch, OtherNans, differ};
pub use model::json;
pub use model::outcome::{Outcome, TestResult, Tone};
pub use model::stage::{Blocks, LowBits, Stage, StageResult, StageValues};
pub use model::ulp::ulps;
pub use search::diagnose::{Base, Families, Found, Suspects, Together, diagnose, diagnose_counted};

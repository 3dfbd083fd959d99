//! Conversion conformance: does a model keep its random bits from framework to runtime?
//!
//! A [`Source`] is one random op of a model, and a [`Path`] is the way in which it is converted. A [`rule`] describes
//! how both ends draw, in parts that can be exchanged one by one. [`judge`] finds the fewest parts that must be
//! exchanged for the bits to be kept: these are the stages at which they are lost.
//!
//! ```
//! use seedproof_convert::{Hint, Path, Source, Target, Verdict, judge, rule};
//!
//! let source: Source = seedproof_convert::source("{framework: tensorflow, op: RandomUniform, type: f64, shape: [8], seed: 7, seed2: 9}")?;
//! let path = Path { target: Target::Openvino, mode: "function".to_owned(), hint: Hint::F32 };
//! let rule = rule(&source, &path).ok_or("there is a rule for it")?;
//! let cell = judge(&rule, source.extents(), 0);
//! assert_eq!(cell.verdict, Verdict::OwnBits);
//! assert_eq!(cell.stages[0].to_string(), "type lowering");
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

mod advice;
mod asked;
mod case;
mod drawn;
mod grid;
mod hold;
mod matrix;
mod model;
mod node;
mod rules;
mod side;
mod source;
mod text;
mod upstream;
mod verdict;
mod whole;

pub use advice::advice;
pub use asked::Asked;
pub use case::{Again, Capture, File, Judged, Kind, Provenance, Refused, read};
pub use drawn::Drawn;
pub use grid::grid;
pub use hold::{contradictions, verdicts};
pub use matrix::Matrix;
pub use model::{Format, Found, Model, OnnxAttribute, OnnxModel, OnnxValue, onnx_tensor, read_model};
pub use node::{Node, Seen, reading};
pub use rules::{At, Converted, Refusal, Rule, rule};
pub use side::{Choice, Comparison, Generator, Seeds, Side, State, Values};
pub use source::{Body, Framework, Hint, Path, Source, Target, Value};
pub use text::with_verdicts;
pub use upstream::{UPSTREAM, Upstream};
pub use verdict::{Cell, Stage, Verdict, judge};
pub use whole::{Assessed, Assessment, Whole, assess, ways, whole};

/// Reads a source from YAML.
///
/// # Errors
/// If the YAML is not a source, with line and column.
pub fn source(yaml: &str) -> Result<Source, String> {
    serde_yaml::from_str(yaml).map_err(|error| error.to_string())
}

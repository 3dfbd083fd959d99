//! A diagnosis: the causes that explain why an implementation fails, with the evidence.
//!
//! The event log is these types written as JSON.

use seedproof_corpus::CaseId;
use seedproof_ops::Backend;
use serde::{Deserialize, Serialize};

use crate::model::json;
use crate::model::stage::Stage;

/// A possible reason for wrong answers: a reading, a mistake, or a structure of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// The id: `fused-scale`; of a pair, both ids with ` + ` between; with a parameter, `per-thread(threads = 256)`.
    pub name: String,
    /// The sort of cause.
    pub kind: CauseKind,
    /// What the implementation does, in one sentence.
    pub sentence: String,
    /// How to fix it; empty for a reading and where there is no one way.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fix: String,
    /// The id of the clause that it departs from; empty where there is no one clause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clause: String,
    /// The id of the erratum that it answers otherwise; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub erratum: String,
}

impl Cause {
    /// Several causes as one.
    pub(crate) fn joined(causes: &[Self]) -> Self {
        let all = |field: fn(&Self) -> &String, between: &str| {
            let mut texts: Vec<&str> = Vec::new();
            for text in causes.iter().map(|cause| field(cause).as_str()) {
                if !text.is_empty() && !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts.join(between)
        };
        Self {
            name: all(|cause| &cause.name, " + "),
            kind: match causes {
                [only] => only.kind,
                _ => CauseKind::Combination,
            },
            sentence: all(|cause| &cause.sentence, "; and "),
            fix: all(|cause| &cause.fix, "; and "),
            clause: all(|cause| &cause.clause, ", "),
            erratum: all(|cause| &cause.erratum, ", "),
        }
    }
}

/// The sort of a cause, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// The behaviour of a named implementation.
    Reading,
    /// One wrong answer.
    Mistake,
    /// A relation between expected and actual output, whatever the cause: shifted, permuted, all zero, ….
    Structure,
    /// Several wrong answers together, or a wrong answer and a structure.
    Combination,
}

/// A cause that is tried on the failing cases, with a backend that has it.
#[derive(Clone)]
pub struct Candidate<'a> {
    /// The reading or the mistake.
    pub cause: Cause,
    /// Answers as the cause makes an implementation answer.
    pub backend: &'a dyn Backend,
}

/// The reach of an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Elements of the failing cases that it gives as the implementation does.
    pub elements: u64,
    /// Elements of the failing cases.
    pub elements_total: u64,
    /// Failing cases that it gives in full.
    pub cases: u64,
    /// Failing cases.
    pub cases_total: u64,
    /// Passing cases that it would fail, of those that were tried.
    pub contradicted: u64,
}

/// A cause with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The cause.
    pub cause: Cause,
    /// The stage where it departs from the specification, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// How far it reaches.
    pub evidence: Evidence,
    /// The failing cases that it gives in full.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub cases: Vec<CaseId>,
    /// The property that these cases share, where passing cases without it speak against the cause: `only where
    /// output_type is f16`. Empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub only: String,
    /// The parts of a combination, each with the cases in which it acts; empty for any other cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// A part of a combination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The cause that it is alone.
    pub cause: Cause,
    /// The cases of the explanation whose output is another one without it.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub cases: Vec<CaseId>,
}

/// A failing case that no cause gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Unexplained {
    /// The id of the case.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub case: CaseId,
    /// The candidate that comes nearest, if one gives at least half of the elements and more of them than the right
    /// output does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
}

/// A candidate that gives a part of an output: a hint, and no proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nearest {
    /// The candidate.
    pub cause: Cause,
    /// Elements that it gives as the implementation does.
    pub elements: u64,
    /// Elements of the output.
    pub elements_total: u64,
    /// The row-major index of the first element that it does not give.
    pub first_missed: u64,
}

/// The candidates of one sort that were tried on every unexplained case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The sort, in the plural: `readings`, `mistakes`, `pairs of mistakes`.
    pub what: String,
    /// Number of candidates.
    pub candidates: u64,
    /// Number of unexplained cases that each was tried on.
    pub cases: u64,
}

/// What all failing cases of one backend have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagnosis {
    /// Whether there is an answer.
    pub verdict: Verdict,
    /// Explanations, best first. Under `several` and `partly` they are the fewest causes that were found to give the
    /// cases between them.
    pub explanations: Vec<Explanation>,
    /// The failing cases that no explanation gives, in the order of their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexplained: Vec<Unexplained>,
    /// The candidates that were tried on the unexplained cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
}

/// Whether a diagnosis has an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first explanation gives every failing case in full, and no other does.
    Explained,
    /// Several explanations give every failing case in full.
    Ambiguous,
    /// No single one does; the explanations given do so together, each for its own cases.
    Several,
    /// The explanations given do so for some cases, and nothing was found for the others.
    Partly,
    /// Nothing fits.
    Unexplained,
}

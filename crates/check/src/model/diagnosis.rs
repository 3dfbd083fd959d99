//! A diagnosis: the causes that explain why an implementation fails, with the evidence.
//!
//! The event log is these types written as JSON.

use seedproof_corpus::CaseId;
use seedproof_ops::Backend;
use serde::{Deserialize, Serialize};

use crate::model::json;
use crate::model::stage::Stage;

/// A possible reason for wrong answers: a reading, a mistake, or a structure of the output.
///
/// ```
/// use seedproof_check::{Cause, CauseKind};
///
/// let cause = Cause {
///     name: "nine-rounds".to_owned(),
///     kind: CauseKind::Mistake,
///     sentence: "Philox has nine rounds".to_owned(),
///     fix: "apply ten rounds".to_owned(),
///     clause: "ru8.philox.rounds".to_owned(),
///     erratum: String::new(),
/// };
/// // The event log is this type as JSON. Fields that are empty are left out.
/// let json = serde_json::to_value(&cause)?;
/// assert_eq!(json["kind"], "mistake");
/// assert!(json.get("erratum").is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// The id: `fused-scale`; of a pair, both ids with ` + ` between; with a parameter, `per-thread(threads = 256)`.
    pub name: String,
    /// Whether it is a reading, a mistake, a structure or a combination.
    pub kind: CauseKind,
    /// What the implementation does, in one sentence.
    pub sentence: String,
    /// How to fix it; empty for a reading, and where there is no single way.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fix: String,
    /// The id of the clause that it departs from; empty where there is no single clause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clause: String,
    /// The id of the erratum that it answers differently; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub erratum: String,
}

impl Cause {
    /// A structure of the output. It departs from no single clause; `fix` is empty where there is no single way.
    pub fn structure(name: impl Into<String>, sentence: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: CauseKind::Structure,
            sentence: sentence.into(),
            fix: fix.into(),
            clause: String::new(),
            erratum: String::new(),
        }
    }

    /// Several causes as one.
    pub(crate) fn joined(causes: &[Self]) -> Self {
        // Two mistakes may depart from the same clause or have the same fix, which is then said once.
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

/// The sort of a cause, in the order in which equally good causes are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// The behaviour of a named implementation.
    Reading,
    /// One wrong answer.
    Mistake,
    /// A relation between the expected and the actual output, such as shifted, permuted or all zero, without the fault
    /// behind it.
    Structure,
    /// Several mistakes together, or a mistake and a structure.
    Combination,
}

/// A cause that is tried on the failing cases, with a backend that behaves accordingly.
#[derive(Clone)]
pub struct Candidate<'a> {
    /// The reading or the mistake.
    pub cause: Cause,
    /// Answers as an implementation with this cause does.
    pub backend: &'a dyn Backend,
    /// What it changes, as bits of [`Base`](crate::Base).
    pub changes: u64,
}

/// How much of a run an explanation reproduces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Number of elements of the failing cases that it reproduces.
    pub elements: u64,
    /// Number of elements of the failing cases.
    pub elements_total: u64,
    /// Number of failing cases that it reproduces in full.
    pub cases: u64,
    /// Number of failing cases.
    pub cases_total: u64,
    /// Number of passing cases that contradict it, of those that were tried.
    pub contradicted: u64,
}

/// A cause with its evidence.
///
/// ```
/// use seedproof_check::Explanation;
///
/// let explanation: Explanation = serde_json::from_str(
///     r#"{"cause":{"name":"rounds-9","kind":"mistake","sentence":"it takes 9 rounds","fix":"run 10 rounds"},
///         "stage":"words","cases":["ru8/tensorflow/f32/range-unit","ru8/tensorflow/i32/divisor-7"],
///         "evidence":{"elements":65569,"elements_total":65569,"cases":2,"cases_total":2,"contradicted":0}}"#,
/// )?;
/// let (cause, evidence) = (&explanation.cause, explanation.evidence);
/// let line = format!("{}: {} of {} cases; {}", cause.sentence, evidence.cases, evidence.cases_total, cause.fix);
/// assert_eq!(line, "it takes 9 rounds: 2 of 2 cases; run 10 rounds");
/// // Lists and texts that are empty are left out.
/// assert!(explanation.parts.is_empty() && explanation.only.is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The cause.
    pub cause: Cause,
    /// The first stage of the computation in which it departs from the specification, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// How much of the run it reproduces.
    pub evidence: Evidence,
    /// The failing cases that it reproduces in full.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub cases: Vec<CaseId>,
    /// The property that these cases share and that no passing case which contradicts the cause has: `only where the
    /// type is f16`. Empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub only: String,
    /// The parts of a combination, each with the cases in which it changes the output; empty for any other cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// A part of a combination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The part as a cause by itself.
    pub cause: Cause,
    /// The cases of the explanation that the other parts alone do not reproduce.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub cases: Vec<CaseId>,
}

/// A failing case that no cause reproduces.
///
/// ```
/// use seedproof_check::Unexplained;
///
/// let open: Vec<Unexplained> = serde_json::from_str(
///     r#"[{"case":"ru8/tensorflow/f32/range-unit"},{"case":"ru8/tensorflow/f32/range-wide","nearest":
///         {"cause":{"name":"right","kind":"structure","sentence":"the elements are right"},
///          "elements":24,"elements_total":33,"first_missed":24}}]"#,
/// )?;
/// let hint = open.iter().find_map(|it| it.nearest.as_ref().map(|nearest| (it.case.as_str(), nearest.elements)));
/// assert_eq!(hint, Some(("ru8/tensorflow/f32/range-wide", 24)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Unexplained {
    /// The id of the case.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub case: CaseId,
    /// The candidate that comes nearest, if one reproduces at least half of the elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
}

/// The name of the nearest candidate where it is no mistake: most elements are right.
pub const MOSTLY_RIGHT: &str = "right";

/// A candidate that reproduces a part of an output: a hint and not a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nearest {
    /// The candidate.
    pub cause: Cause,
    /// Number of elements that it reproduces.
    pub elements: u64,
    /// Number of elements of the output.
    pub elements_total: u64,
    /// The row-major index of the first element that it does not reproduce.
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

/// The diagnosis of all failing cases of one backend.
///
/// ```
/// use seedproof_check::{Diagnosis, Verdict};
///
/// let diagnosis: Diagnosis = serde_json::from_str(
///     r#"{"verdict":"unexplained","explanations":[],"unexplained":[{"case":"ru8/tensorflow/f32/range-unit"}],
///         "tried":[{"what":"readings","candidates":39,"cases":1},
///         {"what":"mistakes","candidates":867,"cases":1}]}"#,
/// )?;
/// assert_eq!(diagnosis.verdict, Verdict::Unexplained);
/// let candidates: u64 = diagnosis.tried.iter().map(|tried| tried.candidates).sum();
/// assert_eq!((candidates, diagnosis.unexplained.len()), (906, 1), "906 candidates do not explain one case");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagnosis {
    /// Whether there is an answer.
    pub verdict: Verdict,
    /// Explanations, best first. Under `several` and `partly` they are the fewest causes found that reproduce the cases
    /// between them.
    pub explanations: Vec<Explanation>,
    /// The failing cases that no explanation reproduces, in the order of their ids.
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
    /// One explanation reproduces every failing case in full, and no other is as good.
    Explained,
    /// Several equally good explanations reproduce every failing case in full.
    Ambiguous,
    /// Several explanations are needed, which reproduce every failing case between them.
    Several,
    /// The explanations reproduce some failing cases, and nothing was found for the others.
    Partly,
    /// No explanation was found.
    Unexplained,
}

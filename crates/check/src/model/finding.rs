//! A finding: the outcome of a case on a backend, and where and how its output differs.
//!
//! The event log is these types written as JSON.

use std::fmt;

use seedproof_corpus::CaseId;
use seedproof_ops::{BackendId, Digest, Dtype, Request, Scalar, Shape, Tensor};
use serde::{Deserialize, Serialize};

use crate::model::comparison::{Comparison, Element};
use crate::model::json;
use crate::model::outcome::Outcome;

/// The judgement of one case on one backend.
///
/// ```
/// use seedproof_check::{Finding, Outcome};
/// use seedproof_corpus::CaseId;
/// use seedproof_ops::BackendId;
///
/// let case = CaseId::new("ru8/tensorflow/f32/spec-example-1")?;
/// let mut finding = Finding::new(case, BackendId::new("mine"), Outcome::OtherReading);
/// assert_eq!(finding.contradiction(), Some("the outcome `other-reading`, and no other, names readings"));
/// finding.readings.push("torch-2.12".to_owned());
/// assert_eq!(finding.contradiction(), None);
/// # Ok::<(), seedproof_corpus::InvalidId>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The id of the case.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub case: CaseId,
    /// The id of the backend.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub backend: BackendId,
    /// How the answer compares with the expected one.
    pub outcome: Outcome,
    /// The named readings with the same answer as the backend; empty unless the outcome is `other-reading`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// The reason in one line, such as a rejection or a fault with what was expected. Empty for a pass. Programs must
    /// not parse it: its wording may change.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Where and how the output differs; absent where there is no output to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<Mismatch>,
    /// NaNs with other bits than expected, in an output that passes. They are not a failure, since IEEE 754 leaves the
    /// bits of a NaN open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nans: Option<OtherNans>,
    /// The sum of a wrong output ([`seedproof_ops::Digest::sum`]), by which an expectation file knows it again. Absent
    /// where the output is random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Whether the implementation refused the request, so that no value of it was compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// What the implementation wrote to its standard error, unless it passed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// How long the answer took, in microseconds, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
}

impl Finding {
    /// A finding with an outcome and nothing else.
    pub const fn new(case: CaseId, backend: BackendId, outcome: Outcome) -> Self {
        Self {
            case,
            backend,
            outcome,
            readings: Vec::new(),
            message: String::new(),
            mismatch: None,
            nans: None,
            output: None,
            refused: false,
            stderr: String::new(),
            micros: None,
        }
    }

    /// Whether the implementation answered with a value that was compared with the expected one.
    pub const fn has_value(&self) -> bool {
        // A refusal may be one of these outcomes too: expected, that of another reading, or changing when asked again.
        let compared = matches!(
            self.outcome,
            Outcome::Pass | Outcome::Fail | Outcome::OtherReading | Outcome::NotRepeatable
        );
        compared && !self.refused
    }

    /// Why the fields contradict each other, if they do: [`Self::outcome`] says which of them a finding may have.
    pub fn contradiction(&self) -> Option<&'static str> {
        // A log may come from another program, and the types alone do not exclude these.
        let conforms = self.outcome.conforms();
        match self {
            it if conforms && it.mismatch.is_some() => Some("it conforms, and has a mismatch"),
            it if conforms && it.output.is_some() => {
                Some("it conforms, and has the digest of a wrong output")
            }
            it if it.readings.is_empty() == (it.outcome == Outcome::OtherReading) => {
                Some("the outcome `other-reading`, and no other, names readings")
            }
            it if it.nans.is_some() && it.outcome != Outcome::Pass => {
                Some("it has a note on NaNs, and does not pass")
            }
            _ => None,
        }
    }
}

/// How an output differs from the expected one.
///
/// ```
/// use seedproof_check::Mismatch;
/// use seedproof_ops::Digest;
///
/// let log = r#"{"kind":"chunks","differing":[1,2],"total":3}"#;
/// let Mismatch::Chunks { differing, .. } = serde_json::from_str(log)? else {
///     panic!("the log has another kind");
/// };
/// assert_eq!(differing[0] * Digest::CHUNK, 65_536, "the elements before this one are right");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Mismatch {
    /// The element type or the shape differs.
    Form {
        /// The form that the request asks for.
        expected: Form,
        /// The form of the answer.
        actual: Form,
    },
    /// Elements differ, in an output of the right form.
    Elements(Box<Comparison>),
    /// The first output is right, and another is not.
    Output {
        /// The name of that output.
        name: String,
        /// The elements of the expected output.
        #[serde(with = "json")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<json::ScalarJson>"))]
        expected: Vec<Scalar>,
        /// The elements of the answer's output; empty if the answer lacks it.
        #[serde(with = "json")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<json::ScalarJson>"))]
        actual: Vec<Scalar>,
    },
    /// The output is known by its digests, of 65,536 elements each, and some of them differ.
    Chunks {
        /// Indices of the chunks that differ.
        differing: Vec<usize>,
        /// Number of chunks.
        total: usize,
        /// The first element that is known to differ.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<Element>,
    },
    /// The request has no seeds, and its output is not like a random one.
    Statistics {
        /// The property that the output lacks.
        message: String,
    },
}

/// NaNs whose bits differ from those of the expected NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OtherNans {
    /// Number of elements.
    pub count: usize,
    /// The first of them in the expected output.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "json::ScalarJson"))]
    pub expected: Scalar,
    /// The first of them in the answer.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "json::ScalarJson"))]
    pub actual: Scalar,
}

impl OtherNans {
    /// The differing NaNs of two outputs that agree in all other elements.
    pub(crate) fn between(expected: &Tensor, actual: &Tensor) -> Option<Self> {
        // Most right answers are equal byte by byte, which is far cheaper to see than element by element.
        if expected.bytes() == actual.bytes() {
            return None;
        }
        let mut differing = expected
            .scalars()
            .zip(actual.scalars())
            .filter(|(expected, actual)| expected != actual);
        let (expected, actual) = differing.next()?;
        Some(Self {
            count: 1 + differing.count(),
            expected,
            actual,
        })
    }

    /// The differing NaNs of two parts of one output.
    pub(crate) fn joined(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(first), Some(second)) => Some(Self {
                count: first.count + second.count,
                ..first
            }),
            (one, other) => one.or(other),
        }
    }

    /// One line, for a run that was judged under `reading`: `2 NaNs have other bits than spec's: ffc00000 for
    /// 7fc00000`.
    ///
    /// ```
    /// use seedproof_check::OtherNans;
    ///
    /// let nans: OtherNans = serde_json::from_str(
    ///     r#"{"count":9,"expected":{"dtype":"f32","bits":"7fc00000"},"actual":{"dtype":"f32","bits":"7fc017cb"}}"#,
    /// )?;
    /// assert_eq!(nans.sentence("spec"), "9 NaNs have other bits than spec's: 7fc017cb for 7fc00000");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn sentence(&self, reading: &str) -> String {
        let (given, wanted) = (self.actual.literal(), self.expected.literal());
        match self.count {
            1 => format!("1 NaN has other bits than {reading}'s: {given} for {wanted}"),
            count => format!("{count} NaNs have other bits than {reading}'s: {given} for {wanted}"),
        }
    }
}

/// An element type and a shape.
///
/// ```
/// use seedproof_check::Form;
/// use seedproof_ops::{Alignment, RandomUniform, Request, Tensor};
///
/// let uniform = RandomUniform::new(Alignment::Tensorflow, &[2, 3], [0.0_f32, 1.0], [150, 10]);
/// let asked = Form::requested(&Request::RandomUniform(uniform)).expect("the request is valid");
/// // The six elements are there, as a list instead of two rows.
/// let answer = Form::of(&Tensor::vector(&[0.5_f32; 6]));
/// assert_ne!(answer, asked);
/// assert_eq!(format!("expected {asked}, got {answer}"), "expected f32[2,3], got f32[6]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Element type: `f32`, `i64`, ….
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub dtype: Dtype,
    /// Extents.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<u64>"))]
    pub shape: Shape,
}

impl Form {
    /// The form of the first output that a request asks for; `None` if it does not describe one.
    pub fn requested(request: &Request) -> Option<Self> {
        let (dtype, dims) = request.output_form()?;
        let shape = Shape::new(&dims).ok()?;
        Some(Self { dtype, shape })
    }

    /// The form of a tensor.
    pub fn of(tensor: &Tensor) -> Self {
        Self {
            dtype: tensor.dtype(),
            shape: tensor.shape().clone(),
        }
    }

    /// The form of the output behind a digest.
    pub(crate) fn of_digest(digest: &Digest) -> Self {
        Self {
            dtype: digest.dtype,
            shape: digest.shape.clone(),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}

/// `1 of 1 element differs`, `1 of 9 elements differs`, `2 of 9 elements differ`. Takes the noun in the singular and in
/// the plural, and a function that writes the numbers.
///
/// ```
/// use seedproof_check::differ;
///
/// let line = differ(1, 9, ["element", "elements"], |count| count.to_string());
/// assert_eq!(line, "1 of 9 elements differs");
/// ```
pub fn differ(
    differing: usize,
    total: usize,
    [one, many]: [&str; 2],
    shown: impl Fn(usize) -> String,
) -> String {
    let noun = if total == 1 { one } else { many };
    let verb = if differing == 1 { "differs" } else { "differ" };
    format!("{} of {} {noun} {verb}", shown(differing), shown(total))
}

impl Mismatch {
    /// How the form of a first output differs from the one that the request asks for.
    pub(crate) fn of_form(request: &Request, actual: Form) -> Option<Self> {
        let expected = Form::requested(request)?;
        (expected != actual).then_some(Self::Form { expected, actual })
    }

    /// One line.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Form { expected, actual } => format!("expected {expected}, got {actual}"),
            Self::Elements(comparison) => format!(
                "{}; the first at flat {}: expected {}, got {}",
                differ(
                    comparison.differing,
                    comparison.total,
                    ["element", "elements"],
                    |n| n.to_string()
                ),
                comparison.first.index,
                comparison.first.expected.literal(),
                comparison.first.actual.literal()
            ),
            Self::Output { name, actual, .. } if actual.is_empty() => format!("`{name}` is missing"),
            Self::Output { name, .. } => format!("the first output is right, `{name}` is not"),
            Self::Chunks { differing, total, .. } => {
                differ(differing.len(), *total, ["chunk", "chunks"], |n| n.to_string())
            }
            Self::Statistics { message } => message.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::comparison::{Differences, Places};
    use crate::model::stage::{Stage, StageResult, StageValues};

    fn finding() -> Finding {
        let scalar = |bits| Scalar::new(Dtype::F32, bits);
        Finding {
            readings: vec!["a".to_owned(), "b".to_owned()],
            message: "1 of 4 elements differs".to_owned(),
            mismatch: Some(Mismatch::Elements(Box::new(Comparison {
                total: 4,
                differing: 1,
                first: Element {
                    index: 3,
                    coordinates: vec![1, 1],
                    block: Some((0, 3)),
                    expected: scalar(0x3f80_0000),
                    actual: scalar(0x3f80_0001),
                    ulps: Some(1),
                },
                max_ulps: Some(1),
                strip: vec![0, 0, 0, 1],
                differences: Differences {
                    indices: vec![3],
                    expected: vec![scalar(0x3f80_0000)],
                    actual: vec![scalar(0x3f80_0001)],
                    stages: vec![Some(Stage::UnitInterval), None],
                    found: Some(Places {
                        searched: 100,
                        places: vec![vec![7, 9]],
                    }),
                    blocks: None,
                },
                stages: vec![StageResult {
                    stage: Stage::UnitInterval,
                    equal: true,
                }],
                expected_stages: Some(StageValues {
                    words: vec![7],
                    low_bits: None,
                    unit: Some(scalar(0)),
                }),
                actual_stages: None,
            }))),
            ..Finding::new(
                CaseId::new("ru8/tensorflow/f32/x").unwrap(),
                BackendId::new("cpu/scalar"),
                Outcome::OtherReading,
            )
        }
    }

    #[test]
    fn differ_counts_in_the_singular_and_in_the_plural() {
        let says = |differing, total| differ(differing, total, ["element", "elements"], |n| n.to_string());
        assert_eq!(says(1, 1), "1 of 1 element differs");
        assert_eq!(says(1, 2), "1 of 2 elements differs");
        assert_eq!(says(2, 2), "2 of 2 elements differ");
        let chunks = |differing| Mismatch::Chunks {
            differing,
            total: 1,
            first: None,
        };
        assert_eq!(chunks(vec![0]).sentence(), "1 of 1 chunk differs");
    }

    #[test]
    fn finding_reads_back_from_its_json() {
        let text = serde_json::to_string(&finding()).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"case":"ru8/tensorflow/f32/x","backend":"cpu/scalar","outcome":"other-reading","readings":["a","b"],"#,
                r#""message":"1 of 4 elements differs","mismatch":{"kind":"elements","total":4,"differing":1,"first":"#,
                r#"{"index":3,"coordinates":[1,1],"block":[0,3],"expected":{"dtype":"f32","bits":"3f800000"},"#,
                r#""actual":{"dtype":"f32","bits":"3f800001"},"ulps":1},"max_ulps":1,"strip":[0,0,0,1],"#,
                r#""differences":{"indices":[3],"expected":{"dtype":"f32","bits":["3f800000"]},"#,
                r#""actual":{"dtype":"f32","bits":["3f800001"]},"stages":["unit-interval",null],"#,
                r#""found":{"searched":100,"places":[[7,9]]}},"#,
                r#""stages":[{"stage":"unit-interval","equal":true}],"expected_stages":{"words":[7],"#,
                r#""unit":{"dtype":"f32","bits":"00000000"}}}}"#
            )
        );
        assert_eq!(serde_json::from_str::<Finding>(&text).unwrap(), finding());
    }

    #[test]
    fn mismatches_read_back_from_their_json() {
        let form = |dtype, dims: &[u64]| Form {
            dtype,
            shape: Shape::new(dims).unwrap(),
        };
        for mismatch in [
            Mismatch::Form {
                expected: form(Dtype::F16, &[2, 3]),
                actual: form(Dtype::I64, &[]),
            },
            Mismatch::Output {
                name: "output_state".to_owned(),
                expected: vec![Scalar::new(Dtype::U32, 7)],
                actual: Vec::new(),
            },
            Mismatch::Chunks {
                differing: vec![2],
                total: 5,
                first: None,
            },
            Mismatch::Statistics {
                message: "two runs are equal".to_owned(),
            },
        ] {
            let text = serde_json::to_string(&mismatch).unwrap();
            assert_eq!(serde_json::from_str::<Mismatch>(&text).unwrap(), mismatch);
        }
    }

    #[test]
    fn finding_with_a_field_too_many_is_refused() {
        let text = serde_json::to_string(&finding()).unwrap();
        for (from, to) in [
            ("\"stderr\":\"\"", ""),
            ("\"total\":4", "\"total\":4,\"more\":1"),
            ("\"readings\"", "\"reading\""),
            ("3f800001", "3f80000"),
            ("\"f32\"", "\"f33\""),
            ("ru8/tensorflow", "ru8 tensorflow"),
            ("other-reading", "reading"),
        ] {
            let wrong = text.replace(from, to);
            assert!(
                wrong == text || serde_json::from_str::<Finding>(&wrong).is_err(),
                "{wrong}"
            );
        }
    }
}

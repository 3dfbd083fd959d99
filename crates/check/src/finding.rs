//! What the judge finds: the outcome of a case on a backend, and where and how its output differs.
//!
//! The event log is these types written as JSON.

use std::fmt;

use seedproof_ops::{BackendId, Dtype, Scalar, Shape, Tensor};
use seedproof_vectors::CaseId;
use serde::{Deserialize, Serialize};

use crate::json;

/// The judgement of one case on one backend.
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
    /// The named readings that answer as the backend did; empty unless the outcome is `other-reading`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// The reason in one line: a rejection, a fault, what was expected. Empty after a pass. For people alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Where and how the output differs, if there is an output to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<Mismatch>,
    /// What the implementation wrote to its standard error, unless it passed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// How an output differs from the expected one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Mismatch {
    /// Another element type or shape.
    Form {
        /// The form that the request asks for.
        expected: Form,
        /// The form of the answer.
        actual: Form,
    },
    /// Elements differ.
    Elements(Comparison),
    /// The output is right and the state after it is not.
    State {
        /// The words of the right state.
        #[serde(with = "json")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<json::ScalarJson>"))]
        expected: Vec<Scalar>,
        /// The words of the answer's state; empty if it has none.
        #[serde(with = "json")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<json::ScalarJson>"))]
        actual: Vec<Scalar>,
    },
    /// Digests of chunks (65,536 elements each) differ, and not every element is known.
    Chunks {
        /// Indices of the chunks that differ.
        differing: Vec<usize>,
        /// Number of chunks.
        total: usize,
        /// The first element that is known to differ.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<Element>,
    },
    /// The output of a run with both seeds zero is not like a random one.
    Statistics {
        /// The property that it lacks.
        message: String,
    },
}

/// An element type and a shape.
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
    /// The form of a tensor.
    pub fn of(tensor: &Tensor) -> Self {
        Self {
            dtype: tensor.dtype(),
            shape: tensor.shape().clone(),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Row-major index.
    pub index: usize,
    /// The index along each axis.
    pub coordinates: Vec<usize>,
    /// The generator's block that the element comes from, counted from the request's first, and the first of the
    /// words in it that the element takes; absent where the generator has no blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<(u64, u32)>,
    /// The right element.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "json::ScalarJson"))]
    pub expected: Scalar,
    /// The element of the answer.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "json::ScalarJson"))]
    pub actual: Scalar,
    /// Representable values between the two, plus one; absent for a NaN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ulps: Option<u64>,
}

/// An element-wise comparison that found a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Number of elements.
    pub total: usize,
    /// Number of elements that differ.
    pub differing: usize,
    /// The first element that differs.
    pub first: Element,
    /// The largest distance in ulps among those that differ, NaNs apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ulps: Option<u64>,
    /// For each of up to 256 equal runs of elements, how many differ.
    pub strip: Vec<u32>,
    /// The stages that can be compared, first to last; empty where the backend cannot show stages.
    pub stages: Vec<StageResult>,
    /// The values of the first differing element in the expected computation, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_stages: Option<StageValues>,
    /// Its values in the backend's computation; absent where the backend cannot show stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_stages: Option<StageValues>,
}

/// The intermediate values of one element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageValues {
    /// The generator's words that the element takes.
    pub words: Vec<u32>,
    /// Its value in the unit interval; absent for integers.
    #[serde(default, with = "json", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<json::ScalarJson>"))]
    pub unit: Option<Scalar>,
}

/// A stage of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The generator's words.
    Words,
    /// Values in the unit interval.
    UnitInterval,
    /// Values in the requested range.
    Scale,
}

/// The comparison of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageResult {
    /// The stage.
    pub stage: Stage,
    /// Whether every value of it is as expected.
    pub equal: bool,
}

/// The outcome of one case on one backend, in the order in which documents list them.
///
/// [`Self::word`] is its name everywhere: in the event log, in reports, in expectation files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A value that no named reading gives, or a value where a rejection was expected.
    Fail,
    /// Refused, though the case expects a value, or refused for another reason.
    Rejects,
    /// The process ended.
    Crash,
    /// The process ended, but not when the request was tried alone.
    OrderDependentCrash,
    /// No answer in time.
    Timeout,
    /// An answer that breaks the protocol.
    ProtocolError,
    /// The implementation says that it could not.
    Error,
    /// Claimed, then answered as unsupported.
    ClaimBroken,
    /// Wrong under the requested reading, right under others ([`Finding::readings`]).
    OtherReading,
    /// A fault of the harness itself.
    Infrastructure,
    /// Not asked.
    NotRun,
    /// Not claimed.
    Unsupported,
    /// As expected.
    Pass,
}

/// Whether an outcome is good news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// It conforms.
    Good,
    /// The implementation is wrong.
    Bad,
    /// Between the two: another reading, a broken claim, a fault of the harness.
    Odd,
    /// Nothing was tried.
    Dim,
}

impl Tone {
    /// The name: `good`, `bad`, `odd`, `dim`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Odd => "odd",
            Self::Dim => "dim",
        }
    }
}

/// The four sorts of results that test runners know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestResult {
    /// The implementation answered as expected.
    Success,
    /// The implementation does not claim the request.
    Skipped,
    /// It answered, and wrongly.
    Failure,
    /// There is no answer to judge.
    Error,
}

/// A row of the table of outcomes.
struct Row {
    word: &'static str,
    glyph: &'static str,
    tone: Tone,
    result: TestResult,
    meaning: &'static str,
}

impl Outcome {
    /// All outcomes, in their order.
    pub const ALL: [Self; 13] = [
        Self::Fail,
        Self::Rejects,
        Self::Crash,
        Self::OrderDependentCrash,
        Self::Timeout,
        Self::ProtocolError,
        Self::Error,
        Self::ClaimBroken,
        Self::OtherReading,
        Self::Infrastructure,
        Self::NotRun,
        Self::Unsupported,
        Self::Pass,
    ];

    /// The table of outcomes, which everything that is said of one derives from.
    #[rustfmt::skip]
    const fn row(self) -> Row {
        use {TestResult as Test, Tone::{Bad, Dim, Good, Odd}};
        const fn row(
            word: &'static str, glyph: &'static str, tone: Tone, result: TestResult, meaning: &'static str,
        ) -> Row {
            Row { word, glyph, tone, result, meaning }
        }
        match self {
            Self::Fail => row("fail", "✗", Bad, Test::Failure,
                "a value that no named reading gives, or a value where a rejection was expected"),
            Self::Rejects => row("rejects", "⊘", Bad, Test::Failure,
                "refused, though the case expects a value, or for another reason"),
            Self::Crash => row("crash", "†", Bad, Test::Error, "its process ended"),
            Self::OrderDependentCrash => row("order-dependent-crash", "‡", Bad, Test::Error,
                "its process ended, but not when the request was tried alone"),
            Self::Timeout => row("timeout", "◷", Bad, Test::Error, "no answer in time"),
            Self::ProtocolError => row("protocol-error", "§", Bad, Test::Error,
                "an answer that breaks the protocol"),
            Self::Error => row("error", "!", Bad, Test::Error, "the implementation says that it could not"),
            Self::ClaimBroken => row("claim-broken", "⚑", Odd, Test::Failure,
                "claimed, then answered as unsupported"),
            Self::OtherReading => row("other-reading", "≈", Odd, Test::Failure,
                "wrong under the requested reading, right under those named"),
            Self::Infrastructure => row("infrastructure", "#", Odd, Test::Error, "the harness's own fault"),
            Self::NotRun => row("not-run", "○", Dim, Test::Error, "not asked"),
            Self::Unsupported => row("unsupported", "–", Dim, Test::Skipped, "not claimed"),
            Self::Pass => row("pass", "✓", Good, Test::Success, "as expected"),
        }
    }

    /// The name: `pass`, `fail`, `other-reading`, ….
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// One character for tables and maps.
    pub const fn glyph(self) -> &'static str {
        self.row().glyph
    }

    /// Whether it is good news, for colours.
    pub const fn tone(self) -> Tone {
        self.row().tone
    }

    /// The result that a test runner shows.
    pub const fn result(self) -> TestResult {
        self.row().result
    }

    /// What the word means, in one lower-case fragment.
    pub const fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// Whether the run conforms as far as this outcome goes.
    pub const fn conforms(self) -> bool {
        matches!(self.result(), TestResult::Success | TestResult::Skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn outcomes_have_one_name_and_one_glyph_each() {
        let glyphs: BTreeSet<&str> = Outcome::ALL.map(Outcome::glyph).into();
        assert_eq!(glyphs.len(), Outcome::ALL.len());
        for outcome in Outcome::ALL {
            let json = serde_json::to_string(&outcome).unwrap();
            assert_eq!(json, format!("\"{}\"", outcome.word()));
        }
        assert!(Outcome::ALL.is_sorted());
    }

    #[test]
    fn outcomes_conform_only_where_nothing_is_wrong() {
        let conforming: Vec<Outcome> = Outcome::ALL.into_iter().filter(|it| it.conforms()).collect();
        assert_eq!(conforming, [Outcome::Unsupported, Outcome::Pass]);
        for outcome in Outcome::ALL {
            assert!(outcome == Outcome::Pass || outcome.tone() != Tone::Good);
            assert!(!outcome.conforms() || outcome.tone() != Tone::Bad);
        }
    }

    fn finding() -> Finding {
        let scalar = |bits| Scalar::new(Dtype::F32, bits);
        Finding {
            case: CaseId::new("ru8/tensorflow/f32/x").unwrap(),
            backend: BackendId::new("cpu/scalar"),
            outcome: Outcome::OtherReading,
            readings: vec!["a".to_owned(), "b".to_owned()],
            message: "1 of 4 elements differ".to_owned(),
            mismatch: Some(Mismatch::Elements(Comparison {
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
                stages: vec![StageResult {
                    stage: Stage::UnitInterval,
                    equal: true,
                }],
                expected_stages: Some(StageValues {
                    words: vec![7],
                    unit: Some(scalar(0)),
                }),
                actual_stages: None,
            })),
            stderr: String::new(),
        }
    }

    #[test]
    fn finding_reads_back_from_its_json() {
        let text = serde_json::to_string(&finding()).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"case":"ru8/tensorflow/f32/x","backend":"cpu/scalar","outcome":"other-reading","readings":["a","b"],"#,
                r#""message":"1 of 4 elements differ","mismatch":{"kind":"elements","total":4,"differing":1,"first":"#,
                r#"{"index":3,"coordinates":[1,1],"block":[0,3],"expected":{"dtype":"f32","bits":"3f800000"},"#,
                r#""actual":{"dtype":"f32","bits":"3f800001"},"ulps":1},"max_ulps":1,"strip":[0,0,0,1],"#,
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
            Mismatch::State {
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

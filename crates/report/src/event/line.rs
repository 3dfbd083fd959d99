//! The event log's JSON, field by field. Conversions to and from the model are in `told`.

use serde::{Deserialize, Serialize};

/// One line of Seedproof's event log.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "An event of a Seedproof run"))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Line {
    /// What runs; the first line.
    Run(RunLine),
    /// A case, before its first finding.
    Case(CaseLine),
    /// What was found of one case on one implementation.
    Finding(FindingLine),
    /// Why the failing cases of one implementation fail.
    Diagnosis(DiagnosisLine),
    /// Something that was not run, and why.
    LeftOut(LeftOutLine),
    /// What an expectation file says of the findings before it.
    Expectations(ExpectationsLine),
    /// The run is over; the last line.
    End(EndLine),
}

/// What runs.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RunLine {
    /// The version of this format: 1.
    pub(crate) schema: u32,
    /// The program's version.
    pub(crate) seedproof: String,
    /// When the run began.
    pub(crate) date: String,
    /// The command line.
    pub(crate) command: String,
    /// A hash over the whole corpus.
    pub(crate) corpus: String,
    /// Number of cases in the whole corpus.
    pub(crate) cases: usize,
    /// The reading that is judged against.
    pub(crate) reading: String,
    /// The queries that select cases; empty for all.
    pub(crate) filter: Vec<String>,
    /// Which shard of how many, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shard: Option<(u32, u32)>,
    /// Who is asked.
    pub(crate) implementations: Vec<ImplementationLine>,
}

/// An implementation that is asked.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ImplementationLine {
    /// Its name.
    pub(crate) id: String,
    /// Version and such.
    pub(crate) description: String,
    /// Device and driver, or nothing.
    pub(crate) device: String,
    /// The command that, with a case after it, reruns the case.
    pub(crate) rerun: String,
}

/// A case.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseLine {
    /// Its stable id.
    pub(crate) case: String,
    /// `openvino.RandomUniform-8`, `openvino.Multinomial-13` or `directml.RandomGenerator`.
    pub(crate) op: String,
    /// What the op distinguishes first: alignment, replacement, feature level.
    pub(crate) alignment: String,
    /// The output's element type.
    pub(crate) dtype: String,
    /// The asked extents, where they can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shape: Option<Vec<u64>>,
    /// Global seed and op seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seeds: Option<(u64, u64)>,
    /// Lower and upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<(ScalarLine, ScalarLine)>,
    /// Which execution of one op instance, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) execution: u32,
    /// Inputs and attributes in words.
    pub(crate) inputs: Vec<InputLine>,
    /// What is expected, in words.
    pub(crate) expects: String,
    /// Ids of the clauses that it covers.
    pub(crate) clauses: Vec<String>,
    /// Ids of the errata whose answers it tells apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) errata: Vec<String>,
    /// Ids of the mistakes that it is there to catch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) flags: Vec<String>,
    /// Other readings whose answers it knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) readings: Vec<String>,
    /// Where the expectation comes from.
    pub(crate) provenance: ProvenanceLine,
    /// A sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

/// One element. Floats are hexadecimal digits of their own width, integers decimal numbers.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ScalarLine {
    /// Element type.
    pub(crate) dtype: String,
    /// Bits of a float, value of an integer.
    pub(crate) bits: String,
}

/// An input or attribute in words.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct InputLine {
    /// Its name.
    pub(crate) name: String,
    /// Its value.
    pub(crate) text: String,
}

/// Where an expectation comes from.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ProvenanceLine {
    /// An example of a document.
    SpecExample {
        /// The document.
        document: String,
        /// Its example.
        example: String,
    },
    /// A published known answer.
    KnownAnswer {
        /// Who published it.
        source: String,
    },
    /// The output of a real implementation.
    Capture {
        /// The implementation.
        implementation: String,
        /// Its version.
        version: String,
        /// How it was made to draw this.
        method: String,
    },
    /// Computed by a reading.
    Derived {
        /// The reading.
        reading: String,
        /// Its revision.
        revision: u32,
    },
}

/// What was found of one case on one implementation.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FindingLine {
    /// The case.
    pub(crate) case: String,
    /// The implementation.
    pub(crate) backend: String,
    /// What came out.
    pub(crate) outcome: OutcomeWord,
    /// Under which reading it is right; with the outcome `reading` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reading: Option<String>,
    /// Why, in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) message: String,
    /// How the output differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mismatch: Option<MismatchLine>,
    /// What the implementation wrote to its standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) stderr: String,
}

/// An outcome.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OutcomeWord {
    /// As expected.
    Pass,
    /// A wrong value.
    Fail,
    /// Right under another reading.
    Reading,
    /// Refused, though a value was due, or for another reason.
    Rejects,
    /// Not claimed.
    Unsupported,
    /// Claimed, then answered as unsupported.
    ClaimBroken,
    /// The implementation says that it could not.
    Error,
    /// Its process ended.
    Crash,
    /// Its process ended, but not when asked alone.
    OrderDependentCrash,
    /// No answer in time.
    Timeout,
    /// An answer that breaks the protocol.
    ProtocolError,
    /// The harness's own fault.
    Infrastructure,
    /// Not asked.
    NotRun,
}

/// How an output differs from the expected one.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum MismatchLine {
    /// Another element type or shape.
    Form {
        /// What was expected.
        expected: FormLine,
        /// What was given.
        actual: FormLine,
    },
    /// Elements differ.
    Elements {
        /// Number of elements.
        total: usize,
        /// Number that differ.
        differing: usize,
        /// The first that differs.
        first: ElementLine,
        /// The largest distance in ulps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_ulps: Option<u64>,
        /// For each of up to 256 equal runs of elements, how many differ.
        strip: Vec<u32>,
        /// Each stage, first to last.
        stages: Vec<StageLine>,
        /// What the first differing element should have gone through.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_stages: Option<StageValuesLine>,
        /// What it went through.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actual_stages: Option<StageValuesLine>,
    },
    /// The output is right and the state after it is not.
    State {
        /// What was expected.
        expected: Vec<ScalarLine>,
        /// What was given.
        actual: Vec<ScalarLine>,
    },
    /// Digests of chunks (65,536 elements each) differ.
    Chunks {
        /// Indices of those that differ.
        differing: Vec<usize>,
        /// Number of chunks.
        total: usize,
        /// The first element known to differ.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<ElementLine>,
    },
    /// A run with both seeds zero did not look like one.
    Statistics {
        /// In what.
        message: String,
    },
}

/// An element type and a shape.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FormLine {
    /// Element type.
    pub(crate) dtype: String,
    /// Extents.
    pub(crate) shape: Vec<u64>,
}

/// An element that differs.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ElementLine {
    /// Row-major index.
    pub(crate) index: usize,
    /// Coordinates.
    pub(crate) at: Vec<usize>,
    /// The generator's block and the word in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) block: Option<(u64, u32)>,
    /// Expected.
    pub(crate) expected: ScalarLine,
    /// Actual.
    pub(crate) actual: ScalarLine,
    /// Representable values between the two, plus one; absent for a NaN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ulps: Option<u64>,
}

/// What one element went through.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StageValuesLine {
    /// The generator's words that it took.
    pub(crate) words: Vec<u32>,
    /// Its value in the unit interval; absent for integers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<ScalarLine>,
}

/// What can be said of one stage.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StageLine {
    /// The stage.
    pub(crate) stage: StageWord,
    /// Whether it is as expected.
    pub(crate) equal: bool,
}

/// A stage of the computation.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StageWord {
    /// The generator's words.
    Words,
    /// Values in the unit interval.
    UnitInterval,
    /// Values in the asked range.
    Scale,
}

/// Why the failing cases of one implementation fail.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DiagnosisLine {
    /// The implementation.
    pub(crate) backend: String,
    /// Whether there is an answer.
    pub(crate) verdict: VerdictWord,
    /// Explanations, best first.
    pub(crate) explanations: Vec<ExplanationLine>,
}

/// Whether a diagnosis has an answer.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VerdictWord {
    /// One explanation gives every failing case.
    Explained,
    /// Several explanations give every failing case.
    Ambiguous,
    /// Several do so together.
    Several,
    /// Nothing fits.
    Unexplained,
}

/// A cause with its evidence.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplanationLine {
    /// Its id.
    pub(crate) name: String,
    /// What sort of cause.
    pub(crate) kind: KindWord,
    /// What the implementation does.
    pub(crate) sentence: String,
    /// How to mend it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) mend: String,
    /// The stage where it departs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stage: Option<StageWord>,
    /// The clause that it departs from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) clause: String,
    /// The erratum that it answers otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) erratum: String,
    /// Elements given as the implementation does, and all elements of the failing cases.
    pub(crate) elements: (u64, u64),
    /// Failing cases given in full, and all failing cases.
    pub(crate) failing: (u64, u64),
    /// Passing cases that it would fail, of those that were tried.
    pub(crate) contradicted: u64,
    /// The failing cases that it gives in full.
    pub(crate) cases: Vec<String>,
}

/// What sort of cause.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KindWord {
    /// What a named implementation does.
    Reading,
    /// One wrong answer.
    Mistake,
    /// Two wrong answers together.
    Pair,
    /// A relation between expected and actual output.
    Structure,
}

/// Something that was not run.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftOutLine {
    /// What.
    pub(crate) what: String,
    /// Why.
    pub(crate) reason: String,
}

/// What an expectation file says of findings.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectationsLine {
    /// The file.
    pub(crate) file: String,
    /// The failures that it expects.
    pub(crate) expected: Vec<ExpectedLine>,
    /// What is wrong with its entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) violations: Vec<String>,
}

/// An expected failure.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedLine {
    /// The implementation.
    pub(crate) backend: String,
    /// The case.
    pub(crate) case: String,
    /// Why it is borne.
    pub(crate) reason: String,
}

/// The run is over.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EndLine {
    /// Number of findings in this log.
    pub(crate) findings: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_zero(execution: &u32) -> bool {
    *execution == 0
}

//! The event log's JSON, field by field. Conversions to and from the model are in `told`.

use seedproof_check::Finding;
use serde::{Deserialize, Serialize};

use crate::Diagnosed;

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
    Finding(Box<Finding>),
    /// Why the failing cases of one implementation fail.
    Diagnosis(Diagnosed),
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
    /// The entry's reason.
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

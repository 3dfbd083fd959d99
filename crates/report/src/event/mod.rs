//! The event log: one event in JSON on each line, written while a run goes on. Every document derives from it alone.
//!
//! The order: one `run`; the `case` of each case before its first `finding`; `clause`, `erratum`, `mistake` and
//! `left-out` anywhere; any `diagnosis` and any `expectations` after their findings; an `ended` after the last answer
//! of an implementation; one `end`, whose count distinguishes a finished log from one that was cut short. The published
//! schema is `docs/events.schema.json`. Reading is strict: unknown fields and values are errors.

mod catalogue;

use seedproof_check::{Diagnosis, Finding, json};
use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::facts::CaseFacts;
use crate::untrusted::one_line;
use crate::words::{count, thousands};

pub use catalogue::{Answer, Clause, Erratum, Mistake};

/// One line of Seedproof's event log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "An event of a Seedproof run"))]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// The program, the corpus and the implementations of the run; the first line.
    Run(Box<Header>),
    /// A clause that a case of the run covers, or that a diagnosis names.
    Clause(Clause),
    /// An erratum whose answers a case of the run distinguishes, or that a diagnosis names.
    Erratum(Erratum),
    /// A mistake that a case of the run catches.
    Mistake(Mistake),
    /// A case, before its first finding.
    Case(Box<CaseFacts>),
    /// The judgement of one case on one implementation.
    Finding(Box<Finding>),
    /// The causes of one implementation's failures.
    Diagnosis(Diagnosed),
    /// A part of the run that did not take place.
    LeftOut(LeftOut),
    /// A process of an implementation that ended with a failure after its last answer.
    Ended(Ended),
    /// The review of the findings before it by an expectation file.
    Expectations(Expectations),
    /// The run is over; the last line.
    End {
        /// Number of findings in this log.
        findings: usize,
    },
}

/// The version of the format that is written and read.
pub const EVENTS_SCHEMA: u32 = 5;

impl Event {
    /// The event as one line of JSON, without a line end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("an event has string keys only")
    }

    /// The inverse of [`Self::line`].
    ///
    /// # Errors
    /// [`ReportError::Syntax`] if the line is not an event; [`ReportError::Schema`] for a `run` of another version.
    pub fn parse(line: &str) -> Result<Self, ReportError> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        match serde_json::from_str(line) {
            Ok(Self::Run(header)) if header.schema != EVENTS_SCHEMA => {
                Err(ReportError::Schema(header.schema, EVENTS_SCHEMA))
            }
            Ok(event) => Ok(event),
            // Another version may have other fields. "Unknown field" would be true then, but the version is the reason.
            Err(error) => Err(match serde_json::from_str::<Version>(line) {
                Ok(Version { schema }) if schema != EVENTS_SCHEMA => {
                    ReportError::Schema(schema, EVENTS_SCHEMA)
                }
                _ => ReportError::Syntax(error.to_string()),
            }),
        }
    }
}

/// The header of an event log. A run that is joined from shards has several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of this format.
    pub schema: u32,
    /// The program's version.
    pub seedproof: String,
    /// When the run began, as the caller writes dates.
    pub date: String,
    /// The command line.
    pub command: String,
    /// The whole corpus, before any selection.
    pub corpus: Corpus,
    /// The reading that is judged against.
    pub reading: String,
    /// A digest of its answers, if its user brought it: two such readings of one name may differ. Absent for a reading of
    /// the program, and in logs of earlier programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// Whether a NaN must have the expected bits. Without it any NaN of the type is the expected one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict_nan: bool,
    /// The queries that select cases; empty for all cases.
    pub filter: Vec<String>,
    /// The other options that change what is asked or how it is judged: random requests, limits, repetitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Which shard of how many, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u32, u32)>,
    /// The implementations, in the order of the report.
    pub implementations: Vec<Implementation>,
}

impl Header {
    /// The reading, and the rule for NaNs where it is not the usual one.
    pub(crate) fn judged_against(&self) -> String {
        let nan = if self.strict_nan {
            ", each NaN by its bits"
        } else {
            ""
        };
        one_line(&self.reading) + nan
    }
}

/// The corpus of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// A hash over all of its files.
    pub hash: String,
    /// Number of its cases.
    pub cases: usize,
    /// Number of its cases that have an expectation under the reading.
    pub under_reading: usize,
}

impl Corpus {
    /// The first twelve characters of the hash, which are enough to distinguish two corpora by eye.
    pub fn short(&self) -> String {
        // The hash is a text of the log like any other, and may hold what a terminal obeys.
        one_line(&self.hash.chars().take(12).collect::<String>())
    }

    /// The number of cases under the reading: `all of them`, `2,513 of them`.
    pub(crate) fn share(&self) -> String {
        if self.under_reading == self.cases {
            "all of them".to_owned()
        } else {
            format!("{} of them", thousands(self.under_reading))
        }
    }
}

/// An implementation that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Its name: `cpu/avx2`.
    #[serde(with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub id: BackendId,
    /// Version, device, driver and such.
    pub description: String,
    /// Number of cases that the run, all of its shards together, judges on it.
    pub selected: usize,
    /// Of a shard, the cases of the whole selection that it claims: their number and a digest of their ids. Where the same name
    /// stands for a machine without the device, it claims fewer, and the shards are not one run. Absent without shards, and in
    /// logs of the Python package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<String>,
    /// The command that runs it, such as `seedproof run --backend cpu/avx2`. With the id of a case
    /// after it, it reruns the case.
    pub rerun: String,
}

/// A diagnosis of one implementation's failing cases in one log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagnosed {
    /// The implementation.
    #[serde(with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub backend: BackendId,
    /// The causes of its failures.
    pub diagnosis: Diagnosis,
}

/// A part of a run that did not take place: an absent backend, or cases without an expectation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The backend, or the cases.
    pub what: String,
    /// Why it was left out.
    pub reason: String,
    /// Number of selected cases that are not judged on the implementation `what`; 0 if `what` is not an implementation.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cases: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_none(cases: &usize) -> bool {
    *cases == 0
}

impl LeftOut {
    /// A part of a run that is not about the selected cases of an implementation.
    pub fn new(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            reason: reason.into(),
            cases: 0,
        }
    }

    /// The part in words: `gpu`, `readings/torch-2.12: 3 cases`.
    pub(crate) fn subject(&self) -> String {
        let what = one_line(&self.what);
        match self.cases {
            0 => what,
            cases => format!("{what}: {}", count(cases, "case")),
        }
    }
}

/// The end of a process of an implementation that failed after its last answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// The implementation.
    #[serde(with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub backend: BackendId,
    /// How it ended: `signal: 6 (SIGABRT)`.
    pub how: String,
}

impl Ended {
    /// The end as a caveat: `ended: after the last answer of mine, its process ended with signal: 6 (SIGABRT)`.
    pub fn sentence(&self) -> String {
        let (id, how) = (one_line(self.backend.as_str()), one_line(&self.how));
        format!("ended: after the last answer of {id}, {how}")
    }
}

/// The review of a run by an expectation file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// The file.
    pub file: String,
    /// The failures that it expects.
    pub expected: Vec<Expected>,
    /// The violations of its entries, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
}

/// A failure that is expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The implementation.
    #[serde(with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub backend: BackendId,
    /// The case.
    #[serde(with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub case: CaseId,
    /// The reason in the expectation file.
    pub reason: String,
}

/// Compares a schema with the published one. If `SEEDPROOF_BLESS` is set, publishes it.
#[cfg(test)]
pub(crate) fn is_published(file: &str, schema: &schemars::Schema) {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut text = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    text.push('\n');
    if std::env::var("SEEDPROOF_BLESS").is_ok_and(|value| !matches!(value.as_str(), "" | "0")) {
        std::fs::create_dir_all(&docs).expect("make the folder");
        std::fs::write(docs.join(file), &text).expect("write the schema");
    }
    let published = std::fs::read_to_string(docs.join(file)).expect("the schema is committed");
    assert_eq!(published, text, "write {file} again with SEEDPROOF_BLESS=1");
}

#[cfg(test)]
mod tests {
    use super::{Event, is_published};

    #[test]
    fn schema_of_the_event_log_is_that_of_the_code() {
        is_published("events.schema.json", &schemars::schema_for!(Event));
    }
}

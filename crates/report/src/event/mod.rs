//! The event log: JSON lines, one event a line, written while a run goes on. Every document derives from it.
//!
//! The order: one `run`; each case's `case` before its first `finding`; any `diagnosis` after the findings that it
//! is about; `left-out` anywhere; any `expectations` after the findings; one `end`, whose count tells a finished log from one that was cut short. The
//! published schema is `docs/events.schema.json`. Reading is strict: unknown fields and values are errors.

mod line;
mod told;

use seedproof_check::Finding;

use crate::{CaseFacts, Diagnosed, Expectations, Header, LeftOut, ReportError};

pub(crate) use line::{LeftOutLine, Line, RunLine};

/// One line of the event log.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// What runs.
    Run(Box<Header>),
    /// A case, before its first finding.
    Case(Box<CaseFacts>),
    /// A finding.
    Finding(Box<Finding>),
    /// Why the failing cases of one implementation fail.
    Diagnosis(Diagnosed),
    /// Something that was not run.
    LeftOut(LeftOut),
    /// What an expectation file says of the findings before it.
    Expectations(Expectations),
    /// The run is over.
    End {
        /// Number of findings in this log.
        findings: usize,
    },
}

/// The version of the format that is written and read.
pub(crate) const SCHEMA: u32 = 1;

impl Event {
    /// The event as one line of JSON, without a line end.
    pub fn line(&self) -> String {
        serde_json::to_string(&Line::from(self)).expect("a line has string keys only")
    }

    /// The inverse of [`Self::line`].
    ///
    /// # Errors
    /// [`ReportError::Syntax`] if the line is no event; [`ReportError::Schema`] for a `run` of another version.
    pub fn parse(line: &str) -> Result<Self, ReportError> {
        let parsed: Line =
            serde_json::from_str(line).map_err(|error| ReportError::Syntax(error.to_string()))?;
        parsed.event()
    }
}

/// Holds a schema against the published one; with `SEEDPROOF_BLESS` set, publishes it.
#[cfg(test)]
pub(crate) fn is_published(file: &str, schema: &schemars::Schema) {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut text = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    text.push('\n');
    if std::env::var_os("SEEDPROOF_BLESS").is_some() {
        std::fs::create_dir_all(&docs).expect("make the folder");
        std::fs::write(docs.join(file), &text).expect("write the schema");
    }
    let published = std::fs::read_to_string(docs.join(file)).expect("the schema is committed");
    assert_eq!(published, text, "write {file} anew with SEEDPROOF_BLESS=1");
}

#[cfg(test)]
mod tests {
    use super::{Line, is_published};

    #[test]
    fn schema_of_the_event_log_is_that_of_the_code() {
        is_published("events.schema.json", &schemars::schema_for!(Line));
    }
}

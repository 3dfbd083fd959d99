//! The event log: JSON lines, one event a line, written while a run goes on. Every document derives from it.
//!
//! The order: one `run`; each case's `case` before its first `finding`; any `diagnosis` after the findings that it
//! is about; `left-out` anywhere; one `end`, whose count tells a finished log from one that was cut short. The
//! published schema is `docs/events.schema.json`. Reading is strict: unknown fields and values are errors.

mod line;
mod told;

use seedproof_check::Finding;

use crate::{CaseFacts, Diagnosed, Header, LeftOut, ReportError};

pub(crate) use line::Line;

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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Line;

    /// With `SEEDPROOF_BLESS` set, the schema is written in place of being compared.
    #[test]
    fn schema_that_is_published_is_that_of_the_code() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/events.schema.json");
        let mut schema = serde_json::to_string_pretty(&schemars::schema_for!(Line)).expect("JSON");
        schema.push('\n');
        if std::env::var_os("SEEDPROOF_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("make docs");
            std::fs::write(&path, &schema).expect("write the schema");
        }
        let published = std::fs::read_to_string(&path).expect("the schema is committed");
        assert_eq!(published, schema, "write it anew with SEEDPROOF_BLESS=1");
    }
}

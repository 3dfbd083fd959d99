//! The documents of a run as they are written: piece by piece, so that no document stands in memory beside its run.

use std::io::{self, Write};

use crate::error::ReportError;
use crate::html::{BenchFigure, write_html};
use crate::json::write_json;
use crate::junit::{Unclaimed, write_junit};
use crate::markdown::markdown;
use crate::run::Run;

/// A document that is made from a run.
///
/// ```
/// use seedproof_report::{Document, Run};
///
/// # let log = concat!(r#"{"event":"run","schema":SCHEMA,"seedproof":"0.1.0","date":"2026-11-22","command":"seedproof run","#,
/// #     r#""corpus":{"hash":"9f2b1c7d","cases":9,"under_reading":9},"reading":"spec","filter":[],"implementations":[]}"#, "\n");
/// # let log = log.replace("SCHEMA", &seedproof_report::EVENTS_SCHEMA.to_string());
/// let run = Run::from_events(&[("events.jsonl", &log)])?;
/// let mut page = Vec::new();
/// Document::Page(&[]).write(&run, &mut page)?;
/// assert!(page.starts_with(b"<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Document<'a> {
    /// One HTML file that needs no network, with the figures of a benchmark if there are any.
    Page(&'a [BenchFigure]),
    /// JUnit XML: a suite for each implementation, a test for each case.
    Junit(Unclaimed),
    /// JSON of the schema [`REPORT_SCHEMA`](crate::REPORT_SCHEMA).
    Json,
    /// Markdown that fits the summary of a CI step.
    Markdown,
}

impl Document<'_> {
    /// Writes the document of a run. The writer needs no buffer of its own.
    ///
    /// # Errors
    /// An error of the writer; [`ReportError::NoHeader`] inside an error of another kind for a run of nothing.
    pub fn write(self, run: &Run, out: &mut dyn Write) -> io::Result<()> {
        // Templates and serializers write every word by itself.
        let mut out = io::BufWriter::with_capacity(1 << 16, out);
        match self {
            Self::Page(bench) => write_html(run, bench, &mut out)?,
            Self::Junit(unclaimed) => write_junit(run, unclaimed, &mut out)?,
            Self::Json => write_json(run, &mut out)?,
            Self::Markdown => out.write_all(markdown(run).as_bytes())?,
        }
        out.flush()
    }

    fn text(self, run: &Run) -> Result<String, ReportError> {
        let mut bytes = Vec::new();
        self.write(run, &mut bytes)
            .map_err(|error| match error.downcast::<ReportError>() {
                Ok(own) => own,
                Err(error) => ReportError::Document(error.to_string()),
            })?;
        Ok(String::from_utf8(bytes).expect("templates and serializers write UTF-8"))
    }
}

/// The text of [`Document::Page`].
///
/// # Errors
/// [`ReportError::NoHeader`] for a run of nothing; [`ReportError::Document`] if the template fails.
pub fn html(run: &Run, bench: &[BenchFigure]) -> Result<String, ReportError> {
    Document::Page(bench).text(run)
}

/// The text of [`Document::Junit`].
///
/// # Errors
/// [`ReportError::Document`] if the template fails.
pub fn junit(run: &Run, unclaimed: Unclaimed) -> Result<String, ReportError> {
    Document::Junit(unclaimed).text(run)
}

/// The text of [`Document::Json`].
///
/// # Errors
/// [`ReportError::NoHeader`] for a run of nothing; [`ReportError::Document`] if the serializer fails.
pub fn json(run: &Run) -> Result<String, ReportError> {
    Document::Json.text(run)
}

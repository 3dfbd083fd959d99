//! Figures of a benchmark, in a section of their own: speed has no influence on any verdict.

use serde::Deserialize;

use crate::error::ReportError;

/// A figure of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchFigure {
    /// The work that was measured.
    pub what: String,
    /// The implementation that did it.
    pub implementation: String,
    /// The figure with its unit.
    pub figure: String,
    /// How it was measured.
    pub note: String,
}

impl BenchFigure {
    /// A figure from its JSON: `{"what": …, "implementation": …, "figure": …, "note": …}`, all of them texts.
    ///
    /// # Errors
    /// [`ReportError::Syntax`] if the JSON has another form.
    pub fn parse(json: &str) -> Result<Self, ReportError> {
        serde_json::from_str(json).map_err(|error| ReportError::Syntax(error.to_string()))
    }
}

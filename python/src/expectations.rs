//! Expectation files: known failures with the reasons to accept them.

use pyo3::prelude::*;
use seedproof_check::expectations::{Date, Entry, Extent, InvalidDate, Observed, is_about, parse, review};
use seedproof_check::{Finding as Found, Outcome};
use seedproof_ops::BackendId;

use crate::case::Case;
use crate::errors::invalid;
use crate::judge::Finding;

/// The entries of an expectation file.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Expectations {
    file: String,
    entries: Vec<Entry>,
}

#[pymethods]
impl Expectations {
    #[new]
    fn new(py: Python<'_>, file: String, text: &str) -> PyResult<Self> {
        let entries = parse(&file, text).map_err(|error| invalid(py, format!("failed to {error}")))?;
        Ok(Self { file, entries })
    }

    /// The reason for which a finding is expected, if it is, and what is wrong with the entry that is about it. `today` is a
    /// day as `2027-06-30`.
    fn review(
        &self,
        py: Python<'_>,
        finding: &Finding,
        today: &str,
    ) -> PyResult<(Option<String>, Vec<String>)> {
        let found = &finding.judgement.finding;
        let about: Vec<Entry> = self
            .entries
            .iter()
            .filter(|entry| entry.matches.iter().any(|pattern| is_about(pattern, found)))
            .cloned()
            .collect();
        let named = about.iter().any(|entry| entry.diagnosis.is_some());
        let cause = if named { finding.cause(py)? } else { None };
        let observed = [Observed {
            finding: found,
            diagnosis: cause.as_deref(),
        }];
        let today: Date = today
            .parse()
            .map_err(|error: InvalidDate| invalid(py, error.to_string()))?;
        let review = review(&about, &observed, &[], Extent::Part, today);
        let expected = review.expected.first().copied().flatten();
        let expected = expected
            .filter(|_| found.outcome != Outcome::Pass)
            .map(|index| about[index].reason.clone());
        let violations = review.violations.iter().map(|it| format!("{}: {it}", self.file));
        Ok((expected, violations.collect()))
    }

    /// The patterns that are about none of these cases of a function.
    fn stale(&self, name: &str, cases: Vec<Py<Case>>) -> Vec<String> {
        let found = |case: &Case| Found::new(case.case.id.clone(), BackendId::new(name), Outcome::Pass);
        let found: Vec<Found> = cases.iter().map(|case| found(case.get())).collect();
        let mut stale = Vec::new();
        for entry in &self.entries {
            for pattern in &entry.matches {
                if !found.iter().any(|finding| is_about(pattern, finding)) {
                    stale.push(format!(
                        "{}: line {}: `{pattern}` matches nothing",
                        self.file, entry.line
                    ));
                }
            }
        }
        stale
    }
}

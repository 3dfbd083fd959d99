//! Failures that an expectation file expects. They stay failures, and every document marks them as expected.

use seedproof_check::Finding;
use seedproof_ops::BackendId;
use seedproof_vectors::CaseId;

use crate::{ReportError, Run};

/// What an expectation file says of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// The file.
    pub file: String,
    /// The failures that it expects.
    pub expected: Vec<Expected>,
    /// What is wrong with its entries, a sentence each.
    pub violations: Vec<String>,
}

/// A failure that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The implementation.
    pub backend: BackendId,
    /// The case.
    pub case: CaseId,
    /// Why it is borne.
    pub reason: String,
}

impl Run {
    /// Marks the failures that are expected.
    pub(crate) fn expect(&mut self, expectations: Expectations) -> Result<(), ReportError> {
        for Expected {
            backend,
            case,
            reason,
        } in expectations.expected
        {
            let finding = self.case(&case).and_then(|judged| judged.findings.get(&backend));
            if finding.is_none_or(|finding| finding.outcome.conforms()) {
                return Err(ReportError::NotFailing {
                    case: case.to_string(),
                    backend: backend.to_string(),
                });
            }
            if self
                .expected
                .insert((backend.clone(), case.clone()), reason)
                .is_none()
            {
                self.tallies.entry(backend).or_default().expected += 1;
            }
        }
        let file = &expectations.file;
        let told = |violation: &String| format!("{file}: {violation}");
        self.violations.extend(expectations.violations.iter().map(told));
        Ok(())
    }

    /// Why a failure is borne; `None` for a finding that is no expected failure.
    pub fn expected(&self, finding: &Finding) -> Option<&str> {
        // Looked up for every finding of every document, and mostly there is nothing to find.
        if self.expected.is_empty() {
            return None;
        }
        let key = (finding.backend.clone(), finding.case.clone());
        self.expected.get(&key).map(String::as_str)
    }

    /// What is wrong with the expectations: entries that match nothing, that pass, that differ, that are expired.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// Whether every finding conforms or is an expected failure, and every expectation holds.
    pub fn is_as_expected(&self) -> bool {
        self.violations.is_empty()
            && self
                .implementations()
                .all(|it| self.tally(&it.id).unexpected() == 0)
    }
}

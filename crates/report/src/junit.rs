//! A run as JUnit XML, for continuous integration: a suite per implementation, a test per case.

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use seedproof_check::{Finding, TestResult};

use crate::untrusted::{clip, one_line};
use crate::{Palette, ReportError, Run, failure};

/// Most lines of one standard error.
const LINES: usize = 60;

/// The run as JUnit XML. A wrong answer is a failure, a missing one an error; an unclaimed request and an expected failure
/// are skipped.
///
/// # Errors
/// [`ReportError::Document`] if the XML cannot be written.
pub fn junit(run: &Run) -> Result<String, ReportError> {
    let mut report = Report::new("seedproof");
    for implementation in run.implementations() {
        let mut suite = TestSuite::new(one_line(implementation.id.as_str()));
        for header in run.headers() {
            suite.add_property(Property::new("seedproof", one_line(&header.seedproof)));
            suite.add_property(Property::new("corpus", one_line(&header.corpus.hash)));
            suite.add_property(Property::new("date", one_line(&header.date)));
            suite.add_property(Property::new("command", one_line(&header.command)));
        }
        suite.add_property(Property::new(
            "description",
            one_line(&implementation.description),
        ));
        suite.add_test_cases(run.findings(&implementation.id).map(|finding| test(run, finding)));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| ReportError::Document {
        document: "JUnit report",
        reason: error.to_string(),
    })
}

fn test(run: &Run, finding: &Finding) -> TestCase {
    let mut test = TestCase::new(finding.case.as_str(), status(run, finding));
    // Classes are dotted names; slashes would make folders of them in some viewers.
    test.set_classname(one_line(finding.backend.as_str()).replace('/', "."));
    if let Some(note) = run.note(finding) {
        test.set_system_out(note);
    }
    let stderr = clip(&finding.stderr, LINES);
    if !stderr.is_empty() {
        test.set_system_err(stderr);
    }
    test
}

fn status(run: &Run, finding: &Finding) -> TestCaseStatus {
    // Servers know no expected failures; a skipped test is what they show without raising an alarm.
    if let Some(reason) = run.expected(finding) {
        let word = finding.outcome.word();
        let mut status = TestCaseStatus::skipped();
        status.set_type(format!("expected {word}"));
        status.set_message(format!("expected {word}: {}", one_line(reason)));
        status.set_description(failure(run, finding, Palette::plain()));
        return status;
    }
    let message = one_line(&finding.message);
    let kind = match finding.outcome.result() {
        TestResult::Success => return TestCaseStatus::success(),
        TestResult::Skipped => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(message);
            return status;
        }
        TestResult::Failure => NonSuccessKind::Failure,
        TestResult::Error => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(finding.outcome.word());
    status.set_message(if message.is_empty() {
        finding.outcome.meaning().to_owned()
    } else {
        message
    });
    status.set_description(failure(run, finding, Palette::plain()));
    status
}

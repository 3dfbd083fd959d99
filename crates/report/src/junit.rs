//! A run as JUnit XML, for continuous integration: a suite per implementation, a test per case.

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use seedproof_check::{Finding, TestResult};

use crate::{Palette, ReportError, Run, cut, failure, inert};

/// Most characters of a line of others' text.
const WIDTH: usize = 400;
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
        let mut suite = TestSuite::new(inert(implementation.id.as_str(), WIDTH));
        for header in run.headers() {
            suite.add_property(Property::new("seedproof", inert(&header.seedproof, WIDTH)));
            suite.add_property(Property::new("corpus", inert(&header.corpus.hash, WIDTH)));
            suite.add_property(Property::new("date", inert(&header.date, WIDTH)));
            suite.add_property(Property::new("command", inert(&header.command, WIDTH)));
        }
        suite.add_property(Property::new(
            "description",
            inert(&implementation.description, WIDTH),
        ));
        suite.add_property(Property::new("device", inert(&implementation.device, WIDTH)));
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
    test.set_classname(inert(finding.backend.as_str(), WIDTH).replace('/', "."));
    let stderr = cut(&finding.stderr, LINES, WIDTH);
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
        status.set_message(format!("expected {word}: {}", inert(reason, WIDTH)));
        status.set_description(failure(run, finding, Palette::plain()));
        return status;
    }
    let message = inert(&finding.message, WIDTH);
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
    let word = finding.outcome.word();
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word);
    status.set_message(if message.is_empty() {
        finding.outcome.meaning().to_owned()
    } else {
        message
    });
    status.set_description(failure(run, finding, Palette::plain()));
    status
}

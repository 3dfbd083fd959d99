//! A run as JUnit XML, for continuous integration: a suite per implementation, a test per case.

use askama::Template;
use seedproof_check::{Finding, Outcome, TestResult};

use crate::untrusted::{clip, one_line};
use crate::{Implementation, Palette, ReportError, Run, failure};

/// Most lines of one standard error.
const LINES: usize = 60;

/// What JUnit XML has of the cases that an implementation does not claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclaimed {
    /// A skipped test for each.
    Skipped,
    /// Nothing.
    LeftOut,
}

#[derive(Template)]
#[template(path = "junit.xml")]
struct Document<'a> {
    suites: Vec<Suite<'a>>,
}

struct Suite<'a> {
    name: String,
    tests: usize,
    skipped: usize,
    errors: usize,
    failures: usize,
    time: String,
    properties: Vec<(&'static str, String)>,
    cases: Vec<Test<'a>>,
}

struct Test<'a> {
    name: &'a str,
    class: String,
    time: Option<String>,
    status: Option<Status>,
    out: Option<String>,
    err: String,
}

impl Test<'_> {
    /// Whether there is no more to say of it than that it passed.
    fn is_bare(&self) -> bool {
        self.status.is_none() && self.out.is_none() && self.err.is_empty()
    }
}

/// What a test has that did not simply pass.
struct Status {
    element: &'static str,
    kind: Option<String>,
    message: String,
    text: Option<String>,
}

/// The run as JUnit XML. A wrong answer is a failure, a missing one an error; an unclaimed request and an expected failure
/// are skipped. The class of a test is the implementation and the case's folder; its time is that of the answer. An
/// implementation of which no value was compared has one more test, which is an error.
///
/// # Errors
/// [`ReportError::Document`] if the XML cannot be written.
pub fn junit(run: &Run, unclaimed: Unclaimed) -> Result<String, ReportError> {
    let suites = run.implementations();
    let suites = suites
        .map(|implementation| suite(run, implementation, unclaimed))
        .collect();
    let xml = Document { suites }.render();
    xml.map_err(|error| ReportError::Document {
        document: "JUnit report",
        reason: error.to_string(),
    })
}

fn suite<'a>(run: &'a Run, implementation: &'a Implementation, unclaimed: Unclaimed) -> Suite<'a> {
    let id = &implementation.id;
    let is_in = |finding: &&Finding| {
        unclaimed == Unclaimed::Skipped || finding.outcome.result() != TestResult::Skipped
    };
    let findings: Vec<&Finding> = run.findings(id).filter(is_in).collect();
    let count = |wanted: Kind| {
        findings
            .iter()
            .filter(|finding| kind(run, finding) == wanted)
            .count()
    };
    let untested = run.tally(id).is_untested().then(|| Test {
        name: "asked",
        class: one_line(id.as_str()).replace('/', "."),
        time: None,
        status: Some(Status {
            element: "error",
            kind: Some("unasked".to_owned()),
            message: run.why_untested(id),
            text: None,
        }),
        out: None,
        err: String::new(),
    });
    let errors = count(Kind::Error) + usize::from(untested.is_some());
    let of_run = run.headers().iter().flat_map(|header| {
        [
            ("seedproof", &header.seedproof),
            ("corpus", &header.corpus.hash),
            ("date", &header.date),
            ("command", &header.command),
        ]
    });
    let of_all = of_run.chain([("description", &implementation.description)]);
    let cases: Vec<Test<'a>> = untested
        .into_iter()
        .chain(findings.iter().map(|finding| test(run, finding)))
        .collect();
    Suite {
        name: one_line(id.as_str()),
        tests: cases.len(),
        skipped: count(Kind::Skipped),
        errors,
        failures: count(Kind::Failure),
        time: seconds(findings.iter().filter_map(|it| it.micros).map(u128::from).sum()),
        properties: of_all.map(|(name, value)| (name, one_line(value))).collect(),
        cases,
    }
}

/// How a server shows a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Passed,
    Skipped,
    Failure,
    Error,
}

fn kind(run: &Run, finding: &Finding) -> Kind {
    match finding.outcome.result() {
        // Servers know no expected failures; a skipped test is what they show without raising an alarm.
        _ if run.expected(finding).is_some() => Kind::Skipped,
        TestResult::Success => Kind::Passed,
        TestResult::Skipped => Kind::Skipped,
        TestResult::Failure => Kind::Failure,
        TestResult::Error => Kind::Error,
    }
}

fn test<'a>(run: &Run, finding: &'a Finding) -> Test<'a> {
    let case = finding.case.as_str();
    let folder = case.rsplit_once('/').map_or("", |(folder, _)| folder);
    Test {
        name: case,
        // Classes are dotted names; slashes would make folders of them in some viewers.
        class: one_line(&format!("{}/{folder}", finding.backend)).replace('/', "."),
        time: finding.micros.map(|micros| seconds(u128::from(micros))),
        status: status(run, finding),
        out: run.note(finding),
        err: clip(&finding.stderr, LINES),
    }
}

fn status(run: &Run, finding: &Finding) -> Option<Status> {
    let element = match kind(run, finding) {
        Kind::Passed => return None,
        Kind::Skipped => "skipped",
        Kind::Failure => "failure",
        Kind::Error => "error",
    };
    let word = finding.outcome.word();
    let message = one_line(&finding.message);
    if finding.outcome == Outcome::Unsupported {
        return Some(Status {
            element,
            kind: None,
            message,
            text: None,
        });
    }
    let (word, message) = match run.expected(finding) {
        Some(reason) => (
            format!("expected {word}"),
            format!("expected {word}: {}", one_line(reason)),
        ),
        None if message.is_empty() => (word.to_owned(), finding.outcome.meaning().to_owned()),
        None => (word.to_owned(), message),
    };
    Some(Status {
        element,
        kind: Some(word),
        message,
        text: Some(failure(run, finding, Palette::plain())),
    })
}

fn seconds(micros: u128) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

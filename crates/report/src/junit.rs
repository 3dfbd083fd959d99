//! A run as JUnit XML, for continuous integration: a suite per implementation, a test per case.

use std::io;

use askama::Template;
use seedproof_check::{Finding, Outcome, TestResult};

use crate::event::Implementation;
use crate::run::Run;
use crate::text::{Palette, failure};
use crate::untrusted::{last_lines, one_line};

/// The most lines of standard error for one test.
const LINES: usize = 60;

/// How JUnit XML treats the cases that an implementation does not claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclaimed {
    /// Each is a skipped test.
    Skipped,
    /// They are left out.
    LeftOut,
}

#[derive(Template)]
#[template(path = "junit.xml")]
struct Document<'a> {
    suites: Vec<Suite<'a>>,
}

struct Suite<'a> {
    name: String,
    skipped: usize,
    errors: usize,
    failures: usize,
    time: String,
    properties: Vec<(&'static str, String)>,
    /// The tests that are not about a case.
    faults: Vec<Test<'a>>,
    run: &'a Run,
    findings: Vec<&'a Finding>,
}

impl<'a> Suite<'a> {
    /// The tests, each made when it is written: a test repeats the message of its finding three times, and of each case
    /// 4 KiB are kept that an adapter wrote.
    fn tests(&self) -> impl Iterator<Item = Test<'a>> {
        let cases = self.findings.iter().map(|finding| test(self.run, finding));
        self.faults.iter().cloned().chain(cases)
    }

    const fn count(&self) -> usize {
        self.faults.len() + self.findings.len()
    }
}

#[derive(Clone)]
struct Test<'a> {
    name: &'a str,
    class: String,
    time: Option<String>,
    status: Option<Status>,
    out: Option<String>,
    err: String,
}

impl Test<'_> {
    /// Whether the test passed without a note or standard error, so that the template writes an empty element.
    fn is_bare(&self) -> bool {
        self.status.is_none() && self.out.is_none() && self.err.is_empty()
    }
}

/// The child element of a test that did not pass.
#[derive(Clone)]
struct Status {
    element: &'static str,
    kind: Option<String>,
    message: String,
    text: Option<String>,
}

/// Writes the run as JUnit XML. A wrong answer is a failure, a missing answer an error. Unclaimed requests and expected
/// failures are skipped. The class of a test is the implementation and the folder of the case; its time is that of the
/// answer. An implementation of which no value was compared has one more test, which is an error; and so does a run whose
/// log is cut short, or whose expectations are violated, in a suite of its own.
pub(crate) fn write_junit(run: &Run, unclaimed: Unclaimed, out: &mut impl io::Write) -> io::Result<()> {
    let of_run = faults(run);
    let suites = run
        .implementations()
        .map(|implementation| suite(run, implementation, unclaimed));
    let suites = of_run.into_iter().chain(suites).collect();
    Document { suites }.write_into(out)
}

/// The faults of the run as a whole. Without this suite, a server that reads JUnit alone would be green where the exit
/// status is not 0.
fn faults(run: &Run) -> Option<Suite<'_>> {
    let faults: Vec<Test<'_>> = run
        .faults()
        .into_iter()
        .map(|fault| error("run", "seedproof".to_owned(), "run", &fault))
        .collect();
    (!faults.is_empty()).then(|| Suite {
        name: "seedproof".to_owned(),
        skipped: 0,
        errors: faults.len(),
        failures: 0,
        time: seconds(0),
        properties: Vec::new(),
        faults,
        run,
        findings: Vec::new(),
    })
}

/// A test that is an error.
fn error<'a>(name: &'a str, class: String, kind: &str, message: &str) -> Test<'a> {
    Test {
        name,
        class,
        time: None,
        status: Some(Status {
            element: "error",
            kind: Some(kind.to_owned()),
            message: one_line(message),
            text: None,
        }),
        out: None,
        err: String::new(),
    }
}

fn suite<'a>(run: &'a Run, implementation: &'a Implementation, unclaimed: Unclaimed) -> Suite<'a> {
    let id = &implementation.id;
    let is_in = |finding: &&Finding| {
        unclaimed == Unclaimed::Skipped || finding.outcome.result() != TestResult::Skipped
    };
    // The counts in the suite's attributes must agree with its tests, so they are made of what `is_in` keeps.
    let findings: Vec<&Finding> = run.findings(id).filter(is_in).collect();
    let count = |wanted: Kind| {
        findings
            .iter()
            .filter(|finding| kind(run, finding) == wanted)
            .count()
    };
    // Without this test, a suite in which everything is skipped would be green.
    let untested = run.tally(id).is_untested().then(|| {
        let class = one_line(id.as_str()).replace('/', ".");
        error("asked", class, "unasked", &run.why_untested(id))
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
    Suite {
        name: one_line(id.as_str()),
        skipped: count(Kind::Skipped),
        errors,
        failures: count(Kind::Failure),
        // In u128, because a log may hold any u64 for each time.
        time: seconds(findings.iter().filter_map(|it| it.micros).map(u128::from).sum()),
        properties: of_all.map(|(name, value)| (name, one_line(value))).collect(),
        faults: untested.into_iter().collect(),
        run,
        findings,
    }
}

/// The result of a test, as CI servers count it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Passed,
    Skipped,
    Failure,
    Error,
}

fn kind(run: &Run, finding: &Finding) -> Kind {
    match finding.outcome.result() {
        // JUnit has no expected failures. A skipped test is visible and does not fail the job.
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
        // Viewers group tests by the dots of their class, as in a Java package.
        class: one_line(&format!("{}/{folder}", finding.backend)).replace('/', "."),
        time: finding.micros.map(|micros| seconds(u128::from(micros))),
        status: status(run, finding),
        out: run.note(finding),
        err: last_lines(&finding.stderr, LINES),
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
    // Thousands of cases may be unclaimed, and there is nothing to explain: the reason alone keeps the file small.
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

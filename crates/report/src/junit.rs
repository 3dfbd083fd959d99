//! A run as JUnit XML, for continuous integration: a suite per implementation, a test per case.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
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

/// The run as JUnit XML. A wrong answer is a failure, a missing one an error; an unclaimed request and an expected failure
/// are skipped. The class of a test is the implementation and the case's folder; its time is that of the answer. An
/// implementation that was asked nothing has one test, which is an error.
///
/// # Errors
/// [`ReportError::Document`] if the XML cannot be written.
pub fn junit(run: &Run, unclaimed: Unclaimed) -> Result<String, ReportError> {
    let document = |error: &dyn std::error::Error| ReportError::Document {
        document: "JUnit report",
        reason: error.to_string(),
    };
    let mut xml = Vec::new();
    write(run, unclaimed, &mut xml).map_err(|error| document(&error))?;
    String::from_utf8(xml).map_err(|error| document(&error))
}

type Xml<'a> = Writer<&'a mut Vec<u8>>;

fn write(run: &Run, unclaimed: Unclaimed, xml: &mut Vec<u8>) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(xml, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = xml
        .create_element("testsuites")
        .with_attribute(("name", "seedproof"));
    root.write_inner_content(|xml| {
        let mut implementations = run.implementations();
        implementations.try_for_each(|implementation| suite(run, implementation, unclaimed, xml))
    })?;
    xml.get_mut().write_all(b"\n")
}

fn suite(
    run: &Run,
    implementation: &Implementation,
    unclaimed: Unclaimed,
    xml: &mut Xml<'_>,
) -> io::Result<()> {
    let id = &implementation.id;
    let is_in = |finding: &&Finding| {
        unclaimed == Unclaimed::Skipped || finding.outcome.result() != TestResult::Skipped
    };
    let tests: Vec<&Finding> = run.findings(id).filter(is_in).collect();
    let count = |wanted: Kind| {
        tests
            .iter()
            .filter(|finding| kind(run, finding) == wanted)
            .count()
    };
    let idle = usize::from(run.tally(id).claimed == 0);
    let element = xml.create_element("testsuite").with_attributes([
        ("name", one_line(id.as_str()).as_str()),
        ("tests", (tests.len() + idle).to_string().as_str()),
        ("skipped", count(Kind::Skipped).to_string().as_str()),
        ("errors", (count(Kind::Error) + idle).to_string().as_str()),
        ("failures", count(Kind::Failure).to_string().as_str()),
        (
            "time",
            seconds(tests.iter().filter_map(|it| it.micros).map(u128::from).sum()).as_str(),
        ),
    ]);
    element.write_inner_content(|xml| {
        properties(run, implementation, xml)?;
        if idle == 1 {
            let class = one_line(id.as_str()).replace('/', ".");
            let test = xml.create_element("testcase");
            let test = test.with_attributes([("name", "asked"), ("classname", class.as_str())]);
            test.write_inner_content(|xml| {
                let message = run.verdict(id);
                let error = xml.create_element("error");
                error
                    .with_attributes([("type", "unasked"), ("message", message.as_str())])
                    .write_empty()?;
                Ok(())
            })?;
        }
        tests.iter().try_for_each(|finding| test(run, finding, xml))
    })?;
    Ok(())
}

fn properties(run: &Run, implementation: &Implementation, xml: &mut Xml<'_>) -> io::Result<()> {
    let of_run = run.headers().iter().flat_map(|header| {
        [
            ("seedproof", &header.seedproof),
            ("corpus", &header.corpus.hash),
            ("date", &header.date),
            ("command", &header.command),
        ]
    });
    xml.create_element("properties").write_inner_content(|xml| {
        for (name, value) in of_run.chain([("description", &implementation.description)]) {
            let property = xml.create_element("property");
            property
                .with_attributes([("name", name), ("value", one_line(value).as_str())])
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
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

fn test(run: &Run, finding: &Finding, xml: &mut Xml<'_>) -> io::Result<()> {
    let case = finding.case.as_str();
    let folder = case.rsplit_once('/').map_or("", |(folder, _)| folder);
    // Classes are dotted names; slashes would make folders of them in some viewers.
    let class = one_line(&format!("{}/{folder}", finding.backend)).replace('/', ".");
    let mut element = xml.create_element("testcase");
    element = element.with_attributes([("name", case), ("classname", class.as_str())]);
    if let Some(micros) = finding.micros {
        element = element.with_attribute(("time", seconds(u128::from(micros)).as_str()));
    }
    let kind = kind(run, finding);
    let note = run.note(finding);
    let stderr = clip(&finding.stderr, LINES);
    if kind == Kind::Passed && note.is_none() && stderr.is_empty() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|xml| {
        status(run, finding, kind, xml)?;
        let outputs = [("system-out", note.unwrap_or_default()), ("system-err", stderr)];
        for (name, text) in outputs.iter().filter(|(_, text)| !text.is_empty()) {
            xml.create_element(*name)
                .write_text_content(BytesText::new(text))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn status(run: &Run, finding: &Finding, kind: Kind, xml: &mut Xml<'_>) -> io::Result<()> {
    let name = match kind {
        Kind::Passed => return Ok(()),
        Kind::Skipped => "skipped",
        Kind::Failure => "failure",
        Kind::Error => "error",
    };
    let word = finding.outcome.word();
    let message = one_line(&finding.message);
    let element = xml.create_element(name);
    if finding.outcome == Outcome::Unsupported {
        element
            .with_attribute(("message", message.as_str()))
            .write_empty()?;
        return Ok(());
    }
    let (word, message) = match run.expected(finding) {
        Some(reason) => (
            format!("expected {word}"),
            format!("expected {word}: {}", one_line(reason)),
        ),
        None if message.is_empty() => (word.to_owned(), finding.outcome.meaning().to_owned()),
        None => (word.to_owned(), message),
    };
    let text = failure(run, finding, Palette::plain());
    let element = element.with_attributes([("type", word.as_str()), ("message", message.as_str())]);
    element.write_text_content(BytesText::new(&text))?;
    Ok(())
}

fn seconds(micros: u128) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

//! The page: one HTML file with its style, script and data inside, which needs no network.
//!
//! The short parts (the run, verdicts, errata, clauses, mistakes, figures) are rendered here. The long parts
//! (the matrix and the case pages) are data that the page's script renders when they are opened, since most
//! of them never are. Text that others wrote passes [`crate::untrusted`], and then the template's escaping or
//! the script's `textContent`.

mod answers;
mod bench;
mod cause;
mod data;
mod differs;
mod overview;
mod row;
mod sections;
mod table;

use std::fmt;
use std::io::{self, Write};

use askama::Template;
use data_encoding::BASE64;
use sha2::{Digest as _, Sha256};

use crate::error::ReportError;
use crate::run::Run;
use crate::untrusted::one_line;
use crate::verdict::class;
use answers::Answers;
use data::Data;
use overview::Overview;
use sections::{Card, Coverage};

pub use bench::BenchFigure;

const STYLE: &str = include_str!("../../templates/page.css");
const SCRIPT: &str = include_str!("../../templates/page.js");

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    title: String,
    verdict: String,
    tone: &'static str,
    ran: Vec<(&'static str, String)>,
    sessions: Vec<(String, String)>,
    caveats: Vec<String>,
    left_out: Vec<(String, String)>,
    cards: Vec<Card>,
    overview: Overview,
    answers: Answers,
    clauses: Vec<Coverage>,
    mistakes: Vec<Coverage>,
    bench: &'a [BenchFigure],
    data: Embedded<'a>,
    style: &'static str,
    script: &'static str,
    policy: String,
}

/// Writes the page of a run.
pub(crate) fn write_html(run: &Run, bench: &[BenchFigure], out: &mut impl Write) -> io::Result<()> {
    let header = run.headers().first();
    let header = header.ok_or_else(|| io::Error::other(ReportError::NoHeader))?;
    let cards: Vec<Card> = run.implementations().map(|it| Card::of(run, it)).collect();
    let caveats = run.caveats();
    Page {
        title: sections::title(&cards),
        verdict: run.headline(),
        tone: class(sections::tone(&cards)),
        ran: sections::ran(run, header),
        sessions: run
            .headers()
            .iter()
            .map(|header| (one_line(&header.date), one_line(&header.command)))
            .collect(),
        caveats: caveats.iter().map(|text| one_line(text)).collect(),
        left_out: run
            .left_out()
            .iter()
            .map(|it| (it.subject(), one_line(&it.reason)))
            .collect(),
        cards,
        overview: Overview::of(run),
        answers: Answers::of(run),
        clauses: sections::clauses(run),
        mistakes: sections::mistakes(run),
        bench,
        data: Embedded(Data::of(run)),
        style: STYLE,
        script: SCRIPT,
        policy: policy(),
    }
    .write_into(out)
}

/// Data as JSON in a script element, written as the template comes to it.
struct Embedded<'a>(Data<'a>);

impl fmt::Display for Embedded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        serde_json::to_writer(InScript(f), &self.0).map_err(|_| fmt::Error)
    }
}

struct InScript<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl Write for InScript<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The serializer writes strings as a whole but for escapes, which are ASCII, so that no character is cut.
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        for piece in text.split_inclusive('<') {
            // A browser ends a script element at `</script` even inside a JSON string, and the rest would be markup.
            let written = match piece.strip_suffix('<') {
                Some(before) => self
                    .0
                    .write_str(before)
                    .and_then(|()| self.0.write_str("\\u003c")),
                None => self.0.write_str(piece),
            };
            written.map_err(io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The content security policy: nothing is fetched, and only this page's own script and style apply, which are named by
/// their SHA-256. If text of others ever became markup in spite of the escaping, a script in it would still not run.
fn policy() -> String {
    let sum = |text: &str| BASE64.encode(&Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        sum(SCRIPT),
        sum(STYLE)
    )
}

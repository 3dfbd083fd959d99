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

use askama::Template;
use data_encoding::BASE64;
use sha2::{Digest as _, Sha256};

use crate::untrusted::one_line;
use crate::verdict::class;
use crate::{ReportError, Run};
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
    data: String,
    style: &'static str,
    script: &'static str,
    policy: String,
}

/// The page of a run, with the figures of a benchmark if there are any.
///
/// # Errors
/// [`ReportError::NoHeader`] for a run of nothing; [`ReportError::Document`] if the page cannot be written.
pub fn html(run: &Run, bench: &[BenchFigure]) -> Result<String, ReportError> {
    let document = |reason: String| ReportError::Document {
        document: "page",
        reason,
    };
    let header = run.headers().first().ok_or(ReportError::NoHeader)?;
    let cards: Vec<Card> = run.implementations().map(|it| Card::of(run, it)).collect();
    let data = serde_json::to_string(&Data::of(run)).map_err(|error| document(error.to_string()))?;
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
        // A browser ends a script element at `</script` even inside a JSON string, and the rest would be markup.
        data: data.replace('<', "\\u003c"),
        style: STYLE,
        script: SCRIPT,
        policy: policy(),
    }
    .render()
    .map_err(|error| document(error.to_string()))
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

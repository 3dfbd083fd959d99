//! The page: one HTML file that needs no network, with its style, its script and its data inside.
//!
//! What is short (what ran, verdicts, errata, clauses, mistakes, figures) is rendered here. What is long (the matrix
//! and the case pages) is data that the page's script renders as far as it is looked at. Text of others only ever
//! meets the template's escaping, the script's `textContent`, and [`crate::inert`] before both.

mod answers;
mod data;
mod differs;
mod extras;
mod heat;
mod sections;

use askama::Template;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use crate::{ReportError, Run, inert};
use answers::Answers;
use data::Data;
use heat::Heat;
use sections::{Card, Coverage, Tone};

pub use extras::{AnswerText, BenchFigure, ClauseText, ErratumText, Extras, MistakeText};

const STYLE: &str = include_str!("../../templates/page.css");
const SCRIPT: &str = include_str!("../../templates/page.js");
/// Most characters of a line of others' text in the head of the page.
const WIDTH: usize = 400;

#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    title: String,
    verdict: String,
    tone: &'static str,
    ran: Vec<(&'static str, String)>,
    sessions: Vec<(String, String)>,
    reservations: Vec<String>,
    left_out: Vec<(String, String)>,
    cards: Vec<Card>,
    answers: Answers,
    clauses: Vec<Coverage>,
    heat: Heat,
    bench: Vec<BenchFigure>,
    data: String,
    style: &'static str,
    script: &'static str,
    policy: String,
}

/// The page of a run.
///
/// # Errors
/// [`ReportError::NoHeader`] for a run of nothing; [`ReportError::Document`] if the page cannot be written.
pub fn html(run: &Run, extras: &Extras) -> Result<String, ReportError> {
    let document = |reason: String| ReportError::Document {
        document: "page",
        reason,
    };
    let header = run.headers().first().ok_or(ReportError::NoHeader)?;
    let cards: Vec<Card> = run.implementations().map(|it| Card::of(run, it)).collect();
    let failing = cards.iter().filter(|card| card.tone != Tone::Good).count();
    let data = serde_json::to_string(&Data::of(run, extras)).map_err(|error| document(error.to_string()))?;
    let line = |text: &str| inert(text, WIDTH);
    Page {
        title: sections::title(cards.len(), failing),
        verdict: sections::verdict(&cards, run.reservations().len() == run.violations().len()),
        tone: cards
            .iter()
            .map(|card| card.tone)
            .max()
            .unwrap_or(Tone::Bad)
            .word(),
        ran: sections::ran(run, header),
        sessions: run
            .headers()
            .iter()
            .map(|header| (line(&header.date), line(&header.command)))
            .collect(),
        reservations: run.reservations().iter().map(|text| line(text)).collect(),
        left_out: run
            .left_out()
            .iter()
            .map(|it| (line(&it.what), line(&it.reason)))
            .collect(),
        cards,
        answers: Answers::of(run, &extras.errata),
        clauses: sections::coverage(run, extras),
        heat: Heat::of(extras),
        bench: extras.bench.clone(),
        // A closing tag inside a string would end the element that holds the data.
        data: data.replace('<', "\\u003c"),
        style: STYLE,
        script: SCRIPT,
        policy: policy(),
    }
    .render()
    .map_err(|error| document(error.to_string()))
}

/// Nothing is fetched and nothing runs but this page's own script: both are named by their SHA-256.
fn policy() -> String {
    let sum = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        sum(SCRIPT),
        sum(STYLE)
    )
}

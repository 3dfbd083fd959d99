//! `seedproof list`, `show` and `backends`.

use std::fmt::Write as _;

use seedproof::judging::Catalogue;
use seedproof_corpus::Case;
use seedproof_ops::untrusted::paragraph;
use seedproof_ops::{Backend, Limits};
use seedproof_report::{CaseFacts, LeftOut};

use crate::args::{Selection, ShowArgs};
use crate::elements::{both, table, values};
use crate::exit::{CommandResult, Exit};
use crate::{implementations, io, selection, width};

/// `seedproof list`: one id a line.
pub(crate) fn list(args: &Selection) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let cases = selection::select(&corpus, &args.queries)?;
    if cases.is_empty() {
        io::print_error(&selection::nothing_selected(&corpus, &args.queries, None));
        return Ok(Exit::NothingSelected);
    }
    let mut text = String::new();
    for case in &cases {
        writeln!(text, "{}", case.id).expect("a String takes every write");
    }
    io::print(&text);
    Ok(Exit::Conforms)
}

/// `seedproof show`: a case with the stages of its computation, element by element.
pub(crate) fn show(args: &ShowArgs) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let case = selection::find(&corpus, &args.case)?;
    let catalogue = Catalogue::new(Limits::default());
    let mut text = describe(case);
    match catalogue.reference().run(&case.request) {
        Ok(response) => {
            text.push_str(&match catalogue.reference().stages(&case.request) {
                Some(stages) => table(&stages, args.elements),
                None => values(&response.output, args.elements),
            });
            for (info, output) in case.request.outputs().iter().skip(1).zip(&response.more) {
                let elements: Vec<String> = output.scalars().take(args.elements).map(both).collect();
                writeln!(text, "{:>8}  {}", info.name, elements.join(" "))
                    .expect("a String takes every write");
            }
        }
        Err(failure) => writeln!(text, "\n{failure}").expect("a String takes every write"),
    }
    io::print(&text);
    Ok(Exit::Conforms)
}

/// The case in words: what is asked, where it comes from, what it covers; lines are as long as a terminal is wide.
pub(crate) fn describe(case: &Case) -> String {
    let facts = CaseFacts::of(case);
    let mut text = format!("{}\n{}\n", case.id, facts.line());
    let width = width::of_terminal();
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let line = format!("  {name:<11} {}", paragraph(&value));
            writeln!(text, "{}", width::wrapped(&line, 14, width)).expect("a String takes every write");
        }
    };
    line("at", case.location.to_string());
    line("provenance", case.provenance.kind().to_owned());
    for input in &facts.inputs {
        line(&input.name, input.text.clone());
    }
    line("expects", facts.expects.text.clone());
    if let Some(printed) = &case.printed {
        let verdict = if printed.right {
            "the expected bits are these numbers"
        } else {
            "an error of the document: the expected bits are other numbers"
        };
        line("documented", format!("{} ({verdict})", printed.values.join(" ")));
    }
    line("note", case.note.clone().unwrap_or_default());
    for id in &case.clauses {
        let says = seedproof::registry()
            .clause(id)
            .map_or("", |clause| clause.says.as_str());
        line("clause", format!("{id}: {says}"));
    }
    for id in &case.errata {
        let question = seedproof::registry()
            .erratum(id)
            .map_or("", |erratum| erratum.question.as_str());
        line("erratum", format!("{id}: {question}"));
    }
    text
}

/// `seedproof backends`: what can be named here.
pub(crate) fn backends() -> CommandResult {
    let (present, absent) = implementations::all(None, Limits::default())?;
    let present = present.into_iter().map(|it| {
        let (name, what) = (it.backend.id().to_string(), it.backend.description());
        // A description that repeats the name says nothing.
        let what = if what == name { String::new() } else { what };
        (name, what)
    });
    let absent = absent
        .into_iter()
        .map(|LeftOut { what, reason, .. }| (what, format!("absent: {reason}")));
    let readings = seedproof_readings::named().into_iter();
    let readings = readings.map(|it| (format!("readings/{}", it.name), it.observed.to_string()));
    let sample = seedproof_author::Sample::new(Limits::default(), seedproof::judging::entropy);
    let sample = (seedproof_author::SAMPLE.to_owned(), sample.description());
    let rows: Vec<(String, String)> = present.chain(absent).chain(readings).chain([sample]).collect();
    let width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (name, what) in rows {
        writeln!(text, "{}", format!("{name:<width$}  {what}").trim_end())
            .expect("a String takes every write");
    }
    io::print(&text);
    Ok(Exit::Conforms)
}

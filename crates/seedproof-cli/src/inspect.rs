//! `seedproof list`, `show` and `backends`.

use std::fmt::Write as _;

use seedproof::judging::Bank;
use seedproof_ops::{Backend, Limits};
use seedproof_report::{CaseFacts, LeftOut};
use seedproof_vectors::Case;

use crate::args::{Selection, ShowArgs};
use crate::elements::{both, table, values};
use crate::exit::{CommandResult, Exit};
use crate::{implementations, io, selection};

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
    let bank = Bank::new(Limits::default());
    let mut text = describe(case);
    match bank.reference().run(&case.request) {
        Ok(response) => {
            text.push_str(&match bank.reference().stages(&case.request) {
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

/// The case in words: what is asked, where it comes from, what it covers.
pub(crate) fn describe(case: &Case) -> String {
    let facts = CaseFacts::of(case);
    let mut text = format!("{}\n{}\n", case.id, facts.line());
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            writeln!(text, "  {name:<11} {value}").expect("a String takes every write");
        }
    };
    line("at", case.location.to_string());
    line("provenance", case.provenance.kind().to_owned());
    for input in &facts.inputs {
        line(&input.name, input.text.clone());
    }
    line("expects", facts.expects.clone());
    if let Some(printed) = &case.printed {
        let verdict = if printed.right {
            "and is right"
        } else {
            "and is wrong"
        };
        line("prints", format!("{} ({verdict})", printed.values.join(" ")));
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
    let mut text = String::new();
    for implementation in present {
        writeln!(
            text,
            "{:<32} {}",
            implementation.backend.id().as_str(),
            implementation.backend.description()
        )
        .expect("a String takes every write");
    }
    for LeftOut { what, reason } in absent {
        writeln!(text, "{what:<32} absent: {reason}").expect("a String takes every write");
    }
    for reading in seedproof_readings::named() {
        writeln!(
            text,
            "{:<32} {}",
            format!("readings/{}", reading.name),
            reading.observed
        )
        .expect("a String takes every write");
    }
    let sample = seedproof_author::Sample::new(Limits::default(), seedproof::judging::entropy);
    writeln!(text, "{:<32} {}", seedproof_author::SAMPLE, sample.description())
        .expect("a String takes every write");
    io::print(&text);
    Ok(Exit::Conforms)
}

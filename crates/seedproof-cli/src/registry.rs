//! `seedproof clause` and `errata`: what the specifications say, and what they leave open.

use std::fmt::Write as _;

use seedproof_convert::{UPSTREAM, Upstream};
use seedproof_corpus::{Clause, Corpus, Erratum, Glob};
use seedproof_ops::did_you_mean;

use crate::args::{ClauseArgs, ErrataArgs};
use crate::exit::{CommandResult, Exit};
use crate::{io, selection};

/// `seedproof clause`: the clauses of an id or a glob, each with its errata and the cases that cover it.
pub(crate) fn clause(args: &ClauseArgs) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let clauses = seedproof::registry()
        .clauses()
        .map(|clause| (clause.id.as_str(), clause));
    Ok(print("clause", &args.id, clauses, |clause| {
        describe_clause(clause, &corpus)
    }))
}

/// `seedproof errata`: the errata of an id or a glob, or all of them.
pub(crate) fn errata(args: &ErrataArgs) -> Exit {
    if args.markdown {
        io::print(&seedproof_author::errata_markdown());
        return Exit::Conforms;
    }
    let documents = seedproof::registry()
        .errata()
        .map(|erratum| (erratum.id.as_str(), Known::Document(erratum)));
    let conversions = UPSTREAM
        .iter()
        .map(|report| (report.id.as_str(), Known::Conversion(report)));
    let id = args.id.as_deref().unwrap_or("*");
    print("erratum", id, documents.chain(conversions), |known| match known {
        Known::Document(erratum) => describe_erratum(erratum),
        Known::Conversion(report) => describe_report(report),
    })
}

/// An erratum of a document, or of a conversion.
enum Known {
    Document(&'static Erratum),
    Conversion(&'static Upstream),
}

/// Prints the entries whose names a glob matches.
fn print<'a, T>(
    kind: &str,
    pattern: &str,
    entries: impl Iterator<Item = (&'a str, T)>,
    describe: impl Fn(T) -> String,
) -> Exit {
    let glob = Glob::new(pattern);
    let (chosen, others): (Vec<_>, Vec<_>) = entries.partition(|(id, _)| glob.matches(id));
    if chosen.is_empty() {
        let nearest = did_you_mean(pattern, others.iter().map(|(id, _)| *id));
        io::print_error(&format!("seedproof: there is no {kind} `{pattern}`{nearest}\n"));
        return Exit::NothingSelected;
    }
    let texts: Vec<String> = chosen.into_iter().map(|(_, entry)| describe(entry)).collect();
    io::print(&texts.join("\n"));
    Exit::Conforms
}

fn describe_clause(clause: &Clause, corpus: &Corpus) -> String {
    let id = &clause.id;
    let mut text = format!(
        "{id}\n  {}, {}\n  {}\n",
        clause.document, clause.section, clause.says
    );
    let errata = seedproof::registry().errata();
    for erratum in errata.filter(|erratum| erratum.clauses.contains(id)) {
        writeln!(text, "  erratum {}: {}", erratum.id, erratum.question).expect("a String takes every write");
    }
    let mut cases = corpus.cases().filter(|case| case.clauses.contains(id));
    let line = match (cases.next(), cases.count()) {
        (None, _) => "no case covers it".to_owned(),
        (Some(only), 0) => format!("1 case: {}", only.id),
        (Some(first), more) => format!(
            "{} cases, such as {}; `seedproof list clause:{id}` prints them",
            more + 1,
            first.id
        ),
    };
    writeln!(text, "  {line}").expect("a String takes every write");
    text
}

fn describe_erratum(erratum: &Erratum) -> String {
    let mut text = format!(
        "{}\n  {}, {}\n  {}\n",
        erratum.id, erratum.document, erratum.section, erratum.question
    );
    for answer in &erratum.answers {
        let mark = if answer.id == erratum.adopted { "->" } else { "  " };
        writeln!(text, "  {mark} {}: {}", answer.id, answer.says).expect("a String takes every write");
    }
    for evidence in &erratum.evidence {
        writeln!(text, "     evidence: {evidence}").expect("a String takes every write");
    }
    text
}

fn describe_report(report: &Upstream) -> String {
    let Upstream {
        id,
        project,
        version,
        title,
        cause,
        proposal,
        program,
        ..
    } = report;
    format!("{id}\n  {project}: {title}\n  {version}\n  cause: {cause}\n  proposal: {proposal}\n\n{program}")
}

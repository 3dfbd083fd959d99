//! Documents of a run: the page, JUnit, JSON and Markdown, all from the events.

use std::path::Path;

use seedproof::report::{AnswerText, ClauseText, ErratumText, Extras, MistakeText, ReportError, Run};
use seedproof::vectors::{CaseId, Erratum};
use seedproof::{corpus, registry};

use crate::args::{ReportArgs, RunArgs};
use crate::edge;
use crate::exit::{Error, Exit, Outcome};

/// Writes the documents of a run into its folder and prints where the page is.
pub(crate) fn write_run(run: &Run, args: &RunArgs) -> Result<(), Error> {
    let page = args.out.join("index.html");
    edge::write(&page, &document(seedproof::report::html(run, &extras()))?)?;
    edge::write(&args.out.join("junit.xml"), &document(seedproof::report::junit(run))?)?;
    edge::write(&args.out.join("report.json"), &document(seedproof::report::json(run))?)?;
    edge::write(&args.out.join("summary.md"), &seedproof::report::markdown(run))?;
    edge::print(&format!("report: {}\n", page.display()));
    open(args.open, &page)
}

/// Makes documents from event logs.
pub(crate) fn report(args: &ReportArgs) -> Outcome {
    let texts = args.events.iter().map(|path| edge::read(path)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = args.events.iter().map(|path| path.display().to_string()).collect();
    let logs: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let run = document(Run::from_events(&logs))?;
    if let Some(path) = &args.output {
        edge::write(path, &document(seedproof::report::html(&run, &extras()))?)?;
        open(args.open, path)?;
    }
    if let Some(path) = &args.junit {
        edge::write(path, &document(seedproof::report::junit(&run))?)?;
    }
    if let Some(path) = &args.json {
        edge::write(path, &document(seedproof::report::json(&run))?)?;
    }
    if let Some(path) = &args.markdown {
        edge::write(path, &seedproof::report::markdown(&run))?;
    }
    edge::print(&seedproof::report::summary(&run, seedproof::report::Palette::ansi()));
    let conforms = run.implementations().all(|it| run.tally(&it.id).failing == 0);
    Ok(if conforms { Exit::Conforms } else { Exit::DoesNotConform })
}

fn document<T>(made: Result<T, ReportError>) -> Result<T, Error> {
    made.map_err(|error| Error::Infrastructure(format!("failed to {error}")))
}

fn open(wanted: bool, page: &Path) -> Result<(), Error> {
    if wanted { opener::open(page).map_err(|error| Error::failed("open the page", error)) } else { Ok(()) }
}

/// What the page tells beside the run: the registries, and the mistakes that the corpus is there to catch.
fn extras() -> Extras {
    let text = |name: &seedproof::vectors::Name| name.as_str().to_owned();
    Extras {
        clauses: registry()
            .clauses()
            .map(|clause| ClauseText {
                id: text(&clause.id),
                source: format!("{}, {}", clause.document, clause.section),
                says: clause.says.clone(),
                level: clause.level.to_string(),
            })
            .collect(),
        errata: registry().errata().map(erratum).collect(),
        mistakes: mistakes(),
        bench: Vec::new(),
    }
}

fn erratum(erratum: &Erratum) -> ErratumText {
    let answer = |answer: &seedproof::vectors::Answer| AnswerText {
        id: answer.id.as_str().to_owned(),
        says: answer.says.clone(),
        followers: if answer.id == erratum.adopted { vec!["spec".to_owned()] } else { Vec::new() },
    };
    ErratumText {
        id: erratum.id.as_str().to_owned(),
        source: format!("{}, {}", erratum.document, erratum.section),
        question: erratum.question.clone(),
        answers: erratum.answers.iter().map(answer).collect(),
        adopted: erratum.adopted.as_str().to_owned(),
        evidence: erratum.evidence.clone(),
    }
}

/// Each mistake with the cases whose flags say that they catch it.
fn mistakes() -> Vec<MistakeText> {
    let kills = |id: &str| -> Vec<CaseId> {
        let flagged = corpus().cases().filter(|case| case.flags.iter().any(|flag| flag.as_str() == id));
        flagged.map(|case| case.id.clone()).collect()
    };
    seedproof::readings::MISTAKES
        .iter()
        .map(|mistake| MistakeText {
            id: mistake.id.to_owned(),
            sentence: mistake.sentence.to_owned(),
            clause: mistake.clause.to_owned(),
            kills: kills(mistake.id),
            proof: String::new(),
        })
        .collect()
}

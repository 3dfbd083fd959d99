//! Documents of a run: the page, JUnit, JSON and Markdown, all from the events.

use std::path::{Path, PathBuf};

use seedproof_report::{BenchFigure, ReportError, Run};

use crate::args::{ReportArgs, RunArgs};
use crate::edge;
use crate::exit::{Error, Exit, Outcome};

/// Writes the documents of a run into its folder and prints where the page is.
pub(crate) fn write_run(run: &Run, args: &RunArgs) -> Result<(), Error> {
    let page = args.out.join("index.html");
    edge::write(&page, &document(seedproof_report::html(run, &[]))?)?;
    edge::write(
        &args.out.join("junit.xml"),
        &document(seedproof_report::junit(run))?,
    )?;
    edge::write(
        &args.out.join("report.json"),
        &document(seedproof_report::json(run))?,
    )?;
    edge::write(&args.out.join("summary.md"), &seedproof_report::markdown(run))?;
    edge::print(&format!("report: {}\n", page.display()));
    open(args.open, &page)
}

/// Makes documents from event logs.
pub(crate) fn report(args: &ReportArgs) -> Outcome {
    let texts = args
        .events
        .iter()
        .map(|path| edge::read(path))
        .collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = args
        .events
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let logs: Vec<(&str, &str)> = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str))
        .collect();
    let run = document(Run::from_events(&logs))?;
    if let Some(path) = &args.output {
        let bench = figures(&args.bench)?;
        edge::write(path, &document(seedproof_report::html(&run, &bench))?)?;
        open(args.open, path)?;
    }
    if let Some(path) = &args.junit {
        edge::write(path, &document(seedproof_report::junit(&run))?)?;
    }
    if let Some(path) = &args.json {
        edge::write(path, &document(seedproof_report::json(&run))?)?;
    }
    if let Some(path) = &args.markdown {
        edge::write(path, &seedproof_report::markdown(&run))?;
    }
    edge::print(&seedproof_report::summary(
        &run,
        seedproof_report::Palette::ansi(),
    ));
    match (run.is_as_expected(), run.is_partial()) {
        (false, _) => Ok(Exit::DoesNotConform),
        // What is missing may have failed.
        (true, true) => Err(Error::Infrastructure(
            "failed to report the whole run: findings are missing, as the banner says".to_owned(),
        )),
        (true, false) => Ok(Exit::Conforms),
    }
}

fn document<T>(made: Result<T, ReportError>) -> Result<T, Error> {
    made.map_err(|error| Error::Infrastructure(format!("failed to {error}")))
}

fn open(wanted: bool, page: &Path) -> Result<(), Error> {
    if wanted {
        opener::open(page).map_err(|error| Error::failed("open the page", error))
    } else {
        Ok(())
    }
}

/// The figures of files of JSON lines, each `{"what", "implementation", "figure", "note"}`.
fn figures(files: &[PathBuf]) -> Result<Vec<BenchFigure>, Error> {
    let mut figures = Vec::new();
    for path in files {
        let text = edge::read(path)?;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            figures.push(BenchFigure::parse(line).map_err(|error| {
                Error::Usage(format!("failed to read {}:{number}: {error}", path.display()))
            })?);
        }
    }
    Ok(figures)
}

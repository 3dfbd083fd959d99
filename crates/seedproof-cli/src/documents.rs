//! Documents of a run: the page, JUnit, JSON and Markdown, all from the events.

use std::io::Write;
use std::path::{Path, PathBuf};

use seedproof_check::Outcome;
use seedproof_ops::BackendId;
use seedproof_ops::untrusted::one_line;
use seedproof_report::{BenchFigure, Diff, Document, ReportError, Run};

use crate::args::{DiffArgs, ReportArgs, RunArgs};
use crate::claimed::Required;
use crate::exit::{CommandResult, Error, Exit};
use crate::plan::Documents;
use crate::{brought, implementations, io};

/// The names of a run's documents in its folder.
const PAGES: [&str; 4] = ["index.html", "junit.xml", "report.json", "summary.md"];

/// Writes the documents of a run into its folder and prints where the page is.
pub(crate) fn write_run(run: &Run, documents: &Documents) -> Result<(), Error> {
    let [page, junit, json, summary] = PAGES.map(|name| documents.folder.join(name));
    write_all(
        run,
        &[
            (&page, Document::Page(&[])),
            (&junit, Document::Junit(documents.unclaimed)),
            (&json, Document::Json),
            (&summary, Document::Markdown),
        ],
    )?;
    io::print(&format!("report: {}\n", page.display()));
    open(documents.open, &page)
}

/// Notes in a run which implementations claim less than is required, so that every document says it.
pub(crate) fn require(run: &mut Run, required: Option<Required>) {
    let Some(required) = required else { return };
    let claims: Vec<String> = run
        .implementations()
        .map(|it| (&it.id, run.tally(&it.id)))
        .filter(|(_, tally)| !required.is_met(tally.claimed, tally.judged))
        .map(|(id, tally)| {
            format!(
                "claims: {} claims {} of {} cases; `--require-claimed {required}` asks for more",
                one_line(id.as_str()),
                tally.claimed,
                tally.judged
            )
        })
        .collect();
    for sentence in claims {
        run.falls_short(sentence);
    }
}

/// The exit status of a run, with a sentence for each implementation of which too little is known.
pub(crate) fn verdict(run: &Run) -> Exit {
    if !run.is_as_expected() {
        return Exit::DoesNotConform;
    }
    let mut exit = match run.cases().len() {
        0 => Exit::NothingSelected,
        _ => Exit::Conforms,
    };
    for id in run.untested() {
        io::print_error(&format!("seedproof: {}\n", run.why_untested(id)));
        exit = Exit::NothingSelected;
    }
    for implementation in run.implementations() {
        for idle in run.idle_logs(&implementation.id) {
            io::print_error(&format!("seedproof: {idle}\n"));
            exit = Exit::NothingSelected;
        }
    }
    for shortfall in run.shortfalls() {
        io::print_error(&format!("seedproof: {shortfall}\n"));
        exit = Exit::NothingSelected;
    }
    exit
}

/// Whether a run is an error by itself, whatever fails in it: too little was asked or compared, or the harness failed.
pub(crate) fn is_error(run: &Run) -> bool {
    let ours = |it: &BackendId| run.findings(it).any(|it| it.outcome == Outcome::Infrastructure);
    run.untested().next().is_some()
        || run.implementations().all(|it| run.tally(&it.id).judged == 0)
        || !run.shortfalls().is_empty()
        || run.implementations().any(|it| ours(&it.id))
}

/// # Errors
/// [`Error::Usage`] if a run would write one of its files over another, or over one that it reads.
pub(crate) fn refuse_overwriting(args: &RunArgs) -> Result<(), Error> {
    let mut written: Vec<PathBuf> = PAGES.map(|name| args.out.join(name)).into();
    written.extend(args.events.clone());
    let rewritten = args.expect.as_ref().filter(|_| args.bless);
    let programs = implementations::files_of_adapters(args)?;
    let with_rewritten: Vec<PathBuf> = written.iter().chain(rewritten).cloned().collect();
    io::refuse_overwriting(&programs, &with_rewritten)?;
    written.extend(args.expect.clone());
    let mut read: Vec<PathBuf> = args.mistakes.mistakes.iter().cloned().collect();
    read.extend(brought::is_file(&args.reading).then(|| PathBuf::from(&args.reading)));
    // What is there when the corpus is read next is taken for one of its files.
    if let Some(folder) = &args.selection.dir.corpus
        && let Some(inside) = [args.events.as_ref(), rewritten]
            .into_iter()
            .flatten()
            .find(|path| io::is_within(path, folder))
    {
        return Err(Error::Usage(format!(
            "{} is in the folder of the corpus, {}; write it elsewhere",
            inside.display(),
            folder.display()
        )));
    }
    io::refuse_overwriting(&read, &written)
}

/// Makes documents from event logs.
pub(crate) fn report(args: &ReportArgs) -> CommandResult {
    let documents = [&args.output, &args.junit, &args.json, &args.markdown];
    let read: Vec<PathBuf> = args.events.iter().chain(&args.bench).cloned().collect();
    let written: Vec<PathBuf> = documents.into_iter().flatten().cloned().collect();
    io::refuse_overwriting(&read, &written)?;
    let texts = args
        .events
        .iter()
        .map(|path| io::read(path))
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
    let mut run = folded(Run::from_events(&logs))?;
    require(&mut run, args.require_claimed);
    let bench = figures(&args.bench)?;
    let wanted: Vec<(&Path, Document<'_>)> = [
        (&args.output, Document::Page(&bench)),
        (&args.junit, Document::Junit(args.junit_args.unclaimed())),
        (&args.json, Document::Json),
        (&args.markdown, Document::Markdown),
    ]
    .into_iter()
    .filter_map(|(path, document)| Some((path.as_deref()?, document)))
    .collect();
    write_all(&run, &wanted)?;
    if let Some(page) = &args.output {
        open(args.open, page)?;
    }
    let summary = seedproof_report::summary(&run, seedproof_report::Palette::ansi());
    // A document on standard output stands there alone.
    if documents.into_iter().flatten().any(|path| io::is_stdout(path)) {
        io::print_error_styled(&summary);
    } else {
        io::print(&summary);
    }
    match (verdict(&run), run.is_partial()) {
        (Exit::DoesNotConform, _) => Ok(Exit::DoesNotConform),
        // A missing finding may be a failure.
        (_, true) => Err(Error::Infrastructure(
            "failed to report the whole run: findings are missing, as the banner says".to_owned(),
        )),
        (exit, false) => Ok(exit),
    }
}

/// Compares two event logs.
pub(crate) fn diff(args: &DiffArgs) -> CommandResult {
    let run = |path: &Path| {
        let text = io::read(path)?;
        folded(Run::from_events(&[(&path.display().to_string(), &text)]))
    };
    let (old, new) = (run(&args.old)?, run(&args.new)?);
    folded(Diff::check(&old, &new))?;
    let diff = Diff::of(&old, &new, args.allow_lost);
    io::print(&if args.json {
        diff.json()
    } else {
        diff.text(seedproof_report::Palette::ansi())
    });
    // A missing finding may be a failure in the new run, or a pass in the old one that is lost.
    let partial = [(&args.new, &new), (&args.old, &old)]
        .into_iter()
        .find_map(|(path, run)| {
            let why = match (run.cut_short(), run.is_partial()) {
                (0, false) => return None,
                (0, true) => "has a part of the findings of its run",
                _ => "is cut short",
            };
            Some(format!(
                "failed to compare the whole run: {} {why}",
                path.display()
            ))
        });
    if diff.has_new_failures() && !diff.is_empty() {
        Ok(Exit::DoesNotConform)
    } else if let Some(partial) = partial {
        Err(Error::Infrastructure(partial))
    } else if diff.is_empty() {
        Ok(Exit::NothingSelected)
    } else if diff.is_worse() {
        Ok(Exit::DoesNotConform)
    } else {
        Ok(Exit::Conforms)
    }
}

/// Writes documents of a run, all or none.
fn write_all(run: &Run, documents: &[(&Path, Document<'_>)]) -> Result<(), Error> {
    let writers: Vec<_> = documents
        .iter()
        .map(|&(path, document)| (path, move |out: &mut dyn Write| document.write(run, out)))
        .collect();
    let files: Vec<(&Path, &io::Writing<'_>)> = writers
        .iter()
        .map(|(path, writer)| (*path, writer as &io::Writing<'_>))
        .collect();
    io::write_together(&files)
}

fn folded<T>(result: Result<T, ReportError>) -> Result<T, Error> {
    result.map_err(|error| Error::Infrastructure(format!("failed to {error}")))
}

fn open(wanted: bool, page: &Path) -> Result<(), Error> {
    if wanted { io::open(page) } else { Ok(()) }
}

/// The figures of files of JSON lines, each `{"what", "implementation", "figure", "note"}`.
fn figures(files: &[PathBuf]) -> Result<Vec<BenchFigure>, Error> {
    let mut figures = Vec::new();
    for path in files {
        let text = io::read(path)?;
        for (number, line) in (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let figure = BenchFigure::parse(line);
            let place = || format!("{}:{number}", path.display());
            figures
                .push(figure.map_err(|error| Error::Usage(format!("failed to read {}: {error}", place())))?);
        }
    }
    Ok(figures)
}

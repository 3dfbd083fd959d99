//! `seedproof run`: the corpus over the chosen implementations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use seedproof::Bank;
use seedproof_author::References;
use seedproof_check::{Exchange, Judgement, LeftOut as Idle, Outcome as Word};
use seedproof_ops::Limits;
use seedproof_report::{EVENTS_SCHEMA, Event, Header, LeftOut, Palette, Run};
use seedproof_vectors::{Case, Corpus, Selection};

use crate::args::{RunArgs, Shard};
use crate::auto::{self, AUTO};
use crate::exit::{Error, Exit, Outcome};
use crate::present::{self, Implementation};
use crate::{documents, edge, expectations};

/// Findings are written to the event log as soon as this many cases are judged.
const BATCH: usize = 64;
/// Failures that are printed in full; the report has all of them.
const SHOWN: usize = 20;
/// Outputs of at most this many elements are kept: for the diagnosis, and to find a reading.
pub(crate) const SMALL: u64 = 4096;
/// Wrong outputs of at most this many elements are kept for the diagnosis: what goes wrong only from some size on,
/// where work is split, shows in no smaller one.
const MIDDLING: u64 = 1 << 17;

/// Runs, writes the documents, prints the failures and the summary.
pub(crate) fn run(args: &RunArgs) -> Outcome {
    let corpus = edge::corpus(&args.selection.dir)?;
    let selected = select(&corpus, &args.selection.queries)?;
    let cases = part(&selected, args.shard);
    if cases.is_empty() {
        edge::complain(&nothing_selected(args));
        return Ok(Exit::NothingSelected);
    }
    let bank = Bank::new(Limits {
        max_output_bytes: args.max_output,
    });
    if args.reading != AUTO && bank.reading(&args.reading).is_none() {
        return Err(present::unknown_reading(&args.reading));
    }
    let (implementations, absent) = present::chosen(args)?;
    let (implementations, reading) = match args.reading.as_str() {
        AUTO => find_reading(implementations, &cases, &bank)?,
        named => (implementations, named.to_owned()),
    };
    let says = |case: &&Case| seedproof::applies(case, &bank, &reading);
    // Of all parts together, so that logs of several parts say the same.
    let idle = selected.iter().filter(|case| !says(case)).count();
    let cases: Vec<&Case> = cases.into_iter().filter(says).collect();
    let all = corpus.cases().filter(says).count();
    let mut log = Log::create(args, header(args, &corpus, all, &implementations, &reading))?;
    if idle > 0 {
        log.push(Event::LeftOut(LeftOut {
            what: format!("{idle} cases"),
            reason: format!("they say nothing about the reading {reading}, only about others"),
        }))?;
    }
    for left_out in absent {
        log.push(Event::LeftOut(left_out))?;
    }
    log.describe(References::of_cases(cases.iter().copied()), &corpus, &bank)?;
    for implementation in &implementations {
        let judged = judge_all(implementation, &cases, &bank, &reading, &mut log)?;
        let failed = |it: &Judgement| matches!(it.exchange, Some(Exchange::Failed(_)));
        if judged.iter().any(failed) {
            let diagnosed = seedproof::diagnosed(implementation.backend.id(), &judged, &bank);
            log.describe(References::of_diagnosis(&diagnosed.diagnosis), &corpus, &bank)?;
            log.push(Event::Diagnosis(diagnosed))?;
        }
    }
    if let Some(file) = &args.expect {
        let expectations = expectations::review_of(&log.run, file, args.bless)?;
        log.push(Event::Expectations(expectations))?;
    }
    let run = log.end()?;
    print(&run);
    if let Some(file) = &args.expect {
        expectations::print(&run, file);
    }
    documents::write_run(&run, args)?;
    let ours = run
        .cases()
        .flat_map(|case| case.findings.values())
        .any(|it| it.outcome == Word::Infrastructure);
    if ours {
        return Err(Error::Infrastructure(
            "the harness itself failed; see the findings above".to_owned(),
        ));
    }
    Ok(match (run.is_as_expected(), run.cases().len()) {
        (false, _) => Exit::DoesNotConform,
        (true, 0) => Exit::NothingSelected,
        (true, _) => Exit::Conforms,
    })
}

fn nothing_selected(args: &RunArgs) -> String {
    let queries = &args.selection.queries;
    let which = if queries.is_empty() {
        String::new()
    } else {
        format!(" for {}", queries.join(" "))
    };
    let part = args
        .shard
        .map(|shard| format!(" in part {shard}"))
        .unwrap_or_default();
    format!(
        "seedproof: nothing is selected{which}{part}; `seedproof list QUERY` prints what a query selects\n"
    )
}

/// The one implementation with the reading that explains it best, which is printed. A run is judged against one
/// reading, so several implementations, which may follow several, are refused.
fn find_reading(
    mut implementations: Vec<Implementation>,
    cases: &[&Case],
    bank: &Bank,
) -> Result<(Vec<Implementation>, String), Error> {
    let (Some(only), []) = (implementations.pop(), implementations.as_slice()) else {
        return Err(Error::Usage(
            "--reading auto is about one implementation, and a run is judged against one reading; name one with \
             --backend or --adapter, and run the others apart"
                .to_owned(),
        ));
    };
    let found = auto::find(only, cases, bank)?;
    edge::print(&found.table);
    Ok((vec![found.implementation], found.reading))
}

/// The cases that the queries select.
pub(crate) fn select<'a>(corpus: &'a Corpus, queries: &[String]) -> Result<Vec<&'a Case>, Error> {
    let selection = Selection::parse(queries).map_err(|error| Error::Usage(format!("failed to {error}")))?;
    Ok(corpus.cases().filter(|case| selection.matches(case)).collect())
}

/// The cases that fall to a shard.
fn part<'a>(cases: &[&'a Case], shard: Option<Shard>) -> Vec<&'a Case> {
    let (skipped, step) = shard.map_or((0, 1), |shard| (shard.index - 1, shard.count));
    cases.iter().copied().skip(skipped).step_by(step).collect()
}

/// `cases`: how many of the whole corpus say anything about the reading.
fn header(
    args: &RunArgs,
    corpus: &Corpus,
    cases: usize,
    implementations: &[Implementation],
    reading: &str,
) -> Header {
    let mut options = present::reading_flag(reading);
    if let Some(folder) = &args.selection.dir.corpus {
        options += " --corpus ";
        options += &present::quoted(&folder.display().to_string());
    }
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Header {
        schema: EVENTS_SCHEMA,
        seedproof: env!("CARGO_PKG_VERSION").to_owned(),
        date: jiff::Timestamp::now()
            .strftime("%Y-%m-%d %H:%M:%S UTC")
            .to_string(),
        command: std::iter::once("seedproof".to_owned())
            .chain(std::env::args().skip(1))
            .collect::<Vec<_>>()
            .join(" "),
        corpus: seedproof_report::Corpus {
            hash: corpus.hash().to_owned(),
            cases,
        },
        reading: reading.to_owned(),
        filter: args.selection.queries.clone(),
        shard: args.shard.map(|shard| (number(shard.index), number(shard.count))),
        implementations: implementations
            .iter()
            .map(|implementation| seedproof_report::Implementation {
                id: implementation.backend.id().clone(),
                description: implementation.backend.description(),
                rerun: format!("{}{options}", implementation.rerun),
            })
            .collect(),
    }
}

/// The event log: on disk if asked for, and folded into a run as it grows.
struct Log {
    run: Run,
    file: Option<(String, fs::File)>,
    findings: usize,
    described: References,
}

impl Log {
    fn create(args: &RunArgs, header: Header) -> Result<Self, Error> {
        let file = match &args.events {
            None => None,
            Some(path) => {
                let name = path.display().to_string();
                let file = edge::create(path)?;
                Some((name, file))
            }
        };
        let mut log = Self {
            run: Run::default(),
            file,
            findings: 0,
            described: References::default(),
        };
        log.push(Event::Run(Box::new(header)))?;
        Ok(log)
    }

    fn push(&mut self, event: Event) -> Result<(), Error> {
        if let Some((name, file)) = &mut self.file {
            writeln!(file, "{}", event.line())
                .map_err(|error| Error::failed(format!("write {name}"), error))?;
        }
        self.findings += usize::from(matches!(event, Event::Finding(_)));
        self.run
            .apply(event)
            .map_err(|error| Error::failed("follow the run", error))
    }

    /// Describes the clauses, errata and mistakes that the log has not described yet.
    fn describe(&mut self, more: References, corpus: &Corpus, bank: &Bank) -> Result<(), Error> {
        let events = self.described.describe(more, corpus, bank);
        events.into_iter().try_for_each(|event| self.push(event))
    }

    fn finding(&mut self, judgement: &Judgement, case: &Case) -> Result<(), Error> {
        if self.run.case(&case.id).is_none() {
            self.push(Event::Case(Box::new(seedproof_report::CaseFacts::of(case))))?;
        }
        self.push(Event::Finding(Box::new(judgement.finding.clone())))
    }

    fn end(mut self) -> Result<Run, Error> {
        let findings = self.findings;
        self.push(Event::End { findings })?;
        Ok(self.run)
    }
}

fn judge_all(
    implementation: &Implementation,
    cases: &[&Case],
    bank: &Bank,
    reading: &str,
    log: &mut Log,
) -> Result<Vec<Judgement>, Error> {
    let backend = implementation.backend.as_ref();
    let bar = progress(backend.id().as_str(), cases.len());
    let pool = threads(implementation)?;
    let mut judged = Vec::new();
    let mut idle: BTreeMap<String, usize> = BTreeMap::new();
    for batch in cases.chunks(BATCH) {
        let results: Vec<Result<Judgement, Idle>> = pool.install(|| {
            batch
                .par_iter()
                .map(|case| {
                    let result = seedproof::judge_case(case, backend, bank, Some(reading));
                    bar.inc(1);
                    result.map(|judgement| light(case, judgement))
                })
                .collect()
        });
        for (case, result) in batch.iter().zip(results) {
            match result {
                Ok(judgement) => {
                    log.finding(&judgement, case)?;
                    judged.push(judgement);
                }
                Err(left_out) => *idle.entry(left_out.reason).or_default() += 1,
            }
        }
    }
    bar.finish_and_clear();
    for (reason, count) in idle {
        let cases = if count == 1 { "case" } else { "cases" };
        log.push(Event::LeftOut(LeftOut {
            what: format!("{}: {count} {cases}", backend.id()),
            reason,
        }))?;
    }
    Ok(judged)
}

/// As many threads as the implementation takes requests at a time.
pub(crate) fn threads(implementation: &Implementation) -> Result<rayon::ThreadPool, Error> {
    let threads = implementation.jobs.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::failed("start threads", error))
}

/// The judgement without outputs that are too large to be kept for the diagnosis.
fn light(case: &Case, mut judgement: Judgement) -> Judgement {
    let most = match judgement.exchange {
        Some(Exchange::Failed(_)) => MIDDLING,
        _ => SMALL,
    };
    if seedproof::elements(&case.request) > most {
        judgement.exchange = None;
    }
    judgement
}

pub(crate) fn progress(name: &str, cases: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} {elapsed}")
        .expect("a template that is tested");
    ProgressBar::new(u64::try_from(cases).unwrap_or(u64::MAX))
        .with_style(style)
        .with_prefix(name.to_owned())
}

fn print(run: &Run) {
    let palette = Palette::ansi();
    let failing = || {
        run.cases()
            .flat_map(|case| case.findings.values())
            .filter(|finding| !finding.outcome.conforms() && run.expected(finding).is_none())
    };
    let mut text = String::new();
    for finding in failing().take(SHOWN) {
        text.push_str(&seedproof_report::failure(run, finding, palette));
        text.push('\n');
    }
    let more = failing().count().saturating_sub(SHOWN);
    if more > 0 {
        writeln!(text, "… and {more} more, in the report\n").expect("a String takes every write");
    }
    text.push_str(&seedproof_report::summary(run, palette));
    edge::print(&text);
}

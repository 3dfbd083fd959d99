//! `seedproof run`: the corpus over the chosen implementations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use rayon::prelude::*;
use seedproof::judging::{Kept, without_large_outputs};
use seedproof_author::References;
use seedproof_check::{Exchange, Finding, Judgement, NotApplicable, Outcome};
use seedproof_corpus::Case;
use seedproof_report::{CaseFacts, Ended, Event, LeftOut, Palette, Run};

use crate::args::RunArgs;
use crate::exit::{CommandResult, Error, Exit};
use crate::implementations::Implementation;
use crate::interrupt::{self, LogFile, SharedLog};
use crate::plan::{Plan, Started};
use crate::progress::Progress;
use crate::threads::threads;
use crate::{documents, io, random, selection};

/// Findings are written to the event log as soon as this many cases are judged.
const BATCH: usize = 64;
/// Failures that are printed in full; the report has all of them.
const MAX_PRINTED_FAILURES: usize = 20;
/// Makes the plan, judges, writes the documents, prints the failures and the summary.
pub(crate) fn run(args: &RunArgs) -> CommandResult {
    documents::refuse_overwriting(args)?;
    let file = SharedLog::default();
    interrupt::listen(Arc::clone(&file))?;
    // Random requests are drawn from what the implementations claim, so the implementations start first.
    let (corpus, started) = match args.random {
        Some(count) => {
            let started = Started::new(args, usize::try_from(count).unwrap_or(usize::MAX))?;
            let corpus = selection::by_chance(count, args, &started.implementations)?;
            (corpus, Some(started))
        }
        None => (selection::corpus(&args.selection.dir)?, None),
    };
    io::print_error(&selection::queries_after_dashes(&corpus, &args.argv));
    let Some(plan) = Plan::new(args, &corpus, started)? else {
        let queries = &args.selection.queries;
        io::print_error(&selection::nothing_selected(&corpus, queries, args.shard));
        return Ok(Exit::NothingSelected);
    };
    if let Some(table) = &plan.reading_table {
        io::print(table);
    }
    let mut log = Log::create(&plan, file)?;
    let mut smallest = Vec::new();
    for implementation in &plan.implementations {
        smallest.push(judge_all(implementation, &plan, &mut log, args.random.is_some())?);
    }
    if let Some(file) = &plan.expectations {
        let is_error = documents::is_error(&log.run, plan.required);
        let expectations = file.review(&log.run, plan.corpus, is_error)?;
        log.push(Event::Expectations(expectations))?;
    }
    let run = log.end()?;
    print(&run);
    if args.shown.verbose {
        io::print(&seedproof_report::tried(&run));
    }
    if let Some(file) = &plan.expectations {
        file.print(&run);
    }
    documents::write_run(&run, &plan.documents)?;
    if args.random.is_some() {
        io::print(&random::summary(&run, &plan, &smallest));
    }
    let ours = run
        .cases()
        .flat_map(|case| case.findings.values())
        .any(|it| it.outcome == Outcome::Infrastructure);
    if ours {
        return Err(Error::Infrastructure(
            "the harness itself failed; see the findings above".to_owned(),
        ));
    }
    Ok(documents::verdict(&run, plan.required))
}

/// The event log: on disk if asked for, and folded into a run as it grows.
struct Log {
    run: Run,
    file: SharedLog,
    findings: usize,
    described: References,
}

impl Log {
    /// Begins a log with what the plan says before anything is judged.
    fn create(plan: &Plan<'_>, file: SharedLog) -> Result<Self, Error> {
        // Before an hour of work rather than after it.
        io::check_folder(&plan.documents.folder)?;
        let first = Event::Run(Box::new(plan.header.clone()));
        if let Some(path) = &plan.documents.events {
            // Hold the lock so that an interrupt cannot write its event before the header.
            let mut file = interrupt::held(&file);
            *file = Some(LogFile::begin(path, &first)?);
        }
        let mut log = Self {
            run: Run::default(),
            file,
            findings: 0,
            described: References::default(),
        };
        log.follow(first)?;
        for left_out in &plan.left_out {
            log.push(Event::LeftOut(left_out.clone()))?;
        }
        log.describe(&References::of_cases(plan.cases.iter().copied()), plan)?;
        Ok(log)
    }

    fn push(&mut self, event: Event) -> Result<(), Error> {
        if let Some(file) = interrupt::held(&self.file).as_ref() {
            file.write(&event)?;
        }
        self.follow(event)
    }

    fn follow(&mut self, event: Event) -> Result<(), Error> {
        self.findings += usize::from(matches!(event, Event::Finding(_)));
        self.run
            .apply(event)
            .map_err(|error| Error::failed("follow the run", error))
    }

    /// Describes the clauses, errata and mistakes that the log has not described yet.
    fn describe(&mut self, references: &References, plan: &Plan<'_>) -> Result<(), Error> {
        let events = self.described.describe(references, plan.corpus, &plan.bank);
        events.into_iter().try_for_each(|event| self.push(event))
    }

    fn finding(&mut self, judgement: &Judgement, case: &Case) -> Result<(), Error> {
        if self.run.case(&case.id).is_none() {
            self.push(Event::Case(Box::new(CaseFacts::of(case))))?;
        }
        self.push(Event::Finding(Box::new(Finding {
            micros: u64::try_from(judgement.took.as_micros()).ok(),
            ..judgement.finding.clone()
        })))
    }

    fn end(mut self) -> Result<Run, Error> {
        let end = Event::End {
            findings: self.findings,
        };
        // The log is whole. A line that an interrupt added after its end would make `report` refuse it.
        if let Some(file) = interrupt::held(&self.file).take() {
            file.write(&end)?;
        }
        self.follow(end)?;
        Ok(self.run)
    }
}

/// Judges an implementation on all cases. Of random requests, returns the failures shrunk to minimal cases.
fn judge_all(
    implementation: &Implementation,
    plan: &Plan<'_>,
    log: &mut Log,
    is_random: bool,
) -> Result<Vec<String>, Error> {
    let backend = implementation.backend.as_ref();
    let bar = Progress::new(backend.id().as_str(), plan.cases.len());
    let pool = threads(implementation)?;
    let mut kept = Kept::default();
    let mut not_applicable: BTreeMap<String, usize> = BTreeMap::new();
    for batch in plan.cases.chunks(BATCH) {
        let results: Vec<Result<Judgement, NotApplicable>> = pool.install(|| {
            batch
                .par_iter()
                .map(|case| {
                    let result =
                        seedproof::judging::judge_case(case, backend, &plan.bank, Some(&plan.header.reading));
                    bar.step();
                    result.map(without_large_outputs)
                })
                .collect()
        });
        for (case, result) in batch.iter().zip(results) {
            match result {
                Ok(mut judgement) => {
                    log.finding(&judgement, case)?;
                    // The log has them now, and a diagnosis reads neither. Of each case 4 KiB are kept of them.
                    judgement.finding.message = String::new();
                    judgement.finding.stderr = String::new();
                    if judgement.exchange.is_some() {
                        kept.add(judgement, case);
                    }
                }
                Err(left_out) => *not_applicable.entry(left_out.reason).or_default() += 1,
            }
        }
    }
    drop(bar);
    for (reason, cases) in not_applicable {
        log.push(Event::LeftOut(LeftOut {
            cases,
            ..LeftOut::new(backend.id().as_str(), reason)
        }))?;
    }
    let failed = |judgement: &Judgement| matches!(judgement.exchange, Some(Exchange::Failed(_)));
    let failures = kept.judgements().iter().filter(|it| failed(it)).count();
    let fails = failures > 0;
    let bar = fails.then(|| Progress::new(&format!("{} diagnosing", backend.id()), failures));
    // All answers are known from here on. What follows can take as long as they did, or an adapter's deadline.
    // Before the end of the processes, which answer nothing after it.
    let smallest = if is_random {
        random::shrunk(&log.run, implementation, plan)
    } else {
        Vec::new()
    };
    let (ended, diagnosed) = interrupt::during(
        || {
            let ended = backend.end();
            let searched = || bar.iter().for_each(Progress::step);
            let diagnosed = fails.then(|| {
                seedproof::judging::diagnosed(backend.id(), kept.into_exchanges(), &plan.bank, &searched)
            });
            (ended, diagnosed)
        },
        |signal| {
            if let Err(error) = leave(log, plan, signal) {
                io::print_error(&format!("seedproof: {error}\n"));
            }
            std::process::exit(128 + signal)
        },
    );
    drop(bar);
    for how in ended {
        log.push(Event::Ended(Ended {
            backend: backend.id().clone(),
            how,
        }))?;
    }
    if let Some(diagnosed) = diagnosed {
        log.describe(&References::of_diagnosis(&diagnosed.diagnosis), plan)?;
        log.push(Event::Diagnosis(diagnosed))?;
    }
    Ok(smallest)
}

/// Leaves the page of what is known when a run is interrupted while it looks for causes: every finding so far, and that the
/// rest is missing.
fn leave(log: &mut Log, plan: &Plan<'_>, signal: i32) -> Result<(), Error> {
    let reason = format!("interrupted by {} while diagnosing", interrupt::name_of(signal));
    log.push(Event::LeftOut(LeftOut::new("the rest of the run", reason)))?;
    interrupt::say(signal);
    print(&log.run);
    documents::write_run(&log.run, &plan.documents)
}

fn print(run: &Run) {
    let palette = Palette::ansi();
    let mut failing: Vec<&Finding> = run
        .cases()
        .flat_map(|case| case.findings.values().map(Box::as_ref))
        .filter(|finding| !finding.outcome.conforms() && run.expected(finding).is_none())
        .collect();
    // Cases that were not run follow from another failure, which comes first, as in the summary.
    failing.sort_by_key(|finding| finding.outcome == Outcome::NotRun);
    let mut text = String::new();
    for finding in failing.iter().take(MAX_PRINTED_FAILURES) {
        text.push_str(&seedproof_report::failure(run, finding, palette));
        text.push('\n');
    }
    let more = failing.len().saturating_sub(MAX_PRINTED_FAILURES);
    if more > 0 {
        writeln!(text, "… and {more} more, in the report\n").expect("a String takes every write");
    }
    text.push_str(&seedproof_report::summary(run, palette));
    io::print(&text);
}

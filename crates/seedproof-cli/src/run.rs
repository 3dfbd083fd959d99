//! `seedproof run`: the corpus over the chosen implementations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use seedproof::judging::{Kept, elements};
use seedproof_author::References;
use seedproof_check::{Finding, Judgement, NotApplicable, Outcome};
use seedproof_corpus::Case;
use seedproof_ops::untrusted::bounded_to;
use seedproof_report::{CaseFacts, Ended, Event, Judged, LeftOut, Palette, Run};

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
/// Outputs of more elements are judged one at a time, after the others of their batch. A judgement takes up to ten times the
/// output: the reply's line, both answers, and the answer to a second question. The corpus has some thirty.
const LARGE_ELEMENTS: u64 = 1 << 17;
/// The most bytes of messages and standard error of a run's findings. An adapter that fills both for every case would take
/// more memory with them than the whole run without.
const MAX_TEXTS: usize = 1 << 20;
/// The most bytes that a finding keeps of either beyond [`MAX_TEXTS`].
const BRIEF: usize = 256;
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
    documents::require(&mut log.run, plan.required);
    if let Some(file) = &plan.expectations {
        let is_error = documents::is_error(&log.run);
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
        .flat_map(Judged::findings)
        .any(|it| it.outcome == Outcome::Infrastructure);
    if ours {
        return Err(Error::Infrastructure(
            "the harness itself failed; see the findings above".to_owned(),
        ));
    }
    Ok(documents::verdict(&run))
}

/// The event log: on disk if asked for, and folded into a run as it grows.
struct Log {
    run: Run,
    file: SharedLog,
    findings: usize,
    /// The bytes that messages and standard error took.
    texts: usize,
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
            texts: 0,
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
        let events = self.described.describe(references, plan.corpus, &plan.catalogue);
        events.into_iter().try_for_each(|event| self.push(event))
    }

    fn finding(&mut self, judgement: Judgement, case: &Case) -> Result<(), Error> {
        if self.run.case(&case.id).is_none() {
            self.push(Event::Case(Box::new(CaseFacts::of(case))))?;
        }
        let mut finding = Finding {
            micros: u64::try_from(judgement.took.as_micros()).ok(),
            ..judgement.finding
        };
        for text in [&mut finding.message, &mut finding.stderr] {
            if self.texts > MAX_TEXTS {
                *text = bounded_to(BRIEF, mem::take(text));
            }
            self.texts += text.len();
        }
        self.push(Event::Finding(Box::new(finding)))
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
    let kept = Mutex::new(Kept::default());
    let mut not_applicable: BTreeMap<String, usize> = BTreeMap::new();
    let judge = |place: usize| {
        let case = plan.cases[place];
        let result =
            seedproof::judging::judge_case(case, backend, &plan.catalogue, Some(&plan.header.reading));
        bar.step();
        let result = result.map(|mut judgement| {
            // At once: the answers to a batch of large cases would take a gigabyte.
            if let Some(exchange) = judgement.exchange.take() {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.add(place, exchange, case);
            }
            judgement
        });
        (place, result)
    };
    let places: Vec<usize> = (0..plan.cases.len()).collect();
    for batch in places.chunks(BATCH) {
        let is_large = |place: &usize| elements(&plan.cases[*place].request) > LARGE_ELEMENTS;
        let (large, small): (Vec<usize>, Vec<usize>) = batch.iter().partition(|place| is_large(place));
        let mut results: Vec<(usize, Result<Judgement, NotApplicable>)> =
            pool.install(|| small.into_par_iter().map(judge).collect());
        results.extend(large.into_iter().map(|place| pool.install(|| judge(place))));
        results.sort_unstable_by_key(|(place, _)| *place);
        for (place, result) in results {
            match result {
                Ok(judgement) => log.finding(judgement, plan.cases[place])?,
                Err(left_out) => *not_applicable.entry(left_out.reason).or_default() += 1,
            }
        }
    }
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    drop(bar);
    for (reason, cases) in not_applicable {
        log.push(Event::LeftOut(LeftOut {
            cases,
            ..LeftOut::new(backend.id().as_str(), reason)
        }))?;
    }
    let failures = kept.failures();
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
                let exchanges = kept.into_exchanges().map(|(_, exchange)| exchange);
                seedproof::judging::diagnosed(backend.id(), exchanges, &plan.catalogue, &searched)
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
        .flat_map(Judged::findings)
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

//! `seedproof run`: the corpus over the chosen implementations.

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::Write as _;
use std::sync::Arc;

use rayon::prelude::*;
use seedproof_author::References;
use seedproof_check::{Exchange, Finding, Judgement, NotApplicable, Outcome};
use seedproof_corpus::{Case, CaseId};
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
const SHOWN: usize = 20;
/// Work of the right answers that are kept for the diagnosis together: as much as it tries a cause on. The cheapest are kept, as those
/// are the ones that it tries.
const MAX_PASSES_TOGETHER: u64 = 1 << 20;
/// Wrong outputs of at most this many elements are kept for the diagnosis: all of the corpus. An error that begins at
/// some size, where work is split, shows in no smaller one.
const MAX_DIAGNOSED_ELEMENTS: u64 = 1 << 20;
/// Elements of wrong outputs that are kept together, some 100 MB. Beyond, the largest are not diagnosed.
const MAX_DIAGNOSED_TOGETHER: u64 = 1 << 24;

/// Makes the plan, judges, writes the documents, prints the failures and the summary.
pub(crate) fn run(args: &RunArgs) -> CommandResult {
    documents::refuse_overwriting(args)?;
    let file = SharedLog::default();
    interrupt::listen(Arc::clone(&file))?;
    // What is asked at random is what the implementations claim, so that they start first.
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
    for implementation in &plan.implementations {
        judge_all(implementation, &plan, &mut log)?;
    }
    if let Some(file) = &plan.expectations {
        let expectations = file.review(&log.run, plan.corpus)?;
        log.push(Event::Expectations(expectations))?;
    }
    let run = log.end()?;
    print(&run);
    if let Some(file) = &plan.expectations {
        file.print(&run);
    }
    documents::write_run(&run, &plan.documents)?;
    if args.random.is_some() {
        io::print(&random::summary(&run, &plan));
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
            // An interrupt waits: a log that begins with why it ends is none.
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
        let findings = self.findings;
        self.push(Event::End { findings })?;
        Ok(self.run)
    }
}

fn judge_all(implementation: &Implementation, plan: &Plan<'_>, log: &mut Log) -> Result<(), Error> {
    let backend = implementation.backend.as_ref();
    let bar = Progress::new(backend.id().as_str(), u64::try_from(plan.cases.len()).ok());
    let pool = threads(implementation)?;
    let mut judged: Vec<Judgement> = Vec::new();
    let mut wrong = Kept::up_to(MAX_DIAGNOSED_TOGETHER);
    let mut right = Kept::up_to(MAX_PASSES_TOGETHER);
    let mut not_applicable: BTreeMap<String, usize> = BTreeMap::new();
    for batch in plan.cases.chunks(BATCH) {
        let results: Vec<Result<Judgement, NotApplicable>> = pool.install(|| {
            batch
                .par_iter()
                .map(|case| {
                    let result =
                        seedproof::judging::judge_case(case, backend, &plan.bank, Some(&plan.header.reading));
                    bar.step();
                    result.map(drop_large_outputs)
                })
                .collect()
        });
        for (case, result) in batch.iter().zip(results) {
            match result {
                Ok(judgement) => {
                    log.finding(&judgement, case)?;
                    let given_up = match &judgement.exchange {
                        Some(exchange @ Exchange::Failed(_)) => {
                            wrong.add(elements(exchange), case, judged.len())
                        }
                        Some(Exchange::Passed(_)) => right.add(case.request.work(), case, judged.len()),
                        None => Vec::new(),
                    };
                    judged.push(judgement);
                    for place in given_up {
                        judged[place].exchange = None;
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
    for how in backend.end() {
        log.push(Event::Ended(Ended {
            backend: backend.id().clone(),
            how,
        }))?;
    }
    let failed = |judgement: &Judgement| matches!(judgement.exchange, Some(Exchange::Failed(_)));
    if judged.iter().any(failed) {
        let bar = Progress::new(&format!("{} diagnosing", backend.id()), None);
        let diagnosed = seedproof::judging::diagnosed(backend.id(), &judged, &plan.bank);
        drop(bar);
        log.describe(&References::of_diagnosis(&diagnosed.diagnosis), plan)?;
        log.push(Event::Diagnosis(diagnosed))?;
    }
    Ok(())
}

/// The exchanges that are kept for the diagnosis, largest first: their size, their case, and their places among the judgements.
struct Kept<'a> {
    exchanges: BinaryHeap<(u64, &'a CaseId, usize)>,
    together: u64,
    most: u64,
}

impl<'a> Kept<'a> {
    fn up_to(most: u64) -> Self {
        Self {
            exchanges: BinaryHeap::new(),
            together: 0,
            most,
        }
    }

    /// Adds an exchange. Returns the places of the largest ones, which are given up while all together are too large.
    fn add(&mut self, size: u64, case: &'a Case, place: usize) -> Vec<usize> {
        self.exchanges.push((size, &case.id, place));
        self.together = self.together.saturating_add(size);
        let mut given_up = Vec::new();
        while self.together > self.most
            && let Some((size, _, place)) = self.exchanges.pop()
        {
            self.together -= size;
            given_up.push(place);
        }
        given_up
    }
}

fn elements(exchange: &Exchange) -> u64 {
    u64::try_from(exchange.elements()).unwrap_or(u64::MAX)
}

/// The judgement without outputs that are too large to be kept for the diagnosis.
fn drop_large_outputs(mut judgement: Judgement) -> Judgement {
    let most = match judgement.exchange {
        Some(Exchange::Failed(_)) => MAX_DIAGNOSED_ELEMENTS,
        _ => MAX_PASSES_TOGETHER,
    };
    if judgement.exchange.as_ref().is_some_and(|it| elements(it) > most) {
        judgement.exchange = None;
    }
    judgement
}

fn print(run: &Run) {
    let palette = Palette::ansi();
    let mut failing: Vec<&Finding> = run
        .cases()
        .flat_map(|case| case.findings.values())
        .filter(|finding| !finding.outcome.conforms() && run.expected(finding).is_none())
        .collect();
    // What was not run follows from another failure, which stands first, as in the summary.
    failing.sort_by_key(|finding| finding.outcome == Outcome::NotRun);
    let mut text = String::new();
    for finding in failing.iter().take(SHOWN) {
        text.push_str(&seedproof_report::failure(run, finding, palette));
        text.push('\n');
    }
    let more = failing.len().saturating_sub(SHOWN);
    if more > 0 {
        writeln!(text, "… and {more} more, in the report\n").expect("a String takes every write");
    }
    text.push_str(&seedproof_report::summary(run, palette));
    io::print(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_exchanges_are_given_up_first() {
        let case = seedproof::corpus().cases().next().unwrap();
        let mut kept = Kept::up_to(100);
        let mut place = 0;
        let mut given_up = |sizes: &[u64]| {
            let added = sizes.iter().flat_map(|&size| {
                place += 1;
                kept.add(size, case, place - 1)
            });
            added.collect::<Vec<_>>()
        };
        assert!(given_up(&[9, 91]).is_empty());
        assert_eq!(given_up(&[1]), [1]);
        assert_eq!(given_up(&[90, 1, 4]), [3]);
        // One that is too large by itself, whatever it claims.
        assert_eq!(given_up(&[u64::MAX]), [6]);
        assert_eq!(kept.exchanges.len(), 4);
    }
}

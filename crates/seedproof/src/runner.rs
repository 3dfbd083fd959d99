//! A test target without the standard harness, with its command line and its output.
//!
//! `cargo test` and nextest use filters, `--exact`, `--skip`, `--list`, `--ignored`, `--format` and `--test-threads`.
//! Other options of the standard harness have no effect here. An exact name that no trial has is an error.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use seedproof_ops::{NanRule, did_you_mean, on_threads};

/// One test of a backend: a case, or a file of cases.
pub struct Trial {
    /// The backend and the case or file: `reference::ru8/tensorflow/f32/spec-example-1`.
    pub name: String,
    /// Judges the backend, and prints nothing.
    pub run: Box<dyn Fn() -> TrialOutcome + Send + Sync>,
}

/// How a trial ended.
#[derive(Debug, PartialEq, Eq)]
pub enum TrialOutcome {
    /// Every case conforms.
    Passed,
    /// The backend claims none of the cases, for this reason.
    Ignored(String),
    /// A case does not conform. The text has the failures and their diagnosis.
    Failed(String),
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Run,
    List,
}

/// Which trials have a line of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lines {
    /// All trials if there are at most [`MAX_LISTED_TRIALS`], and otherwise failures alone.
    #[default]
    Few,
    All,
    /// Failures alone.
    Failures,
}

/// The most trials that have a line each by default. That is about a screen; the corpus has over 14,000 trials.
const MAX_LISTED_TRIALS: usize = 50;

/// The command line of a test target.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    filters: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    mode: Mode,
    lines: Lines,
    /// `--ignored`: only trials that do not run by default, of which there are none.
    only_ignored: bool,
    threads: Option<NonZeroUsize>,
    /// `--strict-nan`.
    pub(crate) nan: NanRule,
}

impl Arguments {
    /// The arguments of this process.
    ///
    /// # Errors
    /// A sentence about an option whose value is missing or wrong.
    pub(crate) fn of_process() -> Result<Self, String> {
        let arguments = std::env::args_os().skip(1);
        let mut parsed = Self::parse(arguments.map(|argument| argument.to_string_lossy().into_owned()))?;
        // As in the standard harness, the option has precedence over the variable.
        if let (None, Ok(threads)) = (parsed.threads, std::env::var("RUST_TEST_THREADS")) {
            parsed.threads = Some(number(&threads)?);
        }
        Ok(parsed)
    }

    fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            if !argument.starts_with('-') {
                parsed.filters.push(argument);
                continue;
            }
            let (option, inline) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let mut value = || {
                let value = inline.clone().or_else(|| arguments.next());
                value.ok_or_else(|| format!("{option} takes a value"))
            };
            match option {
                "--exact" => parsed.exact = true,
                "--list" => parsed.mode = Mode::List,
                "--ignored" => parsed.only_ignored = true,
                "-q" | "--quiet" => parsed.lines = Lines::Failures,
                "--nocapture" | "--no-capture" | "--show-output" => parsed.lines = Lines::All,
                "--format" => {
                    parsed.lines = match value()?.as_str() {
                        "terse" => Lines::Failures,
                        _ => Lines::All,
                    }
                }
                "--strict-nan" => parsed.nan = NanRule::Bits,
                "--skip" => parsed.skipped.push(value()?),
                "--test-threads" => parsed.threads = Some(number(&value()?)?),
                // Their values must not be taken for filters.
                "--color" | "--logfile" | "-Z" | "--shuffle-seed" => drop(value()?),
                _ => {}
            }
        }
        Ok(parsed)
    }

    /// Whether a trial of this name is chosen.
    pub(crate) fn choose(&self, name: &str) -> bool {
        let is = |pattern: &String| {
            if self.exact {
                name == pattern
            } else {
                name.contains(pattern.as_str())
            }
        };
        !self.only_ignored
            && (self.filters.is_empty() || self.filters.iter().any(is))
            && !self.skipped.iter().any(is)
    }

    /// The error for an exact filter that no trial has as its name. `cargo test -- --exact a::b` passes the filter to every
    /// target of a package, so a filter that may name a test of another target is no error.
    fn missing(&self, trials: &[Trial]) -> Option<String> {
        let names = || trials.iter().map(|trial| trial.name.as_str());
        let group = |name: &str| name.split_once("::").map(|(group, _)| group.to_owned());
        let is_ours = |filter: &str| {
            let own = group(filter);
            filter.contains('/') || (own.is_some() && names().any(|name| group(name) == own))
        };
        let mut exact = self.filters.iter().filter(|_| self.exact && !self.only_ignored);
        let missing = exact.find(|filter| is_ours(filter) && names().all(|name| name != filter.as_str()))?;
        let nearest = did_you_mean(missing, names());
        Some(format!("no test is called `{missing}`{nearest}"))
    }
}

fn number(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number of threads: expected 1 or more"))
}

/// Runs or lists the chosen trials. At the end it prints the lines of `closing`, which takes whether all trials were
/// chosen. The exit status is 101 if a trial fails or no trial has an exact name, as that of the standard harness.
pub(crate) fn run(
    arguments: &Arguments,
    trials: Vec<Trial>,
    closing: impl FnOnce(bool) -> Vec<String>,
) -> ExitCode {
    if let Some(missing) = arguments.missing(&trials) {
        eprintln!("error: {missing}");
        return ExitCode::from(101);
    }
    let all = trials.len();
    let chosen: Vec<Trial> = trials
        .into_iter()
        .filter(|trial| arguments.choose(&trial.name))
        .collect();
    if arguments.mode == Mode::List {
        for trial in &chosen {
            println!("{}: test", trial.name);
        }
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    println!("\nrunning {} tests", chosen.len());
    let verbose = match arguments.lines {
        Lines::All => true,
        Lines::Few => chosen.len() <= MAX_LISTED_TRIALS,
        Lines::Failures => false,
    };
    if arguments.lines == Lines::Few && !verbose {
        println!("(a line for each failure; `-- --format pretty` prints one for each test)");
    }
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(trial) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            // A panic of a backend is part of a finding. What arrives here is a fault of the judge, and must not end
            // the other trials.
            let outcome = catch_unwind(AssertUnwindSafe(&trial.run))
                .unwrap_or_else(|_| TrialOutcome::Failed("the judge panicked".to_owned()));
            let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
            if verbose || matches!(outcome, TrialOutcome::Failed(_)) {
                let word = match &outcome {
                    TrialOutcome::Passed => "ok".to_owned(),
                    TrialOutcome::Ignored(reason) => format!("ignored, {reason}"),
                    TrialOutcome::Failed(_) => "FAILED".to_owned(),
                };
                println!("test {} ... {word}", trial.name);
            }
            outcomes.push((trial.name.as_str(), outcome));
        }
    };
    let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
    on_threads(threads.map_or(1, NonZeroUsize::get), work);
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    let count = |is: fn(&TrialOutcome) -> bool| outcomes.iter().filter(|(_, outcome)| is(outcome)).count();
    let mut failures: Vec<(&str, &str)> = outcomes
        .iter()
        .filter_map(|(name, outcome)| match outcome {
            TrialOutcome::Failed(text) => Some((*name, text.as_str())),
            _ => None,
        })
        .collect();
    // Threads end in any order, and two runs should have the same output.
    failures.sort_unstable();
    if !failures.is_empty() {
        println!("\nfailures:\n");
        for (name, text) in &failures {
            println!("---- {name} ----\n{text}\n");
        }
        println!("\nfailures:");
        for (name, _) in &failures {
            println!("    {name}");
        }
    }
    for line in closing(chosen.len() == all) {
        println!("{line}");
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; {} ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        count(|outcome| *outcome == TrialOutcome::Passed),
        failures.len(),
        count(|outcome| matches!(outcome, TrialOutcome::Ignored(_))),
        all - chosen.len(),
        start.elapsed().as_secs_f64()
    );
    if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(101)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn trials_are_chosen_by_filters() {
        for (line, chosen) in [
            ("", &["a::one", "a::two", "b::one"][..]),
            ("a::", &["a::one", "a::two"]),
            ("two b", &["a::two", "b::one"]),
            ("--exact a::one --nocapture", &["a::one"]),
            ("--exact one", &[]),
            ("one --skip b --color always", &["a::one"]),
            ("--skip=one", &["a::two"]),
            ("--ignored", &[]),
            ("--include-ignored --format=terse --test-threads 2 b", &["b::one"]),
        ] {
            let arguments = parse(line).unwrap();
            let mut names = vec!["a::one", "a::two", "b::one"];
            names.retain(|name| arguments.choose(name));
            assert_eq!(names, chosen, "{line}");
        }
        for (line, lines) in [
            ("", Lines::Few),
            ("--format pretty", Lines::All),
            ("--format=terse", Lines::Failures),
            ("-q", Lines::Failures),
            ("--nocapture", Lines::All),
        ] {
            assert_eq!(parse(line).unwrap().lines, lines, "{line}");
        }
        assert_eq!(parse("--test-threads=3").unwrap().threads, NonZeroUsize::new(3));
        assert_eq!(
            parse("--test-threads 0").unwrap_err(),
            "`0` is not a number of threads: expected 1 or more"
        );
        assert_eq!(parse("a::").unwrap().nan, NanRule::Class);
        assert_eq!(parse("a:: --strict-nan").unwrap().nan, NanRule::Bits);
        assert_eq!(parse("--skip").unwrap_err(), "--skip takes a value");
    }

    #[test]
    fn trials_that_are_named_exactly_and_are_not_here_are_missed() {
        let trials = ["mine::ru8/one", "mine::ru8/two"].map(|name| Trial {
            name: name.to_owned(),
            run: Box::new(|| TrialOutcome::Passed),
        });
        let missing = |line: &str| parse(line).unwrap().missing(&trials);
        assert_eq!(
            missing("--exact ru8/one").unwrap(),
            "no test is called `ru8/one`; did you mean `mine::ru8/one`?"
        );
        assert!(missing("--exact mine::ru8/three mine::ru8/one").is_some());
        assert!(missing("--exact mine::none").is_some());
        for line in [
            "--exact mine::ru8/one",
            "--exact other::test",
            "ru8/one",
            "ru8/none",
        ] {
            assert_eq!(missing(line), None, "{line}");
        }
    }

    #[test]
    fn trials_that_fail_or_panic_fail_the_target() {
        let trial = |name: &str, outcome: fn() -> TrialOutcome| Trial {
            name: name.to_owned(),
            run: Box::new(outcome),
        };
        let status = |line: &str| {
            let trials = vec![
                trial("passes", || TrialOutcome::Passed),
                trial("is ignored", || TrialOutcome::Ignored("why".to_owned())),
                trial("fails", || TrialOutcome::Failed("wrong".to_owned())),
                trial("panics", || panic!("a panic that this test expects")),
            ];
            format!("{:?}", run(&parse(line).unwrap(), trials, |_| Vec::new()))
        };
        let success = format!("{:?}", ExitCode::SUCCESS);
        let failure = format!("{:?}", ExitCode::from(101));
        for (line, expected) in [
            ("pass ignored", &success),
            ("--list", &success),
            ("", &failure),
            ("fails", &failure),
            ("panics --quiet --test-threads=1", &failure),
            ("--exact passes", &success),
            ("--exact elsewhere::a_unit_test", &success),
            ("--exact ru8/a/case", &failure),
        ] {
            assert_eq!(&status(line), expected, "{line}");
        }
    }
}

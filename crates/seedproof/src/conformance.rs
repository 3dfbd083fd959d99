//! The corpus as a test target: a trial for every backend and case.
//!
//! Names are `reference::ru8/tensorflow/f32/spec-example-1`. Under nextest, which starts a process per trial, the
//! trials are coarser, one per backend and file: `reference::known-answers/philox.yaml`. Either way a process
//! parses only the files that its trials need, and trials print nothing: a failure carries its text.

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use seedproof_check::{Judgement, SPEC};
use seedproof_ops::{Backend, Limits, NanRule};
use seedproof_report::Palette;
use seedproof_vectors::{Case, RETIRED};

use crate::judging::{Bank, failure_text, judge_case, quiet_panics};
use crate::runner::{self, Arguments, Trial, TrialOutcome};

/// Runs the corpus over these backends as a test target without the standard harness (`harness = false`), with the
/// command line of `cargo test`, and the option `--strict-nan`: a NaN must have the expected bits, where by default any
/// NaN of the type will do.
///
/// An unsupported request is listed as ignored, with the reason. A claim that is not kept fails.
///
/// ```no_run
/// use seedproof::{Backend, BackendId, Failure, Request, Response, Support};
///
/// struct Mine(BackendId);
///
/// impl Backend for Mine {
///     fn id(&self) -> &BackendId {
///         &self.0
///     }
///
///     fn supports(&self, request: &Request) -> Support {
///         Support::No("nothing is implemented yet".to_owned())
///     }
///
///     fn run(&self, request: &Request) -> Result<Response, Failure> {
///         Err(Failure::Unsupported("nothing is implemented yet".to_owned()))
///     }
/// }
///
/// // tests/conformance.rs
/// fn main() -> std::process::ExitCode {
///     seedproof::conformance_main(vec![Box::new(Mine(BackendId::new("mine")))])
/// }
/// ```
pub fn conformance_main(backends: Vec<Box<dyn Backend>>) -> ExitCode {
    match Arguments::of_process() {
        Ok(arguments) => runner::run(&arguments, trials(backends, arguments.nan)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The trials that [`conformance_main`] runs, for another test runner: one for every backend and case, or under nextest
/// for every backend and file of the corpus; `nan` says which NaNs are the same element.
///
/// From here on a panic of a backend prints nothing: it is part of a finding.
pub fn trials(backends: Vec<Box<dyn Backend>>, nan: NanRule) -> Vec<Trial> {
    quiet_panics();
    Suite::new(backends, nan).trials(std::env::var_os("NEXTEST").is_some())
}

/// The backends, judges and files that all trials share.
struct Suite {
    backends: Vec<Box<dyn Backend>>,
    bank: Bank,
    files: Vec<File>,
}

/// One file of the corpus, parsed when a trial first needs it.
struct File {
    name: &'static str,
    text: &'static str,
    cases: OnceLock<Result<Vec<Case>, String>>,
}

impl File {
    fn cases(&self) -> Result<&[Case], String> {
        let parse = || match seedproof_vectors::parse(self.name, self.text) {
            Ok(file) => Ok(file.cases),
            Err(errors) => Err(errors.to_string()),
        };
        self.cases.get_or_init(parse).as_deref().map_err(Clone::clone)
    }

    /// The ids in the file, found without parsing it: in canonical form each begins a line.
    fn ids(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.lines().filter_map(|line| line.strip_prefix("  - id: "))
    }
}

impl Suite {
    fn new(backends: Vec<Box<dyn Backend>>, nan: NanRule) -> Arc<Self> {
        let file = |&(name, text): &(&'static str, &'static str)| File {
            name,
            text,
            cases: OnceLock::new(),
        };
        Arc::new(Self {
            backends,
            bank: Bank::new(Limits::default()).with_nan(nan),
            files: seedproof_corpus::FILES
                .iter()
                .filter(|(name, _)| *name != RETIRED)
                .map(file)
                .collect(),
        })
    }

    fn trials(self: &Arc<Self>, coarse: bool) -> Vec<Trial> {
        let mut trials = Vec::new();
        for (backend, judged) in self.backends.iter().enumerate() {
            for (file, parsed) in self.files.iter().enumerate() {
                let parts = if coarse {
                    vec![parsed.name]
                } else {
                    parsed.ids().collect()
                };
                trials.extend(parts.into_iter().map(|part| {
                    let suite = Arc::clone(self);
                    let only = (!coarse).then_some(part);
                    Trial {
                        name: format!("{}::{part}", judged.id()),
                        run: Box::new(move || {
                            suite.run(suite.backends[backend].as_ref(), &suite.files[file], only)
                        }),
                    }
                }));
            }
        }
        trials
    }

    /// Judges one case of a file, or all of them.
    fn run(&self, backend: &dyn Backend, file: &File, only: Option<&str>) -> TrialOutcome {
        let cases = match file.cases() {
            Ok(cases) => cases,
            Err(errors) => return TrialOutcome::Failed(errors),
        };
        let mut idle = Vec::new();
        let mut failures: Vec<(&Case, Judgement)> = Vec::new();
        let mut asked = 0;
        for case in cases
            .iter()
            .filter(|case| only.is_none_or(|id| case.id.as_str() == id))
        {
            asked += 1;
            match judge_case(case, backend, &self.bank, None) {
                Err(left_out) => idle.push(left_out.reason),
                Ok(judgement) if judgement.finding.outcome == seedproof_check::Outcome::Unsupported => {
                    idle.push(judgement.finding.message);
                }
                Ok(judgement) if judgement.finding.outcome.conforms() => {}
                Ok(judgement) => failures.push((case, judgement)),
            }
        }
        if asked == 0 {
            return TrialOutcome::Failed(
                "the case is not where its id was found: run `seedproof gen`".to_owned(),
            );
        }
        if !failures.is_empty() {
            let rerun = format!("cargo test -- --exact {}::", backend.id());
            return TrialOutcome::Failed(failure_text(
                &rerun,
                SPEC,
                &failures,
                &self.bank,
                Palette::plain(),
            ));
        }
        if idle.len() == asked {
            idle.dedup();
            TrialOutcome::Ignored(idle.join("; "))
        } else {
            TrialOutcome::Passed
        }
    }
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{BackendId, Failure, Request, Response, Support};

    use super::*;

    struct Idle(BackendId);

    impl Backend for Idle {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _: &Request) -> Support {
            Support::No("nothing is here".to_owned())
        }

        fn run(&self, _: &Request) -> Result<Response, Failure> {
            Err(Failure::Unsupported("nothing is here".to_owned()))
        }
    }

    #[test]
    fn conformance_of_nothing_is_ignored_by_case_and_by_file() {
        let suite = Suite::new(vec![Box::new(Idle(BackendId::new("idle")))], NanRule::Class);
        for coarse in [true, false] {
            let trials = suite.trials(coarse);
            let trial = trials
                .iter()
                .find(|trial| trial.name.starts_with("idle::"))
                .unwrap();
            assert_eq!(
                (trial.run)(),
                TrialOutcome::Ignored("nothing is here".to_owned()),
                "{}",
                trial.name
            );
        }
    }
}

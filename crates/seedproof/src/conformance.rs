//! The corpus as a test target: a trial for every backend and case.
//!
//! Names are `reference::ru8/tensorflow/f32/spec-example-1`. Under nextest, which starts a process per trial, the
//! trials are coarser, one per backend and file: `reference::known-answers/philox.yaml`. Either way a process parses
//! only the files that its trials need. Trials print nothing: a failure is returned as text, with the command that runs
//! its case alone under `cargo test`. The trial `reference::claims` fails if the backend claims no case at all.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use seedproof_check::{Judgement, Outcome, SPEC};
use seedproof_corpus::{Case, CaseId};
use seedproof_ops::{Backend, BackendId, Limits, NanRule, Support};
use seedproof_report::{CaseFacts, Coverage, Palette};

use crate::corpus::corpus;
use crate::judging::{Catalogue, Caught, Kept, causes, failure_text, judge_case, quiet_panics};
use crate::runner::{self, Arguments, Trial, TrialOutcome};

/// Runs the corpus over these backends as a test target without the standard harness (`harness = false`). The command
/// line is that of `cargo test`, with one more option: under `--strict-nan` a NaN must have the expected bits, where by
/// default any NaN of the type will do.
///
/// An unsupported request is listed as ignored, with the reason. A claim that is not kept fails, and so does a backend
/// that claims no case at all. With more than fifty trials only failures have a line each; `--format pretty` prints
/// all.
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
///         Support::Unsupported("nothing is implemented yet".to_owned())
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
    conformance_of(backends, NanRule::Class)
}

/// [`conformance_main`] with another rule for NaNs. The option `--strict-nan` compares their bits whatever the rule is.
pub fn conformance_of(backends: Vec<Box<dyn Backend>>, nan: NanRule) -> ExitCode {
    match Arguments::of_process() {
        Ok(arguments) => {
            quiet_panics();
            let nan = if arguments.nan == NanRule::Bits {
                NanRule::Bits
            } else {
                nan
            };
            let suite = Suite::new(backends, nan);
            let trials = suite.trials(is_coarse());
            runner::run(&arguments, trials, |whole| suite.closing(whole))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The trials that [`conformance_main`] runs, for another test runner: one for every backend and case, or, under
/// nextest, one for every backend and file of the corpus. `nan` says which NaNs are the same element.
///
/// From this call on, a panic of a backend prints nothing, because it is reported as part of a finding.
///
/// ```
/// use seedproof::ops::NanRule;
/// use seedproof::{Backend, BackendId, Failure, Request, Response, Support, TrialOutcome, trials};
///
/// struct Mine(BackendId);
///
/// impl Backend for Mine {
///     fn id(&self) -> &BackendId {
///         &self.0
///     }
///
///     fn supports(&self, _: &Request) -> Support {
///         Support::Unsupported("nothing is implemented yet".to_owned())
///     }
///
///     fn run(&self, _: &Request) -> Result<Response, Failure> {
///         Err(Failure::Unsupported("nothing is implemented yet".to_owned()))
///     }
/// }
///
/// let trials = trials(vec![Box::new(Mine(BackendId::new("mine")))], NanRule::Class);
/// // A backend that claims nothing fails no case, and so this trial has to fail.
/// let claims = trials.iter().find(|trial| trial.name == "mine::claims").expect("each backend has this trial");
/// assert!(matches!((claims.run)(), TrialOutcome::Failed(_)));
/// ```
pub fn trials(backends: Vec<Box<dyn Backend>>, nan: NanRule) -> Vec<Trial> {
    quiet_panics();
    Suite::new(backends, nan).trials(is_coarse())
}

/// Whether nextest started this process. It starts one for every trial, so that 14,000 trials would be 14,000 processes
/// that each parse a file.
fn is_coarse() -> bool {
    std::env::var_os("NEXTEST").is_some()
}

/// The command that runs one trial of this target again, up to the trial's name: `cargo test -p mine --test conformance
/// -- --exact`.
fn rerun(nan: NanRule) -> String {
    let exact = match nan {
        NanRule::Class => "--exact",
        NanRule::Bits => "--strict-nan --exact",
    };
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), Into::into);
    let program = std::env::current_exe().unwrap_or_default();
    // cargo sets the package for the programs that it runs. Without cargo the program itself is the command.
    let package = std::env::var("CARGO_PKG_NAME").ok();
    match package.zip(target_of(&program)) {
        Some((package, target)) => format!(
            "cargo test -p {} --test {} -- {exact}",
            quoted(&package),
            quoted(&target)
        ),
        None => format!("{} {exact}", quoted(&program.display().to_string())),
    }
}

/// The test target of a program that cargo built: `conformance` for `deps/conformance-57d29f7fd646eb59`. Where the
/// program has `_` the target may have `-`, and a `?` in the glob that cargo takes matches both.
fn target_of(program: &Path) -> Option<String> {
    let (target, digest) = program.file_stem()?.to_str()?.rsplit_once('-')?;
    let is_digest = digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_digest.then(|| target.replace('_', "?"))
}

/// The backends and judges that all trials share.
struct Suite {
    backends: Vec<Box<dyn Backend>>,
    catalogue: Catalogue,
    /// The cases that each backend was asked in this process, by parts of the corpus.
    coverage: Mutex<BTreeMap<BackendId, Coverage>>,
    /// The number of failures of each backend, and the answers that the diagnosis at the end of the run needs.
    kept: Mutex<BTreeMap<BackendId, (usize, Kept<CaseId>)>>,
}

impl Suite {
    fn new(backends: Vec<Box<dyn Backend>>, nan: NanRule) -> Arc<Self> {
        Arc::new(Self {
            backends,
            catalogue: Catalogue::new(Limits::default()).with_nan(nan),
            coverage: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    fn trials(self: &Arc<Self>, coarse: bool) -> Vec<Trial> {
        let mut trials = Vec::new();
        for (backend, judged) in self.backends.iter().enumerate() {
            let suite = Arc::clone(self);
            trials.push(Trial {
                name: format!("{}::claims", judged.id()),
                run: Box::new(move || Self::claims(suite.backends[backend].as_ref())),
            });
            for (file, ids) in corpus().listed() {
                let parts = if coarse {
                    vec![(file, ids)]
                } else {
                    ids.into_iter().map(|id| (id, vec![id])).collect()
                };
                trials.extend(parts.into_iter().map(|(part, ids)| {
                    let suite = Arc::clone(self);
                    Trial {
                        name: format!("{}::{part}", judged.id()),
                        run: Box::new(move || suite.run(suite.backends[backend].as_ref(), &ids)),
                    }
                }));
            }
        }
        trials
    }

    /// Whether a backend claims anything. A backend that claims nothing fails no case, and would pass unnoticed.
    fn claims(backend: &dyn Backend) -> TrialOutcome {
        let backend = Caught(backend);
        let mut reason = "there is no case".to_owned();
        // The cases one by one, so that only the files before the first that is claimed are parsed.
        for case in corpus().ids().filter_map(|id| corpus().get(id)) {
            match backend.supports(&case.request) {
                Support::Supported => return TrialOutcome::Passed,
                Support::Unsupported(why) => reason = why,
            }
        }
        TrialOutcome::Failed(format!(
            "{} was not tested: it claims no case of the corpus. Its reason for the last case: {reason}",
            backend.id()
        ))
    }

    /// The last lines of a run: which parts of the corpus each backend was asked, which not, and the causes of its
    /// failures.
    fn closing(&self, whole: bool) -> Vec<String> {
        // A lock is poisoned where a trial panicked, which its runner reports. What other trials noted is still true.
        let coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |(id, coverage): (&BackendId, &Coverage)| {
            let (mut asked, not_asked) = coverage.words(whole);
            if asked.is_empty() {
                asked.push_str("nothing");
            }
            match not_asked.as_str() {
                "" => format!("{id} was asked {asked}"),
                rest => format!("{id} was asked {asked}; nothing asked of {rest}"),
            }
        };
        let asked: Vec<String> = coverage.iter().map(line).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = std::mem::take(&mut *kept).into_iter();
        let causes = kept.flat_map(|(id, (failures, kept))| {
            let exchanges = kept.into_exchanges().map(|(_, exchange)| exchange);
            causes(&id, failures, exchanges, &self.catalogue)
        });
        asked.into_iter().chain(causes).collect()
    }

    fn note(&self, case: &Case, backend: &dyn Backend, judgement: &Judgement) {
        let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        let coverage = coverage.entry(backend.id().clone()).or_default();
        coverage.add(&CaseFacts::of(case), Some(judgement.finding.outcome));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (failures, kept) = kept.entry(backend.id().clone()).or_default();
        *failures += usize::from(!judgement.finding.outcome.conforms());
        if let Some(exchange) = judgement.exchange.clone() {
            kept.add(case.id.clone(), exchange, case);
        }
    }

    /// Judges the cases of these ids.
    fn run(&self, backend: &dyn Backend, ids: &[&str]) -> TrialOutcome {
        let mut idle = Vec::new();
        let mut failures: Vec<(&Case, Judgement)> = Vec::new();
        for &id in ids {
            // The id was found as text. If no case has it, the file is not in canonical form, and passing would be wrong.
            let Some(case) = corpus().get(id) else {
                return TrialOutcome::Failed(format!(
                    "{id} is not where its id was found: run `seedproof gen`"
                ));
            };
            let judgement = judge_case(case, backend, &self.catalogue, None);
            if let Ok(judgement) = &judgement {
                self.note(case, backend, judgement);
            }
            match judgement {
                Err(left_out) => idle.push(left_out.reason),
                Ok(judgement) if judgement.finding.outcome == Outcome::Unsupported => {
                    idle.push(judgement.finding.message);
                }
                Ok(judgement) if judgement.finding.outcome.conforms() => {}
                Ok(judgement) => failures.push((case, judgement)),
            }
        }
        if !failures.is_empty() {
            let name = format!("{}::", backend.id());
            let name = shlex::try_quote(&name).map_or_else(|_| name.clone(), Into::into);
            let rerun = format!("{} {name}", rerun(self.catalogue.nan()));
            return TrialOutcome::Failed(failure_text(
                &rerun,
                SPEC,
                &failures,
                &self.catalogue,
                Palette::plain(),
            ));
        }
        // A file counts as ignored only if nothing in it was judged. Its cases often have one reason, which is said
        // once.
        if idle.len() == ids.len() {
            idle.dedup();
            TrialOutcome::Ignored(idle.join("; "))
        } else {
            TrialOutcome::Passed
        }
    }
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Failure, Request, Response};

    use super::*;

    struct Idle(BackendId);

    impl Backend for Idle {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _: &Request) -> Support {
            Support::Unsupported("nothing is here".to_owned())
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
            let trial = trials.iter().find(|trial| trial.name.contains('/')).unwrap();
            assert_eq!(
                (trial.run)(),
                TrialOutcome::Ignored("nothing is here".to_owned()),
                "{}",
                trial.name
            );
            let claims = trials.iter().find(|trial| trial.name == "idle::claims").unwrap();
            let TrialOutcome::Failed(text) = (claims.run)() else {
                panic!("a backend that claims nothing conforms");
            };
            assert!(
                text.starts_with("idle was not tested: it claims no case of the corpus"),
                "{text}"
            );
        }
        assert!(suite.closing(false)[0].starts_with("idle was asked nothing; nothing asked of "));
    }

    /// A block of nine rounds, in f32.
    struct Nine(BackendId, Catalogue);

    impl Backend for Nine {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, request: &Request) -> Support {
            match request.filed_type().as_str() {
                "f32" => Support::Supported,
                other => Support::Unsupported(format!("{other} is not here")),
            }
        }

        fn run(&self, request: &Request) -> Result<Response, Failure> {
            let mistake = self.1.mistakes().find(|(it, _)| it.id == "rounds-9");
            mistake.expect("it is one of the mistakes").1.run(request)
        }
    }

    #[test]
    fn conformance_ends_with_the_cause_of_all_failures() {
        let catalogue = || Catalogue::new(Limits::default());
        let backend = Nine(BackendId::new("nine"), catalogue());
        let suite = Suite::new(vec![Box::new(backend)], NanRule::Class);
        let failed = |trial: &Trial| matches!((trial.run)(), TrialOutcome::Failed(_));
        let trials = suite.trials(false);
        let of_ranges = trials
            .iter()
            .filter(|it| it.name.contains("ru8/tensorflow/f32/range-"));
        let failures = of_ranges.filter(|it| failed(it)).count();
        assert!(failures > 10, "{failures}");
        let closing = suite.closing(false);
        let cause = format!("nine: rounds-9 explains {failures} of {failures} failures: ");
        assert!(closing[1].starts_with(&cause), "{closing:?}");
        assert_eq!(closing.len(), 2, "{closing:?}");
    }

    #[test]
    fn targets_have_the_names_of_their_programs() {
        let target = |program: &str| target_of(Path::new(program));
        let digest = "57d29f7fd646eb59";
        let one = target(&format!("target/debug/deps/conformance-{digest}"));
        assert_eq!(one.as_deref(), Some("conformance"));
        let two = target(&format!("target/debug/deps/my_tests-{digest}.exe"));
        assert_eq!(two.as_deref(), Some("my?tests"));
        assert_eq!(target("./conformance"), None);
        assert_eq!(target("./my-conformance"), None);
    }
}

//! The corpus as a libtest-mimic test target: a trial for every backend and case.
//!
//! Names are `reference::ru8/tensorflow/f32/spec-example-1`. Under nextest, which starts a process per trial, the
//! trials are coarser, one per backend and file: `reference::known-answers/philox.yaml`. Either way a process
//! parses only the files that its trials need, and trials print nothing: what they have to say is in their
//! failure.

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use seedproof_check::{Judgement, Outcome};
use seedproof_ops::{Backend, Limits};
use seedproof_report::Palette;
use seedproof_vectors::{Case, RETIRED};

use crate::{Bank, failure_text, judge_case};

/// Runs the corpus over these backends as a test target, with the command line of `cargo test`, and says how it
/// went. An unsupported request is listed as ignored, with the reason; a claim that is not kept fails.
pub fn conformance_main(backends: Vec<Box<dyn Backend>>) -> ExitCode {
    crate::quiet_panics();
    let arguments = Arguments::from_args();
    let coarse = std::env::var_os("NEXTEST").is_some();
    let suite = Arc::new(Suite::new(backends));
    let trials = suite.trials(coarse, &arguments);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What all trials share.
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
    fn cases(&self) -> Result<&[Case], Failed> {
        let parse = || match seedproof_vectors::parse(self.name, self.text) {
            Ok(file) => Ok(file.cases),
            Err(errors) => Err(errors.to_string()),
        };
        self.cases.get_or_init(parse).as_deref().map_err(Failed::from)
    }

    /// The ids in the file, found without parsing it: in canonical form each begins a line.
    fn ids(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.lines().filter_map(|line| line.strip_prefix("  - id: "))
    }
}

impl Suite {
    fn new(backends: Vec<Box<dyn Backend>>) -> Self {
        let file = |&(name, text): &(&'static str, &'static str)| File {
            name,
            text,
            cases: OnceLock::new(),
        };
        Self {
            backends,
            bank: Bank::new(Limits::default()),
            files: seedproof_corpus::FILES
                .iter()
                .filter(|(name, _)| *name != RETIRED)
                .map(file)
                .collect(),
        }
    }

    fn trials(self: &Arc<Self>, coarse: bool, arguments: &Arguments) -> Vec<Trial> {
        let exact = arguments.exact.then_some(arguments.filter.as_deref()).flatten();
        let mut trials = Vec::new();
        for (backend, judged) in self.backends.iter().enumerate() {
            for (file, source) in self.files.iter().enumerate() {
                let parts = if coarse {
                    vec![source.name]
                } else {
                    source.ids().collect()
                };
                for part in parts {
                    let name = format!("{}::{part}", judged.id());
                    if exact.is_some_and(|exact| exact != name) {
                        continue;
                    }
                    let suite = Arc::clone(self);
                    let run = move || suite.run(backend, file, (!coarse).then_some(part));
                    trials.push(Trial::ignorable_test(name, run));
                }
            }
        }
        trials
    }

    /// Judges one case of a file, or all of them.
    fn run(&self, backend: usize, file: usize, only: Option<&str>) -> Result<Completion, Failed> {
        let backend = self.backends[backend].as_ref();
        let mut idle = Vec::new();
        let mut failures: Vec<(&Case, Judgement)> = Vec::new();
        let mut asked = 0;
        for case in self.files[file]
            .cases()?
            .iter()
            .filter(|case| only.is_none_or(|id| case.id.as_str() == id))
        {
            asked += 1;
            match judge_case(case, backend, &self.bank, None) {
                Err(left_out) => idle.push(left_out.reason),
                Ok(judgement) if judgement.finding.outcome == Outcome::Unsupported => {
                    idle.push(judgement.finding.message);
                }
                Ok(judgement) if judgement.finding.outcome.conforms() => {}
                Ok(judgement) => failures.push((case, judgement)),
            }
        }
        if asked == 0 {
            return Err(Failed::from(
                "the case is not where its id was found: run `seedproof gen`",
            ));
        }
        if !failures.is_empty() {
            let rerun = "cargo test -- --exact";
            return Err(Failed::from(failure_text(
                rerun,
                &failures,
                &self.bank,
                Palette::plain(),
            )));
        }
        idle.dedup();
        Ok(if idle.len() == asked {
            Completion::ignored_with(idle.join("; "))
        } else {
            Completion::Completed
        })
    }
}

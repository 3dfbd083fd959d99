//! Judging with the oracle, the readings and the mistakes of this project.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::{Once, OnceLock};

use seedproof_check::{
    Diagnosis, Exchange, Expected, Explanation, FailedCase, Finding, Judgement, Judges, NotApplicable,
    PassedCase, SPEC, Suspects,
};
use seedproof_corpus::{Case, CaseId, Corpus, Expectation, Location, Name, Provenance};
use seedproof_ops::{Answer, Ask, Backend, BackendId, Failure, Limits, Request, Response, Stages, Support};
use seedproof_report::{CaseFacts, Diagnosed, Palette, Why};

pub use crate::catalogue::{Catalogue, entropy};
pub use crate::kept::Kept;
use crate::seeds::in_words_of_ops;

/// The most causes of one backend that the end of a run names.
const CAUSES: usize = 5;

/// Judges one case on a backend, against the reading `spec`.
///
/// ```
/// use seedproof::{Backend, BackendId, Failure, Outcome, Request, Response, Support};
/// use seedproof::ops::Tensor;
///
/// /// An implementation that draws nothing but zeros.
/// struct Zeros(BackendId);
///
/// impl Backend for Zeros {
///     fn id(&self) -> &BackendId {
///         &self.0
///     }
///
///     fn supports(&self, _: &Request) -> Support {
///         Support::Supported
///     }
///
///     fn run(&self, _: &Request) -> Result<Response, Failure> {
///         Ok(Response::of(Tensor::scalar(0.0_f32)))
///     }
/// }
///
/// let case = seedproof::corpus().get("ru8/tensorflow/f32/spec-example-1").expect("the corpus has this case");
/// let finding = seedproof::judge(case, &Zeros(BackendId::new("zeros")))?;
/// assert_eq!(finding.outcome, Outcome::Fail);
/// # Ok::<(), seedproof::NotApplicable>(())
/// ```
///
/// # Errors
/// [`NotApplicable`] if the case says nothing about `spec`, but only about other readings.
pub fn judge(case: &Case, backend: &dyn Backend) -> Result<Finding, NotApplicable> {
    static BANK: OnceLock<Catalogue> = OnceLock::new();
    let catalogue = BANK.get_or_init(|| Catalogue::new(Limits::default()));
    judge_case(case, backend, catalogue, None).map(|judgement| judgement.finding)
}

/// Judges one case on one backend, under `spec` or another reading. A panic of the backend counts as its error.
///
/// ```
/// use seedproof::Outcome;
/// use seedproof::judging::{Catalogue, judge_case};
/// use seedproof::ops::Limits;
///
/// let catalogue = Catalogue::new(Limits::default());
/// let case = seedproof::corpus().get("ru8/tensorflow/f32/spec-example-1").expect("the corpus has this case");
/// let judgement = judge_case(case, catalogue.spec(), &catalogue, Some("spec"))?;
/// assert_eq!(judgement.finding.outcome, Outcome::Pass);
/// # Ok::<(), seedproof::NotApplicable>(())
/// ```
///
/// # Errors
/// [`NotApplicable`] if the case says nothing under the reading.
pub fn judge_case(
    case: &Case,
    backend: &dyn Backend,
    catalogue: &Catalogue,
    reading: Option<&str>,
) -> Result<Judgement, NotApplicable> {
    let requested = reading.and_then(|name| Some((name, catalogue.reading(name)?)));
    let judges = Judges {
        oracle: catalogue.oracle(backend.id()),
        requested,
        readings: &catalogue.others(),
        nan: catalogue.nan(),
        repeat: catalogue.repeat(),
    };
    seedproof_check::examine(case, &Caught(backend), &judges)
}

/// An ad-hoc case, which expects the oracle's answer to a request. Its id is `ad-hoc/` and the op's prefix.
///
/// ```
/// use seedproof::judging::ad_hoc;
/// use seedproof::ops::{Alignment, RandomUniform, Request};
///
/// let request = RandomUniform::new(Alignment::Tensorflow, &[2, 3], [-1.0_f32, 1.0], [7, 0]);
/// assert_eq!(ad_hoc(Request::RandomUniform(request)).id.as_str(), "ad-hoc/ru8");
/// ```
pub fn ad_hoc(request: Request) -> Case {
    let prefix = request.description().prefix;
    Case {
        id: CaseId::new(&format!("ad-hoc/{prefix}"))
            .expect("the prefix of an op begins the ids of its cases"),
        location: Location::start("ad hoc"),
        clauses: Vec::new(),
        errata: Vec::new(),
        flags: Vec::new(),
        provenance: Provenance::Derived {
            reading: Name::new(SPEC).expect("`spec` is a name"),
            revision: 1,
        },
        request,
        expect: Expectation::Oracle,
        readings: BTreeMap::new(),
        printed: None,
        margin: None,
        note: None,
    }
}

/// Whether a case says anything about a reading.
///
/// ```
/// use seedproof::judging::{Catalogue, applies};
/// use seedproof::ops::Limits;
///
/// let catalogue = Catalogue::new(Limits::default());
/// let case = seedproof::corpus().get("ru8/tensorflow/f32/spec-example-1").expect("the corpus has this case");
/// assert!(applies(case, &catalogue, "spec"));
/// // The reading of JAX does not have the op.
/// assert!(!applies(case, &catalogue, "jax-0.10"));
/// ```
pub fn applies(case: &Case, catalogue: &Catalogue, reading: &str) -> bool {
    seedproof_check::applies(case, &under(catalogue, reading)).is_ok()
}

/// How many cases of a corpus say anything about a reading.
///
/// ```
/// use seedproof::corpus;
/// use seedproof::judging::{Catalogue, under_reading};
/// use seedproof::ops::Limits;
///
/// // `spec` leaves the answer to some requests open.
/// let cases = under_reading(corpus(), &Catalogue::new(Limits::default()), "spec");
/// assert!(10_000 < cases && cases < corpus().size());
/// ```
pub fn under_reading(corpus: &Corpus, catalogue: &Catalogue, reading: &str) -> usize {
    // Within the default limits the reference answers every case of the built-in corpus that leaves its answer to it, so
    // that the files that a run does not ask about need no parsing for the header of its log.
    if std::ptr::eq(corpus, crate::corpus()) && reading == SPEC && catalogue.limits() == Limits::default() {
        return corpus.size() - corpus.unspecified();
    }
    corpus
        .cases()
        .filter(|case| applies(case, catalogue, reading))
        .count()
}

/// The answer that a case expects under a reading. An output that the case states by its digest is computed.
///
/// ```
/// use seedproof::judging::{Catalogue, expected};
/// use seedproof::ops::Limits;
///
/// let catalogue = Catalogue::new(Limits::default());
/// let case = seedproof::corpus().get("ru8/tensorflow/f32/spec-example-1").expect("the corpus has this case");
/// let under_spec = expected(case, &catalogue, "spec")?;
/// assert!(matches!(under_spec, seedproof_check::Expected::Value(_)));
/// # Ok::<(), seedproof::NotApplicable>(())
/// ```
///
/// # Errors
/// [`NotApplicable`] if the case says nothing under the reading.
pub fn expected(case: &Case, catalogue: &Catalogue, reading: &str) -> Result<Expected, NotApplicable> {
    Expected::in_full(case, &under(catalogue, reading))
}

/// The judges for questions about one reading alone.
fn under<'a>(catalogue: &'a Catalogue, reading: &'a str) -> Judges<'a> {
    Judges {
        oracle: catalogue.reference(),
        requested: catalogue.reading(reading).map(|backend| (reading, backend)),
        readings: &[],
        nan: catalogue.nan(),
        repeat: catalogue.repeat(),
    }
}

/// Finds what the failing cases of one backend have in common. Every reading and every mistake is tried, mistakes with
/// a parameter, and combinations of them.
///
/// ```
/// use seedproof::judging::{Catalogue, diagnose, judge_case};
/// use seedproof::ops::Limits;
///
/// // A kernel with a known mistake, on two cases.
/// let catalogue = Catalogue::new(Limits::default());
/// let (_, wrong) = catalogue.mistakes().find(|(it, _)| it.id == "high-bits").expect("it is known");
/// let ids = ["ru8/tensorflow/f32/spec-example-1", "ru8/tensorflow/f32/spec-ir-example"];
/// let cases = ids.map(|id| seedproof::corpus().get(id).expect("the corpus has this case"));
/// let judgements = cases.map(|case| judge_case(case, wrong, &catalogue, None).expect("it applies"));
/// let diagnosis = diagnose(&judgements, &catalogue);
/// assert_eq!(diagnosis.explanations[0].cause.name, "high-bits");
/// assert_eq!(diagnosis.explanations[0].cases.len(), 2);
/// ```
pub fn diagnose<'a>(judgements: impl IntoIterator<Item = &'a Judgement>, catalogue: &Catalogue) -> Diagnosis {
    let exchanges = judgements.into_iter().filter_map(|it| it.exchange.clone());
    diagnose_counted(exchanges, catalogue, &|| ())
}

fn diagnose_counted(
    exchanges: impl IntoIterator<Item = Exchange>,
    catalogue: &Catalogue,
    searched: &dyn Fn(),
) -> Diagnosis {
    let mut failures: Vec<FailedCase> = Vec::new();
    let mut passes: Vec<PassedCase> = Vec::new();
    for exchange in exchanges {
        match exchange {
            Exchange::Failed(failed) => failures.push(failed),
            Exchange::Passed(passed) => passes.push(passed),
        }
    }
    let candidates = catalogue.candidates();
    let families = |sizes: &[u32]| catalogue.families(sizes);
    let together = |names: &[&str]| catalogue.together(names);
    let suspects = Suspects {
        candidates: &candidates,
        families: &families,
        together: &together,
        oracle: Some(catalogue.expecting()),
        base: Some(&|request| {
            let (answer, reads) = catalogue.base().noted(request);
            (answer, reads.bits())
        }),
    };
    let diagnosis = seedproof_check::diagnose_counted(&failures, &passes, &suspects, searched);
    in_words_of_ops(diagnosis, &failures)
}

/// The failures of these cases on one backend as text, each with its explanation and the command that runs it again.
/// The command is `rerun` followed by the case's id without a space; it is left out if `rerun` is empty. `reading` is
/// the one under which the cases were judged.
pub fn failure_text(
    rerun: &str,
    reading: &str,
    judged: &[(&Case, Judgement)],
    catalogue: &Catalogue,
    palette: Palette,
) -> String {
    let diagnosis = diagnose(judged.iter().map(|(_, judgement)| judgement), catalogue);
    text_of(rerun, reading, judged, &diagnosis, palette)
}

/// [`failure_text`] with a diagnosis that was made before.
pub fn text_of(
    rerun: &str,
    reading: &str,
    judged: &[(&Case, Judgement)],
    diagnosis: &Diagnosis,
    palette: Palette,
) -> String {
    let failing = judged.iter().filter(|(_, it)| !it.finding.outcome.conforms());
    let failing = failing.count();
    let texts = judged.iter().map(|(case, judgement)| {
        let failure = seedproof_report::Failure {
            finding: &judgement.finding,
            request: CaseFacts::of(case).line(),
            reading,
            expected: None,
            why: Why::of(diagnosis, &case.id),
            failing,
            rerun: (!rerun.is_empty()).then(|| format!("{rerun}{}", case.id)),
        };
        failure.text(palette)
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What the failures of one backend have in common, with a line for each cause: `mine: high-bits explains 150 of 150
/// failures`. `exchanges` are the answers, right and wrong, as far as they are known.
pub fn causes(
    backend: &BackendId,
    failures: usize,
    exchanges: impl IntoIterator<Item = Exchange>,
    catalogue: &Catalogue,
) -> Vec<String> {
    // The text of a single failure has its cause already.
    if failures < 2 {
        return Vec::new();
    }
    let diagnosis = diagnose_counted(exchanges, catalogue, &|| ());
    let explains = |it: &Explanation| {
        let (name, cases) = (&it.cause.name, it.cases.len());
        format!(
            "{backend}: {name} explains {cases} of {failures} failures: {}",
            it.cause.sentence
        )
    };
    let shown = diagnosis.explanations.iter().take(CAUSES).map(explains);
    let explained = diagnosis.explanations.iter().flat_map(|it| &it.cases);
    let explained: BTreeSet<&CaseId> = explained.collect();
    let unexplained = diagnosis.unexplained.len();
    // No answer, such as a panic, has no cause to look for, and too large an output is not kept for one.
    let not_diagnosed = failures.saturating_sub(explained.len() + unexplained);
    let rest = [
        (unexplained, "have no known cause"),
        (not_diagnosed, "were not diagnosed"),
    ];
    let rest = rest.into_iter().filter(|(count, _)| *count > 0);
    let rest = rest.map(|(count, what)| format!("{backend}: {count} of {failures} failures {what}"));
    shown.chain(rest).collect()
}

/// The diagnosis of one backend, as reports take it. `searched` is called after each failing case that was searched.
///
/// The exchanges are taken and not copied: those of a kernel that is wrong everywhere take 40 MiB.
pub fn diagnosed(
    backend: &BackendId,
    exchanges: impl IntoIterator<Item = Exchange>,
    catalogue: &Catalogue,
    searched: &dyn Fn(),
) -> Diagnosed {
    Diagnosed {
        backend: backend.clone(),
        diagnosis: diagnose_counted(exchanges, catalogue, searched),
    }
}

/// Number of elements of a request's output; 0 if it asks for none.
///
/// ```
/// use seedproof::judging::elements;
/// use seedproof::ops::{Alignment, RandomUniform, Request};
///
/// let request = RandomUniform::new(Alignment::Tensorflow, &[2, 3], [0.0_f32, 1.0], [7, 0]);
/// assert_eq!(elements(&Request::RandomUniform(request)), 6);
/// ```
pub fn elements(request: &Request) -> u64 {
    request.output_form().map_or(0, |(_, dims)| {
        dims.iter().fold(1, |count, &dim| count.saturating_mul(dim))
    })
}

thread_local! {
    /// Whether a panic of this thread is going to be caught and reported as a finding.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the panics of backends, which findings report, from being printed too. All other panics are printed as before.
pub fn quiet_panics() {
    // Each further call would put another hook before the last one.
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                print(info);
            }
        }));
    });
}

/// A backend whose panics are reported as its errors.
///
/// ```
/// use seedproof::judging::Caught;
/// use seedproof::ops::{Alignment, Dtype, RandomUniform, Scalar};
/// use seedproof::{Backend, BackendId, Failure, Request, Response, Support};
///
/// struct Panics(BackendId);
///
/// impl Backend for Panics {
///     fn id(&self) -> &BackendId {
///         &self.0
///     }
///
///     fn supports(&self, _: &Request) -> Support {
///         Support::Supported
///     }
///
///     fn run(&self, _: &Request) -> Result<Response, Failure> {
///         panic!("index out of bounds")
///     }
/// }
///
/// let bounds = [0, 0x3f80_0000].map(|bits| Scalar::new(Dtype::F32, bits));
/// let request = Request::RandomUniform(RandomUniform::new(Alignment::Tensorflow, &[3], bounds, [150, 10]));
/// let failure = Caught(&Panics(BackendId::new("mine"))).run(&request).expect_err("it panics");
/// assert!(failure.to_string().contains("index out of bounds"));
/// ```
pub struct Caught<'a>(pub &'a dyn Backend);

impl Caught<'_> {
    fn catch<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        // A backend may wrap another one, whose panics are caught inside of its own.
        let outer = CATCHING.replace(true);
        let result = catch_unwind(AssertUnwindSafe(run));
        CATCHING.set(outer);
        result.unwrap_or_else(|panic| {
            let message = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "without a message".to_owned());
            Err(Failure::error(format!("the backend panicked: {message}")))
        })
    }
}

impl Backend for Caught<'_> {
    fn id(&self) -> &BackendId {
        self.0.id()
    }

    /// Yes if the question panics. The backend is then asked for an answer, and a second panic is reported as its
    /// error.
    fn supports(&self, request: &Request) -> Support {
        Self::catch(|| Ok(self.0.supports(request))).unwrap_or(Support::Supported)
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        Self::catch(|| self.0.run(request))
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        Self::catch(|| Ok(self.0.stages(request))).ok().flatten()
    }

    fn end(&self) -> Vec<String> {
        self.0.end()
    }

    fn description(&self) -> String {
        self.0.description()
    }

    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let mut stderr = String::new();
        let result = Self::catch(|| {
            let answer = self.0.ask(ask);
            stderr = answer.stderr;
            answer.result
        });
        Answer { result, stderr }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_check::Outcome;
    use seedproof_ops::{NanRule, Scalar, Tensor};
    use seedproof_readings::{Engine, Reading, find, find_mistake, with};

    struct Panics(BackendId);

    impl Backend for Panics {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _: &Request) -> Support {
            Support::Supported
        }

        fn run(&self, _: &Request) -> Result<Response, Failure> {
            panic!("out of luck")
        }
    }

    #[test]
    fn judging_a_panic_is_an_error_of_the_backend() {
        let case = crate::corpus().cases().next().unwrap();
        let backend = Panics(BackendId::new("panics"));
        let catalogue = Catalogue::new(Limits::default());
        let finding = judge_case(case, &backend, &catalogue, None).unwrap().finding;
        assert_eq!(finding.outcome, Outcome::Error);
        assert_eq!(finding.message, "the backend panicked: out of luck");
    }

    /// A right kernel on x86, whose new NaNs are negative.
    struct X86(BackendId);

    impl Backend for X86 {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _: &Request) -> Support {
            Support::Supported
        }

        fn run(&self, request: &Request) -> Result<Response, Failure> {
            let output = Catalogue::new(Limits::default()).spec().run(request)?.output;
            let negative = |element: Scalar| {
                let sign = 1 << (8 * element.dtype().size() - 1);
                element.bits() | if element.is_nan() { sign } else { 0 }
            };
            let elements = output
                .scalars()
                .map(|element| Scalar::new(element.dtype(), negative(element)));
            let bytes = elements.flat_map(Scalar::to_le_bytes).collect();
            let output = Tensor::new(output.dtype(), output.shape().clone(), bytes);
            Ok(Response::of(output.expect("it has as many elements")))
        }
    }

    #[test]
    fn judging_a_nan_of_another_sign_is_a_pass_unless_strict() {
        let backend = X86(BackendId::new("x86"));
        let by_class = Catalogue::new(Limits::default());
        let strict = Catalogue::new(Limits::default()).with_nan(NanRule::Bits);
        for dtype in ["f16", "bf16", "f32", "f64"] {
            let id = format!("ru8/tensorflow/{dtype}/range-infinite");
            let case = crate::corpus().get(&id).expect("the corpus has it");
            let judged = |catalogue| judge_case(case, &backend, catalogue, None).unwrap().finding;
            let found = judged(&by_class);
            assert_eq!(found.outcome, Outcome::Pass, "{id}");
            assert_eq!(found.nans.map(|nans| nans.count), Some(33), "{id}");
            let found = judged(&strict);
            assert!(!found.outcome.conforms(), "{id}");
            assert_eq!(found.nans, None);
        }
    }

    /// The NaNs of a kernel with a mistake have no part in what is said of the mistake.
    #[test]
    fn diagnosis_is_not_soiled_by_a_nan() {
        let catalogue = Catalogue::new(Limits::default());
        let nine = find_mistake("rounds-9").expect("there is such a mistake");
        let x86 = find("openvino-core-2026.4").expect("there is such a reading");
        let reading = Reading {
            nan: x86.nan,
            ..with(&Reading::spec(), &[nine])
        };
        let backend = Engine::new(reading, Limits::default(), || 1);
        let judged = |id: &str| {
            let case = crate::corpus().get(id).expect("the corpus has it");
            judge_case(case, &backend, &catalogue, None).unwrap()
        };
        let judgements = [
            "range-infinite",
            "range-half-infinite",
            "spec-example-1",
            "range-negative",
        ]
        .map(|name| judged(&format!("ru8/tensorflow/f32/{name}")));
        let diagnosis = diagnose(&judgements, &catalogue);
        assert_eq!(diagnosis.verdict, seedproof_check::Verdict::Explained);
        assert_eq!(diagnosis.explanations[0].cause.name, "rounds-9");
    }

    /// A mistake that every op of a kind may have is made in one of them alone. More cases of another op contradict it than fail, and
    /// each failing case has another cause of that kind too, of which the first one to be found is contradicted by its own op.
    #[test]
    fn a_mistake_of_one_op_is_told_so() {
        let catalogue = Catalogue::new(Limits::default());
        let candidates = catalogue.candidates();
        let wrong = candidates
            .iter()
            .find(|it| it.cause.name == "i64-narrow-range-one-word")
            .unwrap();
        let judged = |query: &str, backend: &dyn Backend| -> Vec<Judgement> {
            let selection = seedproof_corpus::Selection::parse(&[query]).unwrap();
            let cases = crate::corpus().select(&selection);
            let judged = cases
                .iter()
                .map(|case| judge_case(case, backend, &catalogue, None));
            judged.filter_map(Result::ok).collect()
        };
        let mut all = judged("tfsi/i64/*", wrong.backend);
        all.extend(judged("ru8/tensorflow/i64/*", catalogue.spec()));
        let found = diagnose(&all, &catalogue);
        let first = &found.explanations[0];
        assert_eq!(
            (first.cause.name.as_str(), first.only.as_str()),
            (
                "i64-narrow-range-one-word",
                "only where the op is tensorflow.StatelessRandomUniformIntV2"
            )
        );
        assert!(first.evidence.contradicted > first.evidence.cases, "{first:?}");
    }
}

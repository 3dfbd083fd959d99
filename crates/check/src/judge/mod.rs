//! The judge: one case, one backend, one finding.
//!
//! The case has the expected answer and the backend returns the actual one. Their comparison is the finding.

pub(crate) mod compare;
pub(crate) mod differences;
pub(crate) mod digest;
mod hosted;
pub(crate) mod invert;
pub(crate) mod locate;
pub(crate) mod nondeterministic;
pub(crate) mod repeat;
pub(crate) mod stages;

use std::time::{Duration, Instant};

use seedproof_corpus::Case;
use seedproof_ops::untrusted::bounded;
use seedproof_ops::{
    Answer, Ask, Backend, Digest, ErrorKind, Failure, Fault, OpError, Response, Support, Tensor, Value, Want,
    standard,
};

use crate::judge::compare::compare;
use crate::judge::digest::{compare_digest, compare_remote, want};
use crate::judge::hosted::Hosted;
use crate::judge::locate::Locate;
use crate::judge::repeat::Remembered;
use crate::model::exchange::Reply;
use crate::model::exchange::{Exchange, FailedCase, Judgement, PassedCase};
use crate::model::expected::{Expected, Judges, NotApplicable, SPEC};
use crate::model::expected::{NotJudged, is_computed};
use crate::model::finding::{Finding, Mismatch, OtherNans};
use crate::model::outcome::Outcome;

/// Judges one case on one backend. [`examine`] also returns what a diagnosis needs.
///
/// # Errors
/// [`NotApplicable`] if the case says nothing under the requested reading.
pub fn judge(case: &Case, backend: &dyn Backend, judges: &Judges<'_>) -> Result<Finding, NotApplicable> {
    examine(case, backend, judges).map(|judgement| judgement.finding)
}

/// Judges one case on one backend.
///
/// The expected answer is the one that the case states for the requested reading, or else the one that this reading's
/// backend computes. A wrong answer is a failure only if no other named reading has it.
///
/// The judge computes in the standard floating-point environment, and asks the backend in that of the caller.
///
/// ```
/// use seedproof_check::{Candidate, Exchange, Judges, Suspects, Verdict, diagnose, examine};
/// # use seedproof_ops::{Backend, BackendId, Failure, NanRule, Request, Response, Support, Tensor};
///
/// # struct Fixed(BackendId, [u32; 4]);
/// # impl Backend for Fixed {
/// #     fn id(&self) -> &BackendId { &self.0 }
/// #     fn supports(&self, _: &Request) -> Support { Support::Yes }
/// #     fn run(&self, _: &Request) -> Result<Response, Failure> { Ok(Response::of(Tensor::vector(&self.1))) }
/// # }
/// # let yaml = r#"{ schema: 2, op: triton.randint, clauses: [tri.seed], cases: [{
/// #     id: tri/seed-7, provenance: { kind: derived, reading: spec, revision: 1 },
/// #     attrs: { num: "4" }, inputs: { seed: 7, offset: 0 },
/// #     expect: { bits: [4099963437, 1747881627, 26092480, 1675892246] } }] }"#;
/// # let file = seedproof_corpus::parse("mine.yaml", yaml)?;
/// # let right = [4099963437, 1747881627, 26092480, 1675892246];
/// # let nine_rounds = [420842294, 1469550594, 2150879965, 3064326405];
/// # let oracle = Fixed(BackendId::new("oracle"), right);
/// # let judges = Judges { oracle: &oracle, requested: None, readings: &[], nan: NanRule::default(), repeat: 0 };
/// // The implementation leaves out the last round, as the suspect does.
/// let [mine, suspect] = ["mine", "nine-rounds"].map(|id| Fixed(BackendId::new(id), nine_rounds));
/// let judgement = examine(&file.cases[0], &mine, &judges).expect("the case is about the specification");
/// let Some(Exchange::Failed(failed)) = judgement.exchange else {
///     panic!("four words are wrong");
/// };
/// let cause = serde_json::from_str(r#"{"name":"rounds-9","kind":"mistake","sentence":"it takes 9 rounds"}"#)?;
/// let candidates = [Candidate { cause, backend: &suspect, changes: u64::MAX }];
/// let suspects =
///     Suspects { candidates: &candidates, families: &Vec::new, together: &|_| None, oracle: None, base: None };
/// assert_eq!(diagnose(&[failed], &[], &suspects).verdict, Verdict::Explained);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotApplicable`] if the case says nothing under the requested reading.
pub fn examine(case: &Case, backend: &dyn Backend, judges: &Judges<'_>) -> Result<Judgement, NotApplicable> {
    let hosted = Hosted::of_thread(backend);
    standard(|| examine_hosted(case, &hosted, judges))
}

fn examine_hosted(
    case: &Case,
    backend: &dyn Backend,
    judges: &Judges<'_>,
) -> Result<Judgement, NotApplicable> {
    let judging = Judging {
        case,
        backend,
        judges,
    };
    let (reading, judge) = judges.reading();
    let expected = match Expected::of(case, reading, judge) {
        Ok(expected) => expected,
        Err(NotJudged::NotApplicable(reason)) => return Err(NotApplicable { reason }),
        Err(NotJudged::Broken(message)) => return Ok(judging.plain(Outcome::Infrastructure, message)),
    };
    // An oracle that judged itself could not fail. For `spec` there is a second engine, so that the caller has made a
    // mistake. A named reading has only one, and is judged where a case states what was captured of the real package.
    if judge.id() == backend.id() && is_computed(case, reading) {
        let reason = format!(
            "{} is judged by its own answers: a check that cannot fail",
            judge.id()
        );
        return if reading == SPEC {
            Ok(judging.plain(Outcome::Infrastructure, reason))
        } else {
            Err(NotApplicable { reason })
        };
    }
    if let Support::No(reason) = backend.supports(&case.request) {
        return Ok(judging.plain(Outcome::Unsupported, reason));
    }
    let start = Instant::now();
    let want = match &expected {
        Expected::Digest(digested) => want(digested),
        _ => Want::Full,
    };
    let Answer { result, stderr } = judging.ask(want);
    // The time of the first answer alone. The judge asks further questions to locate a difference.
    let took = start.elapsed();
    // Two answers to a random request ought to differ, which `nondeterministic` checks.
    let first = Remembered::of(&result).filter(|_| expected != Expected::Random);
    let judgement = match result {
        Ok(Value::Full(response)) => judging.value(expected, response),
        Ok(Value::Digest(digest, more)) => judging.digest(expected, &digest, &more),
        Ok(Value::Window(_)) => judging.failure(expected, unasked()),
        Err(failure) => judging.failure(expected, failure),
    };
    let again = || judging.ask(want).result;
    let mut judgement = repeat::held(judgement, first, judges, &case.request, again);
    if judgement.finding.outcome != Outcome::Pass {
        judgement.finding.stderr = stderr;
    }
    Ok(Judgement { took, ..judgement })
}

/// The judgement of one case on one backend.
struct Judging<'a> {
    case: &'a Case,
    backend: &'a dyn Backend,
    judges: &'a Judges<'a>,
}

impl Judging<'_> {
    /// Asks the backend. Messages and standard error are cut to a few kilobytes, because they are kept for the whole
    /// run and repeated in every document.
    fn ask(&self, want: Want) -> Answer {
        let Answer { result, stderr } = self.backend.ask(&Ask {
            case: self.case.id.as_str(),
            request: &self.case.request,
            want,
        });
        let result = result.map_err(|failure| match failure {
            Failure::Rejected(OpError { kind, message }) => Failure::Rejected(OpError {
                kind,
                message: bounded(message),
            }),
            Failure::Unsupported(reason) => Failure::Unsupported(bounded(reason)),
            Failure::Broken(Fault { kind, message }) => Failure::Broken(Fault {
                kind,
                message: bounded(message),
            }),
        });
        let stderr = bounded(stderr);
        Answer { result, stderr }
    }

    fn value(&self, expected: Expected, actual: Response) -> Judgement {
        let request = &self.case.request;
        if expected == Expected::Random {
            return self.random(actual);
        }
        // A digest is enough to see that an answer is right. The reading's backend draws the elements behind it only
        // for a wrong answer, which keeps a run over large outputs fast.
        if expected.is_value(request, &actual, self.judges.nan) {
            return self.passed_value(&expected, actual);
        }
        let expected = expected.spelled_out(request, &actual, self.judges.reading().1);
        let mismatch = match &expected {
            Expected::Value(expected) => compare(request, expected, &actual, self.judges.nan),
            Expected::Digest(expected) => compare_digest(request, expected, &actual),
            Expected::Rejection(_) | Expected::Random => None,
        };
        // The bytes differ and no element does. The answer has NaNs with other bits, which change a digest.
        if mismatch.is_none() && matches!(expected, Expected::Value(_)) {
            return self.passed_value(&expected, actual);
        }
        self.wrong_value(expected, mismatch, actual)
    }

    fn passed_value(&self, expected: &Expected, actual: Response) -> Judgement {
        let nans = match expected {
            Expected::Value(expected) => OtherNans::between(&expected.output, &actual.output),
            _ => None,
        };
        noting(nans, self.passed(Ok(actual)))
    }

    /// Judges a random output, by its statistics and by asking for it again.
    fn random(&self, actual: Response) -> Judgement {
        let again = || match self.ask(Want::Full).result? {
            Value::Full(response) => Ok(response),
            _ => Err(unasked()),
        };
        let oracle = self.judges.reading().1;
        match nondeterministic::check(&self.case.request, &actual, oracle, again) {
            Ok(None) => self.plain(Outcome::Pass, String::new()),
            Ok(mismatch) => self.wrong_value(Expected::Random, mismatch, actual),
            Err(failure) => self.failure(Expected::Random, failure),
        }
    }

    fn wrong_value(&self, expected: Expected, mismatch: Option<Mismatch>, actual: Response) -> Judgement {
        let message = match (&mismatch, &expected) {
            (Some(mismatch), _) => mismatch.sentence(),
            (None, Expected::Rejection(kind)) => {
                format!("answered with a value, expected a rejection{}", of_kind(*kind))
            }
            (None, _) => String::new(),
        };
        let mismatch = mismatch.map(|mismatch| self.locate().elements(mismatch, &expected, &actual));
        self.failed(Outcome::Fail, message, mismatch, expected, Ok(actual))
    }

    fn locate(&self) -> Locate<'_> {
        Locate::new(&self.case.request, self.backend, self.judges)
    }

    fn digest(&self, expected: Expected, actual: &Digest, more: &[Tensor]) -> Judgement {
        // Where further outputs are expected, or one sum over the whole output is known, a digest of chunks does not
        // show that the answer is right. A backend that sends it all the same breaks its interface.
        let digested = match &expected {
            Expected::Digest(digested) if want(digested) == Want::Digest => digested,
            _ => return self.failure(expected, unasked()),
        };
        let backends = [self.backend, self.judges.reading().1];
        match compare_remote(self.case, digested, actual, backends, self.judges.nan) {
            Ok(nans) => noting(nans, self.plain(Outcome::Pass, String::new())),
            Err(mismatch) => {
                let is = |expected: &Expected| expected.has_digest(&self.case.request, actual);
                let readings = self.judges.readings_where(self.case, is);
                let (message, mismatch) = (mismatch.sentence(), self.locate().blocks(*mismatch));
                let mut finding = self.finding(Outcome::Fail, readings, message, Some(mismatch));
                finding.output = Some(sum(actual, more));
                Judgement {
                    finding,
                    exchange: None,
                    took: Duration::ZERO,
                }
            }
        }
    }

    /// Judges a rejection, or the lack of an answer.
    fn failure(&self, expected: Expected, failure: Failure) -> Judgement {
        match failure {
            Failure::Unsupported(reason) => self.plain(
                Outcome::ClaimBroken,
                format!("claimed, then answered as unsupported: {reason}"),
            ),
            Failure::Broken(Fault { kind, message }) => self.plain(kind.into(), message),
            Failure::Rejected(error) if expected.is_rejection(&self.case.request, &error) => {
                self.passed(Err(error))
            }
            Failure::Rejected(error) => {
                let wanted = match &expected {
                    Expected::Rejection(kind) => format!("a rejection{}", of_kind(*kind)),
                    _ => "a value".to_owned(),
                };
                let given = of_kind(error.kind);
                let message = format!("rejected{given}: {}; expected {wanted}", error.message);
                self.failed(Outcome::Rejects, message, None, expected, Err(error))
            }
        }
    }

    /// A finding without anything to compare.
    fn plain(&self, outcome: Outcome, message: String) -> Judgement {
        Judgement {
            finding: self.finding(outcome, Vec::new(), message, None),
            exchange: None,
            took: Duration::ZERO,
        }
    }

    fn passed(&self, reply: Reply) -> Judgement {
        let refused = reply.is_err();
        let exchange = Exchange::Passed(PassedCase {
            case: self.case.id.clone(),
            request: self.case.request.clone(),
            reply,
            nan: self.judges.nan,
        });
        Judgement {
            finding: Finding {
                refused,
                ..self.finding(Outcome::Pass, Vec::new(), String::new(), None)
            },
            exchange: Some(exchange),
            took: Duration::ZERO,
        }
    }

    /// The judgement of an answer that is not the expected one. It is that of other readings, or wrong.
    fn failed(
        &self,
        outcome: Outcome,
        message: String,
        mismatch: Option<Mismatch>,
        expected: Expected,
        actual: Reply,
    ) -> Judgement {
        let request = &self.case.request;
        let readings = self.judges.readings_where(self.case, |expected| match &actual {
            Ok(response) => expected.is_value(request, response, self.judges.nan),
            Err(error) => expected.is_rejection(request, error),
        });
        let mut finding = self.finding(outcome, readings, message, mismatch);
        finding.refused = actual.is_err();
        // An expectation file knows a wrong output again by its sum, and a random output has another sum in every run.
        finding.output = match &actual {
            Ok(wrong) if expected != Expected::Random && !request.is_unseeded() => {
                Some(sum(&Digest::of(&wrong.output), &wrong.more))
            }
            _ => None,
        };
        // A diagnosis compares elements, which are not known of a digest.
        let is_known = !matches!(expected, Expected::Digest(_));
        let exchange = is_known.then(|| {
            Exchange::Failed(FailedCase {
                case: self.case.id.clone(),
                request: request.clone(),
                expected,
                actual,
                nan: self.judges.nan,
            })
        });
        Judgement {
            finding,
            exchange,
            took: Duration::ZERO,
        }
    }

    /// A finding with this outcome, or with `other-reading` if the answer is that of other readings.
    fn finding(
        &self,
        outcome: Outcome,
        readings: Vec<String>,
        message: String,
        mismatch: Option<Mismatch>,
    ) -> Finding {
        let outcome = if readings.is_empty() {
            outcome
        } else {
            Outcome::OtherReading
        };
        Finding {
            readings,
            message: bounded(message),
            mismatch,
            ..Finding::new(self.case.id.clone(), self.backend.id().clone(), outcome)
        }
    }
}

/// The sum of a wrong output, as [`Finding::output`] has it.
fn sum(output: &Digest, more: &[Tensor]) -> String {
    let more: Vec<Digest> = more.iter().map(Digest::of).collect();
    Digest::sum(std::iter::once(output).chain(&more))
}

fn noting(nans: Option<OtherNans>, mut judgement: Judgement) -> Judgement {
    judgement.finding.nans = nans;
    judgement
}

fn unasked() -> Failure {
    Failure::error("answered with a part of the output, which was not asked for")
}

fn of_kind(kind: Option<ErrorKind>) -> String {
    kind.map(|kind| format!(" ({kind})")).unwrap_or_default()
}

#[cfg(test)]
mod tests;

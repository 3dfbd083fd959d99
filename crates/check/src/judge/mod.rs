//! The judge: one case, one backend, one finding.
//!
//! The case has the expected answer and the backend returns the actual one. Their comparison is the finding.

pub(crate) mod compare;
pub(crate) mod differences;
pub(crate) mod invert;
pub(crate) mod locate;
pub(crate) mod nondeterministic;
pub(crate) mod question;
pub(crate) mod repeat;
pub(crate) mod stages;

use std::time::{Duration, Instant};

use seedproof_corpus::Case;
use seedproof_ops::untrusted::bounded;
use seedproof_ops::{Answer, Backend, Digest, ErrorKind, OpError, Support, Tensor, Value, standard};

use crate::judge::compare::{Agreement, Compared};
use crate::judge::locate::locate;
use crate::judge::question::Question;
use crate::model::exchange::{Exchange, FailedCase, Judgement, PassedCase};
use crate::model::expected::{Expected, Judges, NotApplicable, NotJudged, SPEC, is_computed};
use crate::model::finding::{Finding, Mismatch};
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
/// #     fn supports(&self, _: &Request) -> Support { Support::Supported }
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
///     Suspects { candidates: &candidates, families: &|_| Vec::new(), together: &|_| None, oracle: None, base: None };
/// assert_eq!(diagnose(&[failed], &[], &suspects).verdict, Verdict::Explained);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotApplicable`] if the case says nothing under the requested reading.
pub fn examine(case: &Case, backend: &dyn Backend, judges: &Judges<'_>) -> Result<Judgement, NotApplicable> {
    let question = Question::of_thread(case, backend, judges);
    standard(|| examine_in_standard(&question))
}

fn examine_in_standard(question: &Question<'_>) -> Result<Judgement, NotApplicable> {
    let Question { case, judges, .. } = *question;
    let (reading, oracle) = judges.reading();
    let expected = match Expected::of(case, reading, oracle) {
        Ok(expected) => expected,
        Err(NotJudged::NotApplicable(reason)) => return Err(NotApplicable { reason }),
        Err(NotJudged::Broken(message)) => return Ok(unanswered(question, Outcome::Infrastructure, message)),
    };
    // An oracle that judged itself could not fail. For `spec` there is a second engine, so that the caller has made a
    // mistake. A named reading has only one, and is judged where a case states what was captured of the real package.
    if oracle.id() == question.backend.id() && is_computed(case, reading) {
        let reason = format!(
            "{} is judged by its own answers: a check that cannot fail",
            oracle.id()
        );
        return if reading == SPEC {
            Ok(unanswered(question, Outcome::Infrastructure, reason))
        } else {
            Err(NotApplicable { reason })
        };
    }
    if let Support::Unsupported(reason) = question.supports() {
        return Ok(unanswered(question, Outcome::Unsupported, reason));
    }
    let start = Instant::now();
    let want = expected.want();
    let Answer { result, stderr } = question.ask(want);
    // The time of the first answer alone. The judge asks further questions to locate a difference.
    let took = start.elapsed();
    // Two answers to a random request ought to differ, which `nondeterministic` checks.
    let first = (expected != Expected::Random).then(|| repeat::digested_if_large(&result));
    let judgement = match expected.compare(question, result) {
        Ok(compared) => judged(question, compared),
        Err((outcome, message)) => unanswered(question, outcome, message),
    };
    let again = || question.ask(want).result;
    let mut judgement = repeat::held(judgement, first, judges, &case.request, again);
    if judgement.finding.outcome != Outcome::Pass {
        judgement.finding.stderr = stderr;
    }
    Ok(Judgement { took, ..judgement })
}

/// The judgement of an answer: it is the expected one, or that of other readings, or wrong.
fn judged(question: &Question<'_>, compared: Compared) -> Judgement {
    let Question { case, judges, .. } = *question;
    let Compared {
        expected,
        answer,
        agreement,
    } = compared;
    let is_same = matches!(agreement, Agreement::Same(_));
    let mut finding = match agreement {
        Agreement::Same(nans) => Finding {
            nans,
            ..finding(question, Outcome::Pass, String::new())
        },
        Agreement::Differs(mismatch) => differing(question, &expected, &answer, mismatch),
    };
    finding.refused = answer.is_err();
    let reply = match answer {
        Ok(Value::Full(response)) => Some(Ok(response)),
        Err(error) => Some(Err(error)),
        Ok(_) => None,
    };
    let exchange = reply.and_then(|reply| {
        let (case, request, nan) = (case.id.clone(), case.request.clone(), judges.nan);
        match expected {
            Expected::Random if is_same => None,
            _ if is_same => Some(Exchange::Passed(PassedCase {
                case,
                request,
                reply,
                nan,
            })),
            // A diagnosis compares elements, which are not known of a digest.
            Expected::Digest(_) => None,
            expected => {
                let actual = reply;
                Some(Exchange::Failed(FailedCase {
                    case,
                    request,
                    expected,
                    actual,
                    again: None,
                    nan,
                }))
            }
        }
    });
    Judgement {
        finding,
        exchange,
        took: Duration::ZERO,
    }
}

/// The finding of an answer that is not the expected one.
fn differing(
    question: &Question<'_>,
    expected: &Expected,
    answer: &Result<Value, OpError>,
    mut mismatch: Option<Mismatch>,
) -> Finding {
    let Question { case, judges, .. } = *question;
    let request = &case.request;
    let of_kind = |kind: Option<ErrorKind>| kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    let wanted = match expected {
        Expected::Rejection(kind) => format!("a rejection{}", of_kind(*kind)),
        _ => "a value".to_owned(),
    };
    let message = match (&mismatch, answer) {
        (Some(mismatch), _) => mismatch.sentence(),
        (None, Ok(_)) => format!("answered with a value, expected {wanted}"),
        (None, Err(error)) => {
            let kind = of_kind(error.kind);
            format!("rejected{kind}: {}; expected {wanted}", error.message)
        }
    };
    if let Some(mismatch) = &mut mismatch {
        let outputs = match (expected, answer) {
            (Expected::Value(expected), Ok(Value::Full(actual))) => Some([&expected.output, &actual.output]),
            _ => None,
        };
        locate(question, mismatch, outputs);
    }
    let may_be = |backend: &dyn Backend| match (expected, answer) {
        (Expected::Value(expected), Ok(Value::Full(actual))) => {
            begins(backend, question, &expected.output, &actual.output)
        }
        _ => true,
    };
    let readings = judges.readings_where(case, may_be, |expected| match answer {
        Ok(Value::Full(response)) => expected.is_value(request, response, judges.nan),
        Ok(Value::Digest(digest, _)) => expected.has_digest(request, digest),
        Ok(Value::Window(_)) => false,
        Err(error) => expected.is_rejection(request, error),
    });
    let outcome = match answer {
        _ if !readings.is_empty() => Outcome::OtherReading,
        Ok(_) => Outcome::Fail,
        Err(_) => Outcome::Rejects,
    };
    // An expectation file knows a wrong output again by its sum, and a random output has another sum in every run.
    let output = match answer {
        Ok(Value::Full(wrong)) if *expected != Expected::Random && !request.is_unseeded() => {
            Some(sum(&Digest::of(&wrong.output), &wrong.more))
        }
        Ok(Value::Digest(digest, more)) => Some(sum(digest, more)),
        _ => None,
    };
    Finding {
        readings,
        mismatch,
        output,
        ..finding(question, outcome, message)
    }
}

/// Whether a backend draws a large wrong output up to its first wrong element and some more. There are dozens of readings, and
/// each would draw the whole of it.
fn begins(backend: &dyn Backend, question: &Question<'_>, expected: &Tensor, actual: &Tensor) -> bool {
    const LARGE: u64 = 1 << 12;
    const MORE: usize = 32;
    let (request, nan) = (&question.case.request, question.judges.nan);
    let count = nan.first_difference(expected, actual).unwrap_or(0) + MORE;
    // Without seeds each draw is another one.
    if request.work() <= LARGE || request.is_unseeded() || count > actual.count() {
        return true;
    }
    let Ok(first) = backend.first(request, count) else {
        return true;
    };
    let mut pairs = first.scalars().zip(actual.scalars()).take(count);
    first.dtype() == actual.dtype() && pairs.all(|(a, b)| nan.same_element(a, b))
}

/// The sum of a wrong output, as [`Finding::output`] has it.
fn sum(output: &Digest, more: &[Tensor]) -> String {
    let more: Vec<Digest> = more.iter().map(Digest::of).collect();
    Digest::sum(std::iter::once(output).chain(&more))
}

/// The judgement of a request without an answer to compare.
fn unanswered(question: &Question<'_>, outcome: Outcome, message: String) -> Judgement {
    Judgement {
        finding: finding(question, outcome, message),
        exchange: None,
        took: Duration::ZERO,
    }
}

fn finding(question: &Question<'_>, outcome: Outcome, message: String) -> Finding {
    let (case, backend) = (question.case.id.clone(), question.backend.id().clone());
    Finding {
        message: bounded(message),
        ..Finding::new(case, backend, outcome)
    }
}

#[cfg(test)]
mod tests;

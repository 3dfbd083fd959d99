//! The judge: one case, one backend, one finding.

use seedproof_ops::{
    Answer, Ask, Backend, Digest, ErrorKind, Failure, Fault, FaultKind, OpError, Response, Support, Value,
    Want,
};
use seedproof_vectors::Case;

use crate::compare::compare;
use crate::digest::compare_digest;
use crate::due::{Due, Judges, LeftOut, NotDue, SPEC, due, gives, is_asked, readings_where};
use crate::exchange::{FailedCase, PassedCase, Reply};
use crate::remote;
use crate::seedless;
use crate::stages::{compare_stages, infer_stages, is_worth_staging};
use crate::{Finding, Mismatch, Outcome, StageValues};

/// A finding with what a diagnosis needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The finding.
    pub finding: Finding,
    /// What was expected and what came, where both are known in full.
    pub exchange: Option<Exchange>,
}

/// An answered case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// It was answered as expected.
    Passed(PassedCase),
    /// It was not.
    Failed(FailedCase),
}

/// Judges one case on one backend. See [`examine`], which also gives what a diagnosis needs.
///
/// # Errors
/// [`LeftOut`] if the case says nothing under the requested reading.
pub fn judge(case: &Case, backend: &dyn Backend, judges: &Judges<'_>) -> Result<Finding, LeftOut> {
    examine(case, backend, judges).map(|judgement| judgement.finding)
}

/// Judges one case on one backend.
///
/// What is due is what the case expects under the requested reading: what it says itself, else what that reading's
/// backend answers. A wrong answer is held against every other named reading before it is called a failure.
///
/// # Errors
/// [`LeftOut`] if the case says nothing under the requested reading. A caller says in one line how many there were.
pub fn examine(case: &Case, backend: &dyn Backend, judges: &Judges<'_>) -> Result<Judgement, LeftOut> {
    let bench = Bench {
        case,
        backend,
        judges,
    };
    let (reading, judge) = judges.reading();
    let due = match due(case, reading, judge) {
        Ok(due) => due,
        Err(NotDue::LeftOut(reason)) => return Err(LeftOut { reason }),
        Err(NotDue::Broken(message)) => return Ok(bench.plain(Outcome::Infrastructure, message)),
    };
    if judge.id() == backend.id() && is_asked(case, reading) {
        let message = format!(
            "{} is judged by its own answers: a check that cannot fail",
            judge.id()
        );
        return if reading == SPEC {
            Ok(bench.plain(Outcome::Infrastructure, message))
        } else {
            Err(LeftOut { reason: message })
        };
    }
    if let Support::No(reason) = backend.supports(&case.request) {
        return Ok(bench.plain(Outcome::Unsupported, reason));
    }
    let want = match &due {
        Due::Digest(digested) => remote::want(digested),
        _ => Want::Full,
    };
    let Answer { result, stderr } = bench.ask(want);
    let mut judgement = match result {
        Ok(Value::Full(response)) => bench.value(response, due),
        Ok(Value::Digest(digest, _)) => bench.digest(&digest, &due),
        Ok(Value::Window(_)) => {
            bench.failure(Failure::error("answered with a part of the output unasked"), &due)
        }
        Err(failure) => bench.failure(failure, &due),
    };
    if judgement.finding.outcome != Outcome::Pass {
        judgement.finding.stderr = stderr;
    }
    Ok(judgement)
}

/// What every step of a judgement looks at.
struct Bench<'a> {
    case: &'a Case,
    backend: &'a dyn Backend,
    judges: &'a Judges<'a>,
}

impl Bench<'_> {
    fn ask(&self, want: Want) -> Answer {
        self.backend.ask(&Ask {
            case: self.case.id.as_str(),
            request: &self.case.request,
            want,
        })
    }

    /// A digest came.
    fn digest(&self, actual: &Digest, due: &Due<'_>) -> Judgement {
        let Due::Digest(expected) = due else {
            return self.failure(Failure::error("answered with a digest unasked"), due);
        };
        match remote::compare(self.case, expected, actual, self.backend, self.judges.reading().1) {
            None => self.plain(Outcome::Pass, String::new()),
            Some(mismatch) => {
                let readings = readings_where(self.case, self.judges, |due| remote::gives(due, actual));
                let message = sentence(&mismatch);
                self.wrong(Outcome::Fail, readings, message, Some(mismatch), None)
            }
        }
    }

    /// A finding without anything to compare.
    fn plain(&self, outcome: Outcome, message: String) -> Judgement {
        self.wrong(outcome, Vec::new(), message, None, None)
    }

    /// A finding with this outcome, unless readings answer alike.
    fn wrong(
        &self,
        outcome: Outcome,
        readings: Vec<String>,
        message: String,
        mismatch: Option<Mismatch>,
        exchange: Option<Exchange>,
    ) -> Judgement {
        let outcome = if readings.is_empty() {
            outcome
        } else {
            Outcome::OtherReading
        };
        Judgement {
            finding: Finding {
                case: self.case.id.clone(),
                backend: self.backend.id().clone(),
                outcome,
                readings,
                message,
                mismatch,
                stderr: String::new(),
            },
            exchange,
        }
    }

    fn passed(&self, reply: Reply) -> Judgement {
        let exchange = Exchange::Passed(PassedCase {
            case: self.case.id.clone(),
            request: self.case.request.clone(),
            reply,
        });
        self.wrong(Outcome::Pass, Vec::new(), String::new(), None, Some(exchange))
    }

    /// A reply that is not what is due: of a reading, or `outcome`.
    fn not_due(
        &self,
        outcome: Outcome,
        message: String,
        mismatch: Option<Mismatch>,
        right: Right,
        actual: Reply,
    ) -> Judgement {
        let request = &self.case.request;
        let readings = readings_where(self.case, self.judges, |due| gives(request, due, &actual));
        let failed = |expected| {
            Exchange::Failed(FailedCase {
                case: self.case.id.clone(),
                request: self.case.request.clone(),
                expected,
                actual,
            })
        };
        let exchange = match right {
            Right::Known(reply) => Some(failed(Some(reply))),
            Right::Open => Some(failed(None)),
            Right::Untold => None,
        };
        self.wrong(outcome, readings, message, mismatch, exchange)
    }

    /// A value came.
    fn value(&self, actual: Response, due: Due<'_>) -> Judgement {
        let request = &self.case.request;
        let (mismatch, right) = match due {
            Due::Value(expected) => (compare(request, &expected, &actual), Right::Known(Ok(expected))),
            Due::Digest(digested) => {
                let mut expected = None;
                let mismatch = compare_digest(request, digested, &actual, || {
                    expected = self.judges.reading().1.run(request).ok();
                    expected.clone()
                });
                // An oracle that contradicts the case is no evidence.
                let trusted = matches!(mismatch, Some(Mismatch::Elements(_)));
                let right = expected.filter(|_| trusted);
                (
                    mismatch,
                    right.map_or(Right::Untold, |right| Right::Known(Ok(right))),
                )
            }
            Due::Rejected(kind) => {
                let message = format!("answered with a value, expected a rejection{}", of_kind(kind));
                return self.not_due(Outcome::Fail, message, None, Right::refusal(kind), Ok(actual));
            }
            Due::Seedless => {
                let again = || match self.ask(Want::Full).result? {
                    Value::Full(response) => Ok(response),
                    _ => Err(Failure::error("answered with a part of the output unasked")),
                };
                match seedless::check(request, &actual, again) {
                    Ok(None) => return self.plain(Outcome::Pass, String::new()),
                    Ok(mismatch) => (mismatch, Right::Open),
                    Err(failure) => return self.failure(failure, &Due::Seedless),
                }
            }
        };
        match mismatch {
            None => self.passed(Ok(actual)),
            Some(mismatch) => {
                let message = sentence(&mismatch);
                let mismatch = self.staged(mismatch, &actual);
                self.not_due(Outcome::Fail, message, Some(mismatch), right, Ok(actual))
            }
        }
    }

    /// The mismatch with what can be said of the stages.
    fn staged(&self, mut mismatch: Mismatch, actual: &Response) -> Mismatch {
        if let Mismatch::Elements(comparison) = &mut mismatch
            && is_worth_staging(&actual.output)
            && let Some(expected) = self.judges.reading().1.stages(&self.case.request)
        {
            let shown = self.backend.stages(&self.case.request);
            let first = comparison.first.index;
            comparison.stages = match &shown {
                Some(actual) => compare_stages(&expected, actual),
                None => infer_stages(&self.case.request, &expected, &actual.output),
            };
            comparison.expected_stages = Some(StageValues::of(&expected, first));
            comparison.actual_stages = shown.map(|actual| StageValues::of(&actual, first));
        }
        mismatch
    }

    /// No value came.
    fn failure(&self, failure: Failure, due: &Due<'_>) -> Judgement {
        match failure {
            Failure::Unsupported(reason) => self.plain(
                Outcome::ClaimBroken,
                format!("claimed, then answered as unsupported: {reason}"),
            ),
            Failure::Broken(Fault { kind, message }) => self.plain(outcome_of(kind), message),
            Failure::Rejected(error) => self.rejection(error, due),
        }
    }

    fn rejection(&self, error: OpError, due: &Due<'_>) -> Judgement {
        let actual = format!("rejected{}: {}", of_kind(error.kind), error.message);
        let (message, right) = match due {
            Due::Rejected(kind) if kind.is_none() || error.kind.is_none() || *kind == error.kind => {
                return self.passed(Err(error));
            }
            Due::Rejected(kind) => (
                format!("{actual}; expected a rejection{}", of_kind(*kind)),
                Right::refusal(*kind),
            ),
            Due::Value(expected) => (
                format!("{actual}; expected a value"),
                Right::Known(Ok(expected.clone())),
            ),
            Due::Digest(_) => (format!("{actual}; expected a value"), Right::Untold),
            Due::Seedless => (format!("{actual}; expected a value"), Right::Open),
        };
        self.not_due(Outcome::Rejects, message, None, right, Err(error))
    }
}

/// What is known of the answer that was due.
enum Right {
    /// All of it.
    Known(Reply),
    /// Nothing determines it.
    Open,
    /// Its digest, and not what it is of.
    Untold,
}

impl Right {
    fn refusal(kind: Option<ErrorKind>) -> Self {
        Self::Known(Err(OpError {
            kind,
            message: String::new(),
        }))
    }
}

fn of_kind(kind: Option<ErrorKind>) -> String {
    kind.map(|kind| format!(" ({kind})")).unwrap_or_default()
}

const fn outcome_of(kind: FaultKind) -> Outcome {
    match kind {
        FaultKind::Error => Outcome::Error,
        FaultKind::Crash => Outcome::Crash,
        FaultKind::OrderDependentCrash => Outcome::OrderDependentCrash,
        FaultKind::Timeout => Outcome::Timeout,
        FaultKind::Protocol => Outcome::ProtocolError,
        FaultKind::Infrastructure => Outcome::Infrastructure,
        FaultKind::NotRun => Outcome::NotRun,
    }
}

/// A mismatch in one line.
fn sentence(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Form { expected, actual } => format!("expected {expected}, got {actual}"),
        Mismatch::Elements(comparison) => format!(
            "{} of {} elements differ; the first at flat {}: expected {}, got {}",
            comparison.differing,
            comparison.total,
            comparison.first.index,
            comparison.first.expected.literal(),
            comparison.first.actual.literal()
        ),
        Mismatch::State { actual, .. } if actual.is_empty() => {
            "the state after the draw is missing".to_owned()
        }
        Mismatch::State { .. } => "the output is right, the state after it is not".to_owned(),
        Mismatch::Chunks { differing, total, .. } => {
            format!("{} of {total} chunks differ", differing.len())
        }
        Mismatch::Statistics { message } => message.clone(),
    }
}

#[cfg(test)]
mod tests;

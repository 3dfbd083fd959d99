//! The same request, asked again. An answer that changes is not repeatable, whether or not the first one was right.

use seedproof_ops::untrusted::bounded;
use seedproof_ops::{Digest, Failure, Fault, FaultKind, Request, Tensor, Value};

use crate::judge::compare::compare;
use crate::model::exchange::Judgement;
use crate::model::exchange::{Reply, same};
use crate::model::expected::Judges;
use crate::model::finding::Mismatch;
use crate::model::finding::differ;
use crate::model::outcome::Outcome;

/// Larger outputs are remembered by their digest, so that no second copy of them is kept while the backend draws again.
const MOST_KEPT: usize = 1 << 20;

/// An answer, or what distinguishes it from another one.
pub(crate) enum Remembered {
    Reply(Reply),
    /// The first output's digest, and the further outputs.
    Digest(Digest, Vec<Tensor>),
}

impl Remembered {
    /// `None` if there is no answer.
    pub(crate) fn of(result: &Result<Value, Failure>) -> Option<Self> {
        Some(match result {
            Ok(Value::Full(whole)) if whole.output.count() > MOST_KEPT => {
                Self::Digest(Digest::of(&whole.output), whole.more.clone())
            }
            Ok(Value::Full(whole)) => Self::Reply(Ok(whole.clone())),
            Ok(Value::Digest(digest, more)) => Self::Digest(digest.clone(), more.clone()),
            Ok(Value::Window(_)) | Err(Failure::Unsupported(_) | Failure::Broken(_)) => return None,
            Err(Failure::Rejected(error)) => Self::Reply(Err(error.clone())),
        })
    }
}

/// Repeats the request, and changes the outcome to not-repeatable if an answer differs from the first. `again` asks
/// once.
pub(crate) fn held(
    judgement: Judgement,
    first: Option<Remembered>,
    judges: &Judges<'_>,
    request: &Request,
    again: impl Fn() -> Result<Value, Failure>,
) -> Judgement {
    let times = match judgement.finding.outcome {
        Outcome::Pass => judges.repeat,
        // A wrong answer is asked for again in any case. If it changes, no cause can reproduce it, and the diagnosis
        // would search in vain or name a cause by chance.
        Outcome::Fail | Outcome::Rejects | Outcome::OtherReading => judges.repeat.max(1),
        _ => 0,
    };
    let Some(first) = first else {
        return judgement;
    };
    let changed = (0..times).find_map(|_| changed(&first, &again(), judges, request));
    match changed {
        None => judgement,
        // The first answer was wrong by itself, and the lack of a second one does not show that it changes.
        Some(Change::Gone(how)) if judgement.finding.outcome != Outcome::Pass => {
            let mut judgement = judgement;
            judgement.finding.message += &format!("; asked again, the same request {how}");
            judgement
        }
        Some(Change::Gone(how)) => not_repeatable(judgement, &how, None),
        Some(Change::Other(how, mismatch)) => not_repeatable(judgement, &how, mismatch),
    }
}

/// How the second answer to a request differs from the first.
enum Change {
    /// The answer differs: how it differs, and in which elements.
    Other(String, Option<Mismatch>),
    /// There is no second answer, or it is a refusal where the first was a value.
    Gone(String),
}

/// How the second answer differs from the first; `None` if it does not, or if the harness failed to ask.
fn changed(
    first: &Remembered,
    second: &Result<Value, Failure>,
    judges: &Judges<'_>,
    request: &Request,
) -> Option<Change> {
    let next = match (Remembered::of(second), second) {
        (Some(next), _) => next,
        // A fault of the harness says nothing about the implementation.
        (None, Err(failure)) if !is_ours(failure) => {
            return Some(Change::Gone(format!("has no answer: {failure}")));
        }
        (None, _) => return None,
    };
    let plain = |how: &str| Some(Change::Other(how.to_owned(), None));
    match (first, &next) {
        (Remembered::Reply(a), Remembered::Reply(b)) if same(a, b, judges.nan) => None,
        (Remembered::Reply(Ok(a)), Remembered::Reply(Ok(b))) => {
            let mismatch = compare(request, a, b, judges.nan)?;
            Some(Change::Other(
                format!("has another answer: {}", mismatch.sentence()),
                Some(mismatch),
            ))
        }
        (Remembered::Reply(Err(_)), Remembered::Reply(Err(error))) => {
            plain(&format!("is rejected for another reason: {}", error.message))
        }
        (Remembered::Reply(Ok(_)) | Remembered::Digest(..), Remembered::Reply(Err(error))) => {
            Some(Change::Gone(format!("is rejected: {}", error.message)))
        }
        (Remembered::Reply(Err(_)), _) => plain("is answered with a value"),
        (Remembered::Digest(a, more), Remembered::Digest(b, again)) if a == b && more == again => None,
        (Remembered::Digest(a, _), Remembered::Digest(b, _)) if a != b => {
            let differing = a.chunks.iter().zip(&b.chunks).filter(|(a, b)| a != b).count();
            let differ = differ(differing, a.chunks.len(), ["chunk", "chunks"], |n| n.to_string());
            plain(&format!("has another answer: {differ}"))
        }
        (Remembered::Digest(..), Remembered::Digest(..)) => {
            plain("has another answer: a further output differs")
        }
        _ => plain("is answered in another form"),
    }
}

/// Whether the harness is to blame for a missing answer.
const fn is_ours(failure: &Failure) -> bool {
    let Failure::Broken(Fault { kind, .. }) = failure else {
        return false;
    };
    matches!(kind, FaultKind::Infrastructure | FaultKind::NotRun)
}

/// The judgement of an answer that changed. Readings, the sum of the output and the exchange are dropped: all are about
/// one answer of several, and a diagnosis of it would be about a draw that does not come again.
fn not_repeatable(mut judgement: Judgement, how: &str, mismatch: Option<Mismatch>) -> Judgement {
    let finding = &mut judgement.finding;
    let first = std::mem::take(&mut finding.message);
    finding.message = format!("asked again, the same request {how}");
    if finding.outcome != Outcome::Pass {
        finding.message += &format!("; at first: {first}");
    }
    finding.message = bounded(std::mem::take(&mut finding.message));
    finding.outcome = Outcome::NotRepeatable;
    finding.readings.clear();
    finding.output = None;
    finding.mismatch = finding.mismatch.take().or(mismatch);
    judgement.exchange = None;
    judgement
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use std::time::Duration;

    use seedproof_corpus::CaseId;
    use seedproof_ops::{BackendId, ErrorKind, NanRule, Response};

    use super::*;
    use crate::fixtures::{Fake, dml};
    use crate::model::finding::Finding;

    fn judgement(outcome: Outcome) -> Judgement {
        Judgement {
            finding: Finding::new(
                CaseId::new("dml/feature-level-4.0/x").unwrap(),
                BackendId::new("fake"),
                outcome,
            ),
            exchange: None,
            took: Duration::ZERO,
        }
    }

    fn judges(oracle: &Fake, repeat: u32) -> Judges<'_> {
        Judges {
            oracle,
            requested: None,
            readings: &[],
            nan: NanRule::default(),
            repeat,
        }
    }

    fn value(words: &[u32]) -> Result<Value, Failure> {
        Ok(Value::Full(Response::of(Tensor::vector(words))))
    }

    fn changes(first: &Result<Value, Failure>, second: &Result<Value, Failure>) -> Option<String> {
        let oracle = Fake::giving("reference", Tensor::scalar(1_u32));
        let first = Remembered::of(first).unwrap();
        changed(&first, second, &judges(&oracle, 0), &dml(&[2])).map(|change| match change {
            Change::Other(how, _) | Change::Gone(how) => how,
        })
    }

    #[test]
    fn answers_that_change_are_told_apart() {
        let refused = |kind| Err(Failure::rejected(kind, "no"));
        let digest = |word: u32, more: u32| {
            let digest = Digest::of(&Tensor::vector(&[word]));
            Ok(Value::Digest(digest, vec![Tensor::scalar(more)]))
        };
        let ours = Fault {
            kind: FaultKind::NotRun,
            message: "interrupted".to_owned(),
        };
        let table = [
            (value(&[1, 2]), value(&[1, 2]), None),
            (value(&[1, 2]), value(&[1, 3]), Some("1 of 2 elements differs")),
            (value(&[1, 2]), refused(ErrorKind::Range), Some("is rejected: no")),
            (refused(ErrorKind::Range), refused(ErrorKind::Range), None),
            (
                refused(ErrorKind::Range),
                refused(ErrorKind::Shape),
                Some("another reason"),
            ),
            (refused(ErrorKind::Range), value(&[1]), Some("with a value")),
            (digest(1, 1), digest(1, 1), None),
            (digest(1, 1), digest(2, 1), Some("1 of 1 chunk differs")),
            (digest(1, 1), digest(1, 2), Some("a further output differs")),
            (digest(1, 1), value(&[1]), Some("another form")),
            (value(&[1]), Err(Failure::error("gone")), Some("has no answer")),
            (value(&[1]), Err(Failure::Broken(ours)), None),
        ];
        for (first, second, expected) in table {
            let how = changes(&first, &second);
            assert_eq!(how.is_some(), expected.is_some(), "{first:?} {second:?} {how:?}");
            if let (Some(how), Some(expected)) = (how, expected) {
                assert!(how.contains(expected), "{how}: {expected}");
            }
        }
        let large = vec![7_u32; MOST_KEPT + 1];
        let mut other = large.clone();
        other[MOST_KEPT] = 8;
        assert_eq!(changes(&value(&large), &value(&large)), None);
        assert!(
            changes(&value(&large), &value(&other))
                .unwrap()
                .contains("1 of 17 chunks")
        );
    }

    #[test]
    fn answers_are_asked_for_as_often_as_it_takes() {
        let oracle = Fake::giving("reference", Tensor::scalar(1_u32));
        for (outcome, repeat, expected) in [
            (Outcome::Pass, 0, 0),
            (Outcome::Pass, 5, 5),
            (Outcome::Fail, 0, 1),
            (Outcome::OtherReading, 3, 3),
            (Outcome::OtherReading, 0, 1),
            (Outcome::Rejects, 0, 1),
            (Outcome::Crash, 9, 0),
        ] {
            let judges = judges(&oracle, repeat);
            let asked = Cell::new(0);
            let first = Remembered::of(&value(&[1]));
            let judged = held(judgement(outcome), first, &judges, &dml(&[1]), || {
                asked.set(asked.get() + 1);
                value(&[1])
            });
            assert_eq!((judged.finding.outcome, asked.get()), (outcome, expected));
        }
    }
}

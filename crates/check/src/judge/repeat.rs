//! The same request, asked again. An answer that changes is not repeatable, whether or not the first one was right.

use seedproof_ops::untrusted::bounded;
use seedproof_ops::{Digest, Failure, Fault, FaultKind, NanRule, Request, Value};

use crate::judge::compare::{compare, differing};
use crate::model::exchange::{Exchange, FailedCase, Judgement};
use crate::model::expected::{Judges, same_kind};
use crate::model::finding::{Mismatch, differ};
use crate::model::outcome::Outcome;

/// Larger outputs are remembered by their digest, so that no second copy of them is kept while the backend draws again.
const MAX_KEPT_ELEMENTS: usize = 1 << 20;

/// A copy of an answer, with which later answers are compared. A large output is replaced by its digest.
pub(crate) fn digested_if_large(answer: &Result<Value, Failure>) -> Result<Value, Failure> {
    match answer {
        Ok(Value::Full(whole)) if whole.output.count() > MAX_KEPT_ELEMENTS => {
            Ok(Value::Digest(Digest::of(&whole.output), whole.more.clone()))
        }
        answer => answer.clone(),
    }
}

/// Repeats the request, and changes the outcome to not-repeatable if an answer differs from the first. `again` asks
/// once.
pub(crate) fn held(
    mut judgement: Judgement,
    first: Option<Result<Value, Failure>>,
    judges: &Judges<'_>,
    request: &Request,
    again: impl Fn() -> Result<Value, Failure>,
) -> Judgement {
    let finding = &mut judgement.finding;
    let times = match finding.outcome {
        Outcome::Pass => judges.repeat,
        // A wrong answer is asked for again in any case. If it changes, no cause can reproduce it, and the diagnosis
        // would search in vain or name a cause by chance.
        Outcome::Fail | Outcome::Rejects | Outcome::OtherReading => judges.repeat.max(1),
        _ => 0,
    };
    let changed = first.and_then(|first| {
        (0..times).find_map(|_| {
            let second = digested_if_large(&again());
            changed(&first, &second, judges.nan, request).map(|change| (change, second))
        })
    });
    let (how, mismatch, second) = match changed {
        None => return judgement,
        Some((Change::Other(how, mismatch), second)) => (how, mismatch, Some(second)),
        Some((Change::Gone(how), _)) => (how, None, None),
    };
    let again = format!("asked again, the same request {how}");
    if second.is_none() && finding.outcome != Outcome::Pass {
        // The first answer was wrong by itself, and the lack of a second one does not show that it changes.
        finding.message += &format!("; {again}");
        return judgement;
    }
    finding.message = bounded(match finding.outcome {
        Outcome::Pass => again,
        _ => format!("{again}; at first: {}", finding.message),
    });
    finding.outcome = Outcome::NotRepeatable;
    finding.mismatch = finding.mismatch.take().or(mismatch);
    // All of these are about one answer of several.
    finding.readings.clear();
    finding.output = None;
    finding.nans = None;
    judgement.exchange = match (judgement.exchange, second) {
        // No cause is looked for in a draw that does not come again. Where it changes may tell something all the same.
        (Some(Exchange::Failed(failed)), Some(Ok(Value::Full(again)))) if failed.values().is_some() => {
            Some(Exchange::Failed(FailedCase {
                again: Some(again),
                ..failed
            }))
        }
        _ => None,
    };
    judgement
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
    first: &Result<Value, Failure>,
    second: &Result<Value, Failure>,
    nan: NanRule,
    request: &Request,
) -> Option<Change> {
    let other = |how: &str| Some(Change::Other(how.to_owned(), None));
    match (first, second) {
        // A fault of the harness says nothing about the implementation, and a part of an output cannot be compared.
        (
            _,
            Err(Failure::Broken(Fault {
                kind: FaultKind::Infrastructure | FaultKind::NotRun,
                ..
            }))
            | Ok(Value::Window(_)),
        ) => None,
        (Err(Failure::Rejected(first)), Err(Failure::Rejected(second))) => {
            let is_same = same_kind(first.kind, second.kind);
            let how = format!("is rejected for another reason: {}", second.message);
            if is_same { None } else { other(&how) }
        }
        (_, Err(Failure::Rejected(error))) => Some(Change::Gone(format!("is rejected: {}", error.message))),
        (_, Err(failure)) => Some(Change::Gone(format!("has no answer: {failure}"))),
        (Err(_), Ok(_)) => other("is answered with a value"),
        (Ok(Value::Full(first)), Ok(Value::Full(second))) => {
            let mismatch = compare(request, first, second, nan)?;
            let how = format!("has another answer: {}", mismatch.sentence());
            Some(Change::Other(how, Some(mismatch)))
        }
        (Ok(Value::Digest(a, _)), Ok(Value::Digest(b, _))) if a != b => {
            let (differing, total) = differing(&a.chunks, &b.chunks);
            if differing.is_empty() {
                return other("has an answer of another type or shape");
            }
            let differ = differ(differing.len(), total, ["chunk", "chunks"], |n| n.to_string());
            other(&format!("has another answer: {differ}"))
        }
        (Ok(Value::Digest(_, a)), Ok(Value::Digest(_, b))) if a == b => None,
        (Ok(Value::Digest(..)), Ok(Value::Digest(..))) => {
            other("has another answer: a further output differs")
        }
        _ => other("is answered in another form"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use std::time::Duration;

    use seedproof_corpus::CaseId;
    use seedproof_ops::{BackendId, ErrorKind, NanRule, Response, Tensor};

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
        let [first, second] = [first, second].map(digested_if_large);
        changed(&first, &second, NanRule::default(), &dml(&[2])).map(|change| match change {
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
        let mut whole = Digest::of(&Tensor::vector(&[1_u32]));
        whole.chunks.push([0; 32]);
        let longer = Ok(Value::Digest(whole, vec![Tensor::scalar(1_u32)]));
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
            (digest(1, 1), longer, Some("1 of 2 chunks differs")),
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
        let large = vec![7_u32; MAX_KEPT_ELEMENTS + 1];
        let mut other = large.clone();
        other[MAX_KEPT_ELEMENTS] = 8;
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
            let first = Some(value(&[1]));
            let judged = held(judgement(outcome), first, &judges, &dml(&[1]), || {
                asked.set(asked.get() + 1);
                value(&[1])
            });
            assert_eq!((judged.finding.outcome, asked.get()), (outcome, expected));
        }
    }
}

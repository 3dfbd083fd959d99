//! Recovery after a child is lost: which case is blamed, what is tried again, and when the harness gives up.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use seedproof_ops::{Answer, Ask, Failure, Fault, FaultKind, Value};

use super::child::{Child, Introduction, Launch};
use super::lost::{Lost, StartError};
use super::pool::Pool;
use crate::reply::{self, Asked, Reply};
use crate::request::{Envelope, encode};

/// The most cases before a crash that a message names: a child may have answered thousands.
const NAMED: usize = 32;

/// A place for a child.
struct Place {
    number: usize,
    child: Option<Child>,
    /// Whether a child was started here before, which makes the next start a restart.
    used: bool,
}

/// The children of one adapter.
pub(super) struct Fleet {
    launch: Launch,
    /// What the first child said of itself, which is what the report says of all.
    introduced: Introduction,
    places: Pool<Place>,
    restarts: AtomicU32,
    seq: AtomicU64,
}

/// The outcome of one attempt at a request.
enum Attempt {
    /// A reply that follows the protocol.
    Answered(Reply),
    /// The process ended, with this status or signal.
    Crashed(String),
    /// There was no answer for another reason.
    Failed(Fault),
    /// No restart is left.
    Exhausted,
}

const fn fault(kind: FaultKind, message: String) -> Fault {
    Fault { kind, message }
}

impl Fleet {
    /// Starts the first child, whose hello line introduces the adapter. The others start when they are needed.
    pub(super) fn start(launch: Launch) -> Result<(Self, Introduction), StartError> {
        let (child, introduction) = Child::start(&launch, 0)?;
        let first = Place {
            number: 0,
            child: Some(child),
            used: true,
        };
        let others = (1..launch.options.jobs.get()).map(|number| Place {
            number,
            child: None,
            used: false,
        });
        let places = Pool::new(std::iter::once(first).chain(others));
        let fleet = Self {
            launch,
            introduced: introduction.clone(),
            places,
            restarts: AtomicU32::new(0),
            seq: AtomicU64::new(1),
        };
        Ok((fleet, introduction))
    }

    /// The number of restarts so far, of all places together.
    pub(super) fn restarts(&self) -> u32 {
        self.restarts.load(Ordering::Relaxed)
    }

    /// Sends `bye` to the children and waits for them. Returns how each child ended that failed.
    pub(super) fn end(&self) -> Vec<String> {
        let mut children: Vec<Child> = self
            .places
            .drain()
            .into_iter()
            .filter_map(|place| place.child)
            .collect();
        // Every `bye` is sent before the first wait, so that the children end together, within
        // two seconds for all of them.
        let sent = Instant::now();
        children.iter_mut().for_each(Child::bye);
        let mut ends: Vec<String> = children
            .iter_mut()
            .filter_map(|child| child.farewell(sent))
            .collect();
        ends.dedup();
        ends
    }

    /// Sends a question to the next free child.
    pub(super) fn ask(&self, ask: &Ask<'_>) -> Answer {
        loop {
            let Some(mut place) = self.places.take() else {
                let limit = self.launch.options.max_restarts;
                let message =
                    format!("not asked: its children ended and were started again {limit} times before");
                return Answer {
                    result: Err(fault(FaultKind::NotRun, message).into()),
                    stderr: String::new(),
                };
            };
            let mut stderr = String::new();
            let outcome = self.settle(&mut place, ask, &mut stderr);
            let exhausted =
                place.child.is_none() && place.used && self.restarts() >= self.launch.options.max_restarts;
            if exhausted {
                self.places.retire();
            } else {
                self.places.give_back(place);
            }
            // Without a result, this place has no child and cannot start one. The loop waits for another place, or
            // until the last place is retired.
            if let Some(result) = outcome {
                return Answer { result, stderr };
            }
        }
    }

    /// Asks, and after a crash asks once more in a fresh process. A crash that does not repeat was caused by an earlier
    /// case. Returns `None` if no child could be started here.
    fn settle(
        &self,
        place: &mut Place,
        ask: &Ask<'_>,
        stderr: &mut String,
    ) -> Option<Result<Value, Failure>> {
        let (first, before) = self.attempt(place, ask, stderr);
        let how = match first {
            Attempt::Answered(reply) => return Some(reply.result),
            Attempt::Failed(fault) => return Some(Err(fault.into())),
            Attempt::Exhausted => return None,
            Attempt::Crashed(how) => how,
        };
        let mut words = String::new();
        let (again, _) = self.attempt(place, ask, &mut words);
        // Keep the standard error once if both crashes print the same.
        if words != *stderr {
            stderr.push_str(&words);
        }
        let (kind, then) = match again {
            Attempt::Crashed(_) => (
                FaultKind::Crash,
                "tried again alone, it ended once more".to_owned(),
            ),
            Attempt::Exhausted => (FaultKind::Crash, "not tried again: no restart is left".to_owned()),
            Attempt::Answered(_) => (
                FaultKind::OrderDependentCrash,
                format!("tried again alone, it answered; {}", preceding(&before)),
            ),
            Attempt::Failed(other) => (
                FaultKind::OrderDependentCrash,
                format!(
                    "tried again alone, it did not end: {}; {}",
                    other.message,
                    preceding(&before)
                ),
            ),
        };
        Some(Err(fault(kind, format!("{how}; {then}")).into()))
    }

    /// Asks once. If the child is lost, also returns the cases that it had answered before.
    fn attempt(&self, place: &mut Place, ask: &Ask<'_>, stderr: &mut String) -> (Attempt, Vec<String>) {
        let Ask { case, request, want } = *ask;
        let mut child = match self.child(place) {
            Ok(Some(child)) => child,
            Ok(None) => return (Attempt::Exhausted, Vec::new()),
            Err(error) => return (not_started(error, stderr), Vec::new()),
        };
        let options = &self.launch.options;
        let asked = Asked {
            seq: self.seq.fetch_add(1, Ordering::Relaxed),
            want,
            outputs: request.outputs(),
        };
        let deadline_ms = u64::try_from(options.deadline.as_millis()).unwrap_or(u64::MAX);
        let envelope = Envelope {
            seq: asked.seq,
            case,
            want,
            deadline_ms,
        };
        let framing = child.framing();
        let limits = reply::limits(framing, request, want, options.max_body);
        let heard = child
            .exchange(&encode(framing, envelope, request), limits, options.deadline)
            .and_then(|heard| {
                heard
                    .read(|message| reply::decode(framing, message, &asked))
                    .map_err(Lost::Protocol)
            });
        match heard {
            Ok(reply) => {
                // Only an error needs the wait: a refusal has its reason in the reply, and thousands of refusals in a
                // run would each cost 10 ms.
                let words = if matches!(reply.result, Err(Failure::Broken(_))) {
                    child.words_soon()
                } else {
                    child.words()
                };
                stderr.push_str(&words);
                stderr.extend(reply.trace.clone());
                if !case.is_empty() {
                    child.answered.push(case.to_owned());
                }
                place.child = Some(child);
                (Attempt::Answered(reply), Vec::new())
            }
            Err(lost) => {
                let before = std::mem::take(&mut child.answered);
                let words = child.last_words();
                stderr.push_str(&words);
                let attempt = match lost {
                    Lost::Ended(how) => Attempt::Crashed(how),
                    Lost::Late(limit) => {
                        let message = format!(
                            "no answer within {} ms; `--deadline` gives it longer",
                            limit.as_millis()
                        );
                        Attempt::Failed(fault(FaultKind::Timeout, message))
                    }
                    Lost::Protocol(message) => Attempt::Failed(fault(FaultKind::Protocol, message)),
                    Lost::Harness(error) => {
                        let message = format!("send the request or keep a copy of it: {error}");
                        Attempt::Failed(fault(FaultKind::Infrastructure, message))
                    }
                };
                (attempt, before)
            }
        }
    }

    /// The child of a place, which is started if there is none. Returns `None` if no restart is left.
    fn child(&self, place: &mut Place) -> Result<Option<Child>, StartError> {
        if let Some(child) = place.child.take() {
            return Ok(Some(child));
        }
        // The first start at a place is free: with more jobs than restarts, some places would never run otherwise.
        if place.used {
            // Places share the budget, so it is checked and spent in one atomic step.
            let limit = self.launch.options.max_restarts;
            let spend = |spent: u32| (spent < limit).then_some(spent + 1);
            if self
                .restarts
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend)
                .is_err()
            {
                return Ok(None);
            }
        }
        // Set before the start, so that a failed start counts as well and a program that cannot
        // start is not tried for ever.
        place.used = true;
        let (child, introduction) = Child::start(&self.launch, place.number)?;
        let what = |it: &Introduction| format!("{} {}", it.implementation.name, it.implementation.version);
        let (first, this) = (what(&self.introduced), what(&introduction));
        // The report names one implementation for all children. The device may differ between two of them.
        if first != this || self.introduced.capabilities != introduction.capabilities {
            let message = format!("it says that it is {this}, or claims something else; it was {first}");
            let lost = Lost::Protocol(message);
            return Err(StartError::of(&self.launch.command, lost, String::new()));
        }
        Ok(Some(child))
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// The outcome of a request whose child could not be started again. It is the adapter's fault unless
/// the operating system refused.
fn not_started(error: StartError, stderr: &mut String) -> Attempt {
    match error {
        StartError::Ended {
            how, stderr: words, ..
        } => {
            stderr.push_str(&words);
            Attempt::Crashed(format!("started again, {how}"))
        }
        StartError::Late {
            limit, stderr: words, ..
        } => {
            stderr.push_str(&words);
            let message = format!("started again, no hello line within {} ms", limit.as_millis());
            Attempt::Failed(fault(FaultKind::Timeout, message))
        }
        StartError::Protocol {
            message,
            stderr: words,
            ..
        } => {
            stderr.push_str(&words);
            Attempt::Failed(fault(FaultKind::Protocol, format!("started again: {message}")))
        }
        StartError::Spawn { .. } | StartError::Harness { .. } => {
            Attempt::Failed(fault(FaultKind::Infrastructure, error.to_string()))
        }
    }
}

/// Names the last of the cases before a crash.
fn preceding(cases: &[String]) -> String {
    let Some(skipped) = cases.len().checked_sub(NAMED).filter(|&n| n > 0) else {
        return match cases {
            [] => "no case came before".to_owned(),
            _ => format!("before it came {}", cases.join(", ")),
        };
    };
    format!(
        "before it came {skipped} others and then {}",
        cases[skipped..].join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preceding_cases_are_named_up_to_a_limit() {
        let cases: Vec<String> = (0..40).map(|n| format!("c{n}")).collect();
        assert_eq!(preceding(&[]), "no case came before");
        assert_eq!(preceding(&cases[..2]), "before it came c0, c1");
        let most = preceding(&cases[..NAMED]);
        assert!(most.starts_with("before it came c0, c1, "), "{most}");
        let many = preceding(&cases);
        assert!(
            many.starts_with("before it came 8 others and then c8, c9,"),
            "{many}"
        );
        assert!(many.ends_with("c39"), "{many}");
    }
}

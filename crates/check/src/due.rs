//! What a case expects of an answer, under a reading.

use seedproof_ops::{Backend, ErrorKind, Failure, Request, Response, Support};
use seedproof_vectors::{Case, Digested, Expectation};

use crate::compare::compare;
use crate::digest;
use crate::exchange::Reply;

/// The name of the reading that a case's `expect` is about.
pub const SPEC: &str = "spec";

/// Whose answers count.
///
/// **The oracle must not be the backend that is judged**: a case that expects what the oracle answers could not
/// fail. The judge says [`crate::Outcome::Infrastructure`] where both have the same id; a second copy under
/// another id it cannot know.
#[derive(Clone, Copy)]
pub struct Judges<'a> {
    /// Answers as the reading `spec`: for cases that expect what it answers, for the elements behind a digest, and
    /// for the stages behind an output.
    pub oracle: &'a dyn Backend,
    /// The reading that is judged against, with its backend; `None`, or the name `spec`, is the specification.
    pub requested: Option<(&'a str, &'a dyn Backend)>,
    /// The named readings. A wrong answer is held against each of them.
    pub readings: &'a [(&'a str, &'a dyn Backend)],
}

impl<'a> Judges<'a> {
    /// The reading that is judged against, with the backend that answers as it does.
    pub fn reading(&self) -> (&'a str, &'a dyn Backend) {
        match self.requested {
            Some((name, backend)) if name != SPEC => (name, backend),
            _ => (SPEC, self.oracle),
        }
    }

    /// The named readings that a wrong answer may still be right under.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&'a str, &'a dyn Backend)> + use<'a> {
        let requested = self.reading().0;
        let spec = (requested != SPEC).then_some((SPEC, self.oracle));
        let named = self.readings.iter().copied();
        spec.into_iter()
            .chain(named.filter(move |&(name, _)| name != requested && name != SPEC))
    }
}

/// Why a case is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// One line.
    pub reason: String,
}

/// What is due.
pub(crate) enum Due<'a> {
    /// These bits.
    Value(Response),
    /// An output with this digest.
    Digest(&'a Digested),
    /// A rejection; of this kind, where the kind is known.
    Rejected(Option<ErrorKind>),
    /// An output like any that chance makes.
    Seedless,
}

/// Why nothing is due.
pub(crate) enum NotDue {
    /// The reading says nothing about the request.
    LeftOut(String),
    /// The judge itself failed.
    Broken(String),
}

/// Whether a case is judged under a reading, as far as can be said without running anything.
///
/// # Errors
/// [`LeftOut`] with the reason, if it is not: the case is about other readings only, or the reading does not have
/// what is asked.
pub fn applies(case: &Case, judges: &Judges<'_>) -> Result<(), LeftOut> {
    let (name, backend) = judges.reading();
    let reason = match stated(case, name) {
        Some(Expectation::Unspecified) => format!("the case says nothing about the reading {name}"),
        Some(Expectation::Oracle) | None => match backend.supports(&case.request) {
            Support::Yes => return Ok(()),
            Support::No(reason) => format!("the reading {name} does not answer it: {reason}"),
        },
        Some(_) => return Ok(()),
    };
    Err(LeftOut { reason })
}

/// What a case itself says of a reading.
fn stated<'a>(case: &'a Case, reading: &str) -> Option<&'a Expectation> {
    if reading == SPEC {
        return Some(&case.expect);
    }
    case.readings
        .iter()
        .find(|(name, _)| name.as_str() == reading)
        .map(|(_, expectation)| expectation)
}

/// Whether what a case expects under a reading is for that reading's backend to say.
pub(crate) fn is_asked(case: &Case, reading: &str) -> bool {
    matches!(stated(case, reading), None | Some(Expectation::Oracle))
}

/// What a case expects under a reading: what it says itself, else what the reading's backend answers.
pub(crate) fn due<'a>(case: &'a Case, reading: &str, backend: &dyn Backend) -> Result<Due<'a>, NotDue> {
    match stated(case, reading) {
        Some(Expectation::Bits(bits)) => Ok(Due::Value(Response {
            output: bits.output.clone(),
            more: bits.state.iter().cloned().collect(),
        })),
        Some(Expectation::Digest(digested)) => Ok(Due::Digest(digested)),
        Some(Expectation::Rejected(kind)) => Ok(Due::Rejected(Some(*kind))),
        Some(Expectation::Statistical) => Ok(Due::Seedless),
        Some(Expectation::Unspecified) => Err(NotDue::LeftOut(format!(
            "the case says nothing about the reading {reading}"
        ))),
        Some(Expectation::Oracle) => ask(&case.request, reading, backend),
        None => {
            let first = ask(&case.request, reading, backend)?;
            // Both seeds are zero. Some implementations take that as a seed, and repeat themselves.
            if case.expect == Expectation::Statistical
                && let Due::Value(first) = &first
                && let Due::Value(second) = ask(&case.request, reading, backend)?
                && *first != second
            {
                return Ok(Due::Seedless);
            }
            Ok(first)
        }
    }
}

fn ask<'a>(request: &Request, reading: &str, backend: &dyn Backend) -> Result<Due<'a>, NotDue> {
    let left_out =
        |reason: String| NotDue::LeftOut(format!("the reading {reading} does not answer it: {reason}"));
    if let Support::No(reason) = backend.supports(request) {
        return Err(left_out(reason));
    }
    match backend.run(request) {
        Ok(response) => Ok(Due::Value(response)),
        Err(Failure::Rejected(error)) => Ok(Due::Rejected(error.kind)),
        Err(Failure::Unsupported(reason)) => Err(left_out(reason)),
        Err(Failure::Broken(fault)) => Err(NotDue::Broken(format!(
            "the reading {reading} ({}) failed to answer: {}",
            backend.id(),
            fault.message
        ))),
    }
}

/// The named readings under which an answer is right, in the order of [`Judges::readings`].
pub(crate) fn readings_where(
    case: &Case,
    judges: &Judges<'_>,
    is_right: impl Fn(&Due<'_>) -> bool,
) -> Vec<String> {
    judges
        .others()
        .filter(|&(name, backend)| due(case, name, backend).is_ok_and(|due| is_right(&due)))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// Whether a reply is what is due.
pub(crate) fn gives(request: &Request, due: &Due<'_>, reply: &Reply) -> bool {
    match (due, reply) {
        (Due::Value(expected), Ok(actual)) => compare(request, expected, actual).is_none(),
        (Due::Digest(digested), Ok(actual)) => digest::matches(request, digested, actual),
        (Due::Rejected(expected), Err(error)) => {
            expected.is_none() || error.kind.is_none() || *expected == error.kind
        }
        _ => false,
    }
}

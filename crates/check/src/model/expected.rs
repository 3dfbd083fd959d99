//! The answer that a case expects under a reading, and whether an answer is that one.

use seedproof_corpus::{Case, Digested, Expectation, OutputDigest};
use seedproof_ops::{
    Backend, Digest, ErrorKind, Failure, NanRule, OpError, Request, Response, Support, Tensor,
};

use crate::model::finding::{Form, Mismatch};

/// The name of the reading that a case's `expect` is about.
pub const SPEC: &str = "spec";

/// The backends that an implementation is judged by.
///
/// **The oracle must not be the backend that is judged**: a case that expects the oracle's answer could not fail. Where
/// both have the same id, the outcome is [`Outcome::Infrastructure`](crate::Outcome::Infrastructure); a copy of the
/// oracle under another id is not noticed.
#[derive(Clone, Copy)]
pub struct Judges<'a> {
    /// The backend of the reading `spec`. It computes the answers that cases leave to it, the elements behind a digest,
    /// and the stages of a computation.
    pub oracle: &'a dyn Backend,
    /// The reading to judge against, with its backend. Both `None` and the name `spec` mean the specification.
    pub requested: Option<(&'a str, &'a dyn Backend)>,
    /// The named readings. A wrong answer is compared with the answer of each of them.
    pub readings: &'a [(&'a str, &'a dyn Backend)],
    /// The NaNs that count as the same element.
    pub nan: NanRule,
    /// How many more times each request is asked, to see whether its answer is repeatable. A wrong answer is asked for
    /// once more even where this is 0.
    pub repeat: u32,
}

impl<'a> Judges<'a> {
    /// The reading to judge against, with its backend.
    pub fn reading(&self) -> (&'a str, &'a dyn Backend) {
        match self.requested {
            Some((name, backend)) if name != SPEC => (name, backend),
            _ => (SPEC, self.oracle),
        }
    }

    /// The names of the other readings whose expected answer to a case is this one, in the order of
    /// [`Self::readings`]. An answer that a backend computes is computed only where that backend `may_be` right.
    pub(crate) fn readings_where(
        &self,
        case: &Case,
        may_be: impl Fn(&dyn Backend) -> bool,
        is_right: impl Fn(&Expected) -> bool,
    ) -> Vec<String> {
        let requested = self.reading().0;
        let spec = Some((SPEC, self.oracle)).filter(|_| requested != SPEC);
        // A caller may list `spec` and the requested reading among the named ones: each must be named once at most.
        let named = self
            .readings
            .iter()
            .filter(|(name, _)| ![requested, SPEC].contains(name));
        spec.iter()
            .chain(named)
            .filter(|(name, backend)| {
                (!is_computed(case, name) || may_be(*backend))
                    && Expected::of(case, name, *backend).is_ok_and(|expected| is_right(&expected))
            })
            .map(|&(name, _)| name.to_owned())
            .collect()
    }
}

/// A case says nothing under the requested reading, and is not judged. A run states the number of such cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplicable {
    /// Why, in one line.
    pub reason: String,
}

/// The expected answer to a request, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The outputs, of which the last ones may be left out. Those are not compared.
    Value(Response),
    /// The outputs, where the first one is known by its digest alone.
    Digest(Digested),
    /// A rejection, with its kind if that is known. The message is not compared.
    Rejection(Option<ErrorKind>),
    /// A random output, which nothing determines because both seeds are zero.
    Random,
}

/// Why there is no expected answer.
pub(crate) enum NotJudged {
    /// The case is not about the reading, or the reading's backend does not support the request.
    NotApplicable(String),
    /// The reading's backend failed.
    Broken(String),
}

/// Whether a case is judged under a reading, as far as that can be told without running a backend.
///
/// # Errors
/// [`NotApplicable`] with the reason, if it is not: the case is about other readings only, or the reading does not
/// have the feature that the request asks for.
pub fn applies(case: &Case, judges: &Judges<'_>) -> Result<(), NotApplicable> {
    let (name, backend) = judges.reading();
    let reason = match stated(case, name) {
        Some(Expectation::Unspecified) => format!("the case says nothing about the reading {name}"),
        Some(Expectation::Oracle) | None => match backend.supports(&case.request) {
            Support::Supported => return Ok(()),
            Support::Unsupported(reason) => format!("the reading {name} does not answer it: {reason}"),
        },
        Some(_) => return Ok(()),
    };
    Err(NotApplicable { reason })
}

/// The expectation that a case states for a reading.
fn stated<'a>(case: &'a Case, reading: &str) -> Option<&'a Expectation> {
    if reading == SPEC {
        return Some(&case.expect);
    }
    case.readings
        .iter()
        .find(|(name, _)| name.as_str() == reading)
        .map(|(_, expectation)| expectation.as_ref())
}

/// Whether the answer that a case expects under a reading is computed by that reading's backend, and not stated in the
/// case.
///
/// ```
/// use seedproof_check::{SPEC, is_computed};
///
/// let yaml = r#"
/// schema: 2
/// op: triton.randint
/// clauses: [tri.seed]
/// provenance: { kind: derived, reading: spec, revision: 1 }
/// cases:
///   - { id: tri/a, attrs: { num: "1" }, inputs: { seed: 0, offset: 0 }, expect: { by: oracle } }
///   - { id: tri/b, attrs: { num: "1" }, inputs: { seed: 0, offset: 0 }, expect: { bits: [1713891541] } }
/// "#;
/// let cases = seedproof_corpus::parse("mine.yaml", yaml)?.cases;
/// assert_eq!([is_computed(&cases[0], SPEC), is_computed(&cases[1], SPEC)], [true, false]);
/// assert!(is_computed(&cases[1], "triton-3.9"), "the case states nothing for this reading");
/// # Ok::<(), seedproof_corpus::VectorErrors>(())
/// ```
pub fn is_computed(case: &Case, reading: &str) -> bool {
    matches!(stated(case, reading), None | Some(Expectation::Oracle))
}

/// How many more answers of a reading to a request without seeds must equal the first before the output counts as
/// determined. An output of one bit equals its predecessor half the time: 16 repetitions leave one chance in 65,536.
const REPEATS: usize = 16;

impl Expected {
    /// The answer that a case expects under a reading: the one that it states, else the one that the reading's
    /// backend computes.
    pub(crate) fn of(case: &Case, reading: &str, backend: &dyn Backend) -> Result<Self, NotJudged> {
        match stated(case, reading) {
            Some(Expectation::Bits(bits)) => Ok(Self::Value(Response {
                output: bits.output.clone(),
                more: bits.more.clone(),
            })),
            Some(Expectation::Digest(digested)) => Ok(Self::Digest(digested.clone())),
            Some(Expectation::Rejected(kind)) => Ok(Self::Rejection(Some(*kind))),
            Some(Expectation::Statistical) => Ok(Self::Random),
            Some(Expectation::Unspecified) => Err(NotJudged::NotApplicable(format!(
                "the case says nothing about the reading {reading}"
            ))),
            Some(Expectation::Oracle) | None => {
                let first = Self::computed(&case.request, reading, backend)?;
                // Under some readings two zero seeds are seeds like any others, and their output is judged bit by bit.
                let is_open = case.request.is_unseeded() && matches!(first, Self::Value(_));
                for _ in 0..if is_open { REPEATS } else { 0 } {
                    if Self::computed(&case.request, reading, backend)? != first {
                        return Ok(Self::Random);
                    }
                }
                Ok(first)
            }
        }
    }

    /// The answer that a case expects under the reading of these judges. An output that the case states by its digest
    /// is computed, if the output of the reading's backend has that digest.
    ///
    /// # Errors
    /// [`NotApplicable`] if the case says nothing under the reading, or the reading's backend fails to answer.
    pub fn in_full(case: &Case, judges: &Judges<'_>) -> Result<Self, NotApplicable> {
        let (name, backend) = judges.reading();
        match Self::of(case, name, backend) {
            Ok(Self::Digest(digested)) => {
                let value = drawn(&digested, &case.request, backend);
                Ok(value.map_or(Self::Digest(digested), Self::Value))
            }
            Ok(expected) => Ok(expected),
            Err(NotJudged::NotApplicable(reason) | NotJudged::Broken(reason)) => {
                Err(NotApplicable { reason })
            }
        }
    }

    fn computed(request: &Request, reading: &str, backend: &dyn Backend) -> Result<Self, NotJudged> {
        match backend.run_supported(request) {
            Ok(response) => Ok(Self::Value(response)),
            Err(Failure::Rejected(error)) => Ok(Self::Rejection(error.kind)),
            Err(Failure::Unsupported(reason)) => Err(NotJudged::NotApplicable(format!(
                "the reading {reading} does not answer it: {reason}"
            ))),
            Err(Failure::Broken(fault)) => Err(NotJudged::Broken(format!(
                "the reading {reading} ({}) failed to answer: {}",
                backend.id(),
                fault.message
            ))),
        }
    }

    /// Whether a value is the expected one.
    ///
    /// Where the expected output is a digest, every bit must be right, those of NaNs included. The judge's comparison
    /// draws the elements, so that the rule for NaNs can be applied.
    pub(crate) fn is_value(&self, request: &Request, actual: &Response, nan: NanRule) -> bool {
        match self {
            Self::Value(expected) => {
                nan.same(&expected.output, &actual.output) && has_more(&expected.more, &actual.more, nan)
            }
            Self::Digest(expected) => {
                // The digest is of bytes alone: the same bytes in another type or shape have it too.
                Mismatch::of_form(request, Form::of(&actual.output)).is_none()
                    && is_digest_of(&expected.digest, &actual.output)
                    && has_more(&expected.more, &actual.more, nan)
            }
            Self::Rejection(_) | Self::Random => false,
        }
    }

    /// Whether a rejection is the expected one. A rejection without a kind matches every kind.
    pub(crate) fn is_rejection(&self, request: &Request, error: &OpError) -> bool {
        match self {
            Self::Rejection(kind) => match (*kind, error.kind) {
                (Some(expected), Some(given)) => request.is_refusal(expected, given),
                _ => true,
            },
            _ => false,
        }
    }

    /// Whether an output of this digest is the expected one. It must have the expected type and shape too.
    pub(crate) fn has_digest(&self, request: &Request, actual: &Digest) -> bool {
        match self {
            Self::Value(expected) => Digest::of(&expected.output) == *actual,
            Self::Digest(expected) => {
                Mismatch::of_form(request, Form::of_digest(actual)).is_none()
                    && expected.digest == OutputDigest::Chunks(actual.chunks.clone())
            }
            Self::Rejection(_) | Self::Random => false,
        }
    }
}

/// The value behind a digest, if the backend's output has that digest. The output of a backend that contradicts the case
/// is not used.
pub(crate) fn drawn(expected: &Digested, request: &Request, backend: &dyn Backend) -> Option<Response> {
    let response = backend.run(request).ok()?;
    is_digest_of(&expected.digest, &response.output).then_some(response)
}

/// Whether the further outputs begin with the expected ones. A case need not state all outputs of its op.
pub(crate) fn has_more(expected: &[Tensor], actual: &[Tensor], nan: NanRule) -> bool {
    actual.len() >= expected.len() && expected.iter().zip(actual).all(|(a, b)| nan.same(a, b))
}

/// Whether an output has this digest.
fn is_digest_of(digest: &OutputDigest, output: &Tensor) -> bool {
    match digest {
        OutputDigest::Chunks(chunks) => *chunks == Digest::of(output).chunks,
        OutputDigest::Whole(whole) => *whole == Digest::whole(output),
    }
}

/// Whether two kinds of rejections do not contradict each other.
pub(crate) fn same_kind(a: Option<ErrorKind>, b: Option<ErrorKind>) -> bool {
    a.is_none() || b.is_none() || a == b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Fake, case, uniform};
    use seedproof_ops::{Alignment, Dtype};
    use std::sync::atomic::{AtomicI32, Ordering};

    /// The answer of an oracle that gives the same number each time, or the next one.
    fn expected(seeds: [u64; 2], repeats: bool) -> Expected {
        let mut request = uniform(Alignment::Tensorflow, Dtype::I32, &[1]);
        if let Request::RandomUniform(op) = &mut request {
            [op.global_seed, op.op_seed] = seeds;
        }
        let drawn = AtomicI32::new(0);
        let oracle = Fake::new("oracle", move |_| {
            let next = drawn.fetch_add(1, Ordering::Relaxed);
            Ok(Response::of(Tensor::vector(&[if repeats { 7 } else { next }])))
        });
        let case = case("ru8/tensorflow/i32/x", request, Expectation::Oracle);
        Expected::of(&case, SPEC, &oracle)
            .ok()
            .expect("an oracle that answers")
    }

    #[test]
    fn expected_outputs_are_compared_one_and_all() {
        let [one, two, other] = [1_u32, 2, 3].map(Tensor::scalar);
        let expected = [one.clone(), two.clone()];
        let same = |actual: &[Tensor]| has_more(&expected, actual, NanRule::Bits);
        assert!(same(&expected) && same(&[one.clone(), two, other.clone()]));
        assert!(!same(&[one.clone(), other]) && !same(&[one]) && !same(&[]));
    }

    #[test]
    fn expected_of_seeds_that_are_all_zero_is_random_unless_it_repeats() {
        let value = |number: i32| Expected::Value(Response::of(Tensor::vector(&[number])));
        assert_eq!(expected([0, 0], true), value(7));
        assert_eq!(expected([0, 0], false), Expected::Random);
        for seeds in [[1, 2], [0, 2], [1, 0]] {
            assert_eq!(expected(seeds, false), value(0));
        }
    }
}

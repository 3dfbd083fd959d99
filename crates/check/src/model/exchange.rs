//! Requests with their answers: the material of a diagnosis.

use std::time::Duration;

use seedproof_corpus::CaseId;
use seedproof_ops::{Backend, Failure, NanRule, OpError, Request, Response};

use crate::model::expected::{Expected, same_kind};
use crate::model::finding::Finding;

/// An answer that a diagnosis can work with: a value or a rejection. A crash or a timeout is not an answer.
pub type Reply = Result<Response, OpError>;

/// An answered case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The answer is the expected one.
    Passed(PassedCase),
    /// The answer is another one.
    Failed(FailedCase),
}

impl Exchange {
    /// The bytes of outputs that the exchange keeps in memory: those of the answer, and of the right one beside a wrong one.
    ///
    /// ```
    /// use seedproof_check::{Exchange, PassedCase};
    /// use seedproof_corpus::CaseId;
    /// use seedproof_ops::{Alignment, Dtype, NanRule, RandomUniform, Request, Response, Scalar, Tensor};
    ///
    /// let bounds = [0, 0x3f80_0000].map(|bits| Scalar::new(Dtype::F32, bits));
    /// let passed = Exchange::Passed(PassedCase {
    ///     case: CaseId::new("ru8/tensorflow/f32/mine")?,
    ///     request: Request::RandomUniform(RandomUniform::new(Alignment::Tensorflow, &[3], bounds, [150, 10])),
    ///     reply: Ok(Response::of(Tensor::vector(&[0.25_f32, 0.5, 0.75]))),
    ///     nan: NanRule::default(),
    /// });
    /// assert_eq!(passed.bytes(), 12);
    /// # Ok::<(), seedproof_corpus::InvalidId>(())
    /// ```
    pub fn bytes(&self) -> usize {
        let of = |response: &Response| {
            let tensors = std::iter::once(&response.output).chain(&response.more);
            tensors.map(|it| it.bytes().len()).sum::<usize>()
        };
        // The answer is counted and not the request's extents: a wrong answer may have any number of elements.
        let answer = |reply: &Reply| reply.as_ref().map_or(0, of);
        match self {
            Self::Passed(passed) => answer(&passed.reply),
            Self::Failed(failed) => {
                failed.again.as_ref().map_or(0, of)
                    + match &failed.expected {
                        Expected::Value(expected) => answer(&failed.actual) + of(expected),
                        _ => answer(&failed.actual),
                    }
            }
        }
    }
}

/// A case that was answered wrongly.
///
/// ```
/// use seedproof_check::{Expected, FailedCase, Suspects, diagnose};
/// # use seedproof_corpus::CaseId;
/// # use seedproof_ops::{ErrorKind, NanRule, OpError, Request, Response, Tensor, TritonRandint};
///
/// # let [seed, offset] = [7_i64, 0].map(Tensor::scalar);
/// # let request = Request::TritonRandint(TritonRandint { num: 4, seed, offset });
/// # let suspects =
/// #     Suspects { candidates: &[], families: &|_| Vec::new(), together: &|_| None, oracle: None, base: None };
/// let right = Tensor::vector(&[4099963437_u32, 1747881627, 26092480, 1675892246]);
/// let failed = FailedCase {
///     case: CaseId::new("tri/seed-7")?,
///     request,
///     expected: Expected::Value(Response::of(right)),
///     // A refusal is an answer too, and a wrong one here.
///     actual: Err(OpError::new(ErrorKind::Range, "the seed is too large")),
///     again: None,
///     nan: NanRule::default(),
/// };
/// let diagnosis = diagnose(&[failed], &[], &suspects);
/// assert_eq!(diagnosis.unexplained[0].case.as_str(), "tri/seed-7");
/// assert_eq!(diagnosis.unexplained[0].nearest, None, "there are no elements to reproduce");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCase {
    /// The id of the case.
    pub case: CaseId,
    /// The request.
    pub request: Request,
    /// The expected answer. Never a digest.
    pub expected: Expected,
    /// The answer.
    pub actual: Reply,
    /// The answer when it was asked for once more, where that is another value. No cause reproduces such an answer, but
    /// where it changes may be where nothing is written.
    pub again: Option<Response>,
    /// The NaNs that count as the same element.
    pub nan: NanRule,
}

impl FailedCase {
    /// The expected and the actual value, if both are values.
    pub(crate) fn values(&self) -> Option<(&Response, &Response)> {
        match (&self.expected, &self.actual) {
            (Expected::Value(expected), Ok(actual)) => Some((expected, actual)),
            _ => None,
        }
    }
}

/// A case that was answered as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedCase {
    /// The id of the case.
    pub case: CaseId,
    /// The request.
    pub request: Request,
    /// The answer.
    pub reply: Reply,
    /// The NaNs that count as the same element.
    pub nan: NanRule,
}

/// A finding, with the answers that a diagnosis needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The finding.
    pub finding: Finding,
    /// The expected and the actual answer; `None` where one of them is missing, random or known by its digest alone, and where a
    /// right answer changes.
    pub exchange: Option<Exchange>,
    /// How long the backend took to answer.
    pub took: Duration,
}

/// Whether two replies are the same: either every element of every output agrees, or both are rejections and their
/// kinds do not contradict each other.
pub(crate) fn same(a: &Reply, b: &Reply, nan: NanRule) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => nan.same_value(a, b),
        (Err(a), Err(b)) => same_kind(a.kind, b.kind),
        _ => false,
    }
}

/// A size as `u64`, which holds every `usize` of the platforms that Rust supports.
pub(crate) fn as_u64(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

/// Runs a request on a backend; `None` if it does not support the request.
pub(crate) fn ask(backend: &dyn Backend, request: &Request) -> Option<Result<Response, Failure>> {
    match backend.run_supported(request) {
        Err(Failure::Unsupported(_)) => None,
        answer => Some(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_ops::{ErrorKind, Tensor};

    #[test]
    fn replies_are_the_same_in_every_bit() {
        let one = Ok(Response::of(Tensor::scalar(0.0_f32)));
        let other = Ok(Response::of(Tensor::scalar(-0.0_f32)));
        assert!(same(&one, &one, NanRule::Bits));
        assert!(!same(&one, &other, NanRule::Bits));
        let state = |word: u32| {
            Ok(Response {
                output: Tensor::scalar(0.0_f32),
                more: vec![Tensor::scalar(word)],
            })
        };
        assert!(!same(&state(1), &state(2), NanRule::Bits));
        assert!(!same(&one, &state(2), NanRule::Bits));
        let nan = |nan: f32| Ok(Response::of(Tensor::scalar(nan)));
        assert!(same(&nan(f32::NAN), &nan(-f32::NAN), NanRule::Class));
        assert!(!same(&nan(f32::NAN), &nan(-f32::NAN), NanRule::Bits));
    }

    #[test]
    fn rejections_are_the_same_in_kind() {
        let shape = Err(OpError::new(ErrorKind::Shape, "one"));
        let range = Err(OpError::new(ErrorKind::Range, "two"));
        let unsaid = Err(OpError {
            kind: None,
            message: "three".to_owned(),
        });
        assert!(!same(&shape, &range, NanRule::Bits));
        assert!(same(&shape, &unsaid, NanRule::Bits));
        assert!(!same(
            &shape,
            &Ok(Response::of(Tensor::scalar(1_i32))),
            NanRule::Bits
        ));
    }
}

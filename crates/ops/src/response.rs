//! Answers: a value, a rejection, or no answer. Three, never two.

use crate::named::named;
use crate::tensor::Tensor;

/// The value of one execution: a tensor for each of [`Request::outputs`](crate::Request::outputs).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The first output.
    pub output: Tensor,
    /// The further outputs that the request asks for, in the order of the op's description.
    pub more: Vec<Tensor>,
}

impl Response {
    /// A response of one output.
    pub const fn of(output: Tensor) -> Self {
        Self {
            output,
            more: Vec::new(),
        }
    }

    /// All outputs.
    pub fn outputs(&self) -> impl Iterator<Item = &Tensor> {
        std::iter::once(&self.output).chain(&self.more)
    }
}

named! {
    /// The reason for refusing a request. Kinds are compared; messages are only shown.
    ErrorKind {
        /// An input has an element type that the op forbids.
        Dtype = "dtype",
        /// An input has a rank or an extent that the op forbids, or asks for such an output.
        Shape = "shape",
        /// A bound, or a given draw, is outside what the op allows.
        Range = "range",
        /// An attribute has a value that the op forbids.
        Attribute = "attribute",
        /// Probabilities are negative, not finite, or sum to nothing that can be divided by.
        Probabilities = "probabilities",
        /// The number of samples is negative or more than there are classes to draw.
        Samples = "samples",
        /// A generator state is malformed.
        State = "state",
    }
}

/// A rejection: the request is invalid, and says what about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OpError {
    /// The part that is compared. `None` where an adapter does not say.
    pub kind: Option<ErrorKind>,
    /// The part that is shown: a lower-case fragment.
    pub message: String,
}

impl OpError {
    /// A rejection of a known kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind: Some(kind),
            message: message.into(),
        }
    }
}

/// A failure of an implementation to answer at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// It said so itself.
    Error,
    /// Its process ended, also when the request was tried alone.
    Crash,
    /// Its process ended, but not when the request was tried alone.
    OrderDependentCrash,
    /// It did not answer in time.
    Timeout,
    /// Its answer breaks the protocol.
    Protocol,
    /// The fault is the harness's own.
    Infrastructure,
    /// It was not asked: too many restarts came before.
    NotRun,
}

/// No answer, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The kind of failure.
    pub kind: FaultKind,
    /// The details, in words.
    pub message: String,
}

/// The reason for the absence of a value. A refusal is an answer, which may be right. The other two are not answers.
///
/// ```
/// use seedproof_ops::{ErrorKind, Failure};
///
/// let failure = Failure::rejected(ErrorKind::Range, "minval is above maxval");
/// assert_eq!(failure.to_string(), "rejected: minval is above maxval");
/// assert!(matches!(failure, Failure::Rejected(error) if error.kind == Some(ErrorKind::Range)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The request is invalid.
    #[error("rejected: {0}")]
    Rejected(#[from] OpError),
    /// The request is valid, or was not looked at, and this implementation cannot answer it.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The implementation should have answered and did not.
    #[error("broken: {0}")]
    Broken(#[from] Fault),
}

impl Failure {
    /// A rejection of a known kind.
    pub fn rejected(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::Rejected(OpError::new(kind, message))
    }

    /// The answer to a request for an op that this implementation does not have.
    // Of any name, so that this module need not import that of requests, which imports it.
    pub fn no_op(op: impl std::fmt::Display) -> Self {
        Self::Unsupported(format!("there is no {op} here"))
    }

    /// A fault that the implementation reports itself.
    pub fn error(message: impl Into<String>) -> Self {
        Self::Broken(Fault {
            kind: FaultKind::Error,
            message: message.into(),
        })
    }
}

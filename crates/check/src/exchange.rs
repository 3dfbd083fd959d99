//! What was asked and what came: the material of a diagnosis.

use seedproof_ops::{OpError, Request, Response};
use seedproof_vectors::CaseId;

/// A value or a rejection. That there is no answer is not one.
pub type Reply = Result<Response, OpError>;

/// A case that an implementation answered, and not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCase {
    /// The case.
    pub case: CaseId,
    /// What was asked.
    pub request: Request,
    /// What was expected; `None` where nothing determines it, for both seeds are zero. The kind of a rejection counts,
    /// its message is free.
    pub expected: Option<Reply>,
    /// What came.
    pub actual: Reply,
}

impl FailedCase {
    /// The value that was expected and the value that came, if both are values.
    pub(crate) fn values(&self) -> Option<(&Response, &Response)> {
        match (&self.expected, &self.actual) {
            (Some(Ok(expected)), Ok(actual)) => Some((expected, actual)),
            _ => None,
        }
    }
}

/// A case that an implementation answered as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedCase {
    /// The case.
    pub case: CaseId,
    /// What was asked.
    pub request: Request,
    /// What was expected and came.
    pub reply: Reply,
}

/// Whether two replies are the same: every bit of output and state, or rejections whose kinds do not contradict
/// each other.
pub(crate) fn same(a: &Reply, b: &Reply) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a == b,
        (Err(a), Err(b)) => match (a.kind, b.kind) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        },
        _ => false,
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
        assert!(same(&one, &one));
        assert!(!same(&one, &other));
        let state = |word: u32| {
            Ok(Response {
                output: Tensor::scalar(0.0_f32),
                more: vec![Tensor::scalar(word)],
            })
        };
        assert!(!same(&state(1), &state(2)));
        assert!(!same(&one, &state(2)));
    }

    #[test]
    fn rejections_are_the_same_in_kind() {
        let shape = Err(OpError::new(ErrorKind::Shape, "one"));
        let range = Err(OpError::new(ErrorKind::Range, "two"));
        let unsaid = Err(OpError {
            kind: None,
            message: "three".to_owned(),
        });
        assert!(!same(&shape, &range));
        assert!(same(&shape, &unsaid));
        assert!(!same(&shape, &Ok(Response::of(Tensor::scalar(1_i32)))));
    }
}

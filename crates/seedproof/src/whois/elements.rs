//! The first elements of arrays and of answers.

use seedproof_ops::{Backend, Request, Shape, Tensor};
use seedproof_readings::{Engine, Subjects};

/// The number of elements that are compared before a whole output is drawn.
pub(super) const PREFIX: u64 = 64;

/// The first elements as a list.
pub(super) fn head(actual: &Tensor, count: u64) -> Tensor {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(actual.count());
    let bytes = actual.bytes()[..count * actual.dtype().size()].to_vec();
    Tensor::new(actual.dtype(), Shape::vector(count), bytes).expect("as many bytes as elements")
}

pub(super) fn as_list(output: &Tensor) -> Tensor {
    head(output, u64::MAX)
}

/// The first elements that a backend draws for a request.
pub(super) fn drawn(backend: &dyn Backend, request: &Request, count: u64) -> Option<Tensor> {
    let first = backend
        .first(request, usize::try_from(count).unwrap_or(usize::MAX))
        .ok()?;
    Some(head(&first, count))
}

/// [`drawn`] by an engine, and what the answer was made from.
pub(super) fn noted(engine: &Engine, request: &Request, count: u64) -> (Option<Tensor>, Subjects) {
    let (first, reads) = engine.noted_first(request, usize::try_from(count).unwrap_or(usize::MAX));
    (first.ok().map(|first| head(&first, count)), reads)
}

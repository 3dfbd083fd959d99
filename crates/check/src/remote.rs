//! Outputs that a backend keeps to itself: it tells the digest, and a chunk's elements when asked.

use seedproof_ops::{Backend, Digest, Failure, Scalar, Shape};
use seedproof_vectors::{Case, Digested, OutputDigest};

use crate::compare::element;
use crate::digest::{chunks, differing_chunks};
use crate::due::Due;
use crate::locate::output_form;
use crate::{Element, Form, Mismatch};

/// Compares by digest alone; `None` where the backend does not offer digests, or the case needs more than one.
/// What differs comes with the digest that was told.
pub(crate) fn compare(
    case: &Case,
    expected: &Digested,
    backend: &dyn Backend,
    oracle: &dyn Backend,
) -> Option<Result<Option<(Digest, Mismatch)>, Failure>> {
    let OutputDigest::Chunks(chunks) = &expected.digest else {
        return None;
    };
    if expected.state.is_some() {
        return None;
    }
    let (dtype, shape) = output_form(&case.request)?;
    let actual = match backend.digest(&case.request)? {
        Ok(digest) => digest,
        Err(failure) => return Some(Err(failure)),
    };
    if (dtype, &shape) != (actual.dtype, &actual.shape) {
        let mismatch = Mismatch::Form {
            expected: Form { dtype, shape },
            actual: Form {
                dtype: actual.dtype,
                shape: actual.shape.clone(),
            },
        };
        return Some(Ok(Some((actual, mismatch))));
    }
    let (differing, total) = differing_chunks(chunks, &actual.chunks);
    let Some(&chunk) = differing.first() else {
        return Some(Ok(None));
    };
    let first = first_in_chunk(case, backend, oracle, chunk, &shape);
    let mismatch = Mismatch::Chunks {
        differing,
        total,
        first,
    };
    Some(Ok(Some((actual, mismatch))))
}

/// Whether an output of this digest is what is due.
pub(crate) fn gives(due: &Due<'_>, actual: &Digest) -> bool {
    match due {
        Due::Value(expected) => {
            let output = &expected.output;
            (output.dtype(), output.shape()) == (actual.dtype, &actual.shape)
                && chunks(output) == actual.chunks
        }
        Due::Digest(expected) => expected.digest == OutputDigest::Chunks(actual.chunks.clone()),
        Due::Rejected(_) | Due::Seedless => false,
    }
}

/// The first element of a chunk that differs from the oracle's.
fn first_in_chunk(
    case: &Case,
    backend: &dyn Backend,
    oracle: &dyn Backend,
    chunk: usize,
    shape: &Shape,
) -> Option<Element> {
    let start = chunk.checked_mul(Digest::CHUNK)?;
    let count = shape.count().checked_sub(start)?.min(Digest::CHUNK);
    let actual = backend.window(&case.request, start, count)?.ok()?;
    let expected: Vec<Scalar> = if let Some(window) = oracle.window(&case.request, start, count) {
        window.ok()?.scalars().collect()
    } else {
        let output = oracle.run(&case.request).ok()?.output;
        output.scalars().skip(start).take(count).collect()
    };
    let (offset, (expected, actual)) = expected
        .into_iter()
        .zip(actual.scalars())
        .enumerate()
        .find(|(_, (expected, actual))| expected != actual)?;
    let index = start + offset;
    Some(element(
        &case.request,
        shape.coordinates(index),
        index,
        expected,
        actual,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Fake, case, uniform};
    use seedproof_ops::{Alignment, BackendId, Dtype, Request, Response, Support, Tensor};
    use seedproof_vectors::Expectation;

    /// Tells digests and windows only.
    struct Remote {
        id: BackendId,
        output: Tensor,
    }

    impl Backend for Remote {
        fn id(&self) -> &BackendId {
            &self.id
        }

        fn supports(&self, _request: &Request) -> Support {
            Support::Yes
        }

        fn run(&self, _request: &Request) -> Result<Response, Failure> {
            Err(Failure::error("too large to send"))
        }

        fn digest(&self, _request: &Request) -> Option<Result<Digest, Failure>> {
            Some(Ok(Digest {
                dtype: self.output.dtype(),
                shape: self.output.shape().clone(),
                chunks: chunks(&self.output),
            }))
        }

        fn window(&self, _request: &Request, start: usize, count: usize) -> Option<Result<Tensor, Failure>> {
            let bytes = self.output.bytes()[start * 4..(start + count) * 4].to_vec();
            Some(Ok(Tensor::new(Dtype::I32, Shape::vector(count), bytes).unwrap()))
        }
    }

    fn found(actual: &[i32]) -> Option<Mismatch> {
        let numbers: Vec<i32> = (0..140_000).collect();
        let output = Tensor::vector(&numbers);
        let digested = Digested {
            digest: OutputDigest::Chunks(chunks(&output)),
            first: Vec::new(),
            last: Vec::new(),
            state: None,
        };
        let case = case(
            "ru8/tensorflow/i32/large",
            uniform(Alignment::Tensorflow, Dtype::I32, &[140_000]),
            Expectation::Digest(digested.clone()),
        );
        let remote = Remote {
            id: BackendId::new("adapter/remote"),
            output: Tensor::vector(actual),
        };
        let oracle = Fake::giving("reference", output);
        let found = compare(&case, &digested, &remote, &oracle).unwrap().unwrap();
        found.map(|(_, mismatch)| mismatch)
    }

    #[test]
    fn remote_digest_that_agrees_passes() {
        assert_eq!(found(&(0..140_000).collect::<Vec<i32>>()), None);
    }

    #[test]
    fn remote_digest_that_differs_is_followed_to_the_element() {
        let mut actual: Vec<i32> = (0..140_000).collect();
        actual[131_100] = -5;
        let Some(Mismatch::Chunks {
            differing,
            total,
            first: Some(first),
        }) = found(&actual)
        else {
            panic!("nothing was found");
        };
        assert_eq!((differing, total), (vec![2], 3));
        assert_eq!((first.index, first.actual.to_i64()), (131_100, -5));
    }

    #[test]
    fn remote_digest_of_another_form_is_wrong() {
        assert!(matches!(found(&[1, 2]), Some(Mismatch::Form { .. })));
    }

    #[test]
    fn remote_digest_is_held_against_values_and_digests() {
        let output = Tensor::vector(&[1_i32, 2]);
        let digest = Digest {
            dtype: Dtype::I32,
            shape: Shape::vector(2),
            chunks: chunks(&output),
        };
        assert!(gives(&Due::Value(Response::of(output)), &digest));
        assert!(!gives(
            &Due::Value(Response::of(Tensor::vector(&[1_i32, 3]))),
            &digest
        ));
        let digested = |chunks| Digested {
            digest: OutputDigest::Chunks(chunks),
            first: Vec::new(),
            last: Vec::new(),
            state: None,
        };
        assert!(gives(&Due::Digest(&digested(digest.chunks.clone())), &digest));
        assert!(!gives(&Due::Digest(&digested(vec![[0; 32]])), &digest));
    }
}

//! Outputs that a backend keeps to itself: it tells the digest, and a chunk's elements when asked.

use seedproof_ops::{Ask, Backend, Digest, Scalar, Shape, Value, Want};
use seedproof_vectors::{Case, Digested, OutputDigest};

use crate::compare::element;
use crate::digest::{chunks, differing_chunks};
use crate::due::Due;
use crate::locate::output_form;
use crate::{Element, Form, Mismatch};

/// What is enough to judge a case whose expectation is a digest: the digest, unless there is more to compare.
pub(crate) fn want(expected: &Digested) -> Want {
    match expected.digest {
        OutputDigest::Chunks(_) if expected.state.is_none() => Want::Digest,
        _ => Want::Full,
    }
}

/// How a digest differs from the expected one; `None` if it does not.
pub(crate) fn compare(
    case: &Case,
    expected: &Digested,
    actual: &Digest,
    backend: &dyn Backend,
    oracle: &dyn Backend,
) -> Option<Mismatch> {
    let OutputDigest::Chunks(chunks) = &expected.digest else {
        return None;
    };
    let (dtype, shape) = output_form(&case.request)?;
    if (dtype, &shape) != (actual.dtype, &actual.shape) {
        return Some(Mismatch::Form {
            expected: Form { dtype, shape },
            actual: Form {
                dtype: actual.dtype,
                shape: actual.shape.clone(),
            },
        });
    }
    let (differing, total) = differing_chunks(chunks, &actual.chunks);
    let first = first_in_chunk(case, backend, oracle, *differing.first()?, &shape);
    Some(Mismatch::Chunks {
        differing,
        total,
        first,
    })
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
    let window = |backend: &dyn Backend| -> Option<Vec<Scalar>> {
        let ask = Ask {
            case: case.id.as_str(),
            request: &case.request,
            want: Want::Window { start, count },
        };
        match backend.ask(&ask).result.ok()? {
            Value::Full(response) => Some(response.output.scalars().skip(start).take(count).collect()),
            Value::Window(elements) => Some(elements.scalars().collect()),
            Value::Digest(..) => None,
        }
    };
    let (offset, (expected, actual)) = window(oracle)?
        .into_iter()
        .zip(window(backend)?)
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
    use seedproof_ops::{Alignment, Answer, BackendId, Dtype, Failure, Request, Response, Support, Tensor};
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

        fn ask(&self, ask: &Ask<'_>) -> Answer {
            let result = match ask.want {
                Want::Full => self.run(ask.request).map(Value::Full),
                Want::Digest => Ok(Value::Digest(Digest::of(&self.output), Vec::new())),
                Want::Window { start, count } => {
                    let bytes = self.output.bytes()[start * 4..(start + count) * 4].to_vec();
                    Ok(Value::Window(
                        Tensor::new(Dtype::I32, Shape::vector(count), bytes).unwrap(),
                    ))
                }
            };
            let stderr = String::new();
            Answer { result, stderr }
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
        compare(&case, &digested, &Digest::of(&remote.output), &remote, &oracle)
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

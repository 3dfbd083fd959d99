//! Outputs by their SHA-256.

use seedproof_ops::{Digest, Request, Response, Shape, Tensor};
use seedproof_vectors::{Digested, OutputDigest};
use sha2::{Digest as _, Sha256};

use crate::compare::{compare, compare_states, element};
use crate::locate::output_form;
use crate::{Element, Form, Mismatch};

/// SHA-256 of the little-endian bytes of each 65,536 elements; the last chunk may be shorter.
pub fn chunks(output: &Tensor) -> Vec<[u8; 32]> {
    let size = Digest::CHUNK * output.dtype().size();
    output.bytes().chunks(size).map(sum).collect()
}

/// SHA-256 of all of an output's little-endian bytes.
pub fn whole(output: &Tensor) -> [u8; 32] {
    sum(output.bytes())
}

fn sum(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The indices of the chunks whose sums differ, and how many chunks there are. One sum over everything counts as
/// one chunk.
pub(crate) fn differing(expected: &OutputDigest, actual: &Tensor) -> (Vec<usize>, usize) {
    match expected {
        OutputDigest::Chunks(expected) => differing_chunks(expected, &chunks(actual)),
        OutputDigest::Whole(expected) if *expected == whole(actual) => (Vec::new(), 1),
        OutputDigest::Whole(_) => (vec![0], 1),
    }
}

/// The indices at which two lists of sums differ, and the length of the longer.
pub(crate) fn differing_chunks(expected: &[[u8; 32]], actual: &[[u8; 32]]) -> (Vec<usize>, usize) {
    let total = expected.len().max(actual.len());
    let differing = (0..total)
        .filter(|&chunk| expected.get(chunk) != actual.get(chunk))
        .collect();
    (differing, total)
}

/// Whether an answer has the expected digest, form and state.
pub(crate) fn matches(request: &Request, expected: &Digested, actual: &Response) -> bool {
    compare_digest(request, expected, actual, || None).is_none()
}

/// How an answer differs from one that is known by its digest.
///
/// `recompute` is asked for the whole expected answer when the digests differ. What it gives is trusted only if it
/// has the expected digest itself; then the elements are compared, else only the chunks are known.
pub fn compare_digest(
    request: &Request,
    expected: &Digested,
    actual: &Response,
    recompute: impl FnOnce() -> Option<Response>,
) -> Option<Mismatch> {
    if let Some((dtype, shape)) = output_form(request)
        && (dtype, &shape) != (actual.output.dtype(), actual.output.shape())
    {
        return Some(Mismatch::Form {
            expected: Form { dtype, shape },
            actual: Form::of(&actual.output),
        });
    }
    let (chunks, total) = differing(&expected.digest, &actual.output);
    if chunks.is_empty() {
        return compare_states(expected.state.as_ref(), actual.more.first());
    }
    recompute()
        .filter(|response| differing(&expected.digest, &response.output).0.is_empty())
        .and_then(|response| compare(request, &response, actual))
        .or_else(|| {
            Some(Mismatch::Chunks {
                differing: chunks,
                total,
                first: first_known(request, expected, &actual.output),
            })
        })
}

/// The first of the elements that the case spells out which differs.
fn first_known(request: &Request, expected: &Digested, actual: &Tensor) -> Option<Element> {
    let tail = actual.count().checked_sub(expected.last.len())?;
    let head = expected.first.iter().copied().enumerate();
    let last = expected
        .last
        .iter()
        .enumerate()
        .map(|(i, &scalar)| (tail + i, scalar));
    head.chain(last).find_map(|(index, expected)| {
        let actual_element = actual.get(index)?;
        (actual_element != expected).then(|| locate(request, actual.shape(), index, expected, actual_element))
    })
}

fn locate(
    request: &Request,
    shape: &Shape,
    index: usize,
    expected: seedproof_ops::Scalar,
    actual: seedproof_ops::Scalar,
) -> Element {
    element(request, shape.coordinates(index), index, expected, actual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::uniform;
    use seedproof_ops::{Alignment, Dtype, Scalar};

    const COUNT: i64 = 150_000;

    fn request() -> Request {
        uniform(Alignment::Tensorflow, Dtype::I32, &[COUNT])
    }

    fn numbers() -> Vec<i32> {
        (0..150_000).collect()
    }

    fn response(values: &[i32]) -> Response {
        Response::of(Tensor::vector(values))
    }

    fn digested(values: &[i32]) -> Digested {
        let output = Tensor::vector(values);
        let all: Vec<Scalar> = output.scalars().collect();
        Digested {
            digest: OutputDigest::Chunks(chunks(&output)),
            first: all[..8].to_vec(),
            last: all[all.len() - 8..].to_vec(),
            state: None,
        }
    }

    #[test]
    fn digest_has_a_sum_per_65536_elements() {
        let output = Tensor::vector(&numbers());
        assert_eq!(chunks(&output).len(), 3);
        assert_eq!(chunks(&output)[0], sum(&output.bytes()[..65_536 * 4]));
        assert_eq!(chunks(&Tensor::vector::<i32>(&[])).len(), 0);
    }

    #[test]
    fn digest_of_two_letters_is_the_published_one() {
        let output = Tensor::new(Dtype::F16, Shape::vector(1), b"ab".to_vec()).unwrap();
        assert_eq!(whole(&output)[..4], [0xfb, 0x8e, 0x20, 0xfc]);
    }

    #[test]
    fn digest_of_the_same_output_matches() {
        let expected = digested(&numbers());
        assert!(matches(&request(), &expected, &response(&numbers())));
        let whole = Digested {
            digest: OutputDigest::Whole(whole(&Tensor::vector(&numbers()))),
            ..expected
        };
        assert!(matches(&request(), &whole, &response(&numbers())));
        let mut wrong = numbers();
        wrong[77] ^= 1;
        assert!(!matches(&request(), &whole, &response(&wrong)));
    }

    #[test]
    fn digest_mismatch_names_the_chunk() {
        let mut wrong = numbers();
        wrong[70_000] ^= 1;
        let found = compare_digest(&request(), &digested(&numbers()), &response(&wrong), || None);
        assert_eq!(
            found,
            Some(Mismatch::Chunks {
                differing: vec![1],
                total: 3,
                first: None
            })
        );
    }

    #[test]
    fn digest_mismatch_uses_the_elements_that_are_spelt_out() {
        let mut wrong = numbers();
        wrong[149_999] = -1;
        let found = compare_digest(&request(), &digested(&numbers()), &response(&wrong), || None);
        let Some(Mismatch::Chunks {
            first: Some(first), ..
        }) = found
        else {
            panic!("{found:?}");
        };
        assert_eq!(first.index, 149_999);
        assert_eq!(first.expected.to_i64(), 149_999);
    }

    #[test]
    fn digest_mismatch_with_an_oracle_names_the_element() {
        let mut wrong = numbers();
        wrong[70_000] ^= 1;
        let oracle = || Some(response(&numbers()));
        let found = compare_digest(&request(), &digested(&numbers()), &response(&wrong), oracle);
        let Some(Mismatch::Elements(comparison)) = found else {
            panic!("{found:?}");
        };
        assert_eq!((comparison.differing, comparison.first.index), (1, 70_000));
    }

    #[test]
    fn digest_mismatch_distrusts_an_oracle_with_another_digest() {
        let mut wrong = numbers();
        wrong[70_000] ^= 1;
        let oracle = || Some(response(&vec![7; 150_000]));
        let found = compare_digest(&request(), &digested(&numbers()), &response(&wrong), oracle);
        assert!(matches!(found, Some(Mismatch::Chunks { .. })), "{found:?}");
    }

    #[test]
    fn digest_mismatch_in_form_comes_first() {
        let found = compare_digest(&request(), &digested(&numbers()), &response(&[1, 2]), || None);
        assert!(matches!(found, Some(Mismatch::Form { .. })), "{found:?}");
    }
}

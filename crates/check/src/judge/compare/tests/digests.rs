//! Digests: agreement, and every way to find where they differ.

use super::*;
use crate::fixtures::{Fake, case, uniform};
use crate::model::expected::Judges;
use seedproof_corpus::Expectation;
use seedproof_ops::{Alignment, Answer, Ask, Backend, BackendId, Dtype, Support};

fn request() -> Request {
    uniform(Alignment::Tensorflow, Dtype::I32, &[150_000])
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
        digest: OutputDigest::Chunks(Digest::of(&output).chunks),
        first: all[..8].to_vec(),
        last: all[all.len() - 8..].to_vec(),
        more: Vec::new(),
    }
}

/// The agreement of an answer with the expected digest.
fn compared(
    request: Request,
    expected: Digested,
    answer: Value,
    [backend, oracle]: [&dyn Backend; 2],
    nan: NanRule,
) -> Agreement {
    let case = case("ru8/tensorflow/large", request, Expectation::Oracle);
    let judges = Judges {
        oracle,
        requested: None,
        readings: &[],
        nan,
        repeat: 0,
    };
    let question = Question::of_thread(&case, backend, &judges);
    let compared = Expected::Digest(expected).compare(&question, Ok(answer));
    compared.expect("there is an answer").agreement
}

/// The mismatch of a value with a digest where the oracle does not answer, so that the elements remain unknown.
fn compare_digest(request: &Request, expected: &Digested, actual: &Response) -> Option<Mismatch> {
    let oracle = Fake::always("reference", Err(Failure::error("too large to draw")));
    let answer = Value::Full(actual.clone());
    match compared(
        request.clone(),
        expected.clone(),
        answer,
        [&oracle; 2],
        NanRule::Bits,
    ) {
        Agreement::Same(_) => None,
        Agreement::Differs(mismatch) => mismatch,
    }
}

/// The numbers, except for one.
fn wrong(index: usize) -> Vec<i32> {
    let mut numbers = numbers();
    numbers[index] = -1;
    numbers
}

#[test]
fn digest_of_the_same_output_matches() {
    let by_chunks = digested(&numbers());
    let whole = Digested {
        digest: OutputDigest::Whole(Digest::whole(&Tensor::vector(&numbers()))),
        ..by_chunks.clone()
    };
    for digested in [by_chunks, whole] {
        let right = response(&numbers());
        assert_eq!(compare_digest(&request(), &digested, &right), None);
        let expected = Expected::Digest(digested.clone());
        assert!(expected.is_value(&request(), &right, NanRule::Class));
        // A wrong element in each of the three chunks. A right chunk says nothing about the others.
        for index in [77, 70_000, 149_999] {
            let wrong = response(&wrong(index));
            assert!(compare_digest(&request(), &digested, &wrong).is_some(), "{index}");
            assert!(!expected.is_value(&request(), &wrong, NanRule::Class), "{index}");
        }
    }
}

#[test]
fn digest_is_asked_for_where_it_is_enough() {
    let chunks = digested(&numbers());
    let whole = Digested {
        digest: OutputDigest::Whole(Digest::whole(&Tensor::vector(&numbers()))),
        ..chunks.clone()
    };
    let with_state = Digested {
        more: vec![Tensor::scalar(7_u32)],
        ..chunks.clone()
    };
    assert_eq!(
        [chunks, whole, with_state].map(|expected| Expected::Digest(expected).want()),
        [Want::Digest, Want::Full, Want::Full]
    );
}

#[test]
fn digest_mismatch_names_the_chunk() {
    let found = compare_digest(&request(), &digested(&numbers()), &response(&wrong(70_000)));
    let chunks = Mismatch::Chunks {
        differing: vec![1],
        total: 3,
        first: None,
    };
    assert_eq!(found, Some(chunks));
}

/// Every element is right, and a further output is wrong.
#[test]
fn digest_mismatch_names_the_further_output() {
    let words: Vec<u32> = (0..100).collect();
    let shape = seedproof_ops::Shape::new(&[1, 1, 1, 100]).unwrap();
    let output = Tensor::from_elements(shape, &words).unwrap();
    let request = crate::fixtures::dml(&[1, 1, 1, 100]);
    let state = |words: [u32; 6]| vec![Tensor::vector(&words)];
    let whole = OutputDigest::Whole(Digest::whole(&output));
    for digest in [OutputDigest::Chunks(Digest::of(&output).chunks), whole] {
        let expected = Digested {
            digest,
            more: state([25, 0, 0, 0, 7, 8]),
            ..digested(&numbers())
        };
        let with = |more| Response {
            output: output.clone(),
            more,
        };
        let right = with(state([25, 0, 0, 0, 7, 8]));
        assert_eq!(compare_digest(&request, &expected, &right), None);
        for wrong in [state([25, 0, 0, 0, 7, 9]), Vec::new()] {
            let found = compare_digest(&request, &expected, &with(wrong));
            assert!(matches!(found, Some(Mismatch::Output { .. })), "{found:?}");
        }
    }
}

#[test]
fn digest_mismatch_uses_the_elements_that_are_spelt_out() {
    let found = compare_digest(&request(), &digested(&numbers()), &response(&wrong(149_999)));
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
fn digest_mismatch_in_form_comes_first() {
    let found = compare_digest(&request(), &digested(&numbers()), &response(&[1, 2]));
    assert!(matches!(found, Some(Mismatch::Form { .. })), "{found:?}");
}

/// Answers with digests and windows alone.
struct Remote {
    id: BackendId,
    output: Tensor,
}

impl Backend for Remote {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, _request: &Request) -> Support {
        Support::Supported
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
                let window = Tensor::new(self.output.dtype(), Shape::vector(count), bytes).unwrap();
                Ok(Value::Window(window))
            }
        };
        let stderr = String::new();
        Answer { result, stderr }
    }
}

fn found(actual: &[i32]) -> Option<Mismatch> {
    held(actual, &Digest::of(&Tensor::vector(actual)))
}

/// The mismatch of an implementation with this output and this digest.
fn held(output: &[i32], actual: &Digest) -> Option<Mismatch> {
    let oracle = Fake::giving("reference", Tensor::vector(&numbers()));
    let agreement = compared_remote(
        request(),
        digested(&numbers()),
        actual,
        Tensor::vector(output),
        &oracle,
        NanRule::Class,
    );
    match agreement {
        Agreement::Same(_) => None,
        Agreement::Differs(mismatch) => mismatch,
    }
}

/// The agreement of a digest, where `output` is what the implementation has drawn.
fn compared_remote(
    request: Request,
    expected: Digested,
    actual: &Digest,
    output: Tensor,
    oracle: &Fake,
    nan: NanRule,
) -> Agreement {
    let id = BackendId::new("adapter/remote");
    let answer = Value::Digest(actual.clone(), Vec::new());
    compared(request, expected, answer, [&Remote { id, output }, oracle], nan)
}

#[test]
fn remote_digest_that_agrees_passes() {
    assert_eq!(found(&numbers()), None);
}

#[test]
fn remote_digest_of_fewer_or_more_chunks_is_wrong() {
    let right = Digest::of(&Tensor::vector(&numbers()));
    for length in [0, 1, 2, 4] {
        let mut actual = right.clone();
        actual.chunks.resize(length, [0; 32]);
        let found = held(&numbers(), &actual);
        assert!(found.is_some(), "{length} chunks instead of 3");
        assert!(!Expected::Digest(digested(&numbers())).has_digest(&request(), &actual));
        assert!(!Expected::Value(response(&numbers())).has_digest(&request(), &actual));
    }
}

#[test]
fn remote_digest_that_differs_is_followed_to_the_element() {
    let Some(Mismatch::Chunks {
        differing,
        total,
        first: Some(first),
    }) = found(&wrong(131_100))
    else {
        panic!("nothing was found");
    };
    assert_eq!((differing, total), (vec![2], 3));
    assert_eq!((first.index, first.actual.to_i64()), (131_100, -1));
}

#[test]
fn remote_digest_with_other_nans_is_followed_to_them() {
    let values = |changed: &[(usize, f32)]| {
        let mut values = vec![0.5_f32; 150_000];
        for index in [3, 70_000, 131_100] {
            values[index] = f32::NAN;
        }
        for &(index, value) in changed {
            values[index] = value;
        }
        Tensor::vector(&values)
    };
    let expected = values(&[]);
    let digested = Digested {
        digest: OutputDigest::Chunks(Digest::of(&expected).chunks),
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    };
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[150_000]);
    let oracle = Fake::giving("reference", expected);
    let found = |output: Tensor, nan: NanRule| {
        let actual = Digest::of(&output);
        compared_remote(request.clone(), digested.clone(), &actual, output, &oracle, nan)
    };
    let other = -f32::NAN;
    let Agreement::Same(nans) = found(values(&[(3, other), (131_100, other)]), NanRule::Class) else {
        panic!("only NaNs differ");
    };
    assert_eq!(nans.map(|nans| nans.count), Some(2));
    let first = |found| match found {
        Agreement::Differs(Some(Mismatch::Chunks {
            differing,
            first: Some(first),
            ..
        })) => (differing, first.index),
        _ => panic!("chunks differ, and a first element of them"),
    };
    // Elements that are not those of the digest excuse nothing.
    let foreign = {
        let output = values(&[(3, other)]);
        let mut actual = Digest::of(&output);
        actual.chunks[0] = [0x11; 32];
        let class = NanRule::Class;
        compared_remote(request.clone(), digested.clone(), &actual, output, &oracle, class)
    };
    assert!(
        matches!(foreign, Agreement::Differs(Some(Mismatch::Chunks { ref differing, .. })) if *differing == [0])
    );
    let strict = found(values(&[(3, other), (131_100, other)]), NanRule::Bits);
    assert_eq!(first(strict), (vec![0, 2], 3));
    let wrong = found(values(&[(3, other), (70_001, other)]), NanRule::Class);
    assert_eq!(first(wrong), (vec![1], 70_001));
}

#[test]
fn remote_digest_of_another_form_is_wrong() {
    assert!(matches!(found(&[1, 2]), Some(Mismatch::Form { .. })));
}

#[test]
fn remote_digest_is_held_against_values_and_digests() {
    let digest = Digest::of(&Tensor::vector(&numbers()));
    assert!(Expected::Value(response(&numbers())).has_digest(&request(), &digest));
    assert!(!Expected::Value(response(&wrong(3))).has_digest(&request(), &digest));
    assert!(Expected::Digest(digested(&numbers())).has_digest(&request(), &digest));
    assert!(!Expected::Digest(digested(&wrong(3))).has_digest(&request(), &digest));
    assert!(!Expected::Random.has_digest(&request(), &digest));
}

#[test]
fn digest_of_the_right_bytes_in_another_form_is_wrong() {
    let right = response(&numbers());
    let bytes = right.output.bytes().to_vec();
    let column = Shape::new(&[150_000, 1]).unwrap();
    let expected = Expected::Digest(digested(&numbers()));
    for (dtype, shape) in [(Dtype::I32, column), (Dtype::U32, Shape::vector(150_000))] {
        let output = Tensor::new(dtype, shape, bytes.clone()).unwrap();
        let digest = Digest::of(&output);
        assert!(
            !expected.is_value(&request(), &Response::of(output), NanRule::Class),
            "{dtype}"
        );
        for known in [&expected, &Expected::Value(right.clone())] {
            assert!(
                !known.has_digest(&request(), &digest),
                "{dtype}: no reading answers so"
            );
        }
        assert!(matches!(held(&numbers(), &digest), Some(Mismatch::Form { .. })));
    }
}

/// The oracle draws an output whose digest is not the one of the case, and the implementation draws the oracle's.
#[test]
fn remote_digest_is_not_excused_by_an_oracle_that_contradicts_the_case() {
    let nan = |bits: u32| {
        let mut values = vec![0.5_f32; 150_000];
        values[3] = f32::from_bits(bits);
        Tensor::vector(&values)
    };
    let digested = Digested {
        digest: OutputDigest::Chunks(Digest::of(&Tensor::vector(&vec![0.25_f32; 150_000])).chunks),
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    };
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[150_000]);
    let oracle = Fake::giving("reference", nan(0x7fc0_0000));
    let output = nan(0xffc0_0000);
    let actual = Digest::of(&output);
    let found = compared_remote(request, digested, &actual, output, &oracle, NanRule::Class);
    let Agreement::Differs(Some(Mismatch::Chunks { differing, .. })) = found else {
        panic!("chunks differ");
    };
    assert_eq!(differing, [0, 1, 2]);
}

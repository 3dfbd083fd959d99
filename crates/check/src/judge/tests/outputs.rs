//! Expectations by digest, and outputs beside the first.

use super::*;

#[test]
fn judge_follows_a_digest_to_the_element() {
    let expected = by_digest(OutputDigest::Chunks(Digest::of(&right()).chunks));
    let case = case("ru8/tensorflow/i32/d", request(), expected);
    assert_eq!(given(&case, right()).outcome, Outcome::Pass);
    let found = given(&case, Tensor::vector(&[1, 2, 9]));
    assert_eq!(found.outcome, Outcome::Fail);
    assert!(matches!(found.mismatch, Some(Mismatch::Elements(c)) if c.first.index == 2));
}

#[test]
fn judge_distrusts_an_oracle_with_another_digest() {
    let expected = by_digest(OutputDigest::Chunks(
        Digest::of(&Tensor::vector(&[7, 7, 7])).chunks,
    ));
    let case = case("ru8/tensorflow/i32/d", request(), expected);
    let found = given(&case, Tensor::vector(&[1, 2, 9]));
    assert!(
        matches!(found.mismatch, Some(Mismatch::Chunks { .. })),
        "{found:?}"
    );
}

#[test]
fn judge_sees_a_wrong_state() {
    let response = |state: [u32; 6]| Response {
        output: Tensor::vector(&[1_u32]),
        more: vec![Tensor::vector(&state)],
    };
    let case = case(
        "dml/4.0/state",
        dml(&[1]),
        Expectation::Bits(Bits {
            output: Tensor::vector(&[1_u32]),
            more: vec![Tensor::vector(&[1_u32, 0, 0, 0, 0, 0])],
        }),
    );
    let fake = |state| Fake::always("fake", Ok(response(state)));
    assert_eq!(finding(&case, &fake([1, 0, 0, 0, 0, 0])).outcome, Outcome::Pass);
    let found = finding(&case, &fake([0; 6]));
    assert_eq!(found.message, "the first output is right, `output_state` is not");
    let found = given(&case, Tensor::vector(&[1_u32]));
    assert_eq!(found.message, "`output_state` is missing");
}

/// The finding for `actual` where `expected` is expected of a DirectML request with a state.
fn outcome_of_dml(expected: Expectation, actual: Response) -> Outcome {
    let of_dml = case("dml/feature-level-3.0/x", dml(&[1, 1, 1, 100]), expected);
    let oracle = Fake::always("reference", Err(Failure::error("nobody asks")));
    let outcome = judge(&of_dml, &Fake::always("fake", Ok(actual)), &under_spec(&oracle));
    outcome.unwrap().outcome
}

/// The tensor with one bit changed.
fn flipped(tensor: &Tensor, byte: usize) -> Tensor {
    let mut bytes = tensor.bytes().to_vec();
    bytes[byte] ^= 1;
    Tensor::new(tensor.dtype(), tensor.shape().clone(), bytes).unwrap()
}

#[test]
fn judge_sees_every_byte_of_every_output_by_value_and_by_digest() {
    let words: Vec<u32> = (0..100_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let shape = seedproof_ops::Shape::new(&[1, 1, 1, 100]).unwrap();
    let output = Tensor::from_elements(shape, &words).unwrap();
    let state_shape = seedproof_ops::Shape::new(&[1, 1, 1, 6]).unwrap();
    let state = Tensor::from_elements(state_shape, &[25_u32, 0, 0, 0, 7, 8]).unwrap();
    let by_value = Expectation::Bits(Bits {
        output: output.clone(),
        more: vec![state.clone()],
    });
    let all: Vec<_> = output.scalars().collect();
    let by_digest = |digest| {
        Expectation::Digest(Digested {
            digest,
            first: all[..8].to_vec(),
            last: all[92..].to_vec(),
            more: vec![state.clone()],
        })
    };
    let chunks = by_digest(OutputDigest::Chunks(Digest::of(&output).chunks));
    let whole = by_digest(OutputDigest::Whole(Digest::whole(&output)));
    for expected in [by_value, chunks, whole] {
        let outcome = |output: &Tensor, state: &Tensor| {
            let actual = Response {
                output: output.clone(),
                more: vec![state.clone()],
            };
            outcome_of_dml(expected.clone(), actual)
        };
        assert_eq!(outcome(&output, &state), Outcome::Pass);
        for byte in 0..output.bytes().len() {
            assert_eq!(outcome(&flipped(&output, byte), &state), Outcome::Fail, "{byte}");
        }
        for byte in 0..state.bytes().len() {
            let wrong = outcome(&output, &flipped(&state, byte));
            assert_eq!(wrong, Outcome::Fail, "byte {byte} of the state");
        }
    }
}

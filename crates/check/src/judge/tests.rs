//! Every outcome, from a small case and a backend that earns it.

use super::*;
use crate::applies;
use crate::fixtures::{Fake, bits, case, dml, uniform};
use crate::{Stage, StageResult};
use seedproof_ops::{Alignment, Dtype, FaultKind, NanRule, OpError, Request, Stages, Tensor};
use seedproof_vectors::Expectation;
use seedproof_vectors::{Bits, Digested, Name, OutputDigest};

fn request() -> Request {
    uniform(Alignment::Tensorflow, Dtype::I32, &[3])
}

fn right() -> Tensor {
    Tensor::vector(&[1, 2, 3])
}

fn wrong() -> Tensor {
    Tensor::vector(&[1, 2, 4])
}

fn of_bits() -> Case {
    case("ru8/tensorflow/i32/x", request(), bits(right()))
}

fn rejecting(kind: ErrorKind) -> Fake {
    Fake::always("fake", Err(Failure::rejected(kind, "so it is")))
}

/// Judged under spec with one other reading, `odd`, that answers with [`wrong`].
fn finding(case: &Case, backend: &Fake) -> Finding {
    let oracle = Fake::giving("reference", right());
    let odd = Fake::giving("readings/odd", wrong());
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[("odd", &odd)],
        nan: NanRule::Class,
        repeat: 0,
    };
    judge(case, backend, &judges).unwrap()
}

/// The readings of a finding with that outcome.
fn other_readings(finding: &Finding) -> &[String] {
    assert_eq!(finding.outcome, Outcome::OtherReading);
    &finding.readings
}

#[test]
fn judge_passes_the_expected_bits() {
    let found = finding(&of_bits(), &Fake::giving("fake", right()));
    assert_eq!(found.outcome, Outcome::Pass);
    assert_eq!((found.message.as_str(), found.mismatch), ("", None));
}

#[test]
fn judge_fails_other_bits_with_the_place() {
    let found = finding(&of_bits(), &Fake::giving("fake", Tensor::vector(&[1, 9, 3])));
    assert_eq!(found.outcome, Outcome::Fail);
    assert_eq!(
        found.message,
        "1 of 3 elements differs; the first at flat 1: expected 2, got 9"
    );
    assert!(matches!(found.mismatch, Some(Mismatch::Elements(c)) if c.first.ulps == Some(7)));
}

#[test]
fn judge_fails_another_form() {
    let found = finding(&of_bits(), &Fake::giving("fake", Tensor::vector(&[1_i64, 2, 3])));
    assert_eq!(found.outcome, Outcome::Fail);
    assert_eq!(found.message, "expected i32[3], got i64[3]");
}

#[test]
fn judge_names_the_reading_that_is_right() {
    let found = finding(&of_bits(), &Fake::giving("fake", wrong()));
    assert_eq!(other_readings(&found), ["odd"]);
    assert!(found.mismatch.is_some());
}

#[test]
fn judge_names_every_reading_that_is_right() {
    let oracle = Fake::giving("reference", right());
    let (a, b) = (
        Fake::giving("readings/a", wrong()),
        Fake::giving("readings/b", wrong()),
    );
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[("a", &a), ("right", &oracle), ("b", &b)],
        nan: NanRule::Class,
        repeat: 0,
    };
    let found = judge(&of_bits(), &Fake::giving("fake", wrong()), &judges).unwrap();
    assert_eq!(other_readings(&found), ["a", "b"]);
    assert!(found.message.ends_with("expected 3, got 4"), "{}", found.message);
}

#[test]
fn judge_prefers_what_the_case_says_of_a_reading() {
    let mut case = of_bits();
    case.readings
        .insert(Name::new("odd").unwrap(), bits(Tensor::vector(&[7, 7, 7])));
    assert_eq!(
        finding(&case, &Fake::giving("fake", wrong())).outcome,
        Outcome::Fail
    );
    let found = finding(&case, &Fake::giving("fake", Tensor::vector(&[7, 7, 7])));
    assert_eq!(other_readings(&found), ["odd"]);
}

#[test]
fn judge_under_another_reading_expects_what_it_says() {
    let oracle = Fake::giving("reference", right());
    let odd = Fake::giving("readings/odd", wrong());
    let judges = Judges {
        oracle: &oracle,
        requested: Some(("odd", &odd)),
        readings: &[("odd", &odd)],
        nan: NanRule::Class,
        repeat: 0,
    };
    let found = |output| judge(&of_bits(), &Fake::giving("fake", output), &judges).unwrap();
    assert_eq!(found(wrong()).outcome, Outcome::Pass);
    assert_eq!(other_readings(&found(right())), ["spec"]);
    assert_eq!(found(Tensor::vector(&[0, 0, 0])).outcome, Outcome::Fail);
}

#[test]
fn judge_leaves_out_what_the_reading_does_not_say() {
    let oracle = Fake::giving("reference", right());
    let odd = Fake::giving("readings/odd", wrong()).refusing_to_claim("no Philox");
    let backend = Fake::giving("fake", right());
    let spec = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    };
    let of_readings = case("ru8/tensorflow/i32/y", request(), Expectation::Unspecified);
    assert!(judge(&of_readings, &backend, &spec).is_err());
    assert!(applies(&of_readings, &spec).is_err());
    assert_eq!(applies(&of_bits(), &spec), Ok(()));
    let under_odd = Judges {
        requested: Some(("odd", &odd)),
        ..spec
    };
    let reason = "the reading odd does not answer it: no Philox".to_owned();
    assert_eq!(
        judge(&of_bits(), &backend, &under_odd),
        Err(NotApplicable {
            reason: reason.clone()
        })
    );
    assert_eq!(applies(&of_bits(), &under_odd), Err(NotApplicable { reason }));
}

#[test]
fn judge_compares_the_kind_of_a_rejection() {
    let case = case(
        "ru8/tensorflow/i32/z",
        request(),
        Expectation::Rejected(ErrorKind::Range),
    );
    assert_eq!(
        finding(&case, &rejecting(ErrorKind::Range)).outcome,
        Outcome::Pass
    );
    let unsaid = Fake::always(
        "fake",
        Err(Failure::Rejected(OpError {
            kind: None,
            message: "no".to_owned(),
        })),
    );
    assert_eq!(finding(&case, &unsaid).outcome, Outcome::Pass);
    let found = finding(&case, &rejecting(ErrorKind::Shape));
    assert_eq!(found.outcome, Outcome::Rejects);
    assert_eq!(
        found.message,
        "rejected (shape): so it is; expected a rejection (range)"
    );
    let found = finding(&case, &Fake::giving("fake", right()));
    assert_eq!(found.outcome, Outcome::Fail);
    assert_eq!(
        found.message,
        "answered with a value, expected a rejection (range)"
    );
}

#[test]
fn judge_calls_a_refused_value_rejects() {
    let found = finding(&of_bits(), &rejecting(ErrorKind::Dtype));
    assert_eq!(found.outcome, Outcome::Rejects);
    assert_eq!(found.message, "rejected (dtype): so it is; expected a value");
    let mut case = of_bits();
    case.readings
        .insert(Name::new("odd").unwrap(), Expectation::Rejected(ErrorKind::Dtype));
    let found = finding(&case, &rejecting(ErrorKind::Dtype));
    assert_eq!(other_readings(&found), ["odd"]);
}

#[test]
fn judge_tells_unsupported_from_a_broken_claim() {
    let honest = Fake::giving("fake", right()).refusing_to_claim("no i32");
    let found = finding(&of_bits(), &honest);
    assert_eq!(
        (found.outcome, found.message.as_str()),
        (Outcome::Unsupported, "no i32")
    );
    let liar = Fake::always("fake", Err(Failure::Unsupported("no i32".to_owned())));
    assert_eq!(finding(&of_bits(), &liar).outcome, Outcome::ClaimBroken);
}

#[test]
fn judge_gives_every_fault_its_outcome() {
    for (kind, outcome) in [
        (FaultKind::Error, Outcome::Error),
        (FaultKind::Crash, Outcome::Crash),
        (FaultKind::OrderDependentCrash, Outcome::OrderDependentCrash),
        (FaultKind::Timeout, Outcome::Timeout),
        (FaultKind::Protocol, Outcome::ProtocolError),
        (FaultKind::Infrastructure, Outcome::Infrastructure),
        (FaultKind::NotRun, Outcome::NotRun),
    ] {
        let message = "it broke".to_owned();
        let fault = Fault { kind, message };
        let found = finding(
            &of_bits(),
            &Fake::always("fake", Err(Failure::Broken(fault.clone()))),
        );
        assert_eq!((found.outcome, found.message.as_str()), (outcome, "it broke"));
        // Neither is a crash a correct rejection.
        let refused = case(
            "ru8/tensorflow/i32/z",
            request(),
            Expectation::Rejected(ErrorKind::Range),
        );
        let found = finding(&refused, &Fake::always("fake", Err(Failure::Broken(fault))));
        assert_eq!(found.outcome, outcome);
    }
}

#[test]
fn judge_asks_the_oracle_where_the_case_says_so() {
    let case = case("ru8/tensorflow/i32/o", request(), Expectation::Oracle);
    assert_eq!(
        finding(&case, &Fake::giving("fake", right())).outcome,
        Outcome::Pass
    );
    let other = Fake::giving("fake", Tensor::vector(&[0, 0, 0]));
    assert_eq!(finding(&case, &other).outcome, Outcome::Fail);
    let itself = Fake::giving("reference", right());
    let found = finding(&case, &itself);
    assert_eq!(found.outcome, Outcome::Infrastructure);
    assert!(found.message.contains("cannot fail"), "{}", found.message);
}

#[test]
fn judge_says_when_the_oracle_itself_fails() {
    let case = case("ru8/tensorflow/i32/o", request(), Expectation::Oracle);
    let oracle = Fake::always("reference", Err(Failure::error("out of paper")));
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    };
    let found = judge(&case, &Fake::giving("fake", right()), &judges).unwrap();
    assert_eq!(found.outcome, Outcome::Infrastructure);
    assert!(found.message.contains("out of paper"));
}

#[test]
fn judge_follows_a_digest_to_the_element() {
    let digested = Digested {
        digest: OutputDigest::Chunks(Digest::of(&right()).chunks),
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    };
    let case = case("ru8/tensorflow/i32/d", request(), Expectation::Digest(digested));
    assert_eq!(
        finding(&case, &Fake::giving("fake", right())).outcome,
        Outcome::Pass
    );
    let found = finding(&case, &Fake::giving("fake", Tensor::vector(&[1, 2, 9])));
    assert_eq!(found.outcome, Outcome::Fail);
    assert!(matches!(found.mismatch, Some(Mismatch::Elements(c)) if c.first.index == 2));
}

#[test]
fn judge_distrusts_an_oracle_with_another_digest() {
    let digested = Digested {
        digest: OutputDigest::Chunks(Digest::of(&Tensor::vector(&[7, 7, 7])).chunks),
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    };
    let case = case("ru8/tensorflow/i32/d", request(), Expectation::Digest(digested));
    let found = finding(&case, &Fake::giving("fake", Tensor::vector(&[1, 2, 9])));
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
    let found = finding(&case, &Fake::giving("fake", Tensor::vector(&[1_u32])));
    assert_eq!(found.message, "`output_state` is missing");
}

#[test]
fn judge_runs_a_seedless_case_twice() {
    let case = case("ru8/tensorflow/i32/zero", request(), Expectation::Statistical);
    let constant = finding(&case, &Fake::giving("fake", Tensor::vector(&[5, 6, 7])));
    assert_eq!(constant.outcome, Outcome::Fail);
    assert!(constant.message.contains("same output"));
    let calls = std::sync::atomic::AtomicI32::new(0);
    let fresh = Fake::new("fake", move |_| {
        let run = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(Response::of(Tensor::vector(&[run, 2, 3])))
    });
    assert_eq!(finding(&case, &fresh).outcome, Outcome::Pass);
    let deterministic = finding(&case, &Fake::giving("fake", wrong()));
    assert_eq!(other_readings(&deterministic), ["odd"]);
}

#[test]
fn judge_says_which_stage_differs() {
    let stages = |word: u32, value: i32| Stages {
        words: vec![1, 2, word],
        words_per_element: 1,
        words_per_block: 4,
        counters: Vec::new(),
        unit: None,
        scaled: Tensor::vector(&[1, 2, value]),
    };
    let oracle = Fake::giving("reference", right()).showing(move |_| Some(stages(3, 3)));
    let backend = Fake::giving("fake", wrong()).showing(move |_| Some(stages(3, 4)));
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    };
    let Some(Mismatch::Elements(comparison)) = judge(&of_bits(), &backend, &judges).unwrap().mismatch else {
        panic!("nothing was compared");
    };
    assert_eq!(comparison.first.block, Some((0, 2)));
    assert_eq!(
        comparison.stages,
        [
            StageResult {
                stage: Stage::Words,
                equal: true
            },
            StageResult {
                stage: Stage::Scale,
                equal: false
            }
        ]
    );
}

#[test]
fn examine_gives_both_sides_of_a_failure() {
    let oracle = Fake::giving("reference", right());
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    };
    let examined = |output| examine(&of_bits(), &Fake::giving("fake", output), &judges).unwrap();
    let Some(Exchange::Failed(failed)) = examined(wrong()).exchange else {
        panic!("a failure has both sides");
    };
    assert_eq!(failed.expected, Expected::Value(Response::of(right())));
    assert_eq!(failed.actual, Ok(Response::of(wrong())));
    assert!(matches!(examined(right()).exchange, Some(Exchange::Passed(_))));
}

fn floats(bits: [u32; 3]) -> Tensor {
    Tensor::vector(&bits.map(f32::from_bits))
}

/// A case that expects two NaNs, judged on an output, with a reading whose NaNs are negative.
fn nan_finding(output: Tensor, nan: NanRule) -> Judgement {
    let expected = floats([0x7fc0_0000, 0x3f80_0000, 0x7fc0_0000]);
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[3]);
    let case = case("ru8/tensorflow/f32/nan", request, bits(expected.clone()));
    let oracle = Fake::giving("reference", expected);
    let x86 = Fake::giving("readings/x86", floats([0xffc0_0000, 0x3f80_0000, 0xffc0_0000]));
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[("x86", &x86)],
        nan,
        repeat: 0,
    };
    examine(&case, &Fake::giving("fake", output), &judges).unwrap()
}

#[test]
fn judge_notes_a_nan_with_other_bits_and_lets_it_pass() {
    let given = || floats([0xffc0_0000, 0x3f80_0000, 0x7fc0_0001]);
    let judgement = nan_finding(given(), NanRule::Class);
    assert_eq!(judgement.finding.outcome, Outcome::Pass);
    assert_eq!(
        judgement.finding.nans.unwrap().sentence("spec"),
        "2 NaNs have other bits than spec's: ffc00000 for 7fc00000"
    );
    assert!(matches!(judgement.exchange, Some(Exchange::Passed(_))));
    let exact = nan_finding(floats([0x7fc0_0000, 0x3f80_0000, 0x7fc0_0000]), NanRule::Class);
    assert_eq!(exact.finding.nans, None);
    let strict = nan_finding(given(), NanRule::Bits).finding;
    assert_eq!((strict.outcome, strict.nans), (Outcome::Fail, None));
    let as_x86 = nan_finding(floats([0xffc0_0000, 0x3f80_0000, 0xffc0_0000]), NanRule::Bits);
    assert_eq!(other_readings(&as_x86.finding), ["x86"]);
}

#[test]
fn judge_counts_only_what_differs_beside_a_nan() {
    let found = nan_finding(floats([0xffc0_0000, 0, 0xffc0_0000]), NanRule::Class).finding;
    assert_eq!((found.outcome, found.nans), (Outcome::Fail, None));
    assert!(matches!(found.mismatch, Some(Mismatch::Elements(c)) if c.differing == 1 && c.first.index == 1));
    let number_for_nan = nan_finding(floats([0, 0x3f80_0000, 0x7fc0_0000]), NanRule::Class).finding;
    assert_eq!(number_for_nan.outcome, Outcome::Fail);
}

#[test]
fn judge_spells_a_digest_out_for_a_nan() {
    let expected = floats([0x7fc0_0000, 0x3f80_0000, 0x7fc0_0000]);
    let digested = Digested {
        digest: OutputDigest::Whole(Digest::whole(&expected)),
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    };
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[3]);
    let case = case("ru8/tensorflow/f32/nan", request, Expectation::Digest(digested));
    let oracle = Fake::giving("reference", expected);
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    };
    let found = |output| judge(&case, &Fake::giving("fake", output), &judges).unwrap();
    let other = found(floats([0xffc0_0000, 0x3f80_0000, 0x7fc0_0000]));
    assert_eq!(other.outcome, Outcome::Pass);
    assert_eq!(other.nans.map(|nans| nans.count), Some(1));
    assert_eq!(
        found(floats([0xffc0_0000, 0, 0x7fc0_0000])).outcome,
        Outcome::Fail
    );
}

/// What a judge says of `actual` where `expected` is expected of a DirectML request with a state.
fn outcome_of_dml(expected: Expectation, actual: Response) -> Outcome {
    let of_dml = case("dml/feature-level-3.0/x", dml(&[1, 1, 1, 100]), expected);
    let oracle = Fake::always("reference", Err(Failure::error("nobody asks")));
    let judges = Judges {
        oracle: &oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    };
    let outcome = judge(&of_dml, &Fake::always("fake", Ok(actual)), &judges);
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

#[test]
fn judge_tells_answers_that_change_from_wrong_ones() {
    let changing = |answers: &'static [i32]| {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        Fake::new("fake", move |_| {
            let index = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(Response::of(Tensor::vector(&[
                1,
                2,
                answers[index.min(answers.len() - 1)],
            ])))
        })
    };
    let oracle = Fake::giving("reference", right());
    let outcome = |backend: &Fake, repeat| {
        let judges = Judges {
            oracle: &oracle,
            requested: None,
            readings: &[],
            nan: NanRule::Class,
            repeat,
        };
        judge(&of_bits(), backend, &judges).unwrap()
    };
    let found = outcome(&changing(&[9, 3]), 0);
    assert_eq!(found.outcome, Outcome::NotRepeatable);
    assert!(
        found
            .message
            .starts_with("asked again, the same request has another answer: 1 of 3 elements")
    );
    assert!(found.message.contains("; at first: 1 of 3 elements"));
    assert_eq!(outcome(&changing(&[9, 9, 3]), 0).outcome, Outcome::Fail);
    // A right answer may be luck.
    assert_eq!(outcome(&changing(&[3, 3, 9]), 1).outcome, Outcome::Pass);
    let lucky = outcome(&changing(&[3, 3, 9]), 2);
    assert_eq!(lucky.outcome, Outcome::NotRepeatable);
    assert!(lucky.mismatch.is_some());
}

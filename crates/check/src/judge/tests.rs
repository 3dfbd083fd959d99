//! Every outcome, from a small case and a backend that earns it.

use super::*;
use crate::fixtures::{Fake, bits, case, dml, uniform};
use crate::model::expected::applies;
use crate::model::stage::{Stage, StageResult};
use seedproof_corpus::Expectation;
use seedproof_corpus::{Bits, Digested, Name, OutputDigest};
use seedproof_ops::{
    Alignment, Ask, BackendId, Dtype, Failure, Fault, FaultKind, NanRule, Request, Response, Stages, Want,
};

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

/// A case that expects a rejection for a range.
fn of_rejection() -> Case {
    let expected = Expectation::Rejected(ErrorKind::Range);
    case("ru8/tensorflow/i32/z", request(), expected)
}

fn rejecting(kind: ErrorKind) -> Fake {
    Fake::always("fake", Err(Failure::rejected(kind, "so it is")))
}

/// Judges under spec with no other reading.
fn under_spec(oracle: &Fake) -> Judges<'_> {
    Judges {
        oracle,
        requested: None,
        readings: &[],
        nan: NanRule::Class,
        repeat: 0,
    }
}

/// Judged under spec with one other reading, `odd`, that answers with [`wrong`].
fn finding(case: &Case, backend: &Fake) -> Finding {
    let oracle = Fake::giving("reference", right());
    let odd = Fake::giving("readings/odd", wrong());
    let judges = Judges {
        readings: &[("odd", &odd)],
        ..under_spec(&oracle)
    };
    judge(case, backend, &judges).unwrap()
}

/// An expectation of this digest and nothing else.
fn by_digest(digest: OutputDigest) -> Expectation {
    Expectation::Digest(Digested {
        digest,
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    })
}

/// The finding for a backend with this output.
fn given(case: &Case, output: Tensor) -> Finding {
    finding(case, &Fake::giving("fake", output))
}

/// Answers with digests alone, and writes to standard error.
struct Remote(Tensor, BackendId);

impl Backend for Remote {
    fn id(&self) -> &BackendId {
        &self.1
    }

    fn supports(&self, _request: &Request) -> Support {
        Support::Supported
    }

    fn run(&self, _request: &Request) -> Result<Response, Failure> {
        Ok(Response::of(self.0.clone()))
    }

    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let result = match ask.want {
            Want::Digest => Ok(Value::Digest(Digest::of(&self.0), Vec::new())),
            _ => Err(Failure::error("too large to send")),
        };
        let stderr = "drawn".to_owned();
        Answer { result, stderr }
    }
}

#[test]
fn judge_asks_for_a_digest_where_it_is_enough_and_keeps_what_a_failure_wrote() {
    let chunks = OutputDigest::Chunks(Digest::of(&right()).chunks);
    let case = case("ru8/tensorflow/i32/x", request(), by_digest(chunks));
    let oracle = Fake::giving("reference", right());
    let found = |output: Tensor| {
        let remote = Remote(output, BackendId::new("remote"));
        judge(&case, &remote, &under_spec(&oracle)).unwrap()
    };
    let (passed, failed) = (found(right()), found(wrong()));
    let remote = Remote(right(), BackendId::new("remote"));
    let judged = examine(&case, &remote, &under_spec(&oracle)).expect("it is judged");
    assert!(judged.took > std::time::Duration::ZERO);
    assert_eq!((passed.outcome, passed.stderr.as_str()), (Outcome::Pass, ""));
    assert_eq!((failed.outcome, failed.stderr.as_str()), (Outcome::Fail, "drawn"));
}

/// Answers with a digest, whatever it is asked for.
struct DigestsAlone(BackendId);

impl Backend for DigestsAlone {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, _request: &Request) -> Support {
        Support::Supported
    }

    fn run(&self, _request: &Request) -> Result<Response, Failure> {
        Ok(Response::of(right()))
    }

    fn ask(&self, _ask: &Ask<'_>) -> Answer {
        Answer {
            result: Ok(Value::Digest(Digest::of(&right()), Vec::new())),
            stderr: String::new(),
        }
    }
}

#[test]
fn judge_takes_no_digest_for_an_answer_that_it_cannot_show_to_be_right() {
    let oracle = Fake::giving("reference", right());
    let with_more = Expectation::Digest(Digested {
        digest: OutputDigest::Chunks(Digest::of(&right()).chunks),
        first: Vec::new(),
        last: Vec::new(),
        more: vec![Tensor::scalar(7_u32)],
    });
    for expectation in [by_digest(OutputDigest::Whole(Digest::whole(&wrong()))), with_more] {
        let case = case("ru8/tensorflow/i32/x", request(), expectation);
        let found = judge(&case, &DigestsAlone(BackendId::new("mine")), &under_spec(&oracle)).unwrap();
        assert_eq!(found.outcome, Outcome::Error, "{found:?}");
    }
}

/// The readings of a finding with that outcome.
fn other_readings(finding: &Finding) -> &[String] {
    assert_eq!(finding.outcome, Outcome::OtherReading);
    &finding.readings
}

#[test]
fn judge_passes_the_expected_bits() {
    let found = given(&of_bits(), right());
    assert_eq!(found.outcome, Outcome::Pass);
    assert_eq!((found.message.as_str(), found.mismatch), ("", None));
}

#[test]
fn judge_fails_other_bits_with_the_place() {
    let found = given(&of_bits(), Tensor::vector(&[1, 9, 3]));
    assert_eq!(found.outcome, Outcome::Fail);
    assert_eq!(
        found.message,
        "1 of 3 elements differs; the first at flat 1: expected 2, got 9"
    );
    assert!(matches!(found.mismatch, Some(Mismatch::Elements(c)) if c.first.ulps == Some(7)));
}

#[test]
fn judge_fails_another_form() {
    let found = given(&of_bits(), Tensor::vector(&[1_i64, 2, 3]));
    assert_eq!(found.outcome, Outcome::Fail);
    assert_eq!(found.message, "expected i32[3], got i64[3]");
}

#[test]
fn judge_compares_the_kind_of_a_rejection() {
    let case = of_rejection();
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
    let found = given(&case, right());
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
    case.readings.insert(
        Name::new("odd").unwrap(),
        Box::new(Expectation::Rejected(ErrorKind::Dtype)),
    );
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
        // A crash is not a correct rejection either.
        let found = finding(
            &of_rejection(),
            &Fake::always("fake", Err(Failure::Broken(fault))),
        );
        assert_eq!(found.outcome, outcome);
    }
}

#[test]
fn judge_asks_the_oracle_where_the_case_says_so() {
    let case = case("ru8/tensorflow/i32/o", request(), Expectation::Oracle);
    assert_eq!(given(&case, right()).outcome, Outcome::Pass);
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
    let found = judge(&case, &Fake::giving("fake", right()), &under_spec(&oracle)).unwrap();
    assert_eq!(found.outcome, Outcome::Infrastructure);
    assert!(found.message.contains("out of paper"));
}

#[test]
fn judge_says_which_stage_differs() {
    let stages = |word: u32, value: i32| {
        let scaled = Tensor::vector(&[1, 2, value]);
        Stages::of_philox(vec![1, 2, word], 1, scaled)
    };
    let oracle = Fake::giving("reference", right()).showing(move |_| Some(stages(3, 3)));
    let backend = Fake::giving("fake", wrong()).showing(move |_| Some(stages(3, 4)));
    let Some(Mismatch::Elements(comparison)) = judge(&of_bits(), &backend, &under_spec(&oracle))
        .unwrap()
        .mismatch
    else {
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
    let examined = |output| examine(&of_bits(), &Fake::giving("fake", output), &under_spec(&oracle)).unwrap();
    let Some(Exchange::Failed(failed)) = examined(wrong()).exchange else {
        panic!("a failure has both sides");
    };
    assert_eq!(failed.expected, Expected::Value(Response::of(right())));
    assert_eq!(failed.actual, Ok(Response::of(wrong())));
    assert!(matches!(examined(right()).exchange, Some(Exchange::Passed(_))));
}

mod again;
mod nans;
mod outputs;
mod readings;

#[test]
fn judge_takes_either_honest_kind_of_a_refusal() {
    let expects = |request: Request, kind| case("dml/4.0/refused", request, Expectation::Rejected(kind));
    let outcome = |case: &Case, kind| finding(case, &rejecting(kind)).outcome;
    let state = expects(dml(&[1]), ErrorKind::State);
    assert_eq!(outcome(&state, ErrorKind::State), Outcome::Pass);
    assert_eq!(outcome(&state, ErrorKind::Shape), Outcome::Pass);
    assert_eq!(outcome(&state, ErrorKind::Range), Outcome::Rejects);
    assert_eq!(outcome(&of_rejection(), ErrorKind::Shape), Outcome::Rejects);
}

/// The messages of an implementation are kept for the whole run and repeated in every document.
#[test]
fn judge_cuts_what_an_implementation_says() {
    const MAX_MESSAGE_BYTES: usize = 3 << 10;
    let long = "r".repeat(1 << 20);
    let broken = Fault {
        kind: FaultKind::Error,
        message: long.clone(),
    };
    let refusals = [
        Failure::rejected(ErrorKind::Range, long.clone()),
        Failure::Unsupported(long.clone()),
        Failure::Broken(broken),
    ];
    for failure in refusals {
        let found = finding(&of_bits(), &Fake::always("fake", Err(failure)));
        let message = found.message;
        assert!(
            message.contains(" more bytes …") && message.len() < MAX_MESSAGE_BYTES,
            "{}",
            message.len()
        );
    }
    // An expected refusal is kept for the diagnosis.
    let oracle = Fake::giving("reference", right());
    let backend = Fake::always("fake", Err(Failure::rejected(ErrorKind::Range, long.clone())));
    let judged = examine(&of_rejection(), &backend, &under_spec(&oracle)).unwrap();
    let Some(Exchange::Passed(PassedCase {
        reply: Err(error), ..
    })) = judged.exchange
    else {
        panic!("a refusal for the right reason passes");
    };
    assert!(error.message.len() < MAX_MESSAGE_BYTES);
    let unclaimed = finding(
        &of_bits(),
        &Fake::giving("fake", right()).refusing_to_claim(&long),
    );
    assert!(unclaimed.message.len() < MAX_MESSAGE_BYTES);
}

//! Requests by chance.

use seedproof_ops::Alignment::{Pytorch, Tensorflow};
use seedproof_ops::requests::{requests_of, short_request};
use seedproof_ops::{Backend, Digest, Dtype, Limits, OpName, Request, Tensor, Value};

use super::first;
use crate::requests::uniform;
use crate::{Engine, MISTAKES, Reading, named, with};

/// Whatever the request and the reading: no panic, and the same answer again, or its digest.
#[test]
fn readings_answer_alike_twice() {
    // Otherwise a few requests take most of the time.
    let limits = Limits {
        max_output_bytes: 1 << 16,
    };
    let mut random = fastrand::Rng::with_seed(1);
    let mistaken = MISTAKES.iter().map(|mistake| with(&Reading::spec(), &[mistake]));
    for reading in named().iter().cloned().chain(mistaken) {
        let engine = Engine::new(reading, limits, || 7);
        for _ in 0..8 {
            let request = short_request(&mut || random.u64(..));
            let answer = engine.run(&request);
            assert_eq!(answer, engine.run(&request), "{} {request:?}", engine.id());
            assert_eq!(
                engine.digest(&request).map(digested),
                answer.map(Value::Full).map(digested),
                "{} {request:?}",
                engine.id()
            );
        }
    }
}

fn digested(value: Value) -> (Digest, Vec<Tensor>) {
    match value {
        Value::Full(answer) => (Digest::of(&answer.output), answer.more),
        Value::Digest(digest, more) => (digest, more),
        Value::Window(output) => panic!("a part of an output: {output:?}"),
    }
}

/// A later run begins after the words of all elements of those before it, so that an engine may not draw a shorter one for the
/// first elements.
#[test]
fn first_elements_are_those_of_the_whole_run() {
    const FIRST: usize = 5;
    let limits = Limits {
        max_output_bytes: 1 << 14,
    };
    let mut random = fastrand::Rng::with_seed(3);
    let ops = [
        OpName::RandomUniform,
        OpName::NumpyRandom,
        OpName::NumpyIntegers,
        OpName::NumpyPermutation,
        OpName::RandomStateRandn,
    ];
    for op in ops {
        let mut compared = 0;
        for reading in named() {
            let engine = Engine::new(reading, limits, || 7);
            for mut request in requests_of(op, 24, &mut || random.u64(..)) {
                // Hardly any request by chance asks for a later run.
                *match &mut request {
                    Request::RandomUniform(it) => &mut it.execution,
                    Request::NumpyRandom(it) => &mut it.execution,
                    Request::NumpyIntegers(it) => &mut it.execution,
                    Request::NumpyPermutation(it) => &mut it.execution,
                    Request::RandomStateRandn(it) => &mut it.execution,
                    other => panic!("{other:?}"),
                } = 2;
                let head = |tensor: Tensor| tensor.scalars().take(FIRST).collect::<Vec<_>>();
                let Ok(whole) = engine.run(&request) else {
                    continue;
                };
                let first = engine.first(&request, FIRST);
                assert_eq!(
                    first.map(head),
                    Ok(head(whole.output)),
                    "{} {request:?}",
                    engine.id()
                );
                compared += 1;
            }
        }
        assert!(compared > 9, "{op}: {compared}");
    }
}

/// A prefix of a longer draw is the shorter draw.
#[test]
fn spec_draws_a_prefix() {
    let mut random = fastrand::Rng::with_seed(1);
    for count in 0..50_u8 {
        let seeds = [random.u64(..), random.u64(..)];
        for (alignment, dtype, bounds) in [
            (Tensorflow, Dtype::F64, ["0000000000000000", "3ff0000000000000"]),
            (Pytorch, Dtype::I32, ["-5", "2000000000"]),
        ] {
            let shorter = first(
                "spec",
                &uniform(alignment, dtype, count.into(), bounds, seeds),
                50,
            );
            let longer = first(
                "spec",
                &uniform(alignment, dtype, 60, bounds, seeds),
                count.into(),
            );
            assert_eq!(shorter, longer);
        }
    }
}

//! Wrong conduct: what is claimed, refused and answered, whatever the bits.

use std::sync::atomic::{AtomicU64, Ordering};

use seedproof_ops::{
    Backend, Digest, ErrorKind, Failure, Fault, FaultKind, Limits, Named, OpError, Request, Response,
    Support, Tensor,
};
use seedproof_reference::Reference;

use super::behaviour::{Behaviour, EXAMPLE, Saboteur, oracle, saboteur};

fn refuses_everything() -> Behaviour {
    Behaviour::running(|_| Err(Failure::rejected(ErrorKind::Attribute, "nothing is good enough")))
}

/// Refuses what is to be refused, of the kind after the right one.
fn refuses_for_another_reason() -> Behaviour {
    let oracle = oracle();
    Behaviour::running(move |request| {
        oracle.run(request).map_err(|failure| match failure {
            Failure::Rejected(OpError { kind, message }) => {
                let mut kinds = ErrorKind::ALL.iter().chain(ErrorKind::ALL);
                kinds.find(|&&other| Some(other) == kind);
                let kind = kinds.next().copied();
                Failure::Rejected(OpError { kind, message })
            }
            other => other,
        })
    })
}

fn never_refuses() -> Behaviour {
    let oracle = oracle();
    Behaviour::running(move |request| match oracle.run(request) {
        Err(Failure::Rejected(_)) => Ok(Response::of(Tensor::vector::<f32>(&[]))),
        other => other,
    })
}

fn panics() -> Behaviour {
    Behaviour::running(|_| panic!("index out of bounds: the len is 4 but the index is 4"))
}

fn panics_when_asked() -> Behaviour {
    Behaviour {
        supports: Box::new(|_| panic!("no device")),
        ..panics()
    }
}

fn claims_too_much() -> Behaviour {
    Behaviour::running(|_| Err(Failure::Unsupported("not on this device".to_owned())))
}

fn claims_nothing() -> Behaviour {
    Behaviour {
        supports: Box::new(|_| Support::Unsupported("not on this device".to_owned())),
        ..claims_too_much()
    }
}

/// Each run changes the first element of the right output in another way. What nothing determines stays as it is, and so
/// does an output that is not finite: one NaN is as good as another.
fn unsettled() -> Behaviour {
    let (oracle, runs) = (oracle(), AtomicU64::new(1));
    Behaviour::running(move |request| {
        let mut answer = oracle.run(request)?;
        let is_finite = answer
            .output
            .scalars()
            .all(|element| element.to_f64().is_finite());
        if !is_finite || oracle.run(request)? != answer {
            return Ok(answer);
        }
        let run = runs.fetch_add(1, Ordering::Relaxed);
        let (dtype, shape) = (answer.output.dtype(), answer.output.shape().clone());
        let mut bytes = answer.output.into_bytes();
        if let Some(byte) = bytes.first_mut() {
            // Never the right one: 1 to 127, and over again. These bits are of the fraction in every floating-point type, so
            // that a finite element stays one: a bit of bf16's exponent would make its greatest numbers NaN in every run.
            *byte ^= u8::try_from(run % 127 + 1).expect("at most 127");
        }
        answer.output = Tensor::new(dtype, shape, bytes).expect("as many bytes as before");
        Ok(answer)
    })
}

/// Both seeds zero draw the same in every run.
fn seedless_and_fixed() -> Behaviour {
    Behaviour::of(Reference::new(Limits::default(), || 42))
}

/// Both seeds zero draw something else in every run, of which all elements are two values.
fn seedless_and_poor() -> Behaviour {
    let oracle = oracle();
    Behaviour::running(move |request| {
        let mut answer = oracle.run(request)?;
        let seeds = match request {
            Request::RandomUniform(op) => (op.global_seed, op.op_seed),
            Request::Multinomial(op) => (op.global_seed, op.op_seed),
            _ => return Ok(answer),
        };
        if seeds == (0, 0) {
            let two = 2 * answer.output.dtype().size();
            let bytes = answer.output.bytes();
            let bytes = bytes
                .iter()
                .take(two)
                .cycle()
                .take(bytes.len())
                .copied()
                .collect();
            answer.output = Tensor::new(answer.output.dtype(), answer.output.shape().clone(), bytes)
                .expect("as many bytes as before");
        }
        Ok(answer)
    })
}

/// Offers digests, and gets the last chunk wrong.
fn lies_in_digests() -> Behaviour {
    let oracle = oracle();
    Behaviour {
        digest: Box::new(move |request| {
            let told = oracle.run(request).map(|Response { output, .. }| {
                let mut chunks = Digest::of(&output).chunks;
                if let Some(last) = chunks.last_mut() {
                    last[0] ^= 1;
                }
                Digest {
                    dtype: output.dtype(),
                    shape: output.shape().clone(),
                    chunks,
                }
            });
            Some(told)
        }),
        ..Behaviour::of(self::oracle())
    }
}

/// No answer, as an adapter's client reports it.
fn faulty(kind: FaultKind, message: &'static str) -> Behaviour {
    Behaviour::running(move |_| {
        Err(Failure::Broken(Fault {
            kind,
            message: message.to_owned(),
        }))
    })
}

pub(super) const SABOTEURS: &[Saboteur] = &[
    saboteur(
        "refuses-everything",
        EXAMPLE,
        "rejects",
        "Every request is refused.",
        refuses_everything,
    ),
    saboteur(
        "refuses-for-another-reason",
        "ru8/tensorflow/f32/refused-bounds-reversed",
        "rejects",
        "What is to be refused is, as something else.",
        refuses_for_another_reason,
    ),
    saboteur(
        "never-refuses",
        "ru8/tensorflow/f32/refused-shape-negative",
        "fail",
        "What is to be refused is answered.",
        never_refuses,
    ),
    saboteur("panics", EXAMPLE, "error", "Every run panics.", panics),
    saboteur(
        "panics-when-asked",
        EXAMPLE,
        "error",
        "It panics when asked for its claims.",
        panics_when_asked,
    ),
    saboteur(
        "claims-too-much",
        EXAMPLE,
        "claim-broken",
        "It claims everything, and has nothing.",
        claims_too_much,
    ),
    saboteur(
        "claims-nothing",
        EXAMPLE,
        "unsupported",
        "It claims nothing.",
        claims_nothing,
    ),
    saboteur(
        "unsettled",
        EXAMPLE,
        "not-repeatable",
        "The first element differs from run to run.",
        unsettled,
    ),
    saboteur(
        "seedless-and-fixed",
        "ru8/tensorflow/f32/both-seeds-zero",
        "fail",
        "Both seeds zero draw the same in every run.",
        seedless_and_fixed,
    ),
    saboteur(
        "seedless-and-poor",
        "ru8/pytorch/f64/both-seeds-zero",
        "fail",
        "Both seeds zero draw two values, over and over.",
        seedless_and_poor,
    ),
    saboteur(
        "lies-in-digests",
        "ru8/tensorflow/f32/pairs-unit-1000003-rank-5-seeds-1-4294967295-i64-lists",
        "fail",
        "The last digest of an output is wrong.",
        lies_in_digests,
    ),
    saboteur("errs", EXAMPLE, "error", "It says that it cannot.", || {
        faulty(FaultKind::Error, "out of device memory")
    }),
    saboteur("crashes", EXAMPLE, "crash", "Its process ends.", || {
        faulty(FaultKind::Crash, "killed by signal 11")
    }),
    saboteur(
        "crashes-in-company",
        EXAMPLE,
        "order-dependent-crash",
        "Its process ends, and not when the request is tried alone.",
        || faulty(FaultKind::OrderDependentCrash, "killed by signal 11"),
    ),
    saboteur("hangs", EXAMPLE, "timeout", "It does not answer.", || {
        faulty(FaultKind::Timeout, "no answer within 10 s")
    }),
    saboteur(
        "babbles",
        EXAMPLE,
        "protocol-error",
        "Its output is not a reply.",
        || faulty(FaultKind::Protocol, "expected a reply, got `loading the model`"),
    ),
    saboteur(
        "restarted-too-often",
        EXAMPLE,
        "not-run",
        "It was restarted ten times before.",
        || faulty(FaultKind::NotRun, "not asked after the tenth restart"),
    ),
    saboteur(
        "never-started",
        EXAMPLE,
        "infrastructure",
        "The harness itself is at fault.",
        || {
            faulty(
                FaultKind::Infrastructure,
                "failed to start the thread that reads replies",
            )
        },
    ),
];

//! Adapters that keep to the protocol.

use std::num::NonZeroUsize;

use crate::common::{ask, misbehaving, options, part, start};
use crate::requests::{dml, multinomial, requests, seeded, uniform};
use crate::toy::Toy;
use seedproof_ops::{
    Backend, Digest, ErrorKind, Failure, FaultKind, OpError, RandomUniform, Request, Support, Tensor, Value,
    Want,
};
use seedproof_wire::{AdapterBackend, Capabilities, Options, StartError};
use sha2::{Digest as _, Sha256};

#[test]
fn adapter_answers_as_the_backend_behind_it() {
    for framing in ["lines", "frames"] {
        let adapter = start(&["good", framing]).unwrap();
        for request in requests() {
            assert_eq!(adapter.supports(&request), Support::Supported);
            assert_eq!(
                adapter.run(&request),
                Toy::new().run(&request),
                "{framing} {request:?}"
            );
        }
        assert_eq!(adapter.restarts(), 0);
    }
}

#[test]
fn adapter_is_introduced() {
    let adapter = start(&["good"]).unwrap();
    assert_eq!(adapter.id().as_str(), "adapter/misbehaving");
    assert_eq!(adapter.implementation().name, "toy");
    assert_eq!(
        adapter.description(),
        format!("toy {} (rust, toy)", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(adapter.capabilities(), &Capabilities::full());
}

#[test]
fn adapter_rejects_as_the_backend_behind_it() {
    let adapter = start(&["good"]).unwrap();
    let Request::RandomUniform(plain) = uniform(3) else {
        unreachable!("it is one");
    };
    let empty = RandomUniform {
        maxval: plain.minval.clone(),
        ..plain.clone()
    };
    let jax = RandomUniform {
        alignment: seedproof_ops::Attribute::Unknown("JAX".into()),
        ..plain.clone()
    };
    let words = RandomUniform {
        shape: Tensor::vector(&[3_u32]),
        ..plain
    };
    for (request, kind) in [
        (empty, ErrorKind::Range),
        (jax, ErrorKind::Attribute),
        (words, ErrorKind::Dtype),
    ] {
        let Err(Failure::Rejected(OpError {
            kind: actual,
            message,
        })) = adapter.run(&Request::RandomUniform(request))
        else {
            panic!("{kind} was accepted");
        };
        assert_eq!(actual, Some(kind), "{message}");
    }
}

#[test]
fn adapter_that_panics_says_so_and_lives_on() {
    let adapter = start(&["good"]).unwrap();
    let Err(Failure::Broken(fault)) = adapter.run(&seeded(3, Toy::PANICS)) else {
        panic!("a panic is no value");
    };
    assert_eq!(fault.kind, FaultKind::Error);
    assert!(
        fault.message.contains("a panic was asked for"),
        "{}",
        fault.message
    );
    assert!(adapter.run(&uniform(3)).is_ok());
    assert_eq!(adapter.restarts(), 0);
}

#[test]
fn adapter_gives_digests_and_windows() {
    for framing in ["lines", "frames"] {
        let adapter = start(&["good", framing]).unwrap();
        let request = uniform(70_000);
        let output = Toy::new().run(&request).unwrap().output;
        let Ok(Value::Digest(digest, _)) = part(&adapter, &request, Want::Digest) else {
            panic!("digests are announced");
        };
        let (first, last) = output.bytes().split_at(Digest::CHUNK * 4);
        let sums: [[u8; 32]; 2] = [first, last].map(|bytes| Sha256::digest(bytes).into());
        assert_eq!(digest.chunks, sums);
        assert_eq!((digest.dtype, &digest.shape), (output.dtype(), output.shape()));
        let window = |start, count| part(&adapter, &request, Want::Window { start, count });
        let Ok(Value::Window(elements)) = window(65_530, 10) else {
            panic!("windows are announced");
        };
        assert_eq!(elements.shape().dims(), [10]);
        assert_eq!(elements.bytes(), &output.bytes()[65_530 * 4..65_540 * 4]);
        assert!(matches!(window(69_999, 2), Err(Failure::Broken(_))));
        let Ok(Value::Digest(_, more)) = part(&adapter, &dml(true), Want::Digest) else {
            panic!("digests are announced");
        };
        assert_eq!(
            more,
            Toy::new().run(&dml(true)).unwrap().more,
            "further outputs are whole"
        );
    }
}

#[test]
fn adapter_is_not_asked_what_it_does_not_announce() {
    let adapter = start(&["good"]).unwrap();
    let Request::RandomUniform(plain) = uniform(3) else {
        unreachable!("it is one");
    };
    let again = Request::RandomUniform(RandomUniform {
        execution: 1,
        ..plain
    });
    let reason = "the feature execution is not announced";
    assert_eq!(adapter.supports(&again), Support::Unsupported(reason.into()));
    assert_eq!(adapter.run(&again), Err(Failure::Unsupported(reason.into())));
}

#[test]
fn adapter_is_not_asked_for_more_than_is_read() {
    let options = Options {
        max_body: 1000,
        ..options()
    };
    let adapter = AdapterBackend::start(misbehaving(&["good"]), options).unwrap();
    assert!(adapter.run(&uniform(250)).is_ok());
    assert!(matches!(adapter.run(&uniform(251)), Err(Failure::Unsupported(_))));
    assert!(matches!(
        part(&adapter, &uniform(251), Want::Digest),
        Ok(Value::Digest(..))
    ));
}

#[test]
fn adapters_run_side_by_side() {
    let options = Options {
        jobs: NonZeroUsize::new(3).unwrap(),
        ..options()
    };
    let adapter = AdapterBackend::start(misbehaving(&["good", "frames"]), options).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let adapter = &adapter;
            scope.spawn(move || {
                for n in 0..50 {
                    let request = seeded(n, thread * 50 + 20);
                    assert_eq!(adapter.run(&request), Toy::new().run(&request));
                }
            });
        }
    });
    assert_eq!(adapter.restarts(), 0);
}

#[test]
fn adapter_s_last_request_and_reply_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let frames = folder.path().join("frames");
    let options = Options {
        debug_frames: Some(frames.clone()),
        ..options()
    };
    let adapter = AdapterBackend::start(misbehaving(&["good", "frames"]), options).unwrap();
    ask(&adapter, "some/case", &multinomial(None)).result.unwrap();
    let request = std::fs::read(frames.join("child-0.request")).unwrap();
    let reply = std::fs::read(frames.join("child-0.reply")).unwrap();
    assert!(request.starts_with(b"SPW1") && reply.starts_with(b"SPW1"));
    assert!(String::from_utf8_lossy(&request).contains("\"case\":\"some/case\""));
    let value = Toy::new().run(&multinomial(None)).unwrap().output;
    assert!(reply.ends_with(value.bytes()));
}

#[test]
fn adapter_that_is_no_program_does_not_start() {
    let command = seedproof_wire::AdapterCommand::parse("./no-such-adapter --x").unwrap();
    let Err(error) = AdapterBackend::start(command, options()) else {
        panic!("there is no such program");
    };
    assert!(matches!(error, StartError::Spawn { .. }));
    let message = error.to_string();
    assert!(
        message.starts_with("start the adapter `./no-such-adapter --x`: "),
        "{message}"
    );
}

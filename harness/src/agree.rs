//! Holds two backends against each other, on requests by chance.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use seedproof_ops::{Backend, Failure, Limits, Request, Tensor};

/// What stands for entropy in both, so that also requests with both seeds zero must agree.
pub(crate) const ENTROPY: u64 = 0x0123_4567_89ab_cdef;

/// No request by chance asks for more than this, but by its absurdity.
pub(crate) const LIMITS: Limits = Limits {
    max_output_bytes: 1 << 20,
};

/// An answer as far as it must agree: the value, the kind of a refusal, or that there is none.
#[derive(Debug, PartialEq)]
pub(crate) enum Reply {
    /// The outputs.
    Value(Tensor, Vec<Tensor>),
    /// The kind.
    Rejected(String),
    /// Whatever the reason.
    Unsupported,
    /// The fault.
    Broken(String),
}

/// Runs a request.
pub(crate) fn reply(backend: &dyn Backend, request: &Request) -> Reply {
    match backend.run(request) {
        Ok(response) => Reply::Value(response.output, response.more),
        Err(Failure::Rejected(error)) => Reply::Rejected(format!("{:?}", error.kind)),
        Err(Failure::Unsupported(_)) => Reply::Unsupported,
        Err(Failure::Broken(fault)) => Reply::Broken(fault.message),
    }
}

/// Runs two backends on requests from a seed.
///
/// # Panics
/// With the seed and the smallest request that they answer apart, or if too few requests have a value.
pub(crate) fn agree(
    [expected, actual]: [&dyn Backend; 2],
    requests: impl Strategy<Value = Request>,
    cases: u32,
    seed: u8,
) {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]));
    let values = std::cell::Cell::new(0_u32);
    let outcome = runner.run(&requests, |request| {
        let answer = reply(expected, &request);
        values.set(values.get() + u32::from(matches!(answer, Reply::Value(..))));
        prop_assert_eq!(answer, reply(actual, &request));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
    // Requests that are all refused would prove little.
    assert!(
        values.get() > cases / 3,
        "{} of {cases} have a value",
        values.get()
    );
}

//! Holds two backends against each other, on random requests.

use seedproof_ops::requests::Words;
use seedproof_ops::{Backend, Failure, Limits, Request, Support, Tensor};

/// What stands for entropy in both, so that also requests with both seeds zero must agree.
pub(crate) const ENTROPY: u64 = 0x0123_4567_89ab_cdef;

/// No random request asks for more than this, but for absurd ones.
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

/// Runs two backends on random requests from a seed.
///
/// # Panics
/// With the shortest of the requests that they answer apart, and the seed, or if too few requests have a value.
pub(crate) fn agree(
    [expected, actual]: [&dyn Backend; 2],
    request: fn(Words) -> Request,
    cases: u32,
    seed: u8,
) {
    let mut rng = fastrand::Rng::with_seed(seed.into());
    let (mut asked, mut values) = (0, 0);
    let mut apart: Option<(String, String)> = None;
    // Three ops in four have no kernel; a backend that supports none of the requests is not tested here.
    for _ in 0..20 * cases {
        if asked == cases {
            break;
        }
        let request = request(&mut || rng.u64(..));
        // The kernels lack whole ops, which `supports` says; an answer "unsupported" to any other request is a difference.
        if matches!(actual.supports(&request), Support::Unsupported(_)) {
            continue;
        }
        asked += 1;
        let answers = [reply(expected, &request), reply(actual, &request)];
        values += u32::from(matches!(answers[0], Reply::Value(..)));
        if answers[0] != answers[1] {
            let request = format!("{request:?}");
            if apart
                .as_ref()
                .is_none_or(|(shortest, _)| request.len() < shortest.len())
            {
                apart = Some((request, format!("{answers:?}")));
            }
        }
    }
    if let Some((request, answers)) = apart {
        panic!("seed {seed}: {request} is answered apart: {answers}");
    }
    // Requests that are all refused would prove little.
    assert!(
        values > cases / 3 && asked == cases,
        "{values} of {asked} have a value, of {cases} requests"
    );
}

//! What a case is selected and counted by.

use seedproof_ops::{Dtype, Request};

use crate::{Case, Expectation};

/// The alignment as the case writes it; only RandomUniform has one.
pub fn alignment(request: &Request) -> Option<&str> {
    match request {
        Request::RandomUniform(request) => Some(request.alignment.text()),
        Request::Multinomial(_) | Request::DmlRandomGenerator(_) => None,
    }
}

/// The element type that a case is filed under: the output's, and for Multinomial that of its probabilities.
pub fn dtype(request: &Request) -> &str {
    match request {
        Request::RandomUniform(request) => request.output_type.text(),
        Request::Multinomial(request) => request.probs.dtype().name(),
        Request::DmlRandomGenerator(_) => Dtype::U32.name(),
    }
}

/// How the expectation is given.
pub const fn expectation(case: &Case) -> &'static str {
    match case.expect {
        Expectation::Bits(_) => "bits",
        Expectation::Digest(_) => "digest",
        Expectation::Rejected(_) => "rejected",
        Expectation::Oracle => "oracle",
        Expectation::Statistical => "statistics",
        Expectation::Unspecified => "readings",
    }
}

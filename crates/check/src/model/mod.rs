//! What the judge, the search and the expectation files exchange, and the arithmetic on elements that all of them need.
//!
//! Nothing here judges or searches, so that the log, the reports and the judge can share one form of a finding.

pub(crate) mod chance;
pub(crate) mod comparison;
pub(crate) mod diagnosis;
pub(crate) mod exchange;
pub(crate) mod expected;
pub(crate) mod finding;
pub mod json;
pub(crate) mod outcome;
pub(crate) mod stage;
pub(crate) mod statistics;
pub(crate) mod ulp;

//! The protocol from both sides, with real processes between them.
#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

mod adapters;
mod common;
mod conversations;
mod misbehaving;
mod requests;
mod schemas;
mod toy;

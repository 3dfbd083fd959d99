//! Tests of the public interface, one binary for all.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod captures;
mod digests;
mod formulas;
mod jax;
mod levels;
mod multinomial;
mod refusals;
mod requests;
mod stateless;

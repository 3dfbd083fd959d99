//! The engine against figures: of the documents, and of what was captured from real implementations.

mod figures;
mod named;
mod random;
mod spec;

use seedproof_ops::{Backend, Limits, Request, Scalar};

use crate::{Engine, find};

const UNIT: [&str; 2] = ["00000000", "3f800000"];

fn engine(name: &str) -> Engine {
    Engine::new(find(name).unwrap(), Limits::default(), || 1)
}

/// The first elements of an answer as literals, set apart by blanks.
fn first(name: &str, request: &Request, count: usize) -> String {
    match engine(name).run(request) {
        Ok(response) => literals(response.output.scalars().take(count)),
        Err(failure) => failure.to_string(),
    }
}

fn literals(scalars: impl Iterator<Item = Scalar>) -> String {
    scalars.map(Scalar::literal).collect::<Vec<_>>().join(" ")
}

fn decimals(name: &str, request: &Request) -> Vec<String> {
    let response = engine(name).run(request).unwrap();
    response.output.scalars().map(Scalar::decimal).collect()
}

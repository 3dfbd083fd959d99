//! The corpus over this project's own two oracles, each judged by the other.

use std::process::ExitCode;

use seedproof::ops::{Backend, Limits};
use seedproof::readings::{Engine, Reading};
use seedproof::reference::Reference;

fn main() -> ExitCode {
    let limits = Limits::default();
    let backends: Vec<Box<dyn Backend>> = vec![
        Box::new(Reference::new(limits, seedproof::entropy)),
        Box::new(Engine::new(Reading::spec(), limits, seedproof::entropy)),
    ];
    seedproof::conformance_main(backends)
}

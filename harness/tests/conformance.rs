//! The corpus over this project's own backends: the two oracles, each judged by the other, every level of the CPU that
//! this machine has, and the GPU's adapters. They all promise the bits of a NaN too.

use std::process::ExitCode;

use seedproof_cpu::{Cpu, Level};
use seedproof_gpu::{Gpu, adapters_required, adapters_to_test};
use seedproof_ops::{Backend, Limits, NanRule};
use seedproof_readings::{Engine, Reading};
use seedproof_reference::Reference;

fn main() -> ExitCode {
    let limits = Limits::default();
    let mut backends: Vec<Box<dyn Backend>> = vec![
        Box::new(Reference::new(limits, seedproof::judging::entropy)),
        Box::new(Engine::new(Reading::spec(), limits, seedproof::judging::entropy)),
    ];
    for level in Level::detect() {
        backends.push(Box::new(Cpu::new(level, limits, seedproof::judging::entropy)));
    }
    for (level, reason) in seedproof_cpu::absent() {
        eprintln!("not run: {level}: {reason}");
    }
    for adapter in adapters_to_test() {
        match Gpu::open(adapter, limits, seedproof::judging::entropy) {
            Ok(gpu) => backends.push(Box::new(gpu)),
            Err(reason) if adapters_required() => {
                eprintln!("gpu/{} is required: {reason}", adapter.name());
                return ExitCode::FAILURE;
            }
            Err(reason) => eprintln!("not run: gpu/{}: {reason}", adapter.name()),
        }
    }
    seedproof::conformance_of(backends, NanRule::Bits)
}

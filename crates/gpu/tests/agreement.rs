//! The backends that are held against each other, and what they are asked.

use seedproof_cpu::{Cpu, Level};
use seedproof_gpu::{Gpu, adapters_to_test};
use seedproof_ops::{Backend, Limits, Request};

pub(crate) const ENTROPY: u64 = 0x0123_4567_89ab_cdef;

pub(crate) fn cpu() -> Cpu {
    Cpu::new(Level::best(), Limits::default(), || ENTROPY)
}

/// A backend for each adapter.
pub(crate) fn gpus() -> Vec<Gpu> {
    adapters_to_test()
        .iter()
        .map(|adapter| Gpu::open(adapter, Limits::default(), || ENTROPY).unwrap())
        .collect()
}

/// Asserts that both answer alike, or refuse for the same kind of reason in the same words.
pub(crate) fn assert_agree(gpu: &Gpu, request: &Request) {
    let expected = cpu().run(request);
    let actual = gpu.run(request);
    if let (Ok(expected), Ok(actual)) = (&expected, &actual) {
        let differs = expected
            .output
            .scalars()
            .zip(actual.output.scalars())
            .enumerate()
            .find(|(_, (expected, actual))| expected != actual);
        if let Some((at, (expected, actual))) = differs {
            panic!(
                "{}: element {at}: expected {} and got {}\n{}",
                gpu.id(),
                expected.literal(),
                actual.literal(),
                brief(request)
            );
        }
    }
    assert!(
        actual == expected,
        "{}: {}\n{}",
        gpu.id(),
        match (&expected, &actual) {
            (Ok(_), Ok(_)) => "shapes or states differ".to_owned(),
            (expected, actual) => format!("{:?}, not {:?}", actual.as_ref().err(), expected.as_ref().err()),
        },
        brief(request)
    );
}

pub(crate) fn brief(request: &Request) -> String {
    format!("{request:?}").chars().take(1500).collect()
}

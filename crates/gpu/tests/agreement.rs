//! The backends that are held against each other, and what they are asked.

use proptest::prelude::*;
use seedproof_cpu::{Cpu, Level};
use seedproof_gpu::{Gpu, adapters_to_test};
use seedproof_ops::{Backend, Dtype, Limits, Request};

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

/// Random requests: few in each run, more by `PROPTEST_CASES`.
pub(crate) fn agree(strategy: impl Strategy<Value = Request>) {
    let gpus = gpus();
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 0,
        ..ProptestConfig::with_cases(cases.unwrap_or(200))
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let result = runner.run(&strategy, |request| {
        for gpu in &gpus {
            assert_agree(gpu, &request);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Bits of bounds that are in order more often than not.
pub(crate) fn bounds(dtype: Dtype) -> impl Strategy<Value = [u64; 2]> {
    let near: [u64; 2] = match dtype {
        Dtype::F16 => [0x0000, 0x3c00],
        Dtype::Bf16 => [0x0000, 0x3f80],
        Dtype::F32 => [0, 0x3f80_0000],
        Dtype::F64 => [0, 0x3ff0_0000_0000_0000],
        _ => [0, 100],
    };
    let sign = 1_u64 << (dtype.size() * 8 - 1);
    prop_oneof![
        2 => any::<[u64; 2]>(),
        1 => any::<[u64; 2]>().prop_map(move |[a, b]| [a | sign, b & !sign]),
        1 => Just(near),
        2 => any::<[u16; 2]>().prop_map(move |[a, b]| [near[0].wrapping_add(a.into()), near[1].wrapping_add(b.into())]),
        1 => any::<u64>().prop_map(move |a| [a, near[1]]),
        1 => any::<[u64; 2]>().prop_map(|[a, b]| [(a >> 33).wrapping_neg(), b >> 32]),
    ]
}

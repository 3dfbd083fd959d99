//! The GPU backend draws the oracle's bits, and a kernel that is wrong on purpose is caught by the corpus and diagnosed.

#[path = "../src/agree.rs"]
mod agree;

use agree::{ENTROPY, LIMITS, agree};
use seedproof::judging::Catalogue;
use seedproof_check::{Outcome, Verdict};
use seedproof_corpus::Selection;
use seedproof_gpu::{Gpu, Kernels, adapters_to_test};
use seedproof_ops::Limits;
use seedproof_ops::requests::{long_request, short_request};
use seedproof_reference::Reference;

/// Holds every adapter and the oracle against each other on requests from a seed.
fn by_chance(cases: u32, long: u32, seed: u8) {
    let reference = Reference::new(LIMITS, || ENTROPY);
    for adapter in adapters_to_test() {
        let gpu = Gpu::open(adapter, LIMITS, || ENTROPY).expect("the driver opens a device");
        agree([&reference, &gpu], long_request, long, seed);
        agree([&reference, &gpu], short_request, cases, seed);
    }
}

#[test]
fn gpu_agrees_on_requests_by_chance() {
    by_chance(1000, 40, 1);
}

/// Every adapter answers a million random requests of all ops as the reference does.
#[test]
#[ignore = "slow: a million requests an adapter"]
fn gpu_agrees_on_a_million_requests_by_chance() {
    by_chance(1_000_000, 1000, 2);
}

/// Cases by the beginning of their ids and by a query, the text of a kernel that is wrong there, and the cause.
const WRONG: [(&str, &str, [&str; 3], &str); 4] = [
    (
        "ru8/",
        "dtype:f32",
        // A scale that is rounded once, as a driver's fused multiply-add would have it.
        [
            "rule.wgsl",
            "return f32_add(f32_mul(x, range), min);",
            "return f32_fma(x, range, min);",
        ],
        "fused-scale",
    ),
    (
        "jxb/",
        "dtype:u32",
        ["counted.wgsl", "return x.x ^ x.y;", "return x.x;"],
        "jax-first-word-alone",
    ),
    (
        "jxu/",
        "dtype:f32",
        [
            "rule.wgsl",
            "let scaled = f32_fma(narrow(fill.digits, word), fill.range.x, fill.min.x);",
            "let scaled = scale32(narrow(fill.digits, word), fill.range.x, fill.min.x);",
        ],
        // JAX on a GPU has two roundings.
        "jax-0.11-cuda",
    ),
    (
        "jxr/",
        "dtype:i32",
        ["sums.wgsl", "* fill.factor.x", "* 0u"],
        "jax-lower-bits-alone",
    ),
];

#[test]
fn gpu_saboteurs_are_caught_and_explained() {
    let Some(adapter) = adapters_to_test().first() else {
        return;
    };
    let limits = Limits::default();
    let catalogue = Catalogue::new(limits);
    for (prefix, query, [file, right, wrong], cause) in WRONG {
        let selection = Selection::parse(&[query.to_owned()]).expect("a query of the corpus");
        let judge = |kernels| {
            let gpu = Gpu::with_kernels(adapter, kernels, limits, seedproof::judging::entropy)
                .expect("the driver opens a device");
            seedproof::corpus()
                .cases()
                .filter(|case| selection.matches(case) && case.id.as_str().starts_with(prefix))
                .filter_map(|case| seedproof::judging::judge_case(case, &gpu, &catalogue, None).ok())
                .collect::<Vec<_>>()
        };
        assert!(
            judge(Kernels::shipped())
                .iter()
                .all(|it| it.finding.outcome.conforms())
        );
        let judgements = judge(Kernels::shipped().with(file, |text| text.replace(right, wrong)));
        let failed = judgements.iter().filter(|it| !it.finding.outcome.conforms());
        assert!(failed.clone().count() > 10, "{cause}");
        assert!(failed.clone().all(|it| it.finding.outcome != Outcome::Error));
        let diagnosis = seedproof::judging::diagnose(&judgements, &catalogue);
        let causes: Vec<_> = diagnosis
            .explanations
            .iter()
            .map(|it| it.cause.name.as_str())
            .collect();
        assert_ne!(diagnosis.verdict, Verdict::Unexplained, "{causes:?}");
        assert_eq!(causes.first(), Some(&cause), "{causes:?}");
    }
}

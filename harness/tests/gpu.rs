//! The GPU backend: it draws the oracle's bits, and a kernel that is wrong on purpose is caught under the corpus and told
//! what it does.

#[path = "../src/agree.rs"]
mod agree;

use agree::{ENTROPY, LIMITS, agree};
use seedproof::judging::Bank;
use seedproof_author::requests::{long_request, short_request};
use seedproof_check::{Outcome, Verdict};
use seedproof_corpus::Selection;
use seedproof_gpu::{Gpu, Kernels, adapters_to_test};
use seedproof_ops::Limits;
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

/// A scale that is rounded once, as a driver's fused multiply-add would have it: binary64 holds the product of two
/// binary32, and is rounded last.
const FUSED: &str = "
fn scale32(x: u32, range: u32, min: u32) -> u32 {
    return f32_from_f64(f64_add(f64_mul(f64_from_f32(x), f64_from_f32(range)), f64_from_f32(min)));
}

fn f64_from_f32(x: u32) -> vec2<u32> {
    let sign = x & F32_SIGN;
    let magnitude = x & ~F32_SIGN;
    if magnitude >= F32_INFINITY {
        return select(vec2<u32>(0u, sign | F64_INFINITY), F64_NAN, magnitude > F32_INFINITY);
    }
    if magnitude == 0u {
        return vec2<u32>(0u, sign);
    }
    let shift = countLeadingZeros(f32_significand(magnitude)) - 8u;
    let significand = f32_significand(magnitude) << shift;
    let exponent = max(magnitude >> 23u, 1u) - shift + 896u;
    return vec2<u32>(significand << 29u, sign | (((exponent - 1u) << 20u) + (significand >> 3u)));
}

fn f32_from_f64(x: vec2<u32>) -> u32 {
    let sign = x.y & F64_SIGN;
    if f64_is_nan(x) {
        return F32_NAN;
    }
    let magnitude = f64_magnitude(x);
    var significand = shr64_sticky(f64_significand(magnitude), 26u).x;
    var exponent = i32(f64_exponent(magnitude)) - 896;
    if exponent < 1 {
        significand = shr_sticky(significand, u32(1 - exponent));
        exponent = 1;
    }
    return f32_pack(sign, exponent, significand);
}
";

/// The kernels with the f32 scale replaced.
fn fused() -> Kernels {
    Kernels::shipped().with("rule.wgsl", |text| {
        let (before, rest) = text.split_once("fn scale32").expect("the rule has a scale");
        let (_, after) = rest.split_once("\n}\n").expect("the scale ends");
        format!("{before}{FUSED}{after}")
    })
}

#[test]
fn gpu_saboteur_with_a_fused_scale_is_caught_and_explained() {
    let Some(adapter) = adapters_to_test().first() else {
        return;
    };
    let limits = Limits::default();
    let bank = Bank::new(limits);
    let selection = Selection::parse(&["dtype:f32".to_owned()]).expect("a query of the corpus");
    let judge = |kernels| {
        let gpu = Gpu::with_kernels(adapter, kernels, limits, seedproof::judging::entropy)
            .expect("the driver opens a device");
        seedproof::corpus()
            .cases()
            .filter(|case| selection.matches(case) && case.id.as_str().starts_with("ru8/"))
            .filter_map(|case| seedproof::judging::judge_case(case, &gpu, &bank, None).ok())
            .collect::<Vec<_>>()
    };
    assert!(
        judge(Kernels::shipped())
            .iter()
            .all(|it| it.finding.outcome.conforms())
    );
    let judgements = judge(fused());
    let failed = judgements.iter().filter(|it| !it.finding.outcome.conforms());
    assert!(failed.clone().count() > 10);
    assert!(failed.clone().all(|it| it.finding.outcome != Outcome::Error));
    let diagnosis = seedproof::judging::diagnose(&judgements, &bank);
    let causes: Vec<_> = diagnosis
        .explanations
        .iter()
        .map(|it| it.cause.name.as_str())
        .collect();
    assert_ne!(diagnosis.verdict, Verdict::Unexplained, "{causes:?}");
    assert_eq!(causes.first(), Some(&"fused-scale"), "{causes:?}");
}

//! The two oracles agree: on the corpus, on random requests, and on every word. They were written apart, so a
//! mistake would have to be made twice.
//!
//! A request that is invalid in several ways is refused for the first of them. Both oracles look in the same order,
//! which is part of what is compared: attributes, then input by input its element type, its form and its values.

#[path = "../src/agree.rs"]
mod agree;
use agree::{ENTROPY, LIMITS, Reply, agree, reply};
use rayon::prelude::*;
use seedproof_corpus::Expectation;
use seedproof_ops::requests::short_request;
use seedproof_ops::{Alignment, Backend as _, Digest, Dtype, Limits, Tensor, Value};
use seedproof_readings::{Engine, Reading, unit_interval};
use seedproof_reference::{Reference, convert};

fn oracles(limits: Limits) -> (Reference, Engine) {
    (
        Reference::new(limits, || ENTROPY),
        Engine::new(Reading::spec(), limits, || ENTROPY),
    )
}

#[test]
fn oracles_agree_on_the_corpus() {
    let (reference, engine) = oracles(Limits::default());
    let cases: Vec<_> = seedproof::corpus()
        .cases()
        .filter(|case| case.expect != Expectation::Unspecified)
        .collect();
    let apart: Vec<String> = cases
        .into_par_iter()
        .filter(|case| {
            let digests = [reference.digest(&case.request), engine.digest(&case.request)]
                .map(|it| it.ok().map(digested));
            reply(&reference, &case.request) != reply(&engine, &case.request) || digests[0] != digests[1]
        })
        .map(|case| case.id.to_string())
        .collect();
    assert_eq!(apart, [""; 0]);
}

/// An answer as a digest, which an engine makes of large outputs alone.
fn digested(value: Value) -> (Digest, Vec<Tensor>) {
    match value {
        Value::Full(answer) => (Digest::of(&answer.output), answer.more),
        Value::Digest(digest, more) => (digest, more),
        Value::Window(output) => panic!("a part of an output: {output:?}"),
    }
}

/// An op that draws by way of another could hold the other's output to the limit in one oracle alone.
#[test]
fn oracles_hold_the_same_to_a_limit() {
    let (unlimited, _) = oracles(Limits::default());
    let cases: Vec<_> = seedproof::corpus().cases().collect();
    let asked: Vec<(String, [Reply; 4])> = cases
        .into_par_iter()
        .filter_map(|case| {
            let Reply::Value(output, _) = reply(&unlimited, &case.request) else {
                return None;
            };
            let bytes = u64::try_from(output.bytes().len())
                .ok()
                .filter(|&bytes| bytes <= 4096)?;
            let [[a, b], [c, d]] = [bytes, bytes.checked_sub(1)?].map(|max_output_bytes| {
                let (reference, engine) = oracles(Limits { max_output_bytes });
                [reply(&reference, &case.request), reply(&engine, &case.request)]
            });
            Some((case.id.to_string(), [a, b, c, d]))
        })
        .collect();
    assert!(asked.len() > 5_000);
    let apart = asked
        .into_iter()
        .filter(|(_, [a, b, c, d])| a != b || c != d)
        .map(|(id, _)| id);
    assert_eq!(apart.collect::<Vec<_>>(), [""; 0]);
}

/// Runs both oracles on requests from a seed.
fn by_chance(cases: u32, seed: u8) {
    let (reference, engine) = oracles(LIMITS);
    agree([&reference, &engine], short_request, cases, seed);
}

#[test]
fn oracles_agree_on_requests_by_chance() {
    by_chance(20_000, 1);
}

/// The reference and the second engine under `spec` answer a million random requests of all ops alike.
#[test]
#[ignore = "slow: a million requests"]
fn oracles_agree_on_a_million_requests_by_chance() {
    (2..12_u8).into_par_iter().for_each(|seed| {
        println!("seed {seed}");
        by_chance(100_000, seed);
    });
}

/// Holds the values of the unit interval that both oracles make of words against each other.
fn conversions_agree(words: std::ops::Range<u64>) {
    type Convert = fn(u32) -> u64;
    const CONVERSIONS: [(Alignment, Dtype, Convert); 6] = [
        (Alignment::Tensorflow, Dtype::F16, |x| {
            u64::from(convert::f16::tensorflow(x).to_bits())
        }),
        (Alignment::Tensorflow, Dtype::Bf16, |x| {
            u64::from(convert::bf16::tensorflow(x).to_bits())
        }),
        (Alignment::Tensorflow, Dtype::F32, |x| {
            u64::from(convert::f32::tensorflow(x).to_bits())
        }),
        (Alignment::Pytorch, Dtype::F16, |x| {
            u64::from(convert::f16::pytorch(x).to_bits())
        }),
        (Alignment::Pytorch, Dtype::Bf16, |x| {
            u64::from(convert::bf16::pytorch(x).to_bits())
        }),
        (Alignment::Pytorch, Dtype::F32, |x| {
            u64::from(convert::f32::pytorch(x).to_bits())
        }),
    ];
    const CHUNK: u64 = 1 << 16;
    let spec = Reading::spec();
    let chunks = words.start / CHUNK..words.end / CHUNK;
    chunks.into_par_iter().for_each(|chunk| {
        let words: Vec<u32> = (chunk * CHUNK..(chunk + 1) * CHUNK)
            .map(|word| u32::try_from(word).expect("the range ends at 2^32"))
            .collect();
        for (alignment, dtype, convert) in CONVERSIONS {
            let unit = unit_interval(&spec, alignment, dtype, &words).expect("these are floats");
            let size = dtype.size();
            let expected: Vec<u8> = words
                .iter()
                .flat_map(|&word| convert(word).to_le_bytes().into_iter().take(size))
                .collect();
            assert!(
                unit.bytes() == expected,
                "{alignment} {dtype}: a word from {:08x} on",
                words[0]
            );
        }
    });
}

#[test]
fn oracles_agree_on_the_conversions_of_a_million_words() {
    conversions_agree(0..1 << 19);
    conversions_agree((1 << 32) - (1 << 19)..1 << 32);
}

/// Both restate Cephes as PyTorch fuses it. Its functions see the 2^24 numbers that a word makes, and f32(2 pi) times these.
#[test]
fn oracles_agree_on_cephes_on_every_input_of_torch() {
    use seedproof_readings::cephes as second;
    use seedproof_reference::cephes as first;
    let apart = (0..1_u16 << 8).into_par_iter().find_any(|chunk| {
        (0..u16::MAX).chain([u16::MAX]).any(|k| {
            let u = (f32::from(*chunk) * 65_536.0 + f32::from(k)) / 16_777_216.0;
            // A radius takes 1 - u, so that its logarithm sees 1 and never 0.
            let angle = u * std::f32::consts::TAU;
            let (sine, cosine) = first::sincos(angle);
            first::log(1.0 - u).to_bits() != second::logf(1.0 - u).to_bits()
                || [sine, cosine].map(f32::to_bits) != second::sincosf(angle).map(f32::to_bits)
        })
    });
    assert_eq!(apart, None);
}

/// Both oracles convert each of the 2^32 words to the same f16, bf16 and f32, under both alignments.
#[test]
#[ignore = "slow: every word, six conversions; run it in release"]
fn oracles_agree_on_the_conversions_of_every_word() {
    conversions_agree(0..1 << 32);
}

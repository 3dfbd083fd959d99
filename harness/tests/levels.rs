//! Every level of the optimised backend that this processor has draws the oracle's bits.

#[path = "../src/agree.rs"]
mod agree;

use agree::{ENTROPY, LIMITS, agree};
use rayon::prelude::*;
use seedproof_author::requests::{long_requests_of, requests_of};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Named as _, OpName, Support};
use seedproof_reference::Reference;

/// Ops that have no kernels.
const WITHOUT_KERNELS: [OpName; 9] = [
    OpName::RngBitGenerator,
    OpName::PhiloxKeySplit,
    OpName::PhiloxKeyFoldIn,
    OpName::PhiloxUniform,
    OpName::PhiloxRandint,
    OpName::StatelessRandomGetKeyCounter,
    OpName::StatelessRandomUniform,
    OpName::StatelessRandomUniformInt,
    OpName::StatelessRandomUniformFullInt,
];

fn by_chance(level: Level, cases: u32, long: u32, seed: u8) {
    println!("{}: seed {seed}", level.name());
    let reference = Reference::new(LIMITS, || ENTROPY);
    let cpu = Cpu::new(level, LIMITS, || ENTROPY);
    let ops: Vec<OpName> = OpName::ALL
        .iter()
        .copied()
        .filter(|op| !WITHOUT_KERNELS.contains(op))
        .collect();
    agree([&reference, &cpu], long_requests_of(&ops), long, seed);
    agree([&reference, &cpu], requests_of(ops), cases, seed);
}

#[test]
fn ops_without_kernels_are_unsupported() {
    let cpu = Cpu::new(Level::scalar(), LIMITS, || ENTROPY);
    let cases = seedproof::corpus().cases();
    let without: Vec<_> = cases
        .filter(|case| WITHOUT_KERNELS.contains(&case.request.op()))
        .collect();
    assert!(!without.is_empty());
    assert!(
        without
            .iter()
            .all(|case| matches!(cpu.supports(&case.request), Support::No(_)))
    );
}

#[test]
fn levels_agree_on_requests_by_chance() {
    Level::detect()
        .into_par_iter()
        .for_each(|level| by_chance(level, 10_000, 200, 1));
}

#[test]
#[ignore = "slow: a million requests a level"]
fn levels_agree_on_a_million_requests_by_chance() {
    for level in Level::detect() {
        (2..12_u8)
            .into_par_iter()
            .for_each(|seed| by_chance(level, 100_000, 1000, seed));
    }
}

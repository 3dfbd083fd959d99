//! Every level of the optimised backend that this processor has draws the oracle's bits.

#[path = "../src/agree.rs"]
mod agree;

use agree::{ENTROPY, LIMITS, agree};
use rayon::prelude::*;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::requests::{long_request, short_request};
use seedproof_reference::Reference;

fn by_chance(level: Level, cases: u32, long: u32, seed: u8) {
    println!("{}: seed {seed}", level.name());
    let reference = Reference::new(LIMITS, || ENTROPY);
    let cpu = Cpu::new(level, LIMITS, || ENTROPY);
    agree([&reference, &cpu], long_request, long, seed);
    agree([&reference, &cpu], short_request, cases, seed);
}

#[test]
fn levels_agree_on_requests_by_chance() {
    Level::detect()
        .into_par_iter()
        .for_each(|level| by_chance(level, 10_000, 200, 1));
}

/// Every level of the CPU backend answers a million random requests as the reference does.
#[test]
#[ignore = "slow: a million requests a level"]
fn levels_agree_on_a_million_requests_by_chance() {
    for level in Level::detect() {
        (2..12_u8)
            .into_par_iter()
            .for_each(|seed| by_chance(level, 100_000, 1000, seed));
    }
}

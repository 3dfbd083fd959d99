//! The named readings are what ships: each captured output in the corpus comes out of its reading, all of them.

use std::collections::BTreeSet;

use seedproof::judging::Catalogue;
use seedproof_ops::Limits;

#[test]
fn readings_reproduce_every_capture() {
    let rows = seedproof_author::rows(seedproof::corpus(), &Catalogue::new(Limits::default()));
    let short: Vec<_> = rows
        .iter()
        .filter(|(_, (captures, reproduced))| captures != reproduced)
        .collect();
    assert!(short.is_empty(), "{short:#?}");
}

/// Readings that the corpus has no captures of: the machines that the captures were made on had AVX-512, and fused
/// multiply-add.
fn is_of_another_machine(name: &str) -> bool {
    name.ends_with("-nofma") || name == "openvino-cpu-2026.4-avx2"
}

#[test]
fn readings_that_ship_are_each_held_against_captures() {
    let rows = seedproof_author::rows(seedproof::corpus(), &Catalogue::new(Limits::default()));
    let captured: BTreeSet<&str> = rows.keys().map(|[reading, ..]| reading.as_str()).collect();
    let named = seedproof_readings::named();
    let without: Vec<&str> = named
        .iter()
        .map(|reading| reading.name.as_ref())
        .filter(|name| !is_of_another_machine(name) && !captured.contains(name))
        .collect();
    assert_eq!(without, [""; 0]);
}

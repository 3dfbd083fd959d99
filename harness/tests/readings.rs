//! The named readings are what ships: each captured output in the corpus comes out of its reading, all of them.

use std::collections::BTreeSet;

use seedproof::Bank;
use seedproof::ops::Limits;

#[test]
fn readings_reproduce_every_capture() {
    let rows = seedproof::rows(seedproof::corpus(), &Bank::new(Limits::default()));
    let short: Vec<_> = rows
        .iter()
        .filter(|(_, (captures, reproduced))| captures != reproduced)
        .collect();
    assert!(short.is_empty(), "{short:#?}");
}

#[test]
fn readings_that_ship_are_each_held_against_captures() {
    let rows = seedproof::rows(seedproof::corpus(), &Bank::new(Limits::default()));
    let captured: BTreeSet<&str> = rows.keys().map(|[reading, ..]| reading.as_str()).collect();
    let named = seedproof::readings::named();
    // What a machine without fused multiply-add gives was not captured: there was none.
    let without: Vec<&str> = named
        .iter()
        .map(|reading| reading.name.as_ref())
        .filter(|name| !name.ends_with("-nofma") && !captured.contains(name))
        .collect();
    assert_eq!(without, [""; 0]);
}

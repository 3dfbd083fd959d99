//! `seedproof run --expect`.

use crate::corpus::TWO;
use crate::{Place, Ran};

/// A place whose corpus has one case that the reference fails.
fn failing() -> Place {
    let place = Place::new();
    place.corpus("own", &TWO.replace("4175744164", "7"));
    place
}

fn held(place: &Place, more: &[&str]) -> Ran {
    let args = [
        "run",
        "--corpus",
        "own",
        "--backend",
        "reference",
        "--expect",
        "known.yaml",
    ];
    place.seedproof(&[&args[..], more].concat())
}

fn entry(pattern: &str, more: &str) -> String {
    format!(
        "schema: 1\nexpectations:\n  - match: [\"{pattern}\"]\n    outcome: fail\n    reason: a test\n{more}"
    )
}

#[test]
fn expect_holds_what_fails_as_expected() {
    let place = failing();
    place.write("known.yaml", entry("reference::dml/*/two", ""));
    held(&place, &[])
        .exits(0)
        .says("known.yaml: 1 findings as expected, 0 not, 0 violations");
}

#[test]
fn expect_is_not_enough_for_other_failures() {
    let place = failing();
    place.write("known.yaml", "schema: 1\nexpectations: []\n");
    held(&place, &[]).exits(1).says("0 findings as expected, 1 not");
}

#[test]
fn expect_calls_out_entries_that_are_idle_expired_or_pass() {
    let place = failing();
    let known = entry("reference::dml/*/two", "");
    let stale = "  - match: [\"reference::ru8/*\"]\n    outcome: fail\n    reason: another\n";
    place.write("known.yaml", format!("{known}{stale}"));
    held(&place, &[])
        .exits(1)
        .says("line 6: `reference::ru8/*` matches nothing");
    held(&place, &["dml/*/two"]).exits(0);
    place.write(
        "known.yaml",
        entry("reference::dml/*/two", "    until: 2001-01-01\n"),
    );
    held(&place, &[])
        .exits(1)
        .says("expired: its last day was 2001-01-01");
    place.write("known.yaml", entry("reference::dml/*", ""));
    held(&place, &[])
        .exits(1)
        .says("reference::dml/feature-level-4.0/one passes");
    place.write("known.yaml", known.replace("outcome: fail", "outcome: rejects"));
    held(&place, &[])
        .exits(1)
        .says("fails differently: expected rejects, found fail");
}

#[test]
fn expect_is_blessed_and_then_holds() {
    let place = failing();
    held(&place, &["--bless"]).exits(0).says("wrote known.yaml");
    assert!(place.read("known.yaml").contains("dml/feature-level-4.0/two"));
    held(&place, &[]).exits(0);
    place.corpus("own", TWO);
    held(&place, &[]).exits(1).says("passes");
    held(&place, &["--bless"]).exits(0);
    held(&place, &[]).exits(0);
}

#[test]
fn expect_reads_its_file_strictly() {
    let place = failing();
    place.write("known.yaml", "schema: 1\nexpectations:\n  - mtch: [x]\n");
    held(&place, &[])
        .exits(2)
        .complains("known.yaml:3")
        .complains("mtch");
}

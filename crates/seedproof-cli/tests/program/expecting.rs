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
    let issue = "    issue: https://example.org/1\n";
    place.write("known.yaml", entry("reference::dml/*/two", issue));
    held(&place, &[])
        .exits(0)
        .says("known.yaml: 1 findings as expected, 0 not, 0 violations");
    assert!(
        place
            .read("reports/out/summary.md")
            .contains("a test (https://example.org/1)")
    );
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
    let xml = place.read("reports/out/junit.xml");
    assert!(
        xml.contains("<error type=\"run\" message=\"expectations: known.yaml: line 6"),
        "{xml}"
    );
    // A part of a run cannot know what the others find, but that there is no such case.
    held(&place, &["dml/*/two"])
        .exits(1)
        .says("line 6: `reference::ru8/*` matches nothing");
    place.write("known.yaml", known.replace("dml/*/two", "dml/*"));
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

#[test]
fn bless_keeps_what_the_run_did_not_look_at() {
    let place = Place::new();
    let query = "ru8/*/spec-example-*";
    let bless = |more: &[&str]| {
        let args = ["run", "--expect", "known.yaml", "--bless"];
        place.seedproof(&[&args[..], more].concat()).exits(0);
        place.read("known.yaml")
    };
    let all = bless(&["--backend", "sample", query]);
    assert!(all.contains("sample::ru8/"), "{all}");
    let known = all.replace("not looked into yet", "looked into by somebody");
    place.write("known.yaml", &known);
    for narrower in [
        &["--backend", "sample", "dml/*spec*"][..],
        &["--backend", "sample", query, "--shard", "1/2"],
        // Of every query, so that the shard alone makes the run a part.
        &["--backend", "sample", "--shard", "1/50"],
        &["--backend", "sample", "ru8/tensorflow/f*/spec-example-*"],
        &["--backend", "cpu/scalar", query],
        &["--backend", "cpu/scalar", "--random", "3"],
    ] {
        let after = bless(narrower);
        for line in known.lines() {
            assert!(after.contains(line), "{narrower:?} loses {line}:\n{after}");
        }
        place.write("known.yaml", &known);
    }
}

#[test]
fn bless_of_a_part_keeps_a_pattern_for_the_other_cases_alone() {
    let place = Place::new();
    place.corpus("own", &TWO.replace("1713891541", "7"));
    place.write("known.yaml", entry("reference::dml/*", ""));
    held(&place, &["dml/*/two", "--bless"]).exits(0);
    let known = place.read("known.yaml");
    assert!(known.contains("reference::dml/feature-level-4.0/one"), "{known}");
    assert!(!known.contains("dml/feature-level-4.0/two"), "{known}");
}

#[test]
fn bless_names_a_wrong_output_without_a_diagnosis() {
    let place = failing();
    held(&place, &["--bless"]).exits(0);
    let blessed = place.read("known.yaml");
    assert!(blessed.contains("  outputs:\n"), "{blessed}");
    held(&place, &[])
        .exits(0)
        .says("1 findings as expected, 0 not, 0 violations");
    // Another wrong output of the case is not the one that is known.
    let sum = blessed
        .lines()
        .skip_while(|line| *line != "  outputs:")
        .nth(1)
        .unwrap();
    place.write(
        "known.yaml",
        blessed.replace(sum, &format!("  - '{}'", "0".repeat(32))),
    );
    held(&place, &[])
        .exits(1)
        .says("fails differently: expected fail with another output");
}

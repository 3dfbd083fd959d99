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

/// Cases of two ops, both of which are expected to fail.
fn two_ops(place: &Place) {
    place.corpus("own", &TWO.replace("4175744164", "7"));
    place.write("own/ru8.yaml", FOUR_BYTES);
    let entry =
        |case: &str| format!("- match: [\"reference::{case}\"]\n  outcome: fail\n  reason: looked into\n");
    let entries = entry("ru8/own") + &entry("dml/feature-level-4.0/two");
    place.write("known.yaml", format!("schema: 1\nexpectations:\n{entries}"));
}

/// A case whose expected output is not that of the specification, of more bytes than one word.
const FOUR_BYTES: &str = r#"schema: 2
op: openvino.RandomUniform-8
cases:
  - id: ru8/own
    clauses: [ru8.shape.form]
    provenance: { kind: derived, reading: spec, revision: 1 }
    attrs: { output_type: f32, global_seed: 150, op_seed: 10, alignment: TENSORFLOW }
    inputs: { shape: [3], minval: "bf800000", maxval: "3f800000" }
    expect:
      bits: ["00000000", "00000000", "00000000"]
"#;

#[test]
fn bless_keeps_what_a_whole_run_did_not_judge() {
    let place = Place::new();
    let reading = |op: &str| format!("[[reading]]\nname = \"ours\"\nobserved = \"ours\"\nhas = [\"{op}\"]\n");
    place.write("dml.toml", reading("directml.RandomGenerator"));
    place.write("ru8.toml", reading("openvino.RandomUniform-8"));
    for (options, kept) in [
        // The cases of the other op are outside of the reading.
        (&["--reading", "dml.toml"][..], "ru8/own"),
        (&["--reading", "ru8.toml"], "dml/feature-level-4.0/two"),
        // The output is larger than the limit.
        (&["--max-output", "8"], "ru8/own"),
    ] {
        two_ops(&place);
        let ran = held(&place, &[options, &["--bless"]].concat());
        let ran = ran
            .says("wrote known.yaml")
            .says("known.yaml: kept 1 entry about what this run did not judge");
        assert!(ran.status < Some(2), "{}", ran.err);
        let known = place.read("known.yaml");
        assert!(
            known.contains(kept) && known.contains("looked into"),
            "{options:?}: {known}"
        );
    }
}

#[test]
fn bless_keeps_what_an_implementation_no_longer_claims() {
    let place = Place::new();
    place.write(
        "dml.toml",
        "[[reading]]\nname = \"reference\"\nobserved = \"ours\"\nhas = [\"directml.RandomGenerator\"]\n",
    );
    two_ops(&place);
    let known = place
        .read("known.yaml")
        .replace("reference::", "readings/reference::");
    place.write("known.yaml", known);
    let args = ["run", "--corpus", "own", "--expect", "known.yaml"];
    let unsupported = ["--backend", "readings/dml.toml"];
    place
        .seedproof(&[&args[..], &unsupported, &["--bless"]].concat())
        .says("kept 1 entry about what this run did not judge");
    assert!(place.read("known.yaml").contains("ru8/own"));
    // The run judged nothing, so that it is an error and says nothing about any entry.
    let known = place.read("known.yaml");
    place
        .seedproof(&[&args[..], &unsupported, &["--bless", "ru8/own"]].concat())
        .complains("known.yaml was not written");
    place
        .seedproof(&[&args[..], &unsupported, &["--bless", "--require-claimed", "3"]].concat())
        .complains("known.yaml was not written");
    assert_eq!(place.read("known.yaml"), known);
}

#[test]
fn texts_of_an_expectation_file_stay_texts() {
    let place = failing();
    let wicked = r"\n::error::owned\n  ::stop-commands::x ##vso[x] \u001b[31m\u202e\u2028";
    let file = |pattern: &str, outcome: &str| {
        format!(
            "{{\"schema\": 1, \"expectations\": [{{\"match\": [\"{pattern}\"], \"outcome\": \"{outcome}\", \"reason\": \"a{wicked}\"}}]}}"
        )
    };
    let is_inert = |text: &str| {
        let acts = |c: char| matches!(c, '\u{1b}' | '\u{202e}' | '\u{2028}');
        assert!(!text.contains(acts), "{text}");
        assert!(
            !text.lines().any(|line| line.trim_start().starts_with("::")),
            "{text}"
        );
    };
    // A pattern that matches nothing, a reason, and an outcome that there is not.
    for (pattern, outcome, more) in [
        (format!("*::x{wicked}"), "fail", &[][..]),
        (format!("x{wicked}"), "fail", &["dml/*/two"]),
        (format!("x{wicked}"), "fail", &["--bless"]),
        ("dml/*/two".to_owned(), "fail", &[]),
        ("dml/*".to_owned(), wicked, &[]),
    ] {
        place.write("known.yaml", file(&pattern, outcome));
        let ran = held(&place, more);
        is_inert(&ran.out);
        is_inert(&ran.err);
    }
}

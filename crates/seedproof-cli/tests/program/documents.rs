//! Event logs and the documents that are made of them.

use crate::corpus::TWO;
use crate::{EXAMPLE, Place};

#[test]
fn report_joins_the_parts_of_a_run() {
    let place = Place::new();
    for part in ["1/2", "2/2"] {
        let events = format!("{}.jsonl", &part[..1]);
        let args = [
            "run",
            "--backend",
            "readings/openvino-core-2026.4",
            "--shard",
            part,
            "--events",
            &events,
            "ru8/tensorflow/f16/*",
        ];
        let _ = place.seedproof(&args);
    }
    place
        .seedproof(&[
            "report",
            "1.jsonl",
            "2.jsonl",
            "-o",
            "page.html",
            "--junit",
            "junit.xml",
            "--json",
            "run.json",
            "--markdown",
            "run.md",
        ])
        .exits(1)
        .says("do not conform: 1 implementation")
        .never_says("sharded:");
    assert!(place.read("page.html").starts_with("<!"));
    assert!(place.read("junit.xml").contains("<testsuite"));
    assert!(serde_json::from_str::<serde_json::Value>(&place.read("run.json")).is_ok());
    assert!(place.read("run.md").contains("openvino-core-2026.4"));
}

#[test]
fn report_of_a_part_is_not_the_whole() {
    let place = Place::new();
    let args = [
        "run",
        "--backend",
        "reference",
        "--shard",
        "1/2",
        "--events",
        "1.jsonl",
    ];
    let query = "ru8/tensorflow/f16/*";
    place.seedproof(&[&args[..], &[query]].concat()).exits(0);
    place
        .seedproof(&["report", "1.jsonl"])
        .exits(3)
        .says("sharded: only 1/2");
}

#[test]
fn report_refuses_what_is_no_log() {
    let place = Place::new();
    place.write("broken.jsonl", "{\"event\":\"run\"\n");
    place
        .seedproof(&["report", "broken.jsonl"])
        .exits(3)
        .complains("broken.jsonl");
    place
        .seedproof(&["report", "absent.jsonl"])
        .exits(3)
        .complains("failed to read absent.jsonl");
    place.seedproof(&["report"]).exits(2).complains("<EVENTS>");
    place
        .seedproof(&["run", "--backend", "reference", "--events", "sub/log", EXAMPLE])
        .exits(0);
    place
        .seedproof(&["report", "sub/log", "sub/log"])
        .exits(3)
        .complains("sub/log");
}

#[test]
fn run_leaves_its_documents_where_it_is_told() {
    let place = Place::new();
    place
        .seedproof(&["run", "--backend", "reference", "--out", "there", EXAMPLE])
        .exits(0)
        .says("there/index.html");
    assert!(place.read("there/index.html").contains(EXAMPLE));
}

#[test]
fn report_is_the_page_of_its_run_whatever_program_and_corpus_it_was() {
    let place = Place::new();
    place
        .seedproof(&[
            "run",
            "--backend",
            "sample",
            "--events",
            "log",
            "ru8/tensorflow/f16/range-*",
        ])
        .exits(1);
    let page = place.read("reports/out/index.html");
    place.seedproof(&["report", "log", "-o", "page.html"]).exits(1);
    assert_eq!(place.read("page.html"), page);
    let log = place.read("log");
    let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let hash = &header["corpus"]["hash"].as_str().unwrap()[..12];
    let edit = |text: &str| {
        text.replace(hash, "000000000000")
            .replace(env!("CARGO_PKG_VERSION"), "9.9.9")
    };
    place.write("other", edit(&log));
    place.seedproof(&["report", "other", "-o", "page.html"]).exits(1);
    assert_eq!(place.read("page.html"), edit(&page));
}

#[test]
fn run_over_a_corpus_of_ones_own_speaks_of_that_corpus_only() {
    let place = Place::new();
    place.corpus("few", TWO);
    place
        .seedproof(&[
            "run",
            "--corpus",
            "few",
            "--backend",
            "reference",
            "--events",
            "log",
        ])
        .exits(0);
    let page = place.read("reports/out/index.html");
    for absent in ["mn13/", "mn13.", "ru8/", "ru8."] {
        assert!(!page.contains(absent), "{absent}");
        assert!(!place.read("log").contains(absent), "{absent}");
    }
    assert!(page.contains("dml.output.bits") && page.contains("id=\"clauses\""));
}

#[test]
fn report_has_figures_of_a_benchmark_apart() {
    let place = Place::new();
    place
        .seedproof(&["run", "--backend", "reference", "--events", "log", EXAMPLE])
        .exits(0);
    place.write(
        "bench.jsonl",
        "{\"what\": \"fill of 16 Mi\", \"implementation\": \"cpu\", \"figure\": \"9.8 GB/s\", \"note\": \"median\"}\n",
    );
    let made = ["report", "log", "-o", "page.html", "--bench", "bench.jsonl"];
    place.seedproof(&made).exits(0);
    assert!(place.read("page.html").contains("9.8 GB/s"));
    place.write("bench.jsonl", "{}\n");
    place.seedproof(&made).exits(2).complains("bench.jsonl:1");
}

#[test]
fn run_marks_expected_failures_in_its_documents() {
    let place = Place::new();
    let run = [
        "run",
        "--backend",
        "sample",
        "--expect",
        "known.yaml",
        "--events",
        "log",
        "ru8/*/spec-example-*",
    ];
    place.seedproof(&[&run[..], &["--bless"]].concat()).exits(0);
    place
        .seedproof(&run)
        .exits(0)
        .says("all expected")
        .never_says("do not conform");
    assert!(place.read("reports/out/junit.xml").contains("<skipped"));
    assert!(
        place
            .read("reports/out/index.html")
            .contains("fails only as expected")
    );
    assert!(place.read("reports/out/summary.md").contains("expected"));
    place
        .seedproof(&["report", "log"])
        .exits(0)
        .says("as expected, no other does");
}

#[test]
fn diff_tells_new_failures_by_its_exit_status() {
    let place = Place::new();
    let wrong = "readings/openvino-cpu-2026.4";
    for (backend, events) in [("reference", "right.jsonl"), (wrong, "wrong.jsonl")] {
        let args = [
            "run",
            "--backend",
            backend,
            "--events",
            events,
            "ru8/tensorflow/f32/range-a*",
        ];
        let _ = place.seedproof(&args);
    }
    place
        .seedproof(&["diff", "right.jsonl", "wrong.jsonl"])
        .exits(5)
        .says("the logs have no finding in common");
    // The same implementation, before and after it was changed.
    let after = place.read("wrong.jsonl").replace(wrong, "reference");
    place.write("after.jsonl", &after);
    place
        .seedproof(&["diff", "right.jsonl", "after.jsonl"])
        .exits(1)
        .says("ru8/tensorflow/f32/range-awkward  pass → other-reading: ");
    let json = place
        .seedproof(&["diff", "after.jsonl", "right.jsonl", "--json"])
        .exits(0)
        .out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["implementations"][0]["fixed"][0]["case"],
        "ru8/tensorflow/f32/range-awkward"
    );
    let cut = after
        .lines()
        .take(1)
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    place.write("cut.jsonl", cut);
    place
        .seedproof(&["diff", "right.jsonl", "cut.jsonl"])
        .exits(3)
        .says("the new log is cut short")
        .complains("cut.jsonl is cut short");
    place.write("broken.jsonl", "{}\n");
    place.seedproof(&["diff", "right.jsonl", "broken.jsonl"]).exits(3);
    place.seedproof(&["diff", "right.jsonl", "absent.jsonl"]).exits(3);
}

#[test]
fn report_writes_all_documents_or_none() {
    let place = Place::new();
    place
        .seedproof(&["run", "--backend", "reference", "--events", "log.jsonl", EXAMPLE])
        .exits(0);
    place.write("taken/file", "");
    // The last of them cannot be written.
    place
        .seedproof(&[
            "report",
            "log.jsonl",
            "-o",
            "page.html",
            "--junit",
            "o.xml",
            "--markdown",
            "taken",
        ])
        .exits(3)
        .complains("failed to write taken");
    assert!(!place.file("page.html").exists() && !place.file("o.xml").exists());
}

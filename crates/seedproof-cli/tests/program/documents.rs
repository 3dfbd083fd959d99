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
        .says("sharded: only 1/2")
        .says("all conform in shard 1/2: 1 implementation, ");
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
    place
        .seedproof(&["diff", "cut.jsonl", "right.jsonl"])
        .exits(3)
        .says("the old log is cut short")
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

#[test]
fn report_refuses_parts_of_different_runs() {
    let place = Place::new();
    let part = |part: &str, more: &[&str]| {
        let events = format!("{}.jsonl", &part[..1]);
        let args = [
            "run",
            "--backend",
            "reference",
            "--shard",
            part,
            "--events",
            &events,
        ];
        place.seedproof(&[&args[..], more].concat()).exits(0);
    };
    part("1/2", &["ru8/tensorflow/f16/*"]);
    for (other, what) in [
        (&["ru8/tensorflow/f16/range*"][..], "the filter of reference"),
        (
            &["ru8/tensorflow/f16/*", "--max-output", "9999999999"],
            "the options of reference",
        ),
        (
            &["ru8/tensorflow/f16/*", "--repeat", "1"],
            "the options of reference",
        ),
    ] {
        part("2/2", other);
        place
            .seedproof(&["report", "1.jsonl", "2.jsonl"])
            .exits(3)
            .complains(what);
    }
    part("2/2", &["ru8/tensorflow/f16/*"]);
    place
        .seedproof(&["report", "1.jsonl", "2.jsonl"])
        .exits(0)
        .never_says("sharded");
}

#[test]
fn report_of_an_edited_log_is_refused_and_never_panics() {
    let place = Place::new();
    place
        .seedproof(&["run", "--backend", "reference", "--events", "log", EXAMPLE])
        .exits(0);
    let log = place.read("log");
    let (first, rest) = log.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(first).unwrap();
    let again = header["implementations"][0].clone();
    header["implementations"].as_array_mut().unwrap().push(again);
    place.write("twice", format!("{header}\n{rest}"));
    let made = ["report", "twice", "-o", "page.html"];
    place
        .seedproof(&made)
        .exits(3)
        .complains("two implementations are named `reference`");
    let finding = rest
        .lines()
        .position(|line| line.contains("\"finding\""))
        .unwrap();
    let kept: Vec<&str> = rest
        .lines()
        .enumerate()
        .filter(|(i, _)| *i != finding)
        .map(|(_, it)| it)
        .collect();
    let kept = kept.join("\n").replace("\"findings\":1", "\"findings\":0");
    place.write("fewer", format!("{first}\n{kept}\n"));
    place
        .seedproof(&["report", "fewer"])
        .exits(3)
        .says("incomplete: reference has findings for 0 of 1");
}

#[test]
fn diff_of_what_is_no_longer_judged_exits_with_1() {
    let place = Place::new();
    let query = "dml/feature-level-4.0/random123-*";
    let run = |events: &str, more: &[&str]| {
        let args = ["run", "--backend", "reference", "--events", events];
        place.seedproof(&[&args[..], more].concat()).exits(0);
    };
    run("old", &[query]);
    run("few", &["dml/feature-level-4.0/random123-shape-rank1-*"]);
    run("part", &[query, "--shard", "1/2"]);
    // As where a device is lost.
    let old = place.read("old");
    place.write(
        "less",
        old.replacen("\"outcome\":\"pass\"", "\"outcome\":\"unsupported\"", 1),
    );
    let diff = |args: &[&str]| place.seedproof(&[&["diff"][..], args].concat());
    diff(&["old", "old"]).exits(0).says("no new failure");
    diff(&["old", "less"])
        .exits(1)
        .says("no longer judged")
        .says("pass → unsupported");
    diff(&["old", "few"])
        .exits(1)
        .says("pass → not judged")
        .says("the selection differs");
    diff(&["old", "part"])
        .exits(3)
        .says("the new log is a part of its run")
        .complains("has a part of the findings");
    diff(&["old", "less", "--allow-lost"]).exits(0).says("lost");
    diff(&["old", "part", "--allow-lost"]).exits(3);
    // What the part did not judge may have passed, also where it is unsupported now.
    let judged_by_part = place.read("part");
    let is_of_part = |line: &str| {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        judged_by_part.contains(&format!("\"case\":{}", finding["case"]))
    };
    let withdrawn = |line: &str| {
        let is_lost = line.contains("\"event\":\"finding\"") && !is_of_part(line);
        let outcome = if is_lost { "unsupported" } else { "pass" };
        line.replace("\"outcome\":\"pass\"", &format!("\"outcome\":\"{outcome}\"")) + "\n"
    };
    let withdrawn: String = old.lines().map(withdrawn).collect();
    assert_ne!(withdrawn, old);
    place.write("withdrawn", withdrawn);
    for new in ["old", "withdrawn"] {
        diff(&["part", new])
            .exits(3)
            .says("the old log is a part of its run")
            .complains("part has a part of the findings");
    }
    diff(&["less", "old"]).exits(0);
    let json = diff(&["old", "less", "--json"]).exits(1).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["worse"], &json["no_new_failures"]),
        (&true.into(), &true.into())
    );
}

#[test]
fn documents_never_overwrite_each_other_or_what_they_are_made_of() {
    let place = Place::new();
    place
        .seedproof(&["run", "--backend", "reference", "--events", "log", EXAMPLE])
        .exits(0);
    let log = place.read("log");
    std::fs::hard_link(place.file("log"), place.file("same")).unwrap();
    std::fs::create_dir(place.file("folder")).unwrap();
    for args in [
        &["report", "log", "-o", "log"][..],
        &["report", "log", "-o", "./folder/../log"],
        &["report", "log", "--junit", "same"],
        &["report", "log", "-o", "new", "--junit", "new"],
        &["report", "log", "-o", "new", "--json", "folder/../new"],
        &["report", "log", "-o", "-", "--junit", "-"],
        &[
            "run",
            "--backend",
            "reference",
            EXAMPLE,
            "--events",
            "o/index.html",
            "--out",
            "o",
        ],
        &[
            "run",
            "--backend",
            "reference",
            EXAMPLE,
            "--events",
            "log",
            "--expect",
            "log",
        ],
        &[
            "run",
            "--backend",
            "reference",
            EXAMPLE,
            "--out",
            ".",
            "--expect",
            "summary.md",
            "--bless",
        ],
        // The folder on the way is made only after this check.
        &["report", "log", "-o", "none/../log"],
        &["run", EXAMPLE, "--mistakes", "log", "--events", "log"],
        &["run", EXAMPLE, "--reading", "r.toml", "--events", "r.toml"],
        // A script or an input of the adapter.
        &["run", EXAMPLE, "--adapter", "sh log", "--events", "log"],
        &[
            "run",
            EXAMPLE,
            "--adapter",
            "sh x --config=./log",
            "--events",
            "log",
        ],
        &["run", EXAMPLE, "--expect", "same", "--bless", "--", "sh", "log"],
        &["run", EXAMPLE, "--events", "folder/../log", "--", "./log"],
    ] {
        place.seedproof(args).exits(2).complains("would be overwritten");
        assert_eq!(place.read("log"), log, "{args:?}");
        assert!(!place.file("new").exists());
    }
    for (name, why) in [("log", "it is named twice"), ("same", "it is log too")] {
        place
            .seedproof(&["report", "log", "-o", name])
            .exits(2)
            .complains(&format!("{name} would be overwritten: {why}"));
    }
    #[cfg(unix)]
    {
        place
            .seedproof(&["report", "log", "-o", "/dev/null", "--junit", "/dev/null"])
            .exits(0);
        // A link to a document that is not there yet.
        std::os::unix::fs::symlink("none/junit.xml", place.file("ahead")).unwrap();
        place
            .seedproof(&["run", EXAMPLE, "--out", "none", "--events", "ahead"])
            .exits(2)
            .complains("would be overwritten");
        std::os::unix::fs::symlink("round", place.file("round")).unwrap();
        place
            .seedproof(&["run", EXAMPLE, "--backend", "reference", "--events", "round"])
            .exits(3);
    }
}

/// Without a `PATH` there is no program that opens a page, so that none opens here.
#[cfg(target_os = "linux")]
#[test]
fn page_that_cannot_be_opened_is_an_error() {
    let place = Place::new();
    let mut command = place.command(&["run", "--backend", "reference", "--open", EXAMPLE]);
    crate::ran(command.env("PATH", ""), b"")
        .exits(3)
        .complains("failed to open the page: xdg-open: ");
    assert!(place.file("reports/out/index.html").exists());
}

/// A program of the name that opens pages on a desktop, which keeps what it is given.
#[cfg(target_os = "linux")]
#[test]
fn page_is_opened_where_that_is_asked_for() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    place.write(
        "bin/xdg-open",
        "#!/bin/sh\necho \"$1\" > opened\nexit \"$(cat status)\"\n",
    );
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.file("bin/xdg-open"), executable).unwrap();
    let mut path = place.file("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let run = |ends: &str| {
        place.write("status", ends);
        let mut command = place.command(&["run", "--backend", "reference", "--open", EXAMPLE]);
        crate::ran(command.env("PATH", &path), b"")
    };
    run("0").exits(0);
    assert_eq!(place.read("opened"), "reports/out/index.html\n");
    run("7")
        .exits(3)
        .complains("failed to open the page: xdg-open ended with exit status: 7");
}

/// The next run would take the log for a file of the corpus.
#[test]
fn log_is_not_written_into_the_corpus_that_is_run() {
    let place = Place::new();
    place.corpus("few", TWO);
    for log in ["few/log.yaml", "none/../few/log.yaml"] {
        place
            .seedproof(&[
                "run",
                "--corpus",
                "few",
                "--backend",
                "reference",
                "--events",
                log,
            ])
            .exits(2)
            .complains(&format!("{log} is in the folder of the corpus, few; "));
        let blesses = ["--backend", "reference", "--expect", log, "--bless"];
        place
            .seedproof(&[&["run", "--corpus", "few"], &blesses[..]].concat())
            .exits(2)
            .complains(&format!("{log} is in the folder of the corpus, few; "));
    }
    assert_eq!(std::fs::read_dir(place.file("few")).unwrap().count(), 1);
}

/// A run waits while another one writes into its folder, so that the documents there are all of one run.
#[cfg(unix)]
#[test]
fn documents_of_two_runs_do_not_mix() {
    let place = Place::new();
    std::fs::create_dir(place.file("out")).unwrap();
    let folder = std::fs::File::open(place.file("out")).unwrap();
    folder.lock().unwrap();
    let args = [
        "run",
        "--backend",
        "reference",
        "--out",
        "out",
        "--events",
        "log",
        EXAMPLE,
    ];
    let mut child = place
        .command(&args)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let started = std::time::Instant::now();
    let ends =
        || std::fs::read_to_string(place.file("log")).is_ok_and(|log| log.contains("\"event\":\"end\""));
    while !ends() {
        assert!(started.elapsed().as_secs() < 60, "the run does not end");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!place.file("out/index.html").exists() && child.try_wait().unwrap().is_none());
    folder.unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert!(place.file("out/index.html").exists() && place.file("out/junit.xml").exists());
}

#[cfg(unix)]
#[test]
fn run_tells_of_an_adapter_that_dies_at_its_end() {
    let place = Place::new();
    let serve = crate::served("--backend reference");
    for (end, how) in [("kill -ABRT $$", "signal: 6"), ("exit 1", "exit status: 1")] {
        place.write("dies.sh", format!("{serve}\n{end}\n"));
        let run = ["run", "--adapter", "sh dies.sh", "--events", "log", EXAMPLE];
        let says = format!("ended: after the last answer of adapter/reference, its process ended with {how}");
        place.seedproof(&run).exits(0).says(&says);
        assert!(place.read("reports/out/index.html").contains(&says));
        place.seedproof(&["report", "log"]).exits(0).says(&says);
        let auto = [&run[..], &["--reading", "auto"]].concat();
        place.seedproof(&auto).exits(0).says(&says);
    }
    for (end, how) in [("kill -ABRT $$", "signal: 6"), ("exit 1", "exit status: 1")] {
        place.write("dies.sh", format!("{serve}\n{end}\n"));
        place
            .seedproof(&["smoke", "--adapter", "sh dies.sh"])
            .exits(0)
            .says(&format!(
                "ended: after the last answer of adapter/reference, its process ended with {how}"
            ));
    }
    place.write("ends.sh", format!("{serve}\n"));
    place
        .seedproof(&["smoke", "--adapter", "sh ends.sh"])
        .exits(0)
        .never_says("ended:");
    place
        .seedproof(&["run", "--adapter", "sh ends.sh", EXAMPLE])
        .exits(0)
        .never_says("ended:");
}

/// A reading named `ours` in a file.
fn ours(place: &Place, file: &str, more: &str) {
    let text = format!("[[reading]]\nname = \"ours\"\nobserved = \"ours\"\n{more}\n");
    place.write(file, text);
}

/// An answer that decides nothing in the cases of these tests.
const FUSED: &str = "answers = { \"tensorflow.scale.formula\" = \"fused\" }";

#[test]
fn logs_under_one_name_of_other_answers_are_not_of_one_run() {
    let place = Place::new();
    ours(&place, "a.toml", "");
    ours(&place, "b.toml", FUSED);
    ours(&place, "same.toml", "# The same answers.");
    let run = |events: &str, reading: &str, more: &[&str]| {
        let args = ["run", "--reading", reading, "--backend", "reference"];
        let more = [&["--events", events], more].concat();
        let query = ["dml/feature-level-4.0/random123-*"];
        place.seedproof(&[&args[..], &more, &query].concat()).exits(0);
    };
    run("1", "a.toml", &["--shard", "1/2"]);
    for (reading, status) in [("b.toml", 3), ("same.toml", 0)] {
        run("2", reading, &["--shard", "2/2"]);
        let joined = place.seedproof(&["report", "1", "2"]).exits(status);
        assert_eq!(
            joined
                .err
                .contains("join two logs: the digest of the reading's answers"),
            status == 3,
            "{}",
            joined.err
        );
    }
    // The same reading as the implementation that is judged.
    let run_as = |events: &str, backend: &str, shard: &str| {
        let backend = format!("readings/{backend}");
        let args = ["run", "--backend", &backend, "--events", events, "--shard", shard];
        let query = ["dml/feature-level-4.0/random123-*"];
        place.seedproof(&[&args[..], &query].concat()).exits(0);
    };
    run_as("1", "a.toml", "1/2");
    for (backend, status) in [("b.toml", 3), ("same.toml", 0)] {
        run_as("2", backend, "2/2");
        let joined = place.seedproof(&["report", "1", "2"]).exits(status);
        assert_eq!(
            joined
                .err
                .contains("join two logs: the description of readings/ours"),
            status == 3,
            "{}",
            joined.err
        );
    }
    run("a", "a.toml", &[]);
    run("b", "b.toml", &[]);
    place
        .seedproof(&["diff", "a", "b"])
        .exits(3)
        .complains("failed to compare two logs: their reading `ours` has other answers in each");
    run("b", "same.toml", &[]);
    place
        .seedproof(&["diff", "a", "b"])
        .exits(0)
        .never_says("ours` answers");
    // A log of an earlier program has no digest.
    let log = place.read("a");
    let header = log.lines().next().unwrap();
    let mut fields: serde_json::Value = serde_json::from_str(header).unwrap();
    fields.as_object_mut().unwrap().remove("answers").unwrap();
    place.write("early", log.replace(header, &fields.to_string()));
    place.seedproof(&["report", "early"]).exits(0);
    place
        .seedproof(&["diff", "early", "a"])
        .exits(0)
        .says("the old log does not say how `ours` answers");
    place
        .seedproof(&["run", "--backend", "reference", "--events", "spec", EXAMPLE])
        .exits(0);
    assert!(!place.read("spec").contains("\"answers\":\""));
}

#[test]
fn report_of_several_queries_says_what_each_log_alone_would() {
    let place = Place::new();
    ours(&place, "a.toml", "has = [\"directml.RandomGenerator\"]");
    let run = |events: &str, status: i32, args: &[&str]| {
        let all = ["run", "--events", events];
        place.seedproof(&[&all[..], args].concat()).exits(status);
    };
    let dml = "dml/feature-level-4.0/random123-shape-rank1-*";
    let backend = ["--backend", "readings/a.toml"];
    run("1", 0, &[&backend[..], &[dml]].concat());
    run("2", 5, &[&backend[..], &[EXAMPLE]].concat());
    let says =
        format!("untested: nothing was asked of readings/ours in its log of cases that match {EXAMPLE}");
    for logs in [["1", "2"], ["2", "1"]] {
        place
            .seedproof(&[&["report", "--junit", "x.xml", "--json", "x.json"], &logs[..]].concat())
            .exits(5)
            .says(&says)
            .says("nothing was tested in 1 log: ")
            .complains(&says);
        assert!(place.read("x.xml").contains(&says));
        let json: serde_json::Value = serde_json::from_str(&place.read("x.json")).unwrap();
        assert_eq!(json["conforms"], false);
    }
    // A limit that one of them has makes another run of it.
    let reference = ["--backend", "reference"];
    run("1", 0, &[&reference[..], &[dml]].concat());
    for option in [["--repeat", "1"], ["--max-output", "9999999999"]] {
        run("2", 0, &[&reference[..], &option, &[EXAMPLE]].concat());
        place
            .seedproof(&["report", "1", "2"])
            .exits(3)
            .complains("join two logs: the options of reference is ``");
    }
    run("2", 0, &[&reference[..], &[EXAMPLE]].concat());
    place
        .seedproof(&["report", "1", "2"])
        .exits(0)
        .never_says("untested");
}

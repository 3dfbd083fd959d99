//! Odd arguments, places that cannot be written, and names that are nearly right.

use std::process::{Command, Stdio};

use crate::{EXAMPLE, PROGRAM, Place, ran, served};

const REFERENCE: [&str; 4] = ["run", "--backend", "reference", EXAMPLE];

#[test]
fn names_that_are_nearly_right_are_answered_with_the_right_one() {
    let place = Place::new();
    for (args, status, words) in [
        (&["lsit"][..], 5, "did you mean the command `list`?"),
        (&["new-adaptor"], 5, "did you mean the command `new-adapter`?"),
        (
            &["list", "ru8/tensorfow/*"],
            5,
            "did you mean `ru8/tensorflow/*`?",
        ),
        (&["list", "dtype:float16"], 5, "did you mean `dtype:f16`?"),
        (
            &["list", "op:ru8+aligment:TENSORFLOW"],
            2,
            "did you mean `alignment`?",
        ),
        (&["run", "--backend", "referense"], 2, "did you mean `reference`?"),
        (
            &["run", "--backend", "cpu/sclar"],
            2,
            "did you mean `cpu/scalar`?",
        ),
        (
            &["run", "--reading", "opnvino-core-2026.4"],
            2,
            "did you mean `openvino-core-2026.4`?",
        ),
        (
            &["serve", "--reading", "torch-2.21"],
            2,
            "did you mean `torch-2.12`?",
        ),
        (
            &["run", "--corpus", "few", "list"],
            5,
            "put the command `list` before the options",
        ),
        (&["run", "--jobs", "0", EXAMPLE], 2, "expected a number from 1 on"),
        (
            &["run", "--repeat", "4000000000", EXAMPLE],
            2,
            "4000000000 is not in 0..=1000000",
        ),
    ] {
        place.corpus("few", crate::corpus::TWO);
        place.seedproof(args).exits(status).complains(words);
    }
    // One query of several that selects nothing, too.
    place
        .seedproof(&["list", EXAMPLE, "ru8/tensorfow/*"])
        .exits(0)
        .complains("the query `ru8/tensorfow/*` selects no case; did you mean `ru8/tensorflow/*`?");
    // Whoever reads the documents alone is told so as well.
    let ran = place.seedproof(&["run", "--backend", "reference", EXAMPLE, "ru8/tensorfow/*"]);
    ran.exits(0)
        .says("the query `ru8/tensorfow/*`: selects no case; did you mean `ru8/tensorflow/*`?");
    assert!(place.read("reports/out/summary.md").contains("ru8/tensorfow"));
}

#[test]
fn queries_join_terms() {
    let place = Place::new();
    let count = |queries: &[&str]| {
        let ran = place.seedproof(&[&["list"], queries].concat()).exits(0);
        assert_eq!(ran.err, "");
        ran.out.lines().count()
    };
    let (f16, tensorflow) = (
        count(&["op:ru8+dtype:f16"]),
        count(&["op:ru8+alignment:TENSORFLOW"]),
    );
    let both = count(&["op:ru8+dtype:f16+alignment:TENSORFLOW"]);
    assert_eq!(
        count(&["op:ru8+dtype:f16", "op:ru8+alignment:TENSORFLOW"]),
        f16 + tensorflow - both
    );
    assert_eq!(count(&["op:ru8+dtype:f16+!alignment:TENSORFLOW"]), f16 - both);
    assert_eq!(count(&["op:ru8+dtype:f16", "!alignment:TENSORFLOW"]), f16 - both);
    assert_eq!(
        count(&["op:ru8+dtype:f16", "!dtype:f16+alignment:TENSORFLOW"]),
        f16 - both
    );
}

#[test]
fn queries_after_the_dashes_are_noticed() {
    let place = Place::new();
    let args = [
        "run",
        EXAMPLE,
        "--",
        PROGRAM,
        "serve",
        "--backend",
        "reference",
        "ru8/tensorflow/*",
    ];
    place.seedproof(&args).exits(3).complains(
        "`ru8/tensorflow/*` comes after `--` and is passed to the adapter; queries come before `--`",
    );
    // A pattern that an adapter takes looks like a query of every case, and is none.
    let pattern = ["run", EXAMPLE, "--", PROGRAM, "serve", "--backend", "*"];
    let ran = place.seedproof(&pattern).exits(3);
    assert!(!ran.err.contains("comes after `--`"), "{}", ran.err);
    // A name with a slash selects no case.
    for backend in ["reference", "readings/spec"] {
        let good = ["run", EXAMPLE, "--", PROGRAM, "serve", "--backend", backend];
        assert_eq!(place.seedproof(&good).exits(0).err, "");
    }
}

#[test]
fn jobs_are_no_more_than_cases() {
    for jobs in ["18446744073709551615", "100000"] {
        Place::new()
            .seedproof(&["run", "--jobs", jobs, "--adapter", &served(""), "*spec-example*"])
            .exits(0);
    }
}

#[cfg(unix)]
#[test]
fn arguments_need_be_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    let folder = OsStr::from_bytes(b"o-\xff");
    let mut command = place.command(&REFERENCE);
    ran(command.arg("--out").arg(folder), b"").exits(0);
    let report = std::fs::read_to_string(place.path().join(folder).join("report.json")).unwrap();
    assert!(report.contains(r"--out $'o-\\xff'"), "{report:.400}");
    // An adapter's arguments, which no line can repeat.
    let mut command = place.command(&["run", EXAMPLE, "--", PROGRAM, "serve"]);
    ran(command.arg(folder), b"")
        .exits(3)
        .complains("before its hello line");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_on_standard_output_is_no_success() {
    let place = Place::new();
    for args in [
        &["list"][..],
        &["errata", "--markdown"],
        &["completions", "bash"],
        &REFERENCE,
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = place.command(args);
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}: {err}");
        assert!(err.contains("failed to write to standard output"), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn limit_of_a_file_is_an_error_that_names_it() {
    let place = Place::new();
    // In units of 512 bytes: less than the header of a log, and less than a page.
    for (blocks, arguments, named) in [
        (
            1,
            "run --backend reference --out out --events log.jsonl",
            "write log.jsonl",
        ),
        (64, "run --backend reference --out out", "write out/index.html"),
    ] {
        let limited = format!(
            "ulimit -f {blocks}; exec '{}' {arguments} {EXAMPLE}",
            env!("CARGO_BIN_EXE_seedproof")
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &limited]).current_dir(place.path());
        let run = ran(&mut shell, b"").exits(3);
        run.complains(&format!("failed to {named}"))
            .complains("File too large");
    }
}

#[test]
fn folder_that_cannot_be_written_is_noticed_before_the_run() {
    let place = Place::new();
    place.write("file", "");
    let args = [
        REFERENCE.as_slice(),
        &["--out", "file/out", "--events", "events.jsonl"],
    ]
    .concat();
    place
        .seedproof(&args)
        .exits(3)
        .complains("failed to write file/out");
    assert!(!place.file("events.jsonl").exists(), "nothing was judged");
}

#[test]
fn documents_go_to_standard_output() {
    let place = Place::new();
    let args = [REFERENCE.as_slice(), &["--events", "events.jsonl"]].concat();
    place.seedproof(&args).exits(0);
    for (option, begins) in [
        ("--markdown", "# Seedproof"),
        ("--json", "{"),
        ("--junit", "<?xml"),
        ("-o", "<!doctype"),
    ] {
        let ran = place
            .seedproof(&["report", "events.jsonl", option, "-"])
            .exits(0)
            .complains("all conform");
        assert!(
            ran.out.to_lowercase().starts_with(&begins.to_lowercase()),
            "{option}: {:.60}",
            ran.out
        );
        assert!(
            !ran.out.contains("all conform: 1"),
            "{option}: the summary is elsewhere"
        );
        assert!(!place.file("-").exists());
    }
}

/// What the program prints first is its own: no complaint of a driver about a window system.
#[cfg(target_os = "linux")]
#[test]
fn drivers_do_not_complain_of_a_missing_window_system() {
    let place = Place::new();
    let mut command = place.command(&["backends"]);
    assert_eq!(ran(command.env_remove("XDG_RUNTIME_DIR"), b"").exits(0).err, "");
}

#[test]
fn columns_hold_for_long_names() {
    let ran = Place::new().seedproof(&["backends"]).exits(0);
    let column = |line: &str| {
        line.find("  ")
            .map(|end| end + line[end..].len() - line[end..].trim_start().len())
    };
    let columns: std::collections::BTreeSet<_> = ran.out.lines().filter_map(column).collect();
    assert_eq!(columns.len(), 1, "{}", ran.out);
}

#[test]
fn help_is_as_wide_as_the_terminal_and_breaks_no_query() {
    let place = Place::new();
    for (columns, widest) in [("60", 60), ("100", 100), ("160", 160)] {
        let mut command = place.command(&["run", "--help"]);
        let help = ran(command.env("COLUMNS", columns), b"").exits(0).out;
        let width = help.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(
            width <= widest && width > widest - 25,
            "{columns} columns: {width}"
        );
    }
    for columns in ["80", "100", "160"] {
        let mut command = place.command(&["--help"]);
        let help = ran(command.env("COLUMNS", columns), b"").exits(0).out;
        let examples = help
            .lines()
            .filter(|line| line.starts_with("  ") && line.contains("   "))
            .count();
        assert!(
            help.contains("op:ru8+!dtype:f16           `!` after a `+` negates the term\n"),
            "{examples}: {help}"
        );
        let short = help
            .lines()
            .filter(|line| line.ends_with(',') && line.len() < 60)
            .count();
        assert_eq!(short, 0, "{columns} columns break a sentence early:\n{help}");
    }
}

#[test]
fn show_is_as_wide_as_the_terminal_and_says_what_a_document_prints() {
    let place = Place::new();
    let shown = |columns: &str| {
        let mut command = place.command(&["show", EXAMPLE]);
        let text = ran(command.env("COLUMNS", columns), b"").exits(0).out;
        let facts = text.split("\n\n").next().unwrap().to_owned();
        assert!(facts.contains("\n  clause  "), "{facts}");
        facts
    };
    let whole = shown("");
    for columns in [60, 100] {
        let facts = shown(&columns.to_string());
        let width = facts
            .lines()
            .skip(2)
            .map(|line| line.chars().count())
            .max()
            .unwrap();
        assert!(width <= columns, "{columns} columns: {facts}");
        assert!(facts.split_whitespace().eq(whole.split_whitespace()), "{facts}");
    }
    assert!(whole.contains("\n  documented  0."), "{whole}");
    assert!(whole.contains("(the expected bits are these numbers)"), "{whole}");
}

/// A program on a terminal of its own.
#[cfg(target_os = "linux")]
#[test]
fn terminal_says_that_failures_are_diagnosed() {
    if !crate::adapters::has_python() {
        return;
    }
    let place = Place::new();
    let script = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    let mut python = Command::new("python3");
    python.args([
        "-c",
        script,
        PROGRAM,
        "run",
        "--backend",
        "readings/openvino-cpu-2026.4",
    ]);
    python
        .arg("ru8/tensorflow/f32/range-*")
        .current_dir(place.path())
        .env("TERM", "xterm");
    ran(&mut python, b"").exits(1).says("diagnosing ░");
}

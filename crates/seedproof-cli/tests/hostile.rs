//! Over a hundred adapters that are hostile, one for each mode of this program: `hostile adapter MODE`.
//!
//! Each mode has the outcome that each of its cases must have. All of them together run within [`KILOBYTES`] and [`SECONDS`], leave
//! no process behind, and no text of theirs acts in what is printed or written.
#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")
)]

mod hostile {
    pub(crate) mod adapter;
    pub(crate) mod modes;
    pub(crate) mod texts;
}

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hostile::modes::{HELLOS, Mode, modes};
use libtest_mimic::{Arguments, Failed, Trial};
use seedproof_wire::{AdapterBackend, AdapterCommand, Options};
use serde_json::Value;

/// The most memory of a run, whatever an adapter writes.
const KILOBYTES: u64 = 200 << 10;
/// The most time of a run of some dozen modes. Alone each takes a second at most, and a deadline that it waits for.
const SECONDS: u64 = 300;
/// What a hostile adapter may make of a document.
const DOCUMENT: u64 = 64 << 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, mode, ..] = words.as_slice()
        && first == "adapter"
    {
        hostile::adapter::run(mode);
        return ExitCode::SUCCESS;
    }
    let mut trials = vec![
        Trial::test("modes_are_a_hundred_and_differ", modes_differ),
        Trial::test("hellos_have_their_answers", hellos),
        Trial::test("long_texts_for_every_case_stay_within_memory", || {
            everywhere(hostile::adapter::EVERYWHERE, "error")
        }),
        Trial::test("wrong_answers_to_every_case_stay_within_memory", || {
            everywhere(hostile::adapter::WRONG, "fail")
        })
        // It takes a minute, most of it the oracle's in the adapter; the nightly workflow runs it.
        .with_ignored_flag(true),
    ];
    // Several runs of some modes each, which the runner spreads over processors.
    for (part, modes) in modes().chunks(24).enumerate() {
        let modes = modes.to_vec();
        trials.push(Trial::test(
            format!("modes_have_their_outcomes_{part}"),
            move || outcomes(&modes),
        ));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn modes_differ() -> Result<(), Failed> {
    let modes = modes();
    let names: BTreeSet<&str> = modes.iter().map(|mode| mode.name.as_str()).collect();
    if names.len() != modes.len() || modes.len() + HELLOS.len() < 100 {
        return Err(format!(
            "{} names of {} modes, and {} hellos",
            names.len(),
            modes.len(),
            HELLOS.len()
        )
        .into());
    }
    Ok(())
}

/// The command line of a mode.
fn command(mode: &str) -> Vec<String> {
    let own = std::env::current_exe().unwrap();
    vec![
        own.to_str().unwrap().to_owned(),
        "adapter".to_owned(),
        mode.to_owned(),
    ]
}

/// Every line that an adapter may begin with, and whether it is taken.
fn hellos() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (index, (_, is_taken)) in HELLOS.iter().enumerate() {
        let words = command(&format!("hello-{index}"));

        let options = Options {
            handshake: Duration::from_secs(20),
            ..Options::default()
        };
        let started = AdapterBackend::start(AdapterCommand::new(words).unwrap(), options);
        if started.is_ok() != *is_taken {
            wrong.push(format!(
                "hello-{index}: {:?}",
                started.err().map(|error| error.to_string())
            ));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}

/// A run of the program: its exit status, and the text of both its streams.
fn run(folder: &Path, arguments: &[String]) -> Result<(i32, String), Failed> {
    let printed = folder.join("printed");
    let file = File::create(&printed).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_seedproof"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .spawn()
        .unwrap();
    let started = Instant::now();
    let mut peak = 0;
    let status = loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let high = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let high: Option<u64> = high.and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(high.unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > Duration::from_secs(SECONDS) || peak > KILOBYTES {
            child.kill().unwrap();
        }
        sleep(Duration::from_millis(2));
    };
    let text = std::fs::read_to_string(&printed).unwrap();
    if started.elapsed() > Duration::from_secs(SECONDS) || peak > KILOBYTES {
        return Err(format!("{:?} and {peak} kB", started.elapsed()).into());
    }
    Ok((status.code().unwrap_or(-1), text))
}

/// What is kept of each case stays within the memory of a run together too, all documents included.
fn everywhere(mode: &str, outcome: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = [
        "run",
        "--out",
        "out",
        "--events",
        "log.jsonl",
        "--jobs",
        "2",
        "--",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.extend(command(mode));
    let (status, text) = run(folder.path(), &arguments)?;
    let log = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let found = log.matches(&format!("\"outcome\":\"{outcome}\"")).count();
    if status != 1 || found < 10_000 {
        return Err(format!("exit status {status}, {found} of {outcome}\n{text}").into());
    }
    Ok(())
}

fn outcomes(modes: &[Mode]) -> Result<(), Failed> {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments: Vec<String> = [
        "run",
        "--out",
        "out",
        "--events",
        "log.jsonl",
        "--deadline",
        "4000",
        "ru8/tensorflow/f32/spec-*",
        "dml/feature-level-4.0/random123-shape-rank1-24",
    ]
    .map(str::to_owned)
    .to_vec();
    for mode in modes {
        let line = command(&mode.name).join(" ");
        arguments.extend(["--adapter".to_owned(), line]);
    }
    let (status, text) = run(folder.path(), &arguments)?;
    let log = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap_or_default();
    let mut wrong = Vec::new();
    if status != 1 {
        wrong.push(format!("exit status {status}"));
    }
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).map_err(|error| format!("{error} in the log"))?;
        if event["event"] == "finding" {
            let name = event["backend"]
                .as_str()
                .unwrap()
                .trim_start_matches("adapter/")
                .to_owned();
            found
                .entry(name)
                .or_default()
                .insert(event["outcome"].as_str().unwrap().to_owned());
        }
    }
    for mode in modes {
        let outcomes = found.remove(&mode.name).unwrap_or_default();
        if outcomes
            .iter()
            .map(String::as_str)
            .ne(mode.outcomes.iter().copied())
        {
            wrong.push(format!(
                "{}: {outcomes:?}, expected {:?}",
                mode.name, mode.outcomes
            ));
        }
    }
    wrong.extend(is_tame(&text, folder.path()));
    wrong.extend(left_behind());
    if wrong.is_empty() {
        Ok(())
    } else {
        let end = text.char_indices().nth(2_000).map_or(text.len(), |(at, _)| at);
        Err(format!("{}\n---\n{}", wrong.join("\n"), &text[..end]).into())
    }
}

/// What acts in a terminal, in a CI system's log or in a browser, and stands in the text or in a document.
fn is_tame(printed: &str, folder: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in printed.lines() {
        let is_command =
            line.trim_start().starts_with("::") || line.contains("##[") || line.contains("##vso[");
        if is_command
            || line
                .chars()
                .any(|c| c.is_control() && c != '\t' || c == '\u{202e}')
        {
            wrong.push(format!("printed: {line:?}"));
        }
    }
    for name in ["index.html", "junit.xml", "report.json", "summary.md"] {
        let path = folder.join("out").join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            wrong.push(format!("{name} is missing"));
            continue;
        };
        if u64::try_from(text.len()).unwrap() > DOCUMENT {
            wrong.push(format!("{name} has {} bytes", text.len()));
        }
        // JSON is data, and Markdown has these texts in blocks of code.
        let is_marked_up = name.ends_with("html") || name.ends_with("xml");
        if is_marked_up && (text.contains("<img src=x") || text.contains("<script>alert")) {
            wrong.push(format!("{name} has a tag of an adapter"));
        }
        if text.chars().any(|c| c < ' ' && !"\n\t".contains(c)) {
            wrong.push(format!("{name} has a control character"));
        }
    }
    wrong
}

/// The processes of this program's modes that have not ended: those that the modes start are marked by their argument.
fn left_behind() -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let mut left = Vec::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(&hostile::adapter::grandchild_mark()) {
                left.push(format!("left behind: {line}"));
            }
        }
        if left.is_empty() || Instant::now() > deadline {
            return left;
        }
        sleep(Duration::from_millis(50));
    }
}

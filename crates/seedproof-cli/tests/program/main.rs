//! The program as its users run it: command lines in, text and exit status out.
//!
//! Every test has a folder of its own, which the program runs in. Most take a part of the corpus, by a query or by
//! `--corpus`, so that all of them together stay fast.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod adapters;
mod auto;
#[cfg(target_os = "linux")]
mod bounded;
mod claims;
mod convert;
mod corpus;
mod documents;
mod drawing;
mod edges;
mod expecting;
mod exporting;
mod helping;
mod inspecting;
#[cfg(unix)]
mod interrupt;
mod libm;
mod numbers;
#[cfg(unix)]
mod pages;
mod random;
mod readme;
mod rerun;
mod running;
mod serving;
mod starters;
mod walks;
mod whois;
mod words;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_seedproof");

/// A case that the specification prints, of nine elements.
const EXAMPLE: &str = "ru8/tensorflow/f32/spec-example-1";

/// How a program ended and what it wrote.
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    /// Panics with all that was written unless the exit status is this one.
    #[track_caller]
    fn exits(self, status: i32) -> Self {
        assert_eq!(
            self.status,
            Some(status),
            "--- stdout\n{}\n--- stderr\n{}",
            self.out,
            self.err
        );
        self
    }

    /// Panics unless standard output has this text.
    #[track_caller]
    fn says(self, text: &str) -> Self {
        assert!(
            self.out.contains(text),
            "expected `{text}` in:\n{}\n--- stderr\n{}",
            self.out,
            self.err
        );
        self
    }

    /// Panics if standard output has this text.
    #[track_caller]
    fn never_says(self, text: &str) -> Self {
        assert!(!self.out.contains(text), "unexpected `{text}` in:\n{}", self.out);
        self
    }

    /// Panics unless standard error has this text.
    #[track_caller]
    fn complains(self, text: &str) -> Self {
        assert!(
            self.err.contains(text),
            "expected `{text}` in:\n{}\n--- stdout\n{}",
            self.err,
            self.out
        );
        self
    }
}

/// A folder that the program runs in.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    #[track_caller]
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    /// A corpus of one file in the folder `name`.
    fn corpus(&self, name: &str, yaml: &str) {
        self.write(&format!("{name}/cases.yaml"), yaml);
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(args).current_dir(self.path());
        for variable in [
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "RUST_BACKTRACE",
            "NEXTEST",
        ] {
            command.env_remove(variable);
        }
        command
    }

    fn seedproof(&self, args: &[&str]) -> Ran {
        ran(&mut self.command(args), b"")
    }

    fn seedproof_reading(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
        ran(&mut self.command(args), input.as_ref())
    }
}

/// Runs a program with this input, to its end.
fn ran(command: &mut Command, input: &[u8]) -> Ran {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|threads| {
        // A program may end without reading all of it.
        threads.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        status: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The program as an adapter: a command line for `--adapter`.
fn served(arguments: &str) -> String {
    format!("'{PROGRAM}' serve {arguments}")
}

//! `seedproof new-adapter`: what it writes builds, answers, and passes.

use std::process::Command;

use crate::{PROGRAM, Place, Ran};

/// Writes a starter and builds it; `None`, after a line that says so, where a tool is absent.
fn starter(place: &Place, language: &str, build: &[&str]) -> Option<()> {
    place
        .seedproof(&["new-adapter", language, "adapter"])
        .exits(0)
        .says("seedproof smoke --adapter");
    let [tool, args @ ..] = build else { return Some(()) };
    if Command::new(tool).arg("--version").output().is_err() {
        println!("not run: the {language} starter, as {tool} is absent");
        return None;
    }
    let built = Command::new(tool)
        .args(args)
        .current_dir(place.file("adapter"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{said}");
    assert!(!said.contains("warning"), "{said}");
    Some(())
}

/// Tries and judges the starter with the command line that `new-adapter` prints, in its folder.
fn passes(place: &Place, command: &str, queries: &[&str]) {
    let run = |args: &[&str]| -> Ran {
        let mut program = Command::new(PROGRAM);
        crate::ran(program.args(args).current_dir(place.file("adapter")), b"")
    };
    run(&["smoke", "--adapter", command])
        .exits(0)
        .says("all of it answers");
    run(&[&["run", "--adapter", command], queries].concat())
        .exits(0)
        .says("all conform: 1 implementation");
}

#[test]
fn starter_in_python_passes() {
    let place = Place::new();
    if crate::adapters::has_python() && starter(&place, "python", &[]).is_some() {
        // Half a million words take Python long: what carries, what is published and what is refused.
        let few = ["dml/*carry*", "dml/*kat*", "dml/*refused*"];
        passes(&place, "python3 adapter.py", &few);
    }
}

#[test]
fn starter_in_c_passes() {
    let place = Place::new();
    if starter(
        &place,
        "c",
        &[
            "cc",
            "-std=c11",
            "-O2",
            "-Wall",
            "-Wextra",
            "-o",
            "adapter",
            "adapter.c",
        ],
    )
    .is_some()
    {
        passes(&place, "./adapter", &["dml/*"]);
    }
}

#[test]
fn starter_in_cpp_passes() {
    let place = Place::new();
    let build = [
        "c++",
        "-std=c++17",
        "-O2",
        "-Wall",
        "-Wextra",
        "-o",
        "adapter",
        "adapter.cpp",
    ];
    if starter(&place, "cpp", &build).is_some() {
        passes(&place, "./adapter", &["dml/*"]);
    }
}

#[test]
fn starter_in_rust_passes() {
    let place = Place::new();
    starter(&place, "rust", &[]);
    let cargo = |offline: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--quiet", "--target-dir", "target"])
            .args(offline);
        command.current_dir(place.file("adapter")).output().unwrap()
    };
    // What this program is built of is at hand; the registry is asked only where it is not.
    let mut built = cargo(&["--offline"]);
    if !built.status.success() {
        built = cargo(&[]);
    }
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    if said.contains("download") || said.contains("registry") {
        println!("not run: the Rust starter, as serde_json is neither at hand nor to be had:\n{said}");
        return;
    }
    assert!(built.status.success(), "{said}");
    passes(&place, "target/debug/adapter", &["dml/*"]);
}

#[test]
fn starter_leaves_what_is_there() {
    let place = Place::new();
    place.write("full/file", "mine");
    place
        .seedproof(&["new-adapter", "c", "full"])
        .exits(2)
        .complains("full is there and not empty");
    assert_eq!(place.read("full/file"), "mine");
    place
        .seedproof(&["new-adapter", "cobol", "new"])
        .exits(2)
        .complains("python");
}

//! The walks in `docs/` for those who come for the first time, run as they are written.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{PROGRAM, Place};

/// Runs each line of a page's console blocks that begins with `$`, and looks for the lines below it in what it prints, in their order.
/// Returns how many commands there are.
fn walk(page: &str, folder: &Path) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(page)).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::iter::once(Path::new(PROGRAM).parent().unwrap().to_owned());
    let path = std::env::join_paths(programs.chain(std::env::split_paths(&path))).unwrap();
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let mut printed = String::new();
        let mut at = 0;
        for line in block.split("```").next().unwrap().lines() {
            let Some(command) = line.strip_prefix("$ ") else {
                let found = printed[at..].find(line);
                at += found.unwrap_or_else(|| panic!("{page}: `{line}` is not in\n{printed}"));
                continue;
            };
            let ran = Command::new("sh")
                .args(["-c", command])
                .current_dir(folder)
                .env("PATH", &path)
                .output()
                .unwrap();
            printed = String::from_utf8(ran.stdout).unwrap();
            at = 0;
            assert!(
                ran.status.code().is_some_and(|status| status < 2),
                "{page}: `{command}`: {printed}"
            );
            commands += 1;
        }
    }
    commands
}

#[cfg(unix)]
#[test]
fn walk_from_an_empty_folder_to_the_cause_of_a_bug() {
    let place = Place::new();
    assert!(walk("docs/first-kernel.md", place.path()) > 8);
}

#[cfg(unix)]
#[test]
fn walk_to_a_verdict_about_a_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert_eq!(walk("docs/first-model.md", &root), 3);
}

#[cfg(unix)]
#[test]
fn walk_through_the_open_points_of_the_onnx_drafts() {
    let place = Place::new();
    assert!(walk("docs/onnx-drafts.md", place.path()) > 15);
}

//! The line that a failure ends with, by a shell as it stands: the same case fails, and no other is asked.

use std::path::Path;
use std::process::Command;

use crate::{EXAMPLE, PROGRAM, Place, Ran, ran, served};

/// Runs the first rerun line of an output as its user's shell would.
#[track_caller]
fn rerun(place: &Place, first: &Ran) -> Ran {
    let line = first
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("rerun: "));
    let line = line.unwrap_or_else(|| panic!("no rerun line in\n{}", first.out));
    let folder = Path::new(PROGRAM).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(
        [folder.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&path)),
    );
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(place.path())
        .env("PATH", paths.unwrap());
    shell.env_remove("CLICOLOR_FORCE");
    ran(&mut shell, b"").exits(1).says("1 finding does not conform")
}

#[cfg(unix)]
#[test]
fn rerun_lines_survive_a_shell() {
    let reading = "readings/openvino-cpu-2026.4";
    let queries = ["ru8/tensorflow/f32/range-awk*", "ru8/tensorflow/f32/range-unit"];
    let place = Place::new();
    let by_name = place
        .seedproof(&[&["run", "--backend", reading], queries.as_slice()].concat())
        .exits(1);
    rerun(&place, &by_name);

    // A path and an argument with spaces, quotation marks and what a shell would expand.
    let odd = "an \"odd\" folder's $HOME/a dap;ter";
    place.write(odd, "");
    std::fs::remove_file(place.file(odd)).unwrap();
    std::os::unix::fs::symlink(PROGRAM, place.file(odd)).unwrap();
    let quoted = format!(
        "{} serve --reading openvino-cpu-2026.4",
        shlex::try_quote(&place.file(odd).display().to_string()).unwrap()
    );
    let by_line = ["run", "--deadline", "9000", "--adapter", &quoted];
    let first = place.seedproof(&[&by_line[..], &queries].concat());
    rerun(&place, &first.exits(1).says(" --deadline 9000 ru8/"));
    let relative = format!("./{odd}");
    let by_words = [
        &["run", "--deadline", "9000"],
        queries.as_slice(),
        &["--", &relative, "serve", "--reading", "openvino-cpu-2026.4"],
    ];
    let first = place.seedproof(&by_words.concat()).exits(1);
    assert!(first.out.contains("--deadline 9000"), "{}", first.out);
    rerun(&place, &first);

    let smoke = [
        "smoke",
        "--",
        &relative,
        "serve",
        "--reading",
        "openvino-cpu-2026.4",
    ];
    rerun(&place, &place.seedproof(&smoke).exits(1));
}

#[test]
fn rerun_of_another_reading_is_judged_against_it() {
    let place = Place::new();
    let adapter = served("");
    let first = place
        .seedproof(&[
            "run",
            "--reading",
            "openvino-cpu-2026.4",
            "--adapter",
            &adapter,
            "ru8/tensorflow/f32/range-awk*",
        ])
        .exits(1)
        .never_says("--deadline");
    rerun(&place, &first).says("--reading openvino-cpu-2026.4");
}

#[test]
fn command_of_a_run_keeps_its_quotes() {
    let place = Place::new();
    let adapter = served("");
    let args = ["run", "--adapter", &adapter, EXAMPLE];
    place.seedproof(&args).exits(0);
    let report: serde_json::Value = serde_json::from_str(&place.read("reports/out/report.json")).unwrap();
    let command = shlex::split(report["runs"][0]["command"].as_str().unwrap()).unwrap();
    assert_eq!(command[1..], args);
    assert!(
        place.read("reports/out/junit.xml").contains(" serve &#34;"),
        "quoted in JUnit"
    );
}

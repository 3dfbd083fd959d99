//! Runs that are interrupted leave no process, and a log that says why it ends.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::{EXAMPLE, PROGRAM, Place};

/// An adapter that introduces itself, starts a process, and never answers.
fn hangs(place: &Place) -> String {
    let script = format!(
        "sleep 1000 & echo $! > inner\nsetsid sh -c 'echo $$ > apart; exec sleep 1000' &\necho $$ > outer\n'{PROGRAM}' serve --reading spec | {{ head -n 1; sleep 1000; }}\n"
    );
    place.write("hangs.sh", script);
    "sh hangs.sh".to_owned()
}

fn is_alive(process: &str) -> bool {
    let status = Command::new("kill")
        .args(["-0", process.trim()])
        .stderr(Stdio::null())
        .status();
    status.unwrap().success()
}

/// Waits for a condition, for as long as a loaded machine may need.
fn wait_for(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..600 {
        if condition() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("{what}: not within half a minute");
}

/// The exit status of a run that hangs until it gets a signal. Nothing that its adapter started lives on.
fn interrupted(place: &Place, signal: &str) -> Option<i32> {
    let adapter = hangs(place);
    let run = [
        "run",
        "--adapter",
        &adapter,
        "--events",
        "log.jsonl",
        "--deadline",
        "600000",
        EXAMPLE,
    ];
    let mut child: Child = place
        .command(&run)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let log = || std::fs::read_to_string(place.file("log.jsonl")).unwrap_or_default();
    // The first lines are written when the adapter has introduced itself.
    wait_for("the log", || log().contains("\"event\":\"run\""));
    // In a session of its own, as a daemon is.
    wait_for("the process apart", || {
        place.file("apart").exists() && !place.read("apart").is_empty()
    });
    let processes = ["inner", "outer", "apart"].map(|name| place.read(name));
    assert!(processes.iter().all(|process| is_alive(process)));
    let kill = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let status = child.wait().unwrap().code();
    wait_for("the adapter's end, and that of what it started", || {
        !processes.iter().any(|process| is_alive(process))
    });
    status
}

#[test]
fn interrupt_ends_the_adapter_and_closes_the_log() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let place = Place::new();
        assert_eq!(interrupted(&place, signal), Some(status));
        let last = place.read("log.jsonl");
        assert!(
            last.trim_end()
                .lines()
                .last()
                .unwrap()
                .contains(&format!("interrupted by SIG{signal}")),
            "{last}"
        );
        place
            .seedproof(&["report", "log.jsonl", "--markdown", "-"])
            .exits(3)
            .says("cut short")
            .says(&format!("interrupted by SIG{signal}"));
    }
}

#[test]
fn kill_ends_the_adapter_too() {
    assert_eq!(interrupted(&Place::new(), "KILL"), None);
}

#[test]
fn logs_are_written_by_one_run_at_a_time() {
    let place = Place::new();
    let log = std::fs::File::create(place.file("log.jsonl")).unwrap();
    log.lock().unwrap();
    let run = ["run", "--backend", "reference", "--events", "log.jsonl", EXAMPLE];
    place
        .seedproof(&run)
        .exits(3)
        .complains("failed to write log.jsonl: another run writes to it");
    drop(log);
    place.seedproof(&run).exits(0);
}

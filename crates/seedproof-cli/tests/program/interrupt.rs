//! Runs that are interrupted leave no process, and a log that says why it ends.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::{EXAMPLE, PROGRAM, Place, served};

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

/// All signals are heard, whatever signals these tests were started to ignore.
const HEARS_ALL: &str = "--default-signal=INT,TERM,HUP";

/// A variable that tells the processes of a run from others.
#[cfg(target_os = "linux")]
const MARK: &str = "SEEDPROOF_TEST_INTERRUPTED";

/// The program with the signals that an option of `env` gives it. On systems whose `env` has no such option it hears those
/// that these tests hear.
fn with_signals(place: &Place, signals: &str, arguments: &[&str]) -> Command {
    let words = if cfg!(target_os = "linux") {
        &["env", signals, PROGRAM][..]
    } else {
        &[PROGRAM]
    };
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
        .args(arguments)
        .current_dir(place.path());
    command
}

/// Starts a command that prints nothing here.
fn started(command: &mut Command) -> Child {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A run that hangs until it gets a signal, and the processes of its adapter.
struct Hanging {
    child: Child,
    processes: [String; 3],
}

impl Hanging {
    /// Returns when the adapter has introduced itself and has started what it starts.
    fn start(place: &Place, signals: &str) -> Self {
        let adapter = hangs(place);
        place.corpus("few", crate::corpus::TWO);
        let run = [
            "run",
            "--corpus",
            "few",
            "--adapter",
            &adapter,
            "--events",
            "log.jsonl",
            "--deadline",
            "600000",
        ];
        let child = started(&mut with_signals(place, signals, &run));
        let log = || std::fs::read_to_string(place.file("log.jsonl")).unwrap_or_default();
        // The first lines are written when the adapter has introduced itself.
        wait_for("the log", || log().contains("\"event\":\"run\""));
        // In a session of its own, as a daemon is.
        wait_for("the process apart", || {
            place.file("apart").exists() && !place.read("apart").is_empty()
        });
        let processes = ["inner", "outer", "apart"].map(|name| place.read(name));
        assert!(processes.iter().all(|process| is_alive(process)));
        Self { child, processes }
    }

    /// The exit status after a signal. Nothing that the adapter started lives on.
    fn ended_by(mut self, signal: &str) -> Option<i32> {
        self::signal(&self.child, signal);
        let status = self.child.wait().unwrap().code();
        wait_for("the adapter's end, and that of what it started", || {
            !self.processes.iter().any(|process| is_alive(process))
        });
        status
    }
}

#[test]
fn interrupt_ends_the_adapter_and_closes_the_log() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let place = Place::new();
        assert_eq!(Hanging::start(&place, HEARS_ALL).ended_by(signal), Some(status));
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

/// Three mistakes together, which the search does not find at once.
const WRONG: &str = r#"[[reading]]
name = "wrong"
observed = "nowhere"
base = "spec"
answers = { "philox.rounds" = "9", "stream.layout" = "lane by lane (lanes = 12)", "tensorflow.scale.formula" = "fused" }
"#;

/// The search for causes takes seconds, in which every finding is known already.
#[test]
fn interrupt_while_diagnosing_leaves_the_page_of_what_is_known() {
    let place = Place::new();
    place.write("wrong.toml", WRONG);
    let adapter = served("--reading wrong.toml");
    let run = [
        "run",
        "--adapter",
        &adapter,
        "--events",
        "log.jsonl",
        "--out",
        "out",
        "ru8/tensorflow/f32/*",
    ];
    let mut child = started(&mut with_signals(&place, HEARS_ALL, &run));
    wait_for("the last finding", || {
        let log = std::fs::read_to_string(place.file("log.jsonl")).unwrap_or_default();
        let selected = log
            .split("\"selected\":")
            .nth(1)
            .and_then(|rest| rest.split(',').next());
        let findings = log.matches("\"event\":\"finding\"").count();
        selected.is_some_and(|selected| selected.parse() == Ok(findings))
    });
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let page = place.read("out/index.html");
    assert!(page.contains("interrupted by SIGINT while diagnosing"), "{page}");
    assert!(place.read("out/report.json").contains("\"fail\""));
    place
        .seedproof(&["report", "log.jsonl", "--markdown", "-"])
        .exits(1)
        .says("interrupted by SIGINT while diagnosing");
}

/// As `nohup` and the `&` of a script start it.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_were_ignored_stay_ignored() {
    let place = Place::new();
    let mut run = Hanging::start(&place, "--ignore-signal=INT,HUP");
    for name in ["INT", "HUP"] {
        signal(&run.child, name);
        sleep(Duration::from_millis(200));
        assert_eq!(run.child.try_wait().unwrap(), None, "SIG{name}");
    }
    assert_eq!(run.ended_by("TERM"), Some(143));
    let log = place.read("log.jsonl");
    assert!(
        log.contains("interrupted by SIGTERM") && !log.contains("SIGINT"),
        "{log}"
    );
}

#[test]
fn kill_ends_the_adapter_too() {
    let place = Place::new();
    assert_eq!(Hanging::start(&place, HEARS_ALL).ended_by("KILL"), None);
}

/// The first thing that these adapters do is to signal the program, which has only just started them. They would live on.
#[cfg(target_os = "linux")]
#[test]
fn signals_while_the_adapter_starts_end_it_too() {
    let place = Place::new();
    // A large corpus would take most of the time of 40 starts.
    place.corpus("few", crate::corpus::TWO);
    let mark = format!("{}-starts", std::process::id());
    for (signal, status) in [("INT", Some(130)), ("KILL", None)] {
        let adapter = format!("sh -c 'kill -s {signal} $PPID; sleep 1000'");
        let run = ["run", "--corpus", "few", "--adapter", &adapter];
        for _ in 0..20 {
            let mut child = started(with_signals(&place, HEARS_ALL, &run).env(MARK, &mark));
            assert_eq!(child.wait().unwrap().code(), status, "SIG{signal}");
        }
    }
    wait_for("the end of all processes", || {
        marked(&format!("{MARK}={mark}")).is_empty()
    });
}

/// A log that takes no line, not even the one that says why it ends, keeps an interrupted run alive until the next
/// interrupt.
#[cfg(target_os = "linux")]
#[test]
fn second_interrupt_ends_at_once() {
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::OpenOptionsExt as _;

    const O_NONBLOCK: i32 = 0o4000;

    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.file("log")).status();
    assert!(made.unwrap().success());
    let mut both = std::fs::File::options();
    both.read(true).write(true).custom_flags(O_NONBLOCK);
    let mut pipe = both.open(place.file("log")).unwrap();
    // Its log is longer than what a pipe holds.
    let run = ["run", "--backend", "reference", "--events", "log", "ru8/*"];
    let mut child = started(&mut with_signals(&place, HEARS_ALL, &run));
    wait_for("the first line of the log", || {
        (&pipe).read(&mut [0; 1024]).is_ok_and(|count| count > 0)
    });
    while pipe.write(b"\n").is_ok() {}
    signal(&child, "INT");
    sleep(Duration::from_millis(500));
    assert_eq!(
        child.try_wait().unwrap(),
        None,
        "the first interrupt waits for the log"
    );
    signal(&child, "INT");
    let ended = (0..600).find_map(|_| {
        sleep(Duration::from_millis(50));
        child.try_wait().unwrap()
    });
    let _ = child.kill();
    assert_eq!(ended.and_then(|it| it.code()), Some(130));
}

fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
}

/// The next number of a generator that needs to be no good one.
#[cfg(target_os = "linux")]
fn next(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 33) % bound
}

/// Runs that are interrupted at a moment by chance, while their adapter starts, answers or hangs, or while documents are
/// written: each leaves no process, all documents or none, and a log that can be read.
#[cfg(target_os = "linux")]
fn interrupt_at_random(times: u64) {
    // In a dev build a run of these takes about a second.
    const LATEST: u64 = 1_500;
    let mut state = 1;
    let mut marks = Vec::new();
    for time in 0..times {
        let place = Place::new();
        // Some answer everything; the others hang after some lines.
        let answered = next(&mut state, 60);
        place.write(
            "hangs.sh",
            format!("sleep 1000 & '{PROGRAM}' serve --reading spec | {{ head -n {answered}; sleep 1000; }}"),
        );
        let adapter = if answered < 40 { "sh hangs.sh" } else { &served("") };
        let run = [
            "run",
            "--adapter",
            adapter,
            "--events",
            "log.jsonl",
            "--out",
            "out",
            "--deadline",
            "600000",
            "ru8/tensorflow/f32/s*",
        ];
        let mark = format!("{}-{time}", std::process::id());
        let mut child = started(with_signals(&place, HEARS_ALL, &run).env(MARK, &mark));
        sleep(Duration::from_millis(next(&mut state, LATEST)));
        signal(&child, ["INT", "TERM", "HUP"][usize::try_from(time % 3).unwrap()]);
        let status = child.wait().unwrap();
        let context = format!("run {time}, {answered} lines, {status}");
        assert_documents_are_whole(&place, &context);
        assert_log_is_read(&place, &context);
        marks.push((context, mark));
    }
    // What ends an adapter's processes looks for them for five seconds, which would be most of the time of each run.
    for (context, mark) in marks {
        wait_for(&format!("{context}: the end of all processes"), || {
            marked(&format!("{MARK}={mark}")).is_empty()
        });
    }
}

/// The processes that have a variable in their environment.
#[cfg(target_os = "linux")]
fn marked(variable: &str) -> Vec<String> {
    let has_it = |process: &String| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment
            .split(|&byte| byte == 0)
            .any(|one| one == variable.as_bytes())
    };
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(has_it)
        .collect()
}

#[cfg(target_os = "linux")]
fn assert_documents_are_whole(place: &Place, context: &str) {
    let Ok(folder) = std::fs::read_dir(place.file("out")) else {
        return;
    };
    let mut names: Vec<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    if names.is_empty() {
        return;
    }
    assert_eq!(
        names,
        ["index.html", "junit.xml", "report.json", "summary.md"],
        "{context}"
    );
    let ends = |name: &str, end: &str| {
        let text = place.read(&format!("out/{name}"));
        assert!(text.trim_end().ends_with(end), "{context}: {name}");
    };
    ends("index.html", "</html>");
    ends("junit.xml", "</testsuites>");
    ends("report.json", "}");
}

#[cfg(target_os = "linux")]
fn assert_log_is_read(place: &Place, context: &str) {
    if !place.file("log.jsonl").exists() {
        return;
    }
    let log = place.read("log.jsonl");
    let ran = place.seedproof(&["report", "log.jsonl", "--markdown", "-"]);
    let whole = log.contains("\"event\":\"end\"");
    let expected = if whole { 0 } else { 3 };
    assert_eq!(ran.status, Some(expected), "{context}\n{}\n{log:.2000}", ran.err);
    assert!(whole || ran.out.contains("cut short"), "{context}\n{}", ran.out);
}

#[cfg(target_os = "linux")]
#[test]
fn interrupts_at_any_moment_leave_nothing_behind() {
    interrupt_at_random(10);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: 200 runs that are interrupted"]
fn interrupts_at_two_hundred_moments_leave_nothing_behind() {
    interrupt_at_random(200);
}

/// A run that cannot print its failures is interrupted between the end of its log and that of the program.
#[cfg(target_os = "linux")]
#[test]
fn interrupts_after_the_end_of_a_log_leave_it_whole() {
    use std::io::Read as _;

    let place = Place::new();
    let mut child = Command::new("sh")
        // A pipe holds 64 KiB, so that the program waits with the first line that it prints.
        .args([
            "-c",
            "head -c 65536 /dev/zero; exec \"$@\"",
            "sh",
            "env",
            HEARS_ALL,
            PROGRAM,
        ])
        .args(["run", "--backend", "reference", "--events", "log.jsonl", EXAMPLE])
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = || std::fs::read_to_string(place.file("log.jsonl")).unwrap_or_default();
    wait_for("the end of the log", || log().contains("\"event\":\"end\""));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.ends_with("seedproof: interrupted by SIGINT\n"), "{err}");
    assert_log_is_read(&place, "after its end");
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

//! Adapters that misbehave: each gets its own outcome, and the cases around it come to no harm.

use std::time::{Duration, Instant};

use crate::common::{ask, misbehaving, options, start};
use crate::requests::uniform;
use crate::toy::Toy;
use seedproof_ops::{Answer, Backend, Failure, Fault, FaultKind, Support, Value};
use seedproof_wire::{AdapterBackend, Options, StartError};

/// Asks for a good case, the bad one, and another good one. Gives the answer to the bad one.
fn between_good_cases(adapter: &AdapterBackend) -> Answer {
    let good = Toy::new().run(&uniform(7)).map(Value::Full);
    assert_eq!(ask(adapter, "good/1", &uniform(7)).result, good);
    let bad = ask(adapter, "bad", &uniform(7));
    assert_eq!(ask(adapter, "good/2", &uniform(7)).result, good);
    bad
}

fn fault(answer: Answer) -> Fault {
    match answer.result {
        Err(Failure::Broken(fault)) => fault,
        other => panic!("no fault was found: {other:?}"),
    }
}

/// The fault of a mode, of which the message has all these words, and the number of restarts after it.
#[track_caller]
fn assert_fault(args: &[&str], kind: FaultKind, words: &[&str], restarts: u32) {
    let hangs = kind == FaultKind::Timeout;
    let deadline = if hangs {
        Duration::from_millis(400)
    } else {
        options().deadline
    };
    let options = Options {
        deadline,
        ..options()
    };
    let adapter = AdapterBackend::start(misbehaving(args), options).unwrap();
    let fault = fault(between_good_cases(&adapter));
    assert_eq!(fault.kind, kind, "{}", fault.message);
    for word in words {
        assert!(
            fault.message.contains(word),
            "{word:?} is not in {:?}",
            fault.message
        );
    }
    assert_eq!(adapter.restarts(), restarts);
}

const STDOUT: &str = "does the program print to stdout?";

#[test]
fn adapter_that_prints_breaks_the_protocol() {
    assert_fault(&["prints"], FaultKind::Protocol, &[r#""step 1 done""#, STDOUT], 1);
    assert_fault(
        &["prints", "frames"],
        FaultKind::Protocol,
        &[r#""step 1 done\n"#, STDOUT],
        1,
    );
    assert_fault(
        &["prints-after"],
        FaultKind::Protocol,
        &[r#""done\n" after the reply"#, STDOUT],
        1,
    );
}

#[test]
fn adapter_that_prints_first_does_not_start() {
    let Err(error @ StartError::Protocol { .. }) = start(&["prints-first"]) else {
        panic!("it started");
    };
    let message = error.to_string();
    assert!(
        message.contains(r#""loading the model"#) && message.contains(STDOUT),
        "{message}"
    );
}

#[test]
fn adapter_that_dies_first_does_not_start() {
    let Err(error @ StartError::Ended { .. }) = start(&["dies-first"]) else {
        panic!("it started");
    };
    let message = error.to_string();
    assert!(
        message.contains("3)") && message.contains("no such device"),
        "{message}"
    );
}

#[test]
fn adapter_that_is_silent_does_not_start() {
    let options = Options {
        handshake: Duration::from_millis(200),
        ..options()
    };
    let result = AdapterBackend::start(misbehaving(&["silent"]), options);
    assert!(matches!(result, Err(StartError::Late { .. })));
}

#[test]
fn adapter_that_claims_too_much_is_found_out() {
    let adapter = start(&["claims"]).unwrap();
    assert_eq!(adapter.supports(&uniform(7)), Support::Supported);
    let Err(Failure::Unsupported(reason)) = between_good_cases(&adapter).result else {
        panic!("it answered");
    };
    assert_eq!(reason, "f32 (x/1)");
    assert_eq!(adapter.restarts(), 0, "an answer is no reason to start again");
}

#[test]
fn adapter_that_fails_is_heard() {
    let adapter = start(&["fails"]).unwrap();
    let answer = between_good_cases(&adapter);
    assert_eq!(answer.stderr, "what the trace is about\nat f");
    let fault = fault(answer);
    assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Error, "no"));
    assert_eq!(adapter.restarts(), 0);
}

#[test]
fn adapter_with_wrong_lengths_breaks_the_protocol() {
    assert_fault(&["short"], FaultKind::Protocol, &["takes 28 bytes, not 27"], 1);
    assert_fault(
        &["odd"],
        FaultKind::Protocol,
        &["55 digits are not whole bytes"],
        1,
    );
    assert_fault(
        &["other-shape"],
        FaultKind::Protocol,
        &["takes 32 bytes, not 28"],
        1,
    );
    assert_fault(&["lies"], FaultKind::Protocol, &["begins with \"{", STDOUT], 1);
}

#[test]
fn adapter_with_another_shape_has_answered() {
    let adapter = start(&["wrong-shape"]).unwrap();
    let Ok(Value::Full(response)) = between_good_cases(&adapter).result else {
        panic!("it answered in full");
    };
    assert_eq!(
        response.output.shape().dims(),
        [1, 7],
        "to judge it is not for the wire"
    );
}

#[test]
fn adapter_with_a_wrong_seq_breaks_the_protocol() {
    assert_fault(
        &["seq"],
        FaultKind::Protocol,
        &["its seq is 12 where 2 was asked"],
        1,
    );
    assert_fault(&["twice"], FaultKind::Protocol, &["after the reply"], 1);
}

#[test]
fn adapter_that_hangs_is_ended_at_the_deadline() {
    let started = Instant::now();
    assert_fault(&["hangs"], FaultKind::Timeout, &["within 400 ms"], 1);
    assert!(
        started.elapsed() < Duration::from_mins(1),
        "it would have hung for an hour"
    );
    assert_fault(&["hangs", "frames"], FaultKind::Timeout, &["within 400 ms"], 1);
}

#[test]
fn adapter_that_answers_late_harms_no_other_case() {
    assert_fault(&["late"], FaultKind::Timeout, &["within 400 ms"], 1);
}

#[test]
fn adapter_that_crashes_is_tried_again_alone() {
    let adapter = start(&["aborts"]).unwrap();
    let answer = between_good_cases(&adapter);
    assert_eq!(answer.stderr, "about to abort\n", "both attempts are heard");
    let fault = fault(answer);
    assert_eq!(fault.kind, FaultKind::Crash);
    assert!(
        fault.message.contains("tried again alone, it ended once more"),
        "{}",
        fault.message
    );
    assert!(
        !cfg!(unix) || fault.message.contains("SIGABRT"),
        "{}",
        fault.message
    );
    assert_eq!(adapter.restarts(), 2);
}

#[test]
fn adapter_that_exits_with_success_has_crashed() {
    assert_fault(
        &["exits"],
        FaultKind::Crash,
        &["the program ended (exit", ": 0)"],
        2,
    );
    assert_fault(&["half", "frames"], FaultKind::Crash, &["after \""], 2);
    assert_fault(
        &["half", "lines"],
        FaultKind::Crash,
        &["after \"{\\\"seq\\\":2"],
        2,
    );
}

#[test]
fn adapter_that_crashes_once_depends_on_order() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("marker");
    let args = ["once", "lines", marker.to_str().unwrap()];
    assert_fault(
        &args,
        FaultKind::OrderDependentCrash,
        &["it answered; before it came good/1"],
        1,
    );
}

#[test]
fn adapter_that_floods_its_stderr_is_cut_short() {
    let adapter = start(&["floods"]).unwrap();
    let answer = between_good_cases(&adapter);
    assert_eq!(answer.result, Toy::new().run(&uniform(7)).map(Value::Full));
    let kept = answer.stderr.len();
    assert!((1..70_000).contains(&kept), "{kept} bytes were kept");
    assert!(answer.stderr.contains("xxxx"), "{}", answer.stderr);
}

#[test]
fn adapter_with_huge_claims_is_not_believed() {
    assert_fault(
        &["big-header", "frames"],
        FaultKind::Protocol,
        &["header of 4294967295 bytes"],
        1,
    );
    assert_fault(
        &["big-body", "frames"],
        FaultKind::Protocol,
        &["body of 10000000000 bytes"],
        1,
    );
    assert_fault(
        &["endless"],
        FaultKind::Protocol,
        &["line of over 1048632 bytes", "\"000"],
        1,
    );
    assert_fault(
        &["endless", "frames"],
        FaultKind::Protocol,
        &["in place of \"SPW1\""],
        1,
    );
}

#[test]
fn adapter_with_garbage_breaks_the_protocol() {
    assert_fault(&["garbage", "frames"], FaultKind::Protocol, &[STDOUT], 1);
    assert_fault(&["garbage"], FaultKind::Protocol, &[STDOUT], 1);
}

#[test]
fn adapter_is_given_up_after_the_last_restart() {
    // Each attempt but the first costs a restart, and each case has two attempts: the last restart may be for either.
    for max_restarts in [2, 3] {
        let options = Options {
            max_restarts,
            ..options()
        };
        let adapter = AdapterBackend::start(misbehaving(&["exits"]), options).unwrap();
        let kinds: Vec<_> = ["bad/1", "bad/2", "bad/3", "good"]
            .map(|case| {
                ask(&adapter, case, &uniform(7))
                    .result
                    .map(drop)
                    .map_err(|failure| match failure {
                        Failure::Broken(fault) => fault.kind,
                        other => panic!("{other}"),
                    })
            })
            .into();
        let crash = Err(FaultKind::Crash);
        assert_eq!(
            kinds,
            [crash, crash, Err(FaultKind::NotRun), Err(FaultKind::NotRun)]
        );
        assert_eq!(adapter.restarts(), max_restarts);
    }
}

#[test]
fn adapter_that_ignores_bye_is_ended() {
    let adapter = start(&["stays"]).unwrap();
    assert!(adapter.run(&uniform(7)).is_ok());
    let started = Instant::now();
    drop(adapter);
    assert!(
        started.elapsed() < Duration::from_mins(1),
        "it would have stayed for an hour"
    );
}

/// Adapters written for a Unix shell: what they do to their file descriptors and children cannot be done portably.
#[cfg(unix)]
mod shell {
    use std::process::Command;

    use seedproof_ops::{RandomUniform, Request, Tensor};
    use seedproof_wire::AdapterCommand;

    use super::*;

    const HELLO: &str = r#"read l; echo '{"protocol":1,"framing":"lines","implementation":{"name":"Sh Ell","version":"1"},"capabilities":[{"op":"openvino.RandomUniform-8"}]}'; "#;

    fn shell(script: &str) -> AdapterBackend {
        let command = AdapterCommand::new(["sh", "-c", &format!("{HELLO}{script}")]).unwrap();
        let options = Options {
            deadline: Duration::from_secs(2),
            max_body: 1000,
            ..options()
        };
        AdapterBackend::start(command, options).unwrap()
    }

    fn kind(adapter: &AdapterBackend) -> FaultKind {
        fault(ask(adapter, "a", &uniform(1))).kind
    }

    /// Whether a process runs, whose number is in a file.
    fn runs(file: &std::path::Path) -> bool {
        let number = std::fs::read_to_string(file).unwrap();
        let number = number.trim();
        let exists = Command::new("sh")
            .args(["-c", &format!("kill -0 {number} 2>/dev/null")])
            .status()
            .unwrap();
        // A process that has ended and waits to be collected still has its number.
        let waits =
            std::fs::read_to_string(format!("/proc/{number}/stat")).is_ok_and(|stat| stat.contains(") Z "));
        exists.success() && !waits
    }

    /// The report would say one name for the answers of two implementations.
    #[test]
    fn restart_under_another_name_breaks_the_protocol() {
        let folder = tempfile::tempdir().unwrap();
        let was_here = folder.path().join("was-here");
        for (what, other) in [
            ("name", r#""name":"Other","version":"1""#),
            ("version", r#""name":"Sh Ell","version":"2""#),
        ] {
            let _ = std::fs::remove_file(&was_here);
            let changed = HELLO.replace(r#""name":"Sh Ell","version":"1""#, other);
            let script = format!(
                "if [ -e '{0}' ]; then {changed} cat >/dev/null; else touch '{0}'; {HELLO} fi",
                was_here.display()
            );
            let command = AdapterCommand::new(["sh", "-c", &script]).unwrap();
            let adapter = AdapterBackend::start(command, options()).unwrap();
            // The first child ends without an answer.
            assert_eq!(kind(&adapter), FaultKind::OrderDependentCrash);
            let fault = fault(ask(&adapter, "a", &uniform(1)));
            assert_eq!(fault.kind, FaultKind::Protocol, "{what}: {}", fault.message);
            assert!(fault.message.contains("it was Sh Ell 1"), "{}", fault.message);
        }
    }

    #[test]
    fn name_is_taken_from_hello() {
        let adapter = shell("cat > /dev/null");
        assert_eq!(adapter.id().as_str(), "adapter/sh-ell");
        assert_eq!(adapter.description(), "Sh Ell 1");
    }

    #[test]
    fn output_over_the_limit_is_unsupported_where_digests_are_not_announced() {
        let adapter = shell("cat > /dev/null");
        assert_eq!(adapter.supports(&uniform(250)), Support::Supported);
        let reason = "the output takes 1004 bytes: at most 1000 are read";
        assert_eq!(
            adapter.supports(&uniform(251)),
            Support::Unsupported(reason.to_owned())
        );
    }

    #[test]
    fn closed_output_breaks_the_protocol() {
        let adapter = shell("read l; exec 1>&-; exec sleep 1000");
        let fault = fault(ask(&adapter, "a", &uniform(1)));
        assert_eq!(fault.kind, FaultKind::Protocol);
        assert!(
            fault.message.contains("closed its standard output"),
            "{}",
            fault.message
        );
    }

    #[test]
    fn end_is_noticed_though_a_child_holds_the_output() {
        let adapter = shell("read l; sleep 1000 & exit 3");
        let fault = fault(ask(&adapter, "a", &uniform(1)));
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.message.contains("exit status: 3"), "{}", fault.message);
    }

    #[test]
    fn child_that_never_reads_does_not_block() {
        let Request::RandomUniform(plain) = uniform(1) else {
            unreachable!("it is one");
        };
        let adapter = shell("exec sleep 1000");
        let large = RandomUniform {
            minval: Tensor::vector(&vec![0.5_f64; 1 << 18]),
            ..plain
        };
        let fault = fault(ask(&adapter, "a", &Request::RandomUniform(large)));
        assert_eq!(fault.kind, FaultKind::Timeout);
    }

    #[test]
    fn adapter_may_end_its_work_after_bye() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("last");
        let script = format!("read l; sleep 0.3; echo \"$l\" > '{}'", file.display());
        drop(shell(&script));
        let last = std::fs::read_to_string(file).unwrap();
        assert_eq!(last.trim(), r#"{"cmd":"bye"}"#);
    }

    /// A program in a session of its own is found by a variable of its environment, for which `/proc` is read.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_left_the_adapter_s_session_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("number");
        let script = format!(
            "setsid sh -c 'echo $$ > \"$0\"; exec sleep 1000' '{}' & cat > /dev/null",
            file.display()
        );
        let adapter = shell(&script);
        while std::fs::read_to_string(&file).map_or(true, |number| number.is_empty()) {
            std::thread::yield_now();
        }
        drop(adapter);
        let ended = Instant::now();
        while runs(&file) {
            assert!(ended.elapsed() < Duration::from_secs(30), "it was left behind");
            std::thread::yield_now();
        }
    }

    /// Three daemons that have no mark of the adapter's: in a process of its own, which may adopt what no other test started.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_cleared_its_environment_ends_with_the_adapter() {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(
                [
                    "--ignored",
                    "--exact",
                    concat!(module_path!(), "::daemons_are_adopted"),
                ]
                .map(|word| {
                    word.strip_prefix(concat!(env!("CARGO_CRATE_NAME"), "::"))
                        .unwrap_or(word)
                }),
            )
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&status.stdout);
        assert!(status.status.success() && said.contains("1 passed"), "{said}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[ignore = "a part of another test"]
    fn daemons_are_adopted() {
        seedproof_wire::adopt_orphans();
        let folder = tempfile::tempdir().unwrap();
        let number = r#"'echo $$ > "$0"; exec sleep 1000'"#;
        let lines = [
            format!("(setsid env -i sh -c {number} FILE &) &"),
            format!("(setsid env -u SEEDPROOF_CHILD sh -c {number} FILE &) &"),
            format!(
                "(env -i sh -c \"setsid sh -c {} FILE &\" &) &",
                number.replace('"', "\\\"").replace('$', "\\$")
            ),
        ];
        for line in lines {
            let file = folder.path().join("number");
            let _ = std::fs::remove_file(&file);
            let line = line.replace("FILE", &format!("'{}'", file.display()));
            let adapter = shell(&format!("{line} cat > /dev/null"));
            while std::fs::read_to_string(&file).map_or(true, |number| !number.ends_with('\n')) {
                std::thread::yield_now();
            }
            assert!(runs(&file), "{line}");
            drop(adapter);
            assert!(!runs(&file), "{line}: it was left behind");
        }
    }

    #[test]
    fn what_the_adapter_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        for (name, ending) in [
            ("bye", "cat > /dev/null"),
            ("exit", "exit 0"),
            ("hang", "exec sleep 1000"),
        ] {
            let file = folder.path().join(name);
            let adapter = shell(&format!(
                "sleep 1000 & echo $! > '{}'; read l; {ending}",
                file.display()
            ));
            if name != "bye" {
                assert_ne!(kind(&adapter), FaultKind::Infrastructure);
            }
            drop(adapter);
            // The signal has been sent; its effect is the scheduler's.
            let ended = Instant::now();
            while runs(&file) {
                assert!(
                    ended.elapsed() < Duration::from_secs(30),
                    "{name}: it was left behind"
                );
                std::thread::yield_now();
            }
        }
    }
}

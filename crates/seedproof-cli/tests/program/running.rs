//! `seedproof run`: what is selected, what is judged, and the exit status.

use std::collections::BTreeSet;
use std::process::Stdio;

use crate::{EXAMPLE, Place, Ran, ran, served};

#[test]
fn run_without_a_subcommand_judges_what_is_present() {
    Place::new()
        .seedproof(&["--backend", "reference", EXAMPLE])
        .exits(0)
        .says("all conform: 1 implementation, 1")
        .says(&format!("filtered: only cases that match {EXAMPLE}"));
    Place::new().seedproof(&["dml/*spec*"]).exits(0).says("reference");
}

#[test]
fn run_that_conforms_has_no_diagnosis_in_its_log() {
    let place = Place::new();
    let run = ["run", "--backend", "reference", "--events", "log.jsonl", EXAMPLE];
    place.seedproof(&run).exits(0);
    let log = place.read("log.jsonl");
    assert!(log.contains(r#""event":"end""#) && !log.contains(r#""event":"diagnosis""#));
}

#[test]
fn run_that_does_not_conform_exits_with_1() {
    let query = "ru8/tensorflow/f16/*";
    Place::new()
        .seedproof(&["run", "--backend", "readings/openvino-core-2026.4", query])
        .exits(1)
        .says("do not conform: 1 implementation")
        .says("rerun: seedproof run --backend readings/openvino-core-2026.4 ru8/tensorflow/f16/")
        .never_says(" more, in the report");
}

#[test]
fn run_explains_what_is_wrong_in_a_large_output() {
    let case = "ru8/tensorflow/f32/openvino-1000-to-60000-65537-80-100";
    Place::new()
        .seedproof(&["run", "--backend", "sample", case])
        .exits(1)
        .says("explained by  openvino-cpu-2026.4")
        .says("65,537 of 65,537 elements, 1 of 1 failing case");
}

#[test]
fn run_of_another_reading_names_it_and_what_it_does_not_have() {
    let events = "events.jsonl";
    let place = Place::new();
    place
        .seedproof(&[
            "run",
            "--backend",
            "readings/tensorflow-2.21",
            "--events",
            events,
            "capture*",
            "ru8/*/f16/capture*",
            "dml/*spec*",
            "ru8/tensorflow/*/execution*",
            "provenance:capture",
        ])
        .exits(1)
        .says(" more, in the report\n");
    let log = place.read(events);
    assert!(
        log.contains(r#""outcome":"other-reading""#) || log.contains("other-reading tensorflow-2.21"),
        "{log:.2000}"
    );
    assert!(log.contains(r#""unsupported""#));
}

#[test]
fn run_with_bad_usage_exits_with_2() {
    let place = Place::new();
    place
        .seedproof(&["run", "--no-such-flag"])
        .exits(2)
        .complains("--no-such-flag");
    place
        .seedproof(&["run", "--backend", "hal", EXAMPLE])
        .exits(2)
        .complains("there is no backend `hal`");
    place
        .seedproof(&["run", "--backend", "cpu/", EXAMPLE])
        .exits(2)
        .complains("there is no backend `cpu/`");
    place
        .seedproof(&["run", "--backend", "readings/hal"])
        .exits(2)
        .complains("there is no reading `hal`");
    place
        .seedproof(&["run", "--reading", "hal"])
        .exits(2)
        .complains("`seedproof backends` lists them");
    place
        .seedproof(&["run", "kind:f16"])
        .exits(2)
        .complains("before the `:`");
    place
        .seedproof(&["run", "--shard", "3/2"])
        .exits(2)
        .complains("expected I/N with 1 <= I <= N, such as 2/8");
    place
        .seedproof(&["run", "--bless"])
        .exits(2)
        .complains("--expect <FILE>");
    place
        .seedproof(&["run", "--adapter", "'unclosed"])
        .exits(2)
        .complains("is a quotation mark not closed?");
    place
        .seedproof(&["run", "--adapter", ""])
        .exits(2)
        .complains("it names no program");
    place
        .seedproof(&["run", "--jobs", "0"])
        .exits(2)
        .complains("--jobs");
    place
        .seedproof(&["run", "--deadline", "0"])
        .exits(2)
        .complains("--deadline");
    place
        .seedproof(&["frobnicate"])
        .exits(5)
        .complains("nothing is selected for frobnicate");
}

#[test]
fn run_of_what_does_not_start_or_is_not_written_exits_with_3() {
    let place = Place::new();
    place
        .seedproof(&["run", "--adapter", "./no-such-adapter", EXAMPLE])
        .exits(3)
        .complains("start the adapter `./no-such-adapter`");
    // It starts, but says nothing.
    let mute = served("--help");
    place
        .seedproof(&["run", "--adapter", &mute, EXAMPLE])
        .exits(3)
        .complains("start the adapter");
    place.write("file", "");
    place
        .seedproof(&[
            "run",
            "--backend",
            "reference",
            "--events",
            "file/events",
            EXAMPLE,
        ])
        .exits(3)
        .complains("failed to write file/events");
    place
        .seedproof(&["run", "--corpus", "absent"])
        .exits(3)
        .complains("failed to read absent");
    place
        .seedproof(&[
            "run",
            "--backend",
            "reference",
            "--expect",
            "absent.yaml",
            EXAMPLE,
        ])
        .exits(3)
        .complains("failed to read absent.yaml");
}

#[test]
fn run_of_nothing_exits_with_5() {
    let place = Place::new();
    place
        .seedproof(&["run", "no/such/case"])
        .exits(5)
        .complains("nothing is selected for no/such/case");
    place
        .seedproof(&["run", EXAMPLE, "--shard", "2/2"])
        .exits(5)
        .complains("in part 2/2");
    place.seedproof(&["list", "no/such/case"]).exits(5);
    place.seedproof(&["errata", "no.such"]).exits(5);
    // A reading is not judged by its own answers.
    place
        .seedproof(&[
            "run",
            "--backend",
            "readings/torch-2.12",
            "--reading",
            "torch-2.12",
            "ru8/pytorch/f32/pairs*",
            "ru8/pytorch/f32/seeds*",
            "--events",
            "own.jsonl",
        ])
        .exits(5)
        .says("readings/torch-2.12 is judged by its own answers")
        .says("nothing was judged");
    // Its log says the same.
    place
        .seedproof(&["report", "own.jsonl"])
        .exits(5)
        .says("nothing was judged");
    // So does a log of no implementation, where none can be named that was asked nothing.
    let log = place.read("own.jsonl");
    let (head, _) = log.split_once("\"implementations\":[").unwrap();
    let end = log.lines().last().unwrap();
    place.write("none.jsonl", format!("{head}\"implementations\":[]}}\n{end}\n"));
    place.seedproof(&["report", "none.jsonl"]).exits(5);
}

#[test]
fn run_shards_are_disjoint_and_together_whole() {
    let place = Place::new();
    let query = "dml/*";
    let whole: BTreeSet<String> = place
        .seedproof(&["list", query])
        .exits(0)
        .out
        .lines()
        .map(str::to_owned)
        .collect();
    let mut joined = BTreeSet::new();
    let mut count = 0;
    for part in 1..=3 {
        let shard = format!("{part}/3");
        let events = format!("{part}.jsonl");
        place
            .seedproof(&[
                "run",
                "--backend",
                "reference",
                "--shard",
                &shard,
                "--events",
                &events,
                query,
            ])
            .exits(0)
            .says(&format!("sharded: only {shard}"));
        for line in place.read(&events).lines() {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_ne!(event["event"], "diagnosis", "no case fails");
            if event["event"] == "finding" {
                joined.insert(event["case"].as_str().unwrap().to_owned());
                count += 1;
            }
        }
    }
    assert_eq!(count, whole.len(), "no case is in two parts");
    assert_eq!(joined, whole);
}

#[test]
fn run_has_no_colour_where_there_is_no_terminal() {
    let failing = [
        "run",
        "--backend",
        "readings/openvino-core-2026.4",
        "ru8/tensorflow/f16/*",
    ];
    let place = Place::new();
    let plain = place.seedproof(&failing).exits(1);
    assert!(
        !plain.out.contains('\u{1b}') && !plain.err.contains('\u{1b}'),
        "{}",
        plain.out
    );
    assert_eq!(plain.err, "", "no progress where there is no terminal");
    let forced = crate::ran(place.command(&failing).env("CLICOLOR_FORCE", "1"), b"");
    assert!(
        forced.out.contains('\u{1b}'),
        "the same in colour where it is forced"
    );
    let refused = crate::ran(place.command(&failing).env("NO_COLOR", "1"), b"");
    assert!(!refused.out.contains('\u{1b}'));
}

#[test]
fn run_survives_a_reader_that_goes_away() {
    let place = Place::new();
    for args in [
        &["list"][..],
        &["errata"],
        &["completions", "bash"],
        &["--help"],
        &["corpus", "cover"],
        &["run", "--backend", "reference", EXAMPLE],
    ] {
        let mut child = place
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn run_says_that_it_compares_nans_by_their_bits() {
    let place = Place::new();
    place.corpus("few", crate::corpus::TWO);
    let run = ["run", "--backend", "reference", "--corpus", "few"];
    place.seedproof(&run).exits(0).never_says("each NaN by its bits");
    place
        .seedproof(&[&run[..], &["--strict-nan"]].concat())
        .exits(0)
        .says("reading spec, each NaN by its bits (");
}

/// The best level has a short name. A machine that lacks a level says of it what `backends` says.
#[test]
fn run_takes_every_level_of_the_processor() {
    let place = Place::new();
    place.corpus("few", crate::corpus::TWO);
    let run = |name: &str| place.seedproof(&["run", "--backend", name, "--corpus", "few"]);
    run("cpu").exits(0).says("\ncpu/");
    let listed = place.seedproof(&["backends"]).exits(0).out;
    for line in listed.lines().filter(|line| line.starts_with("cpu/")) {
        let (name, what) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(reason) = what.trim_start().strip_prefix("absent: ") {
            let absent = format!("{name} is absent: {reason}");
            run(name).exits(3).complains(&absent);
        } else {
            run(name).exits(0).says(&format!("\n{name} "));
        }
    }
}

#[test]
fn run_takes_a_graphics_adapter_by_the_name_that_is_listed() {
    let place = Place::new();
    let listed = place.seedproof(&["backends"]).exits(0).out;
    let mut adapters = listed.lines().filter(|line| line.starts_with("gpu/"));
    let Some(line) = adapters.find(|line| !line.contains("  absent: ")) else {
        println!("not run: there is no graphics adapter");
        return;
    };
    let name = line.split(' ').next().unwrap();
    place.corpus("few", crate::corpus::TWO);
    place
        .seedproof(&["run", "--backend", name, "--corpus", "few"])
        .exits(0)
        .says(&format!("\n{name} "));
}

/// The program where the Vulkan loader finds no driver.
#[cfg(target_os = "linux")]
fn without_drivers(args: &[&str]) -> Ran {
    let place = Place::new();
    let mut command = place.command(args);
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(variable, "/no/such/driver.json");
    }
    ran(&mut command, b"")
}

/// Why there is no GPU where the loader finds no driver.
#[cfg(target_os = "linux")]
const NO_GPU: &str = if cfg!(feature = "gpu") {
    "no driver for Vulkan"
} else {
    "this program is built without the feature `gpu`"
};

#[cfg(target_os = "linux")]
#[test]
fn run_without_a_gpu_says_so_in_one_line() {
    without_drivers(&["run", EXAMPLE])
        .exits(0)
        .says(&format!("gpu: {NO_GPU}"));
    without_drivers(&["backends"])
        .exits(0)
        .says(&format!("absent: {NO_GPU}"));
}

#[cfg(target_os = "linux")]
#[test]
fn run_without_the_gpu_that_was_asked_for_exits_with_3() {
    for (args, name) in [
        (&["run", "--backend", "gpu", EXAMPLE][..], "gpu"),
        (&["run", "--backend", "gpu/hal", EXAMPLE], "gpu/hal"),
        (&["run", "--gpu-adapter", "0", EXAMPLE], "gpu/0"),
    ] {
        without_drivers(args)
            .exits(3)
            .complains(&format!("seedproof: {name} is absent: {NO_GPU}"));
    }
}

/// Threads that the environment asks for are bounded as those of `--jobs`: to start them took longer than the run.
#[test]
fn threads_of_the_environment_are_bounded() {
    let place = Place::new();
    let mut command = place.command(&["run", "--backend", "cpu/scalar", EXAMPLE]);
    let started = std::time::Instant::now();
    ran(command.env("RAYON_NUM_THREADS", "100000"), b"").exits(0);
    assert!(
        started.elapsed() < std::time::Duration::from_mins(1),
        "{:?}",
        started.elapsed()
    );
    let mut command = place.command(&[
        "draw",
        "dml",
        "--feature_level",
        "4.0",
        "--shape",
        "2",
        "--input_state",
        "0,0,0,0,1,2",
    ]);
    ran(command.env("RAYON_NUM_THREADS", "99999999999999999999"), b"").exits(0);
}

/// A hundred thousand threads reserve more memory than there is here.
#[cfg(target_os = "linux")]
#[test]
fn threads_of_the_environment_fit_into_memory() {
    let place = Place::new();
    place.corpus("few", crate::corpus::TWO);
    let limited = format!(
        "ulimit -v 40000000; exec '{}' corpus lint --corpus few",
        crate::PROGRAM
    );
    // The second is the first's older name.
    for variable in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"] {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &limited]).current_dir(place.path());
        ran(shell.env(variable, "100000"), b"")
            .exits(0)
            .says("2 cases, 0 faults");
    }
}

/// Neither the limit of the process nor the environment decides on the stacks.
#[cfg(unix)]
#[test]
fn stacks_are_large_enough_whatever_is_asked_for() {
    let place = Place::new();
    place.corpus("few", crate::corpus::TWO);
    place.write("numbers", "0.5 0.25 0.125 0.0625");
    for arguments in [
        "list",
        "corpus lint --corpus few",
        "run --backend reference --corpus few",
        "whois numbers --seed 1..100",
    ] {
        for limit in ["ulimit -s 256", "export RUST_MIN_STACK=1"] {
            let line = format!("{limit}; exec '{}' {arguments}", crate::PROGRAM);
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &line]).current_dir(place.path());
            let run = ran(&mut shell, b"");
            let expected = i32::from(arguments.starts_with("whois"));
            assert_eq!(run.status, Some(expected), "{line}: {}{}", run.out, run.err);
        }
    }
}

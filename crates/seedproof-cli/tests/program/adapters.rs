//! Programs that speak the adapter protocol, among them this one.

use std::process::Command;

use crate::{EXAMPLE, Place, served};

/// Whether there is a Python; without one a test says what it leaves out.
pub(crate) fn has_python() -> bool {
    let there = Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        println!("not run: python3 is absent");
    }
    there
}

#[test]
fn adapter_is_the_program_itself_in_both_framings() {
    let place = Place::new();
    let frames = served("--framing frames");
    place
        .seedproof(&["run", "--adapter", &frames, "*spec-example*"])
        .exits(0)
        .says("adapter/reference");
    place
        .seedproof(&["run", "--jobs", "2", EXAMPLE, "--", crate::PROGRAM, "serve"])
        .exits(0)
        .says("adapter/reference        1 /       1");
}

#[test]
fn adapters_and_backends_are_judged_side_by_side() {
    let place = Place::new();
    let torch = served("--reading torch-2.12");
    let args = [
        "run",
        "--backend",
        "reference",
        "--backend",
        "readings/tensorflow-2.21",
        "--adapter",
        &torch,
        "--events",
        "log",
        EXAMPLE,
    ];
    place
        .seedproof(&args)
        .exits(5)
        .says("nothing was asked of adapter/readings-torch-2.12, so it was not tested: 3 implementations, 3");
    let outcomes: Vec<String> = place
        .read("log")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["event"] == "finding")
        .map(|event| {
            format!(
                "{} {}",
                event["backend"].as_str().unwrap(),
                event["outcome"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        outcomes,
        [
            "reference pass",
            "readings/tensorflow-2.21 pass",
            "adapter/readings-torch-2.12 unsupported"
        ]
    );
}

#[test]
fn adapters_of_one_name_are_refused() {
    let (lines, frames) = (served(""), served("--framing frames"));
    Place::new()
        .seedproof(&["run", "--adapter", &lines, "--adapter", &frames, EXAMPLE])
        .exits(2)
        .complains("adapter/reference was given twice");
    Place::new()
        .seedproof(&["run", "--backend", "reference", "--backend", "reference", EXAMPLE])
        .exits(2)
        .complains("reference was given twice");
}

#[test]
fn adapter_conversation_is_kept_on_request() {
    let place = Place::new();
    place
        .seedproof(&[
            "run",
            "--adapter",
            &served(""),
            "--debug-frames",
            "frames",
            EXAMPLE,
        ])
        .exits(0);
    let request: serde_json::Value =
        serde_json::from_str(place.read("frames/child-0.request").trim()).unwrap();
    assert_eq!(request["case"], EXAMPLE);
    let reply: serde_json::Value = serde_json::from_str(place.read("frames/child-0.reply").trim()).unwrap();
    assert_eq!(reply["status"], "ok");
}

/// A process answers its first request once there are two processes.
#[cfg(unix)]
#[test]
fn adapter_has_as_many_processes_as_there_are_jobs() {
    let place = Place::new();
    place.corpus("few", crate::corpus::TWO);
    place.write(
        "waits.sh",
        format!(
            r#"echo >> started
while read -r line; do
    case $line in *'"cmd":"run"'*)
        tries=0
        while [ "$(wc -l < started)" -lt 2 ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done ;;
    esac
    printf '%s\n' "$line"
done | {}
"#,
            served("")
        ),
    );
    place
        .seedproof(&[
            "run",
            "--jobs",
            "2",
            "--corpus",
            "few",
            "--adapter",
            "sh waits.sh",
        ])
        .exits(0);
    assert_eq!(place.read("started").lines().count(), 2);
}

#[test]
fn smoke_tries_every_claim() {
    Place::new()
        .seedproof(&["smoke", "--adapter", &served("")])
        .exits(0)
        .says("handshake: reference")
        .says("pass  openvino.Multinomial-13 without replacement i64 draws")
        .says("answered correctly, one or two of each claim. Next, run the whole corpus:");
}

/// Of two cases of a size the first is asked. What is refused has no rows, and an output without elements tells nothing.
#[test]
fn smoke_asks_the_smallest_case_of_a_claim_and_the_largest_in_rows() {
    const DRAWN: [&str; 13] = [
        "3f337cd6", "3e9c5ce8", "3f7076a8", "3f721312", "3def8250", "3f01f8aa", "3f050c5a", "3e68bab0",
        "3f7dcab0", "3eb5db84", "3f53b13c", "3f194108", "3ea09590",
    ];
    let mut yaml = "schema: 2\n\
                    op: openvino.RandomUniform-8\n\
                    clauses: [ru8.range.float]\n\
                    provenance: { kind: derived, reading: spec, revision: 1 }\n\
                    cases:\n"
        .to_owned();
    for (id, extents) in [
        ("square", &[2_usize, 2][..]),
        ("none", &[0]),
        ("one", &[1]),
        ("another", &[1]),
        ("line", &[13]),
        ("rows", &[3, 3]),
        ("most-rows", &[3, 4]),
        ("as-many-rows", &[4, 3]),
        ("fewer-rows", &[5, 2]),
        ("refused-rows", &[3, 4]),
        ("refused", &[1]),
    ] {
        let (maxval, expect) = if id.starts_with("refused") {
            ("00000000", "rejected: range".to_owned())
        } else {
            let count = extents.iter().product::<usize>();
            ("3f800000", format!("bits: {:?}", &DRAWN[..count]))
        };
        yaml.push_str(&format!(
            "  - id: ru8/tensorflow/f32/{id}\n    \
                 attrs: {{ output_type: f32, global_seed: 150, op_seed: 10, alignment: TENSORFLOW }}\n    \
                 inputs: {{ shape: {extents:?}, minval: \"00000000\", maxval: \"{maxval}\" }}\n    \
                 expect: {{ {expect} }}\n"
        ));
    }
    let place = Place::new();
    place.corpus("few", &yaml);
    let out = place
        .seedproof(&["smoke", "--corpus", "few", "--adapter", &served("")])
        .exits(0)
        .out;
    let asked: Vec<Vec<&str>> = out
        .lines()
        .filter_map(|line| line.strip_prefix("pass  openvino.RandomUniform-8 TENSORFLOW f32 "))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        asked,
        [
            &["draws", "ru8/tensorflow/f32/one"][..],
            &["draws", "in", "rows", "ru8/tensorflow/f32/most-rows"],
            &["refuses", "ru8/tensorflow/f32/refused"],
        ],
        "{out}"
    );
    assert!(out.contains(" --corpus few\n"), "{out}");
}

#[test]
fn smoke_stops_at_the_first_wrong_thing() {
    let place = Place::new();
    let adapter = served("--reading torch-1.13");
    place
        .seedproof(&["smoke", "--adapter", &adapter])
        .exits(1)
        .says("rerun: seedproof run --adapter")
        .never_says("answered correctly, one or two of each claim");
    place
        .seedproof(&["smoke", "--adapter", &adapter, "--reading", "torch-1.13"])
        .exits(0)
        .says("--reading torch-1.13");
}

#[test]
fn smoke_needs_an_adapter_that_starts_and_claims_something() {
    let place = Place::new();
    place.seedproof(&["smoke"]).exits(2).complains("--adapter <CMD>");
    place
        .seedproof(&["smoke", "--adapter", "./absent"])
        .exits(3)
        .complains("start the adapter `./absent`");
    place
        .seedproof(&["smoke", "--adapter", "./absent", "--reading", "hal"])
        .exits(2)
        .complains("no reading `hal`");
    place.corpus("few", crate::corpus::TWO);
    place
        .seedproof(&[
            "smoke",
            "--adapter",
            &served("--reading torch-2.12"),
            "--corpus",
            "few",
        ])
        .exits(5)
        .says("the adapter claims none of the cases of the corpus");
}

/// A program in Python that says hello as the reference does and then raises.
#[test]
fn traceback_is_printed_once_and_stands_above_what_was_not_run() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let adapter = format!(
        "import subprocess, sys\n\
         served = subprocess.Popen([{:?}, 'serve'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n\
         served.stdin.write(sys.stdin.buffer.readline())\n\
         served.stdin.flush()\n\
         sys.stdout.buffer.write(served.stdout.readline())\n\
         sys.stdout.flush()\n\
         sys.stdin.readline()\n\
         raise SystemError('the kernel is broken')\n",
        crate::PROGRAM
    );
    place.write("adapter.py", adapter);
    let ran = place
        .seedproof(&[
            "run",
            "--jobs",
            "1",
            "--adapter",
            "python3 adapter.py",
            "op:ru8+dtype:f32",
        ])
        .exits(1);
    let (cause, consequence) = (ran.out.find("crash"), ran.out.find("not-run"));
    assert!(cause.is_some() && cause < consequence, "{}", ran.out);
    // One last line of a traceback for each crash, none for what was not asked.
    let text = format!("{}{}", ran.out, ran.err);
    let crashes = ran
        .out
        .lines()
        .filter(|line| line.starts_with("adapter/") && line.ends_with("crash"))
        .count();
    assert!(crashes > 0, "{text}");
    assert_eq!(
        text.matches("SystemError: the kernel is broken").count(),
        crashes,
        "{text}"
    );
    assert_eq!(text.matches("Traceback").count(), crashes, "{text}");
}

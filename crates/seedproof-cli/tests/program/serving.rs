//! `seedproof serve`: the protocol of adapters, from the adapter's side.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Place, Ran};

pub(crate) const HELLO: &str = r#"{"cmd":"hello","protocol":1,"harness":"test 1","max_body":1000000}"#;

fn exchange(args: &[&str], lines: &[String]) -> Ran {
    let input = format!("{HELLO}\n{}\n", lines.join("\n"));
    Place::new().seedproof_reading(&[&["serve"], args].concat(), input)
}

/// The replies after the hello line.
fn replies(args: &[&str], lines: &[String]) -> Vec<Value> {
    let ran = exchange(args, lines).exits(0);
    let mut all: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(all.remove(0)["protocol"], 1);
    all
}

pub(crate) fn uniform(seq: u64, dtype: &str, alignment: &str, maxval: &str) -> Value {
    let minval = "0".repeat(maxval.len());
    json!({
        "cmd": "run", "seq": seq, "case": "a/b", "op": "openvino.RandomUniform-8",
        "attrs": {"output_type": dtype, "global_seed": "150", "op_seed": "10", "alignment": alignment},
        "inputs": {
            "shape": {"dtype": "i64", "shape": [1], "hex": "0300000000000000"},
            "minval": {"dtype": dtype, "shape": [], "hex": minval},
            "maxval": {"dtype": dtype, "shape": [], "hex": maxval},
        },
        "execution": 0, "want": "full", "deadline_ms": 10000,
    })
}

fn multinomial(seq: u64) -> Value {
    json!({
        "cmd": "run", "seq": seq, "case": "a/b", "op": "openvino.Multinomial-13",
        "attrs": {"convert_type": "i32", "with_replacement": true, "log_probs": false, "global_seed": "1", "op_seed": "2"},
        "inputs": {
            "probs": {"dtype": "f32", "shape": [1, 2], "hex": "0000003f0000003f"},
            "num_samples": {"dtype": "i32", "shape": [], "hex": "02000000"},
            "draws": {"dtype": "f64", "shape": [1, 2], "hex": "000000000000d03f000000000000e83f"},
        },
        "execution": 0, "want": "full", "deadline_ms": 10000,
    })
}

fn dml(seq: u64) -> Value {
    json!({
        "cmd": "run", "seq": seq, "case": "a/b", "op": "directml.RandomGenerator",
        "attrs": {"type": "PHILOX_4X32_10", "feature_level": "4.0", "output_sizes": [1], "output_state": true},
        "inputs": {"input_state": {"dtype": "u32", "shape": [6], "hex": "00".repeat(24)}},
        "execution": 0, "want": "full", "deadline_ms": 10000,
    })
}

const MAXIMA: [(&str, &str); 6] = [
    ("f16", "003c"),
    ("bf16", "803f"),
    ("f32", "0000803f"),
    ("f64", "000000000000f03f"),
    ("i32", "64000000"),
    ("i64", "6400000000000000"),
];

#[test]
fn serve_answers_each_op_and_type() {
    let mut requests = Vec::new();
    for alignment in ["TENSORFLOW", "PYTORCH"] {
        for (dtype, maxval) in MAXIMA {
            requests.push(uniform(requests.len() as u64, dtype, alignment, maxval));
        }
    }
    let count = requests.len();
    requests.push(multinomial(count as u64));
    requests.push(dml(count as u64 + 1));
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let replies = replies(&[], &lines);
    assert_eq!(replies.len(), requests.len());
    for (request, reply) in requests.iter().zip(&replies) {
        assert_eq!(
            (&reply["seq"], &reply["status"]),
            (&request["seq"], &json!("ok")),
            "{reply}"
        );
    }
    for (request, reply) in requests.iter().zip(&replies).take(count) {
        let output = &reply["outputs"]["output"];
        assert_eq!(
            (&output["dtype"], &output["shape"]),
            (&request["attrs"]["output_type"], &json!([3]))
        );
    }
    // The first values of the specification's first example.
    assert_eq!(replies[2]["outputs"]["output"]["hex"], "d67c333fe85c9c3ea876703f");
    assert_eq!(
        replies[count]["outputs"]["output"],
        json!({"dtype": "i32", "shape": [1, 2], "hex": "0000000001000000"})
    );
    assert_eq!(replies[count + 1]["outputs"]["output"]["hex"], "d5e82766");
    assert_eq!(
        replies[count + 1]["outputs"]["output_state"]["hex"],
        format!("01{}", "00".repeat(23))
    );
}

#[test]
fn serve_survives_what_does_not_parse() {
    let good = |seq| uniform(seq, "f32", "TENSORFLOW", "0000803f");
    let edited = |seq: u64, edit: fn(&mut Value)| {
        let mut request = good(seq);
        edit(&mut request);
        request.to_string()
    };
    let lines = [
        "{no json".to_owned(),
        edited(2, |it| {
            drop(it["attrs"].as_object_mut().unwrap().remove("op_seed"));
        }),
        edited(3, |it| it["attrs"]["op_seed"] = json!("18446744073709551616")),
        edited(4, |it| it["inputs"]["minval"]["hex"] = json!("0000000")),
        // Well formed, and forbidden by the op: refused, not an error.
        edited(5, |it| it["attrs"]["output_type"] = json!("f8")),
        edited(6, |it| it["inputs"]["maxval"]["hex"] = json!("00000000")),
        good(7).to_string(),
    ];
    let replies = replies(&[], &lines);
    let told: Vec<(Value, &str)> = replies
        .iter()
        .map(|reply| (reply["seq"].clone(), reply["status"].as_str().unwrap()))
        .collect();
    let expected = [
        (Value::Null, "error"),
        (json!(2), "error"),
        (json!(3), "error"),
        (json!(4), "error"),
        (json!(5), "rejected"),
        (json!(6), "rejected"),
        (json!(7), "ok"),
    ];
    assert_eq!(told, expected);
    assert_eq!(replies[5]["kind"], "range");
}

/// By the oracle, a processor's kernels and the second engine.
const ENGINES: [[&str; 2]; 3] = [
    ["--backend", "reference"],
    ["--backend", "cpu/scalar"],
    ["--reading", "spec"],
];

#[test]
fn serve_refuses_what_it_could_not_send_before_it_computes_it() {
    let huge = |seq, maxval: &str| {
        let mut request = uniform(seq, "f32", "TENSORFLOW", maxval);
        // 3.8 GiB: less than the most that a backend makes.
        request["inputs"]["shape"]["hex"] = json!("0000403c00000000");
        request.to_string()
    };
    for engine in ENGINES {
        let started = Instant::now();
        let replies = replies(&engine, &[huge(1, "0000803f"), huge(2, "00000000")]);
        assert!(started.elapsed() < Duration::from_secs(5), "{engine:?}");
        assert_eq!(replies[0]["status"], "unsupported", "{engine:?} {replies:?}");
        assert_eq!(replies[1]["status"], "rejected", "an invalid one stays invalid");
    }
}

/// A machine without the memory for an output, which the limit allows.
#[cfg(target_os = "linux")]
#[test]
fn serve_answers_where_there_is_no_memory() {
    let mut request = uniform(1, "f64", "PYTORCH", "000000000000f03f");
    request["inputs"]["shape"]["hex"] = json!("ffffff1f00000000");
    // A digest is made chunk by chunk, and a window is cut from the whole.
    request["want"] = json!({"window": [0, 1]});
    let place = Place::new();
    place.write("requests", format!("{HELLO}\n{request}\n"));
    for [option, engine] in ENGINES {
        let limited = format!(
            "ulimit -v 4000000; exec '{}' serve {option} {engine} < requests",
            env!("CARGO_BIN_EXE_seedproof")
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &limited]).current_dir(place.path());
        let replies = crate::ran(&mut shell, b"").exits(0);
        let words = [
            "allocate the 4294967288 bytes",
            "memory allocation failed",
            "not enough memory for",
        ];
        assert!(
            words.iter().any(|words| replies.out.contains(words)),
            "{engine}: {}",
            replies.out
        );
    }
}

#[test]
fn serve_refuses_more_draws_without_replacement_than_anybody_waits_for() {
    let count = 200_000_u32;
    let mut request = multinomial(1);
    let bytes = count.to_le_bytes().map(|byte| format!("{byte:02x}")).concat();
    request["attrs"]["with_replacement"] = json!(false);
    request["inputs"]["num_samples"]["hex"] = json!(bytes);
    let probs = "003c".repeat(200_000);
    request["inputs"]["probs"] = json!({"dtype": "f16", "shape": [1, count], "hex": probs});
    request["inputs"].as_object_mut().unwrap().remove("draws");
    for engine in ENGINES {
        let started = Instant::now();
        let replies = replies(&engine, &[request.to_string()]);
        assert!(started.elapsed() < Duration::from_secs(5), "{engine:?}");
        assert_eq!(replies[0]["status"], "unsupported", "{engine:?} {replies:?}");
        assert!(
            replies[0]["reason"]
                .as_str()
                .unwrap()
                .contains("without replacement")
        );
    }
}

#[test]
#[cfg(unix)]
fn serve_ends_when_it_is_told_to() {
    use std::process::{Command, Stdio};

    let mut serving = Command::new(env!("CARGO_BIN_EXE_seedproof"))
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let kill = Command::new("kill").arg(serving.id().to_string()).status();
    assert!(kill.unwrap().success());
    // The end of its input is not what ends it: the pipe stays open.
    let input = serving.stdin.take();
    assert!(!serving.wait().unwrap().success());
    drop(input);
}

/// A draw of half a minute, which nobody waits for after its deadline.
#[test]
fn serve_ends_at_bye_in_the_middle_of_a_computation() {
    let mut request = uniform(1, "f64", "PYTORCH", "000000000000f03f");
    // As many elements as a backend draws.
    request["inputs"]["shape"]["hex"] = json!("ffffff1f00000000");
    request["want"] = json!("digest");
    request["deadline_ms"] = json!(50);
    for last in [r#"{"cmd":"bye"}"#, ""] {
        let started = Instant::now();
        let replies = replies(&["--reading", "spec"], &[request.to_string(), last.to_owned()]);
        assert!(started.elapsed() < Duration::from_secs(5), "{last}");
        assert!(
            replies[0]["message"]
                .as_str()
                .unwrap()
                .contains("deadline of 50 ms"),
            "{replies:?}"
        );
    }
}

#[test]
fn serve_ends_at_bye_and_at_the_end_of_the_input() {
    let lines = [
        dml(1).to_string(),
        r#"{"cmd":"bye"}"#.to_owned(),
        dml(2).to_string(),
    ];
    assert_eq!(replies(&[], &lines).len(), 1, "nothing is answered after bye");
    assert_eq!(replies(&[], &lines[..1]).len(), 1);
    Place::new().seedproof_reading(&["serve"], "").exits(0);
}

/// A harness that is gone reads no message, and one that sends nonsense is told so.
#[test]
fn serve_ends_well_where_the_harness_is_gone_and_not_at_a_broken_frame() {
    use std::io::Write as _;
    use std::process::Stdio;

    let place = Place::new();
    let mut serving = place
        .command(&["serve"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(serving.stdout.take());
    let hello = format!("{HELLO}\n");
    let written = serving.stdin.take().unwrap().write_all(hello.as_bytes());
    written.unwrap();
    let ended = serving.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), said.as_str()), (Some(0), ""));
    place
        .seedproof_reading(&["serve", "--framing", "frames"], format!("{HELLO}\nno frame"))
        .exits(3)
        .complains("failed to answer the protocol: read a frame: ");
}

#[test]
fn serve_answers_by_a_reading() {
    let request = |seq| uniform(seq, "i64", "PYTORCH", "0000004000000000").to_string();
    let by = |args: &[&str]| replies(args, &[request(1), dml(2).to_string()]);
    let (spec, torch) = (by(&["--reading", "spec"]), by(&["--reading", "torch-2.12"]));
    assert_eq!(
        (&spec[0]["status"], &torch[0]["status"]),
        (&json!("ok"), &json!("ok"))
    );
    assert_ne!(
        spec[0]["outputs"], torch[0]["outputs"],
        "torch draws two words for a range over 2^28"
    );
    assert_eq!(
        (&spec[1]["status"], &torch[1]["status"]),
        (&json!("ok"), &json!("unsupported"))
    );
    assert_eq!(
        by(&["--backend", "readings/torch-2.12"])[0]["outputs"],
        torch[0]["outputs"]
    );
}

#[test]
fn serve_refuses_a_backend_with_a_reading() {
    let place = Place::new();
    place
        .seedproof(&["serve", "--backend", "reference", "--reading", "torch-2.12"])
        .exits(2)
        .complains("--reading");
    place
        .seedproof(&["serve", "--backend", "hal"])
        .exits(2)
        .complains("there is no backend `hal`");
    place
        .seedproof(&["serve", "--reading", "hal"])
        .exits(2)
        .complains("there is no reading `hal`");
}

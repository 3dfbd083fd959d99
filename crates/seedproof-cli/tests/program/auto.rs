//! `seedproof run --reading auto`.

use crate::{EXAMPLE, Place, served};

#[test]
fn auto_finds_the_reading_that_a_program_follows() {
    let place = Place::new();
    let adapter = served("--reading torch-2.12");
    let args = [
        "run",
        "--adapter",
        &adapter,
        "--reading",
        "auto",
        "--events",
        "log",
        "ru8/pytorch/bf16/*",
    ];
    place
        .seedproof(&args)
        .exits(0)
        .says("adapter/readings-torch-2.12: the reading torch-2.12 explains it best")
        .says("ambiguous: torch-2.12-nofma, torch-2.15, torch-2.15-nofma explain equally many answers")
        .says("validation.float_bounds              finite, min <= max            min < max")
        .says("· reading torch-2.12 (")
        .never_says("philox.rounds");
    let header = place.read("log").lines().next().unwrap().to_owned();
    assert!(
        header.contains(r#""reading":"torch-2.12""#),
        "the log names the reading that was found: {header}"
    );
}

#[test]
fn auto_prefers_spec_where_several_explain_as_many() {
    let place = Place::new();
    place
        .seedproof(&[
            "run",
            "--adapter",
            &served(""),
            "--reading",
            "auto",
            "ru8/tensorflow/f32/spec-example-1",
        ])
        .exits(0)
        .says("the reading spec explains it best, 1 of 1 answers")
        .says("ambiguous: openvino-core-2026.4")
        .says("spec answers every question as spec does");
}

#[test]
fn auto_asks_each_small_case_once() {
    let place = Place::new();
    let adapter = served("");
    let query = "ru8/tensorflow/i32/spec*";
    let args = [
        "run",
        "--adapter",
        &adapter,
        "--reading",
        "auto",
        "--debug-frames",
        "frames",
        query,
    ];
    place.seedproof(&args).exits(0);
    let cases = place.seedproof(&["list", query]).out.lines().count();
    let last: serde_json::Value = serde_json::from_str(place.read("frames/child-0.request").trim()).unwrap();
    assert_eq!(
        last["seq"].as_u64(),
        Some(u64::try_from(cases).unwrap()),
        "as many requests as cases"
    );
}

#[test]
fn auto_says_that_no_reading_explains_anything() {
    let place = Place::new();
    place.write(
        "zeros.py",
        r#"
import json, sys
sys.stdin.readline()
print(json.dumps({"protocol": 1, "framing": "lines", "implementation": {"name": "zeros", "version": "1"},
                  "capabilities": [{"op": "openvino.RandomUniform-8", "output_type": ["i32"]}]}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "bye":
        break
    output = {"dtype": "i32", "shape": [2, 3], "hex": "00" * 24}
    print(json.dumps({"seq": message["seq"], "status": "ok", "outputs": {"output": output}}), flush=True)
"#,
    );
    if !crate::adapters::has_python() {
        return;
    }
    place
        .seedproof(&[
            "run",
            "--reading",
            "auto",
            "ru8/tensorflow/i32/spec-example-3",
            "--",
            "python3",
            "zeros.py",
        ])
        .exits(1)
        .says("adapter/zeros: no named reading explains any of its 1 answers; judged against spec")
        .says("rerun: seedproof run --adapter 'python3 zeros.py' ru8/tensorflow/i32/spec-example-3");
}

/// An answer that was kept from the search for a reading would hide that the next one is another.
#[test]
fn auto_finds_answers_that_change() {
    let place = Place::new();
    place.write(
        "changing.py",
        r#"
import json, os, sys
sys.stdin.readline()
print(json.dumps({"protocol": 1, "framing": "lines", "implementation": {"name": "changing", "version": "1"},
                  "capabilities": [{"op": "openvino.RandomUniform-8", "output_type": ["i32"]}]}), flush=True)
right = sys.argv[1:]
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "bye":
        break
    output = {"dtype": "i32", "shape": [2, 3], "hex": right.pop() if right else os.urandom(24).hex()}
    print(json.dumps({"seq": message["seq"], "status": "ok", "outputs": {"output": output}}), flush=True)
"#,
    );
    if !crate::adapters::has_python() {
        return;
    }
    let example = "ru8/tensorflow/i32/spec-example-3";
    // 65 70 56 59 82 92
    let right = "4100000046000000380000003b000000520000005c000000";
    let run = [
        "run",
        "--reading",
        "auto",
        "--repeat",
        "1",
        example,
        "--",
        "python3",
        "changing.py",
    ];
    place.seedproof(&run).exits(1).says("not-repeatable");
    // The first answer is right, and the second one is not.
    place
        .seedproof(&[&run[..], &[right]].concat())
        .exits(1)
        .says("not-repeatable");
}

/// An implementation in this process shows the stages of its computation, to the run after the search as well.
#[test]
fn auto_hides_nothing_of_the_implementation() {
    let place = Place::new();
    place.write(
        "wrong.toml",
        r#"[[reading]]
name = "wrong"
observed = "our plugin of 2027"
answers = { "philox.rounds" = "9" }
"#,
    );
    let args = [
        "run",
        "--backend",
        "readings/wrong.toml",
        "--reading",
        "auto",
        EXAMPLE,
    ];
    place
        .seedproof(&args)
        .exits(1)
        .says("readings/wrong: no named reading explains any of its 1 answers; judged against spec")
        .never_says("ambiguous")
        .says("WORDS differ · UNIT INTERVAL differs · SCALE differs");
    assert!(
        place
            .read("reports/out/index.html")
            .contains("our plugin of 2027")
    );
}

/// The documents say nothing of ONNX's normals.
#[test]
fn auto_counts_the_answers_that_its_reading_leaves_open() {
    let place = Place::new();
    place.write(
        "both.toml",
        r#"[[reading]]
name = "both"
observed = "nowhere"
has = ["openvino.RandomUniform-8", "onnx.RandomNormal"]
answers = { "onnx.random.draws" = "NumPy's RandomState, seeded in every run" }
"#,
    );
    let args = [
        "run",
        "--backend",
        "readings/both.toml",
        "--reading",
        "auto",
        EXAMPLE,
        "orn/f32/capture-onnx-14",
    ];
    place
        .seedproof(&args)
        .exits(0)
        .says("readings/both: the reading spec explains it best, 1 of 2 answers; judged against it");
}

#[test]
fn auto_is_about_one_implementation() {
    let several = [
        "run",
        "--backend",
        "reference",
        "--backend",
        "readings/spec",
        "--reading",
        "auto",
        "dml/*",
    ];
    Place::new()
        .seedproof(&several)
        .exits(2)
        .complains("--reading auto works for one implementation at a time");
}

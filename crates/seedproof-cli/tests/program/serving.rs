//! `seedproof serve`: the protocol of adapters, from the adapter's side.

use serde_json::{Value, json};

use crate::{Place, Ran};

const HELLO: &str = r#"{"cmd":"hello","protocol":1,"harness":"test 1","max_body":1000000}"#;

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

fn uniform(seq: u64, dtype: &str, alignment: &str, maxval: &str) -> Value {
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

//! The schemas in `docs/protocol/` against real messages of both sides: each accepts its own, and refuses them once
//! they are spoilt.

use std::path::Path;

use jsonschema::Validator;
use seedproof_ops::{Backend, Want};
use seedproof_wire::{AdapterBackend, Framing, Options, serve};
use serde_json::{Value, json};

use crate::common::{misbehaving, part};
use crate::requests::{dml, requests, seeded, uniform};
use crate::toy::Toy;

fn schema(name: &str) -> Validator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol");
    let text = std::fs::read_to_string(folder.join(format!("{name}.schema.json"))).expect("it is committed");
    let schema = serde_json::from_str(&text).expect("it is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("it is a schema");
    jsonschema::draft202012::new(&schema).expect("it refers to itself alone")
}

fn assert_valid(schema: &Validator, message: &Value) {
    let errors: Vec<String> = schema
        .iter_errors(message)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{message}: {errors:?}");
}

/// The JSON of what was written, of frames the header.
fn header(bytes: &[u8]) -> Value {
    let json = match bytes.strip_prefix(b"SPW1") {
        Some(rest) => {
            let length = u32::from_le_bytes(rest[..4].try_into().expect("four bytes"));
            &rest[12..][..usize::try_from(length).expect("a small header")]
        }
        None => bytes,
    };
    serde_json::from_slice(json).expect("messages are JSON")
}

/// Requests and replies of every form, as they travel.
fn conversation(framing: &str) -> Vec<(Value, Value)> {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let options = Options {
        debug_frames: Some(folder.path().to_owned()),
        ..Options::default()
    };
    let adapter = AdapterBackend::start(misbehaving(&["good", framing]), options).expect("it starts");
    let mut seen = Vec::new();
    let mut keep = || {
        let read = |name: &str| header(&std::fs::read(folder.path().join(name)).expect("it was kept"));
        seen.push((read("child-0.request"), read("child-0.reply")));
    };
    for request in requests() {
        adapter.run(&request).expect("the toy answers");
        keep();
    }
    for seed in [Toy::PANICS, Toy::UNSUPPORTED] {
        adapter.run(&seeded(1, seed)).expect_err("it does not");
        keep();
    }
    let seedproof_ops::Request::RandomUniform(empty) = uniform(1) else {
        unreachable!("it is one");
    };
    let empty = seedproof_ops::RandomUniform {
        maxval: empty.minval.clone(),
        ..empty
    };
    adapter
        .run(&seedproof_ops::Request::RandomUniform(empty))
        .expect_err("the range is empty");
    keep();
    for request in [uniform(70_000), dml(true)] {
        for want in [Want::Digest, Want::Window { start: 3, count: 2 }] {
            part(&adapter, &request, want).expect("the toy answers");
            keep();
        }
    }
    seen
}

#[test]
fn schemas_accept_what_travels() {
    let run = schema("run");
    for framing in ["lines", "frames"] {
        let mut seen = std::collections::BTreeSet::new();
        for (request, reply) in conversation(framing) {
            assert_valid(&run, &request);
            let status = reply["status"].as_str().expect("replies have a status");
            assert_valid(&schema(&format!("reply-{status}")), &reply);
            seen.insert(status.to_owned());
        }
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            ["error", "ok", "rejected", "unsupported"]
        );
    }
    let hello = json!({"cmd": "hello", "protocol": 1, "harness": "seedproof 0.1.0", "max_body": 268_435_456});
    assert_valid(&schema("hello"), &hello);
    assert_valid(&schema("bye"), &json!({"cmd": "bye"}));
    for framing in [Framing::Lines, Framing::Frames] {
        let mut output = Vec::new();
        serve(&Toy::new(), framing, hello.to_string().as_bytes(), &mut output).unwrap();
        assert_valid(&schema("hello-reply"), &header(&output));
    }
}

/// Every way to spoil a message that a closed protocol notices: a field more, a required field less, another type.
fn spoilt(message: &Value, required: &[&str]) -> Vec<Value> {
    let fields = message.as_object().expect("messages are objects");
    let mut all = vec![json!([message])];
    let mut more = fields.clone();
    more.insert("comment".into(), json!("x"));
    all.push(more.into());
    for (name, _) in fields {
        let mut other = fields.clone();
        other[name] = json!({"not": "this"});
        all.push(other.into());
        if required.contains(&name.as_str()) {
            let mut fewer = fields.clone();
            fewer.remove(name);
            all.push(fewer.into());
        }
    }
    all
}

#[test]
fn schemas_refuse_what_is_spoilt() {
    let digest = json!({"dtype": "f32", "shape": [1], "chunks": ["ab".repeat(32)]});
    let examples = [
        (
            "hello",
            json!({"cmd": "hello", "protocol": 1, "harness": "x", "max_body": 1}),
            &["cmd", "protocol", "harness", "max_body"][..],
        ),
        ("bye", json!({"cmd": "bye"}), &["cmd"]),
        (
            "reply-ok",
            json!({"seq": 1, "status": "ok", "outputs": {"output": digest}, "elapsed_ns": 1}),
            &["seq", "status", "outputs"],
        ),
        (
            "reply-rejected",
            json!({"seq": 1, "status": "rejected", "reason": "x", "kind": "range"}),
            &["seq", "status", "reason"],
        ),
        (
            "reply-unsupported",
            json!({"seq": 1, "status": "unsupported", "reason": "x", "issue": "y"}),
            &["seq", "status", "reason"],
        ),
        (
            "reply-error",
            json!({"seq": null, "status": "error", "message": "x", "trace": "y"}),
            &["seq", "status", "message"],
        ),
    ];
    for (name, message, required) in examples {
        let schema = schema(name);
        assert_valid(&schema, &message);
        for spoilt in spoilt(&message, required) {
            assert!(!schema.is_valid(&spoilt), "{name} accepts {spoilt}");
        }
    }
    let run = schema("run");
    for (request, _) in conversation("lines") {
        for spoilt in spoilt(&request, &["cmd", "seq", "op", "attrs", "inputs"]) {
            assert!(!run.is_valid(&spoilt), "run accepts {spoilt}");
        }
        for part in ["attrs", "inputs"] {
            let names: Vec<&str> = request[part]
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            let required: Vec<&str> = names.into_iter().filter(|&name| name != "draws").collect();
            for spoilt in spoilt(&request[part], &required) {
                let mut other = request.clone();
                other[part] = spoilt;
                assert!(!run.is_valid(&other), "run accepts {other}");
            }
        }
    }
}

#[test]
fn schemas_know_tensors_by_framing() {
    let ok = schema("reply-ok");
    let with = |tensor: Value| json!({"seq": 1, "status": "ok", "outputs": {"output": tensor}});
    for tensor in [
        json!({"dtype": "f32", "shape": [1], "hex": "0000803f"}),
        json!({"dtype": "f32", "shape": [1], "offset": 8, "length": 4}),
        json!({"dtype": "f32", "shape": [9], "window": [8, 1], "hex": "0000803f"}),
    ] {
        assert_valid(&ok, &with(tensor));
    }
    for tensor in [
        json!({"dtype": "f32", "shape": [1]}),
        json!({"dtype": "f32", "shape": [1], "hex": "000"}),
        json!({"dtype": "f8", "shape": [1], "hex": "00"}),
        json!({"dtype": "f32", "shape": [-1], "hex": ""}),
        json!({"dtype": "f32", "shape": [1], "offset": 4, "length": 4}),
        json!({"dtype": "f32", "shape": [1], "offset": 8}),
        json!({"dtype": "f32", "shape": [1], "offset": 8, "length": 4, "hex": "0000803f"}),
        json!({"dtype": "f32", "shape": [1], "chunks": ["ab"]}),
        json!({"dtype": "f32", "shape": [1], "chunks": ["ab".repeat(32)], "window": [0, 1]}),
    ] {
        assert!(!ok.is_valid(&with(tensor.clone())), "{tensor}");
    }
}

#[test]
fn schemas_hold_for_the_examples_of_the_guide() {
    let guide = include_str!("../../../../docs/protocol.md");
    let mut found = 0;
    for block in guide.split("```json\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for message in serde_json::Deserializer::from_str(&abbreviated(block)).into_iter::<Value>() {
            let message = message.unwrap_or_else(|error| panic!("{block}: {error}"));
            let name = match (message.get("cmd"), message.get("status")) {
                (Some(cmd), _) => cmd.as_str().unwrap().to_owned(),
                (_, Some(status)) => format!("reply-{}", status.as_str().unwrap()),
                _ => "hello-reply".to_owned(),
            };
            assert_valid(&schema(&name), &message);
            found += 1;
        }
    }
    assert_eq!(found, 10, "a new example is counted here");
}

/// The guide shortens bytes with `…`; hex stays hex without it, and sums get their length back.
fn abbreviated(block: &str) -> String {
    let sum = "ab".repeat(32);
    block
        .replace("9f86d0…", &sum)
        .replace("60303a…", &sum)
        .replace("\"hex\":\"…\"", "\"hex\":\"\"")
}

use proptest::prelude::*;
use seedproof_ops::{Named as _, OpName};
use serde_json::{Value as Json, json};

use super::*;
use crate::requests::{dml, multinomial, seeded, uniform};
use crate::toy::Toy;

/// What the toy replies to some lines.
fn replies(input: &[u8]) -> Vec<Json> {
    let mut output = Vec::new();
    serve(&Toy::new(), Framing::Lines, input, &mut output).unwrap();
    let lines = output.split(|&b| b == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

fn run(seq: u64, want: &Json) -> String {
    let request = json!({
        "cmd": "run", "seq": seq, "op": "directml.RandomGenerator", "want": want,
        "attrs": {"type": "PHILOX_4X32_10", "feature_level": "4.0", "output_sizes": [2], "output_state": false},
        "inputs": {"input_state": {"dtype": "u32", "shape": [1], "hex": "00000000"}},
    });
    format!("{request}\n")
}

#[test]
fn serve_introduces_itself() {
    let hello = br#"{"cmd":"hello","protocol":1,"harness":"x 1","max_body":1000}"#;
    let all = OpName::NAMES.iter().map(|&op| match op {
        "openvino.Multinomial-13" => json!({"op": op, "features": ["digest", "draws", "window"]}),
        "directml.RandomGenerator" => json!({"op": op, "features": ["digest", "output_state", "window"]}),
        "onnx.RandomUniform" => json!({"op": op, "features": ["digest", "offset", "seed", "window"]}),
        "onnx.RandomNormal"
        | "onnx.RandomUniformLike"
        | "onnx.RandomNormalLike"
        | "onnx.Bernoulli"
        | "onnx.Multinomial" => json!({"op": op, "features": ["digest", "seed", "window"]}),
        "curand.Philox4_32_10" => json!({"op": op, "features": ["digest", "mean", "stddev", "window"]}),
        "onnx.SplitPRNG" => json!({"op": op, "features": ["data", "digest", "window"]}),
        _ => json!({"op": op, "features": ["digest", "window"]}),
    });
    let all: Vec<Json> = all.collect();
    let expected = json!({
        "protocol": 1, "framing": "lines",
        "implementation": {
            "name": "toy", "version": env!("CARGO_PKG_VERSION"), "language": "rust", "device": "toy",
        },
        "capabilities": all,
    });
    assert_eq!(replies(hello), [expected]);
}

#[test]
fn serve_announces_what_it_is_told() {
    let backend = Toy::new();
    let server = Server {
        backend: &backend,
        framing: Framing::Frames,
        capabilities: Capabilities::default(),
    };
    let mut output = Vec::new();
    let hello = b"{\"cmd\":\"hello\",\"protocol\":1,\"harness\":\"x 1\",\"max_body\":1000}\n";
    server.serve(hello.as_slice(), &mut output).unwrap();
    let hello: Json = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        (&hello["framing"], &hello["capabilities"]),
        (&json!("frames"), &json!([]))
    );
}

#[test]
fn serve_answers_and_ends_at_bye() {
    let input = [
        run(3, &json!("full")),
        "{\"cmd\":\"bye\"}\n".into(),
        run(4, &json!("full")),
    ]
    .concat();
    let replies = replies(input.as_bytes());
    assert_eq!(replies.len(), 1, "nothing is answered after bye");
    assert_eq!(replies[0]["seq"], json!(3));
    let output = json!({"dtype": "u32", "shape": [2], "hex": "0001020304050607"});
    assert_eq!(replies[0]["outputs"], json!({"output": output}));
    assert!(replies[0]["elapsed_ns"].is_u64());
}

#[test]
fn serve_survives_what_does_not_parse() {
    let good = run(9, &json!("full"));
    let edited = |from: &str, to: &str| {
        assert!(good.contains(from));
        good.replace(from, to).trim_end().to_owned()
    };
    let table = [
        ("hello".to_owned(), Json::Null),
        (String::new(), Json::Null),
        ("[1]".to_owned(), Json::Null),
        ("{\"seq\":5".to_owned(), Json::Null),
        (edited("\"cmd\":\"run\",", ""), json!(9)),
        (edited("\"run\"", "\"walk\""), json!(9)),
        (edited("\"seq\":9", "\"seq\":\"9\""), Json::Null),
        (edited("\"feature_level\":\"4.0\",", ""), json!(9)),
        (edited("00000000", "0000000"), json!(9)),
        (edited("\"output_sizes\":[2]", "\"output_sizes\":[-2]"), json!(9)),
        (
            edited("\"want\":\"full\"", "\"want\":{\"window\":[1,2]}"),
            json!(9),
        ),
        ("{\"cmd\":\"bye\",\"now\":true}".to_owned(), Json::Null),
        (
            "{\"cmd\":\"hello\",\"protocol\":2,\"harness\":\"x\",\"max_body\":1}".to_owned(),
            Json::Null,
        ),
    ];
    for (line, seq) in table {
        let replies = replies(format!("{line}\n{good}").as_bytes());
        let [error, ok] = replies.as_slice() else {
            panic!("{line}: {replies:?}");
        };
        assert_eq!(
            (&error["status"], &error["seq"]),
            (&json!("error"), &seq),
            "{line}: {error}"
        );
        assert_eq!(ok["status"], "ok", "{line}");
    }
}

#[test]
fn serve_answers_a_seed_over_u64_with_an_error() {
    let one = uniform(1);
    let request = crate::request::encode(
        Framing::Lines,
        crate::request::Envelope {
            seq: 2,
            case: "",
            want: Want::Full,
            deadline_ms: 60_000,
        },
        &one,
    );
    let mut line = Vec::new();
    request.write(Framing::Lines, &mut line).unwrap();
    let line = String::from_utf8(line)
        .unwrap()
        .replace("18446744073709551615", "18446744073709551616");
    let reply = &replies(line.as_bytes())[0];
    assert_eq!((&reply["status"], &reply["seq"]), (&json!("error"), &json!(2)));
    assert!(
        reply["message"]
            .as_str()
            .unwrap()
            .contains("18446744073709551616")
    );
}

#[test]
fn serve_survives_a_panic() {
    let [panics, unsupported, fine] = [Toy::PANICS, Toy::UNSUPPORTED, 1].map(|seed| seeded(1, seed));
    let mut input = Vec::new();
    for request in [&panics, &unsupported, &fine] {
        let envelope = crate::request::Envelope {
            seq: 2,
            case: "",
            want: Want::Full,
            deadline_ms: 60_000,
        };
        let message = crate::request::encode(Framing::Lines, envelope, request);
        message.write(Framing::Lines, &mut input).unwrap();
    }
    let replies = replies(&input);
    let statuses: Vec<_> = replies
        .iter()
        .map(|reply| reply["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["error", "unsupported", "ok"]);
    assert!(
        replies[0]["message"]
            .as_str()
            .unwrap()
            .contains("a panic was asked for")
    );
}

#[test]
fn serve_honours_a_deadline() {
    let mut input = Vec::new();
    let slow = seeded(1, Toy::SLOW);
    let fast = seeded(1, 1);
    for (seq, request, deadline_ms) in [
        (1, &slow, 50),
        (2, &fast, 50),
        (3, &fast, 60_000),
        (4, &fast, 60_000),
    ] {
        let envelope = crate::request::Envelope {
            seq,
            case: "",
            want: Want::Full,
            deadline_ms,
        };
        let message = crate::request::encode(Framing::Lines, envelope, request);
        message.write(Framing::Lines, &mut input).unwrap();
    }
    let replies = replies(&input);
    let told: Vec<_> = replies
        .iter()
        .map(|reply| reply["status"].as_str().unwrap())
        .collect();
    assert_eq!(told, ["error", "error", "ok", "ok"], "one computation at a time");
    assert!(
        replies[0]["message"]
            .as_str()
            .unwrap()
            .contains("deadline of 50 ms")
    );
    assert_eq!(
        replies[2]["outputs"], replies[3]["outputs"],
        "a late answer is nobody's"
    );
}

#[test]
fn serve_gives_windows_and_digests() {
    let input = [run(1, &json!({"window": [1, 1]})), run(2, &json!("digest"))].concat();
    let replies = replies(input.as_bytes());
    let window = json!({"dtype": "u32", "shape": [2], "window": [1, 1], "hex": "04050607"});
    assert_eq!(replies[0]["outputs"]["output"], window);
    let sum = data_encoding::HEXLOWER
        .encode(&Digest::of(&Tensor::vector(&[0x0302_0100_u32, 0x0706_0504])).chunks[0]);
    assert_eq!(
        replies[1]["outputs"]["output"],
        json!({"dtype": "u32", "shape": [2], "chunks": [sum]})
    );
}

#[test]
fn serve_sends_no_more_than_the_harness_takes() {
    let hello = "{\"cmd\":\"hello\",\"protocol\":1,\"harness\":\"x\",\"max_body\":7}\n";
    let input = [
        hello,
        &run(1, &json!("full")),
        &run(2, &json!({"window": [0, 1]})),
        &run(3, &json!({"window": [0, 2]})),
    ]
    .concat();
    let replies = replies(input.as_bytes());
    assert_eq!(replies[1]["status"], "unsupported");
    assert_eq!(replies[2]["status"], "ok");
    assert_eq!(
        replies[3]["reason"],
        "send 8 bytes of output: the harness takes at most 7"
    );
}

#[test]
fn serve_shows_a_digest_that_the_backend_made() {
    let digest = Digest::of(&Tensor::vector(&[1_u32, 2]));
    let value = Value::Digest(digest.clone(), vec![Tensor::vector(&[9_u32, 9])]);
    let (first, more) = shown(&value, Want::Digest, 8).unwrap();
    assert!(matches!(first, Shown::Digest(found) if found == digest));
    assert_eq!(more, [Tensor::vector(&[9_u32, 9])]);
    assert!(matches!(
        shown(&value, Want::Digest, 7),
        Err(Failure::Unsupported(_))
    ));
    assert!(matches!(shown(&value, Want::Full, 8), Err(Failure::Broken(_))));
}

#[test]
fn serve_reads_over_what_is_too_long() {
    let hello = "{\"cmd\":\"hello\",\"protocol\":1,\"harness\":\"x\",\"max_body\":8}\n";
    let long = "x".repeat((1 << 20) + 17);
    let input = [hello, &long, "\n", &run(1, &json!("full"))].concat();
    let replies = replies(input.as_bytes());
    assert!(
        replies[1]["message"]
            .as_str()
            .unwrap()
            .contains("line of over 1048592 bytes")
    );
    assert_eq!((&replies[1]["seq"], &replies[2]["seq"]), (&Json::Null, &json!(1)));
}

#[test]
fn serve_frames_follow_the_hello_line() {
    let hello = b"{\"cmd\":\"hello\",\"protocol\":1,\"harness\":\"x\",\"max_body\":1000}\n";
    let mut input = hello.to_vec();
    for (seq, request) in [(1, dml(true)), (2, multinomial(None))] {
        let envelope = crate::request::Envelope {
            seq,
            case: "",
            want: Want::Full,
            deadline_ms: 60_000,
        };
        crate::request::encode(Framing::Frames, envelope, &request)
            .write(Framing::Frames, &mut input)
            .unwrap();
    }
    let mut output = Vec::new();
    serve(&Toy::new(), Framing::Frames, input.as_slice(), &mut output).unwrap();
    let mut output = output.as_slice();
    output.skip_until(b'\n').unwrap();
    let limits = Limits {
        message: 1 << 20,
        body: 1000,
    };
    let mut next = || {
        framing::read(Framing::Frames, &mut output, limits)
            .unwrap()
            .unwrap()
    };
    let first = next();
    let header: Json = serde_json::from_slice(&first.header).unwrap();
    assert_eq!(
        header["outputs"]["output_state"],
        json!({"dtype": "u32", "shape": [1, 1, 1, 6], "offset": 80, "length": 24})
    );
    assert_eq!(first.body.len(), 104);
    assert_eq!(next().body.len(), 80);
    for end in [b"what?".as_slice(), b"SPW1"] {
        let input = [&input, end].concat();
        let broken = serve(&Toy::new(), Framing::Frames, input.as_slice(), Vec::new());
        assert_eq!(broken.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn serve_replies_to_every_line_of_anything(input in prop::collection::vec(any::<u8>(), 0..300)) {
        let lines = input.split(|&b| b == b'\n').count() - usize::from(input.last().is_none_or(|&b| b == b'\n'));
        let replies = replies(&input);
        prop_assert_eq!(replies.len(), lines);
        prop_assert!(replies.iter().all(|reply| reply["status"] == "error" && reply["seq"].is_null()));
    }

    #[test]
    fn serve_survives_edits(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        frames in any::<bool>(),
    ) {
        let framing = if frames { Framing::Frames } else { Framing::Lines };
        let hello = b"{\"cmd\":\"hello\",\"protocol\":1,\"harness\":\"x\",\"max_body\":1000}\n";
        let mut input = hello.to_vec();
        let envelope = crate::request::Envelope { seq: 1, case: "", want: Want::Full, deadline_ms: 60_000 };
        crate::request::encode(framing, envelope, &dml(true)).write(framing, &mut input).unwrap();
        for (at, byte) in edits {
            let at = at.index(input.len());
            input[at] = byte;
        }
        let mut output = Vec::new();
        let _ = serve(&Toy::new(), framing, input.as_slice(), &mut output);
        prop_assert!(!output.is_empty(), "something is always said");
    }
}

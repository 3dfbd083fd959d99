use proptest::prelude::*;
use seedproof_ops::{Dtype, Fault, FaultKind, Shape};
use serde_json::{Value as Json, json};

use super::*;
use crate::framing::{self, Limits};

const FULL: Asked = Asked {
    seq: 7,
    want: Want::Full,
    state: false,
};

fn output() -> Tensor {
    Tensor::from_elements(Shape::new(&[1, 5]).unwrap(), &[1_u32, 2, 3, 4, 5]).unwrap()
}

fn state() -> Tensor {
    Tensor::vector(&[9_u32; 6])
}

fn travel(framing: Framing, message: &Outgoing<'_>) -> Message {
    let mut bytes = Vec::new();
    message.write(framing, &mut bytes).unwrap();
    let limits = Limits {
        message: 1 << 20,
        body: 1 << 20,
    };
    framing::read(framing, &mut bytes.as_slice(), limits)
        .unwrap()
        .unwrap()
}

fn read(json: &Json, asked: Asked) -> Result<Reply, String> {
    decode(
        Framing::Lines,
        Message {
            header: json.to_string().into_bytes(),
            body: Vec::new(),
        },
        asked,
    )
}

fn ok(output: &Json) -> Json {
    json!({"seq": 7, "status": "ok", "outputs": {"output": output}})
}

#[test]
fn reply_value_travels_unchanged() {
    let (output, state) = (output(), state());
    for framing in [Framing::Lines, Framing::Frames] {
        for state in [None, Some(state.clone())] {
            let shown = Shown::Full(&output);
            let sent = encode_ok(framing, 7, shown, state.as_ref(), Duration::from_nanos(81));
            let asked = Asked {
                state: state.is_some(),
                ..FULL
            };
            let reply = decode(framing, travel(framing, &sent), asked).unwrap();
            assert_eq!(
                reply.result,
                Ok(Value::Full(Response {
                    output: output.clone(),
                    state
                }))
            );
        }
    }
}

#[test]
fn reply_window_and_digest_travel_unchanged() {
    let output = output();
    let digest = Digest {
        dtype: Dtype::U32,
        shape: Shape::vector(65_537),
        chunks: vec![[1; 32], [0xab; 32]],
    };
    for framing in [Framing::Lines, Framing::Frames] {
        let sent = encode_ok(framing, 7, Shown::Window(&output, 1, 3), None, Duration::ZERO);
        let asked = Asked {
            want: Want::Window([1, 3]),
            ..FULL
        };
        let reply = decode(framing, travel(framing, &sent), asked).unwrap();
        assert_eq!(reply.result, Ok(Value::Window(Tensor::vector(&[2_u32, 3, 4]))));
        let other = Asked {
            want: Want::Window([1, 4]),
            ..FULL
        };
        assert!(decode(framing, travel(framing, &sent), other).is_err());
        assert!(decode(framing, travel(framing, &sent), FULL).is_err());

        let sent = encode_ok(framing, 7, Shown::Digest(digest.clone()), None, Duration::ZERO);
        let asked = Asked {
            want: Want::Digest,
            ..FULL
        };
        let reply = decode(framing, travel(framing, &sent), asked).unwrap();
        assert_eq!(reply.result, Ok(Value::Digest(digest.clone())));
        assert!(decode(framing, travel(framing, &sent), FULL).is_err());
    }
}

#[test]
fn reply_failure_travels_unchanged() {
    let rejections = ErrorKind::ALL.iter().map(|&kind| Failure::rejected(kind, "no"));
    let silent = Failure::Rejected(OpError {
        kind: None,
        message: "no".into(),
    });
    let others = [
        silent,
        Failure::Unsupported("bf16".into()),
        Failure::error("broke"),
    ];
    for failure in rejections.chain(others) {
        let sent = encode_failure(Some(7), failure.clone());
        for framing in [Framing::Lines, Framing::Frames] {
            let reply = decode(framing, travel(framing, &sent), FULL).unwrap();
            assert_eq!(reply.result, Err(failure.clone()));
        }
    }
}

#[test]
fn reply_other_faults_are_errors_on_the_wire() {
    let fault = Failure::Broken(Fault {
        kind: FaultKind::Timeout,
        message: "slow".into(),
    });
    let reply = decode(
        Framing::Lines,
        travel(Framing::Lines, &encode_failure(Some(7), fault)),
        FULL,
    )
    .unwrap();
    assert_eq!(reply.result, Err(Failure::error("slow")));
}

#[test]
fn reply_to_what_did_not_parse_belongs_to_the_request_in_flight() {
    let error = json!({"seq": null, "status": "error", "message": "what?", "trace": "at main"});
    let reply = read(&error, FULL).unwrap();
    assert_eq!(
        (reply.result, reply.trace),
        (Err(Failure::error("what?")), Some("at main".into()))
    );
    assert!(read(&json!({"seq": null, "status": "rejected", "reason": "x"}), FULL).is_err());
    assert!(read(&json!({"seq": 8, "status": "error", "message": "what?"}), FULL).is_err());
}

#[test]
fn reply_that_breaks_the_protocol_says_how() {
    let tensor = json!({"dtype": "u32", "shape": [1], "hex": "01000000"});
    assert!(read(&ok(&tensor), FULL).is_ok());
    let with = |key: &str, value: Json| {
        let mut json = ok(&tensor);
        json[key] = value;
        json
    };
    let bare = |key: &str, value: Json| {
        let mut json = tensor.clone();
        json[key] = value;
        ok(&json)
    };
    let table = [
        (json!("hello"), "does the program print to stdout?"),
        (json!([7, "ok"]), "a JSON object"),
        (with("seq", json!(8)), "its seq is 8 where 7 was asked"),
        (with("seq", json!("7")), "its seq is none where 7 was asked"),
        (with("status", json!("fine")), "no status that is known"),
        (with("elapsed", json!(5)), "unknown field `elapsed`"),
        (with("elapsed_ns", json!(null)), "expected u64"),
        (with("outputs", json!({})), "missing field `output`"),
        (
            with("outputs", json!({"output": tensor, "output_state": tensor})),
            "was not asked for",
        ),
        (bare("dtype", json!("f8")), "recognise the element type `f8`"),
        (bare("hex", json!("0100000")), "7 digits"),
        (bare("hex", json!("")), "it takes 4 bytes, not 0"),
        (bare("shape", json!([2])), "it takes 8 bytes, not 4"),
        (
            bare("shape", json!([1_u64 << 63, 2])),
            "does not fit this machine",
        ),
        (bare("offset", json!(0)), "under `lines`"),
        (bare("window", json!([0, 1])), "was not asked for"),
        (bare("chunks", json!([])), "were not asked for"),
        (json!({"seq": 7, "status": "rejected"}), "missing field `reason`"),
        (
            json!({"seq": 7, "status": "rejected", "reason": "x", "kind": "bad"}),
            "`bad` is no kind",
        ),
        (
            json!({"seq": 7, "status": "unsupported", "reason": "x", "outputs": {}}),
            "unknown field `outputs`",
        ),
        (json!({"seq": 7, "status": "error"}), "missing field `message`"),
        (json!({"status": "error", "message": "x"}), "missing field `seq`"),
    ];
    for (json, words) in table {
        let error = read(&json, FULL).unwrap_err();
        assert!(error.contains(words), "{json}: {error}");
    }
}

#[test]
fn reply_digest_has_one_sum_per_chunk() {
    let asked = Asked {
        want: Want::Digest,
        ..FULL
    };
    let digest = |count: u64, sums: &[&str]| {
        read(
            &ok(&json!({"dtype": "f64", "shape": [count], "chunks": sums})),
            asked,
        )
    };
    let sum = "ab".repeat(32);
    assert!(digest(65_536, &[&sum]).is_ok());
    assert!(digest(0, &[]).is_ok());
    assert!(
        digest(65_537, &[&sum])
            .unwrap_err()
            .contains("it has 2 chunks, not 1")
    );
    assert!(digest(1, &[&sum[2..]]).unwrap_err().contains("64 digits"));
    let both = json!({"dtype": "f64", "shape": [0], "chunks": [], "hex": ""});
    assert!(read(&ok(&both), asked).unwrap_err().contains("nothing else"));
}

#[test]
fn reply_body_without_tensors_is_empty() {
    for header in [
        r#"{"seq":7,"status":"rejected","reason":"x"}"#,
        r#"{"seq":7,"status":"unsupported","reason":"x"}"#,
        r#"{"seq":7,"status":"error","message":"x"}"#,
    ] {
        let message = Message {
            header: header.into(),
            body: vec![0],
        };
        assert!(
            decode(Framing::Frames, message, FULL)
                .unwrap_err()
                .contains("no tensor uses those from 0 on")
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn reply_of_arbitrary_bytes_is_no_value(
        header in prop::collection::vec(any::<u8>(), 0..200),
        body in prop::collection::vec(any::<u8>(), 0..50),
        frames in any::<bool>(),
    ) {
        let framing = if frames { Framing::Frames } else { Framing::Lines };
        let reply = decode(framing, Message { header, body }, FULL);
        prop_assert!(reply.is_err());
    }

    #[test]
    fn reply_edited_anywhere_is_read_or_refused(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in 0_usize..3,
        frames in any::<bool>(),
    ) {
        let framing = if frames { Framing::Frames } else { Framing::Lines };
        let (output, state) = (output(), state());
        let sent = encode_ok(framing, 7, Shown::Full(&output), Some(&state), Duration::ZERO);
        let Message { mut header, mut body } = travel(framing, &sent);
        let at = at.index(header.len());
        header[at] = byte;
        header.truncate(header.len() - cut.min(header.len()));
        body.truncate(body.len() - cut.min(body.len()));
        let size = header.len() + body.len();
        if let Ok(Reply { result: Ok(Value::Full(response)), .. }) =
            decode(framing, Message { header, body }, Asked { state: true, ..FULL })
        {
            prop_assert!(response.output.bytes().len() <= size);
        }
    }
}

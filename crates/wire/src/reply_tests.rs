use proptest::prelude::*;
use seedproof_ops::{Dtype, Fault, FaultKind, Shape};
use serde_json::{Value as Json, json};

use super::*;
use crate::framing::{self, Limits};

/// The form of a right reply to a request for the output of DirectML's generator, with or without its state.
fn asked(want: Want, state: bool) -> Asked {
    Asked {
        seq: 7,
        want,
        outputs: crate::requests::dml(state).outputs(),
    }
}

fn full() -> Asked {
    asked(Want::Full, false)
}

fn output() -> Tensor {
    Tensor::from_elements(Shape::new(&[1, 5]).unwrap(), &[1_u32, 2, 3, 4, 5]).unwrap()
}

fn state() -> Tensor {
    Tensor::vector(&[9_u32; 6])
}

#[test]
fn reply_is_read_as_far_as_what_was_asked_for_may_take() {
    // 196,608 elements of 4 bytes.
    let request = crate::requests::uniform(3 << 16);
    for (framing, want, bytes) in [
        (Framing::Frames, Want::Full, 786_432),
        (Framing::Lines, Want::Full, 1_572_864),
        (Framing::Frames, Want::Digest, 1536),
        (Framing::Lines, Want::Digest, 3072),
        (Framing::Frames, Want::Window { start: 5, count: 9 }, 72),
    ] {
        let limits = limits(framing, &request, want, 1 << 20);
        let expected = Limits {
            message: bytes + (1 << 20),
            body: 1 << 20,
        };
        assert_eq!(limits, expected, "{want:?}");
    }
    let cut = limits(Framing::Lines, &request, Want::Full, 1000);
    assert_eq!((cut.message, cut.body), (2000 + (1 << 20), 1000));
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

fn read(json: &Json, asked: &Asked) -> Result<Reply, String> {
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
        for more in [vec![], vec![state.clone()]] {
            let asked = asked(Want::Full, !more.is_empty());
            let elapsed = Duration::from_nanos(81);
            let sent = encode_ok(framing, 7, &asked.outputs, &Shown::Full(&output), &more, elapsed);
            let reply = decode(framing, travel(framing, &sent), &asked).unwrap();
            assert_eq!(
                reply.result,
                Ok(Value::Full(Response {
                    output: output.clone(),
                    more: more.clone(),
                }))
            );
        }
    }
}

#[test]
fn reply_may_have_its_outputs_in_any_order_in_its_body() {
    let header = json!({"seq": 7, "status": "ok", "outputs": {
        "output": {"dtype": "u32", "shape": [1, 5], "offset": 24, "length": 20},
        "output_state": {"dtype": "u32", "shape": [6], "offset": 0, "length": 24},
    }});
    let message = Message {
        header: header.to_string().into_bytes(),
        body: [state().bytes(), output().bytes()].concat(),
    };
    let reply = decode(Framing::Frames, message, &asked(Want::Full, true)).unwrap();
    let expected = Response {
        output: output(),
        more: vec![state()],
    };
    assert_eq!(reply.result, Ok(Value::Full(expected)));
}

#[test]
fn reply_body_has_nothing_between_its_outputs() {
    let placed = |first: usize, second: usize| {
        let header = json!({"seq": 7, "status": "ok", "outputs": {
            "output": {"dtype": "u32", "shape": [1, 5], "offset": second, "length": 20},
            "output_state": {"dtype": "u32", "shape": [6], "offset": first, "length": 24},
        }});
        let mut body = vec![0; second + 20];
        body[first..first + 24].copy_from_slice(state().bytes());
        body[second..].copy_from_slice(output().bytes());
        let header = header.to_string().into_bytes();
        decode(
            Framing::Frames,
            Message { header, body },
            &asked(Want::Full, true),
        )
    };
    assert!(placed(0, 24).unwrap().result.is_ok());
    for (first, second, from) in [(0, 88, 24), (64, 88, 0)] {
        let error = format!("{:?}", placed(first, second));
        assert!(
            error.contains(&format!("no tensor uses those from {from} on")),
            "{error}"
        );
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
    let more = vec![state()];
    let window = |start, count| asked(Want::Window { start, count }, true);
    let with_state = asked(Want::Full, true);
    for framing in [Framing::Lines, Framing::Frames] {
        let send = |shown: &Shown<'_>| {
            let sent = encode_ok(framing, 7, &with_state.outputs, shown, &more, Duration::ZERO);
            travel(framing, &sent)
        };
        let shown = Shown::Window(&output, 1, 3);
        let reply = decode(framing, send(&shown), &window(1, 3)).unwrap();
        assert_eq!(reply.result, Ok(Value::Window(Tensor::vector(&[2_u32, 3, 4]))));
        assert!(decode(framing, send(&shown), &window(1, 4)).is_err());
        assert!(decode(framing, send(&shown), &with_state).is_err());

        let shown = Shown::Digest(digest.clone());
        let reply = decode(framing, send(&shown), &asked(Want::Digest, true)).unwrap();
        assert_eq!(reply.result, Ok(Value::Digest(digest.clone(), more.clone())));
        assert!(decode(framing, send(&shown), &with_state).is_err());
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
            let reply = decode(framing, travel(framing, &sent), &full()).unwrap();
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
        &full(),
    )
    .unwrap();
    assert_eq!(reply.result, Err(Failure::error("slow")));
}

#[test]
fn reply_to_what_did_not_parse_belongs_to_the_request_in_flight() {
    let error = json!({"seq": null, "status": "error", "message": "what?", "trace": "at main"});
    let reply = read(&error, &full()).unwrap();
    assert_eq!(
        (reply.result, reply.trace),
        (Err(Failure::error("what?")), Some("at main".into()))
    );
    assert!(
        read(
            &json!({"seq": null, "status": "rejected", "reason": "x"}),
            &full()
        )
        .is_err()
    );
    assert!(read(&json!({"seq": 8, "status": "error", "message": "what?"}), &full()).is_err());
}

#[test]
fn reply_that_breaks_the_protocol_says_how() {
    let tensor = json!({"dtype": "u32", "shape": [1], "hex": "01000000"});
    assert!(read(&ok(&tensor), &full()).is_ok());
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
        // A late answer to an earlier request.
        (with("seq", json!(6)), "its seq is 6 where 7 was asked"),
        (with("seq", json!("7")), "its seq is none where 7 was asked"),
        (with("status", json!("fine")), "no status that is known"),
        (with("elapsed", json!(5)), "unknown field `elapsed`"),
        (with("elapsed_ns", json!(null)), "expected u64"),
        (with("outputs", json!({})), "the output `output` is missing"),
        (
            with("outputs", json!({"output": tensor, "output_state": tensor})),
            "the output `output_state` was not asked for",
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
            "`bad` is not a kind of rejection",
        ),
        (
            json!({"seq": 7, "status": "unsupported", "reason": "x", "outputs": {}}),
            "unknown field `outputs`",
        ),
        (json!({"seq": 7, "status": "error"}), "missing field `message`"),
        (json!({"status": "error", "message": "x"}), "missing field `seq`"),
    ];
    for (json, words) in table {
        let error = read(&json, &full()).unwrap_err();
        assert!(error.contains(words), "{json}: {error}");
    }
}

#[test]
fn reply_lacks_no_output_that_was_asked_for() {
    let tensor = json!({"dtype": "u32", "shape": [1], "hex": "01000000"});
    for want in [Want::Full, Want::Digest, Want::Window { start: 0, count: 1 }] {
        let error = read(&ok(&tensor), &asked(want, true)).unwrap_err();
        assert!(error.contains("the output `output_state` is missing"), "{error}");
    }
    let twice = r#"{"seq":7,"status":"ok","outputs":{"output":{"dtype":"u32","shape":[0],"hex":""},
        "output":{"dtype":"u32","shape":[0],"hex":""}}}"#;
    let message = Message {
        header: twice.into(),
        body: Vec::new(),
    };
    let error = decode(Framing::Lines, message, &full()).unwrap_err();
    assert!(error.contains("duplicate field `output`"), "{error}");
}

#[test]
fn reply_digest_has_one_sum_per_chunk() {
    let digest = |count: u64, sums: &[&str]| {
        read(
            &ok(&json!({"dtype": "f64", "shape": [count], "chunks": sums})),
            &asked(Want::Digest, false),
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
    assert!(
        read(&ok(&both), &asked(Want::Digest, false))
            .unwrap_err()
            .contains("nothing else")
    );
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
            decode(Framing::Frames, message, &full())
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
        let reply = decode(framing, Message { header, body }, &full());
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
        let (output, more) = (output(), [state()]);
        let asked = asked(Want::Full, true);
        let sent = encode_ok(framing, 7, &asked.outputs, &Shown::Full(&output), &more, Duration::ZERO);
        let Message { mut header, mut body } = travel(framing, &sent);
        let at = at.index(header.len());
        header[at] = byte;
        header.truncate(header.len() - cut.min(header.len()));
        body.truncate(body.len() - cut.min(body.len()));
        let size = header.len() + body.len();
        if let Ok(Reply { result: Ok(Value::Full(response)), .. }) =
            decode(framing, Message { header, body }, &asked)
        {
            prop_assert!(response.output.bytes().len() <= size);
        }
    }
}

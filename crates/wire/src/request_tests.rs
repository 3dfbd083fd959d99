use proptest::prelude::*;
use seedproof_ops::{Dtype, ErrorKind, Fault, FaultKind, OpError, RandomUniform, Shape, Tensor};
use serde_json::{Value, json};

use super::*;
use crate::framing::{self, Limits, Message};
use crate::requests::{dml, draws, multinomial, requests, uniform};

const ENVELOPE: Envelope<'_> = Envelope {
    seq: 7,
    case: "a/b",
    want: Want::Full,
    deadline_ms: 10_000,
};

fn read_back(framing: Framing, message: Message) -> Result<Request, Failure> {
    let run = object_of(&message.header)?;
    decode(&run, Reader::new(framing, message.body))
}

fn object_of(header: &[u8]) -> Result<Run<'_>, Failure> {
    serde_json::from_slice::<Object<Run<'_>>>(header)
        .map(|run| run.0)
        .map_err(|error| Failure::error(error.to_string()))
}

fn travel(framing: Framing, request: &Request) -> Message {
    let mut bytes = Vec::new();
    encode(framing, ENVELOPE, request)
        .write(framing, &mut bytes)
        .unwrap();
    let limits = Limits {
        message: 1 << 20,
        body: 1 << 20,
    };
    framing::read(framing, &mut bytes.as_slice(), limits)
        .unwrap()
        .unwrap()
}

#[test]
fn request_travels_unchanged() {
    for framing in [Framing::Lines, Framing::Frames] {
        for request in requests() {
            assert_eq!(
                read_back(framing, travel(framing, &request)),
                Ok(request),
                "{framing:?}"
            );
        }
    }
}

#[test]
fn request_looks_as_documented() {
    let json: Value = serde_json::from_slice(&travel(Framing::Lines, &uniform(9)).header).unwrap();
    let expected = json!({
        "cmd": "run", "seq": 7, "case": "a/b", "op": "openvino.RandomUniform-8",
        "attrs": {
            "output_type": "f32", "global_seed": "18446744073709551615", "op_seed": "10",
            "alignment": "TENSORFLOW",
        },
        "inputs": {
            "shape": {"dtype": "i64", "shape": [1], "hex": "0900000000000000"},
            "minval": {"dtype": "f32", "shape": [], "hex": "00000000"},
            "maxval": {"dtype": "f32", "shape": [], "hex": "0000803f"},
        },
        "execution": 0, "want": "full", "deadline_ms": 10_000,
    });
    assert_eq!(json, expected);
}

#[test]
fn request_tensors_are_aligned_in_the_body() {
    let message = travel(Framing::Frames, &uniform(9));
    let json: Value = serde_json::from_slice(&message.header).unwrap();
    assert_eq!(
        json["inputs"]["maxval"],
        json!({"dtype": "f32", "shape": [], "offset": 16, "length": 4})
    );
    assert_eq!(message.body.len(), 20);
}

/// The first request of a form with one JSON value replaced, or removed where the new one is null.
fn edited(request: &Request, path: &[&str], value: Value) -> Result<Request, Failure> {
    let mut json: Value = serde_json::from_slice(&travel(Framing::Lines, request).header).unwrap();
    let (last, parents) = path.split_last().unwrap();
    let parent = parents.iter().fold(&mut json, |json, key| &mut json[*key]);
    let fields = parent.as_object_mut().unwrap();
    if value.is_null() {
        fields.remove(*last).unwrap();
    } else {
        fields.insert((*last).to_owned(), value);
    }
    read_back(
        Framing::Lines,
        Message {
            header: json.to_string().into_bytes(),
            body: Vec::new(),
        },
    )
}

#[test]
fn request_that_does_not_parse_is_an_error() {
    let table = [
        (
            &["attrs", "alignment"][..],
            Value::Null,
            "missing field `alignment`",
        ),
        (
            &["attrs", "global_seed"],
            json!("18446744073709551616"),
            "a u64 as a decimal string",
        ),
        (&["attrs", "global_seed"], json!(150), "a u64 as a decimal string"),
        (&["attrs", "colour"], json!("red"), "unknown field `colour`"),
        (&["attrs"], json!(["f32", "1", "2", "PYTORCH"]), "a JSON object"),
        (
            &["attrs", "output_type"],
            json!(32),
            "`output_type` is a string, not \"32\"",
        ),
        (&["inputs", "maxval"], Value::Null, "missing field `maxval`"),
        (
            &["inputs", "maxval", "hex"],
            json!("000"),
            "3 digits are not whole bytes",
        ),
        (
            &["inputs", "maxval", "hex"],
            json!("0000803x"),
            "character 7 is not a hexadecimal digit",
        ),
        (
            &["inputs", "maxval", "hex"],
            json!("0000"),
            "it takes 4 bytes, not 2",
        ),
        (
            &["inputs", "maxval", "hex"],
            Value::Null,
            "under `lines` it has `hex`",
        ),
        (
            &["inputs", "maxval", "offset"],
            json!(0),
            "under `lines` it has `hex`",
        ),
        (
            &["inputs", "maxval", "window"],
            json!([0, 1]),
            "was not asked for",
        ),
        (&["inputs", "maxval", "chunks"], json!([]), "were not asked for"),
        (
            &["inputs", "maxval", "shape"],
            json!([1_u64 << 40, 1_u64 << 40]),
            "does not fit this machine",
        ),
        (&["inputs", "maxval", "shape"], json!([-1]), "expected u64"),
        (&["want"], json!("most"), "unknown variant `most`"),
        (&["want"], json!({"window": [1]}), "invalid length 1"),
        (&["execution"], json!(-1), "expected u32"),
        (&["more"], json!(1), "unknown field `more`"),
    ];
    for (path, value, words) in table {
        match edited(&uniform(9), path, value.clone()) {
            Err(Failure::Broken(Fault {
                kind: FaultKind::Error,
                message,
            })) => {
                assert!(message.contains(words), "{path:?} {value}: {message}");
            }
            other => panic!("{path:?} {value}: {other:?}"),
        }
    }
    assert!(edited(&multinomial(None), &["attrs", "log_probs"], json!("false")).is_err());
    assert!(edited(&multinomial(Some(draws())), &["inputs", "draws"], json!([])).is_err());
    assert!(edited(&dml(true), &["attrs", "output_sizes"], json!([1.5])).is_err());
}

#[test]
fn request_fields_with_defaults_may_be_absent() {
    for field in ["case", "execution", "want", "deadline_ms"] {
        assert_eq!(
            edited(&uniform(9), &[field], Value::Null),
            Ok(uniform(9)),
            "{field}"
        );
    }
}

#[test]
fn request_of_an_unknown_type_is_rejected() {
    let table = [json!("u4"), json!("F32"), json!("")];
    for dtype in table {
        let Err(Failure::Rejected(OpError { kind, .. })) =
            edited(&uniform(9), &["inputs", "minval", "dtype"], dtype.clone())
        else {
            panic!("{dtype} was accepted");
        };
        assert_eq!(kind, Some(ErrorKind::Dtype));
    }
    let both = json!({
        "shape": {"dtype": "u4", "shape": [1], "hex": "09"},
        "minval": {"dtype": "f32", "shape": [], "hex": "0"},
        "maxval": {"dtype": "f32", "shape": [], "hex": "0000803f"},
    });
    let result = edited(&uniform(9), &["inputs"], both);
    assert!(
        matches!(result, Err(Failure::Broken(_))),
        "what does not parse comes first: {result:?}"
    );
}

#[test]
fn request_with_unknown_attribute_values_reaches_the_backend() {
    let Ok(Request::RandomUniform(request)) = edited(&uniform(9), &["attrs", "alignment"], json!("JAX"))
    else {
        panic!("it is for the backend to refuse");
    };
    assert_eq!(request.alignment, Attribute::Unknown("JAX".into()));
}

#[test]
fn request_for_an_unknown_op_is_unsupported() {
    let result = edited(&uniform(9), &["op"], json!("openvino.RandomNormal"));
    assert!(matches!(result, Err(Failure::Unsupported(_))), "{result:?}");
}

#[test]
fn request_frames_have_no_bytes_beyond_their_tensors() {
    let good = travel(Framing::Frames, &uniform(9));
    let with = |body: Vec<u8>| {
        read_back(
            Framing::Frames,
            Message {
                header: good.header.clone(),
                body,
            },
        )
        .map_err(|error| error.to_string())
    };
    let longer = |more: usize| [good.body.clone(), vec![0; more]].concat();
    assert!(
        with(longer(4)).is_ok(),
        "a body may be padded to a multiple of eight"
    );
    assert!(
        with(longer(5))
            .unwrap_err()
            .contains("no tensor uses those from 20 on")
    );
    assert!(
        with(good.body[..19].to_vec())
            .unwrap_err()
            .contains("the body has 19 bytes")
    );
    let header = String::from_utf8(good.header.clone()).unwrap();
    for (offset, words) in [
        ("12", "not a multiple of 8"),
        ("18446744073709551608", "the body has 20 bytes"),
    ] {
        let header = header
            .replace("\"offset\":16", &format!("\"offset\":{offset}"))
            .into_bytes();
        let error = read_back(
            Framing::Frames,
            Message {
                header,
                body: good.body.clone(),
            },
        )
        .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn output_bytes_follow_from_the_request() {
    let bytes = |request: &Request| output_bytes(&request.output_forms().unwrap_or_default());
    assert_eq!(bytes(&uniform(9)), 36);
    assert_eq!(bytes(&multinomial(None)), 2 * 5 * 8);
    assert_eq!(bytes(&dml(false)), 80);
    assert_eq!(bytes(&dml(true)), 80 + 24);
    let Request::RandomUniform(plain) = uniform(1) else {
        unreachable!("it is one");
    };
    let shaped = |shape| {
        bytes(&Request::RandomUniform(RandomUniform {
            shape,
            ..plain.clone()
        }))
    };
    assert_eq!(shaped(Tensor::vector(&[i64::MAX, i64::MAX])), u64::MAX);
    assert_eq!(shaped(Tensor::vector(&[i64::MAX, 0])), 0);
    assert_eq!(shaped(Tensor::vector(&[-1_i32])), 0);
    assert_eq!(shaped(Tensor::vector(&[2.0_f32])), 0);
    assert_eq!(
        shaped(Tensor::new(Dtype::I64, Shape::vector(0), Vec::new()).unwrap()),
        4
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn request_edited_anywhere_parses_or_says_why_not(
        which in 0_usize..6,
        frames in any::<bool>(),
        at in any::<prop::sample::Index>(),
        insert in prop_oneof![Just(""), Just("0"), Just("\""), Just("{"), Just("[]"), Just("\\u0030"), Just("é")],
        length in 0_usize..4,
    ) {
        let framing = if frames { Framing::Frames } else { Framing::Lines };
        let Message { mut header, body } = travel(framing, &requests()[which]);
        let at = at.index(header.len());
        let end = (at + length).min(header.len());
        header.splice(at..end, insert.bytes());
        match read_back(framing, Message { header, body }) {
            Ok(request) => prop_assert_eq!(read_back(framing, travel(framing, &request)), Ok(request)),
            Err(failure) => prop_assert!(!failure.to_string().is_empty()),
        }
    }
}

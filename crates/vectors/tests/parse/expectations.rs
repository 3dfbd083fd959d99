//! What is expected, by bits, digest, rejection or reading.

use seedproof_vectors::parse;

use crate::{DML, MULTINOMIAL, RANDOM_UNIFORM, assert_mistakes, mistakes};

#[test]
fn parse_checks_digests() {
    assert_mistakes(
        MULTINOMIAL,
        &[
            (
                "first: [0, 1, ",
                "first: [0, ",
                &["a.yaml:16:16: failed to read 7 elements of `first` of 100: expected 8"],
            ),
            (
                "whole: \"0000000000000000000000000000000000000000000000000000000000000001\"",
                "whole: \"01\"",
                &[
                    "a.yaml:15:16: failed to read `01` as a SHA-256: expected 64 hexadecimal digits in lower case",
                ],
            ),
            (
                "whole: \"0000000000000000000000000000000000000000000000000000000000000001\"",
                "chunks: []",
                &[
                    "a.yaml:15:17: failed to read 0 chunks of 100 elements: expected 1, one for each 65536 elements",
                ],
            ),
            (
                "        last:",
                "        chunks: []\n        last:",
                &["a.yaml:15:9: failed to read a digest: expected exactly one of chunks, whole"],
            ),
        ],
    );
}

#[test]
fn parse_checks_expectations() {
    assert_mistakes(
        DML,
        &[
            (
                "bits: [1713891541, 3781805453]",
                "rejected: colour",
                &[
                    "a.yaml:10:17: failed to read `colour` as the kind of a rejection: expected one of dtype, shape, \
                     range, attribute, probabilities, samples, state",
                    "a.yaml:11:21: failed to use `output_state` here: expected it only beside bits or digest",
                ],
            ),
            (
                "      output_state:",
                "      by: oracle\n      output_state:",
                &[
                    "a.yaml:10:7: failed to read an expectation: expected exactly one of bits, digest, rejected, by",
                ],
            ),
            (
                "output_state: [1, 0, 0, 0, 0, 0]",
                "output_state: [1, 0, 0, 0, 0]",
                &["a.yaml:11:21: failed to read 5 elements as u32 [6]: expected 6"],
            ),
            (
                "      output_state: [1, 0, 0, 0, 0, 0]\n",
                "",
                &[
                    "a.yaml:10:7: failed to find `output_state` beside the first output: expected it, as the request \
                   asks for it",
                ],
            ),
            (
                "output_state: true",
                "output_state: false",
                &[
                    "a.yaml:11:21: failed to use `output_state` in `expect`: expected only bits, digest, rejected, by",
                ],
            ),
            (
                "    expect:",
                "    execution: 0\n    expect:",
                &[
                    "a.yaml:9:16: failed to use `execution` in this case of directml.RandomGenerator: expected only id, \
                   attrs, inputs, expect, clauses, errata, flags, note, provenance, printed, readings",
                ],
            ),
            (
                "    expect:",
                "    margin: 0.5\n    expect:",
                &[
                    "a.yaml:9:13: failed to use `margin` in this case of directml.RandomGenerator: expected only id, \
                   attrs, inputs, expect, clauses, errata, flags, note, provenance, printed, readings",
                ],
            ),
        ],
    );
    assert_mistakes(
        RANDOM_UNIFORM,
        &[(
            "tensorflow-2.21: { bits: [\"00000000\", \"3f800000\"] } # 0, …",
            "tensorflow-2.21: { by: oracle }",
            &[
                "a.yaml:19:30: failed to use `by` in the answer of a reading: expected only bits, digest, rejected",
            ],
        )],
    );
    let printed = mistakes(
        MULTINOMIAL,
        "      digest:",
        "      by: readings\n    flags: []\n    note: a\n    errata: []\n    readings: {}\n    printed:",
    );
    let expected = "a.yaml:20:16: failed to use `whole` in `printed`: expected only values, right";
    assert!(printed.iter().any(|mistake| mistake == expected), "{printed:?}");
}

#[test]
fn parse_wants_answers_where_readings_are_judged() {
    let text = DML
        .replace("bits: [1713891541, 3781805453]", "by: readings")
        .replace("      output_state: [1, 0, 0, 0, 0, 0]\n", "");
    let Err(errors) = parse("a.yaml", &text) else {
        panic!("a case without any answer is accepted");
    };
    assert_eq!(
        errors.to_string(),
        "a.yaml:5:5: failed to find what readings answer, as the case is judged by them: expected `readings`"
    );
}

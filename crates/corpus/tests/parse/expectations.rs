//! What is expected, by bits, digest, rejection or reading.

use seedproof_corpus::parse;

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

#[test]
fn parse_wants_a_margin_that_is_a_finite_number_from_zero_on() {
    for (margin, mistake) in [
        ("-0.5", "read the margin -0.5: expected a number from 0 on"),
        (
            "-1.0e-300",
            "read the margin -1e-300: expected a number from 0 on",
        ),
        (
            ".inf",
            "read the YAML: non-finite float `.inf` rejected by the configured policy",
        ),
        (
            ".nan",
            "read the YAML: non-finite float `.nan` rejected by the configured policy",
        ),
    ] {
        let found = mistakes(MULTINOMIAL, "margin: 0.0009765625", &format!("margin: {margin}"));
        assert_eq!(found, [format!("a.yaml:7:13: failed to {mistake}")]);
    }
    for margin in ["0", "0.0", "1.0e+300"] {
        let text = MULTINOMIAL.replace("margin: 0.0009765625", &format!("margin: {margin}"));
        assert!(parse("a.yaml", &text).is_ok(), "{margin}");
    }
}

#[test]
fn parse_lets_a_document_print_values_for_a_request_that_is_refused() {
    let refused = RANDOM_UNIFORM.replace(
        "      bits: [\"3f337cd6\", # 0.7011236\n        \"3f000000\"] # 0.5\n",
        "      rejected: range\n",
    );
    let right = "a.yaml:14:53: failed to judge what is printed: expected an expectation by bits";
    let Err(errors) = parse("a.yaml", &refused) else {
        panic!("what is printed for a request that is refused is right");
    };
    assert_eq!(errors.to_string(), right);
    let wrong = refused.replace("right: true", "right: false");
    let file = parse("a.yaml", &wrong).unwrap();
    assert!(!file.cases[0].printed.as_ref().unwrap().right);
    // By the oracle, it is not known whether they are.
    let oracle = wrong.replace("rejected: range", "by: oracle");
    assert_eq!(parse("a.yaml", &oracle).unwrap_err().to_string(), right);
}

#[test]
fn expectation_has_a_kind_by_its_form() {
    let kind = |valid: &str, from: &str, to: &str| {
        let file = parse("a.yaml", &valid.replace(from, to)).unwrap();
        file.cases[0].expect.kind()
    };
    let bits = "bits: [1713891541, 3781805453]\n      output_state: [1, 0, 0, 0, 0, 0]";
    assert_eq!(kind(DML, "", ""), "bits");
    assert_eq!(kind(MULTINOMIAL, "", ""), "digest");
    assert_eq!(kind(DML, bits, "rejected: state"), "rejected");
    for by in ["oracle", "statistics"] {
        assert_eq!(kind(DML, bits, &format!("by: {by}")), by);
    }
    let readings = "by: readings\n    readings: { tensorflow-2.21: { rejected: state } }";
    assert_eq!(kind(DML, bits, readings), "readings");
}

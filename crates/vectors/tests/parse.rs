//! What is read, and what is said of what cannot be read: the exact text of every mistake.

use seedproof_ops::Request;
use seedproof_vectors::{Expectation, Name, OutputDigest, Provenance, parse};

const RANDOM_UNIFORM: &str = r#"# Why.
#
# More.
schema: 1
op: openvino.RandomUniform-8
clauses: [ru8.philox.round]
cases:
  - id: ru8/tensorflow/f32/one
    clauses: [ru8.range.float]
    note: One sentence.
    provenance: { kind: spec-example, document: openvino-random-uniform-8, example: "1" }
    attrs: { output_type: f32, global_seed: 150, op_seed: 18446744073709551615, alignment: TENSORFLOW }
    inputs: { shape: [1, 2], minval: "00000000", maxval: "3f800000" } # 0, 1
    printed: { values: ["0.7011236", "0.5"], right: true }
    expect:
      bits: ["3f337cd6", # 0.7011236
        "3f000000"] # 0.5
    readings:
      tensorflow-2.21: { bits: ["00000000", "3f800000"] } # 0, …
"#;

const MULTINOMIAL: &str = r#"schema: 1
op: openvino.Multinomial-13
provenance: { kind: derived, reading: spec, revision: 1 }
cases:
  - id: mn13/replacement/f16/one
    clauses: [mn13.select]
    margin: 0.0009765625
    attrs: { convert_type: i64, with_replacement: true, log_probs: false, global_seed: 1, op_seed: 2 }
    inputs:
      probs: { dtype: f16, shape: [1, 2], bits: ["3800", "3800"] } # 0.5, 0.5
      num_samples: 100
    execution: 1
    expect:
      digest:
        whole: "0000000000000000000000000000000000000000000000000000000000000001"
        first: [0, 1, 0, 1, 0, 1, 0, 1]
        last: [1, 0, 1, 0, 1, 0, 1, 0]
"#;

const DML: &str = r#"schema: 1
op: directml.RandomGenerator
clauses: [dml.type]
cases:
  - id: dml/feature-level-4.0/one
    provenance: { kind: capture, implementation: random123, version: 1.14.0, method: "philox4x32" }
    attrs: { type: PHILOX_4X32_10, feature_level: "4.0", output_sizes: [1, 2], output_state: true }
    inputs: { input_state: { dtype: u32, shape: [6], bits: [0, 0, 0, 0, 0, 0] } }
    expect:
      bits: [1713891541, 3781805453]
      state: [1, 0, 0, 0, 0, 0]
"#;

/// The mistakes of a valid text in which the one `from` is replaced.
#[track_caller]
fn mistakes(valid: &str, from: &str, to: &str) -> Vec<String> {
    assert_eq!(
        valid.matches(from).count(),
        1,
        "`{from}` must stand once in the valid text"
    );
    let Err(errors) = parse("a.yaml", &valid.replace(from, to)) else {
        panic!("`{to}` is accepted");
    };
    errors.0.iter().map(ToString::to_string).collect()
}

/// Each row: what is replaced, by what, and the mistakes that follow.
#[track_caller]
fn assert_mistakes(valid: &str, rows: &[(&str, &str, &[&str])]) {
    for (from, to, expected) in rows {
        assert_eq!(mistakes(valid, from, to), *expected, "{to}");
    }
}

#[test]
fn parse_reads_random_uniform() {
    let file = parse("a.yaml", RANDOM_UNIFORM).unwrap();
    assert_eq!(file.comment, ["Why.", "", "More."]);
    let case = &file.cases[0];
    assert_eq!(case.id.as_str(), "ru8/tensorflow/f32/one");
    assert_eq!((case.location.line, case.location.column), (8, 5));
    let clauses: Vec<&str> = case.clauses.iter().map(Name::as_str).collect();
    assert_eq!(clauses, ["ru8.philox.round", "ru8.range.float"]);
    assert!(matches!(&case.request, Request::RandomUniform(request) if request.op_seed == u64::MAX));
    assert!(matches!(&case.expect, Expectation::Bits(bits) if bits.output.count() == 2));
    assert_eq!(case.readings.len(), 1);
    assert!(case.printed.as_ref().unwrap().right);
}

#[test]
fn parse_reads_multinomial() {
    let file = parse("a.yaml", MULTINOMIAL).unwrap();
    let case = &file.cases[0];
    assert_eq!(case.margin, Some(0.0009765625));
    assert_eq!(case.request.execution(), 1);
    assert!(matches!(
        &case.provenance,
        Provenance::Derived { revision: 1, .. }
    ));
    assert!(matches!(&case.expect, Expectation::Digest(digested)
        if matches!(digested.digest, OutputDigest::Whole(sum) if sum[31] == 1)));
}

#[test]
fn parse_reads_dml_random_generator() {
    let file = parse("a.yaml", DML).unwrap();
    let case = &file.cases[0];
    assert!(matches!(&case.expect, Expectation::Bits(bits)
        if bits.state.as_ref().is_some_and(|state| state.shape().dims() == [6])));
}

#[test]
fn parse_names_keys_that_do_not_exist_or_come_twice() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "    note: One",
                "    notes: One",
                &[
                    "a.yaml:10:5: failed to read the key `notes`: expected one of id, clauses, errata, flags, note, \
                   margin, provenance, attrs, inputs, execution, printed, expect, readings",
                ],
            ),
            (
                "op_seed: 18446744073709551615",
                "op_seed: 1, op_seed: 2",
                &["a.yaml:12:62: failed to read the key `op_seed` a second time: expected it once"],
            ),
            (
                "output_type: f32, ",
                "",
                &[
                    "a.yaml:12:12: failed to find `output_type` in `attrs`: expected the keys output_type, \
                     global_seed, op_seed, alignment",
                    "a.yaml:13:38: failed to know the type of `minval`, as `output_type` is none: expected { dtype: \
                     …, shape: […], bits: […] }",
                    "a.yaml:13:58: failed to know the type of `maxval`, as `output_type` is none: expected { dtype: \
                     …, shape: […], bits: […] }",
                ],
            ),
            (
                "alignment: TENSORFLOW",
                "alignment: TENSORFLOW, log_probs: true",
                &[
                    "a.yaml:12:115: failed to use `log_probs` in `attrs`: expected only output_type, global_seed, \
                   op_seed, alignment",
                ],
            ),
            (
                "shape: [1, 2],",
                "shape: [1, 2], draws: 7,",
                &["a.yaml:13:37: failed to use `draws` in `inputs`: expected only shape, minval, maxval"],
            ),
        ],
    );
}

#[test]
fn parse_reads_numbers_exactly_or_not_at_all() {
    let expected = "expected a whole number from 0 to 18446744073709551615, without quotes";
    for (to, read) in [
        ("18446744073709551616", "floating point `18446744073709552000.0`"),
        ("\"7\"", "string \"7\""),
        ("-7", "integer `-7`"),
        ("1.5", "floating point `1.5`"),
        ("true", "boolean `true`"),
        ("", "unit value"),
    ] {
        assert_eq!(
            mistakes(
                RANDOM_UNIFORM,
                "op_seed: 18446744073709551615",
                &format!("op_seed: {to}")
            ),
            [format!("a.yaml:12:50: failed to read {read}: {expected}")],
        );
    }
}

#[test]
fn parse_names_values_of_the_wrong_sort() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "note: One sentence.",
                "note:",
                &["a.yaml:10:9: failed to read nothing: expected a text"],
            ),
            (
                "note: One sentence.",
                "note: [a]",
                &["a.yaml:10:11: failed to read this value: expected a text"],
            ),
            (
                "right: true",
                "right: yes",
                &["a.yaml:14:53: failed to read this value: expected true or false"],
            ),
            (
                "note: One sentence.",
                "errata: {}",
                &["a.yaml:10:13: failed to read this value: expected a list"],
            ),
            (
                "attrs: ",
                "attrs: 7 #",
                &["a.yaml:12:12: failed to read this value: expected a mapping"],
            ),
            (
                "shape: [1, 2]",
                "shape: 2",
                &[
                    "a.yaml:13:22: failed to read `shape`: expected a list of extents or { dtype: …, shape: […], \
                   bits: […] }",
                ],
            ),
        ],
    );
}

#[test]
fn parse_refuses_yaml_that_hides_what_it_says() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "schema: 1",
                "schema: &a 1",
                &[
                    "a.yaml:4:12: failed to read the YAML: it has an anchor or an alias, expected each value written \
                   out",
                ],
            ),
            (
                "schema: 1",
                "<<: {schema: 1}",
                &[
                    "a.yaml:4:1: failed to read the YAML: YAML merge keys are not allowed by configured policy",
                ],
            ),
            (
                "schema: 1",
                "? [[[[[[[[[[[[[[[[[[[[\nschema: 1",
                &[
                    "a.yaml:4:19: failed to read the YAML: it is nested too deeply, expected at most 16 levels",
                ],
            ),
        ],
    );
}

#[test]
fn parse_names_what_a_file_lacks() {
    let keys = "expected the keys schema, op, clauses, provenance, cases";
    for text in ["", "# Only a comment.", "{}"] {
        let Err(errors) = parse("a.yaml", text) else {
            panic!("`{text}` is accepted");
        };
        assert_eq!(
            errors.to_string(),
            format!(
                "a.yaml:1:1: failed to find `cases` in this file: {keys}\n\
                 a.yaml:1:1: failed to find `op` in this file: {keys}\n\
                 a.yaml:1:1: failed to find `schema` in this file: {keys}"
            )
        );
    }
    let Err(errors) = parse("a.yaml", "schema: 2\nop: openvino.Range-4\ncases: []\n") else {
        panic!("another schema is accepted");
    };
    assert_eq!(
        errors.to_string(),
        "a.yaml:1:9: failed to read schema 2: expected 1\n\
         a.yaml:2:5: failed to read `openvino.Range-4` as an op: expected one of openvino.RandomUniform-8, \
         openvino.Multinomial-13, directml.RandomGenerator"
    );
    let Err(errors) = parse("a.yaml", "schema: 1\nop: openvino.Multinomial-13\ncases: []\n") else {
        panic!("no case is accepted");
    };
    assert_eq!(
        errors.to_string(),
        "a.yaml:3:8: failed to find a case in this file: expected at least one"
    );
}

#[test]
fn parse_names_what_a_case_lacks() {
    assert_mistakes(
        MULTINOMIAL,
        &[
            (
                "    clauses: [mn13.select]\n",
                "",
                &[
                    "a.yaml:5:5: failed to find a clause that this case covers: expected `clauses` in the case or in \
                   the file",
                ],
            ),
            (
                "provenance: { kind: derived, reading: spec, revision: 1 }\n",
                "",
                &[
                    "a.yaml:4:5: failed to find the provenance of this case: expected `provenance` in the case or in \
                   the file",
                ],
            ),
            (
                "id: mn13/replacement/f16/one\n    clauses",
                "clauses",
                &[
                    "a.yaml:5:5: failed to find `id` in this case: expected the keys id, attrs, inputs, expect",
                ],
            ),
        ],
    );
}

#[test]
fn parse_names_wrong_ids_and_names() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "id: ru8/tensorflow/f32/one",
                "id: mn13/tensorflow/f32/one",
                &[
                    "a.yaml:8:9: failed to use the id `mn13/tensorflow/f32/one` for openvino.RandomUniform-8: \
                   expected it to begin with `ru8/`",
                ],
            ),
            (
                "id: ru8/tensorflow/f32/one",
                "id: ru8/Tensorflow",
                &[
                    "a.yaml:8:9: failed to read `ru8/Tensorflow` as an id: expected parts of a-z 0-9 . _ -, set \
                   apart by `/`",
                ],
            ),
            (
                "clauses: [ru8.range.float]",
                "clauses: [ru8.range.float, ru8.range.float, a/b]",
                &[
                    "a.yaml:9:32: failed to list `ru8.range.float` a second time: expected each name once",
                    "a.yaml:9:49: failed to read `a/b` as an id: expected parts of a-z 0-9 _ -, set apart by `.`",
                ],
            ),
            (
                "clauses: [ru8.range.float]",
                "clauses: [ru8.philox.round]",
                &[
                    "a.yaml:9:14: failed to list `ru8.philox.round` a second time: expected no clause that the file \
                   names for all of its cases",
                ],
            ),
        ],
    );
    let (head, case) = DML.split_at(DML.find("  - id").unwrap());
    let Err(errors) = parse("a.yaml", &format!("{head}{case}{case}")) else {
        panic!("an id is accepted twice");
    };
    assert_eq!(
        errors.to_string(),
        "a.yaml:12:9: failed to use the id `dml/feature-level-4.0/one` a second time, after line 5: expected an id \
         of its own"
    );
}

#[test]
fn parse_names_wrong_literals_all_at_once() {
    let form = "expected its bits, 8 hexadecimal digits in lower case and in quotes";
    assert_eq!(
        mistakes(
            RANDOM_UNIFORM,
            "\"3f000000\"] # 0.5",
            "3f, \"3F000000\", 1056964608, 00000000, true, 1.5, ~]"
        ),
        [
            "a.yaml:16:13: failed to read 8 elements as f32 [1, 2]: expected 2".to_owned(),
            format!("a.yaml:17:9: failed to read `3f` as f32: {form}"),
            format!("a.yaml:17:13: failed to read `3F000000` as f32: {form}"),
            format!("a.yaml:17:25: failed to read the number 1056964608 as f32: {form}"),
            format!("a.yaml:17:37: failed to read a number that is not plain and whole as f32: {form}"),
            format!("a.yaml:17:47: failed to read a truth value as f32: {form}"),
            format!("a.yaml:17:53: failed to read a number that is not plain and whole as f32: {form}"),
            format!("a.yaml:17:58: failed to read nothing as f32: {form}"),
        ]
    );
    assert_mistakes(
        DML,
        &[(
            "bits: [1713891541, 3781805453]",
            "bits: [-1, 4294967296]",
            &[
                "a.yaml:10:14: failed to read the number -1 as u32: expected a plain number from 0 to 4294967295",
                "a.yaml:10:18: failed to read the number 4294967296 as u32: expected a plain number from 0 to \
                 4294967295",
            ],
        )],
    );
}

#[test]
fn parse_holds_the_number_of_bits_against_the_shape() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "shape: [1, 2]",
                "shape: [2, 2]",
                &[
                    "a.yaml:16:13: failed to read 2 elements as f32 [2, 2]: expected 4",
                    "a.yaml:19:32: failed to read 2 elements as f32 [2, 2]: expected 4",
                ],
            ),
            (
                "shape: [1, 2]",
                "shape: [4294967296, 4294967296]",
                &[
                    "a.yaml:16:13: failed to count the elements of [4294967296, 4294967296]: expected a number that \
                     this machine can address",
                    "a.yaml:19:32: failed to count the elements of [4294967296, 4294967296]: expected a number that \
                     this machine can address",
                ],
            ),
            (
                "shape: [1, 2]",
                "shape: [1099511627776]",
                &[
                    "a.yaml:16:13: failed to read 2 elements as f32 [1099511627776]: expected 1099511627776",
                    "a.yaml:19:32: failed to read 2 elements as f32 [1099511627776]: expected 1099511627776",
                ],
            ),
            (
                "shape: [1, 2]",
                "shape: [-1, 2]",
                &[
                    "a.yaml:16:13: failed to know the type and shape of this output, which the request does not say: \
                     expected `rejected`",
                    "a.yaml:19:32: failed to know the type and shape of this output, which the request does not say: \
                     expected `rejected`",
                ],
            ),
            (
                "maxval: \"3f800000\" } # 0, 1",
                "maxval: { dtype: f32, shape: [4294967296, 4294967296], bits: [] } }",
                &[
                    "a.yaml:13:79: failed to count the elements of [4294967296, 4294967296]: expected a number that \
                   this machine can address",
                ],
            ),
            (
                "maxval: \"3f800000\" } # 0, 1",
                "maxval: { dtype: f32, shape: [2], bits: [\"3f800000\"] } } # 0, 1",
                &["a.yaml:13:90: failed to read 1 elements as f32[2]: expected 2"],
            ),
        ],
    );
}

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
                    "a.yaml:11:14: failed to use `state` here: expected it only beside bits or digest",
                ],
            ),
            (
                "      state:",
                "      by: oracle\n      state:",
                &[
                    "a.yaml:10:7: failed to read an expectation: expected exactly one of bits, digest, rejected, by",
                ],
            ),
            (
                "state: [1, 0, 0, 0, 0, 0]",
                "state: [1, 0, 0, 0, 0]",
                &["a.yaml:11:14: failed to read 5 words as a state: expected 6, as in input_state"],
            ),
            (
                "output_state: true",
                "output_state: false",
                &[
                    "a.yaml:11:14: failed to use `state`: expected it only for directml.RandomGenerator with \
                   output_state: true",
                ],
            ),
            (
                "    expect:",
                "    execution: 0\n    expect:",
                &[
                    "a.yaml:9:16: failed to use `execution` with directml.RandomGenerator: expected no such key, as \
                   the op keeps no state",
                ],
            ),
            (
                "    expect:",
                "    margin: 0.5\n    expect:",
                &[
                    "a.yaml:9:13: failed to read the margin 0.5: expected a finite number from 0 on, for \
                   openvino.Multinomial-13",
                ],
            ),
        ],
    );
    assert_mistakes(
        RANDOM_UNIFORM,
        &[(
            "tensorflow-2.21: { bits: [\"00000000\", \"3f800000\"] } # 0, …",
            "tensorflow-2.21: { by: oracle }",
            &["a.yaml:19:30: failed to use `by` for a reading: expected bits, digest or rejected"],
        )],
    );
    assert_eq!(
        mistakes(
            MULTINOMIAL,
            "      digest:",
            "      by: readings\n    flags: []\n    note: a\n    errata: []\n    readings: {}\n    printed:"
        )[0],
        "a.yaml:20:9: failed to read the key `whole`: expected one of values, right"
    );
}

#[test]
fn parse_wants_answers_where_readings_are_judged() {
    let text = DML
        .replace("bits: [1713891541, 3781805453]", "by: readings")
        .replace("      state: [1, 0, 0, 0, 0, 0]\n", "");
    let Err(errors) = parse("a.yaml", &text) else {
        panic!("a case without any answer is accepted");
    };
    assert_eq!(
        errors.to_string(),
        "a.yaml:5:5: failed to find what readings answer, as the case is judged by them: expected `readings`"
    );
}

#[test]
fn parse_checks_provenances() {
    let valid = "provenance: { kind: derived, reading: spec, revision: 1 }";
    assert_mistakes(
        MULTINOMIAL,
        &[
            (
                valid,
                "provenance: { kind: heard, reading: spec }",
                &[
                    "a.yaml:3:21: failed to read `heard` as a provenance: expected one of spec-example, known-answer, \
                   capture, derived",
                ],
            ),
            (
                valid,
                "provenance: { kind: known-answer, reading: spec }",
                &[
                    "a.yaml:3:13: failed to find `source` in `provenance`: expected the keys kind, source",
                    "a.yaml:3:44: failed to use `reading` in `provenance`: expected only kind, source",
                ],
            ),
            (
                valid,
                "provenance: { kind: derived, reading: spec, revision: 4294967296 }",
                &[
                    "a.yaml:3:55: failed to read 4294967296 as a revision: expected a number from 0 to 4294967295",
                ],
            ),
        ],
    );
}

#[test]
fn parse_holds_decimal_comments_against_the_bits() {
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                "# 0.7011236",
                "# 0.7",
                &[
                    "a.yaml:16:26: failed to match the comment `0.7` with the bits 3f337cd6: expected 0.7011236",
                ],
            ),
            (
                "# 0, 1\n",
                "# from zero to one\n",
                &[
                    "a.yaml:13:71: failed to match the comment `from zero to one` with the 2 literals of its line: \
                   expected 0, 1",
                ],
            ),
            (
                "# 0, …",
                "# 0, 1, …",
                &[
                    "a.yaml:19:59: failed to match the comment `0, 1, …` with the 2 literals of its line: expected \
                   0, 1",
                ],
            ),
        ],
    );
    for line_end in ["\r", "\r\n"] {
        let text = RANDOM_UNIFORM
            .replace("# 0.7011236", "# 0.7")
            .replace('\n', line_end);
        let Err(errors) = parse("a.yaml", &text) else {
            panic!("a wrong comment is accepted among lines that end in {line_end:?}");
        };
        assert_eq!((errors.0[0].location.line, errors.0[0].location.column), (16, 26));
    }
    let plain = RANDOM_UNIFORM.replace("note: One sentence.", "note: One sentence. # 7, of no literal");
    assert!(parse("a.yaml", &plain).is_ok());
}

#[test]
fn parse_holds_what_is_printed_against_the_bits() {
    let valid = "printed: { values: [\"0.7011236\", \"0.5\"], right: true }";
    assert_mistakes(
        RANDOM_UNIFORM,
        &[
            (
                valid,
                "printed: { values: [\"0.7011237\", \"0.5\"], right: true }",
                &[
                    "a.yaml:14:25: failed to match the printed `0.7011237` with the expected 0.7011236: expected \
                   `right: false`, or other bits",
                ],
            ),
            (
                valid,
                "printed: { values: [\"0.701\", \"0.5\"], right: false }",
                &[
                    "a.yaml:14:49: failed to find a printed value that is wrong: expected `right: true`, as all of \
                   them match the bits",
                ],
            ),
            (
                valid,
                "printed: { values: [\"1\", \"0.5\", \"0\"], right: true }",
                &[
                    "a.yaml:14:24: failed to hold 3 printed values against 2 elements: expected no more than these",
                ],
            ),
            (
                valid,
                "printed: { values: [half], right: true }",
                &["a.yaml:14:25: failed to read `half` as a printed value: expected a decimal number"],
            ),
            (
                valid,
                "printed: { values: [], right: true }",
                &["a.yaml:14:24: failed to find a value in `printed`: expected at least one"],
            ),
        ],
    );
    assert_eq!(
        mistakes(
            RANDOM_UNIFORM,
            "bits: [\"3f337cd6\", # 0.7011236\n        \"3f000000\"] # 0.5",
            "by: oracle"
        ),
        ["a.yaml:14:53: failed to judge what is printed: expected an expectation by bits"]
    );
}

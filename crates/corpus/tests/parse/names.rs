//! What a file or a case lacks, and ids and names that are none.

use seedproof_corpus::{Level, Name, parse};
use seedproof_ops::{Named, OpName};

use crate::{DML, MULTINOMIAL, RANDOM_UNIFORM, assert_mistakes};

#[test]
fn parse_names_what_a_file_lacks() {
    let keys = "expected the keys schema, op, cases";
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
    let Err(errors) = parse("a.yaml", "schema: 1\nop: openvino.Range-4\ncases: []\n") else {
        panic!("another schema is accepted");
    };
    assert_eq!(
        errors.to_string(),
        format!(
            "a.yaml:1:9: failed to read schema 1: expected 2\n\
             a.yaml:2:5: failed to read `openvino.Range-4` as an op: expected one of {}",
            OpName::NAMES.join(", ")
        )
    );
    let Err(errors) = parse("a.yaml", "schema: 2\nop: openvino.Multinomial-13\ncases: []\n") else {
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
                    "a.yaml:5:5: failed to find `id` in this case of openvino.Multinomial-13: expected the keys id, attrs, \
                   inputs, expect",
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
                "provenance: { reading: spec }",
                &[
                    "a.yaml:3:13: failed to find `kind` in `provenance`: expected one of spec-example, known-answer, \
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
                    "a.yaml:3:55: failed to read the number 4294967296 as `revision`: expected a whole number from 0 to \
                   4294967295, without quotes",
                ],
            ),
        ],
    );
}

#[test]
fn names_are_texts_and_levels_have_names() {
    let name = Name::new("ru8.range_1.a-b").unwrap();
    assert_eq!(String::from(name), "ru8.range_1.a-b");
    let names: Vec<String> = Level::ALL.iter().map(|level| format!("{level:>6.4}")).collect();
    assert_eq!(names, ["  must", "  shou", "  info"]);
}

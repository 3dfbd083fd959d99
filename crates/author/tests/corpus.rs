//! A small corpus in tables, and what lint says of an untidy one.

use seedproof_author::{cover, lint, stats};
use seedproof_vectors::{Corpus, Registry, VectorErrors};

const CLAUSES: &str = "# Clauses.
clauses:
  - id: ru8.convert.i32
    document: openvino-random-uniform-8
    section: Philox algorithm
    says: Words become values.
    level: must
  - id: ru8.range.float
    document: openvino-random-uniform-8
    section: Philox algorithm
    says: Values are scaled.
    level: must
  - { id: ru8.note, document: openvino-random-uniform-8, section: Notes, says: It explains., level: informative }
";

const ERRATA: &str = "- id: ru8.range.fused
  document: openvino-random-uniform-8
  section: Range
  question: Is the scale fused?
  answers: [{ id: fused, says: It is. }, { id: not-fused, says: It is not. }]
  adopted: not-fused
  evidence: [The captures.]
  clauses: [ru8.range.float]
- id: ru8.range.rounding
  document: openvino-random-uniform-8
  section: Range
  question: How is it rounded?
  answers: [{ id: even, says: To even. }]
  adopted: even
  evidence: [The captures.]
  clauses: []
";

fn case(id: &str, provenance: &str, seed: u32) -> String {
    format!(
        "  - id: {id}
    errata: [ru8.range.fused]
    flags: [fused-scale]
    provenance: {{ {provenance} }}
    attrs: {{ output_type: i32, global_seed: {seed}, op_seed: 2, alignment: TENSORFLOW }}
    inputs: {{ shape: [2], minval: 0, maxval: 9 }}
    expect:
      bits: [5, 5]
    readings:
      tensorflow-2.21: {{ bits: [6, 6] }}
"
    )
}

fn file(cases: &[String]) -> String {
    format!(
        "# Why.\nschema: 2\nop: openvino.RandomUniform-8\nclauses: [ru8.convert.i32]\ncases:\n{}",
        cases.concat()
    )
}

const DERIVED: &str = "kind: derived, reading: spec, revision: 1";
const CAPTURE: &str = "kind: capture, implementation: openvino, version: 2026.4.1, method: core";

fn known() -> Registry {
    Registry::parse(&[("clauses.yaml", CLAUSES)], &[("errata.yaml", ERRATA)])
        .unwrap_or_else(|errors| panic!("{errors}"))
}

fn corpus(files: &[(&str, String)]) -> Result<Corpus, VectorErrors> {
    let files: Vec<(String, String)> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), text.clone()))
        .collect();
    Corpus::from_files(&files, &known(), &["spec", "tensorflow-2.21"])
}

fn small() -> Corpus {
    let b = file(&[
        case("ru8/tensorflow/i32/b-2", DERIVED, 1),
        case("ru8/tensorflow/i32/b-1", CAPTURE, 2),
    ]);
    let a = file(&[case("ru8/tensorflow/i32/a", CAPTURE, 3)]);
    corpus(&[
        ("random-uniform-8/b.yaml", b),
        ("random-uniform-8/a.yaml", a),
        ("retired.txt", "# none\n".to_owned()),
    ])
    .unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn lint_names_what_is_untidy() {
    assert_eq!(lint(&small()), []);
    let untidy = file(&[
        case("ru8/pytorch/i32/a", DERIVED, 1),
        case("ru8/tensorflow/i32/b", DERIVED, 1),
        case("ru8/tensorflow/i32/c", DERIVED, 2).replace("[fused-scale]", "[b, a]"),
        case("ru8/tensorflow/i32/d", DERIVED, 3)
            .replace("shape: [2]", "shape: [65]")
            .replace("[5, 5]", &format!("[{}]", ["5"; 65].join(", ")))
            .replace("[6, 6]", &format!("[{}]", ["6"; 65].join(", "))),
    ])
    .replace("# Why.\n", "")
    .replace("[ru8.convert.i32]", "[ru8.range.float, ru8.convert.i32]");
    let corpus = corpus(&[("a.yaml", untidy)]).unwrap();
    let found: Vec<String> = lint(&corpus).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "a.yaml:1:1: failed to find why this file exists: expected a comment at its beginning",
            "a.yaml:1:1: failed to list clauses in order: expected `ru8.convert.i32` before `ru8.range.float`",
            "a.yaml:5:5: failed to match the id `ru8/pytorch/i32/a` with its request: expected \
             ru8/tensorflow/i32/topic",
            "a.yaml:15:5: failed to find what `ru8/tensorflow/i32/b` asks that `ru8/pytorch/i32/a` does not: \
             expected one case for a request and a source",
            "a.yaml:25:5: failed to list flags in order: expected `a` before `b`",
            "a.yaml:35:5: failed to write out 65 elements: expected a digest over 64",
        ]
    );
}

#[test]
fn stats_count_every_case_in_every_table() {
    assert_eq!(
        stats(&small()),
        "3 cases in 2 files\n\n\
         by op\n     3  openvino.RandomUniform-8\n\n\
         by variant\n     3  TENSORFLOW\n\n\
         by element type\n     3  i32\n\n\
         by provenance\n     2  capture of openvino\n     1  derived\n\n\
         by expectation\n     3  bits\n\n\
         by elements\n     3  2 to 16\n"
    );
}

#[test]
fn cover_tells_code_and_cases_of_each_clause() {
    let source = "//! `[ru8.note]`\n\n/// `[ru8.convert.i32]`: the conversion.\n#[inline]\npub const fn i32_of(word: u32) \
                  -> i32 {\n    // [ru8.range.float] is not documentation.\n    0\n}\n";
    let cover = cover(&small(), &known(), &[("convert.rs", source)]);
    let uncovered: Vec<&str> = cover.uncovered().map(|clause| clause.id.as_str()).collect();
    assert_eq!(uncovered, ["ru8.range.float"]);
    assert_eq!(
        cover.to_string(),
        "must: 1 of 2 clauses have a case\n\
         should: 0 of 0 clauses have a case\n\
         informative: 0 of 1 clauses have a case\n\
         errata: 1 of 2 have a case\n\n\
         must-clauses without a case\n    ru8.range.float\n\n\
         errata without a case\n    ru8.range.rounding\n\n\
         clauses\n\
         ru8.convert.i32 (must)\n    convert.rs: i32_of\n    3 cases, such as ru8/tensorflow/i32/a\n\
         ru8.note (informative)\n    convert.rs: the module\n    no case\n\
         ru8.range.float (must)\n    no code cites it\n    no case\n\n\
         errata\n\
         ru8.range.fused\n    3 cases, such as ru8/tensorflow/i32/a\n\
         ru8.range.rounding\n    no case\n"
    );
}

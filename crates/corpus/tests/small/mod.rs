//! A small corpus and a small registry in tables, for the tests of this crate and of the authors' tools.

use seedproof_corpus::{Corpus, Registry, VectorErrors};

const SPEC: &str = "# A document.
documents:
  - { id: openvino-random-uniform-8, title: RandomUniform-8, url: https://example.org }
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
errata:
- id: ru8.range.fused
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

pub(crate) fn case(id: &str, provenance: &str, seed: u32) -> String {
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

pub(crate) fn file(cases: &[String]) -> String {
    format!(
        "# Why.\nschema: 2\nop: openvino.RandomUniform-8\nclauses: [ru8.convert.i32]\ncases:\n{}",
        cases.concat()
    )
}

pub(crate) const DERIVED: &str = "kind: derived, reading: spec, revision: 1";
pub(crate) const CAPTURE: &str = "kind: capture, implementation: openvino, version: 2026.4.1, method: core";

pub(crate) fn known() -> Registry {
    Registry::parse(&[("spec.yaml", SPEC)]).unwrap_or_else(|errors| panic!("{errors}"))
}

pub(crate) fn corpus(files: &[(&str, String)]) -> Result<Corpus, VectorErrors> {
    let files: Vec<(String, String)> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), text.clone()))
        .collect();
    Corpus::from_files(&files, &known(), &["spec", "tensorflow-2.21"])
}

pub(crate) fn small() -> Corpus {
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

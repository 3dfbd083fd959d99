//! What is read, and what is said of what cannot be read: the exact text of every mistake.

mod bits;
mod expectations;
mod names;
mod yaml;

use seedproof_corpus::{Expectation, Name, OutputDigest, Provenance, parse};
use seedproof_ops::Request;

const RANDOM_UNIFORM: &str = r#"# Why.
#
# More.
schema: 2
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

const MULTINOMIAL: &str = r#"schema: 2
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

const DML: &str = r#"schema: 2
op: directml.RandomGenerator
clauses: [dml.type]
cases:
  - id: dml/feature-level-4.0/one
    provenance: { kind: capture, implementation: random123, version: 1.14.0, method: "philox4x32" }
    attrs: { type: PHILOX_4X32_10, feature_level: "4.0", output_sizes: [1, 2], output_state: true }
    inputs: { input_state: { dtype: u32, shape: [6], bits: [0, 0, 0, 0, 0, 0] } }
    expect:
      bits: [1713891541, 3781805453]
      output_state: [1, 0, 0, 0, 0, 0]
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
    assert_eq!(file.provenance, None);
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
    assert_eq!(file.provenance.as_ref(), Some(&case.provenance));
}

#[test]
fn parse_reads_dml_random_generator() {
    let file = parse("a.yaml", DML).unwrap();
    let case = &file.cases[0];
    assert!(matches!(&case.expect, Expectation::Bits(bits)
        if bits.more.len() == 1 && bits.more[0].shape().dims() == [6]));
}

#[test]
fn parse_reads_every_provenance() {
    let capture = "kind: capture, implementation: random123, version: 1.14.0, method: \"philox4x32\"";
    for (kind, others) in [
        ("spec-example", "document: directml, example: \"1\""),
        ("known-answer", "source: Random123"),
        ("capture", "implementation: xla, version: 0.10.2, method: jit"),
        ("derived", "reading: spec, revision: 3"),
    ] {
        let text = DML.replace(capture, &format!("kind: {kind}, {others}"));
        let file = parse("a.yaml", &text).unwrap();
        let found = &file.cases[0].provenance;
        assert_eq!(found.kind(), kind);
        if let Provenance::KnownAnswer { source } = found {
            assert_eq!(source, "Random123");
        }
    }
}

#[test]
fn parse_reads_a_digest_in_chunks_beside_a_further_output() {
    let sum = "0".repeat(64);
    let digest = format!("digest: {{ chunks: [\"{sum}\"], first: [1, 2], last: [3, 4] }}");
    let text = DML.replace("bits: [1713891541, 3781805453]", &digest);
    let file = parse("a.yaml", &text).unwrap();
    let Expectation::Digest(digested) = &file.cases[0].expect else {
        panic!("no digest: {:?}", file.cases[0].expect);
    };
    assert!(matches!(&digested.digest, OutputDigest::Chunks(sums) if *sums == [[0; 32]]));
    let state: Vec<u32> = digested.more[0].elements().unwrap().collect();
    assert_eq!(state, [1, 0, 0, 0, 0, 0]);
    assert_eq!(digested.last.len(), 2);
}

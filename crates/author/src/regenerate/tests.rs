use seedproof_ops::{BackendId, ErrorKind, Shape, Support};

use super::*;
use seedproof_corpus::Corpus;

/// Counts: element `i` of every output has the bits `i`; refuses `shape` inputs of rank 1 and one element.
struct Counting(BackendId);

impl Counting {
    fn new() -> Self {
        Self(BackendId::new("counting"))
    }
}

impl Backend for Counting {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, _: &Request) -> Support {
        Support::Supported
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let (dtype, dims) = request.output_form().unwrap();
        if dims.len() == 1 {
            return Err(Failure::rejected(ErrorKind::Shape, "one extent"));
        }
        let shape = Shape::new(&dims).unwrap();
        let bytes = (0..shape.count())
            .flat_map(|i| Scalar::new(dtype, u64::try_from(i).unwrap()).to_le_bytes())
            .collect();
        Ok(Response::of(Tensor::new(dtype, shape, bytes).unwrap()))
    }
}

fn known() -> Registry {
    let clause = |id| format!("- {{ id: {id}, document: d, section: s, says: w, level: must }}\n");
    let document = "documents: [{ id: d, title: t, url: https://example.org }]\n";
    let text = format!("{document}clauses:\n{}{}", clause("ru8.a"), clause("ru8.b"));
    Registry::parse(&[("c.yaml", &text)]).unwrap()
}

/// A file of derived cases: topic, shape and expectation of each.
fn derived(cases: &[(&str, &str, &str)]) -> Vec<(String, String)> {
    let mut text = "# Why.
schema: 2
op: openvino.RandomUniform-8
clauses: [ru8.a, ru8.b]
provenance: { kind: derived, reading: spec, revision: 0 }
cases:
"
    .to_owned();
    for (topic, shape, expect) in cases {
        text += &format!(
            "  - id: ru8/tensorflow/i32/{topic}
    attrs: {{ output_type: i32, global_seed: 1, op_seed: 2, alignment: TENSORFLOW }}
    inputs: {{ shape: {shape}, minval: 0, maxval: 9 }}
    expect:
      {expect}
"
        );
    }
    vec![("a.yaml".to_owned(), text)]
}

#[test]
fn regenerate_writes_bits_digests_and_rejections() {
    let many = format!("bits: [{}]", vec!["0"; 65_537].join(", "));
    let files = derived(&[
        ("small", "[2, 2]", "bits: [0, 0, 0, 0]"),
        ("large", "[1, 65537]", &many),
        ("refused", "[3]", "rejected: shape"),
        ("both-zero", "[3]", "by: statistics"),
    ]);
    let made = regenerate(&files, &known(), &Counting::new()).unwrap();
    let corpus = Corpus::from_files(&made, &known(), &["spec"]).unwrap();
    let cases: Vec<&Case> = corpus.cases().collect();
    assert!(matches!(&cases[0].expect, Expectation::Bits(bits) if bits.output.count() == 4));
    let Expectation::Digest(digested) = &cases[1].expect else {
        panic!("{:?}", cases[1].expect);
    };
    assert!(matches!(&digested.digest, OutputDigest::Chunks(chunks) if chunks.len() == 2));
    assert_eq!((digested.first[7].bits(), digested.last[7].bits()), (7, 65_536));
    assert_eq!(cases[2].expect, Expectation::Rejected(ErrorKind::Shape));
    assert_eq!(cases[3].expect, Expectation::Statistical);
}

#[test]
fn regenerate_names_the_case_that_the_oracle_answers_otherwise() {
    let files = derived(&[
        ("a", "[3]", "bits: [0, 0, 0]"),
        ("b", "[2, 2]", "rejected: range"),
    ]);
    let errors = regenerate(&files, &known(), &Counting::new()).unwrap_err();
    assert_eq!(
        errors.to_string(),
        "a.yaml:7:5: failed to compute what `ru8/tensorflow/i32/a` expects: the oracle refuses it as `shape`, \
         expected an output\n\
         a.yaml:12:5: failed to compute what `ru8/tensorflow/i32/b` expects: the oracle does not refuse it as \
         `range`"
    );
}

const KEPT: &str = "# Why.
schema: 2
op: openvino.RandomUniform-8
clauses: [ru8.a]
cases:
  - id: ru8/tensorflow/i32/derived
    provenance: { kind: derived, reading: spec, revision: 0 }
    attrs: { output_type: i32, global_seed: 1, op_seed: 2, alignment: TENSORFLOW }
    inputs: { shape: [1, 2], minval: 0, maxval: 9 }
    expect:
      bits: [5, 5]
  - id: ru8/tensorflow/i32/captured
    provenance: { kind: capture, implementation: openvino, version: 2026.4.1, method: core }
    attrs: { output_type: i32, global_seed: 1, op_seed: 2, alignment: TENSORFLOW }
    inputs: { shape: [1, 2], minval: 0, maxval: 9 }
    expect:
      bits: [5, 5]
";

#[test]
fn regenerate_computes_only_what_is_derived_in_kept_files() {
    let kept = [
        ("a.yaml".to_owned(), KEPT.to_owned()),
        (RETIRED.to_owned(), "# none\n".to_owned()),
    ];
    let made = regenerate(&kept, &known(), &Counting::new()).unwrap();
    assert_eq!(made.len(), 2);
    assert_eq!(
        made[0].1,
        KEPT.replacen("revision: 0", "revision: 1", 1)
            .replacen("[5, 5]", "[0, 1]", 1)
    );
    assert_eq!(made[1], kept[1]);
    let again = regenerate(&made, &known(), &Counting::new()).unwrap();
    assert_eq!(again, made);
}

#[test]
fn regenerate_refuses_names_that_nobody_knows() {
    let kept = [("a.yaml".to_owned(), KEPT.replace("[ru8.a]", "[ru8.c]"))];
    let errors = regenerate(&kept, &known(), &Counting::new()).unwrap_err();
    assert_eq!(
        errors.to_string(),
        "a.yaml:4:11: failed to find the clause `ru8.c`: expected one of the registry"
    );
}

//! The JSON Schema agrees with the parser on the corpus and on what both refuse.

use seedproof_author::schema;
use serde_json::Value;

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&schema()).unwrap_or_else(|error| panic!("{error}"));
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{error}"))
}

fn value(yaml: &str) -> Value {
    serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{error}"))
}

const VALID: &str = r#"schema: 2
op: openvino.RandomUniform-8
clauses: [ru8.philox.round]
cases:
  - id: ru8/tensorflow/f32/one
    provenance: { kind: derived, reading: spec, revision: 1 }
    attrs: { output_type: f32, global_seed: 18446744073709551615, op_seed: 0, alignment: TENSORFLOW }
    inputs: { shape: [1], minval: "00000000", maxval: { dtype: f32, shape: [1], bits: ["3f800000"] } }
    printed: { values: ["0.7011236"], right: true }
    expect:
      bits: ["3f337cd6"]
    readings:
      tensorflow-2.21: { rejected: range }
"#;

#[test]
fn schema_that_is_committed_is_the_one_that_is_generated() {
    assert_eq!(schema(), include_str!("../../../vectors/schema.json"));
}

#[test]
fn schema_accepts_the_corpus() {
    let validator = validator();
    for file in seedproof_vectors::FILES {
        let name = file.name();
        if name != "retired.txt" {
            let errors: Vec<String> = validator
                .iter_errors(&value(&file.text()))
                .map(|error| format!("{name}{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(errors, [""; 0]);
        }
    }
}

#[test]
fn schema_accepts_what_is_valid_and_refuses_what_is_not() {
    let validator = validator();
    assert!(seedproof_corpus::parse("a.yaml", VALID).is_ok());
    assert!(validator.is_valid(&value(VALID)));
    for (from, to) in [
        ("schema: 2", "schema: 1"),
        ("openvino.RandomUniform-8", "openvino.Multinomial-13"),
        ("attrs: { output_type: f32, ", "attrs: { "),
        ("output_type: f32", "output_type: f32, log_probs: true"),
        ("18446744073709551615", "-1"),
        ("18446744073709551615", "\"1\""),
        ("\"3f337cd6\"", "\"3f337cd\""),
        ("kind: derived", "kind: guessed"),
        ("revision: 1", "revision: 1, source: nobody"),
        ("bits: [\"3f337cd6\"]", "by: chance"),
        ("bits: [\"3f337cd6\"]", "bits: []\n      rejected: range"),
        ("{ rejected: range }", "{ by: oracle }"),
        ("right: true", "right: 1"),
        ("id: ru8/", "id: RU8/"),
        ("printed:", "print:"),
        ("printed:", "margin: 0.5\n    printed:"),
        (
            "      bits:",
            "      output_state: [1]\n      rejected: range\n      bits:",
        ),
    ] {
        let text = VALID.replacen(from, to, 1);
        assert!(!validator.is_valid(&value(&text)), "{to}");
        assert!(seedproof_corpus::parse("a.yaml", &text).is_err(), "{to}");
    }
}

#[test]
fn schema_of_conversions_accepts_their_corpus() {
    let schema = value(include_str!("../../../docs/conversion.schema.json"));
    let validator = jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{error}"));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/conversion");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}")) {
        let path = entry.unwrap_or_else(|error| panic!("{error}")).path();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
        let errors: Vec<String> = validator
            .iter_errors(&value(&text))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0], "{}", path.display());
        files += 1;
    }
    assert!(files >= 8);
    assert!(!validator.is_valid(&value("models: [{id: a}]")));
}

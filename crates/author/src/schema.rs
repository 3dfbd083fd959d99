//! The JSON Schema of a file of cases, for editors and for other readers of the corpus.
//!
//! Written by hand beside the parser: it tells the forms of each op apart, which the parser's own types leave to
//! the conversion. A test holds both against the corpus and against texts that both must refuse.

use seedproof_ops::{Dtype, ErrorKind, Named, OpName};
use serde_json::{Value, json};

/// JSON Schema, draft 2020-12, of a file of cases, indented and with a newline at its end.
///
/// It says what a file's keys and values look like. What depends on numbers (how many bits follow from a shape,
/// decimal comments, names that must be known) only [`crate::parse`] and [`crate::Corpus`] can say.
pub fn schema() -> String {
    let mut text = serde_json::to_string_pretty(&file()).expect("a JSON value can always be written");
    text.push('\n');
    text
}

fn names<T: Named>() -> Vec<&'static str> {
    T::ALL.iter().map(|value| value.name()).collect()
}

fn list_of(definition: &str) -> Value {
    json!({ "type": "array", "items": reference(definition) })
}

fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// An object with exactly these keys, the optional ones after the required.
fn object(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let properties: serde_json::Map<String, Value> = required
        .iter()
        .chain(optional)
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    let required: Vec<&str> = required.iter().map(|(key, _)| *key).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn file() -> Value {
    let mut schema = object(
        &[
            ("schema", json!({ "const": 1 })),
            ("op", json!({ "enum": names::<OpName>() })),
            (
                "cases",
                json!({ "type": "array", "minItems": 1, "items": reference("case") }),
            ),
        ],
        &[
            ("clauses", list_of("name")),
            ("provenance", reference("provenance")),
        ],
    );
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A file of Seedproof's corpus");
    schema["allOf"] = OpName::ALL.iter().map(|&op| forms_of(op)).collect();
    schema["$defs"] = definitions();
    schema
}

/// The attributes and inputs of an op, where the file names it.
fn forms_of(op: OpName) -> Value {
    let (attrs, inputs) = match op {
        OpName::RandomUniform => ("random-uniform-attrs", "random-uniform-inputs"),
        OpName::Multinomial => ("multinomial-attrs", "multinomial-inputs"),
        OpName::DmlRandomGenerator => ("dml-attrs", "dml-inputs"),
    };
    let case = json!({ "properties": { "attrs": reference(attrs), "inputs": reference(inputs) } });
    json!({
        "if": { "properties": { "op": { "const": op.name() } } },
        "then": { "properties": { "cases": { "items": case } } },
    })
}

fn definitions() -> Value {
    let text = json!({ "type": "string" });
    let truth = json!({ "type": "boolean" });
    let seed = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX });
    let small = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let input = reference("input");
    let expectations = [answers(), by()].concat();
    let seeds = [("global_seed", seed.clone()), ("op_seed", seed.clone())];
    json!({
        "name": { "type": "string", "pattern": r"^[a-z0-9_-]+(\.[a-z0-9_-]+)*$" },
        "literal": {
            "description": "A float's bits in hexadecimal digits of its width, or an integer.",
            "oneOf": [
                { "type": "string", "pattern": "^([0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{16})$" },
                { "type": "integer", "minimum": i64::MIN, "maximum": i64::MAX },
            ],
        },
        "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
        "extents": { "type": "array", "items": seed },
        "input": object(
            &[
                ("dtype", json!({ "enum": names::<Dtype>() })),
                ("shape", reference("extents")),
                ("bits", list_of("literal")),
            ],
            &[],
        ),
        "scalar-input": { "oneOf": [reference("literal"), input] },
        "provenance": { "oneOf": provenances(&text, &small) },
        "random-uniform-attrs": object(
            &[&[("output_type", text.clone()), ("alignment", text.clone())], &seeds[..]].concat(),
            &[],
        ),
        "multinomial-attrs": object(
            &[
                &[
                    ("convert_type", text.clone()),
                    ("with_replacement", truth.clone()),
                    ("log_probs", truth.clone()),
                ],
                &seeds[..],
            ]
            .concat(),
            &[],
        ),
        "dml-attrs": object(
            &[
                ("type", text.clone()),
                ("feature_level", text.clone()),
                ("output_sizes", reference("extents")),
                ("output_state", truth.clone()),
            ],
            &[],
        ),
        "random-uniform-inputs": object(
            &[
                (
                    "shape",
                    json!({ "oneOf": [{ "type": "array", "items": { "type": "integer" } }, input] }),
                ),
                ("minval", reference("scalar-input")),
                ("maxval", reference("scalar-input")),
            ],
            &[],
        ),
        "multinomial-inputs": object(
            &[("probs", input.clone()), ("num_samples", reference("scalar-input"))],
            &[("draws", input.clone())],
        ),
        "dml-inputs": object(&[("input_state", input)], &[]),
        "expectation": { "oneOf": expectations },
        "answer": { "oneOf": answers() },
        "case": case(&text, &truth, &small),
    })
}

fn case(text: &Value, truth: &Value, small: &Value) -> Value {
    object(
        &[
            (
                "id",
                json!({ "type": "string", "pattern": "^(ru8|mn13|dml)(/[a-z0-9._-]+)+$" }),
            ),
            ("attrs", json!({ "type": "object" })),
            ("inputs", json!({ "type": "object" })),
            ("expect", reference("expectation")),
        ],
        &[
            ("clauses", list_of("name")),
            ("errata", list_of("name")),
            ("flags", list_of("name")),
            ("note", text.clone()),
            ("margin", json!({ "type": "number", "minimum": 0 })),
            ("provenance", reference("provenance")),
            ("execution", small.clone()),
            (
                "printed",
                object(
                    &[
                        ("values", json!({ "type": "array", "minItems": 1, "items": text })),
                        ("right", truth.clone()),
                    ],
                    &[],
                ),
            ),
            (
                "readings",
                json!({
                    "type": "object",
                    "propertyNames": reference("name"),
                    "additionalProperties": reference("answer"),
                }),
            ),
        ],
    )
}

fn provenances(text: &Value, small: &Value) -> Vec<Value> {
    let kind = |kind: &str| ("kind", json!({ "const": kind }));
    vec![
        object(
            &[
                kind("spec-example"),
                ("document", text.clone()),
                ("example", text.clone()),
            ],
            &[],
        ),
        object(&[kind("known-answer"), ("source", text.clone())], &[]),
        object(
            &[
                kind("capture"),
                ("implementation", text.clone()),
                ("version", text.clone()),
                ("method", text.clone()),
            ],
            &[],
        ),
        object(
            &[
                kind("derived"),
                ("reading", reference("name")),
                ("revision", small.clone()),
            ],
            &[],
        ),
    ]
}

fn answers() -> Vec<Value> {
    let ends = json!({ "type": "array", "maxItems": 8, "items": reference("literal") });
    let digest = |key: &str, sum: Value| {
        object(
            &[(key, sum), ("first", ends.clone()), ("last", ends.clone())],
            &[],
        )
    };
    let state = [("state", list_of("literal"))];
    vec![
        object(&[("bits", list_of("literal"))], &state),
        object(
            &[(
                "digest",
                json!({ "oneOf": [digest("chunks", list_of("sha256")), digest("whole", reference("sha256"))] }),
            )],
            &state,
        ),
        object(&[("rejected", json!({ "enum": names::<ErrorKind>() }))], &[]),
    ]
}

fn by() -> Vec<Value> {
    vec![object(
        &[("by", json!({ "enum": ["oracle", "statistics", "readings"] }))],
        &[],
    )]
}

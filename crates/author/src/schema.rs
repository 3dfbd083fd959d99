//! The JSON Schema of a file of cases, for editors and for other readers of the corpus.
//!
//! Attributes, inputs and outputs follow from the ops' descriptions; the rest is written by hand beside the parser.
//! A test checks both on the corpus and on texts that both must refuse.

use seedproof_corpus::short_form;
use seedproof_ops::{AttributeInfo, Dtype, ErrorKind, InputInfo, Kind, Named, OpName, Role};
use serde_json::{Value, json};

/// JSON Schema, draft 2020-12, of a file of cases, indented and with a newline at its end.
///
/// It says what a file's keys and values look like. What depends on numbers (how many bits follow from a shape,
/// decimal comments, names that must be known) only [`seedproof_corpus::parse`] and
/// [`seedproof_corpus::Corpus`] can say.
pub fn schema() -> String {
    let mut text = serde_json::to_string_pretty(&file()).expect("a JSON value can always be written");
    text.push('\n');
    text
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
            ("schema", json!({ "const": seedproof_corpus::SCHEMA })),
            ("op", json!({ "enum": OpName::NAMES })),
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

/// The attributes and inputs of the op that the file names.
fn forms_of(op: OpName) -> Value {
    let description = op.description();
    let attributes = description
        .attributes
        .iter()
        .map(|info| (info.required, info.name, attribute(info)));
    let inputs = description
        .inputs
        .iter()
        .map(|info| (info.required, info.name, input(info)));
    let mut case = json!({ "attrs": described(attributes), "inputs": described(inputs) });
    if !description.inputs.iter().any(|info| info.role == Role::Weights) {
        case["margin"] = json!(false);
    }
    if !description.successive {
        case["execution"] = json!(false);
    }
    json!({
        "if": { "properties": { "op": { "const": op.name() } } },
        "then": { "properties": { "cases": { "items": { "properties": case } } } },
    })
}

fn described(parts: impl Iterator<Item = (bool, &'static str, Value)>) -> Value {
    let (required, optional): (Vec<_>, Vec<_>) = parts.partition(|(required, ..)| *required);
    let named = |parts: Vec<(bool, &'static str, Value)>| -> Vec<(&str, Value)> {
        parts.into_iter().map(|(_, name, value)| (name, value)).collect()
    };
    object(&named(required), &named(optional))
}

fn attribute(info: &AttributeInfo) -> Value {
    match info.kind {
        // Any string is valid: the corpus has requests with unknown names, which must be refused.
        Kind::Enumeration(_) | Kind::Dtype(_) => json!({ "type": "string" }),
        Kind::Seed => reference("u64"),
        Kind::Boolean | Kind::WithOutput => json!({ "type": "boolean" }),
        Kind::Extents(_) => list_of("u64"),
        Kind::Number(_) => json!({ "type": "string", "pattern": "^(0|-?[1-9][0-9]*)$" }),
    }
}

fn input(info: &InputInfo) -> Value {
    let short = match short_form(info, |_| None) {
        None => return reference("input"),
        Some((0, _)) => reference("literal"),
        Some(_) => list_of("literal"),
    };
    json!({ "oneOf": [short, reference("input")] })
}

/// The name of a clause, an erratum, a reading or a mistake.
pub(crate) fn name() -> Value {
    json!({ "type": "string", "pattern": r"^[a-z0-9_-]+(\.[a-z0-9_-]+)*$" })
}

fn definitions() -> Value {
    let text = json!({ "type": "string" });
    let truth = json!({ "type": "boolean" });
    let small = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let expectations = [answers(), by()].concat();
    json!({
        "name": name(),
        "literal": {
            "description": "A float's bits in hexadecimal digits of its width, or an integer.",
            "oneOf": [
                { "type": "string", "pattern": "^([0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{16})$" },
                { "type": "integer", "minimum": i64::MIN, "maximum": u64::MAX },
            ],
        },
        "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
        "u64": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
        "input": object(
            &[
                ("dtype", json!({ "enum": Dtype::NAMES })),
                ("shape", list_of("u64")),
                ("bits", list_of("literal")),
            ],
            &[],
        ),
        "provenance": { "oneOf": provenances(&text, &small) },
        "expectation": { "oneOf": expectations },
        "answer": { "oneOf": answers() },
        "case": case(&text, &truth, &small),
    })
}

fn case(text: &Value, truth: &Value, small: &Value) -> Value {
    let prefixes: Vec<&str> = OpName::ALL.iter().map(|op| op.description().prefix).collect();
    let id = format!("^({})(/[a-z0-9._-]+)+$", prefixes.join("|"));
    object(
        &[
            ("id", json!({ "type": "string", "pattern": id })),
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

/// The forms of a provenance. A name is `#/$defs/name`.
pub(crate) fn provenances(text: &Value, small: &Value) -> Vec<Value> {
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
    let outputs = OpName::ALL
        .iter()
        .flat_map(|op| op.description().outputs.iter().skip(1));
    let further: Vec<(&str, Value)> = outputs.map(|output| (output.name, list_of("literal"))).collect();
    vec![
        object(&[("bits", list_of("literal"))], &further),
        object(
            &[(
                "digest",
                json!({ "oneOf": [digest("chunks", list_of("sha256")), digest("whole", reference("sha256"))] }),
            )],
            &further,
        ),
        object(&[("rejected", json!({ "enum": ErrorKind::NAMES }))], &[]),
    ]
}

fn by() -> Vec<Value> {
    vec![object(
        &[("by", json!({ "enum": ["oracle", "statistics", "readings"] }))],
        &[],
    )]
}

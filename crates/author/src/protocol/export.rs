//! The JSON Schemas of what `seedproof export` writes. Requests and tensors have the protocol's form, so that a harness of
//! the one reads the other.

use std::collections::BTreeSet;

use seedproof_ops::{Dtype, ErrorKind, Named, OpName};
use serde_json::{Value, json};

use super::parts::{described, extents, number, object, reference, text};
use super::{decimals, forms_of, message, pretty};
use crate::schema::{name, provenances};

/// The version of both documents.
const SCHEMA: u32 = 1;

/// Names and texts of the schemas of an export: its cases and its index.
pub fn export_schemas() -> Vec<(&'static str, String)> {
    vec![
        ("cases.schema.json", pretty(&cases())),
        ("index.schema.json", pretty(&index())),
    ]
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// What both documents say of the export.
fn common() -> Vec<(&'static str, Value)> {
    let corpus = "SHA-256 of the corpus, by which reports name it too.";
    let license = json!({ "description": "An SPDX expression; null of a corpus that did not come with the program.", "type": ["string", "null"] });
    vec![
        ("schema", json!({ "const": SCHEMA })),
        ("corpus", described(text(), corpus)),
        (
            "reading",
            described(reference("name"), "The reading whose answers are expected."),
        ),
        ("license", license),
    ]
}

fn cases() -> Value {
    let arrays = "In an export to NumPy: the file beside this one that has the elements of the tensors.";
    let fields = common().into_iter().chain([
        ("arrays?", described(text(), arrays)),
        (
            "cases",
            json!({ "type": "array", "minItems": 1, "items": reference("case") }),
        ),
    ]);
    let mut schema = message(
        "cases",
        "The cases of an export",
        "Requests, and the one answer that each has under the reading.",
        object(fields),
    );
    schema["$defs"] = decimals();
    schema["$defs"]["name"] = name();
    schema["$defs"]["tensor"] = tensor();
    schema["$defs"]["case"] = case();
    schema
}

fn case() -> Value {
    let small = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let execution = "Which successive execution of one op instance this is, from 0.";
    let computed =
        "Whether the reading computed the answer; one that it did not is in the corpus, with its provenance.";
    let outputs: BTreeSet<&str> = OpName::ALL
        .iter()
        .flat_map(|op| op.description().outputs)
        .map(|output| output.name)
        .collect();
    let outputs = object(
        outputs
            .into_iter()
            .map(|name| (format!("{name}?"), reference("tensor"))),
    );
    let rejected = json!({
        "description": "The request is invalid; null where the kind of fault is not known.",
        "enum": ErrorKind::NAMES.iter().map(|&name| Value::from(name)).chain([Value::Null]).collect::<Vec<_>>(),
    });
    let mut schema = object([
        ("id", text()),
        ("op", json!({ "enum": OpName::NAMES })),
        ("attrs", json!({ "type": "object" })),
        ("inputs", json!({ "type": "object" })),
        ("execution", described(small.clone(), execution)),
        ("outputs?", outputs),
        ("rejected?", rejected),
        ("computed", described(json!({ "type": "boolean" }), computed)),
        ("provenance", json!({ "oneOf": provenances(&text(), &small) })),
        ("clauses", list(&reference("name"))),
        ("errata", list(&reference("name"))),
        ("note?", text()),
    ]);
    schema["oneOf"] = json!([{ "required": ["outputs"] }, { "required": ["rejected"] }]);
    schema["allOf"] = OpName::ALL.iter().map(|op| forms_of(op.description())).collect();
    schema
}

fn tensor() -> Value {
    let mut schema = object([
        ("dtype", json!({ "enum": Dtype::NAMES })),
        ("shape", described(extents(), "Extents, outermost first.")),
        (
            "hex?",
            json!({
                "description": "Row-major, little-endian bytes, two digits each.",
                "type": "string", "pattern": "^([0-9a-f]{2})*$",
            }),
        ),
        (
            "array?",
            described(
                text(),
                "The name of the array in the file `arrays`. Of bf16 its elements are the bits, as uint16.",
            ),
        ),
    ]);
    schema["oneOf"] = json!([{ "required": ["hex"] }, { "required": ["array"] }]);
    schema
}

fn index() -> Value {
    let case = object([
        ("id", text()),
        ("op", json!({ "enum": OpName::NAMES })),
        (
            "path",
            described(
                text(),
                "The document that has the case; of a test of an ONNX node its folder.",
            ),
        ),
    ]);
    let left_out = object([("reason", text()), ("cases", number())]);
    let fields = common().into_iter().chain([
        ("format", json!({ "const": "seedproof-export" })),
        ("form", json!({ "enum": ["onnx-node-tests", "npz", "json"] })),
        (
            "program",
            described(text(), "Name and version of the program that wrote it."),
        ),
        ("queries", described(list(&text()), "What selected the cases.")),
        ("cases", list(&case)),
        (
            "left_out",
            described(
                list(&left_out),
                "How many selected cases are not in the export, and why.",
            ),
        ),
        (
            "files",
            described(
                list(&text()),
                "All other files. A folder that has any beside them is not written to.",
            ),
        ),
    ]);
    let mut schema = message(
        "index",
        "The index of an export",
        "What an export has, and what it leaves out.",
        object(fields),
    );
    schema["$defs"] = json!({ "name": name() });
    schema
}

//! The adapter protocol's JSON Schemas, those of exports, which have the protocol's requests, and the tables of the protocol's
//! guide that follow from the ops' descriptions.

mod export;
mod guide;
mod parts;

use std::collections::BTreeSet;

use seedproof_ops::{AttributeInfo, Dtype, ErrorKind, InputInfo, Kind, Named, Op, OpName};
use seedproof_wire::{PROTOCOL, features};
use serde_json::{Value, json};

pub use export::export_schemas;
use guide::alternatives;
pub(crate) use guide::guide;
pub use guide::{input_types, values};
use parts::{described, extents, number, object, pair, reference, tensor, text};

/// Names, relative to the repository's root, and texts: a schema for each message.
pub(crate) fn schemas() -> Vec<(String, String)> {
    let schemas = [
        hello(),
        bye(),
        run(),
        hello_reply(),
        reply_ok(),
        reply_rejected(),
        reply_unsupported(),
        reply_error(),
    ];
    schemas
        .into_iter()
        .map(|schema| {
            let id = schema["$id"].as_str().expect("every schema has an id");
            (format!("docs/protocol/{id}"), pretty(&schema))
        })
        .collect()
}

fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).expect("a JSON value can always be written") + "\n"
}

fn message(name: &str, title: &str, description: &str, object: Value) -> Value {
    let mut schema = described(object, description);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["$id"] = format!("{name}.schema.json").into();
    schema["title"] = title.into();
    schema
}

fn hello() -> Value {
    let protocol = format!("The version that the harness speaks: {PROTOCOL}.");
    let fields = [
        ("cmd", json!({ "const": "hello" })),
        (
            "protocol",
            json!({ "type": "integer", "minimum": 1, "description": protocol }),
        ),
        ("harness", described(text(), "Name and version of the harness.")),
        (
            "max_body",
            described(number(), "The most bytes of tensors in one message."),
        ),
    ];
    message("hello", "hello", "The harness's first line.", object(fields))
}

fn bye() -> Value {
    let fields = [("cmd", json!({ "const": "bye" }))];
    message("bye", "bye", "The harness's last message.", object(fields))
}

fn run() -> Value {
    let window = described(pair(), "First element and number of elements, row-major.");
    let want = json!({
        "description": "How much of the output is wanted. Default: full.",
        "oneOf": [{ "enum": ["full", "digest"] }, object([("window", window)])],
    });
    let execution = json!({
        "description": "Which successive execution of one op instance this is. Default: 0, the first.",
        "type": "integer", "minimum": 0, "maximum": u32::MAX,
    });
    let fields = [
        ("cmd", json!({ "const": "run" })),
        ("seq", described(number(), "The number that the reply repeats.")),
        (
            "case?",
            described(text(), "The name of the case, for logs. Default: empty."),
        ),
        ("op", json!({ "enum": OpName::NAMES })),
        ("attrs", json!({ "type": "object" })),
        ("inputs", json!({ "type": "object" })),
        ("execution?", execution),
        ("want?", want),
        (
            "deadline_ms?",
            described(number(), "After how many milliseconds the harness gives up."),
        ),
    ];
    let mut schema = object(fields);
    schema["allOf"] = OpName::ALL.iter().map(|op| forms_of(op.description())).collect();
    let types = format!(
        "{}. Another text is for the adapter to reject.",
        alternatives(Dtype::NAMES)
    );
    schema["$defs"] = decimals();
    schema["$defs"]["tensor"] = tensor(described(text(), &types), false);
    message(
        "run",
        "run",
        "A request. The harness writes every field; where a server reads a request by hand, those that are not required \
         have the defaults that they describe.",
        schema,
    )
}

/// Definitions of the integers that are decimal strings.
fn decimals() -> Value {
    let decimal =
        |from: &str, pattern: &str| json!({ "description": from, "type": "string", "pattern": pattern });
    json!({
        "seed": decimal(
            "A 64-bit unsigned integer as a decimal string, at most 18446744073709551615.",
            "^(0|[1-9][0-9]{0,19})$",
        ),
        "number": decimal(
            "A 128-bit signed integer as a decimal string.",
            "^(0|-?[1-9][0-9]{0,38})$",
        ),
    })
}

/// The attributes and inputs of an op, where the message names it.
fn forms_of(op: &Op) -> Value {
    let field = |name: &str, required: bool| format!("{name}{}", if required { "" } else { "?" });
    let attribute = |info: &AttributeInfo| {
        let schema = match info.kind {
            Kind::Enumeration(_) | Kind::Dtype(_) => text(),
            Kind::Seed => reference("seed"),
            Kind::Boolean | Kind::WithOutput => json!({ "type": "boolean" }),
            Kind::Extents(_) => extents(),
            Kind::Number(_) => reference("number"),
        };
        let values = match info.kind {
            Kind::Enumeration(_) | Kind::Dtype(_) => format!(" {}.", values(info.kind)),
            _ => String::new(),
        };
        (
            field(info.name, info.required),
            described(schema, &format!("{}{values}", info.doc.trim())),
        )
    };
    let input = |info: &InputInfo| {
        (
            field(info.name, info.required),
            described(reference("tensor"), info.doc),
        )
    };
    let attrs = object(op.attributes.iter().map(attribute));
    let inputs = object(op.inputs.iter().map(input));
    json!({
        "if": { "properties": { "op": { "const": op.name } } },
        "then": { "properties": { "attrs": attrs, "inputs": inputs } },
    })
}

fn hello_reply() -> Value {
    let capability = |op: &OpName| {
        let op = op.description();
        let mut fields = vec![
            ("op".to_owned(), json!({ "const": op.name })),
            (
                "features?".to_owned(),
                json!({ "type": "array", "items": { "enum": features() } }),
            ),
        ];
        let attributes = op
            .attributes
            .iter()
            .map(|info| (format!("{}?", info.name), answered_values(info.kind)));
        let inputs = op
            .inputs
            .iter()
            .map(|info| (format!("{}?", info.name), reference("input")));
        fields.push(("rank?".to_owned(), reference("rank")));
        fields.extend(attributes.chain(inputs));
        object(fields)
    };
    let optional = ["language?", "device?", "homepage?", "issues?"];
    let implementation = ["name", "version"]
        .into_iter()
        .chain(optional)
        .map(|name| (name, text()));
    let capabilities: Vec<Value> = OpName::ALL.iter().map(capability).collect();
    let fields = [
        ("protocol", json!({ "const": PROTOCOL })),
        ("framing", json!({ "enum": ["lines", "frames"] })),
        ("implementation", object(implementation)),
        (
            "capabilities",
            json!({ "type": "array", "items": { "oneOf": capabilities } }),
        ),
    ];
    let types = json!({
        "type": "array", "items": { "enum": Dtype::NAMES }, "description": "The element types that are answered.",
    });
    let decimals = json!({
        "type": "array", "items": text(), "description": "Decimals, of which each element is one.",
    });
    let input = json!({ "anyOf": [types, object([("types?", types.clone()), ("values?", decimals)])] });
    let mut rank = described(
        object([("min?", number()), ("max?", number())]),
        "The numbers of extents of the first output that are answered.",
    );
    rank["minProperties"] = 1.into();
    let mut schema = object(fields);
    schema["$defs"] = json!({ "input": input, "rank": rank });
    message(
        "hello-reply",
        "hello reply",
        "The adapter's first line. What follows is framed as it says.",
        schema,
    )
}

/// The list of an attribute's values that are answered. Of a type, any may be asked for, to be refused.
fn answered_values(kind: Kind) -> Value {
    let items = match kind {
        Kind::Enumeration(names) => json!({ "enum": names }),
        Kind::Dtype(_) => json!({ "enum": Dtype::NAMES }),
        Kind::Seed | Kind::Number(_) => text(),
        Kind::Boolean | Kind::WithOutput => json!({ "type": "boolean" }),
        Kind::Extents(_) => extents(),
    };
    json!({ "type": "array", "items": items, "description": "The values that are answered." })
}

fn reply(status: &str, description: &str, fields: Vec<(&str, Value)>) -> Value {
    let status_field = ("status", json!({ "const": status }));
    let seq = (!fields.iter().any(|(name, _)| *name == "seq")).then(|| ("seq", number()));
    let fields = seq.into_iter().chain([status_field]).chain(fields);
    message(&format!("reply-{status}"), status, description, object(fields))
}

fn reply_ok() -> Value {
    let ops = || OpName::ALL.iter().map(|op| op.description().outputs);
    let first: BTreeSet<&str> = ops().map(|outputs| outputs[0].name).collect();
    let all: BTreeSet<&str> = ops().flatten().map(|output| output.name).collect();
    let fields = all.into_iter().map(|name| {
        let definition = if first.contains(name) { "output" } else { "tensor" };
        (format!("{name}?"), reference(definition))
    });
    let mut outputs = described(
        object(fields),
        "The outputs that were asked for, all of them. Of the first, a digest or a window where that is wanted.",
    );
    outputs["anyOf"] = first.iter().map(|name| json!({ "required": [name] })).collect();
    let elapsed = described(number(), "How long the computation took.");
    let mut schema = reply(
        "ok",
        "A value.",
        vec![("outputs", outputs), ("elapsed_ns?", elapsed)],
    );
    let dtype = json!({ "enum": Dtype::NAMES });
    schema["$defs"] = json!({ "output": tensor(dtype.clone(), true), "tensor": tensor(dtype, false) });
    schema
}

fn reply_rejected() -> Value {
    let kind = json!({ "enum": ErrorKind::NAMES });
    reply(
        "rejected",
        "A refusal of an invalid request.",
        vec![("kind?", kind), ("reason", text())],
    )
}

fn reply_unsupported() -> Value {
    let issue = described(text(), "Where this is tracked.");
    reply(
        "unsupported",
        "A request that the implementation cannot answer.",
        vec![("reason", text()), ("issue?", issue)],
    )
}

fn reply_error() -> Value {
    let seq = json!({
        "description": "Null where no number could be read.",
        "anyOf": [number(), { "type": "null" }],
    });
    let trace = described(text(), "Where it happened: a stack trace, for people.");
    reply(
        "error",
        "A request that did not parse or could not be answered.",
        vec![("seq", seq), ("message", text()), ("trace?", trace)],
    )
}

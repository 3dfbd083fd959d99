//! What several messages' schemas have in common.

use serde_json::{Map, Value, json};

/// An object with exactly these fields; a name that ends in `?` is optional.
pub(super) fn object<N: AsRef<str>>(fields: impl IntoIterator<Item = (N, Value)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, schema) in fields {
        let name = name.as_ref();
        let bare = name.trim_end_matches('?');
        if bare == name {
            required.push(name.to_owned());
        }
        properties.insert(bare.to_owned(), schema);
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub(super) fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.trim().into();
    schema
}

pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

pub(super) fn number() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX })
}

pub(super) fn pair() -> Value {
    json!({ "type": "array", "items": number(), "minItems": 2, "maxItems": 2 })
}

pub(super) fn extents() -> Value {
    json!({ "type": "array", "items": number() })
}

pub(super) fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// A tensor; one whose elements are judged may be a window or a digest.
pub(super) fn tensor(dtype: Value, judged: bool) -> Value {
    let offset = described(number(), "Where the bytes begin in the body.");
    let mut fields = vec![
        ("dtype", dtype),
        ("shape", described(extents(), "Extents, outermost first.")),
        (
            "hex?",
            json!({
                "description": "Row-major, little-endian bytes, two digits each.",
                "type": "string", "pattern": "^([0-9a-fA-F]{2})*$",
            }),
        ),
        ("offset?", offset),
        ("length?", described(number(), "How many bytes there are.")),
    ];
    fields[3].1["multipleOf"] = 8.into();
    let mut forms = vec![
        json!({ "required": ["hex"] }),
        json!({ "required": ["offset", "length"] }),
    ];
    if judged {
        let window = "Of a window: its first element and number of elements. `shape` is the whole output's.";
        let sum = json!({ "type": "string", "pattern": "^[0-9a-fA-F]{64}$" });
        fields.push(("window?", described(pair(), window)));
        fields.push((
            "chunks?",
            json!({
                "description": "Of a digest, in place of the bytes: SHA-256 of the bytes of each 65,536 elements.",
                "type": "array", "items": sum,
            }),
        ));
        forms.push(json!({ "required": ["chunks"], "not": { "required": ["window"] } }));
    }
    let mut schema = described(
        object(fields),
        "`hex` under the framing lines, `offset` and `length` under frames.",
    );
    schema["oneOf"] = forms.into();
    schema["dependentRequired"] = json!({ "offset": ["length"], "length": ["offset"] });
    schema
}

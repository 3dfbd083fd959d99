//! The names of the Python parameters that stand for attributes.

use seedproof_ops::{AttributeInfo, Kind};

/// The name of an attribute's parameter. An element type is `dtype` and the first seed is `seed`, as in NumPy.
pub(super) fn parameter(info: &AttributeInfo) -> &'static str {
    match (info.kind, info.name) {
        (Kind::Dtype(_), _) => "dtype",
        (_, "global_seed") => "seed",
        (_, name) => identifier(name),
    }
}

/// A name of an op's document as Python writes it. One of PyTorch's is a keyword.
pub(super) fn identifier(name: &str) -> &str {
    match name {
        "from" => "from_",
        name => name,
    }
}

/// The type of a parameter, and its default if it has one.
pub(super) fn attribute_form(info: &AttributeInfo) -> (&'static str, Option<String>) {
    let (form, default) = match info.kind {
        Kind::Dtype(_) => ("DTypeLike", None),
        Kind::Enumeration(names) => match names {
            [only] => ("str", Some(format!("\"{only}\""))),
            _ => ("str", None),
        },
        Kind::Seed => ("int", Some("0".to_owned())),
        Kind::Boolean | Kind::WithOutput => ("bool", Some("False".to_owned())),
        Kind::Extents(_) => ("Any", None),
        Kind::Number(_) => ("int", None),
    };
    (
        form,
        default.or_else(|| (!info.required).then(|| "None".to_owned())),
    )
}

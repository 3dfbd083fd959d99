//! What a kernel is called with.

use seedproof_author::{input_types, values};
use seedproof_ops::{AttributeInfo, InputInfo, Kind, Types};

/// An argument of a kernel: an attribute of the op, or an input.
pub(super) enum Argument {
    Attribute(&'static AttributeInfo),
    Input(&'static InputInfo),
}

impl Argument {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Attribute(info) => info.name,
            Self::Input(info) => info.name,
        }
    }

    /// What values it has, and what it is.
    pub(super) fn document(&self) -> String {
        let (form, required, doc) = match self {
            Self::Attribute(info) => match info.kind {
                Kind::Seed | Kind::Number(_) => ("a number".to_owned(), info.required, info.doc),
                kind => (values(kind), info.required, info.doc),
            },
            Self::Input(info) => (
                format!("{}, {}", input_types(info), info.extents),
                info.required,
                info.doc,
            ),
        };
        let optional = if required { "" } else { ", or absent" };
        format!("{form}{optional}. {}", doc.trim())
    }
}

/// The source of an input's element types in a starter.
pub(super) enum Listed {
    /// These.
    Names(Vec<&'static str>),
    /// That of an attribute.
    Attribute(&'static str),
}

/// The names that an attribute may take; `None` for an attribute of another kind.
pub(super) fn names(kind: Kind) -> Option<Vec<&'static str>> {
    match kind {
        Kind::Enumeration(names) => Some(names.to_vec()),
        Kind::Dtype(types) => Some(types.iter().map(|dtype| dtype.name()).collect()),
        _ => None,
    }
}

pub(super) fn listed(types: Types) -> Listed {
    match types {
        Types::OneOf(types) => Listed::Names(types.iter().map(|dtype| dtype.name()).collect()),
        Types::Attribute(name) => Listed::Attribute(name),
    }
}

//! The functions of the Python package, one for each op: `python/seedproof/_ops.py`, from the ops' descriptions.

mod example;
mod parameter;

use std::fmt::Write as _;

use example::example;
use parameter::{attribute_form, identifier, parameter};
use seedproof_corpus::Corpus;
use seedproof_ops::{AttributeInfo, InputInfo, Kind, Named as _, Op, OpName, Types};

/// The file, relative to the repository's root.
pub(crate) const OPS: &str = "python/seedproof/_ops.py";

const HEAD: &str = r#""""The ops as functions. Generated from their descriptions by `seedproof gen`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _native
"#;

/// The text of [`OPS`].
pub(crate) fn functions(corpus: &Corpus) -> String {
    let ops: Vec<&Op> = OpName::ALL.iter().map(|op| op.description()).collect();
    let named: Vec<(String, &Op)> = ops.iter().map(|op| (function_name(op, &ops), *op)).collect();
    let mut text = HEAD.to_owned();
    let mut list: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    list.sort_unstable();
    let list: Vec<String> = list.iter().map(|name| format!("    \"{name}\",\n")).collect();
    write!(text, "\n__all__ = [\n{}]\n", list.concat()).expect("a String takes every write");
    for (name, op) in &named {
        text.push_str(&function(name, op, corpus));
    }
    text
}

/// `random_uniform` of `openvino.RandomUniform-8`; with the framework before it where the op's title has it, and where another
/// op without it has that name.
fn function_name(op: &Op, all: &[&Op]) -> String {
    if op.title == op.name {
        return snake_case(op.name);
    }
    let short = |op: &Op| {
        let name = op.name.split_once('.').map_or(op.name, |(_, name)| name);
        let digits = |version: &str| version.bytes().all(|byte| byte.is_ascii_digit());
        snake_case(match name.rsplit_once('-') {
            Some((name, version)) if digits(version) => name,
            _ => name,
        })
    };
    let name = short(op);
    let same = all
        .iter()
        .filter(|other| other.title != other.name && short(other) == name);
    if same.count() == 1 {
        return name;
    }
    let framework = op.name.split_once('.').map_or("", |(framework, _)| framework);
    format!("{}_{name}", snake_case(framework))
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut before = None;
    for c in name.chars() {
        if c.is_uppercase() && before.is_some_and(|it: char| it.is_lowercase() || it.is_ascii_digit()) {
            snake.push('_');
        }
        snake.push(if c.is_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        });
        before = Some(c);
    }
    snake
}

fn function(name: &str, op: &Op, corpus: &Corpus) -> String {
    let mut parameters: Vec<String> = Vec::new();
    let (required, optional): (Vec<_>, Vec<_>) = op.inputs.iter().partition(|info| info.required);
    parameters.extend(
        required
            .iter()
            .map(|info| format!("{}: ArrayLike", identifier(info.name))),
    );
    parameters.extend(
        optional
            .iter()
            .map(|info| format!("{}: ArrayLike | None = None", identifier(info.name))),
    );
    parameters.push("*".to_owned());
    parameters.extend(op.attributes.iter().map(|info| match attribute_form(info) {
        (form, Some(default)) if default == "None" => format!("{}: {form} | None = None", parameter(info)),
        (form, Some(default)) => format!("{}: {form} = {default}", parameter(info)),
        (form, None) => format!("{}: {form}", parameter(info)),
    }));
    if op.successive {
        parameters.push("execution: int = 0".to_owned());
    }
    parameters.push("reading: str = \"spec\"".to_owned());
    parameters.push("out: NDArray[Any] | None = None".to_owned());
    let returns = if op.outputs.len() == 1 {
        "NDArray[Any]".to_owned()
    } else if op.attributes.iter().any(|info| info.kind == Kind::WithOutput) {
        "NDArray[Any] | tuple[NDArray[Any], ...]".to_owned()
    } else {
        "tuple[NDArray[Any], ...]".to_owned()
    };
    let tuple = |names: Vec<&str>| match names.as_slice() {
        [only] => format!("({only},)"),
        names => format!("({})", names.join(", ")),
    };
    let attributes = tuple(op.attributes.iter().map(parameter).collect());
    let inputs = tuple(op.inputs.iter().map(|info| identifier(info.name)).collect());
    let execution = if op.successive { "execution" } else { "0" };
    let lines: Vec<String> = parameters.iter().map(|it| format!("    {it},\n")).collect();
    format!(
        "\n\ndef {name}(\n{}) -> {returns}:\n    \"\"\"{}    \"\"\"\n    return _native.draw(\n        \"{}\",\n        \
         {attributes},\n        {inputs},\n        {execution},\n        reading,\n        out,\n    )\n",
        lines.concat(),
        documentation(name, op, corpus),
        op.name
    )
}

fn documentation(name: &str, op: &Op, corpus: &Corpus) -> String {
    let mut text = format!("{} (`{}`).\n\n    Args:\n", op.title, op.name);
    let mut line = |name: &str, doc: &str| {
        writeln!(text, "        {name}: {}", doc.trim().replace("\n ", " "))
            .expect("a String takes every write");
    };
    for info in op.inputs {
        line(
            identifier(info.name),
            &format!("{} {}", info.doc.trim(), input_form(info)),
        );
    }
    for info in op.attributes {
        line(
            parameter(info),
            &format!("{} {}", info.doc.trim(), attribute_values(info)),
        );
    }
    if op.successive {
        line(
            "execution",
            "Which successive execution of one op instance it is, from 0.",
        );
    }
    line(
        "reading",
        "The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).",
    );
    line(
        "out",
        "An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.",
    );
    let outputs: Vec<String> = op
        .outputs
        .iter()
        .map(|output| format!("`{}` ({})", output.name, output.form))
        .collect();
    let several = if op.outputs.len() > 1 {
        " A tuple where there are several."
    } else {
        ""
    };
    write!(
        text,
        "\n    Returns:\n        {}.{several}\n\n    Raises:\n        Rejected: The op forbids the request.\n        \
         Unsupported: The reading has no answer, or the output takes more than 4 GiB.\n        \
         InvalidArgument: A value is of no type that the parameter takes.\n",
        outputs.join(", ")
    )
    .expect("a String takes every write");
    if let Some(example) = example(name, op, corpus) {
        write!(text, "\n    Example:\n{example}").expect("a String takes every write");
    }
    text
}

fn input_form(info: &InputInfo) -> String {
    let types = match info.dtypes {
        Types::OneOf(dtypes) => {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            names.join(", ")
        }
        Types::Attribute(_) => "of `dtype`".to_owned(),
    };
    format!("Shape `{}`; {types}.", info.extents)
}

fn attribute_values(info: &AttributeInfo) -> String {
    match info.kind {
        Kind::Enumeration(names) => format!("One of {}.", names.join(", ")),
        Kind::Dtype(dtypes) => {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            format!("NumPy's type or our name: {}.", names.join(", "))
        }
        Kind::Seed => "From 0 to 2^64 - 1.".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_names_of_their_ops() {
        let ops: Vec<&Op> = OpName::ALL.iter().map(|op| op.description()).collect();
        let names: Vec<String> = ops.iter().map(|op| function_name(op, &ops)).collect();
        assert!(names.contains(&"random_uniform".to_owned()), "{names:?}");
        assert!(
            names.contains(&"stateless_random_get_key_counter".to_owned()),
            "{names:?}"
        );
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name} twice");
        }
        assert_eq!(
            snake_case("StatelessRandomUniformFullIntV2"),
            "stateless_random_uniform_full_int_v2"
        );
    }

    #[test]
    fn functions_show_a_call_for_every_op() {
        let text = functions(seedproof::corpus());
        assert_eq!(text.matches(">>> drawn = ").count(), OpName::ALL.len());
        assert!(text.contains("drawn = sp.random_uniform("), "{text}");
    }
}

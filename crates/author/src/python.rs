//! The functions of the Python package, one for each op: `python/seedproof/_ops.py`, from the ops' descriptions.

use std::fmt::Write as _;

use seedproof_ops::{
    AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, Named as _, Op, OpName, Request, Scalar, Tensor,
    Types,
};
use seedproof_vectors::{Case, Corpus, Expectation, Provenance};

/// The file, relative to the repository's root.
pub(crate) const OPS: &str = "python/seedproof/_ops.py";

/// Elements of an example's output that are printed.
const SHOWN: usize = 3;
/// Elements of an example's inputs and output, at most.
const SMALL: usize = 12;

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

/// `random_uniform` of `openvino.RandomUniform-8`; with the framework before it where another op has that name.
fn function_name(op: &Op, all: &[&Op]) -> String {
    let short = |op: &Op| {
        let name = op.name.split_once('.').map_or(op.name, |(_, name)| name);
        let digits = |version: &str| version.bytes().all(|byte| byte.is_ascii_digit());
        snake_case(match name.rsplit_once('-') {
            Some((name, version)) if digits(version) => name,
            _ => name,
        })
    };
    let name = short(op);
    if all.iter().filter(|other| short(other) == name).count() == 1 {
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

/// The name of a parameter: those of NumPy for a type and a seed.
fn parameter(info: &AttributeInfo) -> &'static str {
    match (info.kind, info.name) {
        (Kind::Dtype(_), _) => "dtype",
        (_, "global_seed") => "seed",
        (_, name) => name,
    }
}

/// The type of a parameter, and its default if it has one.
fn attribute_form(info: &AttributeInfo) -> (&'static str, Option<String>) {
    let (form, default) = match info.kind {
        Kind::Dtype(_) => ("DTypeLike", None),
        Kind::Enumeration(names) => match names {
            [only] => ("str", Some(format!("\"{only}\""))),
            _ => ("str", None),
        },
        Kind::Seed => ("int", Some("0".to_owned())),
        Kind::Boolean | Kind::WithOutput => ("bool", Some("False".to_owned())),
        Kind::Extents(_) => ("Any", None),
        Kind::Number => ("int", None),
    };
    (
        form,
        default.or_else(|| (!info.required).then(|| "None".to_owned())),
    )
}

fn function(name: &str, op: &Op, corpus: &Corpus) -> String {
    let mut parameters: Vec<String> = Vec::new();
    let (required, optional): (Vec<_>, Vec<_>) = op.inputs.iter().partition(|info| info.required);
    parameters.extend(required.iter().map(|info| format!("{}: ArrayLike", info.name)));
    parameters.extend(
        optional
            .iter()
            .map(|info| format!("{}: ArrayLike | None = None", info.name)),
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
    let inputs = tuple(op.inputs.iter().map(|info| info.name).collect());
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
        line(info.name, &format!("{} {}", info.doc.trim(), input_form(info)));
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

/// A call with what it draws, from the corpus: what a document prints, or else what is known to be right.
fn example(name: &str, op: &Op, corpus: &Corpus) -> Option<String> {
    let rank = |case: &Case| match case.provenance {
        Provenance::SpecExample { .. } => 0,
        Provenance::KnownAnswer { .. } => 1,
        _ => 2,
    };
    let fits = |case: &&Case| {
        let small = |tensor: &Tensor| tensor.count() <= SMALL && tensor.dtype() != Dtype::Bf16;
        let shown = |output: &Tensor| (1..=SMALL).contains(&output.count()) && small(output);
        let request = &case.request;
        request.description().name == op.name
            && request.execution() == 0
            && request.inputs().iter().all(|(_, tensor)| small(tensor))
            && matches!(&case.expect, Expectation::Bits(bits) if shown(&bits.output) && plain(&bits.output))
    };
    let case = corpus.cases().filter(fits).min_by_key(|case| rank(case))?;
    let Expectation::Bits(bits) = &case.expect else {
        return None;
    };
    let first = if bits.more.is_empty() { "" } else { "[0]" };
    let elements: Vec<String> = bits.output.scalars().take(SHOWN).map(python).collect();
    let cut = if bits.output.count() > SHOWN {
        format!("[:{SHOWN}]")
    } else {
        String::new()
    };
    Some(format!(
        "        >>> drawn = sp.{name}({})\n        >>> drawn{first}.ravel(){cut}.tolist()\n        [{}]\n",
        arguments(&case.request).join(", "),
        elements.join(", ")
    ))
}

/// Whether Python prints the first elements as Rust does.
fn plain(output: &Tensor) -> bool {
    output.scalars().take(SHOWN).all(|scalar| {
        let value = scalar.to_f64().abs();
        !scalar.dtype().is_float() || value == 0.0 || (1e-3..1e15).contains(&value)
    })
}

/// An element as Python prints the number that it is.
fn python(scalar: Scalar) -> String {
    if scalar.dtype().is_float() {
        format!("{:?}", scalar.to_f64())
    } else {
        scalar.literal()
    }
}

fn arguments(request: &Request) -> Vec<String> {
    let inputs = request.inputs().into_iter().map(|(info, tensor)| {
        let elements: Vec<String> = tensor.scalars().map(python).collect();
        let list = nested(tensor.shape().dims(), &mut elements.iter());
        let argument = match (info.dtypes, tensor.shape().dims()) {
            (Types::Attribute(_), _) => list,
            (Types::OneOf([first, ..]), _) if *first == tensor.dtype() && !first.is_float() => list,
            _ => format!("np.array({list}, np.{})", numpy_name(tensor.dtype())),
        };
        if info.required {
            argument
        } else {
            format!("{}={argument}", info.name)
        }
    });
    let attributes = request.attributes().into_iter().filter_map(|(info, value)| {
        let value = match value {
            AttributeValue::Text(text) => format!("\"{text}\""),
            AttributeValue::Seed(seed) => seed.to_string(),
            AttributeValue::Boolean(boolean) => if boolean { "True" } else { "False" }.to_owned(),
            AttributeValue::Extents(extents) => format!("{extents:?}"),
            AttributeValue::Number(number) => number.to_string(),
        };
        let is_default = attribute_form(info).1.as_ref() == Some(&value);
        (!is_default).then(|| format!("{}={value}", parameter(info)))
    });
    inputs.chain(attributes).collect()
}

/// Lists within lists, as the extents say.
fn nested<'a>(dims: &[usize], elements: &mut impl Iterator<Item = &'a String>) -> String {
    match dims {
        [] => elements.next().cloned().unwrap_or_default(),
        [extent, inner @ ..] => {
            let rows: Vec<String> = (0..*extent).map(|_| nested(inner, elements)).collect();
            format!("[{}]", rows.join(", "))
        }
    }
}

/// NumPy's name of an element type.
fn numpy_name(dtype: Dtype) -> String {
    let kind = if dtype.is_float() {
        "float"
    } else if dtype.is_signed() {
        "int"
    } else {
        "uint"
    };
    format!("{kind}{}", 8 * dtype.size())
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

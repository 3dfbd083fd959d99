//! A call of each function, with what it draws.

use seedproof_corpus::{Bits, Case, Corpus, Expectation, Name, Provenance};
use seedproof_ops::{AttributeValue, Dtype, Op, Request, Scalar, Tensor, Types};

use super::parameter::{attribute_form, identifier, parameter};

/// Elements of an example's output that are printed.
const MAX_PRINTED_ELEMENTS: usize = 3;
/// Elements of an example's inputs and output, at most.
const MAX_EXAMPLE_ELEMENTS: usize = 12;

/// A call with what it draws, from the corpus: what a document prints, or else what is known to be right.
pub(super) fn example(name: &str, op: &Op, corpus: &Corpus) -> Option<String> {
    let rank = |case: &Case| match case.provenance {
        Provenance::SpecExample { .. } => 0,
        Provenance::KnownAnswer { .. } => 1,
        _ if case.expect == Expectation::Unspecified => 3,
        _ => 2,
    };
    let fits = |case: &&Case| {
        let small = |tensor: &Tensor| tensor.count() <= MAX_EXAMPLE_ELEMENTS && tensor.dtype() != Dtype::Bf16;
        let shown = |output: &Tensor| (1..=MAX_EXAMPLE_ELEMENTS).contains(&output.count()) && small(output);
        let request = &case.request;
        request.description().name == op.name
            && request.execution() == 0
            && request.inputs().iter().all(|(_, tensor)| small(tensor))
            && answer(case).is_some_and(|(bits, _)| shown(&bits.output) && plain(&bits.output))
    };
    let case = corpus.cases().filter(fits).min_by_key(|case| rank(case))?;
    let (bits, reading) = answer(case)?;
    let first = if bits.more.is_empty() { "" } else { "[0]" };
    let elements: Vec<String> = bits
        .output
        .scalars()
        .take(MAX_PRINTED_ELEMENTS)
        .map(python)
        .collect();
    let cut = if bits.output.count() > MAX_PRINTED_ELEMENTS {
        format!("[:{MAX_PRINTED_ELEMENTS}]")
    } else {
        String::new()
    };
    let mut arguments = arguments(&case.request);
    arguments.extend(reading.map(|reading| format!("reading=\"{reading}\"")));
    Some(format!(
        "        >>> drawn = sp.{name}({})\n        >>> drawn{first}.ravel(){cut}.tolist()\n        [{}]\n",
        arguments.join(", "),
        elements.join(", ")
    ))
}

/// The bits of a case: those of `spec`, or, where it leaves them open, those of a reading.
fn answer(case: &Case) -> Option<(&Bits, Option<&Name>)> {
    match &case.expect {
        Expectation::Bits(bits) => Some((bits, None)),
        Expectation::Unspecified => case
            .readings
            .iter()
            .find_map(|(name, expect)| match expect.as_ref() {
                Expectation::Bits(bits) => Some((bits, Some(name))),
                _ => None,
            }),
        _ => None,
    }
}

/// Whether Python prints the first elements as Rust does.
fn plain(output: &Tensor) -> bool {
    output.scalars().take(MAX_PRINTED_ELEMENTS).all(|scalar| {
        let value = scalar.to_f64().abs();
        !scalar.dtype().is_float() || value == 0.0 || ((1e-3..1e15).contains(&value) && is_nearest(value))
    })
}

/// Whether the shortest decimals are the nearest with this number of digits. Of two that are as near, which an f32 as an
/// f64 often has, Python prints the even one and Rust the greater.
fn is_nearest(value: f64) -> bool {
    let shortest = format!("{value:e}");
    let digits = shortest.split('e').next().and_then(|it| it.split_once('.'));
    let digits = digits.map_or(0, |(_, digits)| digits.len());
    shortest == format!("{value:.digits$e}")
}

/// An element as Python prints its number.
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
            format!("{}={argument}", identifier(info.name))
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

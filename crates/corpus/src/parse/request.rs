//! Attributes and inputs into a request, as the description of the op has them.

use std::collections::BTreeMap;

use seedproof_ops::{
    Attribute, AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, OpName, Request, Tensor, Types,
};

use super::raw::{At, List, Value};
use super::reader::Reader;

/// The short form of an input, which leaves out element type and shape: the rank that it stands for, and its element
/// type, which is `None` if the attribute does not name one.
///
/// An input of rank 1 alone may be written as a list of its elements, one that may have rank 0 as a single element.
/// `attribute` returns an attribute of the request.
pub fn short_form(
    info: &InputInfo,
    attribute: impl FnOnce(&str) -> Option<AttributeValue>,
) -> Option<(usize, Option<Dtype>)> {
    let rank = match (*info.ranks.start(), *info.ranks.end()) {
        (0, _) => 0,
        (1, 1) => 1,
        _ => return None,
    };
    let dtype = match info.dtypes {
        Types::OneOf(dtypes) => dtypes.first().copied(),
        Types::Attribute(name) => match attribute(name) {
            Some(AttributeValue::Text(text)) => Attribute::parse(&text).known(),
            _ => None,
        },
    };
    Some((rank, dtype))
}

/// The request of a case, or nothing if a part of it is missing or wrong.
pub(super) fn request(
    reader: &mut Reader<'_>,
    op: OpName,
    attrs: At<Value>,
    inputs: At<Value>,
    execution: u32,
) -> Option<Request> {
    let description = op.description();
    let (required, optional) = split(
        description
            .attributes
            .iter()
            .map(|info| (info.name, info.required)),
    );
    let mut attrs = reader.entries("`attrs`", attrs, &required, &optional)?;
    let mut attributes = BTreeMap::new();
    let mut wrong = false;
    for info in description.attributes {
        let Some(value) = attrs.remove(info.name) else {
            continue;
        };
        match attribute(reader, info, value) {
            Some(value) => {
                attributes.insert(info.name, value);
            }
            None => wrong = true,
        }
    }
    let (required, optional) = split(description.inputs.iter().map(|info| (info.name, info.required)));
    let mut inputs = reader.entries("`inputs`", inputs, &required, &optional)?;
    let mut tensors = BTreeMap::new();
    for info in description.inputs {
        let Some(value) = inputs.remove(info.name) else {
            continue;
        };
        match input(reader, info, &attributes, value) {
            Some(tensor) => {
                tensors.insert(info.name, tensor);
            }
            None => wrong = true,
        }
    }
    if wrong {
        return None;
    }
    let attribute = &mut |info: &AttributeInfo| attributes.remove(info.name);
    Request::build(op, attribute, &mut |info| tensors.remove(info.name), execution).ok()
}

/// Required names and optional ones.
fn split(names: impl Iterator<Item = (&'static str, bool)>) -> (Vec<&'static str>, Vec<&'static str>) {
    let (required, optional): (Vec<_>, Vec<_>) = names.partition(|(_, required)| *required);
    let first = |names: Vec<(&'static str, bool)>| names.into_iter().map(|(name, _)| name).collect();
    (first(required), first(optional))
}

fn attribute(reader: &mut Reader<'_>, info: &AttributeInfo, value: At<Value>) -> Option<AttributeValue> {
    let name = info.name;
    match info.kind {
        Kind::Enumeration(_) | Kind::Dtype(_) => {
            let text = reader.read::<String>(name, value)?;
            Some(AttributeValue::Text(text.value))
        }
        Kind::Seed => Some(AttributeValue::Seed(reader.read::<u64>(name, value)?.value)),
        Kind::Boolean | Kind::WithOutput => {
            Some(AttributeValue::Boolean(reader.read::<bool>(name, value)?.value))
        }
        Kind::Extents(_) => Some(AttributeValue::Extents(extents(reader, name, value)?)),
        Kind::Number(_) => {
            let text = reader.read::<String>(name, value)?;
            let number = text.value.parse().ok();
            let number = number.filter(|number: &i128| number.to_string() == text.value);
            if number.is_none() {
                reader.fail(
                    text.at,
                    format!(
                        "read `{}` as `{name}`: expected a whole number from -2^127 to 2^127 - 1, in quotes",
                        text.value
                    ),
                );
            }
            number.map(AttributeValue::Number)
        }
    }
}

fn extents(reader: &mut Reader<'_>, name: &str, value: At<Value>) -> Option<Vec<u64>> {
    let list = reader.read::<List>(name, value)?.value;
    let count = list.len();
    let extents: Vec<u64> = list
        .into_iter()
        .filter_map(|extent| reader.read::<u64>(name, extent))
        .map(|extent| extent.value)
        .collect();
    (extents.len() == count).then_some(extents)
}

fn input(
    reader: &mut Reader<'_>,
    info: &InputInfo,
    attributes: &BTreeMap<&str, AttributeValue>,
    value: At<Value>,
) -> Option<Tensor> {
    const LONG: &str = "{ dtype: …, shape: […], bits: […] }";
    let name = info.name;
    if matches!(value.value, Value::Map(_)) {
        return long(reader, value);
    }
    let short = short_form(info, |name| attributes.get(name).cloned());
    match (short, &value.value) {
        (Some((1, Some(dtype))), Value::List(list)) => {
            let dims = vec![u64::try_from(list.len()).ok()?];
            reader.tensor(name, &(dtype, dims), value)
        }
        (Some((0, Some(dtype))), one) if !matches!(one, Value::List(_)) => {
            reader.scalar(dtype, &value).map(Tensor::from_scalar)
        }
        (Some((_, None)), _) => {
            let Types::Attribute(attribute) = info.dtypes else {
                return None;
            };
            reader.fail(
                value.at,
                format!("determine the element type of `{name}`: `{attribute}` is not an element type; expected {LONG}"),
            );
            None
        }
        _ => {
            let forms = match short {
                Some((0, _)) => "one element or ",
                Some(_) => "a list of elements or ",
                None => "",
            };
            reader.fail(value.at, format!("read `{name}`: expected {forms}{LONG}"));
            None
        }
    }
}

/// `{ dtype: …, shape: […], bits: […] }`.
fn long(reader: &mut Reader<'_>, value: At<Value>) -> Option<Tensor> {
    let mut entries = reader.entries("this input", value, &["dtype", "shape", "bits"], &[])?;
    let dtype = reader.take::<String>(&mut entries, "dtype");
    let dtype = dtype.and_then(|dtype| reader.one_of::<Dtype>("an element type", &dtype));
    let shape = entries.remove("shape")?;
    let at = shape.at;
    let dims = extents(reader, "shape", shape)?;
    reader.shape(&dims, at)?;
    reader.tensor("bits", &(dtype?, dims), entries.remove("bits")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Position;

    #[test]
    fn request_numbers_are_decimals_in_quotes() {
        let info = AttributeInfo {
            name: "delta",
            doc: "",
            kind: Kind::Number(&[]),
            required: false,
        };
        let at = Position::START;
        let text = |text: &str| Value::Text(text.to_owned());
        let mut reader = Reader::new("a.yaml");
        for number in [i128::MIN, -1, 0, i128::MAX] {
            let value = text(&number.to_string());
            let read = attribute(&mut reader, &info, At { value, at });
            assert_eq!(read, Some(AttributeValue::Number(number)));
        }
        assert_eq!(reader.errors, []);
        for value in [text("+1"), text("01"), text("1.0"), text(""), Value::Number(1)] {
            assert_eq!(attribute(&mut reader, &info, At { value, at }), None);
        }
        assert_eq!(
            reader.errors[0].message,
            "read `+1` as `delta`: expected a whole number from -2^127 to 2^127 - 1, in quotes"
        );
        assert_eq!(reader.errors.len(), 5);
    }

    #[test]
    fn request_short_forms_follow_from_the_description() {
        let form = |op: OpName, name: &str| {
            short_form(op.description().input(name).unwrap(), |attribute| {
                (attribute == "output_type").then(|| AttributeValue::Text("bf16".to_owned()))
            })
        };
        assert_eq!(form(OpName::RandomUniform, "shape"), Some((1, Some(Dtype::I64))));
        assert_eq!(
            form(OpName::RandomUniform, "maxval"),
            Some((0, Some(Dtype::Bf16)))
        );
        assert_eq!(
            form(OpName::Multinomial, "num_samples"),
            Some((0, Some(Dtype::I32)))
        );
        assert_eq!(form(OpName::Multinomial, "probs"), None);
        assert_eq!(form(OpName::DmlRandomGenerator, "input_state"), None);
    }
}

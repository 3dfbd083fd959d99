//! A request from the command line: an option for every attribute and input of an op, as its description has them, and
//! the short forms that follow from their roles.

mod options;

use std::collections::BTreeMap;
use std::path::Path;

use clap::ArgMatches;
use seedproof_ops::{
    Attribute, AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, Op, OpName, Request, Role, Tensor,
    Types,
};

use crate::exit::Error;
use crate::{dump, io};
use options::{EXECUTION, RANGE, SEEDS, bounds, seeds};
use seedproof_read::literal::{self, Literal, clipped};
use seedproof_read::{self as read, Opened};

pub(crate) use options::command;

/// The request that a command line asks for.
///
/// # Errors
/// [`Error::Usage`] about the first value that is wrong; [`Error::Infrastructure`] for a file that cannot be read.
pub(crate) fn request(op: OpName, matches: &ArgMatches) -> Result<Request, Error> {
    let description = op.description();
    let mut texts = texts(description, matches)?;
    let mut attributes = BTreeMap::new();
    for info in description.attributes {
        if let Some(text) = texts.remove(info.name) {
            let value = attribute(info, &text).map_err(|error| wrong(info.name, &error))?;
            attributes.insert(info.name, value);
        }
    }
    let mut inputs = BTreeMap::new();
    for info in description.inputs {
        if let Some(text) = texts.remove(info.name) {
            let tensor = match info.role {
                // A number is a seed: a key has more than one word.
                Role::Key { .. } if !text.contains([',', ':', '@', '[']) => {
                    key(info, &attributes, &text).map_err(|error| wrong(info.name, &error))?
                }
                _ => input(info, &allowed(info, &attributes), &text)?,
            };
            inputs.insert(info.name, tensor);
        }
    }
    let execution = if description.successive {
        matches.get_one(EXECUTION).copied().unwrap_or(0)
    } else {
        0
    };
    let attribute = &mut |info: &AttributeInfo| attributes.remove(info.name);
    Request::build(op, attribute, &mut |info| inputs.remove(info.name), execution)
        .map_err(|name| Error::Usage(format!("failed to make a request: it has no --{name}")))
}

fn wrong(name: &str, error: &str) -> Error {
    Error::Usage(format!("failed to read --{name}: {error}"))
}

/// The texts of attributes and inputs by their own names, those of the short forms among them.
fn texts(op: &'static Op, matches: &ArgMatches) -> Result<BTreeMap<&'static str, String>, Error> {
    let mut texts = BTreeMap::new();
    for info in op.attributes {
        let text = match info.kind {
            Kind::Boolean | Kind::WithOutput => matches.get_one::<bool>(info.name).map(bool::to_string),
            _ => matches.get_one::<String>(info.name).cloned(),
        };
        texts.extend(text.map(|text| (info.name, text)));
    }
    for info in op.inputs {
        let text = matches.get_one::<String>(info.name).cloned();
        texts.extend(text.map(|text| (info.name, text)));
    }
    for (short, names) in [(SEEDS, seeds(op)), (RANGE, bounds(op))] {
        // An op without this short form has no option of its name.
        let Ok(Some(text)) = matches.try_get_one::<String>(short) else {
            continue;
        };
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if parts.len() != names.len() {
            let error = format!(
                "expected {} values, {}, not `{}`",
                names.len(),
                names.join(" and "),
                clipped(text)
            );
            return Err(wrong(short, &error));
        }
        texts.extend(names.into_iter().zip(parts.into_iter().map(str::to_owned)));
    }
    Ok(texts)
}

fn attribute(info: &AttributeInfo, text: &str) -> Result<AttributeValue, String> {
    let number = |text: &str| -> Result<u64, String> {
        let text = text.trim();
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        parsed.map_err(|_| {
            format!(
                "`{}` is not a whole number from 0 to 18446744073709551615",
                clipped(text)
            )
        })
    };
    match info.kind {
        Kind::Enumeration(_) | Kind::Dtype(_) => Ok(AttributeValue::Text(text.to_owned())),
        Kind::Boolean | Kind::WithOutput => Ok(AttributeValue::Boolean(text == "true")),
        Kind::Seed => crate::seed::seed(text).map(AttributeValue::Seed),
        Kind::Number(_) => text.trim().parse().map(AttributeValue::Number).map_err(|_| {
            format!(
                "`{}` is not a whole number from -2^127 to 2^127 - 1",
                clipped(text)
            )
        }),
        Kind::Extents(_) => {
            let literal = Literal::parse(text)?;
            if literal.dims.len() > 1 {
                return Err("a list of lists; expected one list, such as 2,3".to_owned());
            }
            let extents = literal.elements.iter().map(|extent| number(extent));
            extents.collect::<Result<_, _>>().map(AttributeValue::Extents)
        }
    }
}

/// The element types that an input may have; none where an attribute names it and has no such value.
fn allowed(info: &InputInfo, attributes: &BTreeMap<&str, AttributeValue>) -> Vec<Dtype> {
    match info.dtypes {
        Types::OneOf(dtypes) => dtypes.to_vec(),
        Types::Attribute(name) => match attributes.get(name) {
            Some(AttributeValue::Text(text)) => Attribute::parse(text).known().into_iter().collect(),
            _ => Vec::new(),
        },
    }
}

/// The key that a seed makes: its high half and its low one, as often as the implementation has words for them.
fn key(info: &InputInfo, attributes: &BTreeMap<&str, AttributeValue>, text: &str) -> Result<Tensor, String> {
    let seed: i64 = text
        .trim()
        .parse()
        .map_err(|_| format!("`{}` is not a seed from -2^63 to 2^63 - 1", clipped(text)))?;
    let words = info.role.words(|name| match attributes.get(name) {
        Some(AttributeValue::Text(text)) => Some(text.clone()),
        _ => None,
    });
    let [a, b, c, d, e, f, g, h] = seed.to_be_bytes();
    let halves = [[a, b, c, d], [e, f, g, h]].map(u32::from_be_bytes);
    let words = words.iter().flatten().sum();
    let words: Vec<u32> = (0..words)
        .zip(halves.into_iter().cycle())
        .map(|(_, half)| half)
        .collect();
    Ok(Tensor::vector(&words))
}

/// An input: a literal, with its element type before a colon where the op leaves that open, or a file.
fn input(info: &InputInfo, allowed: &[Dtype], text: &str) -> Result<Tensor, Error> {
    match text.strip_prefix('@') {
        Some(file) => from_file(info, allowed, Path::new(file)),
        None => from_literal(info, allowed, text).map_err(|error| wrong(info.name, &error)),
    }
}

fn from_literal(info: &InputInfo, allowed: &[Dtype], text: &str) -> Result<Tensor, String> {
    let (dtype, text) = match text.split_once(':') {
        Some((name, text)) => (literal::dtype(name.trim())?, text),
        None => (open_type(info, allowed, text)?, text),
    };
    let literal = Literal::parse(text)?;
    literal.tensor(dtype, &extents(info, &literal))
}

/// The element type of a literal that does not say. Floats of several types are several values.
fn open_type(info: &InputInfo, allowed: &[Dtype], text: &str) -> Result<Dtype, String> {
    match allowed {
        [] => Err("its element type is named by an attribute that is not an element type".to_owned()),
        [first, ..] if allowed.len() == 1 || allowed.iter().all(|dtype| !dtype.is_float()) => Ok(*first),
        _ => {
            let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
            Err(format!(
                "its element type is {}; write it before the elements, such as --{} {}:{}",
                names.join(" or "),
                info.name,
                allowed
                    .iter()
                    .find(|&&dtype| dtype == Dtype::F32)
                    .unwrap_or(&allowed[0]),
                clipped(text)
            ))
        }
    }
}

/// The extents of a literal. A state that is written as a list takes the op's usual extents if the counts agree. Any
/// other literal keeps its extents, with ones in front up to the lowest rank that the op accepts.
fn extents(info: &InputInfo, literal: &Literal<'_>) -> Vec<u64> {
    let written = &literal.dims;
    let count = u64::try_from(literal.elements.len()).unwrap_or(u64::MAX);
    match info.role {
        Role::Words(usual) if written.len() <= 1 && usual.iter().product::<u64>() == count => usual.to_vec(),
        _ => {
            let missing = info.ranks.start().saturating_sub(written.len());
            [vec![1; missing], written.clone()].concat()
        }
    }
}

fn from_file(info: &InputInfo, allowed: &[Dtype], path: &Path) -> Result<Tensor, Error> {
    let file = io::read_bytes(path)?;
    let failed = |error: String| wrong(info.name, &format!("{}: {error}", path.display()));
    let Opened::Arrays(arrays) = read::open(&file).map_err(failed)? else {
        return Err(failed(
            "expected an array with a type and a shape, as numpy.save writes it".to_owned(),
        ));
    };
    let array = dump::one(arrays, None).map_err(failed)?.tensor;
    match allowed {
        // The only type: bits of bfloat16, and values that it has, are taken for it.
        &[dtype] if array.dtype() != dtype => {
            let bytes = dump::converted(&array, dtype).map_err(|element| {
                failed(format!("elements of {}, not {dtype}: {element}", array.dtype()))
            })?;
            let tensor = Tensor::new(dtype, array.shape().clone(), bytes);
            tensor.map_err(|error| failed(format!("failed to {error}")))
        }
        _ if allowed.contains(&array.dtype()) => Ok(array),
        _ => {
            let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
            Err(failed(format!(
                "elements of {}; expected {}",
                array.dtype(),
                names.join(" or ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use seedproof_author::command_line;
    use seedproof_ops::Named as _;

    use super::*;

    /// The request of a command line; what is wrong with it where there is none.
    fn read(line: &str) -> Result<Request, String> {
        let words = shlex::split(line).ok_or("no words of a shell")?;
        let [_, _, prefix, rest @ ..] = &words[..] else {
            return Err("no op".to_owned());
        };
        let op = OpName::ALL.iter().find(|op| op.description().prefix == prefix);
        let op = *op.ok_or("no op of this prefix")?;
        let matches = command(op).try_get_matches_from([std::slice::from_ref(prefix), rest].concat());
        request(op, &matches.map_err(|error| error.to_string())?).map_err(|error| format!("{error:?}"))
    }

    /// The command lines that `whois` and the texts of issues print draw what they say.
    #[test]
    fn requests_are_read_back_from_their_command_lines() {
        let mut read_back = BTreeSet::new();
        for case in seedproof::corpus().cases() {
            let Some(line) = command_line(&case.request) else {
                continue;
            };
            assert_eq!(read(&line).as_ref(), Ok(&case.request), "{}: {line}", case.id);
            read_back.insert(case.request.op());
        }
        assert_eq!(read_back.len(), OpName::ALL.len());
    }
}

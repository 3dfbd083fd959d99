//! LiteRT: the tables of `schema.fbs` that concern random ops. Numbers of fields, ops and
//! types are those of the schema.

use std::collections::BTreeMap;

use planus::table_reader::Table;
use planus::{SliceWithStartOffset, TableRead, Vector};

use super::found::{Found, Model};
use super::protobuf::decode;
use super::saved_model::{NodeDef, RANDOM as KERNELS};
use crate::source::{Body, Framework, Source, Value};

/// The identifier of the format, which follows the offset of the root table.
const IDENTIFIER: &[u8] = b"TFL3";

/// The codes of LiteRT's own random ops.
const RANDOM: [(i32, &str); 3] = [
    (146, "RandomStandardNormal"),
    (148, "RandomUniform"),
    (149, "Multinomial"),
];

/// The codes of the ops that run other subgraphs.
const IF: i32 = 118;
const WHILE: i32 = 119;

/// The prefix of ops that are run by TensorFlow's own kernels, through the Flex delegate.
const FLEX: &str = "Flex";

/// A vector of tables, each of which is decoded when it is accessed, so that memory does not depend on the
/// length that the file claims.
#[derive(Clone, Copy)]
struct Tables<'a> {
    buffer: SliceWithStartOffset<'a>,
    first: usize,
    count: usize,
}

impl<'a> TableRead<'a> for Tables<'a> {
    fn from_buffer(
        buffer: SliceWithStartOffset<'a>,
        offset: usize,
    ) -> Result<Self, planus::errors::ErrorKind> {
        // The offset of a vector counts from its own place; four bytes of length precede the elements.
        let number = |at: usize| {
            u32::from_buffer(buffer, at).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
        };
        let length_at = offset
            .checked_add(number(offset)?)
            .ok_or(planus::errors::ErrorKind::InvalidOffset)?;
        let count = number(length_at)?;
        let first = length_at + 4;
        // Checked once here, so that a forged length cannot make `iter` run far beyond the file.
        let is_inside = count
            .checked_mul(4)
            .and_then(|bytes| bytes.checked_add(first))
            .is_some_and(|end| end <= buffer.len());
        if is_inside {
            Ok(Self { buffer, first, count })
        } else {
            Err(planus::errors::ErrorKind::InvalidLength)
        }
    }
}

impl<'a> Tables<'a> {
    fn get(self, index: usize) -> Option<Result<Table<'a>, String>> {
        (index < self.count).then(|| {
            let at = self.first + 4 * index;
            Table::from_buffer(self.buffer, at).map_err(|error| {
                format!(
                    "failed to read the table at byte {}: {error}",
                    self.buffer.offset_from_start + at
                )
            })
        })
    }

    fn iter(self) -> impl Iterator<Item = Result<Table<'a>, String>> {
        (0..self.count).map_while(move |index| self.get(index))
    }
}

/// A table inside a table.
struct Inner<'a>(Table<'a>);

impl<'a> TableRead<'a> for Inner<'a> {
    fn from_buffer(
        buffer: SliceWithStartOffset<'a>,
        offset: usize,
    ) -> Result<Self, planus::errors::ErrorKind> {
        Table::from_buffer(buffer, offset).map(Self)
    }
}

/// A field of a table, by its number in the schema.
fn field<'a, T: TableRead<'a>>(
    table: &Table<'a>,
    number: usize,
    of: &'static str,
) -> Result<Option<T>, String> {
    table
        .access(number, of, "field")
        .map_err(|error| format!("failed to read the model: {error}"))
}

pub(super) fn read(bytes: &[u8]) -> Result<Model, String> {
    if bytes.get(4..8) != Some(IDENTIFIER) {
        return Err("failed to find `TFL3` at byte 4: this is not a LiteRT model".to_owned());
    }
    let buffer = SliceWithStartOffset {
        buffer: bytes,
        offset_from_start: 0,
    };
    let model = Table::from_buffer(buffer, 0)
        .map_err(|error| format!("failed to read the model at byte 0: {error}"))?;
    let mut found = Vec::new();
    let codes: Option<Tables<'_>> = field(&model, 1, "Model")?;
    let graphs: Option<Tables<'_>> = field(&model, 2, "Model")?;
    let bodies = bodies(graphs, codes)?;
    for (index, graph) in graphs.into_iter().flat_map(Tables::iter).enumerate() {
        let graph = graph?;
        let name: Option<&str> = field(&graph, 4, "SubGraph")?;
        let name = name
            .filter(|name| !name.is_empty())
            .map_or_else(|| index.to_string(), str::to_owned);
        let tensors: Option<Tables<'_>> = field(&graph, 0, "SubGraph")?;
        let operators: Option<Tables<'_>> = field(&graph, 3, "SubGraph")?;
        for operator in operators.into_iter().flat_map(Tables::iter) {
            let operator = operator?;
            let Some(op) = random(&operator, codes)? else {
                continue;
            };
            let (tensor, kind, shape) = output(&operator, tensors)?;
            let name = if index == 0 {
                tensor
            } else {
                format!("{name}/{tensor}")
            };
            let mut parameters = if op.starts_with(FLEX) {
                flex_seeds(&operator)?
            } else {
                seeds(&operator)?
            };
            if let Some(body) = bodies.get(&index) {
                parameters.insert(Body::KEY.to_owned(), Value::Text(body.to_string()));
            }
            let source = Source {
                framework: Framework::Tensorflow,
                op: op.to_owned(),
                kind,
                shape,
                parameters,
            };
            found.push(Found { name, source });
        }
    }
    Ok(Model {
        found,
        ..Model::default()
    })
}

/// The subgraphs that are branches of an IF or bodies of a WHILE, or are called from one of these.
fn bodies(graphs: Option<Tables<'_>>, codes: Option<Tables<'_>>) -> Result<BTreeMap<usize, Body>, String> {
    // Caller, kind of body, callee.
    let mut calls = Vec::new();
    for (caller, graph) in graphs.into_iter().flat_map(Tables::iter).enumerate() {
        let operators: Option<Tables<'_>> = field(&graph?, 3, "SubGraph")?;
        for operator in operators.into_iter().flat_map(Tables::iter) {
            let operator = operator?;
            let (code, _) = code(&operator, codes)?;
            let body = match code {
                Some(IF) => Body::Branch,
                Some(WHILE) => Body::Loop,
                _ => continue,
            };
            let options: Option<Inner<'_>> = field(&operator, 4, "Operator")?;
            for number in [0, 1] {
                let callee: Option<i32> = options
                    .as_ref()
                    .map(|options| field(&options.0, number, "IfOptions"))
                    .transpose()?
                    .flatten();
                calls.extend(usize::try_from(callee.unwrap_or(0)).map(|callee| (caller, body, callee)));
            }
        }
    }
    let mut bodies: BTreeMap<usize, Body> = BTreeMap::new();
    // This ends even if subgraphs call each other in a circle: each round raises at least one subgraph,
    // and each can be raised twice.
    loop {
        let mut is_changed = false;
        for &(caller, body, callee) in &calls {
            let body = Some(body).max(bodies.get(&caller).copied());
            if bodies.get(&callee).copied() < body {
                bodies.extend(body.map(|body| (callee, body)));
                is_changed = true;
            }
        }
        if !is_changed {
            return Ok(bodies);
        }
    }
}

/// The number of an operator's op and its name. A custom op has only a name.
fn code<'a>(
    operator: &Table<'_>,
    codes: Option<Tables<'a>>,
) -> Result<(Option<i32>, Option<&'a str>), String> {
    let index: u32 = field(operator, 0, "Operator")?.unwrap_or(0);
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let code = codes
        .and_then(|codes| codes.get(index))
        .ok_or_else(|| format!("failed to find operator code {index} of the model"))??;
    // Old files have only a field of one byte. Newer ones repeat numbers below 127 in it.
    let old: Option<i8> = field(&code, 0, "OperatorCode")?;
    let number: Option<i32> = field(&code, 3, "OperatorCode")?;
    Ok((number.or(old.map(i32::from)), field(&code, 1, "OperatorCode")?))
}

/// The name of an operator's op, if it is random.
fn random<'a>(operator: &Table<'_>, codes: Option<Tables<'a>>) -> Result<Option<&'a str>, String> {
    let (number, custom) = code(operator, codes)?;
    if let Some(custom) = custom {
        let kernel = custom.strip_prefix(FLEX);
        return Ok(Some(custom).filter(|_| kernel.is_some_and(|kernel| KERNELS.contains(&kernel))));
    }
    Ok(RANDOM
        .iter()
        .find(|(code, _)| Some(*code) == number)
        .map(|(_, name)| *name))
}

/// The name, type and extents of an operator's first output.
fn output(
    operator: &Table<'_>,
    tensors: Option<Tables<'_>>,
) -> Result<(String, String, Option<Vec<u64>>), String> {
    let outputs: Option<Vector<'_, i32>> = field(operator, 2, "Operator")?;
    let first = outputs
        .and_then(|outputs| outputs.iter().next())
        .and_then(|index| usize::try_from(index).ok());
    let Some(tensor) = first.and_then(|index| tensors?.get(index)) else {
        return Err("failed to find the output of a random operator".to_owned());
    };
    let tensor = tensor?;
    let name: Option<&str> = field(&tensor, 3, "Tensor")?;
    let kind: Option<i8> = field(&tensor, 1, "Tensor")?;
    let kind = match kind.unwrap_or(0) {
        0 => "f32",
        1 => "f16",
        2 => "i32",
        4 => "i64",
        10 => "f64",
        _ => "unknown",
    };
    let shape: Option<Vector<'_, i32>> = field(&tensor, 0, "Tensor")?;
    // A negative extent means an open one.
    let shape = shape.and_then(|shape| shape.iter().map(|extent| u64::try_from(extent).ok()).collect());
    Ok((name.unwrap_or("").to_owned(), kind.to_owned(), shape))
}

/// The seeds of a LiteRT operator, in options of type RandomOptions. FlatBuffers leave out fields
/// with their default, here 0.
fn seeds(operator: &Table<'_>) -> Result<BTreeMap<String, Value>, String> {
    let options: Option<Inner<'_>> = field(operator, 4, "Operator")?;
    let mut parameters = BTreeMap::new();
    for (number, name) in [(0, "seed"), (1, "seed2")] {
        let seed: Option<i64> = options
            .as_ref()
            .map(|options| field(&options.0, number, "RandomOptions"))
            .transpose()?
            .flatten();
        parameters.insert(name.to_owned(), Value::Integer(seed.unwrap_or(0)));
    }
    Ok(parameters)
}

/// The seeds of an op with the prefix `Flex`. Its custom options are a FlexBuffer with the op's name and its node, a
/// message of Protocol Buffers.
fn flex_seeds(operator: &Table<'_>) -> Result<BTreeMap<String, Value>, String> {
    let options: Option<&[u8]> = field(operator, 5, "Operator")?;
    let node = options
        .and_then(flex_node)
        .ok_or("failed to find the node in the custom options of an op of TensorFlow's own")?;
    let node: NodeDef = decode(node.to_vec(), "the node of an op of TensorFlow's own")?;
    // Protocol Buffers leave out a seed of zero.
    let seed = |name: &str| node.attr.get(name).and_then(|value| value.i).unwrap_or(0);
    Ok(["seed", "seed2"]
        .into_iter()
        .map(|name| (name.to_owned(), Value::Integer(seed(name))))
        .collect())
}

/// The second string of the FlexBuffer's vector. The root of a FlexBuffer is at its end, before its type and width, and
/// each offset counts backwards from its own place.
fn flex_node(bytes: &[u8]) -> Option<&[u8]> {
    let number = |at: usize, width: usize| -> Option<usize> {
        let bytes = bytes.get(at..at.checked_add(width)?)?;
        bytes.iter().rev().try_fold(0_usize, |all, &byte| {
            Some(all.checked_mul(256)? + usize::from(byte))
        })
    };
    let [.., kind, width] = *bytes else { return None };
    let root = bytes.len().checked_sub(2)?.checked_sub(usize::from(width))?;
    let vector = root.checked_sub(number(root, width.into())?)?;
    // The two lowest bits of a type are the width of its elements, as a power of two.
    let width = 1_usize << (kind & 3);
    let count = number(vector.checked_sub(width)?, width)?;
    let element = vector.checked_add(width)?;
    let kinds = vector.checked_add(width.checked_mul(count)?)?;
    let text = element.checked_sub(number(element, width)?)?;
    let length = 1_usize << (bytes.get(kinds.checked_add(1)?)? & 3);
    let length = number(text.checked_sub(length)?, length)?;
    bytes.get(text..text.checked_add(length)?)
}

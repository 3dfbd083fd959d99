//! LiteRT: the tables of `schema.fbs` that say what is random.

use std::collections::BTreeMap;

use planus::table_reader::Table;
use planus::{SliceWithStartOffset, TableRead, Vector};

use super::found::{Found, Model};
use crate::source::{Framework, Source, Value};

/// What a file of this form has after its first offset.
const IDENTIFIER: &[u8] = b"TFL3";

/// The codes of LiteRT's own random ops.
const RANDOM: [(i32, &str); 3] = [
    (146, "RandomStandardNormal"),
    (148, "RandomUniform"),
    (149, "Multinomial"),
];

/// A vector of tables, of which each is looked up when it is asked for.
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

/// A table within a table.
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
        return Err("failed to find `TFL3` at byte 4: this is no model of LiteRT".to_owned());
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
            let parameters = seeds(&operator)?;
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
    Ok(Model { opset: 0, found })
}

/// The name of an operator's op, if it is random.
fn random(operator: &Table<'_>, codes: Option<Tables<'_>>) -> Result<Option<&'static str>, String> {
    let index: u32 = field(operator, 0, "Operator")?.unwrap_or(0);
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let code = codes
        .and_then(|codes| codes.get(index))
        .ok_or_else(|| format!("failed to find operator code {index} of the model"))??;
    let number: Option<i32> = field(&code, 3, "OperatorCode")?;
    let custom: Option<&str> = field(&code, 1, "OperatorCode")?;
    if let Some(custom) = custom {
        // Ops of TensorFlow that the Flex delegate runs.
        let op = [
            "FlexRandomUniform",
            "FlexRandomUniformInt",
            "FlexRandomStandardNormal",
            "FlexTruncatedNormal",
            "FlexMultinomial",
        ];
        return Ok(op.into_iter().find(|op| *op == custom));
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
    // A negative extent is left open.
    let shape = shape.and_then(|shape| shape.iter().map(|extent| u64::try_from(extent).ok()).collect());
    Ok((name.unwrap_or("").to_owned(), kind.to_owned(), shape))
}

/// The seeds of an operator: options of type RandomOptions.
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

//! The shape of a file as serde reads it: every value with its position, nothing interpreted.
//!
//! Here a key is known or unknown, once or twice, and a value a text, a number, a list or a mapping. Whether a
//! key is missing, belongs to this op or has a value that makes sense is for the conversion to say, because it
//! can say so of all of them at once where serde stops at the first.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

use crate::error::Position;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) at: Position,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::deserialize(deserializer)?;
        Ok(Self {
            value: spanned.value,
            at: position(spanned.referenced),
        })
    }
}

/// The parser's location as ours. It counts in `u64` and gives 0 where it knows nothing.
pub(crate) fn position(location: serde_yaml::Location) -> Position {
    let from_one = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
    Position {
        line: from_one(location.line()),
        column: from_one(location.column()),
    }
}

/// A key's value, or nothing if the key is absent. A key with an empty value is not absent.
#[derive(Clone, Debug)]
pub(crate) struct Field<T>(pub(crate) Option<At<T>>);

impl<T> Field<T> {
    /// Where the value stands, if there is one.
    pub(crate) fn position(&self) -> Option<Position> {
        self.0.as_ref().map(|value| value.at)
    }
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        At::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

/// A list of values with their positions.
pub(crate) type List<T> = Vec<At<T>>;

/// A file of cases.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) schema: Field<Whole>,
    pub(crate) op: Field<String>,
    pub(crate) clauses: Field<List<String>>,
    pub(crate) provenance: Field<Provenance>,
    pub(crate) cases: Field<List<Case>>,
}

/// One case.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: Field<String>,
    pub(crate) clauses: Field<List<String>>,
    pub(crate) errata: Field<List<String>>,
    pub(crate) flags: Field<List<String>>,
    pub(crate) note: Field<String>,
    pub(crate) margin: Field<f64>,
    pub(crate) provenance: Field<Provenance>,
    pub(crate) attrs: Field<Attrs>,
    pub(crate) inputs: Field<Inputs>,
    pub(crate) execution: Field<Whole>,
    pub(crate) printed: Field<Printed>,
    pub(crate) expect: Field<Expect>,
    pub(crate) readings: Field<BTreeMap<String, At<Expect>>>,
}

/// Where an expectation comes from: the keys of all four kinds.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Provenance {
    pub(crate) kind: Field<String>,
    pub(crate) document: Field<String>,
    pub(crate) example: Field<String>,
    pub(crate) source: Field<String>,
    pub(crate) implementation: Field<String>,
    pub(crate) version: Field<String>,
    pub(crate) method: Field<String>,
    pub(crate) reading: Field<String>,
    pub(crate) revision: Field<Whole>,
}

/// The attributes of all three ops.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Attrs {
    pub(crate) output_type: Field<String>,
    pub(crate) convert_type: Field<String>,
    pub(crate) with_replacement: Field<bool>,
    pub(crate) log_probs: Field<bool>,
    pub(crate) global_seed: Field<Whole>,
    pub(crate) op_seed: Field<Whole>,
    pub(crate) alignment: Field<String>,
    #[serde(rename = "type")]
    pub(crate) generator: Field<String>,
    pub(crate) feature_level: Field<String>,
    pub(crate) output_sizes: Field<List<Whole>>,
    pub(crate) output_state: Field<bool>,
}

/// The inputs of all three ops.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Inputs {
    pub(crate) shape: Field<Input>,
    pub(crate) minval: Field<Input>,
    pub(crate) maxval: Field<Input>,
    pub(crate) probs: Field<Input>,
    pub(crate) num_samples: Field<Input>,
    pub(crate) draws: Field<Input>,
    pub(crate) input_state: Field<Input>,
}

/// What a document prints.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Printed {
    pub(crate) values: Field<List<String>>,
    pub(crate) right: Field<bool>,
}

/// What is expected: the keys of all forms.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) bits: Field<List<Literal>>,
    pub(crate) digest: Field<Digest>,
    pub(crate) rejected: Field<String>,
    pub(crate) by: Field<String>,
    pub(crate) state: Field<List<Literal>>,
}

/// A digest of either form.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Digest {
    pub(crate) chunks: Field<List<String>>,
    pub(crate) whole: Field<String>,
    pub(crate) first: Field<List<Literal>>,
    pub(crate) last: Field<List<Literal>>,
}

/// The long form of an input.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LongInput {
    pub(crate) dtype: Field<String>,
    pub(crate) shape: Field<List<Whole>>,
    pub(crate) bits: Field<List<Literal>>,
}

/// An input in one of its forms.
#[derive(Debug)]
pub(crate) enum Input {
    One(Literal),
    List(List<Literal>),
    Long(Box<LongInput>),
}

/// One element as written: bits in quotes, a plain number, or what is neither.
#[derive(Clone, Debug)]
pub(crate) enum Literal {
    Text(String),
    Number(i128),
    Neither(&'static str),
}

/// A whole number from 0 to 2^64 - 1, plain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole(pub(crate) u64);

struct WholeVisitor;

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0 to 18446744073709551615, without quotes")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
        Ok(Whole(value))
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

/// Reads a scalar of any sort, so that the wrong sort is reported with what was expected in its place.
struct LiteralVisitor;

impl Visitor<'_> for LiteralVisitor {
    type Value = Literal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one element: bits in quotes or a plain number")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Literal, E> {
        Ok(Literal::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Literal, E> {
        Ok(Literal::Text(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Literal, E> {
        Ok(Literal::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Literal, E> {
        Ok(Literal::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Literal, E> {
        Ok(Literal::Neither("a number that is not plain and whole"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Literal, E> {
        Ok(Literal::Neither("a truth value"))
    }

    fn visit_unit<E: Error>(self) -> Result<Literal, E> {
        Ok(Literal::Neither("nothing"))
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LiteralVisitor)
    }
}

struct InputVisitor;

impl<'de> Visitor<'de> for InputVisitor {
    type Value = Input;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an input: one element, a list, or { dtype: …, shape: …, bits: … }")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Input, E> {
        LiteralVisitor.visit_str(value).map(Input::One)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Input, E> {
        LiteralVisitor.visit_u64(value).map(Input::One)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Input, E> {
        LiteralVisitor.visit_i64(value).map(Input::One)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Input, E> {
        LiteralVisitor.visit_f64(value).map(Input::One)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Input, E> {
        LiteralVisitor.visit_bool(value).map(Input::One)
    }

    fn visit_unit<E: Error>(self) -> Result<Input, E> {
        LiteralVisitor.visit_unit().map(Input::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Input, A::Error> {
        // A list's claimed length is not trusted with memory.
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(Input::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Input, A::Error> {
        LongInput::deserialize(MapAccessDeserializer::new(map)).map(|long| Input::Long(Box::new(long)))
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InputVisitor)
    }
}

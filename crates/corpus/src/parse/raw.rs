//! A YAML text as values with their positions, nothing interpreted.
//!
//! Which keys a mapping has and what sort of value each takes is for the conversion to say, because it reports all
//! mistakes at once where serde stops at the first.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
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

/// The parser's location as ours. The parser counts in `u64` and gives 0 where the place is unknown.
pub(crate) fn position(location: serde_yaml::Location) -> Position {
    let from_one = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
    Position {
        line: from_one(location.line()),
        column: from_one(location.column()),
    }
}

pub(crate) type List = Vec<At<Value>>;

/// A mapping: values by key.
pub(crate) type Entries = BTreeMap<String, At<Value>>;

/// Any value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Nothing,
    Text(String),
    Boolean(bool),
    /// A whole number without a point or an exponent, from -2^63 to 2^64 - 1.
    Number(i128),
    /// Any other number.
    Decimal(f64),
    List(List),
    Map(Entries),
}

impl Value {
    /// The value, or its sort, in the words of a message.
    pub(crate) fn described(&self) -> String {
        match self {
            Self::Nothing => "nothing".to_owned(),
            Self::Text(text) => format!("`{text}`"),
            Self::Boolean(_) => "a truth value".to_owned(),
            Self::Number(number) => format!("the number {number}"),
            Self::Decimal(_) => "a number that is not plain and whole".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "a mapping".to_owned(),
        }
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Decimal(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        // A list's claimed length is not trusted with memory.
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Entries::new();
        while let Some((key, value)) = map.next_entry()? {
            entries.insert(key, value);
        }
        Ok(Value::Map(entries))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// A sort of value that a key takes.
pub(crate) trait FromValue: Sized {
    /// The sort in the words of a message.
    const EXPECTED: &'static str;

    /// The value itself if it is of another sort.
    fn from_value(value: Value) -> Result<Self, Value>;
}

macro_rules! from_value {
    ($($type:ty, $expected:literal, $($pattern:pat => $value:expr),+;)*) => {$(
        impl FromValue for $type {
            const EXPECTED: &'static str = $expected;

            fn from_value(value: Value) -> Result<Self, Value> {
                match value {
                    $($pattern => $value,)+
                    other => Err(other),
                }
            }
        }
    )*};
}

from_value! {
    String, "a text", Value::Text(text) => Ok(text);
    bool, "true or false", Value::Boolean(value) => Ok(value);
    u32, "a whole number from 0 to 4294967295, without quotes",
        Value::Number(number) => number.try_into().map_err(|_| Value::Number(number));
    u64, "a whole number from 0 to 18446744073709551615, without quotes",
        Value::Number(number) => number.try_into().map_err(|_| Value::Number(number));
    f64, "a number without quotes",
        Value::Decimal(number) => Ok(number),
        Value::Number(number) => u32::try_from(number).map(f64::from).map_err(|_| Value::Number(number));
    List, "a list", Value::List(list) => Ok(list);
    Entries, "a mapping", Value::Map(entries) => Ok(entries);
}

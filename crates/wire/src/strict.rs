//! Small deserialisers that keep serde from being more generous than the protocol.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is a JSON object. Derived structs alone would take an array of their fields as well.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object<T>(pub(crate) T);

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// An optional field that, where it is present, is not `null`.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A field that must be there and may be `null`.
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// A 64-bit unsigned integer as a decimal string: digits only, no leading zeros. JSON numbers pass through binary64
/// in many languages, where seeds over 2^53 would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal(pub(crate) u64);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;

        impl Visitor<'_> for Digits {
            type Value = Decimal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a u64 as a decimal string, such as \"150\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Decimal, E> {
                let canonical =
                    text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
                match text.parse() {
                    Ok(value) if canonical => Ok(Decimal(value)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_str(Digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pair {
        a: u8,
        #[serde(default, deserialize_with = "present")]
        b: Option<u8>,
    }

    #[test]
    fn object_refuses_an_array_of_fields() {
        assert!(
            serde_json::from_str::<Pair>("[1, 2]").is_ok(),
            "what derive does alone"
        );
        assert!(serde_json::from_str::<Object<Pair>>("[1, 2]").is_err());
        let pair = serde_json::from_str::<Object<Pair>>(r#"{"b": 2, "a": 1}"#).unwrap();
        assert_eq!(pair, Object(Pair { a: 1, b: Some(2) }));
        assert!(serde_json::from_str::<Object<Pair>>(r#"{"a": 1, "c": 2}"#).is_err());
    }

    #[test]
    fn present_refuses_null() {
        assert!(serde_json::from_str::<Pair>(r#"{"a": 1}"#).is_ok());
        assert!(serde_json::from_str::<Pair>(r#"{"a": 1, "b": null}"#).is_err());
    }

    #[test]
    fn decimal_is_a_canonical_u64() {
        let read = |text: &str| serde_json::from_str::<Decimal>(text).map(|d| d.0).ok();
        assert_eq!(read(r#""18446744073709551615""#), Some(u64::MAX));
        assert_eq!(read(r#""0""#), Some(0));
        for text in [
            r#""18446744073709551616""#,
            r#""+1""#,
            r#""-1""#,
            r#""01""#,
            r#""""#,
            r#"" 1""#,
            "1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(serde_json::to_string(&Decimal(7)).unwrap(), r#""7""#);
    }
}

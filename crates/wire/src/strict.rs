//! Small deserialisers that make serde as strict as the protocol.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A value that must be a JSON object. A derived struct alone would also accept an array of its fields, in order.
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

/// For `#[serde(with)]`: an optional field that may be absent but not `null`. Serde reads both as `None`, and the
/// protocol promises that an optional field is left out.
pub(crate) mod present {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(field: &T, to: S) -> Result<S::Ok, S::Error> {
        field.serialize(to)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        T::deserialize(from).map(Some)
    }
}

/// For `#[serde(deserialize_with)]`: a field that must be present and may be `null`. Serde lets an `Option` be absent
/// unless the field names its own function.
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// A JSON object whose keys depend on the op, in the order in which they were written, each at most once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fields<T>(pub(crate) Vec<(Cow<'static, str>, T)>);

impl<T> Fields<T> {
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.0
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value)
    }

    /// Checks that there are no keys but these. Each name is paired with whether it is required.
    ///
    /// # Errors
    /// Names the first unknown key, or the first missing one.
    pub(crate) fn check(&self, names: &[(&str, bool)]) -> Result<(), String> {
        // Unknown keys first: a misspelt key is also a missing one, and its wrong spelling is the more useful message.
        let known = |name: &str| names.iter().any(|(other, _)| *other == name);
        if let Some((name, _)) = self.0.iter().find(|(name, _)| !known(name)) {
            return Err(format!("unknown field `{name}`"));
        }
        let missing = |(name, required): &&(&str, bool)| *required && self.get(name).is_none();
        match names.iter().find(missing) {
            Some((name, _)) => Err(format!("missing field `{name}`")),
            None => Ok(()),
        }
    }
}

impl<T: Serialize> Serialize for Fields<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fields<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Fields<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<T>, A::Error> {
                // The set finds duplicates without comparing each key with all before it: a header
                // of 1 MiB can have 10^5 keys.
                let mut names = BTreeSet::new();
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, T>()? {
                    if !names.insert(name.clone()) {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    fields.push((Cow::Owned(name), value));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// For `#[serde(deserialize_with)]`: objects without a key that stands twice, at any depth. A `Value` alone keeps the last of
/// them, so that half of a claim would be lost without a word.
pub(crate) fn objects<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Map<String, Value>>, D::Error> {
    let objects: Vec<Fields<Once>> = Vec::deserialize(deserializer)?;
    Ok(objects.into_iter().map(Fields::into_map).collect())
}

/// A JSON value in which each key of an object stands once.
struct Once(Value);

impl Fields<Once> {
    fn into_map(self) -> Map<String, Value> {
        let fields = self.0.into_iter();
        fields.map(|(name, value)| (name.into_owned(), value.0)).collect()
    }
}

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E: Error>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut all = Vec::new();
                while let Some(Once(value)) = list.next_element()? {
                    all.push(value);
                }
                Ok(all.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
                let fields: Fields<Once> = Fields::deserialize(MapAccessDeserializer::new(map))?;
                Ok(fields.into_map().into())
            }
        }

        deserializer.deserialize_any(Any).map(Self)
    }
}

/// `full`, `digest` or `{"window":[start,count]}`.
pub(crate) mod want {
    use seedproof_ops::Want;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize, Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Json {
        Full,
        Digest,
        Window([usize; 2]),
    }

    pub(crate) fn serialize<S: Serializer>(want: &Want, serializer: S) -> Result<S::Ok, S::Error> {
        match *want {
            Want::Full => Json::Full,
            Want::Digest => Json::Digest,
            Want::Window { start, count } => Json::Window([start, count]),
        }
        .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Want, D::Error> {
        Ok(match Json::deserialize(deserializer)? {
            Json::Full => Want::Full,
            Json::Digest => Want::Digest,
            Json::Window([start, count]) => Want::Window { start, count },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pair {
        a: u8,
        #[serde(default, deserialize_with = "present::deserialize")]
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
    fn objects_have_each_key_once_at_any_depth() {
        #[derive(Debug, Deserialize)]
        struct Claims(#[serde(deserialize_with = "objects")] Vec<Map<String, Value>>);

        let read = |text: &str| serde_json::from_str::<Claims>(text).map_err(|error| error.to_string());
        let all = r#"[{"a":{"b":[1,-2,2.5,null,true,"s"]},"op":"x"},{}]"#;
        assert_eq!(serde_json::to_string(&read(all).unwrap().0).unwrap(), all);
        for twice in [
            r#"[{"a":[1],"a":[2]}]"#,
            r#"[{"b":{"a":[1],"a":[2]}}]"#,
            r#"[{"b":[{"a":1,"a":1}]}]"#,
        ] {
            assert!(
                read(twice).unwrap_err().contains("duplicate field `a`"),
                "{twice}"
            );
        }
    }

    #[test]
    fn present_refuses_null() {
        assert!(serde_json::from_str::<Pair>(r#"{"a": 1}"#).is_ok());
        assert!(serde_json::from_str::<Pair>(r#"{"a": 1, "b": null}"#).is_err());
    }

    #[test]
    fn fields_are_known_required_and_there_once() {
        let read = |text: &str| serde_json::from_str::<Fields<u8>>(text).map_err(|error| error.to_string());
        let fields = read(r#"{"b": 2, "a": 1}"#).unwrap();
        assert_eq!(serde_json::to_string(&fields).unwrap(), r#"{"b":2,"a":1}"#);
        assert_eq!(fields.check(&[("a", true), ("b", true), ("c", false)]), Ok(()));
        assert_eq!(fields.check(&[("a", true)]), Err("unknown field `b`".to_owned()));
        let missing = fields.check(&[("a", true), ("b", true), ("c", true)]);
        assert_eq!(missing, Err("missing field `c`".to_owned()));
        assert!(
            read(r#"{"a": 1, "a": 1}"#)
                .unwrap_err()
                .contains("duplicate field `a`")
        );
        assert!(read("[1]").unwrap_err().contains("a JSON object"));
    }
}

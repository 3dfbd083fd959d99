//! The shape of the registry's files as serde reads it.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use crate::parse::raw::{Field, List};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawClause {
    pub(super) id: Field<String>,
    pub(super) document: Field<String>,
    pub(super) section: Field<String>,
    pub(super) says: Field<String>,
    pub(super) level: Field<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawErratum {
    pub(super) id: Field<String>,
    pub(super) document: Field<String>,
    pub(super) section: Field<String>,
    pub(super) question: Field<String>,
    pub(super) answers: Field<List<RawAnswer>>,
    pub(super) adopted: Field<String>,
    pub(super) evidence: Field<List<String>>,
    pub(super) clauses: Field<List<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawAnswer {
    pub(super) id: Field<String>,
    pub(super) says: Field<String>,
}

/// Makes a file type that is a list, bare or under one key.
macro_rules! list_file {
    ($file:ident, $keyed:ident, $key:ident, $item:ty, $expected:literal) => {
        #[doc = concat!("A file with ", $expected, ".")]
        pub(super) struct $file {
            pub(super) $key: List<$item>,
        }

        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $keyed {
            $key: List<$item>,
        }

        impl<'de> Deserialize<'de> for $file {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct FileVisitor;

                impl<'de> Visitor<'de> for FileVisitor {
                    type Value = $file;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<$file, A::Error> {
                        let $key = Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
                        Ok($file { $key })
                    }

                    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$file, A::Error> {
                        let $keyed { $key } = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
                        Ok($file { $key })
                    }
                }

                deserializer.deserialize_any(FileVisitor)
            }
        }
    };
}

list_file!(ClauseFile, KeyedClauses, clauses, RawClause, "a list of clauses");
list_file!(ErratumFile, KeyedErrata, errata, RawErratum, "a list of errata");

//! The elements of an output, as captures record them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The elements of an output in row-major order: the name of their type, and the bits of each, zero-extended.
///
/// They are written as the name and hexadecimal words: `f32 3f337cd6 3e9c5ce8`. The type may be unknown to
/// Seedproof, such as `bool`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(with = "String"))]
pub struct Drawn {
    /// The name of the elements' type.
    pub kind: String,
    /// The bits of each element.
    pub bits: Vec<u64>,
}

impl Drawn {
    /// The number of indices at which both have the same bits; `None` if their types or lengths differ.
    pub fn equal_elements(&self, other: &Self) -> Option<usize> {
        let is_alike = self.kind == other.kind && self.bits.len() == other.bits.len();
        is_alike.then(|| self.bits.iter().zip(&other.bits).filter(|(a, b)| a == b).count())
    }

    /// The number of hexadecimal digits of one element.
    fn digits(&self) -> usize {
        match self.kind.as_str() {
            "bool" => 2,
            // The other names end with their width in bits: f16, bf16, i64.
            kind => kind
                .trim_start_matches(|c: char| !c.is_ascii_digit())
                .parse()
                .map_or(16, |bits: usize| bits / 4),
        }
    }
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        let width = self.digits();
        self.bits
            .iter()
            .try_for_each(|bits| write!(f, " {bits:0width$x}"))
    }
}

impl FromStr for Drawn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let kind = words
            .next()
            .ok_or("an output has the name of its type first")?
            .to_owned();
        let bits = words.map(|word| {
            u64::from_str_radix(word, 16)
                .map_err(|_| format!("`{word}` is not an element: expected hexadecimal digits"))
        });
        Ok(Self {
            kind,
            bits: bits.collect::<Result<_, _>>()?,
        })
    }
}

impl TryFrom<String> for Drawn {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Drawn> for String {
    fn from(drawn: Drawn) -> Self {
        drawn.to_string()
    }
}

//! What the conversion gathers on its way: mistakes, names to look up, literals to hold against their comments.

use seedproof_ops::{Dtype, Named, Scalar};

use super::raw::{At, Field, List, Literal, Whole};
use crate::error::Position;
use crate::{Name, VectorError};

/// What sort of thing a name is looked up as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Clause,
    Erratum,
    Reading,
}

/// A name that the registry must know, where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub(crate) sort: Sort,
    pub(crate) name: Name,
    pub(crate) at: Position,
}

/// The keys of one mapping: which it must have and which it may have.
pub(crate) struct Keys {
    /// What the mapping is called in messages.
    pub(crate) owner: &'static str,
    /// Where it stands.
    pub(crate) at: Position,
    /// The keys that belong there.
    pub(crate) allowed: &'static [&'static str],
}

/// Gathers mistakes instead of stopping at the first.
pub(crate) struct Reader<'a> {
    pub(crate) file: &'a str,
    pub(crate) errors: Vec<VectorError>,
    pub(crate) mentions: Vec<Mention>,
    /// The float literals, whose decimals stand in a comment on the same line.
    pub(crate) literals: Vec<(Position, Scalar)>,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(file: &'a str) -> Self {
        Self {
            file,
            errors: Vec::new(),
            mentions: Vec::new(),
            literals: Vec::new(),
        }
    }

    /// Records a mistake.
    pub(crate) fn fail(&mut self, at: Position, message: impl Into<String>) {
        self.errors.push(VectorError {
            location: at.in_file(self.file),
            message: message.into(),
        });
    }

    /// The value of a key that must be there.
    pub(crate) fn require<T>(&mut self, keys: &Keys, key: &str, field: Field<T>) -> Option<At<T>> {
        if field.0.is_none() {
            self.fail(
                keys.at,
                format!(
                    "find `{key}` in {}: expected the keys {}",
                    keys.owner,
                    keys.allowed.join(", ")
                ),
            );
        }
        field.0
    }

    /// Reports the keys that are there and do not belong there.
    pub(crate) fn only(&mut self, keys: &Keys, present: &[(&str, Option<Position>)]) {
        for &(key, at) in present {
            if let Some(at) = at
                && !keys.allowed.contains(&key)
            {
                self.fail(
                    at,
                    format!(
                        "use `{key}` in {}: expected only {}",
                        keys.owner,
                        keys.allowed.join(", ")
                    ),
                );
            }
        }
    }

    /// A name.
    pub(crate) fn name(&mut self, text: &str, at: Position) -> Option<Name> {
        Name::new(text)
            .inspect_err(|error| self.fail(at, error.to_string()))
            .ok()
    }

    /// A list of names, each once.
    pub(crate) fn names(&mut self, field: Field<List<String>>, sort: Option<Sort>) -> Vec<Name> {
        let mut names = Vec::new();
        for item in field.0.map_or_else(Vec::new, |list| list.value) {
            let Some(name) = self.name(&item.value, item.at) else {
                continue;
            };
            if names.contains(&name) {
                self.fail(
                    item.at,
                    format!("list `{name}` a second time: expected each name once"),
                );
                continue;
            }
            self.mention(sort, &name, item.at);
            names.push(name);
        }
        names
    }

    /// Remembers a name that must be known.
    pub(crate) fn mention(&mut self, sort: Option<Sort>, name: &Name, at: Position) {
        if let Some(sort) = sort {
            self.mentions.push(Mention {
                sort,
                name: name.clone(),
                at,
            });
        }
    }

    /// One of the values of an enumeration.
    pub(crate) fn one_of<T: Named>(&mut self, what: &str, text: &At<String>) -> Option<T> {
        let value = T::ALL.iter().copied().find(|value| value.name() == text.value);
        if value.is_none() {
            let all: Vec<&str> = T::ALL.iter().map(|value| value.name()).collect();
            self.fail(
                text.at,
                format!(
                    "read `{}` as {what}: expected one of {}",
                    text.value,
                    all.join(", ")
                ),
            );
        }
        value
    }

    /// A whole number of 32 bits.
    pub(crate) fn small(&mut self, what: &str, number: &At<Whole>) -> Option<u32> {
        u32::try_from(number.value.0)
            .inspect_err(|_| {
                self.fail(
                    number.at,
                    format!(
                        "read {} as {what}: expected a number from 0 to {}",
                        number.value.0,
                        u32::MAX
                    ),
                );
            })
            .ok()
    }

    /// One element of a type.
    pub(crate) fn scalar(&mut self, dtype: Dtype, literal: &At<Literal>) -> Option<Scalar> {
        let scalar = match &literal.value {
            Literal::Text(text) if dtype.is_float() => Scalar::from_literal(dtype, text).ok(),
            Literal::Number(number) if !dtype.is_float() => {
                Scalar::from_literal(dtype, &number.to_string()).ok()
            }
            _ => None,
        };
        match scalar {
            Some(scalar) if dtype.is_float() => self.literals.push((literal.at, scalar)),
            Some(_) => {}
            None => {
                let what = match &literal.value {
                    Literal::Text(text) => format!("`{text}`"),
                    Literal::Number(number) => format!("the number {number}"),
                    Literal::Neither(what) => (*what).to_owned(),
                };
                self.fail(
                    literal.at,
                    format!("read {what} as {dtype}: expected {}", literal_form(dtype)),
                );
            }
        }
        scalar
    }

    /// Elements of a type, unless one of them is not.
    pub(crate) fn scalars(&mut self, dtype: Dtype, list: &List<Literal>) -> Option<Vec<Scalar>> {
        let scalars: Vec<Scalar> = list
            .iter()
            .filter_map(|literal| self.scalar(dtype, literal))
            .collect();
        (scalars.len() == list.len()).then_some(scalars)
    }
}

/// How an element of a type is written.
fn literal_form(dtype: Dtype) -> String {
    match dtype.integers() {
        Some(range) => format!("a plain number from {} to {}", range.start(), range.end()),
        None => format!(
            "its bits, {} hexadecimal digits in lower case and in quotes",
            dtype.size() * 2
        ),
    }
}

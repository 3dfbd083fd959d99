//! The conversion of values, with the mistakes, names and literals that it gathers.
//!
//! Names are looked up later in the registry, literals compared with the comments of their lines.

use std::collections::HashSet;

use seedproof_ops::{Dtype, Named, OutputForm, Scalar, Shape, Tensor};

use super::raw::{At, Entries, FromValue, List, Value};
use crate::error::Position;
use crate::{Name, VectorError};

/// Mistakes of a file beyond these are not recorded: each takes more memory than the text that has it.
pub(crate) const MOST_ERRORS: usize = 1_000;

/// The list in which a name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Document,
    Clause,
    Erratum,
    Reading,
}

/// A name that the registry must know, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub(crate) sort: Sort,
    pub(crate) name: Name,
    pub(crate) at: Position,
}

/// Gathers mistakes instead of stopping at the first.
pub(crate) struct Reader<'a> {
    pub(crate) file: &'a str,
    pub(crate) errors: Vec<VectorError>,
    pub(crate) mentions: Vec<Mention>,
    /// The names so far. Those of a file are few, and each of its cases has some.
    names: HashSet<Name>,
    /// The float literals, whose decimals stand in a comment on the same line.
    pub(crate) literals: Vec<(Position, Scalar)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: &'a str) -> Self {
        Self {
            file,
            errors: Vec::new(),
            mentions: Vec::new(),
            names: HashSet::new(),
            literals: Vec::new(),
        }
    }

    /// Records a mistake, unless [`MOST_ERRORS`] are.
    pub(crate) fn fail(&mut self, at: Position, message: impl Into<String>) {
        let message = match self.errors.len() {
            ..MOST_ERRORS => message.into(),
            MOST_ERRORS => format!("list every mistake of this file: it has more than {MOST_ERRORS}"),
            _ => return,
        };
        self.errors.push(VectorError {
            location: at.in_file(self.file),
            message,
        });
    }

    /// The entries of a mapping. Reports required keys that are absent, and keys that are neither required nor
    /// optional. `owner` is the mapping in messages: "this case".
    pub(crate) fn entries(
        &mut self,
        owner: &str,
        mapping: At<Value>,
        required: &[&str],
        optional: &[&str],
    ) -> Option<Entries> {
        let At { value, at } = mapping;
        let entries = Entries::from_value(value)
            .map_err(|value| {
                self.fail(
                    at,
                    format!("read {} as {owner}: expected a mapping", value.described()),
                );
            })
            .ok()?;
        for key in required.iter().filter(|key| !entries.contains_key(**key)) {
            let keys = required.join(", ");
            self.fail(at, format!("find `{key}` in {owner}: expected the keys {keys}"));
        }
        let allowed = [required, optional].concat();
        for (key, value) in entries.iter().filter(|(key, _)| !allowed.contains(&key.as_str())) {
            let keys = allowed.join(", ");
            self.fail(value.at, format!("use `{key}` in {owner}: expected only {keys}"));
        }
        Some(entries)
    }

    /// A value as the sort that its key takes.
    pub(crate) fn read<T: FromValue>(&mut self, key: &str, value: At<Value>) -> Option<At<T>> {
        let At { value, at } = value;
        let of_sort = T::from_value(value).map_err(|value| {
            self.fail(
                at,
                format!("read {} as `{key}`: expected {}", value.described(), T::EXPECTED),
            );
        });
        of_sort.ok().map(|value| At { value, at })
    }

    /// The value of a key, if the mapping has that key and the value is of the right sort.
    pub(crate) fn take<T: FromValue>(&mut self, entries: &mut Entries, key: &str) -> Option<At<T>> {
        let value = entries.remove(key)?;
        self.read(key, value)
    }

    /// The list of a key, without the items that are of another sort.
    pub(crate) fn take_all<T: FromValue>(
        &mut self,
        entries: &mut Entries,
        key: &str,
    ) -> Option<At<Vec<At<T>>>> {
        let list = self.take::<List>(entries, key)?;
        let items = list.value.into_iter().filter_map(|item| self.read(key, item));
        Some(At {
            value: items.collect(),
            at: list.at,
        })
    }

    /// A name.
    pub(crate) fn name(&mut self, text: &str, at: Position) -> Option<Name> {
        if let Some(known) = self.names.get(text) {
            return Some(known.clone());
        }
        let name = Name::new(text)
            .inspect_err(|error| self.fail(at, error.to_string()))
            .ok()?;
        self.names.insert(name.clone());
        Some(name)
    }

    /// The list of names of a key, each once.
    pub(crate) fn names(&mut self, entries: &mut Entries, key: &str, sort: Option<Sort>) -> Vec<Name> {
        let mut names = Vec::new();
        let mut seen = HashSet::new();
        let list = self.take_all::<String>(entries, key);
        for item in list.map_or_else(Vec::new, |list| list.value) {
            let Some(name) = self.name(&item.value, item.at) else {
                continue;
            };
            if !seen.insert(name.clone()) {
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
            self.fail(
                text.at,
                format!(
                    "read `{}` as {what}: expected one of {}",
                    text.value,
                    T::NAMES.join(", ")
                ),
            );
        }
        value
    }

    /// One element of a type.
    pub(crate) fn scalar(&mut self, dtype: Dtype, literal: &At<Value>) -> Option<Scalar> {
        let scalar = match &literal.value {
            Value::Text(text) if dtype.is_float() => Scalar::from_literal(dtype, text).ok(),
            Value::Number(number) if !dtype.is_float() => {
                Scalar::from_literal(dtype, &number.to_string()).ok()
            }
            _ => None,
        };
        match scalar {
            Some(scalar) if dtype.is_float() => self.literals.push((literal.at, scalar)),
            Some(_) => {}
            None => {
                let what = literal.value.described();
                self.fail(
                    literal.at,
                    format!("read {what} as {dtype}: expected {}", literal_form(dtype)),
                );
            }
        }
        scalar
    }

    /// Elements of a type, unless one of them is not.
    pub(crate) fn scalars(&mut self, dtype: Dtype, list: &[At<Value>]) -> Option<Vec<Scalar>> {
        let scalars: Vec<Scalar> = list
            .iter()
            .filter_map(|literal| self.scalar(dtype, literal))
            .collect();
        (scalars.len() == list.len()).then_some(scalars)
    }

    /// The shape of these extents.
    pub(crate) fn shape(&mut self, dims: &[u64], at: Position) -> Option<Shape> {
        Shape::new(dims)
            .map_err(|_| {
                self.fail(
                    at,
                    format!(
                        "count the elements of {dims:?}: expected a number that this machine can address"
                    ),
                );
            })
            .ok()
    }

    /// A tensor of a type and shape from all of its elements. `key` is the key of the elements.
    pub(crate) fn tensor(&mut self, key: &str, form: &OutputForm, elements: At<Value>) -> Option<Tensor> {
        let At { value: list, at } = self.read::<List>(key, elements)?;
        let (dtype, dims) = form;
        let shape = self.shape(dims, at)?;
        // Before the mistakes in the elements, which may be more than are recorded.
        let is_whole = list.len() == shape.count();
        if !is_whole {
            self.fail(
                at,
                format!(
                    "read {} elements as {dtype} {dims:?}: expected {}",
                    list.len(),
                    shape.count()
                ),
            );
        }
        let scalars = self.scalars(*dtype, &list).filter(|_| is_whole);
        Tensor::from_scalars(*dtype, shape, scalars?).ok()
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

//! Queries: which cases of the corpus are meant.

use seedproof_ops::{AttributeValue, Kind, Named, OpName};

use crate::{Case, Glob, Name};

/// A set of cases.
///
/// A query is a [`Glob`] on ids, or a key and a glob on the case's value of that key: `op:`, `dtype:` (the output's,
/// or the weights'), `clause:`, `erratum:`, `provenance:`, `flag:`, `file:`, or the name of an op's attribute or
/// input: `alignment:tensorflow`, `log_probs:true`. An input's value is its element type: `probs:f16`. An op may
/// also be called by the first part of its cases' ids: `op:ru8`. A `!` in front excludes: `!dtype:f16`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    excludes: bool,
    key: Key,
    glob: Glob,
}

/// A text that is no query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read the query `{text}`: expected {expected}")]
pub struct QueryError {
    text: String,
    expected: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Id,
    Op,
    Dtype,
    Clause,
    Erratum,
    Provenance,
    Flag,
    File,
    /// An attribute or an input of an op.
    Part(&'static str),
}

const KEYS: [(&str, Key); 7] = [
    ("op", Key::Op),
    ("dtype", Key::Dtype),
    ("clause", Key::Clause),
    ("erratum", Key::Erratum),
    ("provenance", Key::Provenance),
    ("flag", Key::Flag),
    ("file", Key::File),
];

impl Key {
    fn parse(text: &str) -> Option<Self> {
        let of_case = KEYS.iter().find(|(name, _)| *name == text).map(|(_, key)| *key);
        let mut of_ops = OpName::ALL.iter().flat_map(|op| op.description().names());
        of_case.or_else(|| of_ops.find(|name| *name == text).map(Self::Part))
    }
}

impl Query {
    /// A query from its text.
    ///
    /// # Errors
    /// [`QueryError`] if the text is empty or names a key that there is not.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let error = |expected: String| QueryError {
            text: text.to_owned(),
            expected,
        };
        let (excludes, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let (key, glob) = match rest.split_once(':') {
            None => (Key::Id, rest),
            Some((name, glob)) => {
                let key = Key::parse(name).ok_or_else(|| {
                    error(format!(
                        "a glob on ids, or one of these before the `:`: {}, an attribute or an input of an op",
                        KEYS.map(|(key, _)| key).join(", ")
                    ))
                })?;
                (key, glob)
            }
        };
        if glob.is_empty() {
            return Err(error("a glob, such as `ru8/*` or `dtype:f16`".to_owned()));
        }
        Ok(Self {
            excludes,
            key,
            glob: Glob::new(glob),
        })
    }

    /// Whether a case is among those that are meant.
    pub fn matches(&self, case: &Case) -> bool {
        self.finds(case) != self.excludes
    }

    fn finds(&self, case: &Case) -> bool {
        let any = |names: &[Name]| names.iter().any(|name| self.glob.matches(name.as_str()));
        let request = &case.request;
        match self.key {
            Key::Id => self.glob.matches(case.id.as_str()),
            Key::Op => {
                let op = request.description();
                self.glob.matches(op.name) || self.glob.matches(op.prefix)
            }
            Key::Dtype => {
                self.glob.matches(&request.filed_type())
                    || request.attributes().iter().any(|(info, value)| {
                        matches!(info.kind, Kind::Dtype(_)) && self.glob.matches(&text(value))
                    })
            }
            Key::Clause => any(&case.clauses),
            Key::Erratum => any(&case.errata),
            Key::Provenance => self.glob.matches(case.provenance.kind()),
            Key::Flag => any(&case.flags),
            Key::File => self.glob.matches(&case.location.file),
            Key::Part(name) => {
                let attribute = request
                    .attribute(name)
                    .is_some_and(|value| self.glob.matches(&text(&value)));
                let input = request.input(name);
                attribute || input.is_some_and(|tensor| self.glob.matches(tensor.dtype().name()))
            }
        }
    }
}

/// The value of an attribute as a query writes it; extents are set apart by commas.
fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Text(text) => text.clone(),
        AttributeValue::Seed(seed) => seed.to_string(),
        AttributeValue::Boolean(value) => value.to_string(),
        AttributeValue::Extents(extents) => {
            let extents: Vec<String> = extents.iter().map(u64::to_string).collect();
            extents.join(",")
        }
        AttributeValue::Number(number) => number.to_string(),
    }
}

/// Several queries together: the union of those without `!`, or every case if there are none, without the cases that
/// those with `!` exclude.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Vec<Query>);

impl Selection {
    /// A selection from the texts of its queries. None selects everything.
    ///
    /// # Errors
    /// [`QueryError`] for the first text that is no query.
    pub fn parse<T: AsRef<str>>(texts: &[T]) -> Result<Self, QueryError> {
        texts
            .iter()
            .map(|text| Query::parse(text.as_ref()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether a case is selected.
    pub fn matches(&self, case: &Case) -> bool {
        let mut including = self.0.iter().filter(|query| !query.excludes).peekable();
        let included = including.peek().is_none() || including.any(|query| query.matches(case));
        included
            && self
                .0
                .iter()
                .filter(|query| query.excludes)
                .all(|query| query.matches(case))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_says_what_it_expected() {
        assert_eq!(
            Query::parse("kind:f16").unwrap_err().to_string(),
            "read the query `kind:f16`: expected a glob on ids, or one of these before the `:`: op, dtype, clause, \
             erratum, provenance, flag, file, an attribute or an input of an op"
        );
        assert_eq!(
            Query::parse("!dtype:").unwrap_err().to_string(),
            "read the query `!dtype:`: expected a glob, such as `ru8/*` or `dtype:f16`"
        );
    }
}

//! Queries: which cases of the corpus are meant.

use seedproof_ops::{Named, OpName, Request};

use crate::facets;
use crate::parse::id_prefix;
use crate::{Case, Glob, Name};

/// A set of cases.
///
/// A query is a glob on ids, or a key and a glob on what the case says of it: `op:`, `alignment:`, `dtype:` (the
/// output's, or the probabilities'), `clause:`, `erratum:`, `provenance:`, `flag:`, `file:`. In a glob `*` stands
/// for any characters, `/` among them, and `?` for one. An op may also be called by the first part of its cases'
/// ids: `op:ru8`. A `!` in front turns a query round: `!dtype:f16`.
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
    Alignment,
    Dtype,
    Clause,
    Erratum,
    Provenance,
    Flag,
    File,
}

const KEYS: [(&str, Key); 8] = [
    ("op", Key::Op),
    ("alignment", Key::Alignment),
    ("dtype", Key::Dtype),
    ("clause", Key::Clause),
    ("erratum", Key::Erratum),
    ("provenance", Key::Provenance),
    ("flag", Key::Flag),
    ("file", Key::File),
];

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
                let key = KEYS.iter().find(|(key, _)| *key == name).ok_or_else(|| {
                    let names: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
                    error(format!(
                        "a glob on ids, or one of these before the `:`: {}",
                        names.join(", ")
                    ))
                })?;
                (key.1, glob)
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
        match self.key {
            Key::Id => self.glob.matches(case.id.as_str()),
            Key::Op => {
                let op: OpName = case.request.op();
                self.glob.matches(op.name()) || self.glob.matches(id_prefix(op))
            }
            Key::Alignment => facets::alignment(&case.request).is_some_and(|text| self.glob.matches(text)),
            Key::Dtype => {
                self.glob.matches(facets::dtype(&case.request))
                    || matches!(&case.request, Request::Multinomial(request)
                        if self.glob.matches(request.convert_type.text()))
            }
            Key::Clause => any(&case.clauses),
            Key::Erratum => any(&case.errata),
            Key::Provenance => self.glob.matches(case.provenance.kind()),
            Key::Flag => any(&case.flags),
            Key::File => self.glob.matches(&case.location.file),
        }
    }
}

/// What several queries mean together: the union of those without `!`, or everything if there are none, less
/// what those with `!` exclude.
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
            Query::parse("type:f16").unwrap_err().to_string(),
            "read the query `type:f16`: expected a glob on ids, or one of these before the `:`: op, alignment, \
             dtype, clause, erratum, provenance, flag, file"
        );
        assert_eq!(
            Query::parse("!dtype:").unwrap_err().to_string(),
            "read the query `!dtype:`: expected a glob, such as `ru8/*` or `dtype:f16`"
        );
    }
}

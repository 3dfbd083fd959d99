//! Queries: which cases of the corpus are meant.

use std::collections::BTreeSet;

use seedproof_ops::{AttributeValue, Dtype, Kind, Named, OpName, did_you_mean, nearest};

use crate::corpus::Unparsed;
use crate::{Case, Corpus, Glob, Name};

/// A set of cases: those that satisfy all of its terms, which are joined by `+`.
///
/// A term is a [`Glob`] on ids, or a key and a glob on the case's value of that key: `op:`, `dtype:` (the output's,
/// or the weights'), `clause:`, `erratum:`, `provenance:`, `flag:`, `file:`, or the name of an op's attribute or
/// input: `alignment:tensorflow`, `log_probs:true`. An input's value is its element type: `probs:f16`. An op may
/// also be called by the first part of its cases' ids: `op:ru8`.
///
/// `op:ru8+dtype:f16` is the intersection of two terms. A `!` after a `+` negates the term: `op:ru8+!dtype:f16`. A
/// `!` at the beginning excludes all that the rest selects: `!dtype:f16`, `!op:ru8+dtype:f16`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    excludes: bool,
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    negated: bool,
    /// The key as it was written, with its colon; empty for a glob on ids.
    prefix: String,
    key: Key,
    glob: Glob,
}

/// A text that is not a query.
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
        // Without regard to case, as the glob behind it.
        let is_text = |name: &str| name.eq_ignore_ascii_case(text);
        let of_case = KEYS.iter().find(|(name, _)| is_text(name)).map(|(_, key)| *key);
        let mut of_ops = OpName::ALL.iter().flat_map(|op| op.description().names());
        of_case.or_else(|| of_ops.find(|name| is_text(name)).map(Self::Part))
    }
}

impl Query {
    /// A query from its text.
    ///
    /// # Errors
    /// [`QueryError`] if a term is empty or names a key that there is not.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let error = |expected: String| QueryError {
            text: text.to_owned(),
            expected,
        };
        let (excludes, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let terms = rest
            .split('+')
            .map(|term| Term::parse(term.trim()).map_err(error));
        Ok(Self {
            excludes,
            terms: terms.collect::<Result<_, _>>()?,
        })
    }

    /// Whether a case is among those that are meant.
    pub fn matches(&self, case: &Case) -> bool {
        self.finds(case) != self.excludes
    }

    /// Whether it takes cases away.
    pub const fn excludes(&self) -> bool {
        self.excludes
    }

    fn finds(&self, case: &Case) -> bool {
        self.terms.iter().all(|term| term.holds(case))
    }

    fn may_find(&self, file: &Unparsed<'_>) -> bool {
        self.terms.iter().all(|term| term.may_hold(file))
    }

    /// Whether no case of a corpus satisfies all of its terms.
    pub fn is_idle(&self, corpus: &Corpus) -> bool {
        let mut cases = corpus.cases_where(|file| self.may_find(file));
        cases.all(|case| !self.finds(case))
    }

    /// The query that this one probably means, if a term of it is satisfied by no case of a corpus. None for one that is
    /// too long for a slip of the hand.
    pub fn nearest(&self, corpus: &Corpus) -> Option<String> {
        const LONGEST: usize = 400;
        let length: usize = self.terms.iter().map(|term| term.glob.as_str().len()).sum();
        if length > LONGEST {
            return None;
        }
        let mut found = false;
        let terms: Vec<String> = self
            .terms
            .iter()
            .map(|term| {
                let mut cases = corpus.cases_where(|file| term.may_hold(file));
                let idle = !term.negated && !cases.any(|case| term.holds(case));
                let other = idle.then(|| term.nearest(corpus)).flatten();
                found |= other.is_some();
                let glob = other.as_deref().unwrap_or(term.glob.as_str());
                format!("{}{}{glob}", if term.negated { "!" } else { "" }, term.prefix)
            })
            .collect();
        let sign = if self.excludes { "!" } else { "" };
        found.then(|| format!("{sign}{}", terms.join("+")))
    }
}

impl Term {
    /// # Errors
    /// What was expected.
    fn parse(text: &str) -> Result<Self, String> {
        let (negated, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let (prefix, key, glob) = match rest.split_once(':') {
            None => (String::new(), Key::Id, rest),
            Some((name, glob)) => {
                let key = Key::parse(name).ok_or_else(|| {
                    format!(
                        "a glob on ids, or one of these before the `:`: {}, an attribute or an input of an op{}",
                        KEYS.map(|(key, _)| key).join(", "),
                        did_you_mean(name, Key::names())
                    )
                })?;
                (format!("{name}:"), key, glob)
            }
        };
        if glob.is_empty() {
            return Err("a glob, such as `ru8/*` or `dtype:f16`".to_owned());
        }
        Ok(Self {
            negated,
            prefix,
            key,
            glob: Glob::new(glob),
        })
    }

    fn holds(&self, case: &Case) -> bool {
        let found = match self.key {
            // The commonest query needs no copy of the id.
            Key::Id => self.glob.matches(case.id.as_str()),
            key => key.values(case).iter().any(|value| self.glob.matches(value)),
        };
        found != self.negated
    }

    /// Whether it may hold for a case of a file, as far as the text of the file answers that. What it does not answer
    /// is true: then the file is parsed in vain, and no case is lost.
    fn may_hold(&self, file: &Unparsed<'_>) -> bool {
        self.negated
            || match self.key {
                Key::Id => file.ids().any(|id| self.glob.matches(id)),
                Key::File => self.glob.matches(file.known.name),
                // All of these names are in small letters, and none is broken between two lines.
                Key::Clause | Key::Erratum | Key::Flag => {
                    file.text().contains(&self.glob.literal().to_ascii_lowercase())
                }
                Key::Op => file
                    .known
                    .op
                    .is_none_or(|op| op_names(op).iter().any(|name| self.glob.matches(name))),
                Key::Dtype | Key::Provenance | Key::Part(_) => true,
            }
    }

    /// The glob that is probably meant. Of one with `/` and wildcards, each part is looked for in its place.
    fn nearest(&self, corpus: &Corpus) -> Option<String> {
        let values: BTreeSet<String> = match self.key {
            // Of which nothing has to be parsed.
            Key::Id => corpus.ids().map(str::to_owned).collect(),
            key => corpus.cases().flat_map(|case| key.values(case)).collect(),
        };
        // Some cases ask for a type that there is not.
        let is_meant = |value: &&str| self.key != Key::Dtype || Dtype::NAMES.contains(value);
        let values: BTreeSet<&str> = values.iter().map(String::as_str).filter(is_meant).collect();
        let glob = self.glob.as_str();
        let parts: Vec<String> = glob
            .split('/')
            .enumerate()
            .map(|(place, part)| {
                let is_plain = !part.contains(['*', '?']);
                let names: BTreeSet<&str> = values
                    .iter()
                    .filter_map(|value| value.split('/').nth(place))
                    .collect();
                let known = names.iter().any(|name| name.eq_ignore_ascii_case(part));
                let other = (is_plain && !known).then(|| nearest(part, names)).flatten();
                other.unwrap_or(part).to_owned()
            })
            .collect();
        let by_parts = parts.join("/");
        let fits =
            glob.contains(['*', '?']) && values.iter().any(|value| Glob::new(&by_parts).matches(value));
        if fits {
            return Some(by_parts);
        }
        nearest(glob, values).map(str::to_owned)
    }
}

impl Key {
    fn names() -> impl Iterator<Item = &'static str> {
        let of_ops = OpName::ALL.iter().flat_map(|op| op.description().names());
        KEYS.iter().map(|(name, _)| *name).chain(of_ops)
    }

    /// The values of a case that a term's glob may match.
    fn values(self, case: &Case) -> Vec<String> {
        let names = |names: &[Name]| names.iter().map(ToString::to_string).collect();
        let request = &case.request;
        match self {
            Self::Id => vec![case.id.to_string()],
            Self::Op => op_names(request.op()).map(str::to_owned).to_vec(),
            Self::Dtype => {
                let attributes = request.attributes().into_iter();
                let types = attributes.filter(|(info, _)| matches!(info.kind, Kind::Dtype(_)));
                let types = types.map(|(_, value)| text(&value));
                std::iter::once(request.filed_type()).chain(types).collect()
            }
            Self::Clause => names(&case.clauses),
            Self::Erratum => names(&case.errata),
            Self::Provenance => vec![case.provenance.kind().to_owned()],
            Self::Flag => names(&case.flags),
            Self::File => vec![case.location.file.clone()],
            Self::Part(name) => {
                let attribute = request.attribute(name).map(|value| text(&value));
                let input = request.input(name).map(|tensor| tensor.dtype().name().to_owned());
                attribute.into_iter().chain(input).collect()
            }
        }
    }
}

/// The name of an op, and the first part of its cases' ids.
fn op_names(op: OpName) -> [&'static str; 2] {
    let op = op.description();
    [op.name, op.prefix]
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

/// Several queries together: the union of the queries without a leading `!`, or every case if there are none, minus the
/// cases that a query with a leading `!` matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Vec<Query>);

impl Selection {
    /// A selection from the texts of its queries. None selects everything.
    ///
    /// # Errors
    /// [`QueryError`] for the first text that is not a query.
    pub fn parse<T: AsRef<str>>(texts: &[T]) -> Result<Self, QueryError> {
        texts
            .iter()
            .map(|text| Query::parse(text.as_ref()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether a case of a file may be selected, as far as the text of the file answers that.
    pub(crate) fn may_select(&self, file: &Unparsed<'_>) -> bool {
        let mut including = self.0.iter().filter(|query| !query.excludes).peekable();
        including.peek().is_none() || including.any(|query| query.may_find(file))
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

impl Corpus {
    /// The cases that are selected, in the order of [`Corpus::cases`]. Only files that may have one are parsed.
    pub fn select(&self, selection: &Selection) -> Vec<&Case> {
        self.cases_where(|file| selection.may_select(file))
            .filter(|case| selection.matches(case))
            .collect()
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
        let misspelt = Query::parse("op:ru8+aligment:TENSORFLOW")
            .unwrap_err()
            .to_string();
        assert!(misspelt.ends_with("; did you mean `alignment`?"), "{misspelt}");
        assert!(Query::parse("OP:ru8+Alignment:tensorflow").is_ok());
        for empty in ["op:ru8+", "+", "!", "op:ru8+!", ""] {
            assert!(Query::parse(empty).is_err(), "{empty}");
        }
        assert_eq!(
            Query::parse("!dtype:").unwrap_err().to_string(),
            "read the query `!dtype:`: expected a glob, such as `ru8/*` or `dtype:f16`"
        );
    }
}

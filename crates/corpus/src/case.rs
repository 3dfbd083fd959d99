//! Cases: one request each, with its expectation, its provenance and the clauses it covers.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use seedproof_ops::{ErrorKind, Request, Scalar, Tensor};
use serde::{Deserialize, Serialize};

/// A stable name of a case, `op/alignment/dtype/topic`: parts of `a-z 0-9 . _ -`, set apart by `/`.
///
/// An id is never used for a second case; the ids of removed cases stay listed in `vectors/retired.txt`. A clone is cheap:
/// a run of the corpus has each id in its case, its finding, its answer and its diagnosis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseId(Arc<str>);

/// The name of a clause, an erratum, a reading or a mistake: parts of `a-z 0-9 _ -`, set apart by `.`.
// Shared, since thousands of cases have the same few hundred names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
#[serde(into = "String", try_from = "String")]
pub struct Name(Arc<str>);

/// A text that is not an id or a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read `{text}` as an id: expected parts of {alphabet}, set apart by `{separator}`")]
pub struct InvalidId {
    text: String,
    alphabet: &'static str,
    separator: char,
}

fn parts_are(text: &str, separator: char, allowed: impl Fn(u8) -> bool) -> bool {
    text.split(separator)
        .all(|part| !part.is_empty() && part.bytes().all(&allowed))
}

impl CaseId {
    /// A case id from its text.
    ///
    /// # Errors
    /// [`InvalidId`] if a part is empty or has another character than `a-z 0-9 . _ -`.
    pub fn new(text: &str) -> Result<Self, InvalidId> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
        if parts_are(text, '/', allowed) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidId {
                text: text.to_owned(),
                alphabet: "a-z 0-9 . _ -",
                separator: '/',
            })
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Name {
    /// A name from its text.
    ///
    /// # Errors
    /// [`InvalidId`] if a part is empty or has another character than `a-z 0-9 _ -`.
    pub fn new(text: &str) -> Result<Self, InvalidId> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b);
        if parts_are(text, '.', allowed) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidId {
                text: text.to_owned(),
                alphabet: "a-z 0-9 _ -",
                separator: '.',
            })
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.as_str().to_owned()
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        Self::new(&text)
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Where something stands in a file of the corpus. Line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The file, relative to the corpus.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Location {
    /// The first character of a file.
    pub fn start(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            line: 1,
            column: 1,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One request with what is expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name. Expectation files and reports cite it, so it never changes.
    pub id: CaseId,
    /// Where it stands.
    pub location: Location,
    /// The clauses that it covers: the file's, then its own. Never empty.
    pub clauses: Vec<Name>,
    /// The errata whose answers it tells apart.
    pub errata: Vec<Name>,
    /// The mistakes that it is there to catch.
    pub flags: Vec<Name>,
    /// Where the expectation comes from.
    pub provenance: Provenance,
    /// The request.
    pub request: Request,
    /// The answer of the reading `spec`.
    pub expect: Expectation,
    /// The answers of other readings: one for each capture, and where a reading is known to differ. Each is
    /// boxed, because a map has room for eleven as soon as it has one, and most cases have one.
    pub readings: BTreeMap<Name, Box<Expectation>>,
    /// The decimals that a document prints for this request.
    pub printed: Option<Printed>,
    /// For an op that draws by weights: no draw is nearer to a step of the distribution function than this, so that the
    /// rounding of `exp`, of the sum and of the division cannot decide the outcome.
    pub margin: Option<f64>,
    /// A sentence for people.
    pub note: Option<String>,
}

/// The source of an expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Provenance {
    /// A numbered example of a document.
    SpecExample {
        /// The document.
        document: String,
        /// Its example, as the document numbers it.
        example: String,
    },
    /// A published known answer of a generator.
    KnownAnswer {
        /// Who published it.
        source: String,
    },
    /// The output of a real implementation.
    Capture {
        /// The implementation.
        implementation: String,
        /// Its version.
        version: String,
        /// How it was made to draw this.
        method: String,
    },
    /// Computed by a reading of this project.
    Derived {
        /// The reading.
        reading: Name,
        /// The reading's revision, raised when its answers change.
        revision: u32,
    },
}

impl Provenance {
    /// `spec-example`, `known-answer`, `capture` or `derived`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SpecExample { .. } => "spec-example",
            Self::KnownAnswer { .. } => "known-answer",
            Self::Capture { .. } => "capture",
            Self::Derived { .. } => "derived",
        }
    }
}

/// The answer that a case expects, or the source of that answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// These bits, all of them.
    Bits(Bits),
    /// An output with this digest.
    Digest(Digested),
    /// A rejection of this kind.
    Rejected(ErrorKind),
    /// The answer of the oracle.
    Oracle,
    /// Both seeds are zero: an output of the right type and shape, in range, another one each time.
    Statistical,
    /// Nothing under this reading; the case exists for the readings that it names.
    Unspecified,
}

impl Expectation {
    /// How it is given: `bits`, `digest`, `rejected`, or by the `oracle`, by `statistics`, by the `readings`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Bits(_) => "bits",
            Self::Digest(_) => "digest",
            Self::Rejected(_) => "rejected",
            Self::Oracle => "oracle",
            Self::Statistical => "statistics",
            Self::Unspecified => "readings",
        }
    }
}

/// An expected output in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The output.
    pub output: Tensor,
    /// The further outputs that the request asks for, in the order of the op's description.
    pub more: Vec<Tensor>,
}

/// An expected output by its digest. Type and shape follow from the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digested {
    /// The digest.
    pub digest: OutputDigest,
    /// The first elements (8, or fewer).
    pub first: Vec<Scalar>,
    /// The last elements (8, or fewer).
    pub last: Vec<Scalar>,
    /// The further outputs that the request asks for, in the order of the op's description.
    pub more: Vec<Tensor>,
}

/// SHA-256 over an output's little-endian bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputDigest {
    /// One sum per 65,536 elements.
    Chunks(Vec<[u8; 32]>),
    /// One sum over all of it, as captures have it.
    Whole([u8; 32]),
}

/// The decimals that a document prints for a request, in row-major order, as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The decimals.
    pub values: Vec<String>,
    /// Whether the expected bits, rounded to as many digits, give these decimals.
    pub right: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_id_is_a_path_of_plain_parts() {
        assert!(CaseId::new("ru8/tensorflow/f32/spec-example-1").is_ok());
        for text in ["", "ru8//f32", "/ru8", "RU8", "ru8/a b", "ru8/<b>"] {
            assert!(CaseId::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn name_is_dotted() {
        assert!(Name::new("ru8.philox.round").is_ok());
        assert!(Name::new("openvino-core-2026.4").is_ok());
        assert!(Name::new("ru8..round").is_err());
        assert!(Name::new("ru8/round").is_err());
    }
}

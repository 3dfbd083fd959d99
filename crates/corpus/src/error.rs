//! Mistakes in files of the corpus, each with its place.

use std::fmt;

use crate::Location;

/// One mistake in a file of the corpus.
///
/// It reads `file:line:column: failed to …: expected …`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{location}: failed to {message}")]
pub struct VectorError {
    /// Where it stands.
    pub location: Location,
    /// A lower-case fragment that follows "failed to": the failure, then what was expected instead.
    pub message: String,
}

/// The mistakes of one file or of the whole corpus, in the order of their locations. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorErrors(pub Vec<VectorError>);

impl VectorErrors {
    /// `Ok` with the value if there are no mistakes, else the mistakes in order.
    ///
    /// # Errors
    /// The mistakes.
    pub fn unless_none<T>(value: T, mut errors: Vec<VectorError>) -> Result<T, Self> {
        if errors.is_empty() {
            Ok(value)
        } else {
            errors.sort();
            errors.dedup();
            Err(Self(errors))
        }
    }
}

impl fmt::Display for VectorErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for VectorErrors {}

/// A line and a column of a file, both from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    pub(crate) fn in_file(self, file: &str) -> Location {
        Location {
            file: file.to_owned(),
            line: self.line,
            column: self.column,
        }
    }
}

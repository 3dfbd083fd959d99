//! How the program ends.

use std::fmt;

/// The exit status, as the help lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything that was asked conforms.
    Conforms,
    /// Something does not.
    DoesNotConform,
    /// A generated file differs from the one on disk, or the corpus has a fault.
    Drift,
    /// The queries select nothing, nothing was asked of an implementation, or no value of it was compared.
    NothingSelected,
}

impl Exit {
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::DoesNotConform => 1,
            Self::Drift => 4,
            Self::NothingSelected => 5,
        }
    }
}

/// Why the program could not do what it was asked.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line asks for something that there is not: exit status 2.
    Usage(String),
    /// Something outside the program failed: a file, an adapter that does not start. Exit status 3.
    Infrastructure(String),
    /// The corpus cannot be read: exit status 4.
    Corpus(String),
}

impl Error {
    /// An infrastructure error: `failed to write reports/out: …`.
    pub(crate) fn failed(what: impl fmt::Display, error: impl fmt::Display) -> Self {
        Self::Infrastructure(format!("failed to {what}: {error}"))
    }

    pub(crate) const fn status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Infrastructure(_) => 3,
            Self::Corpus(_) => 4,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Infrastructure(text) | Self::Corpus(text) => f.write_str(text),
        }
    }
}

/// How a command ends.
pub(crate) type CommandResult = Result<Exit, Error>;

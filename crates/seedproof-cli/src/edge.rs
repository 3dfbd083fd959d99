//! Where the program touches the world: files in, files out.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use seedproof_vectors::Corpus;

use crate::args::CorpusDir;
use crate::exit::Error;

/// The corpus that the command line names: a folder, or the one that is built in.
pub(crate) enum AnyCorpus {
    BuiltIn(&'static Corpus),
    Loaded(Box<Corpus>),
}

impl std::ops::Deref for AnyCorpus {
    type Target = Corpus;

    fn deref(&self) -> &Corpus {
        match self {
            Self::BuiltIn(corpus) => corpus,
            Self::Loaded(corpus) => corpus,
        }
    }
}

/// The corpus that the command line names.
///
/// # Errors
/// [`Error::Infrastructure`] if the folder cannot be read, [`Error::Corpus`] with every mistake in it.
pub(crate) fn corpus(dir: &CorpusDir) -> Result<AnyCorpus, Error> {
    let Some(folder) = &dir.corpus else {
        return Ok(AnyCorpus::BuiltIn(seedproof::corpus()));
    };
    match seedproof::load(folder) {
        Ok(corpus) => Ok(AnyCorpus::Loaded(Box::new(corpus))),
        Err(seedproof::LoadError::Vectors(errors)) => Err(Error::Corpus(errors.to_string())),
        Err(error) => Err(Error::Infrastructure(format!("failed to {error}"))),
    }
}

/// A file's text.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::failed(format!("read {}", path.display()), error))
}

/// A file's bytes.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| Error::failed(format!("read {}", path.display()), error))
}

/// Writes a file and the folders that it lies in.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    create(path)?
        .write_all(text.as_bytes())
        .map_err(|error| cannot_write(path, error))
}

/// Begins a file, and makes the folders that it lies in.
pub(crate) fn create(path: &Path) -> Result<fs::File, Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| cannot_write(path, error))?;
    }
    fs::File::create(path).map_err(|error| cannot_write(path, error))
}

fn cannot_write(path: &Path, error: io::Error) -> Error {
    Error::failed(format!("write {}", path.display()), error)
}

/// Prints to standard output, in colour where that is wanted. A reader that went away has read enough.
pub(crate) fn print(text: &str) {
    let _ = anstream::stdout().lock().write_all(text.as_bytes());
}

/// Prints to standard error. Where nobody listens, the exit status says it.
pub(crate) fn complain(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

//! A corpus from files: those that are built in, or those of a folder.

use std::path::Path;
use std::sync::OnceLock;

use seedproof_corpus::{Corpus, VectorErrors};

use crate::registry::registry;

/// The built-in corpus.
///
/// ```
/// let case = seedproof::corpus().get("ru8/tensorflow/f32/spec-example-1");
/// assert_eq!(case.map(|case| case.request.op().to_string()).as_deref(), Some("openvino.RandomUniform-8"));
/// ```
///
/// # Panics
/// Never: a test reads what is built in.
pub fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| parse(&built_in()).expect("the tests read the corpus that is built in"))
}

/// The file of the built-in corpus that contains a case, by the case's id; `None` if no file does. Reading one file
/// takes a small part of the time that the whole corpus takes.
///
/// ```
/// let part = seedproof::files::part_with("ru8/tensorflow/f32/spec-example-1").expect("the corpus has this case");
/// assert!(part.cases().count() < seedproof::corpus().cases().count());
/// assert!(seedproof::files::part_with("ru8/no-such-case").is_none());
/// ```
///
/// # Panics
/// Never: a test reads what is built in.
pub fn part_with(id: &str) -> Option<Corpus> {
    // `gen` writes every id so, and a test compares the files with what it writes. A note may quote the line too, so
    // that the file is asked for the case afterwards.
    let line = format!("- id: {id}\n");
    let file = built_in().into_iter().find(|(_, text)| text.contains(&line))?;
    let part = parse(&[file]).expect("the tests read the corpus that is built in");
    part.get(id).is_some().then_some(part)
}

/// The names and texts of the files that are built in.
fn built_in() -> Vec<(String, String)> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    seedproof_vectors::FILES.iter().map(owned).collect()
}

/// A corpus from the names and texts of its files.
///
/// ```
/// let files = [("mine.yaml".to_owned(), "schema: 2\nop: no.Such-op\ncases: []\n".to_owned())];
/// let errors = seedproof::files::parse(&files).expect_err("there is no such op");
/// assert!(errors.to_string().contains("mine.yaml"));
/// ```
///
/// # Errors
/// Every mistake in the files, with its location.
pub fn parse(files: &[(String, String)]) -> Result<Corpus, VectorErrors> {
    let readings = seedproof_readings::named();
    let names: Vec<&str> = readings.iter().map(|reading| reading.name.as_ref()).collect();
    Corpus::from_files(files, registry(), &names)
}

/// Why a folder could not be read as a corpus.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or the folder cannot be read.
    #[error("read {path}: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The folder has no YAML file.
    #[error("find vectors in {0}: expected .yaml files there or in folders below it")]
    Empty(String),
    /// The files have mistakes.
    #[error(transparent)]
    Vectors(#[from] VectorErrors),
}

/// The corpus in a folder and the folders below it: its `.yaml` files and `retired.txt`.
///
/// # Errors
/// [`LoadError`].
pub fn load(folder: &Path) -> Result<Corpus, LoadError> {
    Ok(parse(&read_files(folder)?)?)
}

/// The names, relative to the folder with `/` between parts, and the texts of a corpus' files, by name.
///
/// # Errors
/// [`LoadError::Io`] and [`LoadError::Empty`].
pub fn read_files(folder: &Path) -> Result<Vec<(String, String)>, LoadError> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    if !files.iter().any(|(name, _)| has_ending(name, ".yaml")) {
        return Err(LoadError::Empty(folder.display().to_string()));
    }
    // A folder lists its entries in an order that depends on the file system. Reports must not.
    files.sort();
    Ok(files)
}

fn has_ending(name: &str, ending: &str) -> bool {
    name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty())
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> Result<(), LoadError> {
    let failed = |path: &Path, error| LoadError::Io {
        path: path.display().to_string(),
        error,
    };
    for entry in std::fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let entry = entry.map_err(|error| failed(folder, error))?;
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        // This is the type of the entry itself: a link to a folder is not followed, since links may form a circle.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, &format!("{name}/"), files)?;
        } else if has_ending(&name, ".yaml") || name == "retired.txt" {
            files.push((
                name,
                std::fs::read_to_string(&path).map_err(|error| failed(&path, error))?,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corpus_that_is_built_in_is_read() {
        assert!(
            corpus().cases().len() >= 1_500,
            "{} cases",
            corpus().cases().len()
        );
        assert!(registry().clauses().len() > 40);
        assert!(registry().errata().len() > 30);
    }

    #[test]
    fn part_of_the_corpus_has_the_case() {
        for case in corpus().cases().step_by(100) {
            let part = part_with(case.id.as_str()).expect("a file has the case");
            assert_eq!(
                part.get(case.id.as_str()).map(|it| &it.request),
                Some(&case.request)
            );
            assert_eq!(part.files().len(), 1, "{}", case.id);
        }
        for absent in ["ru8/tensorflow/f32/spec-example", "", "ru8/*", "no/such"] {
            assert!(part_with(absent).is_none(), "{absent}");
        }
    }

    #[test]
    fn corpus_folder_without_vectors_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = load(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("find vectors in"), "{error}");
        let error = load(&folder.path().join("absent")).unwrap_err().to_string();
        assert!(error.starts_with("read "), "{error}");
    }

    #[test]
    fn corpus_folder_is_read_with_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in built_in() {
            let path = folder.path().join(&name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        assert_eq!(load(folder.path()).unwrap().hash(), corpus().hash());
    }
}

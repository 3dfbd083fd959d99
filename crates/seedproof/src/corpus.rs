//! A corpus from files: those that are built in, or those of a folder.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::LazyLock;

use seedproof_corpus::{Canonical, CaseId, Corpus, VectorErrors};
use seedproof_ops::{Named as _, OpName};
use seedproof_vectors::{FILES, File, HASH};

use crate::bounded::read_plain;
use crate::registry::registry;

/// The most bytes of a file of a corpus, whose cases take several times as much memory. No built-in one has a megabyte.
const MAX_FILE_BYTES: u64 = 1 << 26;

/// The built-in corpus. Each of its files is parsed when a case of it is first needed: all of them take a second.
///
/// ```
/// use seedproof_corpus::Selection;
///
/// let halves = Selection::parse(&["op:ru8+dtype:f16", "!*/large*"])?;
/// assert!(seedproof::corpus().select(&halves).len() > 100);
/// # Ok::<(), seedproof_corpus::QueryError>(())
/// ```
///
/// A single case, by its id:
///
/// ```
/// let case = seedproof::corpus().get("ru8/tensorflow/f32/spec-example-1");
/// assert_eq!(case.map(|case| case.request.op().to_string()).as_deref(), Some("openvino.RandomUniform-8"));
/// ```
pub fn corpus() -> &'static Corpus {
    static CORPUS: LazyLock<Corpus> = LazyLock::new(built_in);
    &CORPUS
}

fn built_in() -> Corpus {
    let text = |name: &str| {
        let file = FILES.iter().find(|file| file.name() == name);
        file.expect("a name of a file").text()
    };
    let canonical = |file: &'static File| Canonical {
        name: file.name(),
        op: OpName::ALL.iter().copied().find(|op| op.name() == file.op()),
        ids: file
            .ids()
            .map(|id| CaseId::new(id).expect("a canonical file has no mistake"))
            .collect(),
        unspecified: file.unspecified(),
        text: Some(text),
    };
    Corpus::of_canonical(FILES.iter().map(canonical), HASH)
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
///
/// ```
/// use std::path::Path;
/// use seedproof::files::{LoadError, load};
///
/// let error = load(Path::new("absent")).err().expect("there is no such folder");
/// assert!(matches!(&error, LoadError::Io { path, .. } if path == "absent"));
/// assert!(error.to_string().starts_with("read absent: "));
/// ```
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
    /// A file or a folder would be left out although it looks like a part of the corpus.
    #[error("read {path}: {why}")]
    LeftOut {
        /// The file or folder.
        path: String,
        /// Why it is not read, and what to do.
        why: &'static str,
    },
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

/// The name and the text of each file of a corpus, sorted by name. A name is relative to the folder, with `/` between
/// its parts.
///
/// # Errors
/// [`LoadError::Io`], [`LoadError::Empty`] and [`LoadError::LeftOut`].
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
            let text = read_plain(&path, MAX_FILE_BYTES).and_then(|bytes| {
                String::from_utf8(bytes).map_err(|error| std::io::Error::new(ErrorKind::InvalidData, error))
            });
            files.push((name, text.map_err(|error| failed(&path, error))?));
        } else if let Some(why) = left_out(&path) {
            let path = path.display().to_string();
            return Err(LoadError::LeftOut { path, why });
        }
    }
    Ok(())
}

/// Why an entry that is not read looks as if it should be. To skip it in silence would leave its cases out of every run.
fn left_out(path: &Path) -> Option<&'static str> {
    // Only a link to a folder gets here: a folder itself is read.
    if path.is_dir() {
        return Some(
            "a link to a folder is not followed, because links may form a circle; put the folder itself there",
        );
    }
    let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
    if ["yaml", "yml"].contains(&ending.as_str()) {
        return Some("the name of a file of cases ends with `.yaml`, in small letters");
    }
    None
}

#[cfg(test)]
mod tests {
    use seedproof_check::SPEC;
    use seedproof_corpus::{Case, Query, Selection};
    use seedproof_ops::Limits;

    use super::*;
    use crate::judging::{Catalogue, applies, under_reading};

    /// The names and texts of the files that are built in.
    fn texts() -> Vec<(String, String)> {
        FILES
            .iter()
            .map(|file| (file.name().to_owned(), file.text()))
            .collect()
    }

    /// Reading a file when it is needed returns the same cases as reading the whole corpus at once, which also looks for
    /// mistakes.
    #[test]
    fn corpus_that_is_built_in_has_no_mistake() {
        let at_once = parse(&texts()).unwrap_or_else(|errors| panic!("{errors}"));
        let later = built_in();
        assert_eq!(later.hash(), at_once.hash());
        assert_eq!(
            (later.size(), later.unspecified()),
            (at_once.size(), at_once.unspecified())
        );
        assert!(later.size() >= 14_000, "{} cases", later.size());
        assert!(later.ids().eq(at_once.ids()));
        let case = at_once.cases().next_back().unwrap();
        assert_eq!(later.get(case.id.as_str()), Some(case));
        assert!(later.cases().eq(at_once.cases()));
        for case in at_once.cases() {
            assert_eq!(later.get(case.id.as_str()), Some(case));
        }
    }

    #[test]
    fn corpus_selects_the_same_whatever_is_parsed() {
        let at_once = parse(&texts()).unwrap_or_else(|errors| panic!("{errors}"));
        let queries: [&[&str]; 10] = [
            &["ru8/pytorch/f32/*"],
            &["RU8/PyTorch/*"],
            &["jxu/**", "!*f16*"],
            &["clause:ru8.philox.*"],
            &["clause:JXU.*+!dtype:f32"],
            &["erratum:*+op:mn13"],
            &["flag:*x*"],
            &["file:*pairs*"],
            &["op:ru8+alignment:pytorch"],
            &["*/nothing", "!clause:*"],
        ];
        for texts in queries {
            let selection = Selection::parse(texts).unwrap();
            let later = built_in();
            let wanted = at_once.select(&selection);
            assert_eq!(later.select(&selection), wanted, "{texts:?}");
            // Some files are parsed now.
            for text in texts {
                let query = Query::parse(text).unwrap();
                assert_eq!(query.is_idle(&later), query.is_idle(&at_once), "{text}");
            }
        }
    }

    #[test]
    fn cases_under_spec_are_counted_without_parsing_them() {
        let catalogue = Catalogue::new(Limits::default());
        let says = |case: &&Case| applies(case, &catalogue, SPEC);
        assert_eq!(
            under_reading(corpus(), &catalogue, SPEC),
            corpus().cases().filter(says).count()
        );
    }

    #[test]
    fn corpus_folder_without_vectors_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = load(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("find vectors in"), "{error}");
        let error = load(&folder.path().join("absent")).unwrap_err().to_string();
        assert!(error.starts_with("read "), "{error}");
    }

    /// The names of a corpus may lead to what never ends.
    #[cfg(unix)]
    #[test]
    fn corpus_of_other_than_plain_files_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        let complaint = || load(folder.path()).unwrap_err().to_string();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        let expected = format!("read {}: it is not a plain file", path.display());
        assert!(complaint().starts_with(&expected), "{}", complaint());
        std::fs::remove_file(&path).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(pipe.unwrap().success());
        assert!(complaint().starts_with(&expected), "{}", complaint());
        std::fs::remove_file(&path).unwrap();
        std::fs::File::create(&path)
            .unwrap()
            .set_len(MAX_FILE_BYTES + 1)
            .unwrap();
        let expected = format!("read {}: more than {MAX_FILE_BYTES} bytes", path.display());
        assert!(complaint().starts_with(&expected), "{}", complaint());
        std::fs::write(&path, [0xff]).unwrap();
        assert!(complaint().contains("utf-8"), "{}", complaint());
    }

    #[test]
    fn corpus_folder_is_read_with_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in texts() {
            let path = folder.path().join(&name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        assert_eq!(load(folder.path()).unwrap().hash(), corpus().hash());
    }
}

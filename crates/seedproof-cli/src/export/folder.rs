//! The folder of an export. It is written beside its place and then exchanged as a whole, so that no partial export is seen.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use seedproof::files::read_plain;
use serde_json::Value;
use tempfile::TempDir;

use super::document::{FORMAT, Index};
use crate::exit::Error;
use crate::{interrupt, io};

const INDEX: &str = "index.json";

/// The most bytes of one export. The corpus that is built in takes a fraction of it.
const MAX_EXPORT_BYTES: u64 = 1 << 32;

/// A folder that is being written, beside the place where it will be.
pub(super) struct Folder {
    place: PathBuf,
    made: TempDir,
    files: BTreeSet<String>,
    bytes: u64,
}

impl Folder {
    /// # Errors
    /// [`Error::Usage`] if the folder contains a file that no export wrote, [`Error::Infrastructure`] if its parent cannot be
    /// written.
    pub(super) fn new(dir: &Path) -> Result<Self, Error> {
        let failed = |error| Error::failed(format!("write into {}", dir.display()), error);
        // If `dir` is a link, the folder that it leads to is exchanged, and the link stays.
        let place = match dir.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => std::path::absolute(dir).map_err(failed)?,
            found => found.map_err(failed)?,
        };
        refuse_foreign(&place)?;
        let parent = place.parent().filter(|_| place.file_name().is_some());
        let parent = parent
            .ok_or_else(|| Error::Usage(format!("{} cannot be the name of a folder", dir.display())))?;
        fs::create_dir_all(parent).map_err(failed)?;
        let made = beside(parent).map_err(failed)?;
        interrupt::remove(made.path());
        Ok(Self {
            made,
            place,
            files: BTreeSet::new(),
            bytes: 0,
        })
    }

    /// Writes a file, whose path has `/` between its parts.
    ///
    /// # Errors
    /// [`Error::Usage`] if the export grows too large, or two cases have one path.
    pub(super) fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        self.bytes = self
            .bytes
            .saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if self.bytes > MAX_EXPORT_BYTES {
            return Err(Error::Usage(format!(
                "the export takes more than {MAX_EXPORT_BYTES} bytes; select fewer cases, or lower --max-output"
            )));
        }
        if !self.files.insert(path.to_owned()) {
            return Err(Error::Usage(format!(
                "two cases would be written to {path}; export them apart"
            )));
        }
        // An interrupt removes the folder, and would miss what is written meanwhile.
        let _alone = io::writing();
        let file = self.made.path().join(path);
        let folder = file.parent().unwrap_or(self.made.path());
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&file, bytes))
            .map_err(|error| Error::failed(format!("write {path} of the export"), error))
    }

    /// Writes the index, and puts the folder into its place. What was exported there before is gone then.
    ///
    /// # Errors
    /// Those of [`Self::new`]; what was there is then as it was.
    pub(super) fn exchange(mut self, index: &Index<'_>) -> Result<(), Error> {
        let files: Vec<String> = self.files.iter().cloned().collect();
        self.write(INDEX, index.text(files.into_iter()).as_bytes())?;
        let place = &self.place;
        let failed = |error| Error::failed(format!("write into {}", place.display()), error);
        // An interrupt between the two moves would leave neither folder in its place.
        let _alone = io::writing();
        // Once more: an export takes seconds, in which somebody may have put a file there.
        refuse_foreign(place)?;
        if !place.exists() {
            return fs::rename(self.made.path(), place).map_err(failed);
        }
        let parent = place.parent().expect("it was found when the folder was begun");
        let aside = beside(parent).map_err(failed)?;
        let before = aside.path().join("before");
        fs::rename(place, &before).map_err(failed)?;
        fs::rename(self.made.path(), place).map_err(|error| {
            // Nothing can be done about a second failure; the first one is reported.
            let _ = fs::rename(&before, place);
            failed(error)
        })
    }
}

/// A new folder in another, with the permissions of any folder.
fn beside(parent: &Path) -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".seedproof-export-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempdir_in(parent)
}

/// # Errors
/// [`Error::Usage`] if a folder is there and is neither empty nor, file by file, what its index says that an export wrote.
fn refuse_foreign(place: &Path) -> Result<(), Error> {
    if !place.exists() {
        return Ok(());
    }
    let shown = place.display();
    if !place.is_dir() {
        return Err(Error::Usage(format!("{shown} is a file; name a folder")));
    }
    // The shell of whoever stands in it would be left in a folder that is gone.
    if std::env::current_dir().is_ok_and(|current| current.starts_with(place)) {
        return Err(Error::Usage(format!(
            "{shown} contains the current folder. Name another folder: an export replaces it as a whole"
        )));
    }
    let index = read_plain(&place.join(INDEX), MAX_EXPORT_BYTES).ok();
    let index: Option<Value> = index.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let index = index.filter(|index| index["format"] == FORMAT);
    let listed = index.as_ref().and_then(|index| index["files"].as_array());
    let mut own: BTreeSet<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
    if listed.is_some() {
        own.insert(INDEX);
    }
    match foreign(place, "", &own) {
        Ok(None) => Ok(()),
        Ok(Some(file)) => Err(Error::Usage(format!(
            "{shown} has `{file}`, which no export wrote; name a new folder"
        ))),
        Err(error) => Err(Error::failed(format!("read {shown}"), error)),
    }
}

/// The first file of a folder, or of those below it, that is not one of these. A link is a file, wherever it leads.
fn foreign(folder: &Path, prefix: &str, own: &BTreeSet<&str>) -> std::io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            if let Some(found) = foreign(&entry.path(), &format!("{path}/"), own)? {
                return Ok(Some(found));
            }
        } else if !own.contains(path.as_str()) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn export_takes_as_many_bytes_as_its_limit_and_no_more() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::new(&place.path().join("out")).unwrap();
        // As if they were written, which takes a while.
        folder.bytes = MAX_EXPORT_BYTES - 1;
        folder.write("last", b"1").unwrap();
        assert!(folder.write("next", b"2").is_err());
    }

    /// An index that leads to a device would be read without end.
    #[cfg(unix)]
    #[test]
    fn index_that_is_no_plain_file_is_foreign() {
        let place = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/zero", place.path().join(INDEX)).unwrap();
        let error = refuse_foreign(place.path()).unwrap_err().to_string();
        assert!(
            error.contains("has `index.json`, which no export wrote"),
            "{error}"
        );
    }
}

//! Files and streams of others, which may never end.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a whole stream of at most `most` bytes. `size` is not trusted: a file may grow, and some system files report 0.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] if there are more, else the system's.
pub fn read_stream(stream: impl Read, size: u64, most: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let what = format!("more than {most} bytes, which are not read");
        io::Error::new(ErrorKind::FileTooLarge, what)
    };
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // Asked for at once: a size that there is no memory for is an error and not the end of the process.
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))?;
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Reads a file of at most `most` bytes. Anything but a plain file, such as a pipe or a device, may keep a reader waiting.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if it is not a plain file, else those of [`read_stream`].
pub fn read_plain(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    // Before it is opened: that of a pipe waits for a writer.
    if !about.is_file() {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is not a plain file; put one in its place, or remove it",
        ));
    }
    read_stream(fs::File::open(path)?, about.len(), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_up_to_a_bound() {
        let read = |length: u64, size| read_stream(io::repeat(7).take(length), size, 1_000);
        assert_eq!(read(1_000, 0).unwrap().len(), 1_000);
        assert_eq!(read(1_000, 1_000).unwrap().len(), 1_000);
        for (length, size) in [(1_001, 0), (u64::MAX, 10), (1, 1_001)] {
            let error = read(length, size).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::FileTooLarge);
            assert_eq!(error.to_string(), "more than 1000 bytes, which are not read");
        }
    }

    #[test]
    fn only_a_plain_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "text").unwrap();
        assert_eq!(read_plain(&file, 4).unwrap(), b"text");
        assert_eq!(read_plain(&file, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(
            read_plain(folder.path(), 3).unwrap_err().kind(),
            ErrorKind::InvalidInput
        );
    }
}

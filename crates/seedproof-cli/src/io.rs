//! Files and streams.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use seedproof_ops::shortened;
use seedproof_ops::untrusted::inert;

use crate::exit::Error;

/// A file's text.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    String::from_utf8(read_bytes(path)?)
        .map_err(|error| Error::failed(format!("read {}", path.display()), error))
}

/// The most bytes of a file: what is made of it beside would not fit into the memory of most machines.
const MOST: u64 = 1 << 32;

/// The most bytes of what has no size, such as a pipe or a device: it may never end.
const MOST_OF_A_STREAM: u64 = 1 << 28;

/// A file's bytes.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::failed(format!("read {}", path.display()), error);
    let file = fs::File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    let (size, most) = if about.is_file() {
        (about.len(), MOST)
    } else {
        (0, MOST_OF_A_STREAM)
    };
    bounded(file, &path.display().to_string(), size, most)
}

/// All of standard input.
pub(crate) fn read_standard_input() -> Result<Vec<u8>, Error> {
    bounded(io::stdin(), "standard input", 0, MOST_OF_A_STREAM)
}

/// All of a stream that has at most so many bytes, whatever size it says: a file may grow, and some files of the system say 0.
fn bounded(stream: impl Read, name: &str, size: u64, most: u64) -> Result<Vec<u8>, Error> {
    let too_large = || Error::Usage(format!("{name} has more than {most} bytes, which are not read"));
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let failed = |error: io::Error| Error::failed(format!("read {name}"), error);
    // Asked for at once: a size that there is no memory for is an error and not the end of the process.
    bytes
        .try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))
        .map_err(|error| failed(error.into()))?;
    stream.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Writes a file and the folders that it lies in; `-` is standard output.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    write_bytes(path, text.as_bytes())
}

/// [`write()`] of bytes.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_together(&[(path, bytes)])
}

/// Waits until no files are being written together, and keeps it so.
pub(crate) fn writing() -> MutexGuard<'static, ()> {
    static WRITING: Mutex<()> = Mutex::new(());
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes several files, all or none: each beside its place first, and then all into their places.
pub(crate) fn write_together(files: &[(&Path, &[u8])]) -> Result<(), Error> {
    let _alone = writing();
    let mut written = Vec::new();
    for &(path, bytes) in files {
        let failed = |error| cannot_write(path, error);
        if is_stdout(path) {
            print(&String::from_utf8_lossy(bytes));
            continue;
        }
        let folder = folder_of(path);
        fs::create_dir_all(folder).map_err(failed)?;
        // A device or a pipe has no place of its own.
        if path.metadata().is_ok_and(|it| !it.is_file()) {
            fs::write(path, bytes).map_err(failed)?;
            continue;
        }
        let mut file = tempfile::Builder::new();
        #[cfg(unix)]
        file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = file.tempfile_in(folder).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        written.push((path, file));
    }
    for (path, file) in written {
        file.persist(path)
            .map_err(|error| cannot_write(path, error.error))?;
    }
    Ok(())
}

/// Begins a file that no other run writes, and makes the folders that it lies in. What it held is gone.
pub(crate) fn begin(path: &Path) -> Result<fs::File, Error> {
    let failed = |error| cannot_write(path, error);
    fs::create_dir_all(folder_of(path)).map_err(failed)?;
    let mut options = fs::File::options();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(failed)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            return Err(Error::failed(
                format!("write {}", path.display()),
                "another run writes to it",
            ));
        }
        // Some file systems have no locks.
        Err(fs::TryLockError::Error(_)) | Ok(()) => {}
    }
    if file.metadata().is_ok_and(|it| it.is_file()) {
        file.set_len(0).map_err(failed)?;
    }
    Ok(file)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn cannot_write(path: &Path, error: io::Error) -> Error {
    Error::failed(format!("write {}", path.display()), error)
}

/// Why standard output took less than was printed.
static LOST: OnceLock<String> = OnceLock::new();

/// Prints to standard output, in colour where that is wanted. A reader that went away has read enough; [`lost`] tells of
/// any other failure.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = LOST.set(error.to_string());
        }
        _ => {}
    }
}

/// # Errors
/// [`Error::Infrastructure`] if standard output took less than was printed, such as on a full disk.
pub(crate) fn lost() -> Result<(), Error> {
    LOST.get().map_or(Ok(()), |error| {
        Err(Error::failed("write to standard output", error))
    })
}

/// Whether a document goes to standard output instead of a file.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Makes a folder, and a file in it that goes again.
///
/// # Errors
/// [`Error::Infrastructure`] if no file can be written there.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Error> {
    let probe = folder.join(format!(".seedproof-{}", std::process::id()));
    fs::create_dir_all(folder)
        .and_then(|()| fs::File::create(&probe))
        .and_then(|_| fs::remove_file(&probe))
        .map_err(|error| cannot_write(folder, error))
}

/// Prints to standard error, cut. Where nobody listens, the exit status says it.
pub(crate) fn print_error(text: &str) {
    let _ = anstream::stderr().lock().write_all(cut(text).as_bytes());
}

/// A message without the middle of each line that is longer than any of this program's own, and without lines beyond the
/// first thousand: it repeats what somebody else wrote.
fn cut(text: &str) -> String {
    const LINES: usize = 1_000;
    let lines = || text.split_inclusive('\n');
    let mut out: String = lines()
        .take(LINES)
        .map(|line| inert(&shortened(line)).into_owned())
        .collect();
    let missing = lines().skip(LINES).count();
    if missing > 0 {
        out.push_str(&format!("… and {missing} more lines\n"));
    }
    out
}

/// Opens a page as the desktop would.
///
/// # Errors
/// [`Error::Infrastructure`] if the system has no program for that.
pub(crate) fn open(page: &Path) -> Result<(), Error> {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let status = Command::new(program).args(arguments).arg(page).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Error::failed(
            "open the page",
            format!("{program} ended with {status}"),
        )),
        Err(error) => Err(Error::failed("open the page", format!("{program}: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_up_to_a_bound() {
        let read =
            |length: u64, size| bounded(io::repeat(7).take(length), "x", size, 1_000).map(|it| it.len());
        assert_eq!(read(1_000, 0).unwrap(), 1_000);
        assert_eq!(read(1_000, 1_000).unwrap(), 1_000);
        for (length, size) in [(1_001, 0), (u64::MAX, 10), (1, 1_001)] {
            let error = read(length, size).unwrap_err().to_string();
            assert_eq!(error, "x has more than 1000 bytes, which are not read");
        }
    }

    #[test]
    fn messages_are_cut() {
        let plain = "seedproof: failed to read one\nand two\n";
        assert_eq!(cut(plain), plain);
        let long = format!(
            "read `{}`: expected é\n{}",
            "9".repeat(3_000),
            "next\n".repeat(1_001)
        );
        let cut = cut(&long);
        let lines: Vec<&str> = cut.lines().collect();
        assert!(lines[0].starts_with("read `999"), "{}", lines[0]);
        assert!(
            lines[0].contains("… 1020 more characters …999") && lines[0].ends_with("`: expected é"),
            "{}",
            lines[0]
        );
        assert_eq!(lines.len(), 1_001);
        assert_eq!(lines[1_000], "… and 2 more lines");
    }
}

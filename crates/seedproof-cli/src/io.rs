//! Files and streams.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use seedproof::files::read_stream;
use seedproof_ops::shortened;
use seedproof_ops::untrusted::{inert, is_hidden};

use crate::exit::Error;

/// A file's text.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    String::from_utf8(read_bytes(path)?)
        .map_err(|error| Error::failed(format!("read {}", path.display()), error))
}

/// The most bytes of a file: what is made of it beside would not fit into the memory of most machines.
const MAX_FILE_BYTES: u64 = 1 << 32;

/// The most bytes of what has no size, such as a pipe or a device: it may never end.
const MOST_OF_A_STREAM: u64 = 1 << 28;

/// A file's bytes.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::failed(format!("read {}", path.display()), error);
    let file = fs::File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    let (size, most) = if about.is_file() {
        (about.len(), MAX_FILE_BYTES)
    } else {
        (0, MOST_OF_A_STREAM)
    };
    bounded(file, &path.display().to_string(), size, most)
}

/// All of standard input.
pub(crate) fn read_standard_input() -> Result<Vec<u8>, Error> {
    bounded(io::stdin(), "standard input", 0, MOST_OF_A_STREAM)
}

/// Reads a whole stream of at most `most` bytes.
fn bounded(stream: impl Read, name: &str, size: u64, most: u64) -> Result<Vec<u8>, Error> {
    read_stream(stream, size, most).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => Error::Usage(format!("{name} has {error}")),
        _ => Error::failed(format!("read {name}"), error),
    })
}

/// Writes a file and the folders that it lies in; `-` is standard output.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    write_bytes(path, text.as_bytes())
}

/// [`write()`] of bytes.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_together(&[(path, &|out| out.write_all(bytes))])
}

static WRITING: Mutex<()> = Mutex::new(());

/// Whether [`writing_last`] was called.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Waits until no files are being written together, and keeps it so.
pub(crate) fn writing() -> MutexGuard<'static, ()> {
    let guard = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    if !ENDING.load(Ordering::SeqCst) {
        return guard;
    }
    drop(guard);
    // The lock is not fair: a loop of writes would take it again and again, and the interrupt would come last.
    loop {
        thread::park();
    }
}

/// As [`writing`], for the thread that ends the program. Nothing is written after it.
pub(crate) fn writing_last() -> MutexGuard<'static, ()> {
    ENDING.store(true, Ordering::SeqCst);
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// # Errors
/// [`Error::Usage`] if two files to be written are one, or one is also read. Devices take any number of documents.
pub(crate) fn refuse_overwriting(read: &[PathBuf], written: &[PathBuf]) -> Result<(), Error> {
    let is_device = |path: &Path| path.metadata().is_ok_and(|it| !it.is_file());
    let mut known: Vec<(&PathBuf, Identity)> = read.iter().map(|path| (path, Identity::of(path))).collect();
    for path in written.iter().filter(|path| !is_device(path)) {
        let identity = Identity::of(path);
        if let Some((other, _)) = known.iter().find(|(_, it)| identity.is_of(it)) {
            return Err(Error::Usage(if *other == path {
                format!("{} would be overwritten: it is named twice", path.display())
            } else {
                format!(
                    "{} would be overwritten: it is {} too",
                    path.display(),
                    other.display()
                )
            }));
        }
        known.push((path, identity));
    }
    Ok(())
}

/// The place of a path whose end need not exist yet. The folders that are made on the way make `..` lead back, so that it
/// is resolved by what exists and by name from there on.
fn place_of(path: &Path) -> PathBuf {
    place_in(std::env::current_dir().unwrap_or_default(), path, MOST_LINKS)
}

/// As many links as Linux follows in one path.
const MOST_LINKS: usize = 40;

fn place_in(mut place: PathBuf, path: &Path, links: usize) -> PathBuf {
    for part in path.components() {
        let folder = place.clone();
        place.push(part);
        place = match place.canonicalize() {
            Ok(real) => real,
            // A link to a file that does not exist yet is written through.
            Err(_) if links > 0 && place.is_symlink() => match place.read_link() {
                Ok(target) => place_in(folder, &target, links - 1),
                Err(_) => place,
            },
            Err(_) if part == Component::ParentDir => {
                place.pop();
                place.pop();
                place
            }
            Err(_) => place,
        };
    }
    place
}

/// Whether a path leads into a folder.
pub(crate) fn is_within(path: &Path, folder: &Path) -> bool {
    place_of(path).starts_with(place_of(folder))
}

/// What makes two paths one file: the place that they lead to, or a file of several names.
struct Identity {
    place: PathBuf,
    file: Option<(u64, u64)>,
}

impl Identity {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        let file = path.metadata().ok().map(|it| {
            use std::os::unix::fs::MetadataExt as _;
            (it.dev(), it.ino())
        });
        #[cfg(not(unix))]
        let file = None;
        Self {
            place: place_of(path),
            file,
        }
    }

    fn is_of(&self, other: &Self) -> bool {
        self.place == other.place || (self.file.is_some() && self.file == other.file)
    }
}

/// How long a run waits for another one to write its documents into the same folder.
const LOCKED: Duration = Duration::from_secs(30);

/// Locks the folders that files are written into, so that the documents there are all of one run. Where the system locks
/// no folders, there is none.
fn lock_folders<'a>(files: impl Iterator<Item = &'a Path>) -> Result<Vec<fs::File>, Error> {
    // In one order for everybody, so that two runs with two folders do not wait for each other.
    let mut folders = BTreeSet::new();
    for path in files.filter(|path| !is_stdout(path)) {
        let folder = folder_of(path);
        let made = fs::create_dir_all(folder).and_then(|()| folder.canonicalize());
        folders.insert(made.map_err(|error| cannot_write(path, error))?);
    }
    let started = Instant::now();
    let mut locks = Vec::new();
    for folder in folders {
        let Ok(lock) = fs::File::open(&folder) else {
            continue;
        };
        while let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
            if started.elapsed() > LOCKED {
                let busy = "another run has been writing its documents there for half a minute";
                return Err(Error::failed(format!("write into {}", folder.display()), busy));
            }
            thread::sleep(Duration::from_millis(10));
        }
        locks.push(lock);
    }
    Ok(locks)
}

/// What writes a file.
pub(crate) type Writing<'a> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'a;

/// Writes several files, all or none: each beside its place first, and then all into their places.
pub(crate) fn write_together(files: &[(&Path, &Writing<'_>)]) -> Result<(), Error> {
    let _locks = lock_folders(files.iter().map(|&(path, _)| path))?;
    let _alone = writing();
    let mut written = Vec::new();
    for &(path, write) in files {
        let failed = |error| cannot_write(path, error);
        if is_stdout(path) {
            let mut bytes = Vec::new();
            write(&mut bytes).map_err(failed)?;
            print(&String::from_utf8_lossy(&bytes));
            continue;
        }
        let folder = folder_of(path);
        // A device or a pipe has no place of its own.
        if path.metadata().is_ok_and(|it| !it.is_file()) {
            let device = fs::File::options().write(true).truncate(true).open(path);
            device.and_then(|mut it| write(&mut it)).map_err(failed)?;
            continue;
        }
        let mut file = tempfile::Builder::new();
        #[cfg(unix)]
        file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = file.tempfile_in(folder).map_err(failed)?;
        write(&mut file).map_err(failed)?;
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

/// Makes a folder, and a file without a name in it.
///
/// # Errors
/// [`Error::Infrastructure`] if no file can be written there.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Error> {
    // Where the system has no files without a name, it has one for a moment, in which an interrupt would leave it.
    let _alone = writing();
    let probe = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    probe.map(drop).map_err(|error| cannot_write(folder, error))
}

/// Prints to standard error, cut. Where nobody listens, the exit status says it.
pub(crate) fn print_error(text: &str) {
    let _ = anstream::stderr()
        .lock()
        .write_all(cut(text, &is_hidden).as_bytes());
}

/// [`print_error`] of a text that has colours of its own, or moves the cursor.
pub(crate) fn print_error_styled(text: &str) {
    let is_hidden = |c| is_hidden(c) && !matches!(c, '\u{1b}' | '\r');
    let _ = anstream::stderr()
        .lock()
        .write_all(cut(text, &is_hidden).as_bytes());
}

/// A message without the middle of each line that is longer than any of this program's own, and without lines beyond the
/// first thousand: it repeats what somebody else wrote. Hidden characters are written `\u{1b}`.
fn cut(text: &str, is_hidden: &dyn Fn(char) -> bool) -> String {
    const LINES: usize = 1_000;
    let lines = || text.split_inclusive('\n');
    let mut out = String::new();
    for line in lines().take(LINES) {
        for c in inert(&shortened(line)).chars() {
            if is_hidden(c) && !matches!(c, '\n' | '\t') {
                out.extend(c.escape_unicode());
            } else {
                out.push(c);
            }
        }
    }
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

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// A file that an output is in, and its name in messages. `-` is standard input.
pub(crate) fn file(path: &Path) -> Result<(String, Vec<u8>), Error> {
    Ok(if path.as_os_str() == STANDARD_INPUT {
        ("standard input".to_owned(), read_standard_input()?)
    } else {
        (path.display().to_string(), read_bytes(path)?)
    })
}

/// Prints a remark that changes no verdict, past the program's output.
pub(crate) fn note(text: &str) {
    print_error(&format!("seedproof: note: {text}\n"));
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
    fn messages_have_nothing_hidden() {
        let shown = cut(
            "read `\u{202e}a\u{2028}::error::b\r\u{1b}[2J`\n  ::x\n",
            &is_hidden,
        );
        assert_eq!(
            shown,
            "read `\\u{202e}a\\u{2028}\\u{3a}:error::b\\u{d}\\u{1b}[2J`\n  \\u{3a}:x\n"
        );
    }

    #[test]
    fn messages_are_cut() {
        let plain = "seedproof: failed to read one\nand two\n";
        assert_eq!(cut(plain, &is_hidden), plain);
        let long = format!(
            "read `{}`: expected é\n{}",
            "9".repeat(3_000),
            "next\n".repeat(1_001)
        );
        let cut = cut(&long, &is_hidden);
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

//! A run that is interrupted: its log says so, and no adapter is left.

use std::convert::Infallible;
use std::fs::File;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use seedproof_report::Event;

use crate::exit::Error;

/// The event log of a run, from its first line to its last. Whoever writes a line holds it.
pub(crate) type SharedLog = Arc<Mutex<Option<LogFile>>>;

/// The log, held for the writing of a line.
pub(crate) fn held(log: &SharedLog) -> MutexGuard<'_, Option<LogFile>> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct LogFile {
    path: PathBuf,
    file: File,
}

impl LogFile {
    /// Begins a log. What the file held is gone.
    pub(crate) fn begin(path: &Path, first: &Event) -> Result<Self, Error> {
        let log = Self {
            path: path.to_owned(),
            file: crate::io::begin(path)?,
        };
        log.write(first)?;
        Ok(log)
    }

    /// Writes a line, whole.
    pub(crate) fn write(&self, event: &Event) -> Result<(), Error> {
        let line = format!("{}\n", event.line());
        let written = (&self.file).write_all(line.as_bytes());
        written.map_err(|error| Error::failed(format!("write {}", self.path.display()), error))
    }
}

/// Unfinished folders, which an interrupt removes.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes an interrupt remove this folder. Every write into it must hold [`crate::io::writing`].
pub(crate) fn remove(folder: &Path) {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.push(folder.to_owned());
}

/// What the first interrupt calls instead of ending the program, with the signal.
type Told = Box<dyn FnOnce(i32) + Send>;

static TOLD: Mutex<Option<Told>> = Mutex::new(None);

fn told() -> MutexGuard<'static, Option<Told>> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works on a thread of its own. The first interrupt meanwhile does not end the program: `interrupted` is called with the
/// signal, and has to end it. A second interrupt ends the program at once.
///
/// The work itself cannot be stopped, and may take as long as the run did, so that nobody waits for it then.
pub(crate) fn during<T: Send + 'static>(
    work: impl FnOnce() -> T + Send,
    interrupted: impl FnOnce(i32) -> Infallible,
) -> T {
    enum Said<T> {
        Done(std::thread::Result<T>),
        Interrupted(i32),
    }

    std::thread::scope(|scope| {
        let (sender, said) = mpsc::channel();
        let other = sender.clone();
        *told() = Some(Box::new(move |signal| {
            // The receiver is gone only once the program ends.
            let _ = other.send(Said::Interrupted(signal));
        }));
        let working = seedproof_ops::thread().spawn_scoped(scope, move || {
            // A panic is sent too: the other sender keeps the channel open, and `recv` would wait for ever.
            let done = catch_unwind(AssertUnwindSafe(work));
            let _ = sender.send(Said::Done(done));
        });
        working.expect("a run has started threads before this one");
        let mut first = said.recv();
        // An interrupt that came together with the end of the work is the next message.
        if matches!(first, Ok(Said::Done(_))) && told().take().is_none() {
            first = said.recv();
        }
        match first.expect("both senders send before they are dropped") {
            Said::Done(done) => done.unwrap_or_else(|panic| resume_unwind(panic)),
            Said::Interrupted(signal) => match interrupted(signal) {},
        }
    })
}

/// The name of a signal that is listened for.
pub(crate) const fn name_of(signal: i32) -> &'static str {
    match signal {
        2 => "SIGINT",
        15 => "SIGTERM",
        _ => "SIGHUP",
    }
}

/// The last line of an interrupted program. A bar may stand on the line.
pub(crate) fn say(signal: i32) {
    use std::io::IsTerminal as _;

    let clear = if std::io::stderr().is_terminal() {
        "\r\x1b[2K"
    } else {
        ""
    };
    crate::io::print_error_styled(&format!("{clear}seedproof: interrupted by {}\n", name_of(signal)));
}

/// From now on an interrupt (SIGINT, SIGTERM, SIGHUP) writes to the log why it ends there, and ends the program with the
/// status that shells give it: 130, 143 or 129. The guards of the adapters then end these. Documents that are on their way
/// to their places come there first, and a second interrupt waits for nothing. A signal that the program was started to
/// ignore, as `nohup` and the `&` of a script do, stays ignored.
///
/// # Errors
/// [`Error::Infrastructure`] if the system takes no handler.
#[cfg(unix)]
pub(crate) fn listen(log: SharedLog) -> Result<(), Error> {
    use std::sync::atomic::AtomicBool;

    use seedproof_report::LeftOut;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

    let failed = |error| Error::failed("listen for interrupts", error);
    let again = Arc::new(AtomicBool::new(false));
    let heard = SIGNALS.into_iter().filter(|signal| !is_ignored(*signal));
    for signal in heard.clone() {
        // In this order the first interrupt does not end the program yet.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again)).map_err(failed)?;
        flag::register(signal, Arc::clone(&again)).map_err(failed)?;
    }
    let mut signals = Signals::new(heard).map_err(failed)?;
    let wait = move || {
        let Some(signal) = signals.forever().next() else {
            return;
        };
        if let Some(told) = told().take() {
            return told(signal);
        }
        // Taken, so that the run writes nothing after the line that says why the log ends.
        if let Some(log) = held(&log).take() {
            // Nobody is left to tell of an error.
            let _ = log.write(&Event::LeftOut(LeftOut::new(
                "the rest of the run",
                format!("interrupted by {}", name_of(signal)),
            )));
        }
        let _written = crate::io::writing_last();
        for folder in &*UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) {
            // The program ends here, so an error has no reader. A finished folder has left this path.
            let _ = std::fs::remove_dir_all(folder);
        }
        say(signal);
        seedproof_wire::end_orphans();
        std::process::exit(128 + signal);
    };
    seedproof_ops::thread()
        .name("interrupts".to_owned())
        .spawn(wait)
        .map_err(failed)?;
    Ok(())
}

/// From now on a write beyond the size that `ulimit -f` allows is an error that names its file. By default SIGXFSZ ends the
/// program, and a run is lost without a word.
pub(crate) fn outlive_limits_of_files() {
    // Nobody reads the flag: a write fails as soon as the signal has a handler. A child process has none, and ends as before.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Whether a signal is ignored. Where the system has no such file nobody can tell, and none is.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| (mask >> (signal - 1)) & 1 == 1)
}

/// Nothing: the system ends the program, and with it the job objects that its adapters are in.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "there is one form for all systems")]
pub(crate) fn listen(_log: SharedLog) -> Result<(), Error> {
    Ok(())
}

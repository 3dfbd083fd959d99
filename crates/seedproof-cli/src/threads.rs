//! The threads that ask an implementation, and the bar that shows how far they are.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exit::Error;
use crate::implementations::Implementation;

/// How often a line without a number of steps shows that it lives.
const TICK: Duration = Duration::from_millis(200);

/// As many threads as the implementation takes requests at a time.
///
/// # Errors
/// [`Error::Infrastructure`] if they cannot be started.
pub(crate) fn threads(implementation: &Implementation) -> Result<ThreadPool, Error> {
    let threads = implementation.jobs.map_or(0, NonZeroUsize::get);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::failed("start threads", error))
}

/// A line on standard error while the failures of an implementation are diagnosed; hidden unless that is a terminal.
pub(crate) fn diagnosing(name: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} {spinner} diagnosing {elapsed}")
        .expect("a template that is tested");
    let line = ProgressBar::no_length()
        .with_style(style)
        .with_prefix(name.to_owned());
    // A short diagnosis is over before the first tick.
    line.tick();
    line.enable_steady_tick(TICK);
    line
}

/// A bar on standard error; hidden unless that is a terminal.
pub(crate) fn progress(name: &str, cases: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} {elapsed}")
        .expect("a template that is tested");
    ProgressBar::new(u64::try_from(cases).unwrap_or(u64::MAX))
        .with_style(style)
        .with_prefix(name.to_owned())
}

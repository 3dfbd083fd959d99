//! The threads that ask an implementation, and the bar that shows how far they are.

use std::io::IsTerminal;
use std::num::NonZeroUsize;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exit::Error;
use crate::implementations::Implementation;

/// As many threads as the implementation takes requests at a time.
///
/// # Errors
/// [`Error::Infrastructure`] if they cannot be started.
pub(crate) fn threads(implementation: &Implementation) -> Result<ThreadPool, Error> {
    let threads = implementation.jobs.map_or(0, NonZeroUsize::get);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::failed("start threads", error))
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

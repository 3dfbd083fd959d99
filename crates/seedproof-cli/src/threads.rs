//! The threads that ask an implementation.

use std::num::NonZeroUsize;

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

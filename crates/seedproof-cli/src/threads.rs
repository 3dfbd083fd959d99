//! The threads that ask an implementation, and those that draw large outputs.

use std::error::Error as _;
use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::exit::Error;
use crate::implementations::Implementation;

/// The most threads, and the most children of an adapter, each of which is a process with three threads here. More wait for a core,
/// or for the one device that they share.
pub(crate) const MOST: NonZeroUsize = NonZeroUsize::new(256).expect("it is not zero");

/// As many threads as the implementation takes requests at a time.
///
/// # Errors
/// [`Error::Infrastructure`] if they cannot be started.
pub(crate) fn threads(implementation: &Implementation) -> Result<ThreadPool, Error> {
    let threads = implementation.jobs.unwrap_or_else(by_default).min(MOST);
    let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
    pool.map_err(|error| Error::failed("start threads", error))
}

/// Bounds the threads of the pool that the rest of the program uses, where the environment asks for more than [`MOST`]. A
/// pool that a host has started already is the host's.
///
/// # Errors
/// [`Error::Infrastructure`] if they cannot be started, of which the first to use the pool would die.
pub(crate) fn bound() -> Result<(), Error> {
    let Some(threads) = asked() else { return Ok(()) };
    let threads = threads.min(MOST).get();
    started(ThreadPoolBuilder::new().num_threads(threads).build_global())
}

fn started(pool: Result<(), ThreadPoolBuildError>) -> Result<(), Error> {
    match pool {
        // Without a source, the error is that there is a pool.
        Err(error) if error.source().is_some() => Err(Error::failed("start threads", error)),
        _ => Ok(()),
    }
}

/// As many as rayon starts: what `RAYON_NUM_THREADS` says, else one for each core.
fn by_default() -> NonZeroUsize {
    asked()
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

fn asked() -> Option<NonZeroUsize> {
    std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pool_that_is_there_is_kept_and_one_that_cannot_start_is_an_error() {
        // The first may be that of another test.
        for _ in 0..2 {
            assert!(started(ThreadPoolBuilder::new().build_global()).is_ok());
        }
        let refused = ThreadPoolBuilder::new()
            .spawn_handler(|_| Err(std::io::Error::other("no thread is left")))
            .build();
        let error = started(refused.map(drop)).unwrap_err().to_string();
        assert!(error.starts_with("failed to start threads: "), "{error}");
    }
}

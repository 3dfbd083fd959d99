//! The threads that ask an implementation, and those that draw large outputs.

use std::error::Error as _;
use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use seedproof_ops::STACK;

use crate::exit::Error;
use crate::implementations::Implementation;

/// The most threads, and the most children of an adapter, each of which is a process with three threads here. More wait for a core,
/// or for the one device that they share.
pub(crate) const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(256).expect("it is not zero");

/// As many threads as the implementation takes requests at a time.
///
/// # Errors
/// [`Error::Infrastructure`] if they cannot be started.
pub(crate) fn threads(implementation: &Implementation) -> Result<ThreadPool, Error> {
    let threads = implementation.jobs.unwrap_or_else(by_default);
    pool(threads)
        .build()
        .map_err(|error| Error::failed("start threads", error))
}

/// Bounds the threads of the pool that the rest of the program uses, where the environment asks for more than [`MAX_THREADS`] or
/// for other stacks than Rust's. A pool that a host has started already is the host's.
///
/// # Errors
/// [`Error::Infrastructure`] if they cannot be started, of which the first to use the pool would die.
pub(crate) fn bound() -> Result<(), Error> {
    if asked().is_none() && std::env::var_os("RUST_MIN_STACK").is_none() {
        return Ok(());
    }
    started(pool(by_default()).build_global())
}

fn started(pool: Result<(), ThreadPoolBuildError>) -> Result<(), Error> {
    match pool {
        // Without a source, the error is that there is a pool.
        Err(error) if error.source().is_some() => Err(Error::failed("start threads", error)),
        _ => Ok(()),
    }
}

/// Bounds the threads of that pool for a host that uses it without the program, where the environment asks for more than the
/// program ever starts.
///
/// # Errors
/// A sentence, if they cannot be started.
pub fn bound_threads() -> Result<(), String> {
    // No pool is started earlier than it must: a fork of the host would not have its threads.
    match asked() {
        Some(asked) if asked > MAX_THREADS => bound().map_err(|error| error.to_string()),
        _ => Ok(()),
    }
}

/// A pool of at most [`MAX_THREADS`] threads, that is still to be started.
fn pool(threads: NonZeroUsize) -> ThreadPoolBuilder {
    let threads = threads.min(MAX_THREADS).get();
    ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK)
}

/// As many as rayon starts: what the environment says, else one for each core.
fn by_default() -> NonZeroUsize {
    asked()
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// The older of rayon's variables counts where the other is not a number. A zero asks for one thread for each core.
fn asked() -> Option<NonZeroUsize> {
    let number = |name| std::env::var(name).ok()?.parse::<usize>().ok();
    let asked = number("RAYON_NUM_THREADS").or_else(|| number("RAYON_RS_NUM_CPUS"));
    NonZeroUsize::new(asked?)
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

//! Work that takes long: Ctrl-C ends it, or the wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use seedproof_cpu::until;

use crate::errors::exception;

/// How long a signal may wait: less than a person notices.
const POLL: Duration = Duration::from_millis(50);

/// Does work on another thread until it is done or a signal ends the wait; the thread then ends by itself, unheard.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    watched(py, work, || Ok(()))
}

/// [`interruptible`] work whose progress `watch` looks at. An error of it ends the wait too.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    mut watch: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    bound_threads(py)?;
    let (sender, mut receiver) = mpsc::channel();
    // Nobody may be listening any more.
    let work = move || drop(sender.send(work()));
    seedproof_ops::thread().spawn(work)?;
    loop {
        let received;
        (received, receiver) = py.detach(move || (receiver.recv_timeout(POLL), receiver));
        match received {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                watch()?;
            }
            Err(RecvTimeoutError::Disconnected) => return Err(unanswered(py)),
        }
    }
}

/// Draws on another thread into memory of the caller's. A signal ends the draw, which then writes no more.
pub(crate) fn drawn<T: Send>(py: Python<'_>, draw: impl FnOnce() -> T + Send) -> PyResult<T> {
    bound_threads(py)?;
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    py.detach(move || {
        thread::scope(|scope| {
            let flag = &stop;
            seedproof_ops::thread().spawn_scoped(scope, move || sender.send(until(flag, draw)))?;
            loop {
                match receiver.recv_timeout(POLL) {
                    Ok(done) => return Ok(done),
                    Err(RecvTimeoutError::Timeout) => {
                        let end = |_: &PyErr| stop.store(true, Ordering::Relaxed);
                        Python::attach(|py| py.check_signals().inspect_err(end))?;
                    }
                    Err(RecvTimeoutError::Disconnected) => return Err(Python::attach(unanswered)),
                }
            }
        })
    })
}

/// Bounds the threads that the environment may ask for without a bound.
fn bound_threads(py: Python<'_>) -> PyResult<()> {
    seedproof_cli::bound_threads().map_err(|sentence| exception(py, "SeedproofError", (sentence,)))
}

fn unanswered(py: Python<'_>) -> PyErr {
    let sentence = "the work of this call ended without an answer: please report it";
    exception(py, "SeedproofError", (sentence,))
}

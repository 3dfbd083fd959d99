//! Work that takes long: Ctrl-C ends the wait for it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

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
    let (sender, mut receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody may be listening any more.
        let _ = sender.send(work());
    });
    loop {
        let received;
        (received, receiver) = py.detach(move || (receiver.recv_timeout(POLL), receiver));
        match received {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                watch()?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let sentence = "the work of this call ended without an answer: please report it";
                return Err(exception(py, "SeedproofError", (sentence,)));
            }
        }
    }
}

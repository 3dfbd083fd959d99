//! The thread on which the backend of a server computes. The server stays free to answer when a deadline passes.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use seedproof_ops::{Ask, Backend, Failure, Limits, Request, Value, Want};

/// A request and the part of its output that is wanted.
pub(crate) struct Job {
    pub(crate) request: Request,
    pub(crate) want: Want,
    /// Applied only to outputs that are wanted in full.
    pub(crate) limits: Limits,
}

/// The result of a job and the time that it took.
pub(crate) type Done = (Result<Value, Failure>, Duration);

/// A thread that does one job at a time.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    done: Receiver<Done>,
    /// Whether the result of an earlier job, whose deadline has passed, is still to be received.
    late: bool,
}

impl Worker {
    /// Starts the thread. When the worker is dropped, the thread ends after its current job, since a computation cannot
    /// be stopped from outside.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        backend: &'scope dyn Backend,
    ) -> io::Result<Self> {
        let (jobs, to_do) = channel::<Job>();
        let (finished, done) = channel();
        seedproof_ops::thread().spawn_scoped(scope, move || {
            for job in to_do {
                let started = Instant::now();
                // Nothing of the job is used after a panic. The backend is, but only through `&self`, as it would be
                // after a panic on any other thread.
                let value = catch_unwind(AssertUnwindSafe(|| compute(backend, &job)))
                    .unwrap_or_else(|panic| Err(Failure::error(format!("panicked: {}", words(&*panic)))));
                if finished.send((value, started.elapsed())).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self {
            jobs,
            done,
            late: false,
        })
    }

    /// Does a job, or reports that it was not done within the deadline. In that case the next job waits for this one.
    pub(crate) fn run(&mut self, job: Job, deadline: Option<Duration>) -> Done {
        let started = Instant::now();
        if self.late {
            // Receives the result of the earlier job and drops it. Otherwise it would be taken
            // for the answer to this one.
            if let Err(failure) = self.wait(started, deadline) {
                return (Err(failure), started.elapsed());
            }
            self.late = false;
        }
        self.jobs
            .send(job)
            .expect("the thread ends after this end of the channel");
        self.wait(started, deadline).unwrap_or_else(|failure| {
            self.late = true;
            (Err(failure), started.elapsed())
        })
    }

    /// Whether the last job has passed its deadline. It may be done by now.
    pub(crate) const fn is_late(&self) -> bool {
        self.late
    }

    fn wait(&self, started: Instant, deadline: Option<Duration>) -> Result<Done, Failure> {
        let received = match deadline {
            None => self.done.recv().map_err(RecvTimeoutError::from),
            Some(deadline) => self.done.recv_timeout(deadline.saturating_sub(started.elapsed())),
        };
        received.map_err(|error| match error {
            RecvTimeoutError::Timeout => Failure::error(format!(
                "not computed within the deadline of {} ms",
                deadline.unwrap_or_default().as_millis()
            )),
            RecvTimeoutError::Disconnected => Failure::error("the backend's thread has ended"),
        })
    }
}

/// The output, or its digest if that is wanted.
fn compute(backend: &dyn Backend, job: &Job) -> Result<Value, Failure> {
    match job.want {
        Want::Full => backend.run_within(&job.request, job.limits).map(Value::Full),
        // Not within the limit of the connection: only the elements of the window are sent.
        Want::Window { .. } => backend.run(&job.request).map(Value::Full),
        Want::Digest => {
            let ask = Ask {
                case: "",
                request: &job.request,
                want: Want::Digest,
            };
            backend.ask(&ask).result
        }
    }
}

/// The message of a panic.
fn words(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "without a message",
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::requests::seeded;
    use crate::toy::Toy;

    #[test]
    fn worker_is_late_until_nobody_waits_for_another_job() {
        let backend = Toy::new();
        let job = |seed| Job {
            request: seeded(4, seed),
            want: Want::Full,
            limits: Limits::default(),
        };
        thread::scope(|scope| {
            let mut worker = Worker::start(scope, &backend).unwrap();
            assert!(worker.run(job(1), None).0.is_ok());
            assert!(!worker.is_late());
            let slow = worker.run(job(Toy::SLOW), Some(Duration::from_millis(1))).0;
            assert!(slow.is_err() && worker.is_late());
            assert!(worker.run(job(2), None).0.is_ok());
            assert!(!worker.is_late());
        });
    }

    #[test]
    fn words_of_a_panic_are_its_message() {
        assert_eq!(words(&"static"), "static");
        assert_eq!(words(&"made".to_owned()), "made");
        assert_eq!(words(&1), "without a message");
    }
}

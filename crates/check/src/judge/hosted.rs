//! A backend in the floating-point environment of its caller.
//!
//! The judge computes in the standard environment, but an implementation in the same process must be judged as it runs
//! for its users. A kernel that obeys a caller's flush-to-zero mode would otherwise pass here and draw other bits in
//! use.

use seedproof_ops::{
    Answer, Ask, Backend, BackendId, Environment, Failure, Request, Response, Stages, Support,
};

/// A backend, and the environment in which it is asked.
pub(crate) struct Hosted<'a> {
    backend: &'a dyn Backend,
    host: Environment,
}

impl<'a> Hosted<'a> {
    /// The backend in the environment of this thread.
    pub(crate) fn of_thread(backend: &'a dyn Backend) -> Self {
        let host = Environment::of_thread();
        Self { backend, host }
    }
}

impl Backend for Hosted<'_> {
    fn id(&self) -> &BackendId {
        self.backend.id()
    }

    fn supports(&self, request: &Request) -> Support {
        self.host.during(|| self.backend.supports(request))
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.host.during(|| self.backend.run(request))
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        self.host.during(|| self.backend.stages(request))
    }

    fn ask(&self, ask: &Ask<'_>) -> Answer {
        self.host.during(|| self.backend.ask(ask))
    }
}

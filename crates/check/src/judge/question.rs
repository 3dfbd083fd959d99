//! A case with the implementation that is asked and its judges, so that no part of the judge passes them around apart.

use seedproof_corpus::Case;
use seedproof_ops::untrusted::bounded;
use seedproof_ops::{Answer, Ask, Backend, Environment, Failure, Fault, OpError, Stages, Support, Want};

use crate::model::expected::Judges;

/// A case, the implementation that is asked, and the backends that judge its answer.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) case: &'a Case,
    pub(crate) judges: &'a Judges<'a>,
    pub(crate) backend: &'a dyn Backend,
    /// The environment of the judge's caller. The judge computes in the standard one, but an implementation in the same
    /// process must be judged as it runs for its users: a kernel that obeys a caller's flush-to-zero mode would
    /// otherwise pass here and draw other bits in use.
    host: Environment,
}

impl<'a> Question<'a> {
    /// A question that is asked in the floating-point environment of this thread.
    pub(crate) fn of_thread(case: &'a Case, backend: &'a dyn Backend, judges: &'a Judges<'a>) -> Self {
        let host = Environment::of_thread();
        Self {
            case,
            judges,
            backend,
            host,
        }
    }

    /// The backend of the reading that is judged against.
    pub(crate) fn oracle(&self) -> &'a dyn Backend {
        self.judges.reading().1
    }

    pub(crate) fn supports(&self) -> Support {
        self.host.during(|| self.backend.supports(&self.case.request))
    }

    pub(crate) fn stages(&self) -> Option<Stages> {
        self.host.during(|| self.backend.stages(&self.case.request))
    }

    /// Asks the implementation. Messages and standard error are cut to a few kilobytes, because they are kept for the
    /// whole run and repeated in every document.
    pub(crate) fn ask(&self, want: Want) -> Answer {
        let (case, request) = (self.case.id.as_str(), &self.case.request);
        let ask = Ask { case, request, want };
        let Answer { result, stderr } = self.host.during(|| self.backend.ask(&ask));
        let result = result.map_err(|failure| match failure {
            Failure::Rejected(OpError { kind, message }) => Failure::Rejected(OpError {
                kind,
                message: bounded(message),
            }),
            Failure::Unsupported(reason) => Failure::Unsupported(bounded(reason)),
            Failure::Broken(Fault { kind, message }) => Failure::Broken(Fault {
                kind,
                message: bounded(message),
            }),
        });
        let stderr = bounded(stderr);
        Answer { result, stderr }
    }
}

//! What a saboteur does, and its name.

use std::sync::Arc;

use seedproof_ops::{
    Answer, Ask, Backend, BackendId, Digest, Failure, Limits, Request, Response, Support, Value, Want,
};
use seedproof_reference::Reference;

/// A backend that is wrong in one known way, and what the judge must say of it.
#[derive(Clone, Copy)]
pub(crate) struct Saboteur {
    /// Its id: parts of `a-z 0-9`, set apart by `-`.
    pub(crate) id: &'static str,
    /// What it does, in one sentence.
    pub(crate) sentence: &'static str,
    /// A case that catches it.
    pub(crate) case: &'static str,
    /// The word of its outcome, there and wherever else it is not right.
    pub(crate) outcome: &'static str,
    make: fn() -> Behaviour,
}

impl Saboteur {
    /// The backend, called `saboteur/` and its id. Each call returns a backend whose count of runs begins at zero.
    pub(crate) fn backend(&self) -> Box<dyn Backend> {
        Box::new(Acting {
            id: BackendId::new(format!("saboteur/{}", self.id)),
            behaviour: (self.make)(),
        })
    }
}

/// A case of nine elements that the document itself prints.
pub(super) const EXAMPLE: &str = "ru8/tensorflow/f32/spec-example-1";

pub(super) const fn saboteur(
    id: &'static str,
    case: &'static str,
    outcome: &'static str,
    sentence: &'static str,
    make: fn() -> Behaviour,
) -> Saboteur {
    Saboteur {
        id,
        sentence,
        case,
        outcome,
        make,
    }
}

/// The oracle behind the same mask as every saboteur, and nothing wrong with it: what is caught elsewhere is not the
/// mask.
pub(crate) fn honest() -> Box<dyn Backend> {
    Box::new(Acting {
        id: BackendId::new("saboteur/none"),
        behaviour: Behaviour::of(oracle()),
    })
}

type Claim = dyn Fn(&Request) -> Support + Send + Sync;
type Run = dyn Fn(&Request) -> Result<Response, Failure> + Send + Sync;
type Tell = dyn Fn(&Request) -> Option<Result<Digest, Failure>> + Send + Sync;

/// What a backend does.
pub(super) struct Behaviour {
    pub(super) supports: Box<Claim>,
    pub(super) run: Box<Run>,
    pub(super) digest: Box<Tell>,
}

impl Behaviour {
    /// What this backend does.
    pub(super) fn of(backend: impl Backend + 'static) -> Self {
        let backend = Arc::new(backend);
        Self {
            supports: Box::new({
                let backend = Arc::clone(&backend);
                move |request| backend.supports(request)
            }),
            ..Self::running(move |request| backend.run(request))
        }
    }

    /// It claims everything, and answers so.
    pub(super) fn running(
        run: impl Fn(&Request) -> Result<Response, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            supports: Box::new(|_| Support::Supported),
            run: Box::new(run),
            digest: Box::new(|_| None),
        }
    }
}

/// The oracle, with entropy from the system where a request asks for it.
pub(super) fn oracle() -> Reference {
    Reference::new(Limits::default(), seedproof::judging::entropy)
}

/// A behaviour with a name. It shows no stages: a diagnosis sees no more of it than of a stranger.
struct Acting {
    id: BackendId,
    behaviour: Behaviour,
}

impl Backend for Acting {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        (self.behaviour.supports)(request)
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        (self.behaviour.run)(request)
    }

    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let digest = if ask.want == Want::Digest {
            (self.behaviour.digest)(ask.request)
        } else {
            None
        };
        let result = match digest {
            Some(digest) => digest.map(|digest| Value::Digest(digest, Vec::new())),
            None => self.run(ask.request).map(Value::Full),
        };
        let stderr = String::new();
        Answer { result, stderr }
    }
}

//! The trait that every implementation speaks.

use std::fmt;

use crate::{Dtype, Failure, Request, Response, Shape, Tensor};

/// The name of an implementation: `reference`, `cpu/avx2`, `gpu/llvmpipe`, `adapter/torch`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BackendId(String);

impl BackendId {
    /// A name. It begins reports' lines and trial names: short, lower case, parts set apart by `/`.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BackendId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Whether an implementation claims to answer a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does: a value or a rejection is owed.
    Yes,
    /// It does not, and why.
    No(String),
}

/// SHA-256 of an output in chunks, for outputs too large to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The output's element type.
    pub dtype: Dtype,
    /// The output's shape.
    pub shape: Shape,
    /// SHA-256 of the little-endian bytes of each [`Digest::CHUNK`] elements; the last may be shorter.
    pub chunks: Vec<[u8; 32]>,
}

impl Digest {
    /// Elements per chunk.
    pub const CHUNK: usize = 65_536;
}

/// What an implementation computed on the way to its output, so that a difference can be laid to a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// The generator's words, as drawn.
    pub words: Vec<u32>,
    /// Words that each element took: 1 or 2. Element `i` took `words[i * words_per_element ..]`.
    pub words_per_element: usize,
    /// The values in the unit interval before scaling, in the output's type; `None` for integers.
    pub unit: Option<Tensor>,
    /// The values in the asked range: the output.
    pub scaled: Tensor,
}

/// An answer with what was heard beside it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value, the rejection, or no answer.
    pub result: Result<Response, Failure>,
    /// What the implementation wrote to its standard error meanwhile.
    pub stderr: String,
}

/// An implementation of some of the ops.
///
/// Implementations answer the same request with the same bits, on any thread, in any order; only a request with
/// both seeds zero may differ from run to run.
pub trait Backend: Send + Sync {
    /// Its name.
    fn id(&self) -> &BackendId;

    /// Whether it claims to answer this request. A backend that claims a request and then answers
    /// [`Failure::Unsupported`] has broken its claim.
    fn supports(&self, request: &Request) -> Support;

    /// Answers a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request, [`Failure::Unsupported`] for one that it cannot answer,
    /// [`Failure::Broken`] when it should have answered and did not.
    fn run(&self, request: &Request) -> Result<Response, Failure>;

    /// The stages of the computation, where the implementation can show them.
    fn stages(&self, _request: &Request) -> Option<Stages> {
        None
    }

    /// Version, device and driver, where there is more to say than the name.
    fn description(&self) -> String {
        self.id().to_string()
    }

    /// As [`Self::run`], with the name of the case for an implementation's logs, and what it wrote to its
    /// standard error.
    fn answer(&self, _case: &str, request: &Request) -> Answer {
        Answer {
            result: self.run(request),
            stderr: String::new(),
        }
    }

    /// The digest of the output in place of the output; `None` where this is not offered.
    fn digest(&self, _request: &Request) -> Option<Result<Digest, Failure>> {
        None
    }

    /// `count` elements of the output from row-major index `start`, as a list; `None` where this is not offered.
    fn window(&self, _request: &Request, _start: usize, _count: usize) -> Option<Result<Tensor, Failure>> {
        None
    }
}

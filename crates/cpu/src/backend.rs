//! The crate as a [`Backend`].

use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Stages, Support, Tensor};

use crate::Level;
use crate::op::dispatch::draw;
use crate::op::draw::Draw;
use crate::op::multinomial;

/// One level as an implementation of the ops: `cpu/scalar`, `cpu/avx2`, `cpu/avx512` or
/// `cpu/avx512-ifma`.
pub struct Cpu {
    id: BackendId,
    level: Level,
    limits: Limits,
    entropy: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl Cpu {
    /// A backend that uses the instructions of `level`, makes no output over `limits`, and calls `entropy` for the seed
    /// of a request whose seeds are both zero.
    pub fn new(level: Level, limits: Limits, entropy: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            id: BackendId::new(format!("cpu/{}", level.name())),
            level,
            limits,
            entropy: Box::new(entropy),
        }
    }

    /// The set of instructions.
    pub const fn level(&self) -> Level {
        self.level
    }

    fn draw(&self, request: &Request, limits: Limits) -> Result<Draw, Failure> {
        draw(request, limits, &self.entropy).unwrap_or_else(|| Err(Failure::no_op(request.op())))
    }
}

impl Backend for Cpu {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        let checked = match request {
            Request::Multinomial(request) => multinomial::check(request, self.limits).map(drop),
            _ => self.draw(request, self.limits).map(drop),
        };
        match checked {
            Err(Failure::Unsupported(reason)) => Support::No(reason),
            // A rejection is an answer, which cases of invalid requests expect.
            _ => Support::Yes,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.run_within(request, self.limits)
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        let limits = self.limits.and(limits);
        match request {
            Request::Multinomial(request) => {
                multinomial::check(request, limits)?.run(self.level, &self.entropy)
            }
            _ => self.draw(request, limits)?.run(self.level),
        }
    }

    fn fill(&self, request: &Request, out: &mut [u8]) -> Result<Vec<Tensor>, Failure> {
        if let Request::Multinomial(request) = request {
            multinomial::check(request, self.limits)?.fill(self.level, &self.entropy, out)?;
            return Ok(Vec::new());
        }
        let draw = self.draw(request, self.limits)?;
        draw.fill(self.level, out);
        Ok(draw.more)
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        // A class of Multinomial-13 depends on a whole row of weights, and the kernels do not keep its draw. An
        // unseeded request would draw other words from entropy than those of the output that is being explained.
        // The last normals of PyTorch's generator replace others, whose words no element shows.
        if matches!(request, Request::Multinomial(_) | Request::TorchNormal(_)) || request.is_unseeded() {
            return None;
        }
        let draw = self.draw(request, self.limits).ok()?;
        // The scalar level, so that stages do not depend on the vector code that is being debugged.
        draw.stages(|draw| draw.bytes(Level::scalar())).ok()
    }
}

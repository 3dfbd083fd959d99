//! The crate as a [`Backend`].

use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Stages, Support, Tensor, Value};

use crate::level::Level;
use crate::op::dispatch::{Checked, checked};

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

    fn check<'a>(&self, request: &'a Request, limits: Limits) -> Result<Checked<'a>, Failure> {
        checked(request, limits, &self.entropy)
    }
}

impl Backend for Cpu {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        match self.check(request, self.limits) {
            Err(Failure::Unsupported(reason)) => Support::Unsupported(reason),
            // A rejection is an answer, which cases of invalid requests expect.
            _ => Support::Supported,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.run_within(request, self.limits)
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        match self.check(request, self.limits.and(limits))? {
            Checked::Elements(draw) => draw.run(self.level),
            Checked::Classes(formed) => formed.run(self.level, &self.entropy),
            Checked::Keyed(keyed) => keyed.run(self.level),
        }
    }

    fn fill(&self, request: &Request, out: &mut [u8]) -> Result<Vec<Tensor>, Failure> {
        match self.check(request, self.limits)? {
            Checked::Elements(draw) => {
                draw.fill(self.level, out);
                return Ok(draw.more);
            }
            Checked::Classes(formed) => formed.fill(self.level, &self.entropy, out)?,
            Checked::Keyed(keyed) => keyed.fill(self.level, out)?,
        }
        Ok(Vec::new())
    }

    /// A digest of many chunks is made without the whole output, where its stream allows that.
    fn digest(&self, request: &Request) -> Result<Value, Failure> {
        let digest = match self.check(request, self.limits)? {
            Checked::Elements(draw) => draw.digest(self.level).map(|digest| (digest, draw.more)),
            Checked::Classes(formed) => formed
                .digest(self.level, &self.entropy)
                .map(|digest| (digest, Vec::new())),
            Checked::Keyed(keyed) => keyed.digest(self.level).map(|digest| (digest, Vec::new())),
        };
        match digest {
            Some((digest, more)) => Ok(Value::Digest(digest, more)),
            None => self.run(request).map(Value::Full),
        }
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        // An unseeded request would draw other words from entropy than those of the output that is being explained. The
        // last normals of PyTorch's generator replace others, whose words no element shows.
        if matches!(request, Request::TorchNormal(_)) || request.is_unseeded() {
            return None;
        }
        // A class of Multinomial-13 depends on a whole row of weights, and the kernels do not keep its draw. Those of
        // JAX keep no words either.
        let Ok(Checked::Elements(draw)) = self.check(request, self.limits) else {
            return None;
        };
        // The scalar level, so that stages do not depend on the vector code that is being debugged.
        draw.stages(|draw| draw.bytes(Level::scalar())).ok()
    }
}

//! The crate as a [`Backend`].

use std::sync::Arc;

use seedproof_cpu::Generator;
use seedproof_cpu::op::dispatch::draw;
use seedproof_cpu::op::draw::Draw;
use seedproof_cpu::op::{dml, multinomial, random_uniform};
use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Stages, Support, Tensor};

use crate::adapter::Adapter;
use crate::device::Device;
use crate::draw as drawing;
use crate::fill::{fill, repeat};
use crate::kernels::Kernels;
use crate::multinomial as sampling;
use crate::rule::Rule;
use crate::session::{Compiled, Session};
use crate::stream::Stream;

/// An adapter as an implementation of the ops: `gpu/llvmpipe`.
pub struct Gpu {
    id: BackendId,
    description: String,
    device: Arc<Device>,
    compiled: Compiled,
    limits: Limits,
    entropy: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl Gpu {
    /// A backend on an adapter's device, that makes no output over `limits` and asks `entropy` for the seed
    /// of a request that has both seeds zero.
    ///
    /// # Errors
    /// The driver's words, if it does not open a device, or ends loops too early.
    pub fn open(
        adapter: &Adapter,
        limits: Limits,
        entropy: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Result<Self, String> {
        Self::with_kernels(adapter, Kernels::shipped(), limits, entropy)
    }

    /// [`Self::open`] with other kernels: for measurements, and for backends that are wrong on purpose.
    ///
    /// # Errors
    /// As [`Self::open`]. Kernels that do not compile are the fault of each request.
    pub fn with_kernels(
        adapter: &Adapter,
        kernels: Kernels,
        limits: Limits,
        entropy: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let device = adapter.device()?;
        Ok(Self {
            id: BackendId::new(format!("gpu/{}", adapter.name())),
            description: adapter.description(),
            device,
            compiled: Compiled::new(Arc::new(kernels)),
            limits,
            entropy: Box::new(entropy),
        })
    }

    /// Makes the first 64 MiB of a RandomUniform-8's output some times over, on the device alone: for
    /// measurements. Other ops are unsupported.
    ///
    /// # Errors
    /// As [`Backend::run`].
    pub fn repeat(&self, request: &Request, times: u32) -> Result<(), Failure> {
        let Request::RandomUniform(request) = request else {
            return Err(Failure::Unsupported("only fills are repeated".to_owned()));
        };
        let valid = random_uniform::check(request, self.limits)?;
        let (stream, count) = (stream(valid.generator(&self.entropy)), valid.shape().count());
        self.session(|session| repeat(session, stream, &Rule::of(&valid), count, times))
    }

    fn session<T>(&self, work: impl FnOnce(Session<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        Session::run(&self.device, &self.compiled, work)
    }

    fn random_uniform(&self, valid: &random_uniform::Valid<'_>, rule: &Rule) -> Result<Tensor, Failure> {
        let stream = stream(valid.generator(&self.entropy));
        let count = valid.shape().count();
        let bytes = self.session(|session| fill(session, stream, rule, count))?;
        Ok(Tensor::new(valid.dtype(), valid.shape().clone(), bytes)
            .expect("the bytes were counted by the shape"))
    }

    fn random_uniform_stages(&self, valid: &random_uniform::Valid<'_>) -> Option<Stages> {
        if valid.is_seedless() {
            return None;
        }
        let stream = stream(valid.generator(&self.entropy));
        let count = valid.shape().count().checked_mul(valid.words_per_element())?;
        let words = self
            .session(|session| fill(session, stream, &Rule::BITS, count))
            .ok()?;
        let unit = match Rule::unit(valid) {
            Some(rule) => Some(self.random_uniform(valid, &rule).ok()?),
            None => None,
        };
        Some(Stages {
            words: words
                .as_chunks()
                .0
                .iter()
                .map(|&word| u32::from_le_bytes(word))
                .collect(),
            words_per_element: valid.words_per_element(),
            words_per_block: valid.words_per_block(),
            counters: Vec::new(),
            unit,
            scaled: self.random_uniform(valid, &Rule::of(valid)).ok()?,
        })
    }

    fn dml(&self, valid: &dml::Valid<'_>) -> Result<Response, Failure> {
        let stream = Stream::Philox(valid.philox());
        let bytes = self.session(|session| fill(session, stream, &Rule::BITS, valid.count()))?;
        Ok(valid.response(bytes))
    }

    fn checked_draw(request: &Request, limits: Limits) -> Result<Draw, Failure> {
        let draw = draw(request, limits).ok_or_else(|| Failure::no_op(request.op()))??;
        drawing::check(&draw)?;
        Ok(draw)
    }

    fn multinomial(&self, formed: &multinomial::Formed<'_>) -> Result<Response, Failure> {
        sampling::check(formed)?;
        let classes = self.session(|session| sampling::run(session, formed, &self.entropy))?;
        Ok(formed.response(&classes))
    }
}

/// The stream of a RandomUniform-8.
fn stream(generator: Generator) -> Stream {
    match generator {
        Generator::Philox(philox) => Stream::Philox(philox),
        Generator::Mt19937 { seed } => Stream::Mt19937(seed),
        Generator::Key(_) => unreachable!("no alignment draws by a key"),
    }
}

impl Backend for Gpu {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        let checked = match request {
            Request::RandomUniform(request) => random_uniform::check(request, self.limits).map(drop),
            Request::Multinomial(request) => {
                multinomial::check(request, self.limits).and_then(|formed| sampling::check(&formed))
            }
            Request::DmlRandomGenerator(request) => dml::check(request, self.limits).map(drop),
            _ => Self::checked_draw(request, self.limits).map(drop),
        };
        match checked {
            Err(Failure::Unsupported(reason)) => Support::No(reason),
            _ => Support::Yes,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.run_within(request, self.limits)
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        let limits = self.limits.and(limits);
        match request {
            Request::RandomUniform(request) => {
                let valid = random_uniform::check(request, limits)?;
                self.random_uniform(&valid, &Rule::of(&valid)).map(Response::of)
            }
            Request::Multinomial(request) => self.multinomial(&multinomial::check(request, limits)?),
            Request::DmlRandomGenerator(request) => self.dml(&dml::check(request, limits)?),
            _ => {
                let draw = Self::checked_draw(request, limits)?;
                let bytes = self.session(|session| drawing::fill(session, &draw))?;
                Ok(draw.response(bytes))
            }
        }
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        match request {
            Request::RandomUniform(request) => {
                self.random_uniform_stages(&random_uniform::check(request, self.limits).ok()?)
            }
            Request::DmlRandomGenerator(request) => {
                let scaled = self.dml(&dml::check(request, self.limits).ok()?).ok()?.output;
                let words = scaled.elements().ok()?.collect();
                Some(Stages::of_philox(words, 1, scaled))
            }
            Request::Multinomial(_) => None,
            _ => {
                let draw = Self::checked_draw(request, self.limits).ok()?;
                let bytes = |draw: &Draw| self.session(|session| drawing::fill(session, draw));
                draw.stages(bytes).ok()
            }
        }
    }

    fn description(&self) -> String {
        self.description.clone()
    }
}

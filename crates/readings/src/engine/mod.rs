//! The engine: answers requests by a reading.
//!
//! Written from the documents and from what implementations do; it shares nothing with the oracle but the
//! vocabulary.

mod arithmetic;
mod axes;
mod bit_generator;
mod check;
mod dml;
mod draws;
mod floats;
mod integers;
mod jax;
mod key_counter;
mod minstd;
mod mt19937;
mod multinomial;
mod normal;
mod onnx;
mod onnx_random;
mod onnx_runtime;
mod philox;
mod philox_keys;
mod random_state;
mod random_uniform;
mod rows;
mod scope;
mod seeds;
mod selection;
mod servers;
mod stateless;
mod stream;
mod threefry;
mod torch_samplers;
mod triton;
mod units;

use std::sync::Arc;

use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Stages, Support, standard};

use crate::answers::NoMatch;
use crate::reading::Reading;

pub use units::unit_interval;

/// The most elements whose words are kept to be shown.
const MOST_STAGED: usize = 1 << 24;

/// The ops under a reading. Its name is `readings/` and the reading's name.
#[derive(Clone)]
pub struct Engine {
    id: BackendId,
    reading: Reading,
    limits: Limits,
    entropy: Arc<dyn Fn() -> u64 + Send + Sync>,
}

/// A request that will be answered.
enum Plan<'a> {
    RandomUniform(random_uniform::Plan<'a>),
    Multinomial(multinomial::Plan<'a>),
    Dml(dml::Plan<'a>),
    BitGenerator(bit_generator::Plan<'a>),
    KeyCounter(key_counter::Plan),
    Normal(normal::Plan<'a>),
    PhiloxKeys(philox_keys::Plan<'a>),
    Stateless(stateless::Plan<'a>),
    Jax(jax::Plan<'a>),
    Onnx(onnx::Plan<'a>),
    OnnxRandom(onnx_random::Plan),
    Servers(servers::Plan<'a>),
    Triton(triton::Plan<'a>),
    TorchSamplers(torch_samplers::Plan<'a>),
}

impl Plan<'_> {
    fn count(&self) -> usize {
        match self {
            Plan::RandomUniform(plan) => plan.count(),
            Plan::Multinomial(plan) => plan.count(),
            Plan::Dml(plan) => plan.count(),
            Plan::BitGenerator(plan) => plan.count(),
            Plan::KeyCounter(_) => 1,
            Plan::Normal(plan) => plan.count(),
            Plan::PhiloxKeys(plan) => plan.count(),
            Plan::Stateless(plan) => plan.count(),
            Plan::Jax(plan) => plan.count(),
            Plan::Onnx(plan) => plan.count(),
            Plan::OnnxRandom(plan) => plan.count(),
            Plan::Servers(plan) => plan.count(),
            Plan::Triton(plan) => plan.count(),
            Plan::TorchSamplers(plan) => plan.count(),
        }
    }
}

impl Engine {
    /// An engine for a reading. `entropy` gives what replaces global_seed where both seeds are zero.
    pub fn new(reading: Reading, limits: Limits, entropy: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            id: BackendId::new(format!("readings/{}", reading.name)),
            reading,
            limits,
            entropy: Arc::new(entropy),
        }
    }

    /// The reading by which requests are answered.
    pub const fn reading(&self) -> &Reading {
        &self.reading
    }

    fn plan<'a>(&'a self, request: &'a Request, limits: Limits) -> Result<Plan<'a>, Failure> {
        Ok(match request {
            request if onnx_random::Plan::is_of(&self.reading, request) => {
                Plan::OnnxRandom(onnx_random::Plan::new(&self.reading, request, limits)?)
            }
            Request::RandomUniform(request) => {
                Plan::RandomUniform(random_uniform::Plan::new(&self.reading, request, limits)?)
            }
            Request::Multinomial(request) => {
                Plan::Multinomial(multinomial::Plan::new(&self.reading, request, limits)?)
            }
            Request::DmlRandomGenerator(request) => {
                Plan::Dml(dml::Plan::new(&self.reading, request, limits)?)
            }
            Request::RngBitGenerator(request) => {
                Plan::BitGenerator(bit_generator::Plan::new(&self.reading, request, limits)?)
            }
            Request::StatelessRandomGetKeyCounter(request) => {
                Plan::KeyCounter(key_counter::Plan::new(&self.reading, request)?)
            }
            Request::PhiloxKeySplit(_)
            | Request::PhiloxKeyFoldIn(_)
            | Request::PhiloxUniform(_)
            | Request::PhiloxRandint(_) => {
                Plan::PhiloxKeys(philox_keys::Plan::new(&self.reading, request, limits)?)
            }
            Request::OnnxRandomUniform(_) | Request::OnnxInitPrng(_) | Request::OnnxSplitPrng(_) => {
                Plan::Onnx(onnx::Plan::new(&self.reading, request, limits)?)
            }
            Request::VllmMurmur3Uniform(_)
            | Request::VllmGumbelSample(_)
            | Request::SglangMurmurHash32(_)
            | Request::SglangMultinomialWithSeed(_) => {
                Plan::Servers(servers::Plan::new(&self.reading, request, limits)?)
            }
            Request::TorchBernoulli(_)
            | Request::TorchBernoulliInPlace(_)
            | Request::TorchDropout(_)
            | Request::TorchRandperm(_)
            | Request::TorchMultinomial(_)
            | Request::TorchExponential(_) => {
                Plan::TorchSamplers(torch_samplers::Plan::new(&self.reading, request, limits)?)
            }
            Request::TritonRand(_) | Request::TritonRandint(_) | Request::InductorRandint(_) => {
                Plan::Triton(triton::Plan::new(&self.reading, request, limits)?)
            }
            Request::JaxKey(_)
            | Request::JaxSplit(_)
            | Request::JaxFoldIn(_)
            | Request::JaxBits(_)
            | Request::JaxUniform(_)
            | Request::JaxRandint(_)
            | Request::JaxBernoulli(_)
            | Request::JaxPermutation(_)
            | Request::JaxNormal(_)
            | Request::JaxGumbel(_)
            | Request::JaxCategorical(_) => Plan::Jax(jax::Plan::new(&self.reading, request, limits)?),
            Request::RandomStandardNormal(_)
            | Request::TruncatedNormal(_)
            | Request::StatelessRandomNormal(_)
            | Request::StatelessTruncatedNormal(_)
            | Request::TorchNormal(_)
            | Request::PhiloxNormal(_) => Plan::Normal(normal::Plan::new(&self.reading, request, limits)?),
            _ => Plan::Stateless(stateless::Plan::new(&self.reading, request, limits)?),
        })
    }

    /// Whether the values decide if the request has an answer.
    fn is_known_by_its_values(&self, request: &Request) -> bool {
        match request {
            Request::RandomUniform(request) => {
                request.execution > 0
                    || [&self.reading.philox_scale, &self.reading.mt_scale]
                        .iter()
                        .any(|scale| scale.subnormals.is_unpredictable())
            }
            Request::Multinomial(_) => matches!(
                self.reading.multinomial.no_match,
                NoMatch::ZeroThenPastRow | NoMatch::Unwritten
            ),
            _ => false,
        }
    }
}

impl Backend for Engine {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        let outcome = if self.is_known_by_its_values(request) {
            self.run(request).map(drop)
        } else {
            standard(|| self.plan(request, self.limits).map(drop))
        };
        match outcome {
            Err(Failure::Unsupported(reason)) => Support::No(reason),
            _ => Support::Yes,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.run_within(request, self.limits)
    }

    fn run_supported(&self, request: &Request) -> Result<Response, Failure> {
        self.run(request)
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        standard(|| {
            let response = match self.plan(request, self.limits.and(limits))? {
                Plan::RandomUniform(plan) => plan.run(&*self.entropy),
                Plan::Multinomial(plan) => plan.run(&*self.entropy),
                Plan::Dml(plan) => plan.run(),
                Plan::BitGenerator(plan) => plan.run(),
                Plan::KeyCounter(plan) => Ok(plan.run()),
                Plan::Normal(plan) => plan.run(),
                Plan::PhiloxKeys(plan) => plan.run(),
                Plan::Stateless(plan) => plan.run(),
                Plan::Jax(plan) => plan.run(),
                Plan::Onnx(plan) => plan.run(),
                Plan::OnnxRandom(plan) => Ok(plan.run()),
                Plan::Servers(plan) => plan.run(),
                Plan::Triton(plan) => plan.run(),
                Plan::TorchSamplers(plan) => plan.run(),
            }?;
            Ok(axes::stored(response, self.reading.memory.axes))
        })
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        let stages = standard(|| {
            let plan = self.plan(request, self.limits).ok()?;
            if plan.count() > MOST_STAGED {
                return None;
            }
            match plan {
                Plan::RandomUniform(plan) => plan.stages(&*self.entropy).ok(),
                Plan::Multinomial(plan) => plan.stages(&*self.entropy).ok(),
                Plan::Dml(plan) => plan.stages().ok(),
                Plan::BitGenerator(plan) => plan.stages().ok(),
                Plan::KeyCounter(plan) => Some(plan.stages()),
                Plan::Normal(plan) => plan.stages(),
                Plan::PhiloxKeys(plan) => plan.stages().ok(),
                Plan::Stateless(plan) => plan.stages().ok(),
                Plan::Jax(_)
                | Plan::Onnx(_)
                | Plan::OnnxRandom(_)
                | Plan::Servers(_)
                | Plan::Triton(_)
                | Plan::TorchSamplers(_) => None,
            }
        })?;
        let scaled = axes::stored(Response::of(stages.scaled), self.reading.memory.axes).output;
        Some(Stages { scaled, ..stages })
    }

    fn description(&self) -> String {
        format!("{}: {}", self.id, self.reading.observed)
    }
}

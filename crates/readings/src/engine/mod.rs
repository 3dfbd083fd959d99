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
mod forms;
mod integers;
mod jax;
mod key_counter;
mod minstd;
mod mt19937;
mod mt64;
mod multinomial;
mod normal;
mod numpy;
mod onnx;
mod onnx_random;
mod onnx_runtime;
mod philox;
mod philox_keys;
mod plan;
mod random_state;
mod random_uniform;
mod rows;
mod scope;
mod seeds;
mod selection;
mod servers;
mod session;
mod stateless;
mod stream;
mod tensorflow_samplers;
mod threefry;
mod torch_cuda;
mod torch_samplers;
mod triton;
mod units;

use std::cell::Cell;
use std::sync::Arc;

use seedproof_ops::{
    Backend, BackendId, Digest, Failure, Limits, Request, Response, Stages, Support, Tensor, Value, digested,
    standard,
};

use crate::answers::Memory;
use crate::noted::Subjects;
use crate::reading::Reading;

use normal::curand;
use plan::Plan;

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

/// Defines `plan`: the module of each op has a `Plan` and makes it from the op's request, or from any request where
/// it serves several ops.
macro_rules! ops {
    (
        one { $($op:ident => $module:ident,)* }
        several { $($($member:ident)|+ => $family:ident,)* }
    ) => {
        fn plan<'a>(
            reading: &'a Reading,
            request: &'a Request,
            limits: Limits,
        ) -> Result<Box<dyn Plan + 'a>, Failure> {
            scope::has_op(reading, request.op())?;
            // One op in two engines: a generator that is named is the document's, and any other the runtime's.
            if onnx_random::Plan::is_of_runtime(reading, request) {
                return Ok(Box::new(onnx_random::Plan::new(reading, request, limits)?));
            }
            Ok(match request {
                $(Request::$op(own) => Box::new($module::Plan::new(reading, own, limits)?),)*
                $($(Request::$member(_))|+ => Box::new($family::Plan::new(reading, request, limits)?),)*
                _ => return Err(Failure::no_op(request.op())),
            })
        }
    };
}

ops! {
    one {
        RandomUniform => random_uniform,
        Multinomial => multinomial,
        DmlRandomGenerator => dml,
        RngBitGenerator => bit_generator,
        StatelessRandomGetKeyCounter => key_counter,
        CurandPhilox => curand,
    }
    several {
        PhiloxKeySplit | PhiloxKeyFoldIn | PhiloxUniform | PhiloxRandint => philox_keys,
        StatelessRandomUniform | StatelessRandomUniformInt | StatelessRandomUniformFullInt => stateless,
        JaxKey | JaxSplit | JaxFoldIn | JaxBits | JaxUniform | JaxRandint | JaxBernoulli | JaxPermutation => jax,
        JaxNormal | JaxGumbel | JaxCategorical => jax,
        OnnxRandomUniform | OnnxInitPrng | OnnxSplitPrng => onnx,
        OnnxRandomNormal | OnnxRandomUniformLike | OnnxRandomNormalLike | OnnxBernoulli | OnnxMultinomial => onnx_random,
        RandomStandardNormal | TruncatedNormal | StatelessRandomNormal | StatelessTruncatedNormal => normal,
        TorchNormal | PhiloxNormal | LitertRandomUniform | LitertRandomStandardNormal => normal,
        VllmMurmur3Uniform | VllmGumbelSample | SglangMurmurHash32 | SglangMultinomialWithSeed => servers,
        TorchBernoulli | TorchBernoulliInPlace | TorchDropout | TorchRandperm | TorchMultinomial | TorchExponential => torch_samplers,
        TritonRand | TritonRandint | InductorRandint | InductorRandom => triton,
        NumpyRandom | NumpyIntegers | NumpyPermutation | RandomStateRand | RandomStateRandn | RandomStateRandint | RandomStatePermutation => numpy,
        RandomShuffle | StatelessShuffle | TensorflowMultinomial | StatelessMultinomial => tensorflow_samplers,
        TorchCudaUniform | TorchCudaRandom | TorchCudaBernoulli | TorchCudaNormal => torch_cuda,
    }
}

impl Engine {
    /// An engine for a reading. `entropy` returns the number that replaces global_seed if both seeds are zero.
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

    /// The subjects that the answer to a request is made from. A reading that differs from this one in none of them answers
    /// alike. They are all subjects where the answer is made from entropy too.
    ///
    /// ```
    /// use seedproof_ops::{Alignment, Limits, RandomUniform, Request};
    /// use seedproof_readings::{Engine, Reading, find_mistake, with};
    ///
    /// let engine = Engine::new(Reading::spec(), Limits::default(), || 0);
    /// let request = RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
    /// let reads = engine.reads(&Request::RandomUniform(request));
    /// let acts = |id| {
    ///     let mistake = find_mistake(id).expect("a listed mistake");
    ///     let changed = with(engine.reading(), &[mistake]).differing(engine.reading());
    ///     !(changed & reads).is_empty()
    /// };
    /// assert!(acts("rounds-9"));
    /// assert!(!acts("threefry-rounds-13"));
    /// ```
    pub fn reads(&self, request: &Request) -> Subjects {
        self.noted(request).1
    }

    /// The answer to a request, and what [`Self::reads`] says of it. Both take one draw.
    pub fn noted(&self, request: &Request) -> (Result<Response, Failure>, Subjects) {
        self.observed(|entropy| self.answer(request, self.limits, entropy))
    }

    /// As [`Self::noted`], of the first elements of the answer.
    pub fn noted_first(&self, request: &Request, count: usize) -> (Result<Tensor, Failure>, Subjects) {
        self.observed(|entropy| self.beginning(request, count, entropy))
    }

    /// The result of a draw, and the subjects that it read.
    fn observed<T>(&self, draw: impl FnOnce(&dyn Fn() -> u64) -> T) -> (T, Subjects) {
        let is_drawn = Cell::new(false);
        let entropy = || {
            is_drawn.set(true);
            (self.entropy)()
        };
        let (answer, read) = Subjects::read_by(|| draw(&entropy));
        let read = if is_drawn.get() { Subjects::ALL } else { read };
        (answer, read)
    }

    fn answer(
        &self,
        request: &Request,
        limits: Limits,
        entropy: &dyn Fn() -> u64,
    ) -> Result<Response, Failure> {
        standard(|| {
            let plan = plan(&self.reading, request, limits)?;
            let response = plan.run(entropy)?;
            Ok(axes::stored(response, &self.reading.memory))
        })
    }

    /// At least the first elements of the answer.
    fn beginning(
        &self,
        request: &Request,
        count: usize,
        entropy: &dyn Fn() -> u64,
    ) -> Result<Tensor, Failure> {
        let short = request.prefix(u64::try_from(count).unwrap_or(u64::MAX));
        let short = short.or_else(|| onnx_random::Plan::shorter(request, count));
        // In another order than that of the stream, the first elements may be any of it.
        if short.is_some() || *self.reading.memory != Memory::default() {
            let response = self.answer(short.as_ref().unwrap_or(request), self.limits, entropy)?;
            return Ok(response.output);
        }
        standard(|| plan(&self.reading, request, self.limits)?.first(count, entropy))
    }
}

impl Backend for Engine {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        let outcome = standard(|| {
            let plan = plan(&self.reading, request, self.limits)?;
            if plan.depends_on_values() {
                plan.run(&*self.entropy)?;
            }
            Ok(())
        });
        match outcome {
            Err(Failure::Unsupported(reason)) => Support::Unsupported(reason),
            _ => Support::Supported,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.run_within(request, self.limits)
    }

    fn run_supported(&self, request: &Request) -> Result<Response, Failure> {
        self.run(request)
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        self.answer(request, self.limits.and(limits), &*self.entropy)
    }

    fn digest(&self, request: &Request) -> Result<Value, Failure> {
        // An output that is stored in another order than it is drawn in is made as a whole.
        if *self.reading.memory != Memory::default() {
            return self.run(request).map(Value::Full);
        }
        standard(|| {
            // Before the digest begins, because a plan may draw what it needs of other ops.
            let plan = plan(&self.reading, request, self.limits)?;
            let run = || plan.run(&*self.entropy);
            // A digest of a single chunk saves no memory, and says nothing of the elements that a diagnosis needs.
            if plan.count() <= Digest::CHUNK {
                return run().map(Value::Full);
            }
            digested(run)
        })
    }

    fn first(&self, request: &Request, count: usize) -> Result<Tensor, Failure> {
        self.beginning(request, count, &*self.entropy)
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        let stages = standard(|| {
            let plan = plan(&self.reading, request, self.limits).ok()?;
            if plan.count() > MOST_STAGED {
                return None;
            }
            plan.stages(&*self.entropy).ok()
        })?;
        let scaled = axes::stored(Response::of(stages.scaled), &self.reading.memory).output;
        Some(Stages { scaled, ..stages })
    }

    fn description(&self) -> String {
        format!("{}: {}", self.id, self.reading.observed)
    }
}

//! The crate as a [`Backend`].

use std::sync::Arc;

use seedproof_cpu::op::dispatch::{Checked, checked};
use seedproof_cpu::op::draw::{Draw, Source};
use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Stages, Support};

use crate::adapter::Adapter;
use crate::device::Device;
use crate::draw as drawing;
use crate::fill::repeat;
use crate::kernels::Kernels;
use crate::keyed as keying;
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
        if !matches!(request, Request::RandomUniform(_)) {
            return Err(Failure::Unsupported("only fills are repeated".to_owned()));
        }
        let Checked::Elements(draw) = self.check(request, self.limits)? else {
            unreachable!("a RandomUniform-8 draws its elements from a stream");
        };
        let stream = match draw.source {
            Source::Philox(philox) => Stream::Philox(philox),
            Source::Mt19937(seed) => Stream::Mt19937(seed),
            Source::Keys(_) | Source::Threefry(..) => unreachable!("no alignment draws by a key"),
        };
        self.session(|session| repeat(session, stream, &Rule::of(&draw), draw.shape.count(), times))
    }

    fn session<T>(&self, work: impl FnOnce(Session<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        Session::run(&self.device, &self.compiled, work)
    }

    fn check<'a>(&self, request: &'a Request, limits: Limits) -> Result<Checked<'a>, Failure> {
        // Their refusals alone would be claimed otherwise, without a value.
        if matches!(
            request,
            Request::RandomStandardNormal(_)
                | Request::StatelessRandomNormal(_)
                | Request::TorchNormal(_)
                | Request::PhiloxNormal(_)
                | Request::JaxPermutation(_)
        ) {
            return Err(Failure::no_op(request.op()));
        }
        let checked = checked(request, limits, &self.entropy)?;
        match &checked {
            Checked::Elements(draw) => drawing::check(draw)?,
            Checked::Classes(formed) => sampling::check(formed)?,
            Checked::Keyed(_) => {}
        }
        Ok(checked)
    }
}

impl Backend for Gpu {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        match self.check(request, self.limits) {
            Err(Failure::Unsupported(reason)) => Support::Unsupported(reason),
            _ => Support::Supported,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        self.run_within(request, self.limits)
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        match self.check(request, self.limits.and(limits))? {
            Checked::Elements(draw) => {
                let bytes = self.session(|session| drawing::fill(session, &draw))?;
                Ok(draw.response(bytes))
            }
            Checked::Classes(formed) => {
                let classes = self.session(|session| sampling::run(session, &formed, &self.entropy))?;
                Ok(formed.response(&classes))
            }
            Checked::Keyed(keyed) => {
                let bytes = self.session(|session| keying::fill(session, &keyed))?;
                Ok(keyed.response(bytes))
            }
        }
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        // As on the CPU: no stages of another output than the one that was drawn, nor of what is not one stream.
        if request.is_unseeded() {
            return None;
        }
        let Checked::Elements(draw) = self.check(request, self.limits).ok()? else {
            return None;
        };
        let bytes = |draw: &Draw| self.session(|session| drawing::fill(session, draw));
        draw.stages(bytes).ok()
    }

    fn description(&self) -> String {
        self.description.clone()
    }
}

//! ONNX's random ops without a generator that is named, as runtimes draw them.

use seedproof_ops::{Attribute, Dtype, Failure, Limits, Request, Response, Shape, Tensor};

use super::onnx_runtime::{Form, Runtime, like};
use super::{check, scope};
use crate::answers::{Availability, OnnxDraws, SeedWidth};
use crate::reading::Reading;

/// What a request draws, which is known at once: many values decide whether there is an answer.
pub(super) struct Plan {
    output: Tensor,
}

impl Plan {
    /// Whether a request of the op that both engines have is one that a runtime draws as it chooses.
    pub(super) fn is_of_runtime(reading: &Reading, request: &Request) -> bool {
        // `spec` says of each which attributes are wrong.
        matches!(request, Request::OnnxRandomUniform(_)) && reading.onnx_random.draws != OnnxDraws::Open
    }

    /// A request of a rank that draws the first elements of this one's output; `None` where another number of elements has
    /// other ones, and where the elements are made of an input's.
    pub(super) fn shorter(request: &Request, count: usize) -> Option<Request> {
        let mut short = request.clone();
        let (dims, execution) = match &mut short {
            Request::OnnxRandomUniform(it) if it.is_unspecified() => (&mut it.output_sizes, it.execution),
            Request::OnnxRandomNormal(it) => (&mut it.output_sizes, it.execution),
            _ => return None,
        };
        // A later run begins after the words of all elements of those before.
        let all = Shape::new(dims).ok().filter(|_| execution == 0)?.count();
        let first = u64::try_from(count.min(all)).ok()?;
        // The rank stays, because OpenVINO fuses other operations of more than six extents.
        let (last, others) = dims.split_last_mut()?;
        others.fill(1);
        *last = first;
        Some(short)
    }

    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or
    /// another machine's functions of f64 might answer otherwise.
    pub(super) fn new(reading: &Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        if reading.onnx_random.draws == OnnxDraws::Open {
            return Err(scope::lacks(reading, request.description().title));
        }
        // RandomUniform-8 and Multinomial-13 of the same implementation draw its numbers.
        let mut own = reading.clone();
        own.scope.tensorflow = Availability::Available;
        // The float is made an integer here.
        own.seeds.global_seed = SeedWidth::default();
        own.seeds.op_seed = SeedWidth::default();
        let (seed, execution) = match request {
            Request::OnnxRandomUniform(it) if !it.is_unspecified() => {
                return Err(scope::lacks(reading, "generator that a request names"));
            }
            Request::OnnxRandomUniform(it) => (&it.seed, it.execution),
            Request::OnnxRandomUniformLike(it) => (&it.seed, it.execution),
            Request::OnnxRandomNormal(it) => (&it.seed, it.execution),
            Request::OnnxRandomNormalLike(it) => (&it.seed, it.execution),
            Request::OnnxBernoulli(it) => (&it.seed, it.execution),
            Request::OnnxMultinomial(it) => (&it.seed, it.execution),
            _ => return Err(Failure::no_op(request.op())),
        };
        let runtime = Runtime::new(&own, seed.as_ref(), execution, limits)?;
        let of = |output_type: &Attribute<Dtype>, dims: &[u64]| {
            Ok::<Form, Failure>((check::known("output_type", output_type)?, dims.to_vec()))
        };
        let output = match request {
            Request::OnnxRandomUniform(it) => {
                let form = of(&it.output_type, &it.output_sizes)?;
                runtime.uniform(&form, false, [&it.low, &it.high])
            }
            Request::OnnxRandomUniformLike(it) => {
                let form = like(it.output_type.as_ref(), &it.input)?;
                runtime.uniform(&form, true, [&it.low, &it.high])
            }
            Request::OnnxRandomNormal(it) => {
                let form = of(&it.output_type, &it.output_sizes)?;
                runtime.normal(&form, false, [&it.mean, &it.scale])
            }
            Request::OnnxRandomNormalLike(it) => {
                let form = like(it.output_type.as_ref(), &it.input)?;
                runtime.normal(&form, true, [&it.mean, &it.scale])
            }
            Request::OnnxBernoulli(it) => runtime.bernoulli(it),
            Request::OnnxMultinomial(it) => runtime.multinomial(it),
            _ => Err(Failure::no_op(request.op())),
        };
        Ok(Self { output: output? })
    }
}

impl super::plan::Plan for Plan {
    fn count(&self) -> usize {
        self.output.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        Ok(Response::of(self.output.clone()))
    }
}

//! Normals of TensorFlow and PyTorch, LiteRT's two ops, and cuRAND's generator.

mod compiled;
pub(super) mod curand;
mod pair;
mod tensorflow;
mod torch;

use seedproof_ops::{Dtype, Failure, Limits, Request, Response, Shape, Stages, Tensor};

use self::pair::Drawn;
pub(super) use self::pair::Pair;
pub(super) use self::tensorflow::Stream;
use self::torch::{Generated, Keyed};
use super::arithmetic::{buffer, push, words_buffer};
use super::plan::Plan as _;
use super::stateless::{self, algorithm};
use super::{check, scope};
use crate::reading::Reading;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    what: What,
}

enum What {
    Stream(Stream),
    /// Numbers of the unit interval.
    Unit(Stream),
    Generated(Generated),
    Keyed(Keyed),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let title = request.description().title;
        let of = |dtype, dims: &[u64], what: &dyn Fn(&Shape) -> Result<What, Failure>| {
            if dtype == Dtype::F64 {
                return Err(Failure::Unsupported(format!(
                    "{title} of f64 depends on the double functions of one version of a C library"
                )));
            }
            let shape = limits.shape(dtype, dims)?;
            let what = what(&shape)?;
            Ok(Self {
                reading,
                dtype,
                shape,
                what,
            })
        };
        match request {
            Request::RandomStandardNormal(it) => {
                let dtype = check::output_type(&it.output_type, Dtype::is_float)?;
                let dims = check::extents(&reading.validation, &it.shape)?;
                let stream = Stream::seeded(reading, [it.seed, it.seed2], it.execution, false)?;
                of(dtype, &dims, &|shape| {
                    Ok(What::Stream(
                        stream.advanced(reading.normal_fill.advance, shape.count()),
                    ))
                })
            }
            Request::TruncatedNormal(it) => {
                let dtype = check::output_type(&it.output_type, Dtype::is_float)?;
                let dims = check::extents(&reading.validation, &it.shape)?;
                let stream = Stream::seeded(reading, [it.seed, it.seed2], it.execution, true)?;
                of(dtype, &dims, &|shape| {
                    Ok(What::Stream(
                        stream.advanced(reading.normal_fill.advance, shape.count()),
                    ))
                })
            }
            Request::LitertRandomUniform(it) => {
                let dims = litert_extents(reading, &it.shape)?;
                let stream = Stream::litert(reading, [it.seed, it.seed2], it.execution)?;
                of(Dtype::F32, &dims, &|shape| {
                    Ok(What::Unit(stream.advanced(reading.litert.advance, shape.count())))
                })
            }
            Request::LitertRandomStandardNormal(it) => {
                let dims = litert_extents(reading, &it.shape)?;
                let stream = Stream::litert(reading, [it.seed, it.seed2], it.execution)?;
                of(Dtype::F32, &dims, &|shape| {
                    Ok(What::Stream(
                        stream.advanced(reading.litert.advance, shape.count()),
                    ))
                })
            }
            Request::StatelessRandomNormal(it) => {
                let dtype = check::output_type(&it.output_type, Dtype::is_float)?;
                let (dims, stream) = keyed(reading, [&it.shape, &it.key, &it.counter, &it.alg], false)?;
                of(dtype, &dims, &|_| Ok(What::Stream(stream)))
            }
            Request::StatelessTruncatedNormal(it) => {
                let dtype = check::output_type(&it.output_type, Dtype::is_float)?;
                let (dims, stream) = keyed(reading, [&it.shape, &it.key, &it.counter, &it.alg], true)?;
                of(dtype, &dims, &|_| Ok(What::Stream(stream)))
            }
            Request::TorchNormal(it) => {
                let dtype = check::output_type(&it.output_type, Dtype::is_float)?;
                let generated = Generated::new(it)?;
                check::strides(&reading.validation, &it.output_sizes)?;
                of(dtype, &it.output_sizes, &|shape| {
                    let count = u64::try_from(shape.count()).unwrap_or(u64::MAX);
                    // Without a counter the earlier executions are drawn as well.
                    limits.shape(dtype, &[u64::from(it.execution) + 1, count])?;
                    Ok(What::Generated(generated))
                })
            }
            Request::PhiloxNormal(it) => {
                let dtype = check::output_type(&it.output_type, Dtype::is_float)?;
                let keyed = Keyed::new(reading, it)?;
                of(dtype, &it.output_sizes, &|_| Ok(What::Keyed(keyed.clone())))
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }

    fn drawn(&self) -> Result<Drawn, Failure> {
        // What does not fit as bytes does not fit as values either.
        words_buffer(self.count().saturating_mul(4))?;
        Ok(match &self.what {
            What::Stream(stream) => stream.draw(self.reading, self.dtype, &self.shape, self.count()),
            What::Unit(stream) => stream.units(self.reading, self.count()),
            What::Generated(generated) => generated.draw(self.reading, self.dtype, self.count()),
            What::Keyed(keyed) => keyed.draw(self.reading, &self.shape),
        })
    }

    fn output(&self, shape: &Shape, drawn: &Drawn) -> Result<Tensor, Failure> {
        let mut bytes = buffer(self.dtype, shape)?;
        for &value in &drawn.values {
            push(self.dtype, value, *self.reading.nan, &mut bytes);
        }
        Ok(bytes.into_tensor())
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        self.output(&self.shape, &self.drawn()?).map(Response::of)
    }

    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        let count = count.min(self.count());
        let drawn = match &self.what {
            What::Stream(stream) => stream.draw(self.reading, self.dtype, &self.shape, count),
            What::Unit(stream) => stream.units(self.reading, count),
            _ => return Ok(self.run(entropy)?.output),
        };
        self.output(&Shape::vector(count), &drawn)
    }

    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let drawn = self.drawn()?;
        let scaled = self.output(&self.shape, &drawn)?;
        let words = drawn.words.ok_or_else(super::plan::no_stages)?;
        Ok(Stages {
            words_per_block: drawn.per_block,
            unit: matches!(self.what, What::Unit(_)).then(|| scaled.clone()),
            ..Stages::of_philox(words, 1, scaled)
        })
    }
}

/// The extents of LiteRT's ops, which take lists of i32 alone.
fn litert_extents(reading: &Reading, shape: &Tensor) -> Result<Vec<u64>, Failure> {
    check::dtype_is("shape", shape, &[Dtype::I32])?;
    check::extents(&reading.validation, shape)
}

/// The extents and the stream of TensorFlow's stateless ops.
fn keyed(
    reading: &Reading,
    [shape, key, counter, alg]: [&Tensor; 4],
    truncated: bool,
) -> Result<(Vec<u64>, Stream), Failure> {
    let dims = check::extents(&reading.validation, shape)?;
    let (key, counter, alg) = stateless::words(reading, key, counter, alg)?;
    if algorithm(reading, alg, !dims.contains(&0))? {
        return Err(scope::lacks(reading, "normals of ThreeFry"));
    }
    Ok((dims, Stream::new(key, counter, truncated)))
}

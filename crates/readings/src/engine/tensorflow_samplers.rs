//! TensorFlow's shuffles on a CPU.

use seedproof_ops::{Dtype, Failure, Limits, Request, Response, Shape, Tensor};

use super::arithmetic::buffer;
use super::normal::Stream;
use super::scope;
use super::selection::shuffle;
use super::stateless::{self, algorithm};
use super::stream::as_u128;
use crate::answers::{NormalAdvance, ShuffledUnit};
use crate::reading::Reading;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    shape: Shape,
    dtype: Dtype,
    stream: Stream,
    value: &'a Tensor,
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &'a Request, limits: Limits) -> Result<Self, Failure> {
        let of = |stream: Stream, value: &'a Tensor| {
            Ok(Self {
                reading,
                shape: limits.shape(value.dtype(), &value.shape().to_u64())?,
                dtype: value.dtype(),
                stream,
                value,
            })
        };
        match request {
            Request::RandomShuffle(it) => {
                let stream = Stream::seeded(it.seed, it.seed2, it.execution, false)?;
                let count = units(reading, &it.value);
                let blocks = match reading.tensorflow_samplers.shuffle {
                    NormalAdvance::Blocks => as_u128(count.saturating_sub(1).div_ceil(4)),
                    NormalAdvance::Elements256 => as_u128(count) * 256,
                    NormalAdvance::None => 0,
                };
                of(stream.advanced_by(blocks), &it.value)
            }
            Request::StatelessShuffle(it) => {
                let (key, counter, alg) = stateless::words(reading, &it.key, &it.counter, &it.alg)?;
                if algorithm(reading, alg, true)? {
                    return Err(scope::lacks(reading, "shuffles of ThreeFry"));
                }
                of(Stream::new(key, counter, false), &it.value)
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }
}

/// How many things a shuffle puts into another order.
fn units(reading: &Reading, value: &Tensor) -> usize {
    match reading.tensorflow_samplers.unit {
        ShuffledUnit::Rows => value.shape().dims().first().copied().unwrap_or(1),
        ShuffledUnit::Elements => value.count(),
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        // A value without elements may have any number of rows, none of which can be told from another.
        if self.count() == 0 {
            return Ok(Response::of(self.value.clone()));
        }
        let units = units(self.reading, self.value);
        let mut order: Vec<usize> = (0..units).collect();
        let mut words = self
            .stream
            .words(self.reading, 0, units.saturating_sub(1))
            .into_iter();
        shuffle(&self.reading.tensorflow_selection, &mut order, |places| {
            words
                .next()
                .and_then(|word| usize::try_from(word).ok())
                .unwrap_or(0)
                % places
        });
        let size = self.value.bytes().len() / units;
        let mut bytes = buffer(self.count(), self.dtype)?;
        for unit in order {
            bytes.extend_from_slice(&self.value.bytes()[unit * size..][..size]);
        }
        let output = Tensor::new(self.dtype, self.shape.clone(), bytes);
        Ok(Response::of(output.expect("each row has its bytes")))
    }
}

//! TensorFlow's shuffles and its draws of classes, on a CPU.

use seedproof_ops::{Attribute, Dtype, ErrorKind, Failure, Limits, Request, Response, Scalar, Shape, Tensor};

use super::arithmetic::{Arithmetic, buffer};
use super::normal::Stream;
use super::selection::{search, searched_from, shuffle, sums};
use super::stateless::{self, algorithm};
use super::stream::as_u128;
use super::units::Convert;
use super::{check, key_counter, scope};
use crate::answers::{
    DrawScale, Layout, LogitDifference, MovedBytes, NoneFound, NormalAdvance, RowDraws, SampleDraw,
    ShuffleWords, ShuffledUnit, SumsIn, Threads,
};
use crate::reading::Reading;
use crate::round::f64_of;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    shape: Shape,
    dtype: Dtype,
    what: What<'a>,
}

enum What<'a> {
    /// The rows of a value in another order.
    Shuffle(Stream, &'a Tensor),
    /// Classes, which are known already, since the draws decide whether there is an answer.
    Classes(Vec<usize>),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, it is
    /// of another op, or another machine's exponential might answer otherwise.
    pub(super) fn new(reading: &'a Reading, request: &'a Request, limits: Limits) -> Result<Self, Failure> {
        let shuffled = |stream: Stream, value: &'a Tensor| {
            Ok(Self {
                reading,
                shape: limits.shape(value.dtype(), &value.shape().to_u64())?,
                dtype: value.dtype(),
                what: What::Shuffle(stream, value),
            })
        };
        let drawn = |rows: Rows, stream: Stream| {
            Ok(Self {
                reading,
                shape: rows.shape.clone(),
                dtype: rows.dtype,
                what: What::Classes(rows.classes(reading, stream)?),
            })
        };
        match request {
            Request::RandomShuffle(it) => {
                let stream = Stream::seeded(reading, [it.seed, it.seed2], it.execution, false)?;
                let count = units(reading, &it.value);
                let blocks = match reading.tensorflow_samplers.shuffle {
                    NormalAdvance::Blocks => as_u128(count.saturating_sub(1).div_ceil(4)),
                    NormalAdvance::Elements256 => as_u128(count) * 256,
                    NormalAdvance::PerElement(blocks) => as_u128(count) * u128::from(blocks),
                    NormalAdvance::Subsequence => 1 << 64,
                    NormalAdvance::None => 0,
                };
                shuffled(stream.advanced_by(blocks), &it.value)
            }
            Request::StatelessShuffle(it) => {
                let (key, counter, alg) = stateless::words(reading, &it.key, &it.counter, &it.alg)?;
                if algorithm(reading, alg, true)? {
                    return Err(scope::lacks(reading, "shuffles of ThreeFry"));
                }
                shuffled(Stream::new(key, counter, false), &it.value)
            }
            Request::TensorflowMultinomial(it) => {
                let rows = Rows::new(reading, &it.output_type, &it.logits, &it.num_samples, limits)?;
                let stream = Stream::seeded(reading, [it.seed, it.seed2], it.execution, false)?;
                let numbers = as_u128(rows.batch()) * as_u128(rows.samples.next_multiple_of(4));
                let blocks = match reading.tensorflow_samplers.advance {
                    NormalAdvance::Elements256 => numbers * 512,
                    NormalAdvance::PerElement(blocks) => numbers * u128::from(blocks),
                    NormalAdvance::Blocks => as_u128(rows.shape.count()).div_ceil(2),
                    NormalAdvance::Subsequence => 1 << 64,
                    NormalAdvance::None => 0,
                };
                drawn(rows, stream.advanced_by(blocks))
            }
            Request::StatelessMultinomial(it) => {
                let rows = Rows::new(reading, &it.output_type, &it.logits, &it.num_samples, limits)?;
                let (key, counter) = key_counter::stream(reading, &it.seed)?;
                drawn(rows, Stream::new(key, counter, false))
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }

    fn shuffle(&self, stream: Stream, value: &Tensor) -> Result<Response, Failure> {
        // A value without elements may have any number of rows, none of which can be told from another.
        if self.shape.count() == 0 {
            return Ok(Response::of(value.clone()));
        }
        let units = units(self.reading, value);
        let answers = &self.reading.tensorflow_samplers;
        let mut drawn = stream.words(self.reading, 0, 2 * units);
        if answers.words == ShuffleWords::Descending {
            drawn.truncate(units.saturating_sub(1));
            drawn.reverse();
        }
        let mut words = drawn.into_iter();
        let order = shuffle(&self.reading.tensorflow_selection, [units; 2], || {
            words.next().unwrap_or(0)
        });
        // What lies behind an index of the last extent lies in as many pieces as there are rows.
        let rows = match answers.unit {
            ShuffledUnit::Last => value.count() / units,
            ShuffledUnit::Rows | ShuffledUnit::Elements => 1,
        };
        let size = value.bytes().len() / rows / units;
        let mut bytes = buffer(self.dtype, &self.shape)?;
        let moved = match answers.moved {
            MovedBytes::All => size,
            MovedBytes::Vectors(vector) => {
                let vector = usize::try_from(vector).unwrap_or(size);
                if size < vector {
                    size
                } else {
                    size / vector * vector
                }
            }
        };
        for row in value.bytes().chunks_exact(size * units) {
            for (place, &unit) in order.iter().enumerate() {
                bytes.extend_from_slice(&row[unit * size..][..moved]);
                bytes.extend_from_slice(&row[place * size..][moved..size]);
            }
        }
        Ok(Response::of(bytes.into_tensor()))
    }
}

/// How many things a shuffle puts into another order.
fn units(reading: &Reading, value: &Tensor) -> usize {
    match reading.tensorflow_samplers.unit {
        ShuffledUnit::Rows => value.shape().dims().first().copied().unwrap_or(1),
        ShuffledUnit::Elements => value.count(),
        ShuffledUnit::Last => value.shape().dims().last().copied().unwrap_or(1),
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        match &self.what {
            What::Shuffle(stream, value) => self.shuffle(*stream, value),
            What::Classes(classes) => {
                let mut bytes = buffer(self.dtype, &self.shape)?;
                for &class in classes {
                    let class = u64::try_from(class).unwrap_or(u64::MAX);
                    bytes.extend_from_slice(&class.to_le_bytes()[..self.dtype.size()]);
                }
                Ok(Response::of(bytes.into_tensor()))
            }
        }
    }
}

/// Rows of logits, of which the samples are drawn.
struct Rows {
    dtype: Dtype,
    shape: Shape,
    logits: Vec<f64>,
    logit_type: Dtype,
    /// Classes of each row.
    length: usize,
    samples: usize,
}

impl Rows {
    fn new(
        reading: &Reading,
        output_type: &Attribute<Dtype>,
        logits: &Tensor,
        num_samples: &Tensor,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let dtype = check::output_type(output_type, |dtype| matches!(dtype, Dtype::I32 | Dtype::I64))?;
        if !logits.dtype().is_float() {
            return check::refuse(ErrorKind::Dtype, format!("logits are of type {}", logits.dtype()));
        }
        let (batch, length) = match *logits.shape().dims() {
            [batch, length] if length > 0 => (batch, length),
            _ => {
                let message = format!("logits have the shape {}", logits.shape());
                return check::refuse(ErrorKind::Shape, message);
            }
        };
        let count = check::one("num_samples", num_samples, Dtype::I32)?.to_i64();
        let Ok(samples) = usize::try_from(count) else {
            return check::refuse(ErrorKind::Samples, format!("num_samples is {count}"));
        };
        let [rows, columns] = [batch, samples].map(|extent| u64::try_from(extent).unwrap_or(u64::MAX));
        let shape = limits.shape(dtype, &[rows, columns])?;
        if reading.tensorflow_samplers.threads == Threads::Machine && is_shared_out(batch, length, samples) {
            return Err(scope::lacks(
                reading,
                "answer of its own where rows are shared out over threads, as many as the machine has",
            ));
        }
        Ok(Self {
            dtype,
            shape,
            logits: logits.scalars().map(Scalar::to_f64).collect(),
            logit_type: logits.dtype(),
            length,
            samples,
        })
    }

    fn batch(&self) -> usize {
        self.shape.dims().first().copied().unwrap_or(0)
    }

    fn classes(&self, reading: &Reading, stream: Stream) -> Result<Vec<usize>, Failure> {
        let answers = &reading.tensorflow_selection;
        let in_f64 = Arithmetic::ieee(match answers.sums {
            SumsIn::F64 => Dtype::F64,
            SumsIn::F32 => Dtype::F32,
        });
        let mut classes = Vec::new();
        // An output without elements draws nothing, and the number of its rows has no bound.
        if self.shape.count() == 0 {
            return Ok(classes);
        }
        let draws = Draws::new(reading, stream, self.batch(), self.samples);
        for (row, logits) in self.logits.chunks(self.length).enumerate() {
            let weights = self.weights(reading, logits);
            let (sums, total) = sums(answers.over, &weights, |sum| in_f64.of_f64(sum));
            let mut previous = 0;
            for u in draws.row(row) {
                let number = match reading.tensorflow_samplers.scale {
                    DrawScale::Total => u * total,
                    DrawScale::One => u,
                };
                let mut class = search(answers.bound, &sums, number);
                if is_near(&sums, class, number) {
                    return Err(Failure::Unsupported(
                        "a number is too near to a sum for exponentials of another library".to_owned(),
                    ));
                }
                if reading.tensorflow_samplers.none == NoneFound::Last {
                    class = class.min(self.length - 1);
                }
                classes.push(searched_from(answers.search_from, &mut previous, class));
            }
        }
        Ok(classes)
    }

    /// The exponentials of finite logits, the greatest of which has 1.
    fn weights(&self, reading: &Reading, logits: &[f64]) -> Vec<f64> {
        let greatest = logits
            .iter()
            .filter(|logit| logit.is_finite())
            .fold(f64::NEG_INFINITY, |greatest, &logit| greatest.max(logit));
        let own = Arithmetic::ieee(self.logit_type);
        let weight = |&logit: &f64| match reading.tensorflow_samplers.difference {
            _ if !logit.is_finite() => 0.0,
            LogitDifference::Double => libm::exp(logit - greatest),
            LogitDifference::OfLogits => libm::exp(own.sub(logit, greatest)),
            LogitDifference::Skipped => libm::exp(logit),
            LogitDifference::Binary => libm::exp2(logit - greatest),
        };
        logits.iter().map(weight).collect()
    }
}

/// Whether a number is so near to a sum that the last bits of exponentials decide what is found. Where all weights are zero there are
/// none.
fn is_near(sums: &[f64], class: usize, number: f64) -> bool {
    let Some(&total) = sums.last().filter(|total| **total > 0.0) else {
        return false;
    };
    let error = total * f64::EPSILON * f64_of(u64::try_from(sums.len() + 4).unwrap_or(u64::MAX));
    let beside = class.saturating_sub(1)..sums.len().min(class + 1);
    sums[beside].iter().any(|sum| (sum - number).abs() <= error)
}

/// Whether TensorFlow shares the rows out over several threads, where there are several: its cost model takes a second one
/// from 210,000 cycles on.
fn is_shared_out(batch: usize, classes: usize, samples: usize) -> bool {
    const SECOND_THREAD: f64 = 210_000.0;
    let [batch, classes, samples] =
        [batch, classes, samples].map(|count| f64_of(u64::try_from(count).unwrap_or(u64::MAX)));
    let of_row = 50.0 * (samples * classes.ln() / std::f64::consts::LN_2 + classes);
    batch > 1.0 && batch * of_row.trunc() >= SECOND_THREAD
}

/// The numbers that samples take, row by row.
struct Draws<'a> {
    reading: &'a Reading,
    stream: Stream,
    /// All numbers, where rows follow each other or take turns.
    all: Vec<f64>,
    samples: usize,
}

impl<'a> Draws<'a> {
    fn new(reading: &'a Reading, stream: Stream, batch: usize, samples: usize) -> Self {
        let mut draws = Self {
            reading,
            stream,
            all: Vec::new(),
            samples,
        };
        if matches!(reading.tensorflow_samplers.rows, RowDraws::GoOn | RowDraws::Turns) {
            draws.all = draws.from(0, batch * samples);
        }
        draws
    }

    fn row(&self, row: usize) -> Vec<f64> {
        let samples = self.samples;
        match self.reading.tensorflow_samplers.rows {
            RowDraws::GoOn => self.all[row * samples..][..samples].to_vec(),
            RowDraws::Turns => {
                let batch = self.all.len() / samples;
                self.all.iter().skip(row).step_by(batch).copied().collect()
            }
            RowDraws::Padded => self.from(as_u128(row) * as_u128(samples.div_ceil(4)) * 2, samples),
            RowDraws::Block => self.from(as_u128(row) * as_u128(samples.div_ceil(2)), samples),
            RowDraws::Repeat => self.from(0, samples),
            RowDraws::Shares(rows) => {
                let rows = usize::try_from(rows).unwrap_or(1);
                let (first, before) = (row / rows * rows, row % rows * samples);
                let block = as_u128(first) * as_u128(samples + 3) / 4;
                self.from(block, before + samples).split_off(before)
            }
        }
    }

    /// Numbers from a block on.
    fn from(&self, block: u128, count: usize) -> Vec<f64> {
        let dtype = match self.reading.tensorflow_samplers.draw {
            SampleDraw::Double => Dtype::F64,
            SampleDraw::Single => Dtype::F32,
        };
        let convert = Convert::Philox(&self.reading.philox_convert);
        let each = convert.words_per_element(dtype);
        let mut words = self.stream.words(self.reading, block, count * each);
        if each == 2 && self.reading.stream.layout == Layout::WordPlanes {
            words = (0..count)
                .flat_map(|number| [words[number], words[count + number]])
                .collect();
        }
        words
            .chunks_exact(each)
            .map(|words| convert.unit(dtype, words))
            .collect()
    }
}

//! The functions of PyTorch's `torch.func._random`.

mod batch;
mod keys;
mod values;

use seedproof_ops::{Dtype, Failure, Limits, Request, Response, Shape, Stages, Tensor};

pub(super) use self::batch::Batch;
pub(super) use self::keys::{Key, counter, of as keys_of};
use self::values::{Floats, Integers};
use super::arithmetic::{buffer, words_buffer};
use super::check;
use super::philox::{Block, split_64};
use super::plan::Plan as _;
use super::stream::{PhiloxWords, Words, of_shape};
use crate::answers::{SplitAxis, SplitStart};
use crate::reading::Reading;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    keys: Vec<Key>,
    dtype: Dtype,
    shape: Shape,
    what: What<'a>,
}

enum What<'a> {
    /// Derived keys, of these numbers.
    Keys(std::ops::Range<u64>),
    Floats(Floats<'a>, Batch),
    Integers(Integers<'a>, Batch),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let answers = &reading.philox_keys;
        let plan = |tensor: &Tensor, dtype, dims: &[u64], what| {
            Ok(Self {
                reading,
                keys: keys::of(reading, tensor)?,
                dtype,
                shape: limits.shape(dtype, dims)?,
                what,
            })
        };
        match request {
            Request::PhiloxKeySplit(request) => {
                let count = match u64::try_from(request.num_splits) {
                    Ok(count) if count > 0 && i64::try_from(count).is_ok() => count,
                    _ => return check::attribute(format!("num_splits is {}", request.num_splits)),
                };
                keys::of(reading, &request.key)?;
                let mut dims = request.key.shape().to_u64();
                match answers.split_axis {
                    SplitAxis::First => dims.insert(0, count),
                    SplitAxis::AfterBatch => dims.insert(dims.len().saturating_sub(1), count),
                }
                let start: u64 = match answers.split_start {
                    SplitStart::Zero => 0,
                    SplitStart::One => 1,
                };
                let numbers = start..start.saturating_add(count);
                plan(&request.key, Dtype::U64, &dims, What::Keys(numbers))
            }
            Request::PhiloxKeyFoldIn(request) => {
                let data = keys::folded(reading, request.data)?;
                let dims = request.key.shape().to_u64();
                plan(
                    &request.key,
                    Dtype::U64,
                    &dims,
                    What::Keys(data..data.wrapping_add(1)),
                )
            }
            Request::PhiloxUniform(request) => {
                let dtype = check::output_type(&request.output_type, Dtype::is_float)?;
                keys::of(reading, &request.key)?;
                let sizes = &request.output_sizes;
                check::strides(&reading.validation, sizes)?;
                let batch = Batch::new(answers.batch, &request.key, sizes)?;
                let bounds = [
                    check::one("low", &request.low, Dtype::F64)?.to_f64(),
                    check::one("high", &request.high, Dtype::F64)?.to_f64(),
                ];
                let floats = Floats::new(reading, dtype, bounds)?;
                plan(&request.key, dtype, sizes, What::Floats(floats, batch))
            }
            Request::PhiloxRandint(request) => {
                let dtype = check::known("output_type", &request.output_type)?;
                let Some(limits_of_type) = dtype.integers() else {
                    return check::attribute(format!("output_type cannot be {dtype}"));
                };
                let integers = Integers::new(reading, dtype, limits_of_type, [request.low, request.high])?;
                keys::of(reading, &request.key)?;
                let sizes = &request.output_sizes;
                check::strides(&reading.validation, sizes)?;
                let batch = Batch::new(answers.batch, &request.key, sizes)?;
                plan(&request.key, dtype, sizes, What::Integers(integers, batch))
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }

    fn per_element(&self) -> usize {
        match &self.what {
            What::Integers(integers, _) => integers.words_per_element(),
            _ if self.dtype.size() == 8 => 2,
            _ => 1,
        }
    }

    fn output(&self, words: &[u32]) -> Result<Tensor, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        for element in words.chunks_exact(self.per_element()) {
            match &self.what {
                What::Keys(_) => bytes.extend(element.iter().flat_map(|word| word.to_le_bytes())),
                What::Floats(floats, _) => floats.push(element, &mut bytes),
                What::Integers(integers, _) => integers.push(self.reading, element, &mut bytes),
            }
        }
        Ok(bytes.into_tensor())
    }

    /// The words of all elements, in row-major order.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is not memory enough.
    fn words(&self) -> Result<Vec<u32>, Failure> {
        let per_element = self.per_element();
        let mut words = words_buffer(self.count().saturating_mul(per_element))?;
        match &self.what {
            _ if self.count() == 0 => {}
            What::Keys(numbers) => keys::derive(self.reading, &self.keys, numbers.clone(), &mut words),
            What::Floats(_, batch) | What::Integers(_, batch) => {
                let drawn: Vec<Vec<u32>> = self
                    .keys
                    .iter()
                    .map(|key| {
                        let count = batch.drawn(&self.shape);
                        let mut own = Vec::new();
                        let mut stream = self.stream(*key, per_element, count);
                        match &self.what {
                            What::Integers(integers, _) => integers.draw(&mut stream, count, &mut own),
                            _ => stream.take(count, per_element, &mut own),
                        }
                        own
                    })
                    .collect();
                for element in 0..self.count() {
                    let (key, number) = batch.place(&self.shape, element);
                    words.extend_from_slice(&drawn[key][number * per_element..][..per_element]);
                }
            }
        }
        Ok(words)
    }

    fn stream(&self, key: Key, per_element: usize, count: usize) -> Words {
        let block = Block::new(&self.reading.philox, split_64(key.seed));
        let layout = of_shape(self.reading.stream.layout, &self.shape);
        let words = PhiloxWords::new(block, counter(self.reading, key), layout, per_element, count);
        Words::philox(words, self.reading.memory.words)
    }
}

impl super::plan::Plan for Plan<'_> {
    /// Elements of the output.
    fn count(&self) -> usize {
        self.shape.count()
    }

    /// The value.
    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        self.output(&self.words()?).map(Response::of)
    }

    /// Words and output.
    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let words = self.words()?;
        let scaled = self.output(&words)?;
        let unit = match &self.what {
            What::Floats(floats, _) => {
                let mut bytes = buffer(self.dtype, &self.shape)?;
                for element in words.chunks_exact(self.per_element()) {
                    floats.push_unit(self.reading, element, &mut bytes);
                }
                Some(bytes.into_tensor())
            }
            What::Keys(_) | What::Integers(..) => None,
        };
        Ok(Stages {
            words_per_block: if self.keys.len() == 1 { 4 } else { 1 },
            unit,
            ..Stages::of_philox(words, self.per_element(), scaled)
        })
    }
}

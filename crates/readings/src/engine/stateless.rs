//! TensorFlow's StatelessRandomUniformV2, StatelessRandomUniformIntV2 and StatelessRandomUniformFullIntV2.

mod inputs;

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Request, Response, Scalar, Shape, Stages, Tensor};

pub(super) use self::inputs::algorithm;
use self::inputs::{counter_is_long_enough, fields, halves, list};
use super::arithmetic::{buffer, push, words_buffer};
use super::integers::Integers;
use super::philox::{Block, split_64};
use super::stream::{Counter, PhiloxWords, Words, of_shape};
use super::units::Convert;
use super::{bit_generator, check};
use crate::answers::{EmptyRange, FullBits, FullWords, NothingToDraw, UnsignedRange, WordOrder};
use crate::reading::Reading;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    key: u64,
    counter: u128,
    three_fry: bool,
    values: Values,
}

/// What the words become.
enum Values {
    Floats,
    Full,
    /// The bounds' bits.
    Range([u64; 2]),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let Some(fields) = fields(request) else {
            return Err(Failure::no_op(request.op()));
        };
        let answers = &reading.stateless;
        let dtype = check::output_type(fields.output_type, |dtype| fields.types.contains(&dtype))?;
        let dims = check::extents(&reading.validation, fields.shape)?;
        let (key, counter, alg) = words(reading, fields.key, fields.counter, fields.alg)?;
        let mut values = if dtype.is_float() {
            Values::Floats
        } else {
            Values::Full
        };
        if let Some(bounds) = fields.bounds {
            let mut bits = [0; 2];
            for (bits, (name, bound)) in bits.iter_mut().zip(bounds) {
                *bits = check::one(name, bound, dtype)?.bits();
            }
            values = Values::Range(bits);
        }
        let unsigned = matches!(dtype, Dtype::U32 | Dtype::U64);
        if unsigned && fields.bounds.is_some() && answers.unsigned == UnsignedRange::NoKernel {
            return Err(Failure::Unsupported(format!(
                "{} has no kernel for {dtype} here",
                reading.name
            )));
        }
        let drawn = !dims.contains(&0);
        let three_fry = algorithm(reading, alg, drawn)?;
        let looked_at = drawn || answers.empty_output == NothingToDraw::Both;
        if looked_at
            && answers.empty_range == EmptyRange::Refused
            && let Values::Range(bounds) = values
        {
            let [min, max] = bounds.map(|bits| Scalar::new(dtype, bits).to_i128());
            if min >= max {
                return check::refuse(ErrorKind::Range, format!("minval is {min} and maxval {max}"));
            }
        }
        Ok(Self {
            reading,
            dtype,
            shape: limits.shape(dtype, &dims)?,
            key,
            counter,
            three_fry,
            values,
        })
    }

    fn per_element(&self) -> usize {
        match self.values {
            Values::Floats => Convert::Philox(&self.reading.philox_convert).words_per_element(self.dtype),
            Values::Full if self.reading.stateless.full_words == FullWords::One => 1,
            Values::Full => self.dtype.size() / 4,
            Values::Range(_) => self.integers().words_per_element(),
        }
    }

    /// The reduction to a range, of the signed type of the same width.
    fn integers(&self) -> Integers<'_> {
        let bounds = match self.values {
            Values::Range(bounds) => bounds,
            Values::Floats | Values::Full => [0, 1],
        };
        let (work, bounds) = if self.dtype.size() == 8 {
            (Dtype::I64, bounds.map(u64::cast_signed))
        } else {
            (
                Dtype::I32,
                bounds.map(|bits| i64::from(split_64(bits)[0].cast_signed())),
            )
        };
        Integers::new(&self.reading.philox_integer, work, bounds)
    }

    /// The words of the first elements; of Philox, whose layout may depend on the shape, of all.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is not memory enough.
    fn words(&self, count: usize) -> Result<Vec<u32>, Failure> {
        let per_element = self.per_element();
        let mut words = words_buffer(count.saturating_mul(2))?;
        if self.three_fry {
            let bytes = self.counter.to_le_bytes();
            let low = u64::from_le_bytes(*bytes.first_chunk().expect("sixteen bytes begin with eight"));
            bit_generator::three_fry(
                self.reading,
                [self.key, low],
                (&self.shape, count),
                per_element,
                &mut words,
            );
        } else {
            let block = Block::new(&self.reading.philox, split_64(self.key));
            let counter = Counter::new(self.counter, &self.reading.stream);
            let layout = of_shape(self.reading.stream.layout, &self.shape);
            let stream = PhiloxWords::new(block, counter, layout, per_element, count);
            let mut stream = Words::philox(stream, self.reading.memory.words);
            match self.values {
                Values::Floats => {
                    Convert::Philox(&self.reading.philox_convert).draw(
                        self.dtype,
                        &mut stream,
                        count,
                        &mut words,
                    );
                }
                Values::Range(_) => self.integers().draw(&mut stream, count, &mut words),
                Values::Full => stream.take(count, per_element, &mut words),
            }
        }
        Ok(words)
    }

    fn output(&self, shape: &Shape, words: &[u32]) -> Result<Tensor, Failure> {
        let mut bytes = buffer(self.dtype, shape)?;
        let integers = self.integers();
        for element in words.chunks_exact(self.per_element()) {
            if matches!(self.values, Values::Floats) {
                let unit = Convert::Philox(&self.reading.philox_convert).unit(self.dtype, element);
                push(self.dtype, unit, *self.reading.nan, &mut bytes);
                continue;
            }
            let bits = match self.values {
                Values::Range([min, max]) => {
                    match (min == max, self.is_empty(), self.reading.stateless.empty_range) {
                        (_, true, EmptyRange::Minimum) => min,
                        (true, ..) => min.wrapping_add(joined(self.reading.philox_integer.order, element)),
                        _ => integers.value(element).cast_unsigned(),
                    }
                }
                _ => self.full(element),
            };
            bytes.extend_from_slice(&bits.to_le_bytes()[..self.dtype.size()]);
        }
        Ok(bytes.into_tensor())
    }

    fn is_empty(&self) -> bool {
        match self.values {
            Values::Range(bounds) => {
                let [min, max] = bounds.map(|bits| Scalar::new(self.dtype, bits).to_i128());
                min >= max
            }
            Values::Floats | Values::Full => false,
        }
    }

    fn full(&self, words: &[u32]) -> u64 {
        let bits = joined(self.reading.stateless.full_order, words);
        match self.reading.stateless.full_bits {
            FullBits::All => bits,
            FullBits::Ored => bits & 0xffff_ffff | bits >> 32,
            FullBits::WithoutSign => bits & (u64::MAX >> (65 - 8 * self.dtype.size())),
        }
    }
}

/// The key, the counter and the number of the algorithm.
///
/// # Errors
/// What is refused of their types and forms.
pub(super) fn words(
    reading: &Reading,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
) -> Result<(u64, u128, i64), Failure> {
    let key = check::list("key", key, Dtype::U64, &[1])?[0];
    let counter = list("counter", counter)?;
    // What is wrong with the counter comes before what is wrong with the algorithm's type and form.
    let number = alg.get(0).map_or(0, Scalar::to_i64);
    counter_is_long_enough(reading, &counter, number)?;
    check::one("alg", alg, Dtype::I32)?;
    let key = super::seeds::cut(reading.stream.key_bits, key);
    let key = ordered(reading.stateless.key_order, key);
    Ok((key, halves(reading, &counter), number))
}

fn joined(order: WordOrder, words: &[u32]) -> u64 {
    match (words, order) {
        (&[first, second], WordOrder::LowFirst) => u64::from(second) << 32 | u64::from(first),
        (&[first, second], WordOrder::HighFirst) => u64::from(first) << 32 | u64::from(second),
        _ => u64::from(words[0]),
    }
}

fn ordered(order: WordOrder, value: u64) -> u64 {
    match order {
        WordOrder::LowFirst => value,
        WordOrder::HighFirst => value.rotate_left(32),
    }
}

impl super::plan::Plan for Plan<'_> {
    /// Elements of the output.
    fn count(&self) -> usize {
        self.shape.count()
    }

    /// The value.
    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let words = self.words(self.count())?;
        self.output(&self.shape, &words).map(Response::of)
    }

    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        if !self.three_fry || self.count() <= count {
            return Ok(self.run(entropy)?.output);
        }
        self.output(&Shape::vector(count), &self.words(count)?)
    }

    /// Words and output.
    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let words = self.words(self.count())?;
        let scaled = self.output(&self.shape, &words)?;
        let narrow = self.three_fry && self.per_element() == 1;
        Ok(Stages {
            words,
            words_per_element: self.per_element(),
            words_per_block: if narrow {
                1
            } else if self.three_fry {
                2
            } else {
                4
            },
            counters: Vec::new(),
            unit: self.dtype.is_float().then(|| scaled.clone()),
            scaled,
        })
    }
}

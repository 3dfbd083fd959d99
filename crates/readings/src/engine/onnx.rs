//! ONNX's `RandomUniform` with a generator that is named, `InitPRNG` and `SplitPRNG`.

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OnnxGenerator, OnnxInitPrng, OnnxRandomUniform,
    OnnxSplitPrng, Request, Response, Shape,
};

use super::arithmetic::{Arithmetic, buffer, push};
use super::philox::{Block, split_64};
use super::plan::Plan as _;
use super::seeds::cut;
use super::servers::word;
use super::units::two_to;
use super::{check, scope, threefry};
use crate::answers::{
    FirstWord, OnnxData, OnnxDigits, OnnxDouble, OnnxHigh, OnnxOffset, OnnxScale, OnnxSeed, OnnxSplitFrom,
    OnnxWidened,
};
use crate::reading::Reading;
use crate::round::f64_of;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    what: What,
}

enum What {
    Floats {
        key: u64,
        offset: u64,
        low: f64,
        high: f64,
    },
    State(u64),
    Split {
        state: [u32; 2],
        data: Option<Vec<u64>>,
    },
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let (dtype, dims, what) = match request {
            Request::OnnxRandomUniform(request) => uniform(reading, request)?,
            Request::OnnxInitPrng(request) => state(request)?,
            Request::OnnxSplitPrng(request) => split(reading, request)?,
            _ => return Err(Failure::no_op(request.op())),
        };
        Ok(Self {
            reading,
            dtype,
            shape: limits.shape(dtype, &dims)?,
            what,
        })
    }

    fn floats(&self, [key, offset]: [u64; 2], bounds: [f64; 2], bytes: &mut Elements) {
        let answers = &self.reading.onnx_prng;
        let block = Block::new(&self.reading.philox, split_64(key));
        let mut words = (0_u128..).flat_map(|number| {
            block.words(match answers.offset {
                OnnxOffset::High => u128::from(offset) << 64 | number,
                OnnxOffset::Added => number.wrapping_add(u128::from(offset)),
                OnnxOffset::Ignored => number,
                OnnxOffset::Exchanged => u128::from(offset.rotate_left(32)) << 64 | number,
            })
        });
        let a = match answers.scale {
            OnnxScale::HalvesCut => Arithmetic::toward_zero(self.dtype),
            _ => Arithmetic::ieee(self.dtype),
        };
        let [low, high] = bounds.map(|bound| a.of_f64(bound));
        let range = a.sub(high, low);
        for _ in 0..self.count() {
            let mut next = || words.next().unwrap_or(0);
            let u = if self.dtype == Dtype::F64 {
                let [first, second] = ordered(answers.wide, [next(), next()]);
                let digits = match answers.double {
                    OnnxDouble::Shift5And6 => u64::from(first >> 5) << 26 | u64::from(second >> 6),
                    OnnxDouble::In32 => u64::from(first >> 5 << 26 | second >> 6),
                    OnnxDouble::Shift6And5 => u64::from(first >> 6) << 27 | u64::from(second >> 5),
                    OnnxDouble::Top => (u64::from(first) << 32 | u64::from(second)) >> 11,
                };
                f64_of(digits) * two_to(-53)
            } else {
                let hidden = u32::from(answers.digits != OnnxDigits::Stored);
                let digits = self.dtype.mantissa_bits() + hidden;
                let word = match answers.digits {
                    OnnxDigits::Top | OnnxDigits::Stored => next() >> (32 - digits),
                    OnnxDigits::Low => next() & ((1 << digits) - 1),
                };
                f64::from(word) * two_to(-digits.cast_signed())
            };
            let value = match answers.scale {
                OnnxScale::Fused => a.fused(u, range, low),
                OnnxScale::HalvesAtEnd if self.dtype.size() == 2 => {
                    let wide = Arithmetic::ieee(Dtype::F32);
                    a.of_f64(wide.add(wide.mul(u, wide.sub(high, low)), low))
                }
                OnnxScale::Separate | OnnxScale::HalvesAtEnd | OnnxScale::HalvesCut => {
                    a.add(a.mul(u, range), low)
                }
            };
            push(self.dtype, value, *self.reading.nan, bytes);
        }
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        let answers = &self.reading.onnx_prng;
        match &self.what {
            What::Floats {
                key,
                offset,
                low,
                high,
            } => self.floats([*key, *offset], [*low, *high], &mut bytes),
            What::State(seed) => {
                let [low, high] = split_64(*seed);
                let high = match answers.high {
                    OnnxHigh::Floor => high,
                    OnnxHigh::TowardZero => split_64((seed.cast_signed() / (1 << 32)).cast_unsigned())[0],
                };
                push_state(answers.widened, ordered(answers.state, [high, low]), &mut bytes);
            }
            What::Split { state, data } => {
                let mut block = threefry::Block::new(&self.reading.threefry, joined(*state));
                for place in 0..self.count() / 2 {
                    let index = u64::try_from(place).unwrap_or(u64::MAX);
                    let number = data.as_ref().map_or(index, |data| data[place]);
                    let [low, high] = split_64(number);
                    let counter = ordered(answers.counter, [high, low]);
                    let split = block.words(joined(counter));
                    push_state(answers.widened, split, &mut bytes);
                    if answers.split_from == OnnxSplitFrom::Before {
                        block = threefry::Block::new(&self.reading.threefry, joined(split));
                    }
                }
            }
        }
        Ok(Response::of(bytes.into_tensor()))
    }
}

type Checked = (Dtype, Vec<u64>, What);

fn uniform(reading: &Reading, request: &OnnxRandomUniform) -> Result<Checked, Failure> {
    let dtype = check::output_type(&request.output_type, Dtype::is_float)?;
    let generator = request.generator.as_ref();
    let generator = generator
        .map(|generator| check::known("generator", generator))
        .transpose()?;
    if generator != Some(OnnxGenerator::Philox4x32_10) {
        return Err(scope::lacks(reading, "values of an unspecified generator"));
    }
    let seed = match request.seed_int64.map(i64::try_from) {
        Some(Ok(seed)) if request.seed.is_none() => seed,
        _ => return check::attribute("philox4x32_10 takes seed_int64 of 64 bits and no seed"),
    };
    if request.output_sizes.is_empty() {
        return check::refuse(ErrorKind::Shape, "the output has no extent");
    }
    let low = check::one("low", &request.low, Dtype::F32)?.to_f64();
    let high = check::one("high", &request.high, Dtype::F32)?.to_f64();
    let offset = request
        .offset
        .as_ref()
        .map_or(Ok(0), |offset| word("offset", offset))?;
    let offset = cut(reading.onnx_prng.offset_bits, offset);
    let key = match reading.onnx_prng.seed {
        OnnxSeed::Complement => seed.cast_unsigned(),
        OnnxSeed::Absolute => seed.unsigned_abs(),
        OnnxSeed::Low32 => u64::from(split_64(seed.cast_unsigned())[0]),
    };
    let what = What::Floats {
        key,
        offset,
        low,
        high,
    };
    Ok((dtype, request.output_sizes.clone(), what))
}

fn state(request: &OnnxInitPrng) -> Result<Checked, Failure> {
    let seed = word("seed", &request.seed)?;
    Ok((Dtype::I64, vec![2], What::State(seed)))
}

fn split(reading: &Reading, request: &OnnxSplitPrng) -> Result<Checked, Failure> {
    let count = i64::try_from(request.num_outputs)
        .ok()
        .and_then(|count| u64::try_from(count).ok());
    let Some(count) = count.filter(|&count| count > 0) else {
        return check::attribute(format!("num_outputs is {}", request.num_outputs));
    };
    let words = check::list("prng_state", &request.prng_state, Dtype::I64, &[2])?;
    if words.iter().any(|&word| split_64(word)[1] != 0) {
        return check::refuse(ErrorKind::Range, "a word of prng_state has more than 32 bits");
    }
    let state = [words[0], words[1]].map(|word| split_64(word)[0]);
    let arrived = |number: u64| match reading.onnx_prng.data {
        OnnxData::All | OnnxData::Ignored => number,
        OnnxData::Low32 => u64::from(split_64(number)[0]),
        OnnxData::SignExtended => i64::from(split_64(number)[0].cast_signed()).cast_unsigned(),
    };
    let data = match &request.data {
        Some(data) => {
            let numbers = check::list("data", data, Dtype::I64, &[count])?;
            let is_used = reading.onnx_prng.data != OnnxData::Ignored;
            is_used.then(|| numbers.into_iter().map(arrived).collect())
        }
        None => None,
    };
    Ok((Dtype::I64, vec![count, 2], What::Split { state, data }))
}

fn push_state(answer: OnnxWidened, words: [u32; 2], bytes: &mut Elements) {
    let widened = |word: u32| match answer {
        OnnxWidened::Zeros => i64::from(word),
        OnnxWidened::Sign => i64::from(word.cast_signed()),
    };
    bytes.extend(words.iter().flat_map(|&word| widened(word).to_le_bytes()));
}

fn ordered(answer: FirstWord, [first, second]: [u32; 2]) -> [u32; 2] {
    match answer {
        FirstWord::High => [first, second],
        FirstWord::Low => [second, first],
    }
}

fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

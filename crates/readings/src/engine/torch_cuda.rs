//! PyTorch's draws on CUDA under a reading's answers.

mod bounds;

use std::cmp::Ordering;

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Request, Response, Scalar, Shape, Tensor};

use super::arithmetic::{buffer, push};
use super::check::{self, FLOATS};
use super::integers::reduced;
use super::normal::Pair;
use super::philox::{Block, split_64};
use super::units::word_of;
use crate::answers::{
    Bits, CudaBlock, CudaBy, CudaDouble, CudaHalf, CudaHeld, CudaInteger, CudaInterval, CudaLap, CudaLayout,
    CudaOffset, CudaOne, CudaPart, CudaScale, CudaThread, CudaThreads, CudaUnit, CudaUpper, HighWord,
    RadiusFrom, Reduction,
};
use crate::reading::Reading;
use crate::round::f32_of;
use bounds::{integers, rounded, uniform};

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    key: u64,
    block: Block,
    /// Blocks of each thread before the call.
    before: u64,
    threads: u64,
    what: What,
}

enum What {
    Uniform { from: f64, to: f64 },
    Integers { from: i64, range: u128, is_wide: bool },
    Ones { p: f64 },
    Normals { mean: f32, std: f32 },
}

/// The attributes that all ops have.
struct Launch<'a> {
    sizes: &'a [u64],
    seed: u64,
    offset: i128,
    processors: i128,
    threads: i128,
}

/// What follows from them.
struct Launched<'a> {
    sizes: &'a [u64],
    seed: u64,
    /// Blocks of each thread before the call.
    before: u64,
    /// The most threads.
    most: u64,
}

/// The launch of a request of any of the ops. It is refused before what is drawn.
macro_rules! launch {
    ($reading:ident, $request:ident) => {
        checked(
            $reading,
            &Launch {
                sizes: &$request.output_sizes,
                seed: $request.seed,
                offset: $request.offset,
                processors: $request.multiprocessors,
                threads: $request.threads_per_multiprocessor,
            },
        )?
    };
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let of = |attribute, types: &[Dtype]| check::output_type(attribute, |dtype| types.contains(&dtype));
        let scalar = |name: &str, tensor: &Tensor| check::one(name, tensor, Dtype::F64).map(Scalar::to_f64);
        let (dtype, launch, what) = match request {
            Request::TorchCudaUniform(request) => {
                let dtype = of(&request.output_type, &FLOATS)?;
                let launch = launch!(reading, request);
                let [from, to] = uniform(
                    dtype,
                    [scalar("from", &request.from)?, scalar("to", &request.to)?],
                )?;
                (dtype, launch, What::Uniform { from, to })
            }
            Request::TorchCudaRandom(request) => {
                let dtype = of(
                    &request.output_type,
                    &[Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64, Dtype::U8],
                )?;
                let launch = launch!(reading, request);
                let (from, range, is_wide) = integers(reading, dtype, request.from, request.to)?;
                (dtype, launch, What::Integers { from, range, is_wide })
            }
            Request::TorchCudaBernoulli(request) => {
                let types = [&FLOATS[..], &[Dtype::I64, Dtype::U8]].concat();
                let dtype = of(&request.output_type, &types)?;
                let launch = launch!(reading, request);
                let p = scalar("p", &request.p)?;
                if !(0.0..=1.0).contains(&p) {
                    return check::refuse(ErrorKind::Range, format!("the probability is {p}"));
                }
                (dtype, launch, What::Ones { p })
            }
            Request::TorchCudaNormal(request) => {
                let dtype = of(&request.output_type, &FLOATS)?;
                let launch = launch!(reading, request);
                let [mean, std] = [scalar("mean", &request.mean)?, scalar("std", &request.std)?];
                if std < 0.0 || std.is_nan() {
                    return check::refuse(ErrorKind::Range, format!("the standard deviation is {std}"));
                }
                let [mean, std] = [mean, std].map(f32_of);
                (dtype, launch, What::Normals { mean, std })
            }
            _ => return Err(Failure::no_op(request.op())),
        };
        if dtype == Dtype::F64 && matches!(what, What::Normals { .. }) {
            return Err(Failure::Unsupported(String::from("normals of f64")));
        }
        let Launched {
            before,
            most,
            sizes,
            seed,
        } = launch;
        let shape = limits.shape(dtype, sizes)?;
        let has_all_bits = matches!(what, What::Integers { range, .. } if range >> 64 > 0);
        if has_all_bits && dtype != Dtype::I64 && shape.count() > 0 {
            return check::refuse(ErrorKind::Range, format!("64 bits do not fit into {dtype}"));
        }
        let key = match reading.torch_cuda.seed {
            Bits::All => seed,
            Bits::Low32 => seed & u64::from(u32::MAX),
        };
        let block = per_block(reading);
        let count = u64::try_from(shape.count().max(1)).unwrap_or(u64::MAX);
        let needed = count.div_ceil(block).saturating_mul(block);
        Ok(Self {
            reading,
            dtype,
            key,
            block: Block::new(&reading.philox, split_64(key)),
            before,
            threads: match reading.torch_cuda.threads {
                CudaThreads::AtMostTheCards => needed.min(most),
                CudaThreads::Elements => needed,
                CudaThreads::WholeBlocks => (count / block * block).clamp(block, most),
                CudaThreads::FourElements => (count.div_ceil(4 * block) * block).min(most),
                CudaThreads::Fixed(threads) => threads.into(),
            },
            shape,
            what,
        })
    }

    /// The block of an element, and its part of the block, of as many as there are.
    fn place(&self, element: u64, parts: u64) -> ([u32; 4], usize) {
        let answers = &self.reading.torch_cuda;
        let (thread, turn) = match answers.layout {
            CudaLayout::LaunchApart => (element % self.threads, element / self.threads),
            CudaLayout::OneStream => (0, element),
            CudaLayout::BlockEach => (element % self.threads, element / self.threads * parts),
            CudaLayout::Neighbours => {
                let group = element / parts;
                let turn = group / self.threads * parts + element % parts;
                (group % self.threads, turn)
            }
        };
        let laps = match answers.lap {
            CudaLap::Next => turn / parts,
            CudaLap::Same => 0,
            CudaLap::Fourth => turn / parts * 4,
        };
        let blocks = u128::from(self.before.wrapping_add(laps));
        let wide = u128::from(thread);
        let words = match answers.thread {
            CudaThread::High => self.block.words(wide << 64 | blocks),
            CudaThread::Low => self.block.words(blocks << 64 | wide),
            // A kernel that fills the words one by one has no carry between them: an offset past 2^34 overlaps the thread.
            CudaThread::SecondWord => self.block.words(wide << 32 | blocks),
            CudaThread::TopWord => self.block.words(wide << 96 | blocks),
            // A thread has a key of its own here, so that the one block that the launch keeps cannot serve it.
            CudaThread::Key => {
                let key = split_64(self.key.wrapping_add(thread));
                Block::new(&self.reading.philox, key).words(blocks)
            }
        };
        let part = match answers.part {
            CudaPart::FirstFirst => turn % parts,
            CudaPart::LastFirst => parts - 1 - turn % parts,
        };
        (words, usize::try_from(part).unwrap_or(0))
    }

    /// A word as a number of the unit interval.
    fn unit(&self, word: u32) -> f32 {
        let word = match self.reading.torch_cuda.unit {
            CudaUnit::Rounded => f64::from(f32_of(f64::from(word))),
            CudaUnit::Whole => f64::from(word),
            CudaUnit::Upper24 => return f32_of(f64::from(word >> 8) / 16_777_216.0),
            CudaUnit::Upper24Half => return f32_of((f64::from(word >> 8) + 0.5) / 16_777_216.0),
            CudaUnit::Upper23Half => return f32_of((f64::from(word >> 9) + 0.5) / 8_388_608.0),
        };
        // Sum and quotient are exact in double.
        f32_of((word + self.half_step()) / 4_294_967_296.0)
    }

    fn half_step(&self) -> f64 {
        match self.reading.torch_cuda.interval {
            CudaInterval::AboveZero => 0.5,
            CudaInterval::FromZero => 0.0,
        }
    }

    /// The number of an element in the unit interval.
    fn single(&self, element: u64) -> f32 {
        let (words, part) = self.place(element, 4);
        self.unit(words[part])
    }

    fn double(&self, element: u64) -> f64 {
        let answer = self.reading.torch_cuda.double;
        if answer == CudaDouble::OneWord {
            return self.single(element).into();
        }
        let (words, part) = self.place(element, 2);
        let [first, second] = [words[2 * part], words[2 * part + 1]].map(u64::from);
        let [low, high] = match self.reading.torch_cuda.words {
            HighWord::First => [first, second],
            HighWord::Second => [second, first],
        };
        // 53 bits, so that the sum alone is rounded.
        let bits = match answer {
            CudaDouble::Top => (low << 32 | high) >> 11,
            CudaDouble::MixedIn32 => low ^ high << 21 & u64::from(u32::MAX),
            _ => low ^ high << 21,
        };
        let [low, high] = split_64(bits).map(f64::from);
        let digits = high * 4_294_967_296.0 + low;
        (digits + self.half_step()) * (f64::EPSILON / 2.0)
    }

    /// A number of the unit interval in the output's range.
    fn uniform(&self, element: u64, [from, to]: [f64; 2]) -> f64 {
        let answers = &self.reading.torch_cuda;
        let value = if self.dtype == Dtype::F64 {
            let unit = self.double(element);
            let by = match answers.by {
                CudaBy::Range => to - from,
                CudaBy::Upper => to,
            };
            match answers.scale {
                CudaScale::Once => unit.mul_add(by, from),
                CudaScale::Twice => unit * by + from,
                CudaScale::Interpolated => (1.0 - unit) * from + unit * to,
            }
        } else {
            let unit = match answers.half {
                CudaHalf::Scaled => self.single(element),
                CudaHalf::Before => f32_of(rounded(self.dtype, self.single(element).into())),
            };
            let [low, high] = [from, to].map(f32_of);
            let by = match answers.by {
                CudaBy::Range => f32_of(rounded(self.dtype, f64::from(high - low))),
                CudaBy::Upper => high,
            };
            let value = match answers.scale {
                CudaScale::Once => unit.mul_add(by, low),
                CudaScale::Twice => unit * by + low,
                CudaScale::Interpolated => (1.0 - unit) * low + unit * high,
            };
            rounded(self.dtype, f64::from(value))
        };
        // As numbers: a bound may be a zero of either sign.
        let is_past = value.partial_cmp(&to) == Some(Ordering::Equal) && answers.upper == CudaUpper::Lower;
        if is_past { from } else { value }
    }

    /// A word or two as a number from `from` on, of which there are `range`.
    fn integer(&self, element: u64, from: i64, range: u128, is_wide: bool) -> i64 {
        let answers = &self.reading.torch_cuda;
        let (words, part) = self.place(element, if is_wide { 2 } else { 4 });
        let (word, bits) = if is_wide {
            let [high, low] = match answers.words {
                HighWord::First => [words[2 * part], words[2 * part + 1]],
                HighWord::Second => [words[2 * part + 1], words[2 * part]],
            };
            (u64::from(high) << 32 | u64::from(low), 64)
        } else {
            (u64::from(words[part]), 32)
        };
        // Of all 64 bits there is nothing to leave out.
        let Ok(range) = u64::try_from(range) else {
            return from.wrapping_add_unsigned(word);
        };
        let reduction = match answers.integer {
            CudaInteger::ProductOfOne if !is_wide => Reduction::MultiplyShift,
            _ => answers.reduction,
        };
        // Two words are reduced as the number of 64 bits that they are, and a narrower type takes what is left.
        let work = if is_wide || self.dtype.size() == 8 {
            Dtype::I64
        } else {
            Dtype::I32
        };
        reduced(reduction, work, (word, bits), from, range)
    }

    fn is_one(&self, element: u64, p: f64) -> bool {
        if self.reading.torch_cuda.one == CudaOne::Words && self.dtype != Dtype::F64 {
            let (words, part) = self.place(element, 4);
            return u64::from(words[part]) < word_of(f64::from(f32_of(p)));
        }
        let (number, p, complement) = if self.dtype == Dtype::F64 {
            (self.double(element), p, 1.0 - p)
        } else {
            let single = f32_of(p);
            (
                self.single(element).into(),
                single.into(),
                f64::from(1.0 - single),
            )
        };
        match self.reading.torch_cuda.one {
            CudaOne::Below | CudaOne::Words => number < p,
            CudaOne::AtMost => number <= p,
            CudaOne::AboveComplement => number > complement,
        }
    }

    fn normal(&self, element: u64, [mean, std]: [f32; 2]) -> f32 {
        let (words, part) = self.place(element, 4);
        let two = [words[part / 2 * 2], words[part / 2 * 2 + 1]];
        let answers = &self.reading.cuda_normal;
        let [of_radius, of_angle] = match answers.from {
            RadiusFrom::First => two,
            RadiusFrom::Second => [two[1], two[0]],
        };
        let pair = Pair(answers);
        let step = f32::from_bits(0x2f80_0000) * f32_of(pair.turn());
        let angle = f32_of(f64::from(of_angle)).mul_add(step, step / 2.0);
        let normal = pair.at(pair.radius(self.unit(of_radius)), angle)[part % 2];
        pair.scaled(normal, [mean, std])
    }
}

fn checked<'a>(reading: &Reading, launch: &Launch<'a>) -> Result<Launched<'a>, Failure> {
    let answers = &reading.torch_cuda;
    let offset = u64::try_from(launch.offset).ok().filter(|offset| offset % 4 == 0);
    let Some(offset) = offset else {
        return check::refuse(ErrorKind::Attribute, format!("the offset is {}", launch.offset));
    };
    let [Ok(processors), Ok(threads)] = [launch.processors, launch.threads].map(u32::try_from) else {
        return check::refuse(ErrorKind::Attribute, "a card has no such numbers of threads");
    };
    if processors == 0 || threads < 256 {
        return check::refuse(ErrorKind::Attribute, "a card runs a block of threads or more");
    }
    let block = per_block(reading);
    let held = match answers.held {
        CudaHeld::Given => threads.into(),
        CudaHeld::H1024 => 1024,
        CudaHeld::H1536 => 1536,
        CudaHeld::H2048 => 2048,
    };
    let most = u64::from(processors) * (held / block * block);
    let (before, more) = match answers.offset {
        CudaOffset::Words => (offset / 4, 0),
        CudaOffset::Blocks => (offset, 0),
        CudaOffset::Nothing => (0, 0),
        CudaOffset::Low32 => ((offset & u64::from(u32::MAX)) / 4, 0),
        CudaOffset::Seed => (0, offset),
    };
    Ok(Launched {
        sizes: launch.sizes,
        seed: launch.seed.wrapping_add(more),
        before,
        most: most.max(block),
    })
}

fn per_block(reading: &Reading) -> u64 {
    match reading.torch_cuda.block {
        CudaBlock::B128 => 128,
        CudaBlock::B256 => 256,
        CudaBlock::B512 => 512,
        CudaBlock::B1024 => 1024,
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        let nan = *self.reading.nan;
        for (element, _) in (0_u64..).zip(0..self.count()) {
            match self.what {
                What::Uniform { from, to } => {
                    push(self.dtype, self.uniform(element, [from, to]), nan, &mut bytes);
                }
                What::Integers { from, range, is_wide } => {
                    let integer = self.integer(element, from, range, is_wide);
                    bytes.extend_from_slice(&integer.to_le_bytes()[..self.dtype.size()]);
                }
                What::Ones { p } => {
                    let one = u8::from(self.is_one(element, p));
                    if self.dtype.is_float() {
                        push(self.dtype, one.into(), nan, &mut bytes);
                    } else {
                        bytes.extend_from_slice(&u64::from(one).to_le_bytes()[..self.dtype.size()]);
                    }
                }
                What::Normals { mean, std } => {
                    let normal = self.normal(element, [mean, std]);
                    push(self.dtype, f64::from(normal), nan, &mut bytes);
                }
            }
        }
        Ok(Response::of(bytes.into_tensor()))
    }
}

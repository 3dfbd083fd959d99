//! PyTorch's draws on CUDA under a reading's answers.

use std::cmp::Ordering;

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Request, Response, Shape, Tensor};

use super::arithmetic::{Arithmetic, buffer, push};
use super::check;
use super::normal::Pair;
use super::philox::{Block, split_64};
use crate::answers::{
    Bits, CudaBlock, CudaInterval, CudaLap, CudaLayout, CudaOffset, CudaScale, CudaThread, CudaThreads,
    CudaUnit, CudaUpper, CudaWide, CudaWords, RadiusFrom,
};
use crate::reading::Reading;
use crate::round::f32_of;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    block: Block,
    /// Blocks of each thread before the call.
    before: u64,
    threads: u64,
    what: What,
}

enum What {
    Uniform { from: f64, to: f64 },
    Integers { from: i128, range: u128, is_wide: bool },
    Ones { p: f64 },
    Normals { mean: f32, std: f32 },
}

const FLOATS: &[Dtype] = &[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

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
        let of = |attribute, types: &[Dtype]| {
            let dtype = check::known("output_type", attribute)?;
            if types.contains(&dtype) {
                return Ok(dtype);
            }
            check::refuse(ErrorKind::Attribute, format!("the output is of {dtype}"))
        };
        let (dtype, launch, what) = match request {
            Request::TorchCudaUniform(request) => {
                let dtype = of(&request.output_type, FLOATS)?;
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
                let what = integers(reading, dtype, request.from, request.to)?;
                (dtype, launch, what)
            }
            Request::TorchCudaBernoulli(request) => {
                let types = [FLOATS, &[Dtype::I64, Dtype::U8]].concat();
                let dtype = of(&request.output_type, &types)?;
                let launch = launch!(reading, request);
                let p = scalar("p", &request.p)?;
                if !(0.0..=1.0).contains(&p) {
                    return check::refuse(ErrorKind::Range, format!("the probability is {p}"));
                }
                (dtype, launch, What::Ones { p })
            }
            Request::TorchCudaNormal(request) => {
                let dtype = of(&request.output_type, FLOATS)?;
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
        let [low, high] = split_64(seed);
        let key = match reading.torch_cuda.seed {
            Bits::All => [low, high],
            Bits::Low32 => [low, 0],
        };
        let block = per_block(reading);
        let needed = u64::try_from(shape.count().max(1))
            .unwrap_or(u64::MAX)
            .div_ceil(block)
            .saturating_mul(block);
        Ok(Self {
            reading,
            dtype,
            block: Block::new(&reading.philox, key),
            before,
            threads: match reading.torch_cuda.threads {
                CudaThreads::AtMostTheCards => needed.min(most),
                CudaThreads::Elements => needed,
            },
            shape,
            what,
        })
    }

    /// The block of an element, and its part of the block, of as many as there are.
    fn place(&self, element: u64, parts: u64) -> ([u32; 4], usize) {
        let (thread, turn) = match self.reading.torch_cuda.layout {
            CudaLayout::LaunchApart => (element % self.threads, element / self.threads),
            CudaLayout::Neighbours => {
                let group = element / parts;
                let turn = group / self.threads * parts + element % parts;
                (group % self.threads, turn)
            }
        };
        let laps = match self.reading.torch_cuda.lap {
            CudaLap::Next => turn / parts,
            CudaLap::Same => 0,
        };
        let blocks = u128::from(self.before.wrapping_add(laps));
        let thread = u128::from(thread);
        let counter = match self.reading.torch_cuda.thread {
            CudaThread::High => thread << 64 | blocks,
            CudaThread::Low => blocks << 64 | thread,
        };
        let part = usize::try_from(turn % parts).unwrap_or(0);
        (self.block.words(counter), part)
    }

    /// A word as a number of the unit interval.
    fn unit(&self, word: u32) -> f32 {
        let word = match self.reading.torch_cuda.unit {
            CudaUnit::Rounded => f64::from(f32_of(f64::from(word))),
            CudaUnit::Whole => f64::from(word),
            CudaUnit::Upper24 => return f32_of(f64::from(word >> 8) / 16_777_216.0),
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

    fn unit_of_two(&self, element: u64) -> f64 {
        let (words, part) = self.place(element, 2);
        let [first, second] = [words[2 * part], words[2 * part + 1]].map(u64::from);
        let [low, high] = match self.reading.torch_cuda.words {
            CudaWords::HighFirst => [first, second],
            CudaWords::LowFirst => [second, first],
        };
        // 53 bits, so that the sum alone is rounded.
        let [low, high] = split_64(low ^ high << 21).map(f64::from);
        let digits = high * 4_294_967_296.0 + low;
        (digits + self.half_step()) * (f64::EPSILON / 2.0)
    }

    fn normal(&self, element: u64, [mean, std]: [f32; 2]) -> f32 {
        let (words, part) = self.place(element, 4);
        let two = [words[part / 2 * 2], words[part / 2 * 2 + 1]];
        let answers = &self.reading.cuda_normal;
        let [of_radius, of_angle] = match answers.from {
            RadiusFrom::First => two,
            RadiusFrom::Second => [two[1], two[0]],
        };
        let step = f32::from_bits(0x2f80_0000) * (2.0 * std::f32::consts::PI);
        let angle = f32_of(f64::from(of_angle)).mul_add(step, step / 2.0);
        let pair = Pair(answers);
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
    let most = u64::from(processors) * (u64::from(threads) / block * block);
    let before = match answers.offset {
        CudaOffset::Words => offset / 4,
        CudaOffset::Blocks => offset,
        CudaOffset::Nothing => 0,
    };
    Ok(Launched {
        sizes: launch.sizes,
        seed: launch.seed,
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

/// A single number of f64.
fn scalar(name: &str, tensor: &Tensor) -> Result<f64, Failure> {
    if tensor.dtype() != Dtype::F64 {
        return check::refuse(ErrorKind::Dtype, format!("{name} is of {}", tensor.dtype()));
    }
    match tensor.get(0) {
        Some(number) if tensor.shape().rank() == 0 => Ok(number.to_f64()),
        _ => check::refuse(ErrorKind::Shape, format!("{name} is not a scalar")),
    }
}

/// Bounds as numbers of the type.
fn uniform(dtype: Dtype, bounds: [f64; 2]) -> Result<[f64; 2], Failure> {
    let greatest = match dtype {
        Dtype::F16 => 65504.0,
        Dtype::Bf16 => f64::from(f32::from_bits(0x7f7f_0000)),
        Dtype::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let [from, to] = bounds;
    let is_number = |x: f64| (-greatest..=greatest).contains(&x);
    if !(is_number(from) && is_number(to) && from <= to && to - from <= greatest) {
        return check::refuse(ErrorKind::Range, format!("the bounds are {from} and {to}"));
    }
    Ok(bounds.map(|bound| rounded(dtype, bound)))
}

fn rounded(dtype: Dtype, x: f64) -> f64 {
    match dtype {
        Dtype::F64 => x,
        _ => Arithmetic::ieee(dtype).round(f32_of(x)),
    }
}

fn integers(reading: &Reading, dtype: Dtype, from: Option<i128>, to: Option<i128>) -> Result<What, Failure> {
    let of_type = dtype.integers().expect("a type of integers");
    let end = *of_type.end();
    let (from, last) = match (from, to) {
        (None, None) => {
            let range = end.unsigned_abs() + 1;
            let is_wide = dtype == Dtype::I64;
            return Ok(What::Integers {
                from: 0,
                range,
                is_wide,
            });
        }
        // Words are taken for integers as they are. Whether the type is i64 is asked where there are elements.
        (Some(from), None) if from == i128::from(i64::MIN) => {
            let range = 1 << 64;
            return Ok(What::Integers {
                from: 0,
                range,
                is_wide: true,
            });
        }
        // PyTorch's arguments are of i64, so that no upper bound is past its greatest number.
        (from, Some(to)) if to <= i128::from(i64::MAX) => (from.unwrap_or(0), to - 1),
        (Some(from), None) => (from, end),
        (_, Some(to)) => return check::refuse(ErrorKind::Range, format!("the upper bound is {to}")),
    };
    if from > last || from < *of_type.start() || last > end {
        return check::refuse(
            ErrorKind::Range,
            format!("the integers are those from {from} to {last}"),
        );
    }
    let range = last.abs_diff(from) + 1;
    if range >> 64 > 0 {
        // Words are taken for integers as they are.
        return Ok(What::Integers {
            from: 0,
            range,
            is_wide: true,
        });
    }
    let is_wide = match reading.torch_cuda.wide {
        CudaWide::Bits28 => range >> 28 > 0,
        CudaWide::Bits32 => range >> 32 > 0,
    };
    Ok(What::Integers { from, range, is_wide })
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.count(), self.dtype)?;
        let is_double = self.dtype == Dtype::F64;
        let nan = *self.reading.nan;
        for (element, _) in (0_u64..).zip(0..self.count()) {
            let number = || {
                let (words, part) = self.place(element, 4);
                self.unit(words[part])
            };
            match self.what {
                What::Uniform { from, to } => {
                    let scale = self.reading.torch_cuda.scale;
                    let value = if is_double {
                        let (unit, range) = (self.unit_of_two(element), to - from);
                        match scale {
                            CudaScale::Once => unit.mul_add(range, from),
                            CudaScale::Twice => unit * range + from,
                        }
                    } else {
                        let [unit, from, to] = [number(), f32_of(from), f32_of(to)];
                        let range = f32_of(rounded(self.dtype, f64::from(to - from)));
                        let value = match scale {
                            CudaScale::Once => unit.mul_add(range, from),
                            CudaScale::Twice => unit * range + from,
                        };
                        rounded(self.dtype, f64::from(value))
                    };
                    // As numbers: a bound may be a zero of either sign.
                    let is_past = value.partial_cmp(&to) == Some(Ordering::Equal)
                        && self.reading.torch_cuda.upper == CudaUpper::Lower;
                    push(self.dtype, if is_past { from } else { value }, nan, &mut bytes);
                }
                What::Integers { from, range, is_wide } => {
                    let word = if is_wide {
                        let (words, part) = self.place(element, 2);
                        let [high, low] = match self.reading.torch_cuda.words {
                            CudaWords::HighFirst => [words[2 * part], words[2 * part + 1]],
                            CudaWords::LowFirst => [words[2 * part + 1], words[2 * part]],
                        };
                        u128::from(high) << 32 | u128::from(low)
                    } else {
                        let (words, part) = self.place(element, 4);
                        u128::from(words[part])
                    };
                    let integer = from.wrapping_add_unsigned(word % range);
                    bytes.extend_from_slice(&integer.to_le_bytes()[..self.dtype.size()]);
                }
                What::Ones { p } => {
                    let is_one = if is_double {
                        self.unit_of_two(element) < p
                    } else {
                        number() < f32_of(p)
                    };
                    if self.dtype.is_float() {
                        push(self.dtype, f64::from(u8::from(is_one)), nan, &mut bytes);
                    } else {
                        bytes.extend_from_slice(&u64::from(is_one).to_le_bytes()[..self.dtype.size()]);
                    }
                }
                What::Normals { mean, std } => {
                    let normal = self.normal(element, [mean, std]);
                    push(self.dtype, f64::from(normal), nan, &mut bytes);
                }
            }
        }
        let output = Tensor::new(self.dtype, self.shape.clone(), bytes);
        Ok(Response::of(output.expect("each element has its bytes")))
    }
}

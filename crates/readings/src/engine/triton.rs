//! Triton's draws, and those of PyTorch's compiler: a block for each element.

use seedproof_ops::{Dtype, ErrorKind, Failure, InductorMode, Limits, Request, Response, Shape, Tensor};

use super::arithmetic::{buffer, push};
use super::check;
use super::integers::reduced;
use super::philox::{Block, split_64};
use super::servers::{number, word};
use super::units::two_to;
use seedproof_transcend::glibc;

use crate::answers::{
    AngleTurn, Bits, BlockWords, InductorKey, InductorNumber, InductorPart, InductorTop, InductorType,
    IntegerOf, RadiusFactor, RadiusFrom, SeedHigh, TopBit, TritonCounter, TritonOffset, TritonScale,
    UpperEnd, WordOrder,
};
use crate::reading::Reading;
use crate::round::f32_of;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    key: u64,
    /// What stands in the counter beside the offset.
    above: u128,
    what: What,
}

enum What {
    Words { offset: u64 },
    Integers { low: i64, span: u64 },
    Random(InductorMode),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let (dtype, dims, key, what) = match request {
            Request::TritonRand(request) => {
                let dims = vec![number("num", request.num)?];
                let key = triton_key(reading, &request.seed)?;
                let offset = word("offset", &request.offset)?;
                (Dtype::F32, dims, key, What::Words { offset })
            }
            Request::TritonRandint(request) => {
                let dims = vec![number("num", request.num)?];
                let key = triton_key(reading, &request.seed)?;
                let offset = word("offset", &request.offset)?;
                (Dtype::U32, dims, key, What::Words { offset })
            }
            Request::InductorRandint(request) => {
                let bounds = [request.low, request.high].map(i64::try_from);
                let [Ok(low), Ok(high)] = bounds else {
                    return check::refuse(ErrorKind::Range, "a bound has more than 64 bits");
                };
                if low >= high {
                    return check::refuse(ErrorKind::Range, format!("low is {low} and high {high}"));
                }
                let span = match reading.triton.end {
                    UpperEnd::Exclusive => high.abs_diff(low),
                    UpperEnd::Inclusive => high.abs_diff(low).saturating_add(1),
                };
                let key = inductor_key(reading, &request.seed)?;
                (
                    Dtype::I64,
                    request.output_sizes.clone(),
                    key,
                    What::Integers { low, span },
                )
            }
            Request::InductorRandom(request) => {
                let mode = check::known("mode", &request.mode)?;
                let key = inductor_key(reading, &request.seed)?;
                (Dtype::F32, request.output_sizes.clone(), key, What::Random(mode))
            }
            _ => return Err(Failure::no_op(request.op())),
        };
        let (key, above) = match (&what, reading.triton.seed_high) {
            (What::Words { .. }, SeedHigh::Counter) => {
                let [low, high] = split_64(key);
                (u64::from(low), u128::from(high) << 64)
            }
            _ => (key, 0),
        };
        Ok(Self {
            reading,
            dtype,
            shape: limits.shape(dtype, &dims)?,
            key,
            above,
            what,
        })
    }

    fn block(&self, block: &Block, offset: u64) -> [u32; 4] {
        let answers = &self.reading.triton;
        let offset = match answers.offset {
            TritonOffset::Low32 => u128::from(split_64(offset)[0]),
            TritonOffset::All | TritonOffset::Quarter => u128::from(offset),
        };
        block.words(self.above.wrapping_add(match answers.counter {
            TritonCounter::Low => offset,
            TritonCounter::High => offset << 64,
        }))
    }

    fn unit(&self, word: u32) -> f64 {
        let folded = match self.reading.triton.top {
            TopBit::Folded if word >> 31 == 1 => !word,
            TopBit::Negated if word >> 31 == 1 => word.wrapping_neg(),
            TopBit::Shifted => word >> 1,
            TopBit::Folded | TopBit::Negated | TopBit::Cleared => word & 0x7fff_ffff,
            TopBit::Whole => return f64::from(f32_of(f64::from(f32_of(f64::from(word))) * two_to(-32))),
        };
        match self.reading.triton.scale {
            TritonScale::Constant => below_one(folded).into(),
            TritonScale::Exact => f64::from(f32_of(f64::from(folded) * two_to(-31))),
        }
    }

    fn inductor_unit(&self, word: u32) -> f32 {
        below_one(match self.reading.inductor.top {
            InductorTop::Folded if word >> 31 == 1 => !word,
            InductorTop::Folded | InductorTop::Cleared => word << 1 >> 1,
            InductorTop::Shifted => word >> 1,
        })
    }

    /// The normal of two words. `None` if the last bit of a double-precision cosine decides, because libraries differ in it.
    fn inductor_normal(&self, words: [u32; 2]) -> Option<f32> {
        let answers = &self.reading.inductor;
        let words = match answers.from {
            RadiusFrom::First => words,
            RadiusFrom::Second => [words[1], words[0]],
        };
        let factor = match answers.factor {
            RadiusFactor::Two => -2.0,
            RadiusFactor::One => -1.0,
        };
        let turn = match answers.turn {
            AngleTurn::Whole => 2.0,
            AngleTurn::Half => 1.0,
        };
        let [x, y] = words.map(|word| match answers.number {
            InductorNumber::Complement => 1.0 - self.inductor_unit(word),
            InductorNumber::Number => self.inductor_unit(word),
        });
        if answers.kind == InductorType::Single {
            let angle = f32_of(turn) * std::f32::consts::PI * y;
            let turned = match answers.part {
                InductorPart::Cosine => glibc::cosf(angle),
                InductorPart::Sine => glibc::sinf(angle),
            };
            return Some((glibc::logf(x) * f32_of(factor)).sqrt() * turned);
        }
        let log = match answers.kind {
            InductorType::AllDouble => libm::log(x.into()),
            _ => glibc::logf(x).into(),
        };
        let angle = f64::from(y) * (turn * std::f64::consts::PI);
        let turned = match answers.part {
            InductorPart::Cosine => libm::cos(angle),
            InductorPart::Sine => libm::sin(angle),
        };
        let radius = (log * factor).sqrt();
        let [normal, below, above] =
            [turned, turned.next_down(), turned.next_up()].map(|turned| f32_of(turned * radius));
        [below, above]
            .iter()
            .all(|it| it.to_bits() == normal.to_bits())
            .then_some(normal)
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        let answers = &self.reading.triton;
        let block = Block::new(&self.reading.philox, split_64(self.key));
        for (place, index) in (0..self.count()).zip(0_u64..) {
            match self.what {
                What::Words { offset } => {
                    let offset = match answers.offset {
                        TritonOffset::Quarter => offset / 4,
                        TritonOffset::All | TritonOffset::Low32 => offset,
                    };
                    let word = match answers.words {
                        BlockWords::First => self.block(&block, offset.wrapping_add(index))[0],
                        BlockWords::All => self.block(&block, offset.wrapping_add(index / 4))[place % 4],
                        BlockWords::Quarters => {
                            let quarter = self.count().div_ceil(4).max(1);
                            let at = u64::try_from(place % quarter).unwrap_or(u64::MAX);
                            self.block(&block, offset.wrapping_add(at))[place / quarter]
                        }
                    };
                    match self.dtype {
                        Dtype::U32 => bytes.extend(word.to_le_bytes()),
                        _ => push(self.dtype, self.unit(word), *self.reading.nan, &mut bytes),
                    }
                }
                What::Random(mode) => {
                    let [first, second, ..] = block.words(u128::from(index));
                    let value = match mode {
                        InductorMode::Rand => Some(self.inductor_unit(first)),
                        InductorMode::Randn => self.inductor_normal([first, second]),
                    };
                    let value = value.ok_or_else(|| {
                        Failure::Unsupported("the last bit of a cosine decides an element".to_owned())
                    })?;
                    push(self.dtype, value.into(), *self.reading.nan, &mut bytes);
                }
                What::Integers { low, span } => {
                    let [first, second, ..] = block.words(u128::from(index)).map(u64::from);
                    let (number, bits) = match (answers.integer, answers.order) {
                        (IntegerOf::One, _) => (first, 32),
                        (IntegerOf::Ored, _) => (first | second, 64),
                        (IntegerOf::Two, WordOrder::LowFirst) => (second << 32 | first, 64),
                        (IntegerOf::Two, _) => (first << 32 | second, 64),
                    };
                    let value = reduced(answers.reduction, Dtype::I64, (number, bits), low, span);
                    bytes.extend(value.to_le_bytes());
                }
            }
        }
        Ok(Response::of(bytes.into_tensor()))
    }
}

fn triton_key(reading: &Reading, seed: &Tensor) -> Result<u64, Failure> {
    let seed = word("seed", seed)?;
    Ok(match reading.triton.seed {
        Bits::All => seed,
        Bits::Low32 => u64::from(split_64(seed)[0]),
    })
}

/// What the seed of PyTorch's compiler makes the key.
fn inductor_key(reading: &Reading, seed: &Tensor) -> Result<u64, Failure> {
    let seed = word("seed", seed)?;
    Ok(match reading.triton.key {
        InductorKey::Low32 => u64::from(split_64(seed)[0]),
        InductorKey::All => seed,
    })
}

/// A number of 31 bits, rounded, times the greatest f32 whose product with 2^31 is below 1.
fn below_one(bits: u32) -> f32 {
    f32_of(f64::from(bits)) * f32::from_bits(0x2fff_ffff)
}

//! Triton's draws, and the integers of PyTorch's compiler: a block for each element.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Request, Response, Shape, Tensor};

use super::arithmetic::{buffer, push};
use super::check;
use super::philox::{Block, split_64};
use super::servers::{number, word};
use crate::answers::{Bits, BlockWords, InductorKey, IntegerOf, TopBit, WordOrder};
use crate::reading::Reading;
use crate::round::f32_of;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    key: u64,
    what: What,
}

enum What {
    Words { offset: u64 },
    Integers { low: i64, span: u64 },
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
                let key = word("seed", &request.seed)?;
                let offset = word("offset", &request.offset)?;
                (Dtype::F32, dims, key, What::Words { offset })
            }
            Request::TritonRandint(request) => {
                let dims = vec![number("num", request.num)?];
                let key = word("seed", &request.seed)?;
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
                let span = high.abs_diff(low);
                let seed = word("seed", &request.seed)?;
                let key = match reading.triton.key {
                    InductorKey::Low32 => u64::from(split_64(seed)[0]),
                    InductorKey::All => seed,
                };
                (
                    Dtype::I64,
                    request.output_sizes.clone(),
                    key,
                    What::Integers { low, span },
                )
            }
            _ => return Err(Failure::no_op(request.op())),
        };
        Ok(Self {
            reading,
            dtype,
            shape: limits.shape(dtype, &dims)?,
            key,
            what,
        })
    }

    fn block(&self, block: &Block, offset: u64) -> [u32; 4] {
        block.words(match self.reading.triton.offset {
            Bits::All => u128::from(offset),
            Bits::Low32 => u128::from(split_64(offset)[0]),
        })
    }

    fn unit(&self, word: u32) -> f64 {
        let folded = match self.reading.triton.top {
            TopBit::Folded if word >> 31 == 1 => !word,
            _ => word & 0x7fff_ffff,
        };
        // The greatest f32 whose product with 2^31 is below 1.
        f64::from(f32_of(f64::from(folded)) * f32::from_bits(0x2fff_ffff))
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.count(), self.dtype)?;
        let answers = &self.reading.triton;
        let block = Block::new(&self.reading.philox, split_64(self.key));
        for (place, index) in (0..self.count()).zip(0_u64..) {
            match self.what {
                What::Words { offset } => {
                    let word = match answers.words {
                        BlockWords::First => self.block(&block, offset.wrapping_add(index))[0],
                        BlockWords::All => self.block(&block, offset.wrapping_add(index / 4))[place % 4],
                    };
                    match self.dtype {
                        Dtype::U32 => bytes.extend(word.to_le_bytes()),
                        _ => push(self.dtype, self.unit(word), self.reading.nan, &mut bytes),
                    }
                }
                What::Integers { low, span } => {
                    let [first, second, ..] = block.words(u128::from(index)).map(u64::from);
                    let number = match (answers.integer, answers.order) {
                        (IntegerOf::One, _) => first,
                        (IntegerOf::Two, WordOrder::LowFirst) => second << 32 | first,
                        (IntegerOf::Two, _) => first << 32 | second,
                    };
                    bytes.extend(low.wrapping_add_unsigned(number % span).to_le_bytes());
                }
            }
        }
        let output = Tensor::new(self.dtype, self.shape.clone(), bytes);
        Ok(Response::of(output.expect("each element has its bytes")))
    }
}

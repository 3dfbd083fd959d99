//! cuRAND's Philox4_32_10: bits, uniform numbers and normals.

use seedproof_ops::{CurandDistribution, CurandPhilox, Dtype, Failure, Limits, Response, Shape};

use super::pair::Pair;
use crate::answers::{CurandAngle, CurandDouble, CurandUnit, OffsetOf, SkippedTurns, SubsequenceIn, Turns};
use crate::engine::arithmetic::{buffer, push};
use crate::engine::check;
use crate::engine::forms::changed;
use crate::engine::philox::{Block, split_64};
use crate::engine::plan;
use crate::engine::servers::number;
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};

/// A request that will be answered.
pub(crate) struct Plan<'a> {
    reading: &'a Reading,
    distribution: CurandDistribution,
    dtype: Dtype,
    shape: Shape,
    block: Block,
    start: u128,
    /// Outputs that every subsequence skips, as the device API does with an offset. The host API skips outputs of all of them.
    skipped: u128,
    parameters: [f32; 2],
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] for normals of f64, and if the limits exclude it.
    pub(crate) fn new(reading: &'a Reading, request: &CurandPhilox, limits: Limits) -> Result<Self, Failure> {
        let distribution = check::known("distribution", &request.distribution)?;
        let dtype = check::known("output_type", &request.output_type)?;
        let is_of = match distribution {
            CurandDistribution::Bits => dtype == Dtype::U32,
            _ => matches!(dtype, Dtype::F32 | Dtype::F64),
        };
        if !is_of {
            return check::attribute(format!("{distribution} of {dtype}"));
        }
        let num = number("num", request.num)?;
        let is_normal = distribution == CurandDistribution::Normal;
        let mut parameters = [0.0, 1.0];
        let inputs = [("mean", &request.mean), ("stddev", &request.stddev)];
        for ((name, input), parameter) in inputs.into_iter().zip(&mut parameters) {
            match input {
                Some(_) if !is_normal => {
                    return check::attribute(format!("{distribution} with a {name}"));
                }
                Some(tensor) => *parameter = check::one(name, tensor, dtype)?.to_f64(),
                None => {}
            }
        }
        if is_normal && dtype == Dtype::F64 {
            return Err(Failure::Unsupported(
                "normals of f64 depend on the double functions of one version of a C library".to_owned(),
            ));
        }
        let offset = u128::from(request.offset);
        let (start, skipped) = match reading.curand.offset {
            OffsetOf::Outputs => (offset, 0),
            OffsetOf::Blocks => (offset * 4, 0),
            OffsetOf::WholeBlocks => (offset & !3, 0),
            OffsetOf::Low32 => (offset & u128::from(u32::MAX), 0),
            OffsetOf::EachSubsequence => (0, offset),
            OffsetOf::BlocksOfEach => (0, offset & !3),
        };
        Ok(Self {
            reading,
            distribution,
            dtype,
            shape: limits.shape(dtype, &[num])?,
            block: Block::new(&reading.philox, split_64(request.seed)),
            start,
            skipped,
            parameters: parameters.map(f32_of),
        })
    }

    /// The words of a block: the turn's subsequence above, and below the blocks that it had before.
    fn words(&self, turn: u128, more: u128) -> [u32; 4] {
        let bits = self.subsequences();
        let (subsequence, block) = (turn & ((1 << bits) - 1), (turn >> bits) + more);
        let counter = match self.reading.curand.subsequence {
            SubsequenceIn::High => (subsequence << 64).wrapping_add(block),
            SubsequenceIn::Low => (block << 64).wrapping_add(subsequence),
        };
        let mut words = self.block.words(counter);
        changed(self.reading.memory.words, &mut words);
        words
    }

    /// The logarithm of the number of subsequences.
    fn subsequences(&self) -> u32 {
        match self.reading.curand.turns {
            Turns::Subsequences => 16,
            Turns::Fewer(bits) => bits,
            Turns::One => 0,
        }
    }

    fn word(&self, output: u128) -> u32 {
        let own = (output & 3) + self.skipped;
        self.words(output >> 2, own >> 2)[place(own & 3)]
    }

    fn double(&self, output: u128) -> f64 {
        let curand = &self.reading.curand;
        let turn = output >> 2;
        let drawn = match curand.skipped {
            SkippedTurns::OneBlock => turn - (self.start >> 2),
            SkippedTurns::TwoBlocks => turn,
        };
        let earlier = drawn >> self.subsequences();
        let words = self.words(turn, earlier + (output >> 1 & 1) + (self.skipped >> 2));
        let half = place(output & 1) * 2;
        let [first, second] = [words[half], words[half + 1]].map(u64::from);
        let bits = match curand.double {
            CurandDouble::Mixed => second << 21 ^ first,
            CurandDouble::MixedIn32 => (second << 21 & u64::from(u32::MAX)) ^ first,
            CurandDouble::FirstHigh => (first << 32 | second) >> 11,
        };
        // 2 times the bits and 1 are a whole number of 54 bits, which is rounded where it becomes an f64.
        f64_of(2 * bits + 1) * libm::ldexp(1.0, -54)
    }

    fn unit(&self, word: u32) -> f32 {
        if self.reading.curand.unit == CurandUnit::Digits {
            return f32_of(f64::from(word >> 8) * libm::ldexp(1.0, -24));
        }
        let word = f32_of(f64::from(word));
        // Of an f32 of 24 bits and one half an f64 has every digit.
        f32_of((f64::from(word) + 0.5) * libm::ldexp(1.0, -32))
    }

    fn angle(&self, word: u32) -> f32 {
        let word = f32_of(f64::from(word));
        let turn = f32_of(Pair(&self.reading.curand_normal).turn());
        let step = f32_of(libm::ldexp(turn.into(), -32));
        match self.reading.curand.angle {
            CurandAngle::Twice => word * step + step * 0.5,
            CurandAngle::Once => word.mul_add(step, step * 0.5),
        }
    }

    fn normal(&self, output: u128) -> f32 {
        let pair = Pair(&self.reading.curand_normal);
        let even = output & !1;
        let [radius, angle] = pair.ordered([self.word(even), self.word(even | 1)]);
        let normals = pair.at(pair.radius(self.unit(radius)), self.angle(angle));
        pair.scaled(normals[place(output & 1)], self.parameters)
    }
}

impl plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        for output in (self.start..).take(self.count()) {
            let value = match (self.distribution, self.dtype) {
                (CurandDistribution::Bits, _) => {
                    bytes.extend(self.word(output).to_le_bytes());
                    continue;
                }
                (CurandDistribution::Normal, _) => self.normal(output).into(),
                (_, Dtype::F64) => self.double(output),
                _ => self.unit(self.word(output)).into(),
            };
            push(self.dtype, value, *self.reading.nan, &mut bytes);
        }
        Ok(Response::of(bytes.into_tensor()))
    }
}

fn place(index: u128) -> usize {
    usize::try_from(index).expect("less than 4")
}

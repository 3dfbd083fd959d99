//! TensorFlow's StatelessRandomGetKeyCounter.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, Response, Scalar, Stages, StatelessRandomGetKeyCounter, Tensor,
};

use super::check;
use super::forms::joined_to_key;
use super::philox::{self, Block, split_64};
use crate::answers::{ScrambleKey, Scrambled, SeedBits, SeedOrder};
use crate::reading::Reading;

/// A request that will be answered: the words of the block that scrambles the seed.
pub(super) struct Plan {
    words: [u32; 4],
    scrambled: Scrambled,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// A seed that is not two numbers of i32 or i64, and what the reading leaves out.
    pub(super) fn new(
        reading: &Reading,
        request: &StatelessRandomGetKeyCounter,
        _: Limits,
    ) -> Result<Self, Failure> {
        let words = scrambled(reading, &request.seed)?;
        Ok(Self {
            words,
            scrambled: reading.stateless.scrambled,
        })
    }
}

impl super::plan::Plan for Plan {
    fn count(&self) -> usize {
        1
    }

    /// Key and counter.
    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let (key, counter) = named(self.scrambled, self.words);
        Ok(Response {
            output: Tensor::vector(&[key]),
            more: vec![Tensor::vector(&counter)],
        })
    }

    /// The block's words and the key.
    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        Ok(Stages::of_philox(self.words.to_vec(), 2, self.run(&|| 0)?.output))
    }
}

/// The key and the counter's halves, the low one first.
fn named(answer: Scrambled, words: [u32; 4]) -> (u64, [u64; 2]) {
    let [first, last] = [0, 2].map(|i| u64::from(words[i]) + (u64::from(words[i + 1]) << 32));
    match answer {
        Scrambled::KeyThenHigh | Scrambled::SeedThenHigh => (first, [0, last]),
        Scrambled::HighThenKey => (last, [0, first]),
        Scrambled::KeyThenLow | Scrambled::SeedThenLow => (first, [last, 0]),
    }
}

/// The key and the counter of the stream that an op begins by a seed.
///
/// # Errors
/// A seed that is not two numbers of i32 or i64.
pub(super) fn stream(reading: &Reading, seed: &Tensor) -> Result<(u64, u128), Failure> {
    let (key, [low, high]) = named(reading.stateless.scrambled, scrambled(reading, seed)?);
    Ok((key, u128::from(high) << 64 | u128::from(low)))
}

/// The words of the block that scrambles a seed, or of a seed that is not scrambled.
fn scrambled(reading: &Reading, seed: &Tensor) -> Result<[u32; 4], Failure> {
    check::dtype_is("seed", seed, &[Dtype::I32, Dtype::I64])?;
    if seed.shape().dims() != [2] {
        return check::refuse(
            ErrorKind::Shape,
            format!("seed has the shape {}, not that of two numbers", seed.shape()),
        );
    }
    let answers = &reading.stateless;
    let number = |number: Scalar| match answers.seed_bits {
        _ if answers.seed_order == SeedOrder::Packed => number.to_i64().cast_unsigned() & 0xffff_ffff,
        SeedBits::All => number.to_i64().cast_unsigned(),
        SeedBits::Low32 => number.bits() & 0xffff_ffff,
        SeedBits::Signed32 => {
            let [low, _] = split_64(number.bits());
            i64::from(low.cast_signed()).cast_unsigned()
        }
        SeedBits::ZeroExtended => number.bits(),
        SeedBits::Absolute => number.to_i64().unsigned_abs(),
    };
    let places = match answers.seed_order {
        SeedOrder::FirstLow | SeedOrder::Words(_) => [0, 64],
        SeedOrder::SecondLow => [64, 0],
        SeedOrder::Packed => [0, 32],
    };
    let counter = seed.scalars().zip(places).fold(0, |counter, (it, place)| {
        counter | u128::from(number(it)) << place
    });
    let counter = match answers.seed_order {
        SeedOrder::Words(order) => philox::join([1000, 100, 10, 1].map(|place| {
            // The numbers that are allowed have other digits too, which must not end in a panic.
            let word = (order / place % 10).saturating_sub(1) & 3;
            split_64(u64::try_from(counter >> (32 * word) & 0xffff_ffff).unwrap_or(0))[0]
        })),
        _ => counter,
    };
    if matches!(
        answers.scrambled,
        Scrambled::SeedThenHigh | Scrambled::SeedThenLow
    ) {
        return Ok(philox::split(counter));
    }
    let key = match answers.scramble_key {
        ScrambleKey::Usual => [0x3ec8_f720, 0x0246_1e29],
        ScrambleKey::Exchanged => [0x0246_1e29, 0x3ec8_f720],
        ScrambleKey::High(constant) => [0x3ec8_f720, constant],
        ScrambleKey::Low(constant) => [constant, 0x0246_1e29],
    };
    let mut words = Block::new(&reading.philox, key).words(counter);
    joined_to_key(answers.joined, &mut words);
    Ok(words)
}

//! Seeds to generators.

use seedproof_ops::{Failure, Shape};

use super::minstd::Minstd;
use super::mt19937::Mt19937;
use super::philox::{Block, split_64};
use super::stream::{Counter, PhiloxWords, Words, as_u128, of_shape};
use super::units::two_to;
use crate::answers::{
    BothZero, Execution, Mt, MtFirst, MtOpSeed, MtSeedHigh, MtSeedZero, Placement, SeedRoles, SeedWidth,
    SeedZero, WordOrder, WordsFrom,
};
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};

/// The most words that a Mersenne Twister is advanced before the first one is used: under a second.
const MOST_SKIPPED: u128 = 1 << 28;

/// What `tf.random` reduces seeds by, and its seed of an op where both are zero then.
const MODULUS: u64 = (1 << 31) - 1;

/// Two seeds as the generators see them.
pub(super) struct Seeded<'a> {
    reading: &'a Reading,
    global: u64,
    op: u64,
}

impl<'a> Seeded<'a> {
    pub(super) fn new(reading: &'a Reading, global: u64, op: u64, entropy: &dyn Fn() -> u64) -> Self {
        let replaced = match reading.seeds.both_zero {
            BothZero::Entropy | BothZero::OnceCut => global == 0 && op == 0,
            BothZero::EitherZero => global == 0 || op == 0,
            BothZero::Deterministic => false,
        };
        let of = |answer: SeedZero, seed: u64, other: u64| match answer {
            SeedZero::Graph if seed == 0 && other != 0 => 87_654_321,
            SeedZero::Greatest if seed == 0 && other != 0 => 0x7fff_ffff,
            _ => seed,
        };
        let seeds = [
            of(reading.seeds.global_zero, global, op),
            of(reading.seeds.op_zero, op, global),
        ];
        let [global, op] = arrived(reading, if replaced { [entropy(), op] } else { seeds });
        Self { reading, global, op }
    }

    /// The same seeds, the second of them raised.
    pub(super) fn with_op_seed_raised(&self, by: usize) -> Self {
        let by = u64::try_from(by).unwrap_or(u64::MAX);
        Self {
            op: self.op.wrapping_add(by),
            ..*self
        }
    }

    /// The words of an execution under TENSORFLOW alignment.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] where the implementation loses count.
    pub(super) fn tensorflow(
        &self,
        answer: Execution,
        execution: u32,
        per_element: usize,
        shape: &Shape,
    ) -> Result<Words, Failure> {
        let count = shape.count();
        let form = self.reading.memory.words;
        match self.reading.stream.words {
            WordsFrom::Philox => self
                .philox(answer, execution, per_element, shape)
                .map(|words| Words::philox(words, form)),
            WordsFrom::Minstd => {
                let runs = match answer {
                    Execution::Continues => execution,
                    _ => 0,
                };
                let skipped = as_u128(count) * as_u128(per_element) * u128::from(runs);
                let [seed, _] = split_64(self.global);
                let session = &self.reading.onnx_session;
                Ok(Words::minstd(
                    Minstd::new(session, seed, skipped, per_element),
                    form,
                ))
            }
        }
    }

    fn philox(
        &self,
        answer: Execution,
        execution: u32,
        per_element: usize,
        shape: &Shape,
    ) -> Result<PhiloxWords, Failure> {
        let count = shape.count();
        let blocks = as_u128(count.div_ceil(4 / per_element));
        let runs = u128::from(execution);
        let (advance, wide) = match answer {
            Execution::Unspecified | Execution::Afresh => (0, false),
            Execution::Continues => (runs * blocks, true),
            Execution::Blocks256 => (runs * 256 * blocks, false),
            Execution::Elements256 => (runs * 256 * as_u128(count), false),
            Execution::Elements256Wide => (runs * 256 * as_u128(count), true),
        };
        let [n, carried] = [advance & u128::from(u64::MAX), advance >> 64];
        if answer == Execution::Elements256 && (n & u128::from(u32::MAX)) + blocks > 1 << 32 {
            return Err(Failure::Unsupported(format!(
                "{} loses the carry into the second word of its counter, at a place that depends on its threads",
                self.reading.name
            )));
        }
        // A carry out of the 64-bit n replaces op_seed where the state is kept in two 64-bit halves.
        let op = if wide || carried == 0 {
            u128::from(self.op)
        } else {
            carried
        };
        let op = match self.reading.stream.counter_order {
            WordOrder::LowFirst => op,
            WordOrder::HighFirst => (op >> 32) | (op & u128::from(u32::MAX)) << 32,
        };
        let base = match self.reading.stream.placement {
            Placement::BlockLow | Placement::BlockHigh => op << 64,
            Placement::WordBelow => op << 32,
            Placement::Added => op,
        };
        let base = base.wrapping_add(if wide { advance } else { n });
        let counter = Counter::new(base, &self.reading.stream);
        let [low, high] = split_64(self.global);
        let key = match self.reading.stream.key_order {
            WordOrder::LowFirst => [low, high],
            WordOrder::HighFirst => [high, low],
        };
        let block = Block::new(&self.reading.philox, key);
        Ok(PhiloxWords::new(
            block,
            counter,
            of_shape(self.reading.stream.layout, shape),
            per_element,
            count,
        ))
    }

    /// The generator under PYTORCH alignment, after earlier calls of `words` words each.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if those are too many to walk through.
    pub(super) fn mt(&self, calls: u32, words: u64) -> Result<Box<Mt19937>, Failure> {
        may_skip(u128::from(self.first_word()) + u128::from(calls) * u128::from(words))?;
        let mut generator = (self.generators())(0);
        generator.skip_calls(calls, words);
        Ok(Box::new(generator))
    }

    /// The generators of `parts` parts of an output.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the words that they drop are too many to walk through.
    pub(super) fn mt_of_parts(&self, parts: usize) -> Result<Box<dyn Fn(u64) -> Mt19937>, Failure> {
        may_skip(u128::from(self.first_word()) * as_u128(parts))?;
        Ok(Box::new(self.generators()))
    }

    /// The number of words before the first that is used.
    fn first_word(&self) -> u64 {
        let dropped = match self.reading.mt.first {
            MtFirst::First => 0,
            MtFirst::Dropped(words) => u64::from(words),
        };
        match self.reading.mt.op_seed {
            MtOpSeed::Skipped => dropped + (self.op & 0xffff),
            MtOpSeed::Ignored | MtOpSeed::Added => dropped,
        }
    }

    /// What makes the generator of a part at its first word. Its number is added to the seed, and is 0 where there is one.
    fn generators(&self) -> impl Fn(u64) -> Mt19937 + 'static {
        let answers = self.reading.mt.clone();
        let seed = match answers.op_seed {
            MtOpSeed::Added => self.global.wrapping_add(self.op),
            MtOpSeed::Ignored | MtOpSeed::Skipped => self.global,
        };
        let ([_, op], first) = (self.low_words(), self.first_word());
        move |part| {
            let mut generator = mt(&answers, seed.wrapping_add(part), op);
            generator.skip(first);
            generator
        }
    }

    /// The low words of both seeds.
    pub(super) fn low_words(&self) -> [u32; 2] {
        [split_64(self.global)[0], split_64(self.op)[0]]
    }
}

fn may_skip(words: u128) -> Result<(), Failure> {
    if words > MOST_SKIPPED {
        return Err(Failure::Unsupported(format!(
            "the stream would have to be advanced by {words} words"
        )));
    }
    Ok(())
}

/// A generator of a seed, or of the low words of two.
fn mt(answers: &Mt, seed: u64, second: u32) -> Mt19937 {
    let [low, high] = split_64(seed);
    let seed = match answers.seed_high {
        // A key of one word would fill the state otherwise than the seed itself, for which such programs have another path.
        MtSeedHigh::Array if high != 0 => return Mt19937::of_array(answers, &[low, high]),
        MtSeedHigh::Ignored | MtSeedHigh::Array => low,
        MtSeedHigh::Folded => low ^ high,
    };
    let seed = match answers.seed_zero {
        MtSeedZero::Default if seed == 0 => 5489,
        _ => seed,
    };
    Mt19937::new(answers, seed, second)
}

/// PyTorch's generator on a CPU, seeded by one seed and at its first word.
pub(super) fn torch_generator(reading: &Reading, seed: u64) -> Mt19937 {
    let seed = cut(reading.seeds.global_seed, seed);
    let mut generator = mt(&reading.mt, seed, split_64(seed)[1]);
    if let MtFirst::Dropped(words) = reading.mt.first {
        generator.skip(words.into());
    }
    generator
}

/// What arrives of two seeds, and which of them is the key: the first.
fn arrived(reading: &Reading, [global, op]: [u64; 2]) -> [u64; 2] {
    let seeds = &reading.seeds;
    let (global, mut op) = (cut(seeds.global_seed, global), cut(seeds.op_seed, op));
    // A port of `tf.random` has its rule of two zeros too, because the raw op would take entropy for them.
    if seeds.op_seed == SeedWidth::UnsignedModulo2p31m1 && (global, op) == (0, 0) {
        op = MODULUS;
    }
    match seeds.roles {
        SeedRoles::GlobalIsKey => [global, op],
        SeedRoles::Exchanged => [op, global],
        SeedRoles::Summed => [global.wrapping_add(op), op],
        SeedRoles::SummedAlone => [global.wrapping_add(op), 0],
        SeedRoles::Hashed => {
            let mixed = op
                .wrapping_add(0x9e37_79b9)
                .wrapping_add(global << 6)
                .wrapping_add(global >> 2);
            [global ^ mixed, 0]
        }
    }
}

/// The key and the high half of the counter that TensorFlow's kernels of two seeds begin with.
pub(super) fn key_and_counter(reading: &Reading, seeds: [u64; 2]) -> [u64; 2] {
    let [key, high] = arrived(reading, seeds);
    let ordered = |order, seed: u64| match order {
        WordOrder::LowFirst => seed,
        WordOrder::HighFirst => seed.rotate_left(32),
    };
    [
        ordered(reading.stream.key_order, key),
        ordered(reading.stream.counter_order, high),
    ]
}

/// Whether two seeds that are not zero are taken as none.
pub(super) fn are_lost(reading: &Reading, [global, op]: [u64; 2]) -> bool {
    let seeds = &reading.seeds;
    let is_zero_once_cut = cut(seeds.global_seed, global) == 0 && cut(seeds.op_seed, op) == 0;
    seeds.both_zero == BothZero::OnceCut && is_zero_once_cut && (global, op) != (0, 0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float that is not negative becomes an integer, saturating"
)]
pub(super) fn cut(width: SeedWidth, seed: u64) -> u64 {
    let low = split_64(seed)[0];
    match width {
        SeedWidth::Full => seed,
        SeedWidth::Low16 => seed & 0xffff,
        SeedWidth::Low32 => u64::from(low),
        SeedWidth::SignExtended32 => i64::from(low.cast_signed()).cast_unsigned(),
        SeedWidth::Saturated63 => seed.min(i64::MAX.cast_unsigned()),
        SeedWidth::Saturated31 => seed.min((1 << 31) - 1),
        SeedWidth::Saturated32 => seed.min((1 << 32) - 1),
        SeedWidth::Absolute => seed.cast_signed().unsigned_abs(),
        SeedWidth::Modulo2p31m1 => seed.cast_signed().rem_euclid(i64::from(i32::MAX)).cast_unsigned(),
        SeedWidth::UnsignedModulo2p31m1 => seed % MODULUS,
        // A u64 as f64, then as f32, could round twice; the seeds that would show it are rare and no matter.
        SeedWidth::ThroughF32 => f32_of(f64_of(seed)) as u64,
        SeedWidth::ThroughF64Wrapped if f64_of(seed) >= two_to(64) => 0,
        SeedWidth::ThroughF64 | SeedWidth::ThroughF64Wrapped => f64_of(seed) as u64,
        SeedWidth::Dropped => 0,
        SeedWidth::Low53 => seed & ((1 << 53) - 1),
        SeedWidth::Low63 => seed & i64::MAX.cast_unsigned(),
        SeedWidth::BytesReversed => seed.swap_bytes(),
        SeedWidth::BytesReversedInHalves => seed.swap_bytes().rotate_left(32),
        SeedWidth::HalvesExchanged => seed.rotate_left(32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_cut_as_the_answer_says() {
        assert_eq!(cut(SeedWidth::Low32, (5 << 32) + 7), 7);
        assert_eq!(cut(SeedWidth::SignExtended32, 0xffff_ffff), u64::MAX);
        assert_eq!(cut(SeedWidth::Saturated63, u64::MAX), u64::MAX >> 1);
        assert_eq!(cut(SeedWidth::Saturated31, 3 << 30), (1 << 31) - 1);
        assert_eq!(cut(SeedWidth::Saturated32, 3 << 30), 3 << 30);
        assert_eq!(cut(SeedWidth::Absolute, u64::MAX), 1);
        assert_eq!(cut(SeedWidth::Modulo2p31m1, u64::MAX), 2147483646);
        assert_eq!(cut(SeedWidth::Modulo2p31m1, 2147483647), 0);
        assert_eq!(cut(SeedWidth::UnsignedModulo2p31m1, u64::MAX), 3);
        assert_eq!(cut(SeedWidth::ThroughF32, 16777217), 16777216);
        assert_eq!(cut(SeedWidth::ThroughF64, (1 << 53) + 1), 1 << 53);
        assert_eq!(cut(SeedWidth::ThroughF64, u64::MAX), u64::MAX);
        assert_eq!(cut(SeedWidth::ThroughF64Wrapped, u64::MAX), 0);
        assert_eq!(cut(SeedWidth::ThroughF64Wrapped, (1 << 53) + 1), 1 << 53);
        assert_eq!(cut(SeedWidth::Dropped, 7), 0);
        assert_eq!(cut(SeedWidth::Low53, (1 << 53) + 1), 1);
        assert_eq!(cut(SeedWidth::Low63, u64::MAX), u64::MAX >> 1);
        let seed = 0x0123_4567_89ab_cdef;
        assert_eq!(cut(SeedWidth::BytesReversed, seed), 0xefcd_ab89_6745_2301);
        assert_eq!(cut(SeedWidth::BytesReversedInHalves, seed), 0x6745_2301_efcd_ab89);
        assert_eq!(cut(SeedWidth::HalvesExchanged, seed), 0x89ab_cdef_0123_4567);
    }
}

//! Keys, the counters of their blocks, and the keys that are derived from them.

use std::ops::Range;

use seedproof_ops::{Dtype, Failure, Tensor};

use crate::answers::{
    Carry, DerivedFrom, DerivedWords, Fold, FoldedBits, KeyRoles, NegativeData, OffsetCarry, OffsetPlace,
    SplitAxis, SplitNumbers,
};
use crate::engine::check;
use crate::engine::forms::{changed, joined_to_key};
use crate::engine::philox::{Block, split_64};
use crate::engine::seeds::cut;
use crate::engine::stream::Counter;
use crate::reading::Reading;

/// A seed and an offset.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) seed: u64,
    pub(crate) offset: u64,
}

/// The mapping from a key's blocks to counters.
pub(crate) fn counter(reading: &Reading, key: Key) -> Counter {
    let offset = u128::from(key.offset);
    let base = match reading.philox_keys.offset {
        OffsetPlace::Low => offset,
        OffsetPlace::High => offset << 64,
        OffsetPlace::Quarter => offset / 4,
    };
    let counter = Counter::new(base, &reading.stream);
    match (reading.philox_keys.carry, counter.carry) {
        (OffsetCarry::Lost, Carry::Full | Carry::LostAt96) => Counter {
            carry: Carry::LostAt64,
            ..counter
        },
        _ => counter,
    }
}

/// The words of all derived keys.
pub(super) fn derive(reading: &Reading, keys: &[Key], numbers: Range<u64>, words: &mut Vec<u32>) {
    let of = |(place, key): (u64, &Key), number: u64| {
        let key = match reading.philox_keys.derived_from {
            DerivedFrom::Own => key,
            DerivedFrom::First => &keys[0],
        };
        let number = match reading.philox_keys.split_numbers {
            SplitNumbers::EachKey => number,
            SplitNumbers::Through => number
                .wrapping_mul(u64::try_from(keys.len()).unwrap_or(u64::MAX))
                .wrapping_add(place),
        };
        derived(reading, *key, number)
    };
    let numbered = || (0_u64..).zip(keys);
    // The number after 2^64 - 1 is zero, and the range of one number is then empty the wrong way round.
    let numbers: Vec<u64> = if numbers.is_empty() {
        vec![numbers.start]
    } else {
        numbers.collect()
    };
    match reading.philox_keys.split_axis {
        SplitAxis::First => {
            words.extend(
                numbers
                    .iter()
                    .flat_map(|&number| numbered().flat_map(move |key| of(key, number))),
            );
        }
        SplitAxis::AfterBatch => {
            let each = |key| numbers.iter().flat_map(move |&number| of(key, number));
            words.extend(numbered().flat_map(each));
        }
    }
}

/// The words of the key that a number makes of a key.
fn derived(reading: &Reading, key: Key, number: u64) -> [u32; 4] {
    let answers = &reading.philox_keys;
    if answers.fold == Fold::AddedToBoth {
        let [seed, offset] = [key.seed, key.offset].map(|it| split_64(it.wrapping_add(number)));
        return [seed[0], seed[1], offset[0], offset[1]];
    }
    let counter = counter(reading, key);
    let base = match answers.fold {
        Fold::Block => counter.raised(counter.base, u128::from(number)),
        Fold::InPlace => u128::from(number),
        Fold::HighHalf => counter.base | u128::from(number) << 64,
        Fold::Mixed => counter.base ^ u128::from(number),
        Fold::AddedToSeed | Fold::AddedToBoth | Fold::Counted => counter.base,
    };
    let seed = match answers.fold {
        Fold::AddedToSeed => key.seed.wrapping_add(number),
        _ => key.seed,
    };
    let start = Counter { base, ..counter };
    let [block] = [Block::new(&reading.philox, split_64(seed)).words(start.at(0, 0))];
    let mut words = block;
    changed(reading.memory.words, &mut words);
    let [a, b, mut c, mut d] = words;
    if answers.fold == Fold::Counted {
        let offset = u64::from(d) << 32 | u64::from(c);
        [c, d] = split_64(offset.wrapping_add(number));
    }
    let mut words = match answers.derived {
        DerivedWords::LowFirst => [a, b, c, d],
        DerivedWords::HighFirst => [b, a, d, c],
        DerivedWords::OffsetFirst => [c, d, a, b],
        DerivedWords::OffsetZero => [a, b, 0, 0],
    };
    joined_to_key(answers.joined, &mut words);
    words
}

/// A number to fold as 64 bits.
pub(super) fn folded(reading: &Reading, data: i128) -> Result<u64, Failure> {
    let least = match reading.philox_keys.negative {
        NegativeData::Modulo => i128::from(i64::MIN),
        NegativeData::Refused => 0,
    };
    if data < least || data > i128::from(u64::MAX) {
        return check::attribute(format!("data is {data}"));
    }
    let bits = data.rem_euclid(1 << 64);
    let kept = match reading.philox_keys.folded_bits {
        FoldedBits::All => bits,
        FoldedBits::Low32 => bits & 0xffff_ffff,
    };
    Ok(u64::try_from(kept).unwrap_or(u64::MAX))
}

/// The keys of a tensor.
pub(crate) fn of(reading: &Reading, tensor: &Tensor) -> Result<Vec<Key>, Failure> {
    check::dtype_is("key", tensor, &[Dtype::U64])?;
    if tensor.shape().dims().last().copied() != Some(2) {
        return check::shape("key", tensor);
    }
    let words: Vec<u64> = tensor.scalars().map(seedproof_ops::Scalar::bits).collect();
    let key = |pair: &[u64]| {
        let (seed, offset) = match reading.philox_keys.roles {
            KeyRoles::SeedOffset | KeyRoles::Overlapping => (pair[0], pair[1]),
            KeyRoles::OffsetSeed => (pair[1], pair[0]),
        };
        Key {
            seed: cut(reading.stream.key_bits, seed),
            offset: cut(reading.stream.counter_bits, offset),
        }
    };
    let keys = words.len() / 2;
    Ok(match reading.philox_keys.roles {
        KeyRoles::Overlapping => words.windows(2).take(keys).map(key).collect(),
        KeyRoles::SeedOffset | KeyRoles::OffsetSeed => words.chunks_exact(2).map(key).collect(),
    })
}

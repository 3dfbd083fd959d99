//! Blocks that are inverted to their counters, where the key is known: this finds any starting counter and any step.

use std::collections::BTreeSet;

use super::{Search, Stream};
use crate::whois::conversion::Scale;
use crate::whois::generator::{
    High, counter_of, counter_of_philox, counter_of_threefry, halves, joined, philox,
};
use crate::whois::numbers::as_f64;

impl Search<'_> {
    /// The words of an array whose elements are whole words; `None` for other arrays, whose blocks cannot be inverted.
    fn whole_words(&self) -> Option<Vec<u32>> {
        let way = self
            .ways
            .iter()
            .find(|way| way.words() == 1 && way.scale == Scale::Bits)?;
        let words = self
            .sought
            .actual
            .scalars()
            .map(|scalar| u32::try_from(scalar.bits() & 0xffff_ffff));
        let words: Vec<u32> = words.collect::<Result<_, _>>().ok()?;
        let gives = |(i, word): (usize, &u32)| self.seen.is(i, way.drawn(&[*word]));
        words.iter().enumerate().all(gives).then_some(words)
    }

    /// Inverts the blocks of the array, and keeps the rule that their counters follow, if there is one.
    pub(super) fn inverted(&mut self) {
        let Some(words) = self.whole_words() else { return };
        let (blocks, _) = words.as_chunks::<4>();
        let (pairs, _) = words.as_chunks::<2>();
        let [low, high] = halves(self.sought.seed);
        let keys = BTreeSet::from([
            (self.sought.seed, ""),
            (u64::from(low), ", the low half of the key"),
            (joined([high, low]), ", the halves of the key exchanged"),
        ]);
        let mut seen = BTreeSet::new();
        for (key, what) in keys {
            if !seen.insert(key) {
                continue;
            }
            self.attempts += 2.0;
            let counters: Vec<u128> = blocks
                .iter()
                .map(|&block| counter_of_philox(key, block))
                .collect();
            let fed_back = |blocks: &[[u32; 4]], counters: &[u128]| {
                blocks.len() > 2 && (1..blocks.len()).all(|i| counters[i] == counter_of(blocks[i - 1]))
            };
            let rule = if fed_back(blocks, &counters) {
                Some((
                    "each block is the counter of the next".to_owned(),
                    128.0 * as_f64(blocks.len() - 1),
                ))
            } else {
                rule(&counters, 128)
            };
            let elements = 4 * blocks.len();
            if let Some((rule, bits)) = rule {
                let sentence = format!("Philox4x32-10 of key {key:#x}{what}: {rule}");
                self.keep_counters(
                    "philox4x32-10 + counters",
                    sentence,
                    elements,
                    bits,
                    &words,
                    |block| {
                        philox(
                            High::Whole,
                            key,
                            counters[0].wrapping_add(step(&counters).wrapping_mul(block)),
                        )
                        .to_vec()
                    },
                );
            }
            let [low, high] = halves(key);
            let counters: Vec<u128> = pairs
                .iter()
                .map(|&pair| u128::from(joined(counter_of_threefry([low, high], pair))))
                .collect();
            if let Some((rule, bits)) = self::rule(&counters, 64) {
                let sentence = format!("Threefry2x32-20 of key {key:#x}{what}: {rule}");
                self.keep_counters(
                    "threefry2x32-20 + counters",
                    sentence,
                    2 * pairs.len(),
                    bits,
                    &words,
                    |_| Vec::new(),
                );
            }
        }
    }

    /// Keeps the rule of inverted blocks as a stream. A partial last block cannot be inverted, and is compared with the
    /// block that follows from the rule.
    fn keep_counters(
        &mut self,
        name: &str,
        sentence: String,
        elements: usize,
        bits: f64,
        words: &[u32],
        block: impl Fn(u128) -> Vec<u32>,
    ) {
        let rest = &words[elements..];
        let next = block(u128::try_from(elements / 4).unwrap_or(0));
        let is_rest = next.starts_with(rest);
        let elements = if is_rest { words.len() } else { elements };
        let stream = Stream {
            name: name.to_owned(),
            sentence,
            elements,
            of: words.len(),
            is_followed: elements == words.len(),
            ties: 0,
            bits,
            attempts: self.attempts(),
            parameters: 1,
        };
        self.found.push(stream);
    }
}

/// The distance between successive counters.
fn step(counters: &[u128]) -> u128 {
    match counters {
        [first, second, ..] => second.wrapping_sub(*first),
        _ => 1,
    }
}

/// The rule that counters of `width` bits follow, and its bits of agreement.
fn rule(counters: &[u128], width: u32) -> Option<(String, f64)> {
    let first = *counters.first()?;
    let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    let step = step(counters) & mask;
    // A generator's counter moves. One block that is repeated is the block of some counter under every key.
    if counters.len() > 1 && step == 0 {
        return None;
    }
    let follows = |(i, &counter): (usize, &u128)| {
        let i = u128::try_from(i).unwrap_or(0);
        counter == first.wrapping_add(step.wrapping_mul(i)) & mask
    };
    if counters.len() > 1 && !counters.iter().enumerate().all(follows) {
        return None;
    }
    // The start and the step were read off from the array. A number with few significant bits costs those and the seven
    // that say where they stand; a number without structure costs as much as it explains.
    let bits = f64::from(width);
    let free = |number: u128| {
        if number == 0 {
            0.0
        } else {
            f64::from(u128::BITS - number.leading_zeros() - number.trailing_zeros()) + 7.0
        }
    };
    let agreement = bits * as_f64(counters.len()) - free(first) - if step == 1 { 0.0 } else { free(step) };
    let words = |counter: u128| {
        let bytes = counter.to_le_bytes();
        let (words, _) = bytes.as_chunks::<4>();
        let words = words
            .iter()
            .take(usize::try_from(width / 32).unwrap_or(4))
            .map(|&word| u32::from_le_bytes(word).to_string());
        format!("({})", words.collect::<Vec<_>>().join(", "))
    };
    let apart = match step {
        1 => String::new(),
        step if counters.len() > 1 => {
            format!(", and the counter rises by {} from block to block", words(step))
        }
        _ => String::new(),
    };
    Some((
        format!(
            "block 0 has the counter {}, the number {first}{apart}",
            words(first)
        ),
        agreement,
    ))
}
